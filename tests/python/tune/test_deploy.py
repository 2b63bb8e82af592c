"""A file to deploy is written only if it reads back as what was simulated."""

import json

import pytest

import congestree
from congestree import tune
from congestree.formats import opensm, roce
from congestree.gallery.shipped import scenario_path
from congestree.tune import SPACES, deploy
from congestree.tune.written import applied

from .test_space import BASES

MIDDLE = 0.37


def setting_of(space, share=MIDDLE):
    """A setting in the middle of every range."""
    found = {}
    for p in space.parameters:
        at = share if not p.log else share**2
        if p.choices:
            found[p.name] = p.choices[int(share * len(p.choices))]
        else:
            found[p.name] = p.value(int(p.low + at * (p.high - p.low)))
    return found


def scenario_of(name, share=MIDDLE):
    space = SPACES[name]
    values = space.values(setting_of(space, share))
    return congestree.check(applied(congestree.check(scenario_path(BASES[name]))["scenario"], values))[
        "scenario"
    ], values


@pytest.mark.parametrize("name", [name for name in SPACES if SPACES[name].files])
@pytest.mark.parametrize("share", [0.0, 0.11, MIDDLE, 0.73])
def test_every_setting_of_a_space_with_files_has_them(name, share, tmp_path):
    scenario, values = scenario_of(name, share)
    done = deploy.write(scenario, values, tmp_path, SPACES[name].files)
    assert {written.form: written.refused for written in done} == dict.fromkeys(SPACES[name].files, ())
    assert not any(written.refused for written in done)
    assert all(written.path.stat().st_size > 100 for written in done)
    assert not deploy.uncovered({p: v for p, v in values.items() if v is not None}, ["opensm", "mlx5", "sonic"])


def test_what_no_public_file_holds_is_told():
    """Ultra Ethernet, HPCC and PowerTCP: every parameter is named as one that no file has."""
    without = [name for name in SPACES if not SPACES[name].files]
    assert without == ["uec-nscc", "uec-rccc", "uec-oversubscribed", "hpcc", "power-tcp"]
    for name in without:
        values = SPACES[name].values(setting_of(SPACES[name]))
        assert deploy.uncovered(values, list(deploy.FILES)) == list(values)


def test_opensm_gets_the_registers_of_the_setting(tmp_path):
    scenario, values = scenario_of("ib-cc")
    (written,) = deploy.write(scenario, values, tmp_path, ["opensm"])
    settings = opensm.read(written.path)
    assert settings.threshold == values["scheme.mark.fecn.threshold"]
    assert [str(code) for code in settings.table] == values["scheme.react.cct.table"]["encoded"]


def test_adapters_and_switches_get_theirs(tmp_path):
    scenario, values = scenario_of("mlx5")
    (written,) = deploy.write(scenario, values, tmp_path, ["mlx5"])
    sections, _ = roce.read(written.path)
    assert sections["scheme"]["react"]["dcqcn"]["stages"] == values["scheme.react.dcqcn.stages"]
    scenario, values = scenario_of("wred")
    (written,) = deploy.write(scenario, values, tmp_path, ["sonic"])
    profile = json.loads(written.path.read_text())["WRED_PROFILE"]["AZURE_LOSSLESS"]
    assert f"{profile['green_min_threshold']} B" == values["scheme.mark.red.min"]


@pytest.mark.parametrize("name", ["wred", "sonic-buffers"])
def test_links_of_several_speeds_are_no_obstacle(name, tmp_path):
    """Hosts at 100 Gbit/s and a longer link at 400: a buffer profile for each, and the same values in all."""
    links = [{"a": f"h{i}", "b": f"leaf{i % 2}"} for i in range(4)]
    links += [{"a": "leaf0", "b": "leaf1", "rate": "400 Gbit/s", "delay": "200 ns"}]
    values = SPACES[name].values(setting_of(SPACES[name]))
    scenario = {
        "topology": {"graph": {"hosts": [f"h{i}" for i in range(4)], "switches": ["leaf0", "leaf1"], "links": links}},
        "links": {"rate": "100 Gbit/s", "delay": "25 ns", "lanes": 8, "flow_control": {"pfc": {"lossless": [3]}}},
        "switches": {"shared_memory": {"size": "16 MB"}},
        "scheme": {"preset": "dcqcn-vendor"},
        "traffic": [{"from": "h0", "to": "h1", "service": 3}],
        "measure": {"duration": "1 us"},
    }
    resolved = congestree.check(applied(congestree.check(scenario)["scenario"], values))["scenario"]
    (written,) = deploy.write(resolved, values, tmp_path, ["sonic"])
    assert written.refused == ()
    tables = json.loads(written.path.read_text())
    assert len({entry["profile"] for entry in tables["BUFFER_PG"].values()}) == 2


