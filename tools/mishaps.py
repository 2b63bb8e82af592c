"""What a machine can do to runs and sweeps: kills at random moments, full disks, folders that cannot be written, clocks
that jump, two commands at once, damaged files.

    python tools/mishaps.py kills --count 1000 --out docs/data/trust/mishaps.json
    python tools/mishaps.py disk clock two damage

Each mishap is done to real commands in processes of their own, and what must hold is asserted: what was finished stays
as it was and is not run again; everything else ends in one message of the command line.
`tests/python/test_mishaps.py` does a few of each. Figures are added to the file of --out; kills add up and are written
down fifty by fifty, so that a thousand may be done in pieces.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from mishaps.kills import kills, kills_of_runs
from mishaps.machine import clock, closed, damage, disk, two

# Counts that are continued from one command to the next, and how many kills of sweeps are recorded at a time.
KILLS = {"kills of sweeps": kills, "kills of runs": kills_of_runs}
PIECE = 50
MISHAPS = {"disk": disk, "closed": closed, "clock": clock, "two": two, "damage": damage}


def some_kills(work, count, before, first_seed):
    """This many kills of sweeps and half as many of runs, added to what was counted before."""
    # Other moments each time.
    seed = first_seed + sum(before.get(name, {}).get("kills", 0) for name in KILLS)
    told = {}
    for name, number in zip(KILLS, (count, count // 2), strict=True):
        (work / name).mkdir()
        tally = KILLS[name](work / name, number, seed)
        told[name] = {key: before.get(name, {}).get(key, 0) + value for key, value in tally.items()}
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mishaps", nargs="+", choices=["kills", *MISHAPS])
    parser.add_argument("--count", type=int, default=100, help="kills of sweeps, and half as many of runs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="add the figures to this JSON file")
    asked = parser.parse_args()
    figures = json.loads(asked.out.read_text()) if asked.out and asked.out.exists() else {}
    pieces = [min(PIECE, asked.count - done) for done in range(0, asked.count, PIECE)]
    for name, count in ((each, count) for each in asked.mishaps for count in (pieces if each == "kills" else [0])):
        with tempfile.TemporaryDirectory(prefix="mishaps-") as folder:
            work, began = Path(folder), time.monotonic()
            told = some_kills(work, count, figures, asked.seed) if name == "kills" else {name: MISHAPS[name](work)}
        figures |= told
        print(name, json.dumps(told), f"{time.monotonic() - began:.0f} s", flush=True)
        if asked.out:
            asked.out.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
