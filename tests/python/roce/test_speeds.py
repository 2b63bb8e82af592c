"""Thresholds that are for ports of one rate, and in proportion at others, are written for the ports that are there."""

import json

import pytest

import congestree
from congestree import document
from congestree.formats import roce

MIXED = """
name = "hosts at 400 Gbit/s below spines at 800"

[topology.clos]
down = [4, 2]
up = [2]
rates = ["400 Gbit/s", "800 Gbit/s"]
delays = ["25 ns", "150 ns"]

[links]
rate = "400 Gbit/s"
flow_control.pfc.threshold.dynamic = { alpha = 0.125, for_rate = "400 Gbit/s" }

[switches]
shared_memory.size = "20 MB"

[scheme]
preset = "dcqcn-vendor"
mark.red = { min = "400 kB", max = "1600 kB", probability = 0.2, for_rate = "400 Gbit/s" }

[[traffic]]
from = "all"
pattern = "uniform"
arrivals.poisson.load = 0.3

[measure]
duration = "10 us"
"""
STAR = """
links.rate = "400 Gbit/s"
links.delay = "25 ns"
links.flow_control.pfc.threshold.dynamic = { alpha = 0.125, for_rate = "100 Gbit/s" }
switches.shared_memory.size = "2 MB"
topology.single-switch.hosts = 9

[[traffic]]
from = ["H1", "H2", "H3", "H4", "H5", "H6"]
to = "H9"

[measure]
duration = "100 us"
probes = ["pauses"]
"""


def resolved(text, values=None):
    return congestree.check(document.parse(text, "toml"), values=values)["scenario"]


def rows(scenario):
    """Of pg_profile_lookup.ini: dynamic_th by speed; and the notes."""
    text, notes = roce.write(scenario, "sonic-pg")
    return {int(row.split()[0]): int(row.split()[5]) for row in text.splitlines()[1:]}, notes


def test_alpha_is_that_of_the_ports_of_a_profile():
    found, notes = rows(resolved(MIXED))
    assert found == {400_000: -3, 800_000: -2} and not any("dynamic_th" in note for note in notes)
    odd = resolved(MIXED, {"links.flow_control.pfc.threshold.dynamic.for_rate": "500 Gbit/s"})
    found, notes = rows(odd)
    assert found == {400_000: -3, 800_000: -2}
    told = [note for note in notes if "dynamic_th" in note]
    assert [note.partition("; ")[2] for note in told] == [
        "the scenario has 0.1 at 400000 Mbit/s",
        "the scenario has 0.2 at 800000 Mbit/s",
    ]


def test_what_is_written_pauses_as_the_scenario_does(tmp_path):
    before = resolved(STAR)
    (tmp_path / "config_db.json").write_text(roce.write(before, "sonic")[0])
    sections, _ = roce.read(tmp_path / "config_db.json", ports=[9])
    back = roce.merged(document.parse(STAR, "toml"), sections)
    runs = [congestree.run(scenario) for scenario in (before, back)]
    assert runs[0].pause_counters["rx_pause"].sum() > 0
    assert runs[0].fingerprint == runs[1].fingerprint


@pytest.mark.parametrize("form", ["sonic", "sonic-pg"])
def test_profiles_in_proportion_to_speed_are_read_as_such(tmp_path, form):
    (tmp_path / "file").write_text(roce.write(resolved(MIXED), form)[0])
    for speed, cable, alpha in ((400, 5, 0.125), (800, 30, 0.25)):
        sections, notes = roce.read(tmp_path / "file", profiles=[f"pg_lossless_{speed}000_{cable}m_profile"])
        dynamic = sections["links"]["flow_control"]["pfc"]["threshold"]["dynamic"]
        assert (dynamic["alpha"], dynamic["for_rate"]) == (alpha, f"{speed} Gbit/s")
        assert any("in proportion to the speed" in note for note in notes)


def test_profiles_of_the_same_alpha_have_no_rate_that_it_is_for(tmp_path):
    same = document.set_value(document.parse(MIXED, "toml"), "links.flow_control.pfc.threshold.dynamic", {"alpha": 0.5})
    (tmp_path / "file").write_text(roce.write(congestree.check(same)["scenario"], "sonic-pg")[0])
    sections, _ = roce.read(tmp_path / "file", profiles=["pg_lossless_400000_5m_profile"])
    assert "for_rate" not in sections["links"]["flow_control"]["pfc"]["threshold"]["dynamic"]


RED = "scheme.mark.red"


def profiles(scenario, **options):
    """The thresholds of every WRED profile by its name, and the notes."""
    text, notes = roce.write(scenario, "sonic", **options)
    found = json.loads(text)["WRED_PROFILE"]
    return {n: (int(one["green_min_threshold"]), int(one["green_max_threshold"])) for n, one in found.items()}, notes


def test_marks_are_those_of_the_ports_of_the_switch():
    found, notes = profiles(resolved(MIXED), switch="spine0")
    assert found == {"AZURE_LOSSLESS": (800_000, 3_200_000)}
    assert "thresholds are those of ports of 800 Gbit/s" in notes