@pytest.mark.parametrize(("name", "form"), [("mlx5", "mlx5"), ("wred", "sonic")])
def test_links_without_flow_control_have_files_as_others_do(name, form, tmp_path):
    """They have no lanes that pause or do not; the search ended in a traceback when its files were written."""
    values = SPACES[name].values(setting_of(SPACES[name]))
    scenario = {
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "100 Gbit/s", "delay": "1 us", "flow_control": "none"},
        "switches": {"output_queue": "10 MB"},
        "scheme": {"preset": "dcqcn-vendor", "transport": "irn"},
        "traffic": [{"from": ["H1", "H2"], "to": "H4"}],
        "measure": {"duration": "1 us"},
    }
    resolved = congestree.check(applied(congestree.check(scenario)["scenario"], values))["scenario"]
    (written,) = deploy.write(resolved, values, tmp_path, [form])
    assert written.refused == () and written.path.exists()


def test_what_was_not_searched_is_no_obstacle(tmp_path):
    """Headroom that is enough for the link and too little for the cable, rounded up to 21 m, says nothing of marks."""
    values = SPACES["wred"].values(setting_of(SPACES["wred"]))
    scenario = {
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "100 Gbit/s", "delay": "102 ns", "flow_control": "pfc"},
        "switches": {"shared_memory": {"size": "4 MiB", "headroom": "7999 B"}},
        "scheme": {"preset": "dcqcn-vendor"},
        "traffic": [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.3}}}],
        "measure": {"duration": "1 us"},
    }
    resolved = congestree.check(applied(congestree.check(scenario)["scenario"], values))["scenario"]
    (written,) = deploy.write(resolved, values, tmp_path, ["sonic"])
    assert written.refused == () and any("less than the 8074 B" in note for note in written.notes)


def test_what_does_not_read_back_is_refused_and_an_older_file_is_removed(tmp_path):
    """A timer between two steps of the register, and a threshold in bytes: both would be rounded."""
    scenario = congestree.check(
        scenario_path("infiniband-test-bed"),
        values={"scheme.react.cct.timer": "150 us", "scheme.mark.fecn.enter": "9 KiB"},
    )["scenario"]
    values = {"scheme.react.cct.timer": "150 us", "scheme.mark.fecn.enter": "9 KiB"}
    (tmp_path / "opensm.conf").write_text("of an earlier choice")
    (written,) = deploy.write(scenario, values, tmp_path, ["opensm"])
    assert written.path is None and not list(tmp_path.iterdir())
    assert "scheme.react.cct.timer was 150 us, and is read back as 149.504 us" in "\n".join(written.refused)
    assert "scheme.mark.fecn.enter was 9 KiB" in "\n".join(written.refused)


@pytest.mark.parametrize("order", [("short", "long"), ("long", "short")])
def test_scenarios_that_need_different_files_have_one_each(order, tmp_path):
    """Headroom depends on the cable, whichever scenario is named first; a slow link is no network to deploy for."""
    pytest.importorskip("optuna")
    delays = {"short": "500 ns", "long": "5 us"}
    text = scenario_path("pfc-incast").read_text()
    assert text.count('delay = "500 ns"') == 1
    named = [
        text.replace("incast on lossless Ethernet", f"{name} links").replace("500 ns", delays[name]) for name in order
    ]
    asked = {"space": "sonic-buffers", "goals": "pauses", "values": {"measure.duration": "20 us"}}
    asked["degrade"] = ["leaf1->leaf2=40 Gbit/s"]
    options = {"out": tmp_path, "evaluations": 1, "fresh_seeds": 0, "workers": 1}
    made = tune.tune(tune.ask(named, **asked), **options)
    # The leaves have different numbers of ports.
    files = [f"{name}-links/config_db-{leaf}.json" for name in order for leaf in ("leaf1", "leaf2")]
    assert [str(written.path.relative_to(tmp_path / "deploy")) for written in made.files] == files
    room = {}
    for name, written in zip(order, made.files[::2], strict=True):
        assert written.notes[0] == f"this is for {name} links; the other conditions need other values"
        profiles = json.loads(written.path.read_text())["BUFFER_PROFILE"].values()
        (room[name],) = (int(profile["xoff"]) for profile in profiles if "xoff" in profile)
    assert room == {"short": 20707, "long": 133207}
    told = json.loads((tmp_path / "result.json").read_text())["files"]
    assert [one["conditions"] for one in told] == [[f"{name} links"] for name in order for _ in range(2)]


