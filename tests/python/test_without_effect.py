"""What a scenario says to no effect is told, and nothing else."""

import json
import warnings

import pytest

import congestree
from congestree import _engine
from congestree.notes import without_effect

GRAPH = {
    "hosts": ["a", "b"],
    "switches": ["s"],
    "links": [{"a": "a", "b": "s", "delay": "10 ns"}, {"a": "b", "b": "s", "delay": "10 ns", "delay_back": "20 ns"}],
}


def said(links, graph=GRAPH):
    scenario = {
        "topology": {"graph": graph},
        "links": {"rate": "8 Gbit/s", **links},
        "traffic": [{"from": "a", "to": "b"}],
        "measure": {"duration": "10 us"},
    }
    return without_effect.overruled(congestree.check(scenario)["scenario"])


def test_a_delay_that_no_link_has_is_told_as_it_changes_nothing():
    (sentence,) = said({"delay": "50 ns"})
    assert sentence.startswith("links.delay = 50 ns has no effect") and "10 ns at most of them" in sentence


@pytest.mark.parametrize("delay", [{}, {"delay": "0.01 us"}, {"delay": "20 ns"}])
def test_a_delay_that_is_not_said_or_that_a_link_has_is_not_told(delay):
    assert said(delay) == []


def test_a_rate_is_told_only_if_every_link_has_its_own():
    own = [{**link, "rate": "4 Gbit/s"} for link in GRAPH["links"]]
    assert said({}, {**GRAPH, "links": own})[0].startswith("links.rate = 8 Gbit/s has no effect")
    assert said({}, {**GRAPH, "links": [own[0], GRAPH["links"][1]]}) == []
    assert without_effect.overruled(congestree.check("hot-spot")["scenario"]) == []


def test_a_run_that_is_to_end_with_its_jobs_and_has_none_is_told():
    values = {"measure.until_jobs_end": True, "measure.duration": "10 us"}
    (sentence,) = without_effect.sentences(congestree.check("hot-spot", values=values)["scenario"])
    assert sentence.startswith("measure.until_jobs_end = true has no effect") and "ends at 10 us" in sentence
    for shipped in ("hot-spot", "application-and-hot-spot"):
        assert without_effect.sentences(congestree.check(shipped)["scenario"]) == []
    assert congestree.check("application-and-hot-spot")["scenario"]["measure"]["until_jobs_end"]


def test_check_run_and_report_tell_it(congestree_cli, tmp_path):
    """As of a fabric whose file says no rates: it was imported with the slowest one."""
    congestree_cli("export", "hot-spot", "--format", "topo", "--out", "fabric.topo")
    congestree_cli("import", "fabric.topo", "--topology-only", "--rate", "4xSDR", "--out", "fabric.toml")
    (tmp_path / "study.toml").write_text(
        'topology.file = "fabric.toml"\nlinks = { rate = "8 Gbit/s", delay = "1 us" }\n'
        'measure = { duration = "10 us", until_jobs_end = true }\n'
        '[[traffic]]\nfrom = "all"\npattern = "uniform"\n'
    )
    checked = congestree_cli("check", "study.toml").stderr
    ran = " ".join(congestree_cli("run", "study.toml", "--out", "done").stdout.split())
    report = congestree.report.html(tmp_path / "done")
    for told in ("links.delay = 1 us has no effect", "measure.until_jobs_end = true has no effect"):
        assert told in checked and told in ran and told in report


ALONE = {"scheme.preset": "dcqcn-vendor", "scheme.react.dcqcn.min_rate": "100 Mbit/s", "measure.duration": "10 us"}
LOST = "scheme.react.dcqcn is written, so its other values are defaults, not those of dcqcn-vendor: "


def test_values_of_a_preset_that_a_written_part_drops_are_told(congestree_cli, tmp_path):
    """The value written is the preset's own, and the timers are those of another preset."""
    options = [f"--set={path}={value}" for path, value in ALONE.items()]
    checked = congestree_cli("check", "hot-spot", *options)
    assert LOST in checked.stderr and "cut_period 50 us (preset 4 us)" in checked.stderr
    ran = " ".join(congestree_cli("run", "hot-spot", "--out", "done", *options).stdout.split())
    assert LOST in ran and LOST in congestree.report.html(tmp_path / "done")


