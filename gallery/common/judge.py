"""A claim of a paper: its text (claims.toml), its finding here, its verdict.

The functions that compute findings return ``Finding``; a claim whose runs were not made is left out.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .study import Missing, Sample


@dataclass
class Finding:
    """What came out for one claim."""

    value: Any
    """A number, a list or an object, as the metric asks."""
    holds: bool | None = None
    """Whether the accepted range contains it; None where no value is expected."""
    note: str = ""
    """Spread over repetitions, or how to read the value."""

    def __post_init__(self):
        self.holds = None if self.holds is None else bool(self.holds)


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
        """Every claim whose runs are there: id, value, unit, target, verdict, reason."""
        study = self.study(results)
        rows = []
        for id, text in self.texts.items():
            if only is not None and id not in only:
                continue
            try:
                finding = self.checks[id](study) if id in self.checks else Finding(None)
            except Missing:
                continue
            rows.append(
                {
                    "id": id,
                    "value": plain(finding.value),
                    "unit": text.get("unit", ""),
                    "target": text.get("target"),
                    "verdict": verdict(text, finding),
                    "reason": reason(text, finding),
                }
            )
        return rows


def verdict(text, finding):
    """One of gallery.VERDICTS."""
    if text["check"] == "external":
        return "external"
    if "lacks" in text:
        return "not run"
    if text.get("measure_only") or finding.holds is None:
        return "measured"
    if not finding.holds:
        return "not reproduced"
    return "analytic" if text["check"] == "analytic" else "reproduced"


def reason(text, finding):
    """Why a claim does not hold or was not tried, then how its value was found."""
    parts = [text[key] for key in ("lacks", "beyond") if key in text]
    if finding.holds is False:
        parts.append(text.get("deviation", f"outside the accepted range ({text['accept']})"))
    if finding.note:
        parts.append(finding.note)
    return ". ".join(part.rstrip(".") for part in parts)


def within(sample, low, high):
    """The finding for one number with an accepted range."""
    note = sample.spread() if isinstance(sample, Sample) else ""
    return Finding(float(sample), low <= float(sample) <= high, note)


def plain(value):
    """Numbers as JSON knows them, with no more digits than they deserve."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, Sample | float | np.floating):
        return float(f"{float(value):.6g}")
    return value
