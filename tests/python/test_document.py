"""Documents keep their values when they are written, read and changed."""

import json

import pytest

from congestree import document
from congestree.errors import CongestreeError

TREE = {
    "name": 'a "quoted" name',
    "seed": 3,
    "topology": {"two-switch": {"local": 2, "remote": 1}},
    "scheme": {"react": "lipd", "persistent": True},
    "traffic": [
        {"from": ["H1", "H2"], "to": "H3"},
        {"from": "all", "pattern": {"hot-spot": {"to": ["H1"], "fraction": 0.25}}},
    ],
    "sweep": {"traffic.1.pattern.hot-spot.fraction": [0.1, 0.2], "seed": [1, 2]},
}


def test_toml_round_trip():
    assert document.parse(document.to_toml(TREE), "toml") == TREE


def test_a_value_is_set_without_touching_the_original():
    before = json.dumps(TREE)
    changed = document.set_value(TREE, "traffic.1.pattern.hot-spot.fraction", 0.5)
    assert changed["traffic"][1]["pattern"]["hot-spot"]["fraction"] == 0.5
    assert json.dumps(TREE) == before


def test_a_bare_choice_becomes_a_table_when_a_path_goes_into_it():
    changed = document.set_value(TREE, "scheme.react.lipd.floor", 16)
    assert changed["scheme"]["react"] == {"lipd": {"floor": 16}}


def test_another_choice_replaces_the_one_before():
    assert document.set_value(TREE, "scheme.react", "fimd")["scheme"]["react"] == "fimd"


@pytest.mark.parametrize("path", ["traffic.7.to", "traffic.x.to"])
def test_a_missing_list_entry_is_named(path):
    with pytest.raises(CongestreeError, match="list of 2"):
        document.set_value(TREE, path, "H1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seed=4", ("seed", 4)),
        ('links.rate="10 Gbit/s"', ("links.rate", "10 Gbit/s")),
        ("links.rate=10 Gbit/s", ("links.rate", "10 Gbit/s")),
        ("scheme.preset=input-triggered", ("scheme.preset", "input-triggered")),
        ("sweep={seed=[1,2]}", ("sweep", {"seed": [1, 2]})),
        ("measure.audit=true", ("measure.audit", True)),
    ],
)
def test_assignments_are_toml_or_plain_text(text, expected):
    assert document.read_assignment(text) == expected


def test_an_assignment_needs_an_equals_sign():
    with pytest.raises(CongestreeError, match="PATH=VALUE"):
        document.read_assignment("seed")


@pytest.mark.parametrize(("content", "form"), [("a = ", "toml"), ("{", "json"), ("[1]", "json")])
def test_a_broken_document_is_a_sentence(content, form):
    with pytest.raises(CongestreeError, match=r"not valid|must be a table"):
        document.parse(content, form, "x")


def test_unreadable_files_are_sentences(tmp_path):
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    for path, why in ((tmp_path / "none.toml", "no file"), (tmp_path, "folder"), (tmp_path / "binary.toml", "UTF-8")):
        with pytest.raises(CongestreeError, match=why):
            document.read_text(path)