def test_they_are_a_warning_of_check_and_a_note_of_a_run_in_json(congestree_cli):
    options = ["--json", *(f"--set={path}={value}" for path, value in ALONE.items())]
    answer = json.loads(congestree_cli("check", "hot-spot", *options).stdout)
    assert answer["ok"] and [warning.startswith(LOST) for warning in answer["warnings"]] == [True]
    (note,) = json.loads(congestree_cli("run", "hot-spot", *options).stdout)["notes"]
    assert note == answer["warnings"][0]


def test_a_preset_alone_or_with_another_part_has_no_note():
    for values in ({"scheme.preset": "dcqcn-vendor"}, {"scheme.preset": "dcqcn-vendor", "scheme.react": "cct"}):
        assert congestree.check("hot-spot", values=values)["notes"] == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # in Python it is a fact about the run, and no warning
        (note,) = congestree.run("hot-spot", values=ALONE).manifest["notes"]
    assert note.startswith(LOST)


def test_a_sweep_over_a_delay_that_no_link_takes_is_told(tmp_path):
    """Its curve would be flat, and say that delays do not matter."""
    scenario = {
        "topology": {"graph": GRAPH},
        "links": {"rate": "8 Gbit/s"},
        "traffic": [{"from": "a", "to": "b"}],
        "measure": {"duration": "10 us"},
    }
    with pytest.warns(congestree.errors.Note, match=r"varies nothing: links\.delay = 2 us has no effect"):
        congestree.sweep(scenario, over={"links.delay": ["1 us", "2 us"]}, out=tmp_path / "a", workers=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", congestree.errors.Note)
        congestree.sweep(scenario, over={"links.rate": ["1 Gbit/s", "2 Gbit/s"]}, out=tmp_path / "b", workers=1)


PLAIN = {
    "topology": {"two-switch": {"local": 2, "remote": 2}},
    "links": {"rate": "8 Gbit/s"},
    "traffic": [{"from": ["local", "remote"], "to": "B_C"}],
    "measure": {"duration": "200 us"},
}
"""Sources that send as fast as they can, without marks, ACKs and applications."""
UNUSED = {
    "adapters.acks": {"every": 4, "flush": "10 us"},
    "adapters.ack_turnaround": "10 us",
    "adapters.ack_lane": 0,
    "adapters.queue_depth": 1,
    "adapters.node": {"hosts": 2, "rate": "1 Gbit/s"},
    "scheme.notify": {"cnp": {}},
    "scheme.persistent": True,
    "links.hop_lanes": "by-hop",
}


LOSSY = {"links.flow_control": "none", "switches.output_queue": "10 kB"}


def told(values):
    return without_effect.sentences(congestree.check(PLAIN, values=values)["scenario"])


def fingerprint(values):
    return congestree.run(PLAIN, values=values).manifest["fingerprint"]


@pytest.mark.parametrize("key", UNUSED)
def test_a_key_that_changes_nothing_is_told(key):
    (sentence,) = told({key: UNUSED[key]})
    assert sentence.startswith(key) and "has no effect: " in sentence and "leave it out, or " in sentence
    assert fingerprint({key: UNUSED[key]}) == fingerprint({})


@pytest.mark.parametrize(
    ("key", "value", "needs"),
    [
        ("adapters.ack_turnaround", "10 us", {"adapters.window": 4}),
        ("adapters.queue_depth", 1, {"adapters.window": 4}),
        ("adapters.queue_depth", 1, {"adapters.message_cost": "10 us"}),
        ("adapters.acks", {"every": 4, "flush": "10 us"}, {"scheme.preset": "dctcp"}),
        ("adapters.ack_turnaround", "10 us", {"scheme.preset": "swift"}),
        ("adapters.ack_turnaround", "10 us", {**LOSSY, "scheme.transport": "irn"}),
    ],
)
def test_a_key_that_changes_something_is_not_told(key, value, needs):
    assert told({**needs, key: value}) == []
    assert fingerprint({**needs, key: value}) != fingerprint(needs)


@pytest.mark.parametrize(("preset", "acked"), [("dcqcn-paper", False), ("dcqcn-paper-window", True)])
def test_a_reaction_to_notifications_needs_acks_for_its_window_alone(preset, acked):
    said = told({"scheme.preset": preset, "adapters.ack_turnaround": "1 us"})
    assert [sentence.partition(" has ")[0] for sentence in said] == ["adapters.ack_turnaround = 1 us"] * (not acked)


def test_what_a_scenario_does_not_say_is_not_told():
    assert told({}) == []
    assert told({"links.lanes": 2, "links.hop_lanes": "by-hop"}) == []


@pytest.mark.parametrize("react", ["lipd", "fimd", "aimd", "cct", "dcqcn", "dctcp", "pcn"])
def test_a_reaction_to_marks_where_nothing_marks_is_told(react):
    (sentence,) = told({"scheme.react": react})
    assert sentence.startswith(f"scheme.react = {react} has nothing to answer")
    assert told({"scheme.react": react, "scheme.mark": "naive"}) == []


@pytest.mark.parametrize("react", ["none", "timely", "swift", "hpcc", "power-tcp"])
def test_a_reaction_that_needs_no_marks_is_not_told(react):
    assert told({"scheme.react": react}) == []


def test_a_reaction_to_marks_over_links_that_lose_is_not_told_as_it_may_answer_losses():
    over = {"scheme.react": "dctcp", "scheme.transport": "go-back-n"}
    assert told({**over, **LOSSY}) == []
    assert len(told(over)) == 1


ISOLATE = {part["name"]: part["detection_key"] for part in json.loads(_engine.catalogue()) if part["kind"] == "isolate"}


def test_schemes_that_isolate_by_tree_declare_what_detects_congestion():
    assert ISOLATE.items() >= {("none", None), ("bfc", None), ("fbicm", "detect"), ("ecocc", "high")}


@pytest.mark.parametrize(("preset", "key"), [item for item in ISOLATE.items() if item[1] is not None])
def test_a_threshold_of_more_full_packets_than_a_buffer_has_bytes_for_is_told(preset, key):
    """With packet slots it is refused; in bytes there may be many small packets."""
    scheme = {"scheme.preset": preset}
    (sentence,) = told({**scheme, "switches.buffer": "12 KiB"})
    assert sentence.startswith(f"scheme.isolate.{preset}.{key} = ") and "room for 5 of 2068 B" in sentence
    assert told({**scheme, "switches.buffer": "20 KiB"}) == []
    assert told({**scheme, "links.lanes": 2, "switches.lane_buffers": ["20 KiB", "4 KiB"]}) == []
    (sentence,) = told({**scheme, "links.lanes": 2, "switches.lane_buffers": ["12 KiB", "128 KiB"]})
    assert "room for 5 of 2068 B in lane 0, where isolation acts, and" in sentence


def test_room_for_packets_that_a_threshold_must_exceed_is_counted_in_whole_blocks():
    """Of 258 blocks a packet takes 33."""
    values = {"scheme.preset": "fbicm", "switches.buffer": "16544 B"}
    assert told({**values, "scheme.isolate.fbicm.detect": 6}) == []
    assert "room for 7 of 2068 B" in told({**values, "scheme.isolate.fbicm.detect": 7})[0]
    tight = {"links.flow_control": {"byte-credits": {"block": "94 B", "overhead": "1 B"}}}
    assert "room for 7 of 2068 B" in told({**values, **tight, "scheme.isolate.fbicm.detect": 7})[0]


@pytest.mark.parametrize("preset", ["fbicm", "bfc"])
def test_isolation_of_a_lane_in_which_nothing_travels_is_told(preset):
    elsewhere = {"scheme.preset": preset, "links.lanes": 2, "traffic.0.lane": 1}
    notes = congestree.check(PLAIN, values=elsewhere)["notes"]
    assert [note for note in notes if note.startswith("scheme.isolate has no effect: isolation acts on lane 0 alone")]
    assert congestree.check(PLAIN, values={**elsewhere, "traffic.0.lane": 0})["notes"] == []


def test_a_threshold_of_ccfit_from_which_no_queue_marks_is_told_if_anything_is_to_be_marked():
    slots = {"links.flow_control": "packet-slots", "switches.buffer": "4 packets"}
    values = {**slots, "scheme.preset": "ccfit", "scheme.isolate.ccfit.detect": 3}
    assert congestree.run(PLAIN, values=values).value("marked") == 0
    (sentence,) = told(values)
    assert sentence.startswith("scheme.isolate.ccfit.high = 4 ") and "room for 4 of 2068 B" in sentence
    assert told({**values, "scheme.isolate.ccfit.high": 3, "scheme.isolate.ccfit.low": 1}) == []
    assert told({**slots, "scheme.isolate.ccfit.detect": 3}) == []


def red(**sections):
    scenario = {
        "topology": {"single-switch": {"hosts": 3}},
        "links": {"rate": "100 Gbit/s", "flow_control": "none"},
        "adapters": {"mtu": "1000 B", "header": "0 B"},
        "scheme": {"mark": "red"},
        "traffic": [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.5}}}],
        "measure": {"duration": "10 us"},
    }
    return congestree.check(scenario | sections)["notes"]


