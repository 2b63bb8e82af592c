"""The engine against its twin where every message is a flow of its own, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_finite.py 0 500`.
"""

from collections import Counter

from comparing import SEEDS, by_hand, check_seeds, engine_rows, in_chunks
from random_finite import random_finite, random_paths_of_messages
from reference import run
from reference.hosts.message_flows import MessageFlows


@in_chunks(SEEDS // 2)
def test_flows_come_and_go_as_those_of_the_twin_do(seeds):
    check_seeds(random_finite, seeds, completed_alike)


@in_chunks(SEEDS // 4)
def test_each_message_takes_the_path_that_its_flow_has_in_the_twin(seeds):
    check_seeds(random_paths_of_messages, seeds)


def completed_alike(seed: int, fabric) -> bool:
    """The table `completions` has the flows that are over in the twin, in the order in which they were made."""
    scenario = random_finite(seed)
    if not any(entry.get("flows") == "by-message" for entry in scenario["traffic"]):
        return not fabric.finished
    scenario["measure"]["probes"] = ["completions"]
    rows = sorted(engine_rows(scenario)["completions"], key=lambda row: row["number"])
    hosts = fabric.graph.hosts
    told = [
        (row["flow"], hosts.index(row["destination"]), *ps(row, "created", "finished"), row["packets"], row["marked"])
        for row in rows
    ]
    assert [made for _, _, made, *_ in told] == sorted(made for _, _, made, *_ in told), f"seed {seed}"
    assert sorted(told) == sorted(fabric.finished), f"seed {seed}"
    return True


def ps(row: dict, *columns: str) -> list[int]:
    """Times of a row, in ps."""
    return [round(row[column] * 1e12) for column in columns]


def test_the_random_scenarios_reach_what_they_are_about(monkeypatch):
    """Flows end, others take their places, and some find no free place yet."""
    reached = Counter()
    begin, finished = MessageFlows.begin, MessageFlows.finished

    def begins(self, destination, sizes):
        now, places = self.source.fabric.now, len(self.source.host.flows)
        reached["others wait"] += any(flow.queue for flow in self.source.host.flows)
        resting = any(left[0] > now for left in self.left)
        begin(self, destination, sizes)
        new = len(self.source.host.flows) > places
        reached["a place is new" if new else "a place is another's"] += 1
        reached["a place is not free yet"] += new and resting

    def ends(self, flow, at):
        reached["a flow is over"] += 1
        finished(self, flow, at)

    monkeypatch.setattr(MessageFlows, "begin", begins)
    monkeypatch.setattr(MessageFlows, "finished", ends)
    seeds = iter(range(SEEDS // 2))
    wanted = ("others wait", "a place is new", "a place is another's", "a place is not free yet", "a flow is over")
    while any(reached[what] <= 20 for what in wanted) and (seed := next(seeds, None)) is not None:
        run(random_finite(seed))
    assert all(reached[what] > 20 for what in wanted), reached


if __name__ == "__main__":
    by_hand(random_finite)
