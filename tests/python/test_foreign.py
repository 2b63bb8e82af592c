"""A file of another tool instead of a scenario or a fabric is recognised; the message names the command to read it."""

import pytest

from congestree.formats import foreign
from congestree.gallery import shipped

FILES = {
    "fabric.txt": ('switchguid=0xa1(a1)\nSwitch\t8 "S-a1"\t\t# "leaf"\n', "congestree import fabric.txt"),
    "opensm.conf": ("guid 0x1\ncongestion_control TRUE\n", "congestree cc read opensm.conf"),
    "config_db.json": ('{"PORT": {}, "WRED_PROFILE": {}}', "congestree cc read config_db.json --into"),
    "job.goal": ("num_ranks 2\n", "congestree goal read job.goal"),
    "bare.cm": ("0->1 id 1 start 0 size 1000\n", "congestree import bare.cm --into"),
    "all.cm": ("Nodes 2\nConnections 1\n", "congestree import all.cm --into"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_another_tool_is_told_with_its_command(congestree_cli, tmp_path, name):
    text, command = FILES[name]
    (tmp_path / name).write_text(text)
    for what in ("run", "check", "sweep"):
        said = congestree_cli(what, name, code=2).stderr
        assert "not a scenario: read it with " + command in said


def test_the_folder_of_a_run_is_not_taken_for_a_scenario(congestree_cli, looked, tmp_path):
    looked.save(tmp_path / "seen")
    for what in ("run", "check", "sweep"):
        said = congestree_cli(what, "seen", code=2).stderr
        assert "seen is the folder of a run, not a scenario: congestree report seen shows the run" in said


@pytest.mark.parametrize("name", ["opensm.conf", "config_db.json"])
def test_settings_are_no_fabric(congestree_cli, tmp_path, name):
    text, command = FILES[name]
    (tmp_path / name).write_text(text)
    said = congestree_cli("import", name, code=2).stderr
    assert "not the fabric of another tool" in said and command in said


def test_scenarios_and_what_is_no_file_are_left_alone(tmp_path):
    (tmp_path / "a.toml").write_text('name = "num_ranks 2"\n')
    (tmp_path / "a.json").write_text('{"topology": {}}')
    for path in (tmp_path / "a.toml", tmp_path / "a.json", tmp_path, tmp_path / "none", "hot-spot", ""):
        assert foreign.told(path) is None
    assert all(foreign.told(path) is None for path in shipped.scenarios().values())
