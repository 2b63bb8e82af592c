"""The generated classes agree with the engine's schema, and the engine accepts what they write."""

import json
import re
from importlib import import_module

import pytest

import congestree
from congestree import _engine
from congestree._generate import FILES, Generator, Package, differences, generated, write
from congestree.errors import CongestreeError
from congestree.scenario import (
    Fifo,
    Links,
    Lipd,
    Measure,
    PacketSlots,
    Poisson,
    Scenario,
    Scheme,
    Switches,
    Traffic,
    TwoSwitch,
)

TWO_SWITCH = Scenario(
    name="made in Python",
    topology=TwoSwitch(local=2, remote=1),
    links=Links(rate="8 Gbit/s", flow_control=PacketSlots()),
    switches=Switches(buffer="4 packets", read_ports="one", arbiter=Fifo(bypass_limit=4), forwarding_delay="40 ns"),
    scheme=Scheme(mark="input-triggered", react=Lipd(floor=64.0)),
    traffic=(
        Traffic(name="local", from_="local", to="B_C"),
        Traffic(name="victim", from_="A_V", to="B_V", arrivals=Poisson(load=0.5)),
    ),
    measure=Measure(duration="1 ms"),
)


@pytest.fixture(scope="module")
def files():
    return {path: text for path, text in generated().items() if ".." not in path.parts}


def test_the_classes_and_names_are_those_of_the_engine():
    assert differences(generated()) == [], "run `make schema` and commit the result"


def test_what_differs_is_missing_or_does_not_belong_is_told(files, tmp_path):
    write(files, tmp_path)
    assert differences(files, tmp_path) == []
    (tmp_path / "links" / "retry.py").write_text("")
    (tmp_path / "measure.py").unlink()
    (tmp_path / "traffic" / "stray.py").write_text("")
    assert differences(files, tmp_path) == [
        "links/retry.py is out of date",
        "measure.py is missing",
        "traffic/stray.py does not belong there",
    ]
    write(files, tmp_path)  # what does not belong there goes
    assert differences(files, tmp_path) == []


def test_modules_and_folders_are_short(files):
    assert [str(path) for path, text in files.items() if text.count("\n") > 400] == []
    folders = [path.parent for path in files]
    assert [str(folder) for folder in set(folders) if folders.count(folder) > FILES] == []


@pytest.mark.parametrize("length", range(80, 100))
def test_a_description_whose_second_line_looks_like_an_annotation_hides_no_import(length):
    schema = json.loads(_engine.schema())
    schema["$defs"]["HopLane"]["properties"]["to"]["description"] = "x" * length + " Absent: any."
    for path, text in Package(Generator(schema)).files().items():
        assert ("ClassVar[" in text) == ("import ClassVar" in text), path


def test_the_package_and_its_folders_have_all_names(files):
    for path in files:
        if path.name == "__init__.py":
            module = import_module(".".join(["congestree.scenario", *path.parent.parts]))
            assert all(hasattr(module, name) for name in module.__all__)
    classes = re.findall(r"^class (\w+)", "\n".join(files.values()), re.MULTILINE)
    assert sorted([*classes, "Document", "Part"]) == sorted(congestree.scenario.__all__)


def test_the_engine_accepts_what_the_classes_write():
    facts = congestree.check(TWO_SWITCH)["facts"]
    assert facts["hosts"] == 6
    assert facts["flows"] == 3


@pytest.mark.parametrize("form", ["toml", "json"])
def test_a_scenario_survives_a_file(tmp_path, form):
    path = tmp_path / f"scenario.{form}"
    TWO_SWITCH.save(path)
    assert congestree.load(path) == TWO_SWITCH
    assert congestree.check(path)["scenario"] == congestree.check(TWO_SWITCH)["scenario"]


def test_a_scenario_that_cannot_be_written_leaves_the_older_file(tmp_path):
    resource = pytest.importorskip("resource")
    path = tmp_path / "scenario.toml"
    TWO_SWITCH.save(path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))  # as on a disk that is nearly full
    try:
        with pytest.raises(CongestreeError, match=r"scenario\.toml cannot be written: File too large\."):
            TWO_SWITCH.replace(seed=7).save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert congestree.load(path) == TWO_SWITCH
    assert list(tmp_path.iterdir()) == [path]


def test_values_are_replaced_in_a_copy():
    other = TWO_SWITCH.replace(seed=7).set({"scheme.react.lipd.floor": 16.0, "traffic.1.arrivals.poisson.load": 0.9})
    assert (other.seed, other.scheme.react.floor, other.traffic[1].arrivals.load) == (7, 16.0, 0.9)
    assert (TWO_SWITCH.seed, TWO_SWITCH.scheme.react.floor) == (1, 64.0)


def test_a_wrong_file_is_reported_by_the_engine_with_its_place(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(TWO_SWITCH.to_toml().replace("[links]", "[links]\ncolour = 'red'"))
    with pytest.raises(congestree.ScenarioError, match="colour") as caught:
        congestree.load(path)
    assert caught.value.complaints[0]["line"] > 1
    assert set(caught.value.complaints[0]) == {"file", "path", "line", "column", "fact", "remedy"}


def test_every_shipped_scenario_is_valid_and_survives_the_classes(root):
    paths = sorted((root / "scenarios").glob("*.toml"))
    assert paths
    for path in paths:
        scenario = congestree.load(path)
        assert congestree.check(scenario)["scenario"] == congestree.check(path)["scenario"], path.name


@pytest.mark.parametrize("rows", ["web-search", [{"size": "1 kB", "share": 0.5}, {"size": "2 kB", "share": 1.0}]])
def test_tables_of_sizes_are_read_and_written(rows):
    """A choice whose value is no table of keys has no class, and must not be taken for the class of its entries."""
    traffic = {"from": "all", "pattern": "uniform", "flows": "by-message", "arrivals": {"poisson": {"load": 0.3}}}
    tree = {
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "10 Gbit/s"},
        "traffic": [traffic | {"sizes": {"cdf": rows}}],
        "measure": {"duration": "100 us"},
    }
    scenario = congestree.Scenario.from_dict(tree)
    assert congestree.Scenario.from_text(scenario.to_toml()) == scenario
    assert scenario.to_dict()["traffic"][0]["sizes"] == {"cdf": rows}
    assert congestree.check(scenario)["scenario"] == congestree.check(tree)["scenario"]


def test_a_part_that_is_changed_in_place_says_how_to_make_a_changed_copy():
    with pytest.raises(AttributeError, match=r"^seed of this Scenario cannot.*\.replace\(seed=\.\.\.\).*\.set\("):
        TWO_SWITCH.seed = 5
    with pytest.raises(AttributeError, match=r"^rate of this Links cannot change.*\.replace\(rate=\.\.\.\)\.$"):
        TWO_SWITCH.links.rate = "1 Gbit/s"
    with pytest.raises(AttributeError, match="cannot change"):
        del TWO_SWITCH.seed
    assert (TWO_SWITCH.replace(seed=5).seed, TWO_SWITCH.set({"seed": 5}).seed, TWO_SWITCH.seed) == (5, 5, 1)
