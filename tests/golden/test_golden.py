"""Every shipped scenario runs, and its trajectory is unchanged.

Two fingerprints a scenario: *trajectory* covers every transmission, *results* every delivery. A refactoring changes
neither; a change of the model changes them on purpose: `make accept` writes the new ones, and the changelog gives the
reason.
"""

import json
import os
from pathlib import Path

import pytest

import congestree

ROOT = Path(__file__).parents[2]
BOOK = Path(__file__).with_name("fingerprints.json")
SCENARIOS = sorted((ROOT / "scenarios").glob("*.toml"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_runs_as_it_did(path):
    run = congestree.run(path)
    assert run.manifest["stopped"] is None
    book = json.loads(BOOK.read_text(encoding="utf-8")) if BOOK.exists() else {}
    if os.environ.get("CONGESTREE_ACCEPT"):
        book[path.stem] = run.fingerprint
        BOOK.write_text(json.dumps(dict(sorted(book.items())), indent=2) + "\n", encoding="utf-8")
    assert run.fingerprint == book.get(path.stem), f"{path.name} runs differently; see the head of this file"


def test_no_fingerprint_is_left_over():
    assert set(json.loads(BOOK.read_text(encoding="utf-8"))) == {path.stem for path in SCENARIOS}