def test_thresholds_of_red_that_no_output_queue_can_reach_are_told():
    (sentence,) = red(switches={"output_queue": "100 kB"})
    assert sentence.startswith("scheme.mark.red never marks: nothing is marked up to 100 kB at S->H1 (100 Gbit/s)")
    assert sentence.endswith("or switches.output_queue larger.")
    assert red(switches={"output_queue": "100001 B"}) == []
    # Both go by the rate of the link.
    slow = {"output_queue": "100 kB", "output_queue_rate": "200 Gbit/s"}
    assert "no more than 50 kB can wait there" in red(switches=slow)[0]
    assert red(switches=slow, scheme={"mark": {"red": {"min": "99 kB", "for_rate": "200 Gbit/s"}}}) == []


def test_thresholds_of_red_that_all_inputs_together_cannot_reach_are_told():
    credits = {"rate": "100 Gbit/s", "flow_control": "byte-credits"}
    (sentence,) = red(links=credits, switches={"buffer": "50 kB"})
    assert "no more than 99968 B can wait there" in sentence and sentence.endswith("or switches.buffer larger.")
    assert red(links=credits, switches={"buffer": "50 kB", "crossbar": "400 Gbit/s"}) == []
    assert red(links=credits, switches={"buffer": "51 kB"}) == []
    own = {"rate": "100 Gbit/s", "flow_control": {"byte-credits": {"control": "own-room"}}}
    acked = {"mark": "red", "react": "dctcp"}
    assert red(links=own, switches={"buffer": "50 kB"}, scheme=acked) == []
    assert len(red(links=own, switches={"buffer": "50 kB"})) == 1
    shared = {"rate": "100 Gbit/s", "flow_control": {"pfc": {"losses": "count"}}}
    memory = {"size": "90 kB", "headroom": "1 kB"}
    assert red(links=shared, switches={"shared_memory": memory})[0].endswith("or switches.shared_memory.size larger.")


