"""What a sweep may vary, and which of its points are refused or left out."""

import json

import polars
import pytest

import congestree
from congestree import report
from congestree.errors import AskedError
from congestree.runs.parquet import table_of_rows
from congestree.studies.sweeping import expand

from .conftest import OVER, SHORT, SMALL


@pytest.mark.parametrize(("values", "found"), [(3, "the number 3"), ("none", '"none"'), (None, "null")])
def test_what_varies_must_be_a_list(values, found):
    with pytest.raises(congestree.ScenarioError, match="square brackets") as refused:
        congestree.sweep(SMALL, over={"seed": values})
    assert f"found {found}" in str(refused.value)


def test_points_agree_with_setting_the_values_one_by_one():
    for point in expand(SMALL, over=OVER):
        assert point["scenario"] == congestree.check(SMALL, values=point["values"])["scenario"]


def test_a_mistake_in_the_sweep_is_found_before_anything_runs(tmp_path):
    with pytest.raises(congestree.ScenarioError):
        congestree.sweep(SMALL, over={"adapters.window": [1, "many"]}, out=tmp_path)
    assert not (tmp_path / "runs").exists()


def test_points_that_make_no_sense_can_be_left_out_and_are_told(tmp_path, congestree_cli):
    over = {"scheme.preset": ["none", "efl", "input-triggered"]}  # its floor is too slow for its timer
    with pytest.raises(congestree.ScenarioError, match=r"in the run with scheme\.preset = `efl`"):
        congestree.sweep(SMALL, over=over, out=tmp_path / "none")
    study = congestree.sweep(SMALL, over=over, out=tmp_path / "two", skip_refused=True)
    assert study.runs["scheme.preset"].to_list() == ["none", "input-triggered"]
    assert list(study.refused) == ["preset efl"] and "scheme" in study.refused["preset efl"]
    assert congestree.Study.load(tmp_path / "two").refused == study.refused
    with pytest.raises(congestree.ScenarioError):
        congestree.sweep(SMALL, over={"scheme.preset": ["efl"]}, out=tmp_path / "one", skip_refused=True)
    (tmp_path / "small.toml").write_text(SMALL)
    swept = ["--set", 'sweep={"scheme.preset"=["none","efl"]}', "--skip-refused", "--out", tmp_path / "by-command"]
    done = congestree_cli("sweep", tmp_path / "small.toml", *swept)
    assert "left out: preset efl: " in done.stderr and "1 run" in done.stdout
    swept[1] = 'sweep={"scheme.preset"=["none","efl"], seed=[1,2,3,4,5,6,7]}'
    told = congestree_cli("sweep", tmp_path / "small.toml", *swept).stderr.replace("\n", " ")
    assert told.count("left out: ") == 1, "all seeds for the same reason"
    assert "left out: preset efl, seed 1; preset efl, seed 2; " in told and "seed 5, and 2 more: " in told
    swept[1] = 'sweep={"scheme.preset"=["none","efl"]}'
    as_json = json.loads(congestree_cli("sweep", tmp_path / "small.toml", *swept, "--json").stdout)
    assert as_json["runs"] == 1 and list(as_json["refused"]) == ["preset efl"]


def test_values_of_several_kinds_are_text_in_the_table(tmp_path):
    """Whole numbers next to words, and omitted values next to numbers."""
    over = {"switches.read_ports": ["one", 2], "adapters.window": [None, 2]}
    study = congestree.sweep(SMALL, over=over, values=SHORT, out=tmp_path, workers=1)
    assert study.axes == {"switches.read_ports": ["one", "2"], "adapters.window": ["null", "2"]}
    assert study.mean("contenders", by="read_ports")["switches.read_ports"].to_list() == ["one", "2"]
    assert study.label(study.points[3]["values"]) == "read_ports 2, window 2"
    assert len(congestree.studies.study.Study.load(tmp_path).runs) == 4


def test_no_run_is_told_with_values_that_another_key_overwrites(tmp_path):
    react, rate = {"scheme.react": ["dcqcn", "dctcp"]}, {"scheme.react.dcqcn.min_rate": ["10 MB/s", "20 MB/s"]}
    marks = {"scheme.mark": "red", "adapters.window": 8}
    for number, over in enumerate((react | rate, rate | react)):  # whatever stands first in the file
        with pytest.raises(congestree.ScenarioError, match=r"min_rate` chooses something else, and overwrites it"):
            congestree.sweep(SMALL, over=over, values=marks, out=tmp_path / "all")
        study = congestree.sweep(SMALL, over=over, values=marks, out=tmp_path / f"{number}", skip_refused=True)
        assert study.runs["scheme.react"].to_list() == ["dcqcn"] * 2 and len(study.refused) == 2
        said = [
            json.loads(path.read_text())["scenario"] for path in (tmp_path / f"{number}").glob("runs/*/manifest.json")
        ]
        told = {congestree.quantities.bits_per_second(one["scheme"]["react"]["dcqcn"]["min_rate"]) for one in said}
        assert told == {80e6, 160e6}


