"""The engine against its twin where flows have queues of their own at outputs (BFC), to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_flow_queues.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks, of_outputs
from random_flow_queues import random_flow_queues

ALL = SEEDS * 12 // 11
"""In about one of thirteen no packet waits, and so none is given a queue."""


@in_chunks(ALL)
def test_flows_stand_and_stop_as_their_twin_says(seeds):
    check_seeds(random_flow_queues, seeds)


def test_the_random_scenarios_reach_what_they_are_about():
    """Flows share queues and return to theirs; hosts and switches are stopped and released."""
    what = ("given", "shared", "kept", "stops", "gos")
    check_reached(random_flow_queues, lambda fabric: of_outputs(fabric, "by_flow"), dict.fromkeys(what, 20))


if __name__ == "__main__":
    by_hand(random_flow_queues)