def test_thresholds_of_red_count_only_where_it_marks():
    """Not at the outputs to hosts, if these are spared: then a trunk of half the rate has the longest queue."""
    lossy = {"rate": "100 Gbit/s", "flow_control": "none"}
    switches = {"output_queue": "50 kB", "output_queue_rate": "100 Gbit/s"}
    for spared in (False, True):
        thresholds = {"min": "40 kB", "max": "60 kB", "spare_last_hop": spared}
        notes = red(
            topology={"dumbbell": {"pairs": 4, "trunk_rate": "50 Gbit/s"}},
            links=lossy,
            switches=switches,
            scheme={"mark": {"red": thresholds}},
        )
        assert len(notes) == spared
        assert all("at A->B (50 Gbit/s), and no more than 25 kB can wait there" in note for note in notes)


def test_thresholds_of_red_do_not_count_in_the_lane_of_trimmed_packets():
    """Though more may wait there than the lower threshold, even one of its own."""
    own = [{"min": f"{least} kB", "max": "200 kB", "probability": 0.1} for least in (60, 10)]
    for thresholds in ({"min": "60 kB"}, {"lane_thresholds": own}):
        (sentence,) = red(
            links={"rate": "100 Gbit/s", "flow_control": "none", "lanes": 2},
            switches={"output_queue": "50 kB", "arbiter": "fifo", "trim": {"lane": 1, "queue": "100 kB"}},
            scheme={"mark": {"red": thresholds}, "transport": {"uet": {"congestion_control": "none"}}},
        )
        assert "no more than 50 kB can wait there" in sentence


