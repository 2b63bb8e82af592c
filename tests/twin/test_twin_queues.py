"""The engine against its readable twin, in switches with queues, memories, arbiters and crossbars of every kind.

As `test_twin`, on other scenarios. By hand: `PYTHONPATH=. python tests/twin/test_twin_queues.py 17`, or `... 0 5000`.
"""

import json
import os
import sys

import pytest
from random_queues import random_queues
from test_twin import differences

SEEDS = int(os.environ.get("TWIN_SEEDS", "240")) // 2
CHUNK = 20


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_queues_of_every_kind_do_what_their_twin_does(first):
    pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    for seed in range(first, min(first + CHUNK, SEEDS)):
        scenario = random_queues(seed)
        difference = differences(scenario)
        assert difference is None, f"seed {seed}: {difference}\n{json.dumps(scenario)}"


def main() -> None:
    """Compare one seed, or all seeds in a range, and print what differs."""
    seeds = [int(text) for text in sys.argv[1:]]
    bad = 0
    for seed in range(*seeds) if len(seeds) == 2 else seeds:
        difference = differences(random_queues(seed))
        if difference is not None:
            bad += 1
            print(f"seed {seed}: {difference}", flush=True)
    print(f"{bad} seeds differ")


if __name__ == "__main__":
    main()