def test_scenarios_that_need_the_same_file_have_one_and_older_ones_go(tmp_path):
    scenario, values = scenario_of("sonic-buffers")
    other = congestree.check(scenario, values={"links.delay": "5 us"})["scenario"]
    assert len(deploy.write_all({"a/b": scenario, "a b": other}, values, tmp_path, ["sonic"])) == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-b", "a-b-2"]
    done = deploy.write_all({"a": scenario, "b": scenario}, values, tmp_path, ["sonic"])
    assert sorted(tmp_path.iterdir()) == [written.path for written in done] and len(done) == 2
    assert not any("conditions" in written.to_dict() for written in done)


def test_a_scheme_that_a_file_cannot_hold_is_refused_with_its_reason(tmp_path):
    scenario = congestree.check(scenario_path("roce-incast"))["scenario"]
    (written,) = deploy.write(scenario, {}, tmp_path, ["opensm"])
    assert written.path is None and "fecn only" in written.refused[0]


THRESHOLD = "links.flow_control.pfc.threshold.dynamic"


@pytest.mark.parametrize(
    "values",
    [
        {f"{THRESHOLD}.alpha": 0.25},
        {f"{THRESHOLD}.for_rate": "200 Gbit/s"},
        {THRESHOLD: {"alpha": 0.5, "for_rate": "100 Gbit/s", "offset": "3000 B"}},
        {"links.flow_control.pfc.threshold": {"dynamic": {"alpha": 0.25, "for_rate": "100 Gbit/s"}}},
    ],
)
def test_alpha_is_compared_as_the_ports_have_it(tmp_path, values):
    """It is for ports of 100 Gbit/s, and these have four times the rate."""
    scenario = {
        "topology": {"single-switch": {"hosts": 4}},
        "links": {
            "rate": "400 Gbit/s",
            "flow_control": {"pfc": {"threshold": {"dynamic": {"for_rate": "100 Gbit/s"}}}},
        },
        "switches": {"shared_memory": {"size": "4 MiB"}},
        "traffic": [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.3}}}],
        "measure": {"duration": "1 us"},
    }
    resolved = congestree.check(applied(scenario, values))["scenario"]
    (written,) = deploy.write(resolved, values, tmp_path, ["sonic"])
    assert written.refused == ()
    dynamic = resolved["links"]["flow_control"]["pfc"]["threshold"]["dynamic"]
    times = 4 if dynamic["for_rate"] == "100 Gbit/s" else 2
    profiles = json.loads(written.path.read_text())["BUFFER_PROFILE"].values()
    assert {2.0 ** int(one["dynamic_th"]) for one in profiles if "xoff" in one} == {times * dynamic["alpha"]}
    resolved["links"]["flow_control"]["pfc"]["threshold"]["dynamic"]["alpha"] = 0.3
    (written,) = deploy.write(resolved, values, tmp_path, ["sonic"])
    assert any("is read back as" in line for line in written.refused)


@pytest.mark.parametrize("lossless", [True, False])
def test_marks_are_compared_as_the_ports_have_them(tmp_path, lossless):
    """Thresholds for ports of 100 Gbit/s, of a switch with ports of 100 and 400: each profile is compared."""
    links = [{"a": f"h{i}", "b": f"leaf{i % 2}"} for i in range(4)]
    links += [{"a": "leaf0", "b": "leaf1", "rate": "400 Gbit/s"}]
    pauses = {"flow_control": "pfc"} if lossless else {}
    scenario = {
        "topology": {"graph": {"hosts": [f"h{i}" for i in range(4)], "switches": ["leaf0", "leaf1"], "links": links}},
        "links": {"rate": "100 Gbit/s", **pauses},
        "switches": {"shared_memory": {"size": "16 MB"}} if lossless else {"buffer": "1 MB"},
        "scheme": {"preset": "dcqcn-vendor", "mark": {"red": {"min": "1 kB", "for_rate": "100 Gbit/s"}}},
        "traffic": [{"from": "h0", "to": "h1"}],
        "measure": {"duration": "1 us"},
    }
    values = {"scheme.mark.red.min": "100 kB", "scheme.mark.red.max": "200 kB"}
    resolved = congestree.check(applied(scenario, values))["scenario"]
    (written,) = deploy.write(resolved, values, tmp_path, ["sonic"])
    assert written.refused == ()
    marks = json.loads(written.path.read_text())["WRED_PROFILE"]
    assert {name: one["green_max_threshold"] for name, one in marks.items()} == {
        "AZURE_LOSSLESS_100000": "200000",
        "AZURE_LOSSLESS_400000": "800000",
    }


