"""Settings that are read into a scenario replace what they speak of, and leave the rest."""

import pytest

import congestree
from congestree import document
from congestree.formats import roce

from .tables import BASE, LOOKUP, PROFILE, put

OWN = """
[links]
rate = "100 Gbit/s"
delay = "200 ns"
lanes = 8
service_lanes = [0, 1, 2, 3, 4, 5, 6, 7]

[links.flow_control.pfc]
lossless = [3, 4]
response = "500 ns"
frame = "84 B"
pause_duration.quanta = {}
losses = "count"
storms = [{ host = "H1", lane = 3, start = "10 us", stop = "20 us" }]
threshold.dynamic = { alpha = 0.125 }

[switches.shared_memory]
size = "10 MB"
lossy_alpha = 0.25
"""


def scenario_of(own=OWN):
    """BASE, whose links and switches are these."""
    links = document.parse(own, "toml")
    return document.parse(BASE, "toml") | links


def test_what_a_file_has_no_word_for_remains(tmp_path, congestree_cli):
    """Written and read again, a scenario has the response time, the storms and the losses that it had."""
    before = scenario_of()
    (tmp_path / "own.toml").write_text(document.to_toml(before))
    congestree_cli("cc", "write", "own.toml", "--form", "sonic", "--out", "config_db.json")
    done = congestree_cli("cc", "read", "config_db.json", "--into", "own.toml", "--out", "study.toml")
    assert "left out of the scenario" not in done.stderr
    there, back = (congestree.check(one)["scenario"] for one in (before, tmp_path / "study.toml"))
    assert there["links"]["flow_control"] == back["links"]["flow_control"]
    assert back["switches"]["shared_memory"]["lossy_alpha"] == 0.25


def test_headroom_of_a_file_is_checked_for_the_response_time_of_the_scenario(written):
    """It is enough for senders that stop at once, and not for these."""
    own = scenario_of()
    sections, _ = roce.read(written(put("PFC_WD", None)))
    own["links"]["flow_control"]["pfc"] = {"response": "0 ns"}
    congestree.check(roce.merged(own, sections))
    own["links"]["flow_control"]["pfc"] = {"response": "4 us"}
    with pytest.raises(congestree.ScenarioError, match="until a pause is obeyed"):
        congestree.check(roce.merged(own, sections))


def test_a_lookup_file_leaves_the_memory_and_the_lossless_lanes(written):
    sections, _ = roce.read(written(text=LOOKUP, name="pg.ini"), profiles=[PROFILE])
    merged = roce.merged(scenario_of(), sections)
    assert merged["links"]["flow_control"]["pfc"]["lossless"] == [3, 4]
    assert merged["switches"]["shared_memory"]["size"] == "10 MB"


def test_what_goes_is_named(written):
    """Keys that would change the meaning of those in the file, or that cannot stand beside them."""
    own = scenario_of()
    own["links"]["flow_control"]["pfc"] |= {"counts": "queue", "threshold": {"dynamic": {"for_rate": "100 Gbit/s"}}}
    own["switches"] = {"shared_memory": {"headroom_delays": 3.0, "headroom_pool": "1 MB"}, "buffer": "100 kB"}
    own["scheme"] = {"mark": {"red": {"for_rate": "25 Gbit/s"}}}
    marks = {"AZURE": {"ecn": "ecn_all", "green_min_threshold": "1000", "green_max_threshold": "2000"}}

    def marking(config):
        config["WRED_PROFILE"] = marks

    sections, _ = roce.read(written(marking))
    merged, (note, *_) = roce.merged(own, sections), roce.remarks(own, sections)
    gone = [
        "links.flow_control.pfc.threshold.dynamic.for_rate",
        "links.flow_control.pfc.counts",
        "switches.shared_memory.headroom_delays",
        "switches.shared_memory.headroom_pool",
        "switches.buffer",
        "scheme.mark.red.for_rate",
    ]
    assert note.startswith("left out of the scenario") and set(note.partition(": ")[2].split(", ")) == set(gone)
    assert not any(document.get(merged, path) for path in gone)


