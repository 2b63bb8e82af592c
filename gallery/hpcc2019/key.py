"""The answer key: rows of `data/fct_slowdown.csv`, read off published figures by eye."""

import csv
from pathlib import Path

HERE = Path(__file__).parent / "data"


def rows():
    """Every row, with numbers as numbers; `value` is None where it is left blank."""
    with (HERE / "fct_slowdown.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            row["load"] = int(row["load_percent"])
            row["most"] = int(row["size_max_bytes"])
            row["value"] = float(row["value"]) if row["value"] else None
            yield row


def name(row):
    """The id of the claim of a row: scheme, load and size."""
    return f"hpcc2019-{row['scheme']}-{row['load']}-{row['size_label'].removeprefix('<=').replace(' ', '')}".lower()