def test_ports_of_several_speeds_have_a_profile_for_each():
    found, notes = profiles(resolved(MIXED))
    assert found == {"AZURE_LOSSLESS_400000": (400_000, 1_600_000), "AZURE_LOSSLESS_800000": (800_000, 3_200_000)}
    (said,) = [note for note in notes if note.startswith("AZURE_LOSSLESS_800000")]
    assert "is for Ethernet16, Ethernet20: its thresholds" in said
    (row,) = [note for note in notes if "row in QUEUE" in note]
    assert '"Ethernet16|3": {"wred_profile": "AZURE_LOSSLESS_800000"}' in row
    same, _ = profiles(resolved(MIXED.replace('0.2, for_rate = "400 Gbit/s"', "0.2")))
    assert same == {"AZURE_LOSSLESS": (400_000, 1_600_000)}


def test_a_port_whose_link_has_two_rates_marks_at_what_it_sends_and_pauses_at_what_it_receives():
    scenario = document.parse(MIXED, "toml") | {"traffic": [{"from": "H1", "to": "H2"}]}
    to, back = ({"rate": f"{one} Gbit/s", "rate_back": f"{other} Gbit/s"} for one, other in ((100, 400), (200, 100)))
    links = [{"a": "H1", "b": "S", **to}, {"a": "S", "b": "H2", **back}]
    scenario["topology"] = {"graph": {"hosts": ["H1", "H2"], "switches": ["S"], "links": links}}
    scenario = congestree.check(scenario)["scenario"]
    found, _ = profiles(scenario)
    assert found == {"AZURE_LOSSLESS_200000": (200_000, 800_000), "AZURE_LOSSLESS_400000": (400_000, 1_600_000)}
    assert rows(scenario)[0] == {100_000: -5}


@pytest.mark.parametrize("buffers", [True, False])
def test_profiles_of_marks_for_several_speeds_are_read_as_such(tmp_path, buffers):
    """By the speed of the lossless profile that is named, or by their own names."""
    tables = json.loads(roce.write(resolved(MIXED), "sonic")[0])
    tables = tables if buffers else {"WRED_PROFILE": tables["WRED_PROFILE"]}
    (tmp_path / "config_db.json").write_text(json.dumps(tables))
    for speed, cable, low in ((400, 5, "400000 B"), (800, 30, "800000 B")):
        name = f"pg_lossless_{speed}000_{cable}m_profile" if buffers else f"AZURE_LOSSLESS_{speed}000"
        sections, notes = roce.read(tmp_path / "config_db.json", profiles=[name])
        red = document.get(sections, RED)
        assert (red["min"], red["for_rate"]) == (low, f"{speed} Gbit/s")
        assert any("marks are in proportion to the speed" in note for note in notes)


def test_profiles_that_only_look_like_it_are_not_in_proportion(tmp_path):
    tables = json.loads(roce.write(resolved(MIXED), "sonic")[0])
    marks = tables["WRED_PROFILE"]
    for change in ({"green_max_threshold": "3200001"}, {"green_drop_probability": "7"}, {"ecn": "ecn_none"}):
        changed = marks | {"AZURE_LOSSLESS_800000": marks["AZURE_LOSSLESS_800000"] | change}
        (tmp_path / "config_db.json").write_text(json.dumps({"WRED_PROFILE": changed}))
        sections, notes = roce.read(tmp_path / "config_db.json", profiles=["AZURE_LOSSLESS_400000"])
        assert ("for_rate" in document.get(sections, RED)) == ("green_max_threshold" in change)
        assert any("those of this profile hold at all ports" in note for note in notes) != (
            "green_max_threshold" in change
        )


INCREASES = {
    "scheme.preset": "dcqcn-vendor",
    "scheme.react.dcqcn": {"additive": "40 Mbit/s", "hyper": "400 Mbit/s", "for_rate": "100 Gbit/s"},
}


def test_increases_are_those_of_the_rate_at_which_hosts_send():
    """They were those of `links.rate`, which no host has here: twice as large."""
    slower = MIXED.replace('rates = ["400 Gbit/s", "800 Gbit/s"]', 'rates = ["200 Gbit/s", "800 Gbit/s"]')
    text, notes = roce.write(resolved(slower, INCREASES), "mlx5")
    written = dict(line.split() for line in text.splitlines())
    assert (written["rpg_ai_rate"], written["rpg_hai_rate"]) == ("80", "800")
    assert "rates are those of links of 200 Gbit/s" in notes


def test_increases_in_proportion_to_several_rates_are_no_file():
    """Each rate of hosts would need a file of its own."""
    links = [{"a": f"h{i}", "b": "s", "rate": f"{rate} Gbit/s"} for i, rate in enumerate([100, 100, 200])]
    graph = {"graph": {"hosts": ["h0", "h1", "h2"], "switches": ["s"], "links": links}}
    scenario = congestree.check(
        {
            "topology": graph,
            "links": {"rate": "400 Gbit/s"},
            "traffic": [{"from": "h0", "to": "h2"}],
            "measure": {"duration": "10 us"},
        },
        values=INCREASES,
    )["scenario"]
    with pytest.raises(roce.RoceError, match=r"100 Gbit/s \(h0, h1\) and 200 Gbit/s \(h2\)"):
        roce.write(scenario, "mlx5")
    same = document.without(scenario, "scheme.react.dcqcn.for_rate")
    assert "rpg_ai_rate 40\n" in roce.write(same, "mlx5")[0]
