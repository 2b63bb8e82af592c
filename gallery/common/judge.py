"""A claim of a paper: its text (claims.toml), its finding here, its verdict.

The functions that compute findings return ``Finding``; a claim whose runs were not made is left out.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import acceptance
from .parts import Unjudgeable
from .study import Missing, Sample


@dataclass
class Finding:
    """The result for one claim; claims.toml decides whether it is accepted."""

    value: Any
    """A number, a list or an object, as the metric requires; with its repetitions (`Sample`) if there are any."""
    note: str = ""
    """Spread over repetitions, or how to read the value."""

    def __post_init__(self):
        if isinstance(self.value, Sample) and not self.note:
            self.note = self.value.spread()


class Claims:
    """The claims of one paper, by id, in the order of the paper's list.

    study: the class that finds runs by name, which checks are called with.
    """

    def __init__(self, folder, study):
        self.study = study
        self.texts = tomllib.loads((Path(folder) / "claims.toml").read_text(encoding="utf-8"))
        self.checks = {}

    def check(self, *ids):
        """Registers the function that computes the finding of these claims."""

        def register(function):
            for id in ids:
                if id not in self.texts:
                    raise KeyError(id)
                self.checks[id] = function
            return function

        return register

    def evaluate(self, results, only=None):
        """Every claim whose runs are there: id, value, unit, target, verdict, reason.

        What is stored is judged, so that it gets the same verdict when it is judged again. Of some runs of a paper, a
        claim may lack the cases that judge it: it is left out, too.
        """
        study = self.study(results)
        rows = []
        for id, text in self.texts.items():
            if only is not None and id not in only:
                continue
            try:
                finding = self.checks[id](study) if id in self.checks else Finding(None)
                value, seeds = plain(finding.value), repetitions(finding.value)
                judgement = judged(text, with_repetitions(value, seeds))
            except Missing:
                continue
            except Unjudgeable:
                if getattr(results, "whole", True):
                    raise
                continue
            word = verdict(text, judgement)
            rows.append(
                {
                    "id": id,
                    "value": value,
                    "unit": text.get("unit", ""),
                    "target": text.get("target"),
                    "verdict": word,
                    "reason": reason(text, word, finding.note),
                    "decides": str(judgement.decides) if judgement and judgement.decides else None,
                    "seeds": seeds,
                    "note": finding.note,
                }
            )
        return rows


def judged(text, value):
    """The judgement of a value by the formula of its claim; None where nothing judges it. No value does not pass."""
    if text["check"] == "external" or "lacks" in text or "judge" not in text:
        return None
    return acceptance.judge(text["judge"], value)


def verdict(text, judgement):
    """One of gallery.VERDICTS."""
    if text["check"] == "external":
        return "external"
    if "lacks" in text:
        return "not run"
    if judgement is None:
        return "measured"
    if judgement.holds is None:
        return "undecided"
    if not judgement.holds:
        return "not reproduced"
    if "cannot_fail" in text:
        return "cannot fail here"
    return "analytic" if text["check"] == "analytic" else "reproduced"


OUTSIDE = "outside the accepted range ({accept})"
BOTH_SIDES = "the interval of the value reaches to both sides of the bound"
"""The sentence for a claim that is undecided."""
OLDER = "The run is older than a number that the formula asks for now, and is not judged"


def reason(text, word, note):
    """Why a claim has its verdict, if that needs a reason; then how its value was found."""
    parts = [text[key] for key in ("lacks", "beyond") if key in text]
    if word == "not reproduced":
        parts.append(text.get("deviation", OUTSIDE.format(**text)))
    elif word == "undecided":
        parts.append(text.get("open", BOTH_SIDES))
    elif word == "cannot fail here":
        parts.append(text["cannot_fail"])
    if note:
        parts.append(note)
    return ". ".join(part.rstrip(".") for part in parts)


def again(text, row):
    """A stored row judged again, by the current criterion: verdict, what decides (or None), reason.

    A row that lacks a required number is not judged: no verdict is kept that nothing stored supports. The reason
    consists of the current text and the note of the row; an older row has no note of its own and keeps its reason.
    """
    if row["verdict"] == "not run":
        return row["verdict"], None, row["reason"]
    try:
        judgement = judged(text, with_repetitions(row["value"], row.get("seeds")))
    except LookupError:
        return "measured", None, ". ".join(filter(None, (OLDER, row.get("note", row["reason"]))))
    word = verdict(text, judgement)
    if word == "reproduced" and "straddles" in text and not row.get("seeds"):
        why = ". ".join(text[key] for key in ("straddles", "open") if key in text)
        return "undecided", str(judgement.decides), f"{why}. {row.get('note', row['reason'])}"
    if "note" in row:
        return word, judgement and str(judgement.decides), reason(text, word, row["note"])
    if word == row["verdict"]:
        said = row["reason"] or ""
        for unknown in (OUTSIDE.format(**{"accept": ""} | text), BOTH_SIDES):
            if said.startswith(unknown):  # more may be known now
                said = reason(text, word, said.removeprefix(unknown).removeprefix(". "))
        return word, judgement and str(judgement.decides), said or row["reason"]
    note = row["reason"] or ""
    for old in ("deviation", "cannot_fail"):
        note = note.removeprefix(text.get(old, "").rstrip(".")).removeprefix(". ")
    return word, judgement and str(judgement.decides), reason(text, word, note)


def repetitions(value):
    """The seeds of every number, in the form of the value; None where there are none."""
    if isinstance(value, Sample):
        return plain(value.values) if len(value.values) > 1 else None
    if isinstance(value, dict):
        parts = {str(key): repetitions(item) for key, item in value.items()}
        return parts if any(part is not None for part in parts.values()) else None
    if isinstance(value, list | tuple | np.ndarray):
        parts = [repetitions(item) for item in value]
        return parts if any(part is not None for part in parts) else None
    return None


def with_repetitions(value, seeds):
    """A stored value with its stored seeds."""
    if seeds is None:
        return value
    if isinstance(value, dict):
        return {key: with_repetitions(item, seeds.get(key)) for key, item in value.items()}
    if isinstance(value, list):
        return [with_repetitions(item, each) for item, each in zip(value, seeds, strict=True)]
    return Sample(seeds)


def plain(value):
    """Numbers as JSON represents them, unrounded: what is stored is judged again, and must get the same verdict.

    JSON has neither nan nor infinity: both are None.
    """
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, Sample | float | np.floating):
        return float(value) if np.isfinite(float(value)) else None
    return value
