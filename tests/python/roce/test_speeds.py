"""Thresholds that are for ports of one rate, and in proportion at others, are written for the ports that are there."""

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
    sections, _ = roce.read(tmp_path / "config_db.json", ports=9)
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
