"""The engine against its twin where packets of applications are lost for good.

By hand: `PYTHONPATH=. python tests/twin/test_twin_bereft.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks
from random_bereft import random_bereft
from reference.hosts.host import Host


@in_chunks(SEEDS // 2)
def test_ranks_wait_for_ever_for_what_is_lost(seeds):
    check_seeds(random_bereft, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Messages of jobs lack packets, and later ones of the same line are complete; packets are lost at slow hosts
    whose senders learn of it when their messages are delivered."""

    def counts(fabric):
        lines = [[*flow.line.coming] for flow in fabric.flows if flow.line is not None]
        lacks = any(line and line[0].missing and any(not message.missing for message in line[1:]) for line in lines)
        told = any(job.send_end == "delivered" for job in fabric.jobs)
        return [{"lacking": lacks, "overflowed": told and any(isinstance(loss.node, Host) for loss in fabric.losses)}]

    check_reached(random_bereft, counts, {"lacking": 2, "overflowed": 2})


if __name__ == "__main__":
    by_hand(random_bereft)
