"""Sentences with numbers of the adopted results, which stand in files written by hand: README.md, claims.toml.

A module for each paper that has any, named as its folder: ``sentences(of)`` gives {file: [sentence, ...]}, each made
from docs/data. `test_statements.py` looks for it in its file, so that a text which says what older runs gave is found
when others are adopted. A dated record is not held against the data: it says what was found then.
"""

import json
import re

from blocks import ROOT

from congestree.data.gallery.common import acceptance, comparison, judge
from congestree.gallery import shipped


class Adopted:
    """The adopted claims of one paper: numbers of them by the formulas of `gallery/common/acceptance.py`."""

    def __init__(self, paper):
        self.rows = {row["id"]: row for row in json.loads(data(paper).read_text(encoding="utf-8"))}
        self.texts = shipped.texts_of(paper)

    def value(self, id):
        """The value of a claim, with its repetitions."""
        return judge.with_repetitions(self.rows[id]["value"], self.rows[id].get("seeds"))

    def __call__(self, id, formula="x"):
        """A number of a claim, with its repetitions."""
        return acceptance.number(formula, self.value(id))

    def judged(self, id, formula):
        """A part of a claim's value judged by a formula, in words."""
        holds = acceptance.judge(formula, self.value(id)).holds
        return {True: "accepted", False: "not accepted", None: "undecided"}[holds]

    def noted(self, id, pattern):
        """What the groups of a pattern are in the note of a claim: text that was made with its value."""
        return re.search(pattern, self.rows[id]["note"]).groups()

    def count(self, verdict):
        """How many claims have a verdict."""
        return sum(row["verdict"] == verdict for row in self.rows.values())


def data(paper):
    """The file of the adopted claims of a paper."""
    return ROOT / "docs" / "data" / f"{paper}.json"


def half(number):
    """Half of the interval that decides."""
    return comparison.interval(number.values)[1]


def lost(file, sentences):
    """The sentences that are not in a file; lines may break anywhere."""
    said = " ".join(file.read_text(encoding="utf-8").replace("\\\n", "\n").split())
    return [sentence for sentence in sentences if sentence not in said]
