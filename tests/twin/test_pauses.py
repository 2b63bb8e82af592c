"""The engine against its twin where links pause: random small scenarios, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_pauses.py 0 500`.
"""

import json
import os
import sys

import pytest
from random_pauses import random_pauses
from test_twin import differences

SEEDS = int(os.environ.get("TWIN_SEEDS", "240")) // 2
CHUNK = 20


@pytest.mark.parametrize("chunk", range(0, SEEDS, CHUNK))
def test_the_engine_pauses_as_its_twin_does(chunk):
    pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    for seed in range(chunk, chunk + CHUNK):
        scenario = random_pauses(seed)
        difference = differences(scenario)
        assert difference is None, f"seed {seed}: {difference}\n{json.dumps(scenario)}"


def main() -> None:
    """Compare one seed, or all seeds in a range, and print what differs."""
    seeds = [int(text) for text in sys.argv[1:]]
    bad = 0
    for seed in range(*seeds) if len(seeds) == 2 else seeds:
        try:
            difference = differences(random_pauses(seed))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            difference = f"{type(error).__name__}: {error}"
        if difference is not None:
            bad += 1
            print(f"seed {seed}: {difference}", flush=True)
    print(f"{bad} seeds differ")


if __name__ == "__main__":
    main()
