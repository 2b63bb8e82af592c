"""Values that switch a scheme off, or that another key makes idle, are refused or told."""

import dataclasses

import pytest

import congestree
from congestree.notes import without_effect
from congestree.scenario.scheme import react

LOSSY = {
    "topology": {"single-switch": {"hosts": 3}},
    "links": {"rate": "100 Gbit/s", "delay": "500 ns", "flow_control": "none"},
    "switches": {"output_queue": "200 kB"},
    "traffic": [{"from": ["H1", "H2"], "to": "H3"}],
    "measure": {"duration": "10 us"},
}
PAUSED = LOSSY | {
    "links": {"rate": "100 Gbit/s", "delay": "500 ns", "flow_control": "pfc"},
    "switches": {"buffer": "1 MB"},
}


def diagnosis(scheme, base=PAUSED):
    """The places of all errors with their facts, and the sentences about what works to no effect."""
    try:
        checked = congestree.check(base | {"scheme": scheme})
    except congestree.ScenarioError as error:
        return {told["path"]: told["fact"] for told in error.complaints}, []
    return {}, without_effect.sentences(checked["scenario"])


def kebab(name):
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).strip("-")


LEAST = [
    kebab(name)
    for name, part in vars(react).items()
    if dataclasses.is_dataclass(part) and "min_rate" in {field.name for field in dataclasses.fields(part)}
]


def test_reactions_with_a_least_rate_are_known():
    assert {"dcqcn", "timely", "pcn", "hpcc", "power-tcp"} <= set(LEAST)


@pytest.mark.parametrize("name", LEAST)
def test_a_least_rate_above_that_of_the_links_is_refused(name):
    """No source would ever slow down."""
    marks = {"dcqcn": {"mark": "red", "notify": "cnp"}, "pcn": {"mark": "np-ecn"}}.get(name, {})
    errors, _ = diagnosis(marks | {"react": {name: {"min_rate": "200 Gbit/s"}}})
    assert list(errors) == [f"scheme.react.{name}.min_rate"]
    assert diagnosis(marks | {"react": {name: {"min_rate": "50 Gbit/s"}}}) == ({}, [])


@pytest.mark.parametrize("own", [{}, {"rate": "400 Gbit/s"}])
def test_hosts_with_faster_links_of_their_own_may_have_a_least_rate_above_that_of_the_others(own):
    ends = [{"a": host, "b": "S", **own} for host in ("H1", "H2", "H3")]
    graph = {"hosts": ["H1", "H2", "H3"], "switches": ["S"], "links": ends}
    errors, _ = diagnosis({"react": {"timely": {"min_rate": "200 Gbit/s"}}}, PAUSED | {"topology": {"graph": graph}})
    assert bool(errors) == (not own)


RED = {"mark": {"red": {"min": "65 kB", "max": "65 kB"}}, "react": "dctcp"}
FECN = {"react": "cct", "notify": "cnp"}
PAIRS = [
    ("react.power-tcp", "slack", 1.5, {"signal": "delay"}, {"signal": "telemetry"}, {}, PAUSED),
    ("react.power-tcp", "target", 0.5, {}, {"signal": "delay"}, {}, PAUSED),
    ("react.timely", "segment", "64 KiB", {}, {"model": "hpcc"}, {}, PAUSED),
    ("react.swift", "retx_reset", 2, {}, {}, {}, PAUSED),
    ("transport.uet.nscc", "target_share", 0.3, {}, {"target": "5 us"}, {}, LOSSY),
    ("transport.go-back-n", "ack_flush", "5 us", {"ack_every": 2}, {"ack_every": 1}, {}, LOSSY),
    ("transport.efl", "ack_flush", "5 us", {"probe_packets": 0}, {"ack_every": 1, "probe_packets": 0}, {}, LOSSY),
    ("mark.red", "probability", 0.1, {"min": "60 kB", "max": "65 kB"}, {"min": "65 kB", "max": "65 kB"}, RED, PAUSED),
    ("mark.fecn", "threshold", 3, {}, {"enter": "10 kB"}, FECN, PAUSED),
    ("mark.fecn", "marking_rate", 3, {}, {"share": 0.5}, FECN, PAUSED),
    ("mark.root", "marking_rate", 3, {}, {"share": 0.5}, {"preset": "ccfit"}, PAUSED),
]


def within(path, values, others):
    """A scheme with these values at a path, in addition to others."""
    for name in reversed(path.split(".")):
        values = {name: values}
    return others | values


@pytest.mark.parametrize(
    ("path", "key", "value", "acts", "idles", "others", "base"), PAIRS, ids=[f"{pair[0]}.{pair[1]}" for pair in PAIRS]
)
def test_a_key_that_cannot_act_beside_another_is_named(path, key, value, acts, idles, others, base):
    errors, notes = diagnosis(within(path, idles | {key: value}, others), base)
    place = f"scheme.{path}.{key}"
    assert list(errors) == [place] or [note.startswith(f"{place} = ") for note in notes] == [True]
    assert "has no effect" in "".join([*errors.values(), *notes])
    repaired = {"transport": "irn"} if path == "react.swift" else {}
    for silent in (within(path, acts | {key: value}, others) | repaired, within(path, idles, others)):
        assert diagnosis(silent, base) == ({}, [])


@pytest.mark.parametrize("probability", [0.2, 1.0])
def test_a_step_of_red_may_be_written_with_the_usual_probability_or_one(probability):
    assert diagnosis(within("mark.red", RED["mark"]["red"] | {"probability": probability}, RED)) == ({}, [])
