"""The record of a reproduction, `reproduced.json`: what was asked for, and how many of its runs are there.

With `--finished` a folder is judged in which runs are missing: the record, the claims and the report say so.
"""

import json
import re
from pathlib import Path

from ..runs import writing

DONE = "reproduced.json"
"""In the folder: which paper, which of its figures (none: all), whether it is the reduced version, and the counts."""
REPETITION = re.compile(r"_r[0-9]+$")
"""The end of a run's name that tells its repetition (gallery/common/names.py)."""


def counted(names, there):
    """How many runs there are to be, by their names, and how many are there; of an experiment some may be.

    {"runs", "finished", "whole": whether all are, "fewer": experiments with fewer repetitions than they are to have}
    """
    there = set(there)
    begun = {REPETITION.sub("", name) for name in there}
    fewer = {experiment for name in names if name not in there and (experiment := REPETITION.sub("", name)) in begun}
    return {"runs": len(names), "finished": len(there), "whole": len(there) == len(names), "fewer": len(fewer)}


def write(folder, **facts):
    """Write the record into the folder of a reproduction."""
    writing.write_json(Path(folder) / DONE, facts)


def read(folder):
    """The record of a folder, with what older ones lack; {} if there is none that can be read."""
    try:
        told = json.loads((Path(folder) / DONE).read_text(encoding="utf-8"))
        if not told.get("whole", True):
            told |= {key: int(told[key]) for key in ("runs", "finished", "fewer")}
        return {**told, "figures": list(map(str, told["figures"])), "quick": bool(told["quick"])}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def missing(counts):
    """What a reproduction is judged on if runs are missing, in a sentence; "" if none is."""
    if counts.get("whole", True):
        return ""
    said = f"Judged on {counts['finished']:,} of {counts['runs']:,} runs"
    if fewer := counts["fewer"]:
        have = "experiments have" if fewer > 1 else "experiment has"
        said += f"; {fewer:,} {have} fewer repetitions than this version asks for"
    return f"{said}."