@pytest.mark.parametrize("form", ["graph", "clos"])
def test_links_of_hosts_keep_their_rate_when_the_file_of_a_spine_is_read(written, form):
    """The file has ports of 400 Gbit/s; it made those of the hosts as fast, and the congestion went."""
    links = [{"a": host, "b": "leaf"} for host in ("a1", "a2")] + [{"a": "leaf", "b": "spine", "rate": "400 Gbit/s"}]
    graph = {"hosts": ["a1", "a2"], "switches": ["leaf", "spine"], "links": links}
    clos = {"down": [2, 2], "up": [1], "rates": ["100 Gbit/s", "400 Gbit/s"]}
    own = scenario_of() | {"topology": {form: {"graph": graph, "clos": clos}[form]}}

    def of_spine(config):
        config["PORT"] = {port: {"speed": "400000"} for port in config["PORT"]}
        config["BUFFER_PROFILE"]["spine"] = config["BUFFER_PROFILE"].pop(PROFILE)
        config["BUFFER_PG"] = {f"{port}|3-4": {"profile": "spine"} for port in config["PORT"]}

    sections, _ = roce.read(written(of_spine))
    assert roce.merged(own, sections)["links"]["rate"] == "100 Gbit/s"
    told = [note for note in roce.remarks(own, sections) if note.startswith("links.rate")]
    assert len(told) == 1 and "stays 100 Gbit/s" in told[0] and "400 Gbit/s" in told[0]
    own["topology"] = {"single-switch": {"hosts": 3}}
    assert roce.merged(own, sections)["links"]["rate"] == "400 Gbit/s"
    assert "links.rate was 100 Gbit/s, and is 400 Gbit/s as in the file" in roce.remarks(own, sections)
    own["links"]["rate"] = "0.4 Tbit/s"
    assert not any("links.rate" in note for note in roce.remarks(own, sections))


@pytest.mark.parametrize("own", [{"rate": "25 Gbit/s"}, {"delay": "2 us"}, {}])
def test_a_topology_in_a_file_of_its_own_is_read_for_the_rates_of_its_links(written, congestree_cli, tmp_path, own):
    """The links without a rate of their own, here that of the spine, took the rate of the file that was read."""
    links = [{"a": host, "b": "leaf"} | own for host in ("H1", "H2", "H3")] + [{"a": "leaf", "b": "spine"}]
    topology = {"graph": {"hosts": ["H1", "H2", "H3"], "switches": ["leaf", "spine"], "links": links}}
    pauses = {"rate": "400 Gbit/s", "delay": "1 us", "flow_control": "pfc"}
    rest = document.parse(BASE, "toml") | {"links": pauses}
    (tmp_path / "net.toml").write_text(document.to_toml({"topology": topology}))
    (tmp_path / "named.toml").write_text(document.to_toml(rest | {"topology": {"file": "net.toml"}}))
    (tmp_path / "inline.toml").write_text(document.to_toml(rest | {"topology": topology}))
    written()
    merge = ("cc", "read", "config_db.json", "--into")
    named, inline = (congestree_cli(*merge, name) for name in ("named.toml", "inline.toml"))
    assert named.stderr == inline.stderr
    there, whole = (document.parse(done.stdout, "toml") for done in (named, inline))
    assert there == whole | {"topology": {"file": "net.toml"}}
    for key in ("rate", "delay"):
        assert (whole["links"][key] == pauses[key]) == (key in own)


def test_a_topology_whose_routes_need_lanes_is_no_obstacle(written, congestree_cli, tmp_path):
    """Ports of switches are counted without the lanes of the scenario, and routes in a cycle were refused."""
    lanes = {"rate": "100 Gbit/s", "lanes": 2, "hop_lanes": "by-route"}
    topology = {"dragonfly": {"a": 2, "p": 1, "h": 1, "groups": 3}}
    traffic = [{"from": "all", "pattern": "uniform"}]
    own = document.parse(BASE, "toml") | {"links": lanes, "topology": topology, "traffic": traffic}
    (tmp_path / "own.toml").write_text(document.to_toml(own))
    congestree_cli("check", "own.toml")
    written()
    assert "for each of them" in congestree_cli("cc", "read", "config_db.json", "--into", "own.toml").stderr


def test_another_flow_control_goes_as_a_whole(written):
    own = scenario_of('links.rate = "100 Gbit/s"\nlinks.flow_control.credits.unit = "64 B"\n')
    sections, _ = roce.read(written())
    assert roce.merged(own, sections)["links"]["flow_control"] == sections["links"]["flow_control"]
    assert "links.flow_control.credits" in roce.remarks(own, sections)[0]


def test_traffic_in_a_priority_that_loses_is_named_unless_it_says_where_it_goes():
    """By `service` or `lane`."""
    sections = {"links": {"flow_control": {"pfc": {"lossless": [3, 4]}}}}
    own = scenario_of() | {"traffic": [{"name": "silent"}, {"name": "said", "service": 3}, {"name": "own", "lane": 3}]}
    notes = [note for note in roce.remarks(own, sections) if "traffic" in note]
    assert notes == ["traffic without a `service` (silent) is in priority 0, which may lose packets: write service = 3"]
    own["traffic"].pop(0)
    assert not any("traffic" in note for note in roce.remarks(own, sections))
