"""The engine against its twin where outputs tell each other of congestion and hold flows (RCM), to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_twin_rcm.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, engine_rows, in_chunks
from random_regions import random_regions
from reference import run

COLUMNS = "number", "bytes", "time_limit", "harmful", "previous"


def regions_of(fabric) -> list:
    """The regions that outputs of switches are in."""
    return [output.region for switch in fabric.switches for output in switch.outputs if output.region is not None]


def of_regions(fabric) -> list[dict]:
    """What every output of a switch has counted of its region."""
    return [region.counts | region.windows.counts for region in regions_of(fabric)]


@in_chunks(SEEDS // 2)
def test_regions_are_as_their_twin_says(seeds):
    check_seeds(random_regions, seeds)


def test_windows_begin_when_the_twin_says_with_what_it_says():
    for seed in range(SEEDS // 2, SEEDS // 2 + SEEDS // 8):
        scenario = random_regions(seed)
        schedule = scenario["scheme"]["schedule"]
        if schedule == "none" or schedule["rcm"].get("pacing") == "behind-others":
            continue
        scenario["measure"]["probes"] = ["regions"]
        ours = [
            (start, region.number, number, length, lasts / 1e12, share, before)
            for region in regions_of(run(scenario).fabric)
            for start, number, length, lasts, share, before in region.windows.history
        ]
        rows = engine_rows(scenario)["region_windows"]
        theirs = [(row["time_ps"], row["output_port"], *(row[column] for column in COLUMNS)) for row in rows]
        assert sorted(ours) == sorted(theirs), f"seed {seed}"


def test_the_random_scenarios_reach_what_they_are_about():
    """Neighbours learn of congestion and of its end; windows are measured and counted, full and over; packets are
    held, passed, and take detours."""
    often = ("notices", "ends", "passed", "others first", "measured", "counted", "full", "over", "ended", "held")
    check_reached(random_regions, of_regions, dict.fromkeys(often, 30) | {"replaced": 10, "rerouted": 10})


if __name__ == "__main__":
    by_hand(random_regions)