def test_more_packets_than_a_switch_has_room_for_are_told_where_a_marker_counts_them():
    """Of four hosts three send to the fourth, over four slots each. The least threshold that marks nothing is told."""
    scenario = {
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "8 Gbit/s", "flow_control": "packet-slots"},
        "switches": {"buffer": "4 packets"},
        "traffic": [{"from": ["H1", "H2", "H3"], "to": "H4"}],
        "measure": {"duration": "100 us"},
    }
    key = "scheme.mark.output-triggered.output_threshold"
    for threshold, marks, notes in ((11, True, 0), (12, False, 1), (13, False, 1)):
        run = congestree.run(scenario, values={key: threshold})
        assert (run.value("marked") > 0, len(run.manifest["notes"])) == (marks, notes)
    assert (
        "nothing is marked up to 13 packets at S->H1 (8 Gbit/s), and no more than 12 can be there"
        in (run.manifest["notes"][0])
    )


@pytest.mark.parametrize(
    ("fill", "enter", "told"),
    [("sum", "49151 B", 0), ("sum", "48 KiB", 1), ("sum-per-input", "147455 B", 0), ("sum-per-input", "144 KiB", 1)],
)
def test_sums_over_queues_that_no_buffers_hold_are_told(fill, enter, told):
    """Three inputs have 16 KiB each."""
    values = {"switches.buffer": "16 KiB", "scheme.mark": {"fecn": {"enter": enter, "fill": fill}}}
    topology = {"topology": {"single-switch": {"hosts": 4}}, "traffic": [{"from": ["H1", "H2"], "to": "H3"}]}
    notes = congestree.check(PLAIN | topology, values=values)["notes"]
    assert [note.startswith("scheme.mark.fecn never marks") for note in notes] == [True] * told
    written = "up to 48 KiB (144 KiB, for 3 inputs) at" if fill == "sum-per-input" else "up to 48 KiB at"
    assert all(written in note for note in notes)


SLOTS = {"links.flow_control": "packet-slots", "switches.buffer": "4 packets"}


@pytest.mark.parametrize(
    ("mark", "lower"),
    [
        ({"red": {"min": "25 kB", "max": "25 kB"}}, {"red": {"min": "20 kB", "max": "20 kB"}}),
        ({"tcd": {"threshold": "25 kB"}}, {"tcd": {"threshold": "20 kB"}}),
        ({"fecn": {"enter": "25 kB", "fill": "sum"}}, {"fecn": {"enter": "20 kB", "fill": "sum"}}),
    ],
    ids=str,
)
def test_levels_in_bytes_are_told_over_slots_if_there_are_no_packets_but_data(mark, lower):
    """Three inputs have room for 4 packets of 2068 B each. ACKs, which take no slots, may be any number."""
    topology = {"topology": {"single-switch": {"hosts": 4}}, "traffic": [{"from": ["H1", "H2", "H3"], "to": "H4"}]}

    def notes(mark, **more):
        values = {**SLOTS, "scheme.mark": mark, **more}
        return [n for n in congestree.check(PLAIN | topology, values=values)["notes"] if "never marks" in n]

    assert len(notes(mark)) == 1 and "no more than 24816 B can wait there" in notes(mark)[0]
    assert notes(lower) == [] == notes(mark, **{"adapters.window": 4})
    assert congestree.run(PLAIN | topology, values={**SLOTS, "scheme.mark": mark}).value("marked") == 0


def test_check_tells_it_as_a_warning_and_so_does_a_run(congestree_cli):
    values = ("--set", "switches.output_queue=50 kB", "--set", "scheme.mark=red", "--set", "measure.duration=20 us")
    for command in (("check", "irn-incast", "--json"), ("run", "irn-incast")):
        assert "scheme.mark.red never marks" in congestree_cli(*command, *values).stdout
