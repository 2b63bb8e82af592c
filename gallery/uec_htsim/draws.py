"""What other draws of hashes and coins give for the tails that :mod:`deviations` has a reason for.

The key has one draw a row, a reproduction five. ``python -m gallery.uec_htsim.draws 5`` makes five, in minutes;
``python -m gallery.uec_htsim.draws 5 r2380`` those of one run.
"""

import sys

from congestree.runs.running import run_whole

from .claims import View
from .deviations import WHY
from .runs import runs


def tails(run, seeds):
    """Times of the last flow, us, seed by seed."""
    scenario = runs()[run]
    return [View(run_whole({**scenario, "seed": seed})).measure("tail_fct") for seed in seeds]


if __name__ == "__main__":
    seeds = range(1, 1 + int(sys.argv[1]) if len(sys.argv) > 1 else 11)
    print(f"| run | tails of seeds 1 to {seeds[-1]}, us |\n| --- | --- |")
    for run in sys.argv[2:] or WHY:
        print(f"| {run} | {', '.join(f'{tail:.1f}' for tail in sorted(tails(run, seeds)))} |", flush=True)
