"""The file of a chosen switch: leaves and spines differ in the number, speed and cable of their ports."""

import json
import tomllib
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


@pytest.mark.parametrize("switch", ["leaf0", "spine0"])
def test_memory_is_counted_for_the_ports_of_the_switch_that_is_read(tmp_path, congestree_cli, switch):
    """That of a spine with 2 ports was counted for the 6 of a leaf."""
    text = MIXED.replace('size = "20 MB"', 'size = "20 MB"\nshared_memory.headroom = "70 kB"')
    text = text.replace("[links]", "[links]\nlanes = 8\nservice_lanes = [0, 1, 2, 3, 4, 5, 6, 7]")
    (tmp_path / "mixed.toml").write_text(text)
    congestree_cli("cc", "write", "mixed.toml", "--form", "sonic", "--switch", switch, "--out", "config_db.json")
    chosen = ("--profile", "pg_lossless_800000_30m_profile")
    done = congestree_cli("cc", "read", "config_db.json", *chosen, "--into", "mixed.toml")
    assert tomllib.loads(done.stdout)["switches"]["shared_memory"]["size"] == "20000000 B"
    assert "switches of the scenario have" not in done.stderr
    (tmp_path / "other.toml").write_text(text.replace("down = [4, 2]", "down = [5, 2]"))
    done = congestree_cli("cc", "read", "config_db.json", *chosen, "--into", "other.toml")
    assert ("the file has 6 ports, and switches of the scenario have 7 and 2" in done.stderr) == (switch == "leaf0")


def test_a_file_of_two_speeds_is_read_back_into_its_scenario(tmp_path, congestree_cli):
    """Of the profile for hosts at 400 Gbit/s headroom was too small for the links at 800."""
    (tmp_path / "mixed.toml").write_text(MIXED)
    congestree_cli("cc", "write", "mixed.toml", "--form", "sonic", "--out", "config_db.json")
    sections = {}
    for profile in ("pg_lossless_400000_5m_profile", "pg_lossless_800000_30m_profile"):
        options = ("--profile", profile, "--into", "mixed.toml", "--out", "back.toml")
        said = congestree_cli("cc", "read", "config_db.json", *options).stderr
        assert ("headroom is that of pg_lossless_800000_30m_profile" in said) == ("400000" in profile)
        congestree_cli("check", "back.toml")
        sections[profile] = tomllib.loads((tmp_path / "back.toml").read_text())
    one, other = sections.values()
    assert one["switches"] == other["switches"]


def test_a_switch_that_is_not_there_is_told_with_those_that_are(tables):
    assert 'There is no switch "leaf9" in the scenario; did you mean "leaf' in tables("--switch", "leaf9", code=2)[1]


@pytest.mark.parametrize("form", ["opensm", "mlx5", "sonic-pg"])
def test_a_file_for_all_switches_is_not_for_one(tmp_path, congestree_cli, form):
    (tmp_path / "mixed.toml").write_text(MIXED)
    done = congestree_cli("cc", "write", "mixed.toml", "--form", form, "--switch", "leaf0", code=2)
    assert f"--switch is for --form sonic, and {form} is for the whole network" in done.stderr