def clos(**links):
    """Two leaves with hosts at 100 Gbit/s below two spines at 400."""
    return {
        "topology": {"clos": {"down": [2, 2], "up": [2], "rates": ["100 Gbit/s", "400 Gbit/s"]}},
        "links": {"rate": "100 Gbit/s", "delay": "25 ns", "lanes": 8, **links},
        "switches": {"shared_memory": {"size": "16 MB"}},
        "scheme": {"preset": "dcqcn-vendor"},
        "traffic": [{"from": "h0", "to": "h3", "service": 3}],
        "measure": {"duration": "1 us"},
    }


def test_leaves_and_spines_have_files_of_their_own(tmp_path):
    values = SPACES["sonic-buffers"].values(setting_of(SPACES["sonic-buffers"]))
    scenario = congestree.check(applied(clos(flow_control={"pfc": {"lossless": [3]}}), values))["scenario"]
    (tmp_path / "config_db.json").write_text("of an earlier choice")
    done = deploy.write(scenario, values, tmp_path, ["sonic"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config_db-leaf0.json", "config_db-spine0.json"]
    assert [written.switches for written in done] == [("leaf0", "leaf1"), ("spine0", "spine1")]
    assert [written.refused for written in done] == [(), ()]
    assert done[0].notes[0] == "this is for leaf0, leaf1; other switches have other ports"
    ports = [len(json.loads(written.path.read_text())["PORT"]) for written in done]
    assert ports == [4, 2]
    longer = congestree.check(scenario, values={"links.delay": "5 us"})["scenario"]
    done = deploy.write_all({"short": scenario, "long": longer}, values, tmp_path, ["sonic"])
    names = [f"{folder}/config_db-{switch}.json" for folder in ("short", "long") for switch in ("leaf0", "spine0")]
    assert [str(written.path.relative_to(tmp_path)) for written in done] == names
    deploy.write_all({"": congestree.check(clos(flow_control="pfc"))["scenario"]}, {}, tmp_path, [])
    marks = SPACES["wred"].values(setting_of(SPACES["wred"]))
    plain = congestree.check(applied(clos() | {"switches": {"buffer": "1 MB"}}, marks))["scenario"]
    (written,) = deploy.write(plain, marks, tmp_path, ["sonic"])
    assert list(tmp_path.iterdir()) == [written.path] and not written.switches


def test_switches_whose_ports_are_in_another_order_are_told(tmp_path):
    """One file is for both, and says which port is which in the order of the first."""
    links = [{"a": "h0", "b": "S0"}, {"a": "S0", "b": "S1", "rate": "400 Gbit/s"}, {"a": "h1", "b": "S1"}]
    scenario = clos(flow_control="pfc")
    scenario["topology"] = {"graph": {"hosts": ["h0", "h1"], "switches": ["S0", "S1"], "links": links}}
    scenario["traffic"] = [{"from": "h0", "to": "h1"}]
    (written,) = deploy.write(congestree.check(scenario)["scenario"], {}, tmp_path, ["sonic"])
    assert "ports of S1 are in another order: write their files with `cc write`" in written.notes


def test_a_lossy_queue_is_searched_where_there_are_some(tmp_path):
    """Where all lanes are lossless its bound has no effect, and no file has it."""
    pytest.importorskip("optuna")
    asked = {"space": "sonic-buffers", "goals": "pauses"}
    whole, part = clos(flow_control="pfc"), clos(flow_control={"pfc": {"lossless": [3]}})
    whole["traffic"], whole["links"]["lanes"] = [{"from": "h0", "to": "h3"}], 1
    with pytest.warns(congestree.errors.Note, match="lossy dynamic_th is left out of .*: all lanes"):
        question = tune.ask(whole, **asked)
    assert [p.name for p in question.space.parameters] == ["dynamic_th", "xon_offset"]
    assert len(tune.ask(part, **asked).space.parameters) == 3
    question = tune.ask([whole, part | {"name": "part"}], **asked)
    assert len(question.space.parameters) == 3
    made = tune.tune(question, out=tmp_path, evaluations=1, fresh_seeds=0, workers=1)
    assert made.files and all(written.path for written in made.files)
