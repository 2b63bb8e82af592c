"""Documents keep their values when they are written, read and changed."""

import json
from pathlib import Path

import pytest

import congestree
from congestree import document
from congestree.errors import AskedError, CongestreeError

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


def test_any_text_is_written_as_toml_in_values_and_keys():
    """A key beyond the BMP became two halves of a character, and DEL stood in a string as it is."""
    odd = {f"{c} ": {c: f"a{c}b", "list": [c]} for c in ("\U0001f600", "\x7f", "\x00", '"', "\\", "é", "\n")}
    assert document.parse(document.to_toml(odd), "toml") == odd


@pytest.mark.parametrize("path", sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml")), ids=lambda p: p.stem)
def test_what_a_scenario_resolves_to_is_written_as_toml_and_says_the_same(path):
    """As reports print it. Keys that have no value there, such as the trigger of a marking policy, are absent."""
    resolved = congestree.check(path)["scenario"]
    assert congestree.check(document.parse(document.to_toml(resolved), "toml"))["scenario"] == resolved


def test_what_is_chosen_is_known_by_its_whole_name():
    """As a word or as a table; "none" is also a part of other words."""
    assert document.chosen("none") == ("none", {})
    assert document.chosen({"none": {}}) == ("none", {})
    assert document.chosen({"nonesuch": {"key": 1}}) == ("nonesuch", {"key": 1})
    assert document.chosen("nonesuch") == ("nonesuch", {})


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


@pytest.mark.parametrize("index", ["²", "١", "0" * 5000, "9" * 5000], ids=["square", "arabic", "zeros", "nines"])
def test_what_is_no_number_of_an_entry_is_told(index):
    """On the command line, `--set traffic.².to=x` ended in a traceback."""
    with pytest.raises(AskedError, match=f"names entry {index} of a list of 2; entries count from 0"):
        document.set_value(TREE, f"traffic.{index}.to", "H1")


def test_entries_of_a_list_go_by_their_names():
    tree = {"traffic": [{"name": "a", "to": "H1"}, {"name": "b", "to": "H2"}, {"name": "0", "to": "H3"}]}
    assert document.set_value(tree, "traffic.b.to", "H9") == document.set_value(tree, "traffic.1.to", "H9")
    assert document.set_value(tree, "traffic.0.to", "H9")["traffic"][0]["to"] == "H9", "numbers come first"
    with pytest.raises(CongestreeError, match=r"entry c of a list of 3; .* names: there are: a, b, 0"):
        document.set_value(tree, "traffic.c.to", "H9")


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
        ("measure.probes=[trees]", ("measure.probes", ["trees"])),
        ("measure.probes=[flows, ports]", ("measure.probes", ["flows", "ports"])),
        ("x=[50 kB, 3, 2.5, true]", ("x", ["50 kB", 3, 2.5, True])),
        ("x=[]", ("x", [])),
        ("x=[a, ]", ("x", "[a, ]")),
        ("x=[a, [b]]", ("x", "[a, [b]]")),
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


def test_numbers_may_be_those_of_other_libraries():
    """As they come from a notebook: NumPy's, and columns of tables."""
    import numpy
    import polars

    tree = {"a": numpy.int64(3), "b": numpy.float64(0.1), "c": numpy.arange(2), "d": [numpy.bool_(True)]}
    tree |= {"e": polars.Series([1.5]), "f": Path("x") / "y.toml"}
    plain = {"a": 3, "b": 0.1, "c": [0, 1], "d": [True], "e": [1.5], "f": str(Path("x") / "y.toml")}
    assert json.loads(document.to_json(tree)) == plain
    assert document.parse(document.to_toml(tree), "toml") == plain
    with pytest.raises(CongestreeError, match=r"cannot hold .*builtins.complex\): give a text"):
        document.to_json({"a": 1j})


def test_a_scenario_takes_them_where_it_is_run_and_swept(tmp_path):
    import numpy

    values = {"measure.duration": "100 us", "adapters.window": numpy.int64(2)}
    hot_spot = Path(__file__).parents[2] / "scenarios" / "hot-spot.toml"
    run = congestree.run(hot_spot, values=values, seed=numpy.int64(3))
    assert run.seed == 3 and run.scenario["adapters"]["window"] == 2
    over = {"seed": numpy.arange(1, 3)}
    assert congestree.sweep(hot_spot, values=values, over=over, out=tmp_path, workers=1).runs["seed"].to_list() == [
        1,
        2,
    ]


@pytest.mark.parametrize("number", ["inf", "-inf", "nan"])
def test_a_number_that_is_none_is_told_with_its_path(number, congestree_cli):
    """JSON, in which the engine receives the settings, has no such numbers."""
    done = congestree_cli("check", "sweep-load", "--set", f"traffic.0.arrivals.poisson.load={number}", code=2)
    assert f"traffic.0.arrivals.poisson.load is {number}: a number of a scenario is a finite one." in done.stderr


@pytest.mark.parametrize("form", ["toml", "json"])
def test_a_scenario_with_numbers_of_other_libraries_survives_a_file(tmp_path, form):
    import numpy

    values = {"seed": numpy.int64(3), "description": "größer", "sweep": {"traffic.0.window": numpy.arange(1, 3)}}
    values["traffic.0.arrivals"] = {"poisson": {"load": numpy.float32(0.5)}}
    path = tmp_path / f"s.{form}"
    congestree.load("hot-spot").set(values).save(path)
    assert "größer" in path.read_text(encoding="utf-8")
    again = congestree.load(path)
    assert (again.seed, again.traffic[0].arrivals.load, list(again.sweep["traffic.0.window"])) == (3, 0.5, [1, 2])


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
@pytest.mark.parametrize("written", ["to_toml", "to_json", "save"])
def test_a_scenario_with_a_number_that_is_none_is_not_written(tmp_path, number, written):
    import numpy

    scenario = congestree.load("hot-spot").set({"traffic.0.arrivals": {"poisson": {"load": numpy.float32(number)}}})
    with pytest.raises(AskedError, match=rf"traffic\.0\.arrivals\.poisson\.load is {number}: a number"):
        getattr(scenario, written)(*([tmp_path / "s.json"] if written == "save" else []))
    assert not list(tmp_path.iterdir())


def test_unreadable_files_are_sentences(tmp_path):
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    for path, why in ((tmp_path / "none.toml", "no file"), (tmp_path, "folder"), (tmp_path / "binary.toml", "UTF-8")):
        with pytest.raises(CongestreeError, match=why):
            document.read_text(path)


def test_a_scenario_within_itself_is_a_sentence():
    around = {"name": "around"}
    around["topology"] = around
    with pytest.raises(AskedError, match="contains itself"):
        congestree.check(around)
    with pytest.raises(AskedError, match="more than can be read"):
        document.to_toml(around)
    deep = {}
    for _ in range(50_000):
        deep = {"topology": deep}
    with pytest.raises(AskedError, match="more than can be read"):
        congestree.check(deep)


def test_a_negative_limit_of_memory_is_a_sentence():
    with pytest.raises(AskedError, match="-5 is not a size of memory"):
        congestree.check("hot-spot", limit_memory=-5)
