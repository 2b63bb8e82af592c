"""The file of a chosen switch: leaves and spines differ in the number, speed and cable of their ports."""

import json
from collections import Counter

import pytest

from .test_speeds import MIXED


@pytest.fixture
def tables(tmp_path, congestree_cli):
    """Writes the tables of MIXED: the document, and what was said."""
    (tmp_path / "mixed.toml").write_text(MIXED)

    def write(*options, **expected):
        done = congestree_cli("cc", "write", "mixed.toml", "--form", "sonic", *options, **expected)
        return done.stdout and json.loads(done.stdout), done.stderr

    return write


def speeds(document):
    return Counter(row["speed"] for row in document["PORT"].values())


def test_any_switch_can_be_written(tables):
    document, said = tables()
    assert speeds(document) == {"400000": 4, "800000": 2}
    assert "this is leaf0, and not all" in said and "`--switch` chooses another, such as spine0" in said
    assert tables("--switch", "leaf1")[0] == document
    document, said = tables("--switch", "spine0")
    assert speeds(document) == {"800000": 2}
    assert "ports of spine0 are Ethernet0" in said and "--switch" not in said


def test_a_switch_that_is_not_there_is_told_with_those_that_are(tables):
    assert 'There is no switch "leaf9" in the scenario; did you mean "leaf' in tables("--switch", "leaf9", code=2)[1]


@pytest.mark.parametrize("form", ["opensm", "mlx5", "sonic-pg"])
def test_a_file_for_all_switches_is_not_for_one(tmp_path, congestree_cli, form):
    (tmp_path / "mixed.toml").write_text(MIXED)
    done = congestree_cli("cc", "write", "mixed.toml", "--form", form, "--switch", "leaf0", code=2)
    assert f"--switch is for --form sonic, and {form} is for the whole network" in done.stderr
