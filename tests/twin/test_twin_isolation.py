"""The engine against its twin where congested flows are set aside (FBICM, CCFIT, HFDI, EcoCC), to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_isolation.py 0 500`.
"""

from collections import Counter

from comparing import SEEDS, by_hand, check_reached, check_seeds, engine_rows, in_chunks
from random_isolation import random_isolation
from reference import run

TOLD = {"set_aside": "aside", "queues_exhausted": "lacking", "notices_allocate": "allocate"}
TOLD |= {f"notices_{what}": what for what in ("stop", "go", "release")}


def of_inputs(fabric) -> list[dict]:
    """What every input of a switch has counted."""
    return [entry.aside.counts for switch in fabric.switches for entry in switch.inputs]


@in_chunks(SEEDS // 2)
def test_flows_are_set_aside_as_their_twin_says(seeds):
    check_seeds(random_isolation, seeds)


def test_the_summary_counts_what_the_twin_counts():
    for seed in range(SEEDS // 2, SEEDS // 2 + SEEDS // 8):
        scenario = random_isolation(seed)
        ours = Counter()
        for counts in of_inputs(run(scenario).fabric):
            ours.update(counts)
        rows = {row["name"]: row["value"] for row in engine_rows(scenario)["summary"]}
        assert {name: rows[name] for name in TOLD} == {name: ours[what] for name, what in TOLD.items()}, seed


def test_the_random_scenarios_reach_what_they_are_about():
    """Roots are found, trees grow and meet, queues run out, lists grow, and all of it ends."""
    often = ("roots", "lines", "aside", "lacking", "attached", "allocate", "stop", "go", "release")
    check_reached(random_isolation, of_inputs, dict.fromkeys(often, 30) | {"listed": 10})


if __name__ == "__main__":
    by_hand(random_isolation)
