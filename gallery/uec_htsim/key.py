"""The answer key: rows of `data/rows.csv` by run, and the connection matrices that they name.

Only runs of up to 1,024 hosts are in this folder. The larger ones are run, too, where the environment variable
`CONGESTREE_UEC_KEY` names a folder with the complete key (`rows.csv`, `inputs/connection_matrices`).
"""

import csv
import os
import re
from pathlib import Path

HERE = Path(__file__).parent / "data"
LARGEST = 1024
FLOW = re.compile(r"(\d+)->(\d+)\s.*?size (\d+)")


def rows():
    """Every row of the key: those here, and those of larger runs if they are to be had."""
    with (HERE / "rows.csv").open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)
    if complete := os.environ.get("CONGESTREE_UEC_KEY"):
        with (Path(complete) / "rows.csv").open(newline="", encoding="utf-8") as file:
            yield from (row for row in csv.DictReader(file) if int(row["hosts"]) > LARGEST)


def cases():
    """{run: (its first row, {metric: value or None})}."""
    found = {}
    for row in rows():
        _, metrics = found.setdefault(row["run_id"], (row, {}))
        metrics[row["metric"]] = float(row["value"]) if row["value"] else None
    return found


def flows(row):
    """(source, destination, bytes) of every connection; messages that share one are one series of packets."""
    place = HERE / row["matrix"]
    if not place.exists() and (complete := os.environ.get("CONGESTREE_UEC_KEY")):
        place = Path(complete) / "inputs/connection_matrices" / row["matrix"]
    sizes = {}
    for line in place.read_text(encoding="utf-8").splitlines():
        if match := FLOW.match(line):
            source, destination, size = (int(word) for word in match.groups())
            sizes[source, destination] = sizes.get((source, destination), 0) + size
    return [(source, destination, size) for (source, destination), size in sizes.items()]
