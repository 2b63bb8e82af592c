"""The answer key: rows of `data/rows.csv` by run, and the connection matrices that they name.

Only runs of up to 1,024 hosts are in this folder. The larger ones are run, too, where the environment variable
`CONGESTREE_UEC_KEY` names a folder with the complete key (`rows.csv`, `inputs/connection_matrices`); permutations of
8,192 hosts are not stored there either, but generated as the key describes.
"""

import csv
import os
import random
import re
from pathlib import Path

HERE = Path(__file__).parent / "data"
LARGEST = 1024
FLOW = re.compile(r"(\d+)->(\d+)\s.*?start (\d+).*?size (\d+)")
PERMUTATION = re.compile(r"perm_(\d+)n_\d+c_(\d+)MB\.cm")


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
    """(source, destination, bytes, start in us) of every connection; messages that share one are one series."""
    found = {}
    for source, destination, start, size in connections(row["matrix"]):
        before, first = found.get((source, destination), (0, start))
        found[source, destination] = (before + size, min(first, start))
    return [(*ends, size, start) for ends, (size, start) in found.items()]


def connections(matrix):
    """(source, destination, start in us, bytes) of every line of a connection matrix, stored or made."""
    place = HERE / matrix
    if not place.exists() and (complete := os.environ.get("CONGESTREE_UEC_KEY")):
        place = Path(complete) / "inputs/connection_matrices" / matrix
    if not place.exists() and (match := PERMUTATION.fullmatch(matrix)):
        return permutation(int(match[1]), int(match[2]))
    lines = place.read_text(encoding="utf-8").splitlines()
    return [tuple(int(word) for word in match.groups()) for line in lines if (match := FLOW.match(line))]


def permutation(hosts, megabytes):
    """A permutation as the key's `make_permutation.py` makes it: the seed is the size, and no host sends to itself."""
    dice = random.Random(megabytes)
    sources, destinations = list(range(hosts)), list(range(hosts))
    dice.shuffle(sources)
    dice.shuffle(destinations)
    for i in range(hosts):
        if sources[i] == destinations[i]:
            j = (i + 1) % hosts
            destinations[i], destinations[j] = destinations[j], destinations[i]
    return [(source, to, 0, megabytes * 10**6) for source, to in zip(sources, destinations, strict=True)]
