"""A few of each mishap that `tools/mishaps.py` does to runs and sweeps; `make mishaps` does many."""

import importlib.util
import itertools
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def mishaps():
    spec = importlib.util.spec_from_file_location("mishaps_command", ROOT / "tools/mishaps.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


linux = pytest.mark.skipif(sys.platform != "linux", reason="done with means of Linux")


@linux
def test_a_sweep_that_is_killed_loses_nothing_and_does_nothing_twice(mishaps, tmp_path):
    assert mishaps.kills(tmp_path, 3, say=lambda text: None)["kills"] == 3


@linux
def test_a_run_that_is_killed_is_whole_or_not_there(mishaps, tmp_path):
    assert mishaps.kills_of_runs(tmp_path, 3, say=lambda text: None)["kills"] == 3


@linux
def test_what_is_there_counts_only_if_the_run_was_killed(mishaps, tmp_path, monkeypatch):
    """The first attempt comes when the command has ended."""
    module = sys.modules[mishaps.kills_of_runs.__module__]
    kill, attempts = module._kill, itertools.count()

    def kill_late(process, *more):
        if next(attempts) == 0:
            process.wait(timeout=600)
        return kill(process, *more)

    monkeypatch.setattr(module, "_kill", kill_late)
    tally = mishaps.kills_of_runs(tmp_path, 1, say=lambda text: None)
    assert tally["attempts"] > tally["kills"] == tally["whole"] + tally["none"] == 1


@linux
@pytest.mark.parametrize("mishap", ["disk", "closed", "clock", "two"])
def test_a_mishap_ends_in_one_message(mishaps, tmp_path, mishap):
    assert mishaps.MISHAPS[mishap](tmp_path)


def test_damaged_files_are_told(mishaps, tmp_path):
    tally = mishaps.damage(tmp_path, 60)
    assert tally["told"] > 20 and tally["files"] == 60