def test_what_varies_cannot_be_set_as_well(tmp_path, congestree_cli):
    over = {"scheme.mark": [{"red": {"min": "10 kB"}}], "adapters.window": [1, 2]}
    for values in ({"adapters.window": 4}, {"scheme.mark.red.max": "1 MB"}, {"scheme.mark": "red"}):
        (path,) = values
        with pytest.raises(AskedError, match=f"{path} is set, but the sweep varies .*no effect"):
            congestree.sweep(SMALL, over=over, values=values, out=tmp_path / "never")
    within = {"scheme.mark.red.min": ["10 kB", "20 kB"]}
    assert len(expand(SMALL, over=within, values={"scheme.mark": "red"})) == 2, "the sweep says more of what is set"
    (tmp_path / "swept.toml").write_text(SMALL + "\n[sweep]\nseed = [1, 2]\n")
    told = congestree_cli("sweep", tmp_path / "swept.toml", "--set", "seed=3", code=2).stderr
    assert "seed is set, but the sweep varies seed" in told


@pytest.mark.parametrize(("one", "other"), [("0", "contenders"), ("contenders", "0")])
def test_what_varies_cannot_be_set_by_its_other_name_either(one, other, tmp_path):
    over = {f"traffic.{one}.jitter": ["1 us", "2 us"]}
    with pytest.raises(AskedError, match=f"traffic.{other}.jitter is set, but the sweep varies traffic.{one}.jitter"):
        congestree.sweep(SMALL, over=over, values={f"traffic.{other}.jitter": "3 us"}, out=tmp_path / "never")
    assert not (tmp_path / "never").exists()
    assert len(expand(SMALL, over=over, values={"traffic.bystander.jitter": "3 us"})) == 2


def test_classes_of_traffic_go_by_their_names(tmp_path):
    rates = ["100 MB/s", "200 MB/s"]
    named = congestree.sweep(SMALL, over={"traffic.bystander.rate": rates}, values=SHORT, out=tmp_path / "named")
    numbered = congestree.sweep(SMALL, over={"traffic.1.rate": rates}, values=SHORT, out=tmp_path / "numbered")
    assert named.runs["hash"].to_list() == numbered.runs["hash"].to_list()
    assert named.mean("rate.bystander", by="traffic.bystander.rate").height == 2
    set_by_name = congestree.run(SMALL, values={"traffic.bystander.rate": "200 MB/s", **SHORT})
    assert set_by_name.fingerprint == named[1].fingerprint
    with pytest.raises(congestree.ScenarioError, match="there is no `bystandr` in `traffic`: there are 2 entries"):
        congestree.sweep(SMALL, over={"traffic.bystandr.rate": rates}, out=tmp_path / "none")


def test_check_tells_of_runs_that_make_no_sense(tmp_path, congestree_cli):
    (tmp_path / "swept.toml").write_text(SMALL + '\n[sweep]\n"scheme.preset" = ["none", "efl"]\n')
    told = congestree_cli("check", tmp_path / "swept.toml")
    assert "is a valid scenario" in told.stdout and "note: congestree sweep refuses runs of it" in told.stderr
    assert "`efl`" in told.stderr
    (tmp_path / "swept.toml").write_text(SMALL + "\n[sweep]\nseed = [1, 2]\n")
    assert "note" not in congestree_cli("check", tmp_path / "swept.toml").stderr
    piped = congestree_cli("check", "/dev/stdin", stdin=(tmp_path / "swept.toml").read_text())
    assert "valid scenario" in piped.stdout and not piped.stderr, "what comes from a pipe is read once"


def test_a_sweep_over_the_highest_seeds_is_a_study(tmp_path):
    seeds = [1, 2**63, 2**64 - 1]
    congestree.sweep(SMALL, over={"seed": seeds}, values=SHORT, out=tmp_path, workers=1)
    study = congestree.Study.load(tmp_path)
    assert study.runs["seed"].to_list() == polars.read_parquet(tmp_path / "runs.parquet")["seed"].to_list() == seeds
    assert study.mean("contenders", by="seed")["seed"].to_list() == seeds
    assert str(2**63) in report.html(study)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, None, 2], "int64"),
        ([None, 2**63, 2**64 - 1], "uint64"),
        ([-1, 2**63], "double"),
        ([0, 2**64], "double"),
        ([0.5, 2**63], "double"),
        ([0.5, None, 2**53 + 1], "double"),
        ([True, False], "bool"),
        (["1", None], "string"),
    ],
)
def test_numbers_of_any_size_stand_in_one_column(values, kind):
    column = table_of_rows([{"a": value} for value in values])["a"]
    assert str(column.type) == kind
    assert column.to_pylist() == [float(v) if kind == "double" and v is not None else v for v in values]


def test_a_refused_table_of_a_sweep_is_named_by_what_it_says():
    over = {"topology": [{"single-switch": {"hosts": 4}}, {"fat-tree": {"radix": 3}}]}
    with pytest.raises(congestree.ScenarioError) as refused:
        expand(SMALL, over=over)
    assert '(in the run with topology = {"fat-tree":{"radix":3}})' in str(refused.value)
    many = [f"x{host}" for host in range(100)]
    with pytest.raises(congestree.ScenarioError) as refused:
        expand(SMALL, over={"traffic.0.from": [many, "all"]})
    assert 'with traffic.0.from = ["x0","x1"' in str(refused.value) and '"x99"' not in str(refused.value)
