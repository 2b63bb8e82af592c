"""Buffers of SONiC switches as the memory of a scenario's switches, and back."""

import copy
import json

import pytest

import congestree
from congestree import document
from congestree.formats import roce
from congestree.formats.roce import RoceError

from .tables import BASE, CONFIG, LOOKUP, POOL, PORTS, PROFILE, checked, put


def test_buffers_become_the_memory_of_switches(written):
    sections, notes = roce.read(written())
    links, shared = sections["links"], sections["switches"]["shared_memory"]
    pfc = links["flow_control"]["pfc"]
    assert (links["rate"], links["delay"], links["lanes"]) == ("100 Gbit/s", "200 ns", 8)
    assert pfc["threshold"] == {"dynamic": {"alpha": 0.125, "offset": "0 B"}}
    assert pfc["lossless"] == [3, 4] and links["service_lanes"] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert pfc["watchdog"] == {"action": "forward", "detection_time": "100 ms", "restoration_time": "300 ms"}
    assert pfc["losses"] == "stop" and any("sends in spite of pauses" in note for note in notes)
    # size is xon + xoff, so that the headroom is part of it.
    assert (shared["reserved"], shared["headroom"]) == ("18432 B", "37888 B")
    assert shared["size"] == f"{10_000_000 + 3 * (8 * 18432 + 2 * 37888)} B"
    assert "that of 3 ports" in notes[0]


@pytest.mark.parametrize("table", ["PFC_WD", "PORT_QOS_MAP"])
def test_a_key_may_name_several_ports(written, table):
    row = CONFIG[table]["Ethernet0"]
    assert roce.read(written(put(table, {",".join(PORTS): row}))) == roce.read(written())


def test_priorities_that_pause_are_in_any_order(written):
    for text in ("4,3", "4, 3"):
        assert roce.read(written(put("PORT_QOS_MAP", "Ethernet4", "pfc_enable", text))) == roce.read(written())


def test_times_of_the_watchdog_are_those_that_sonic_takes(written):
    scenario = checked(roce.read(written())[0])
    watchdog = scenario["links"]["flow_control"]["pfc"]["watchdog"]
    for detection, restoration, row in (
        ("20 s", "1 us", ("5000", "100")),
        ("100 ms", "70 s", ("100", "60000")),
        ("200.4 ms", "60 s", ("200", "60000")),
    ):
        watchdog |= {"detection_time": detection, "restoration_time": restoration}
        text, notes = roce.write(scenario, "sonic")
        found = json.loads(text)["PFC_WD"]["Ethernet0"]
        assert (found["detection_time"], found["restoration_time"]) == row
        told = " ".join(notes)
        assert ("SONiC takes 100 to 5000 ms" in told) == (row[0] == "5000")
        assert ("SONiC takes 100 to 60000 ms" in told) == (restoration != "60 s")
        assert ("detection_time is 200 ms, and the scenario has 200.4 ms" in told) == (row[0] == "200")


def test_queues_of_lossy_priorities_have_a_share_of_the_free_memory(written):
    sections, notes = roce.read(written())
    assert sections["switches"]["shared_memory"]["lossy_alpha"] == 0.5
    (note,) = [note for note in notes if "ingress_lossy_profile" in note]
    assert "is left out" in note
    own, notes = roce.read(written(put("BUFFER_PROFILE", "egress_lossy_profile", "size", "1518")))
    assert own == sections and any("have 1518 B for themselves, which is left out" in note for note in notes)
    without, _ = roce.read(written(put("BUFFER_QUEUE", None)))
    assert "lossy_alpha" not in without["switches"]["shared_memory"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put("PORT_QOS_MAP", None), "Ethernet0, Ethernet4, Ethernet8 without a pfc_enable"),
        (put("PORT_QOS_MAP", "Ethernet4", {"dscp_to_tc_map": "AZURE"}), "Ethernet4 without a pfc_enable"),
    ],
)
def test_ports_that_pause_nothing_on_the_switch_are_told(written, change, said):
    notes = roce.read(written(change))[1]
    assert any(note.startswith(said) and "taken to pause here" in note for note in notes)
    assert not any("pfc_enable" in note for note in roce.read(written())[1])


def test_a_switch_of_mellanox_is_read_with_its_usual_profiles(written):
    """Egress profiles as SONiC gives them to switches of Mellanox: an exponent of 7 means no bound."""

    def usual(config):
        config["BUFFER_POOL"]["egress_lossless_pool"]["mode"] = "dynamic"
        put(
            "BUFFER_PROFILE",
            "egress_lossless_profile",
            {"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "7"},
        )(config)

    sections, notes = roce.read(written(usual))
    plain, _ = roce.read(written())
    assert sections == plain
    (note,) = [note for note in notes if "without bound" in note]
    assert "egress_lossless_profile" in note
    assert checked(sections)


def test_a_switch_of_broadcom_is_read_with_its_usual_profiles(written):
    """Tables in the shape that SONiC's documents show: a size below xon, lossy queues with a share of a static pool."""

    def usual(config):
        config["BUFFER_POOL"][POOL] |= {"size": "26284032", "xoff": "6291456"}
        config["BUFFER_POOL"]["egress_lossless_pool"]["size"] = "32575488"
        config["BUFFER_PROFILE"] |= {
            PROFILE: {
                "pool": f"[BUFFER_POOL|{POOL}]",
                "size": "1248",
                "xon": "2288",
                "xon_offset": "2288",
                "xoff": "177632",
                "dynamic_th": "-3",
            },
            "ingress_lossy_profile": {"pool": POOL, "size": "0", "static_th": "32575488"},
            "egress_lossless_profile": {
                "mode": "static",
                "pool": "egress_lossless_pool",
                "size": "0",
                "static_th": "32575488",
            },
            "egress_lossy_profile": {
                "mode": "dynamic",
                "pool": "egress_lossless_pool",
                "size": "0",
                "dynamic_th": "3",
            },
        }

    sections, notes = roce.read(written(usual))
    shared = sections["switches"]["shared_memory"]
    assert (shared["reserved"], shared["headroom"], shared["lossy_alpha"]) == ("1248 B", "177632 B", 8.0)
    assert any("xon of 2288 is left out" in note for note in notes)
    assert checked(sections)


def test_a_headroom_that_ports_share_goes_there_and_back(written, tmp_path):
    def sharing(config):
        config["BUFFER_POOL"]["ingress_lossless_pool"]["xoff"] = "100000"
        config["BUFFER_PROFILE"][PROFILE]["size"] = "18432"

    sections, notes = roce.read(written(sharing))
    shared = sections["switches"]["shared_memory"]
    assert (shared["reserved"], shared["headroom"], shared["headroom_pool"]) == ("18432 B", "37888 B", "100000 B")
    assert shared["size"] == f"{10_000_000 + 3 * 8 * 18432 + 100_000} B"
    # Three ports with two lossless priorities may have 227,328 B.
    assert sections["links"]["flow_control"]["pfc"]["losses"] == "stop" and "is a bet" in notes[1]
    scenario = checked(sections)
    assert congestree.network(scenario)["shared_memory"] == [10_000_000]
    back = json.loads(roce.write(scenario, "sonic")[0])
    pool = {"type": "ingress", "mode": "dynamic", "size": "10000000", "xoff": "100000"}
    assert back["BUFFER_POOL"]["ingress_lossless_pool"] == pool
    assert back["BUFFER_PROFILE"][PROFILE]["size"] == back["BUFFER_PROFILE"][PROFILE]["xon"] == "18432"
    obeyed = put("PFC_WD", None)  # a watchdog that forwards would be a reason of its own

    def enough_for_all(config):
        for change in (sharing, obeyed, put("BUFFER_POOL", POOL, "xoff", "227328")):
            change(config)

    enough, notes = roce.read(written(enough_for_all))
    assert "losses" not in enough["links"]["flow_control"]["pfc"] and "bet" not in " ".join(notes)
    checked(enough)


def test_the_ports_share_the_pool_and_nothing_else(written):
    sections, _ = roce.read(written())
    network = congestree.network(checked(sections))
    assert network["shared_memory"] == [10_000_000]
    assert all(link["headroom_b"] < 37_888 for link in network["links"])


def test_what_was_read_runs_and_pauses_in_its_lane_alone(written):
    def small(config):
        config["BUFFER_POOL"]["ingress_lossless_pool"]["size"] = "200000"

    sections, _ = roce.read(written(small))
    scenario = roce.merged(document.parse(BASE, "toml"), sections)
    scenario["measure"] |= {"audit": True, "probes": ["pauses"]}
    run = congestree.run(scenario)
    table = run.arrow("pauses")
    assert run.stopped is None and table.num_rows > 10 and set(table["lane"].to_pylist()) == {3}


def test_tables_come_back_as_they_were(written, tmp_path):
    """From a file to a scenario and back; what lossy priorities may hold at inputs is not kept."""
    sections, _ = roce.read(written())
    text, notes = roce.write(checked(sections), "sonic")
    again, expected = json.loads(text), copy.deepcopy(CONFIG)
    del expected["BUFFER_PROFILE"]["ingress_lossy_profile"]
    expected["BUFFER_PG"] = {f"{port}|3-4": {"profile": PROFILE} for port in PORTS}
    expected["PORT"] = {port: {"speed": "100000"} for port in PORTS}
    assert {table: again[table] for table in expected} == expected
    assert all("Ethernet0" in note for note in notes)


@pytest.mark.parametrize(
    ("shared", "pfc"),
    [
        ({"size": "3 MB", "reserved": "0 B", "headroom": "40000 B"}, {"threshold": {"dynamic": {"alpha": 4.0}}}),
        ({"size": "3 MB", "reserved": "2000 B", "headroom": "40000 B"}, {"lossless": [0, 2, 3, 4]}),
        (
            {"size": "3 MB", "reserved": "2000 B", "headroom": "40000 B"},
            {"threshold": {"static": {"xoff": "90000 B", "xon": "70000 B"}}, "lossless": [5]},
        ),
    ],
)
def test_a_scenario_comes_back_as_it_was(tmp_path, shared, pfc):
    sections = {
        "links": {"rate": "100 Gbit/s", "delay": "500 ns", "lanes": 8, "service_lanes": [*range(8)]}
        | {"flow_control": {"pfc": pfc}},
        "switches": {"shared_memory": shared},
    }
    scenario = checked(sections)
    text, _ = roce.write(scenario, "sonic")
    (tmp_path / "back.json").write_text(text)
    again, _ = roce.read(tmp_path / "back.json", profiles=())
    there, back = scenario, checked(again)
    for keys in (("links", "rate"), ("links", "delay"), ("links", "lanes")):
        assert there[keys[0]][keys[1]] == back[keys[0]][keys[1]]
    there, back = (one["links"]["flow_control"]["pfc"] for one in (there, back))
    assert there.get("lossless", [*range(8)]) == back["lossless"]
    pool = int(json.loads(text)["BUFFER_POOL"]["ingress_lossless_pool"]["size"])
    if "threshold" in pfc:
        assert there["threshold"] == back["threshold"]
    else:  # by default an input may take all that is shared
        static = back["threshold"]["static"]
        assert [congestree.quantities.size(static[key]) for key in ("xoff", "xon")] == [pool, pool]
    for key in ("size", "reserved", "headroom"):
        assert congestree.quantities.size(checked(again)["switches"]["shared_memory"][key]) == (
            congestree.quantities.size(shared[key])
        )


def test_headroom_that_nobody_gave_is_written_as_every_link_needs_it(tmp_path):
    sections = {
        "links": {"rate": "100 Gbit/s", "delay": "200 ns", "flow_control": {"pfc": {"threshold": {"dynamic": {}}}}},
        "switches": {"shared_memory": {"size": "2 MB"}},
    }
    scenario = checked(sections)
    needed = {link["headroom_b"] for link in congestree.network(scenario)["links"]}
    text, notes = roce.write(scenario, "sonic-pg")
    speed, cable, size, xon, xoff, threshold, offset = text.splitlines()[1].split()
    assert len(text.splitlines()) == 2
    assert len(notes) == 1 and "response is 0 ns), and counts no buffer cells" in notes[0]
    scenario["links"]["flow_control"]["pfc"]["response"] = "300 ns"
    assert all("response" not in note for form in ("sonic-pg", "sonic") for note in roce.write(scenario, form)[1])
    assert (speed, cable, threshold, offset) == ("100000", "40m", "-3", "3000")
    assert {int(xoff)} == needed and int(size) == int(xon) + int(xoff)
    (tmp_path / "pg.ini").write_text(text)
    again, _ = roce.read(tmp_path / "pg.ini")
    assert again["switches"]["shared_memory"] == {"reserved": "4000 B", "headroom": f"{xoff} B"}
    assert again["links"]["flow_control"]["pfc"]["threshold"] == {"dynamic": {"alpha": 0.125, "offset": "3000 B"}}
    # A byte less is refused: the written value is the required one.
    again["switches"]["shared_memory"]["headroom"] = f"{int(xoff) - 1} B"
    with pytest.raises(congestree.ScenarioError, match="has no room for the"):
        checked(again)


def test_a_lookup_file_gives_the_row_that_is_named(written):
    path = written(text=LOOKUP, name="pg_profile_lookup.ini")
    with pytest.raises(RoceError, match="there are 2 profiles"):
        roce.read(path)
    sections, notes = roce.read(path, profiles=[PROFILE])
    assert sections["switches"]["shared_memory"] == {"reserved": "18432 B", "headroom": "37888 B"}
    assert sections["links"]["delay"] == "200 ns" and "there is no pool" in notes[0]
    forty, _ = roce.read(path, profiles=["pg_lossless_40000_5m_profile"])
    assert forty["links"]["flow_control"]["pfc"]["threshold"] == {"dynamic": {"alpha": 1.0, "offset": "0 B"}}
    checked(sections), checked(forty)


@pytest.mark.parametrize("threshold", [{"static": {"xoff": "120000 B", "xon": "90000 B"}}, None])
def test_thresholds_in_bytes_come_back_from_a_lookup_file(tmp_path, threshold):
    """SONiC takes the column for static_th if the pool is static; without one in the scenario it is all of the pool."""
    links = {
        "rate": "100 Gbit/s",
        "delay": "200 ns",
        "flow_control": {"pfc": {"threshold": threshold} if threshold else {}},
    }
    scenario = checked({"links": links, "switches": {"shared_memory": {"size": "2 MB", "headroom": "35840 B"}}})
    text, notes = roce.write(scenario, "sonic-pg")
    assert any("for an ingress_lossless_pool of mode static" in note for note in notes)
    (tmp_path / "pg.ini").write_text(text)
    sections, notes = roce.read(tmp_path / "pg.ini")
    assert any("for an ingress_lossless_pool of mode static" in note for note in notes)
    pool = f"{congestree.network(scenario)['shared_memory'][0]} B"
    expected = threshold or {"static": {"xoff": pool, "xon": pool}}
    assert sections["links"]["flow_control"]["pfc"]["threshold"] == expected
    checked(roce.merged({"switches": {"shared_memory": {"size": "2 MB"}}}, sections))


def test_switches_that_share_different_memory_have_the_most_of_it_as_threshold(tmp_path):
    """A lookup file is for all switches."""
    hosts = [f"H{host}" for host in range(1, 5)]
    links = [{"a": host, "b": "S" if host != "H4" else "T"} for host in hosts] + [{"a": "S", "b": "T"}]
    graph = {"graph": {"hosts": hosts, "switches": ["T", "S"], "links": links}}
    memory = {"size": "2 MB", "headroom": "35840 B", "reserved": "10 kB"}
    flow = {"links": {"rate": "100 Gbit/s", "flow_control": {"pfc": {}}}}
    scenario = checked({"topology": graph, "switches": {"shared_memory": memory}} | flow)
    text, notes = roce.write(scenario, "sonic-pg")
    shared = congestree.network(scenario)["shared_memory"]
    assert len({*shared}) == 2 and {row.split()[5] for row in text.splitlines()[1:]} == {str(max(shared))}
    assert any(f"{min(shared)} B to {max(shared)} B by switch: all have the most" in note for note in notes)
    assert not any("--switch" in note for note in notes)


def test_alpha_that_is_no_power_of_two_is_rounded_and_that_is_said():
    pfc = {"threshold": {"dynamic": {"alpha": 0.3}}}
    sections = {"links": {"flow_control": {"pfc": pfc}}, "switches": {"shared_memory": {"size": "2 MB"}}}
    text, notes = roce.write(checked(sections), "sonic-pg")
    assert text.splitlines()[1].split()[5] == "-2" and "alpha of 0.25; the scenario has 0.3" in notes[-1]


LINKS = [{"a": f"H{host}", "b": "S", "delay": f"{delay} ns"} for host, delay in ((1, 0), (2, 3), (3, 5))]
LINKS[0]["rate_back"] = "100 Gbit/s"  # a pause is longer on its way
SHORT = {
    "topology": {"graph": {"hosts": ["H1", "H2", "H3"], "switches": ["S"], "links": LINKS}},
    "links": {
        "rate": "200 Gbit/s",
        "lanes": 8,
        "service_lanes": [*range(8)],
        "flow_control": {"pfc": {"threshold": {"dynamic": {}}, "response": "1 us", "lossless": [3, 4]}},
    },
    "switches": {"shared_memory": {"size": "4 MB"}},
}


def test_ports_of_one_speed_and_cable_have_one_profile_with_the_most_headroom(tmp_path):
    scenario = checked(SHORT)
    longer = document.set_value(SHORT, "topology.graph.links", [link | {"delay": "5 ns"} for link in LINKS])
    need = {link["headroom_b"] for link in congestree.network(checked(longer))["links"]}
    assert len(need) == 2
    text, notes = roce.write(scenario, "sonic-pg")
    (tmp_path / "pg.ini").write_text(text)
    (row,) = [line.split() for line in text.splitlines()[1:]]
    # A cable of 0 m would be a port without lossless traffic.
    assert (row[:2], int(row[4])) == (["200000", "1m"], max(need))
    assert any("0 m means" in note for note in notes) and any(f"{max(need)} B: all have" in note for note in notes)
    assert roce.read(tmp_path / "pg.ini")[0]["switches"]["shared_memory"]["headroom"] == f"{max(need)} B"
    text, _ = roce.write(scenario, "sonic")
    (tmp_path / "sonic.json").write_text(text)
    again, _ = roce.read(tmp_path / "sonic.json")
    assert again["switches"]["shared_memory"]["headroom"] == f"{max(need)} B"
    # What some ports have more, all share less: the switch has as much memory as before.
    assert congestree.quantities.size(again["switches"]["shared_memory"]["size"]) == 4_000_000
    assert set(json.loads(text)["CABLE_LENGTH"]["AZURE"].values()) == {"1m"}


@pytest.mark.parametrize("delay", [0, 1, 102, 200, 1003])
def test_headroom_is_enough_for_the_cable_that_stands_beside_it(written, delay):
    """A cable has whole metres of 5 ns, so that it may be longer than the link."""
    links = {"rate": "100 Gbit/s", "delay": f"{delay} ns", "flow_control": {"pfc": {}}}
    scenario = checked({"links": links, "switches": {"shared_memory": {"size": "4 MB"}}})
    text, notes = roce.write(scenario, "sonic")
    sections, _ = roce.read(written(text=text))
    need = {link["headroom_b"] for link in congestree.network(checked(sections))["links"]}
    assert sections["switches"]["shared_memory"]["headroom"] == f"{max(need)} B"
    assert json.loads(text)["BUFFER_POOL"][POOL]["size"] == str(
        congestree.network(checked(sections))["shared_memory"][0]
    )
    # What the scenario gives stays, and a note says if it is too little for the cable.
    given = {link["headroom_b"] for link in congestree.network(scenario)["links"]}
    assert len(given) == 1 and not any("its cable as it is written" in note for note in notes)
    scenario["switches"]["shared_memory"]["headroom"] = f"{max(given)} B"
    _, notes = roce.write(scenario, "sonic")
    assert any("its cable as it is written" in note for note in notes) == (given != need)


@pytest.mark.parametrize("delay", [1, 12, 23, 1000])
def test_headroom_for_a_part_of_a_byte_is_that_of_the_whole_byte(written, delay):
    """It is a byte too much at most, and never too little."""
    links = {"rate": "100 Gbit/s", "delay": f"{delay} ps", "flow_control": {"pfc": {"response": "333 ps"}}}
    text, _ = roce.write(checked({"links": links, "switches": {"shared_memory": {"size": "4 MB"}}}), "sonic")
    headroom = roce.read(written(text=text))[0]["switches"]["shared_memory"]["headroom"]
    cable = checked({"links": links | {"delay": "5 ns"}, "switches": {"shared_memory": {"size": "4 MB"}}})
    need = max(link["headroom_b"] for link in congestree.network(cable)["links"])
    assert need <= congestree.quantities.size(headroom) <= need + 1


def test_marks_that_a_switch_would_never_set_are_told(tmp_path):
    mark = {"red": {"min": "5 MB", "max": "6 MB", "probability": 0.5}}
    scheme = {"preset": "dcqcn-vendor", "mark": mark}
    _, notes = roce.write(checked(SHORT | {"scheme": scheme}), "sonic")
    assert any("green_min_threshold is 5000000, and a queue can hold" in note for note in notes)
    mark["red"] |= {"min": "3 MB", "probability": 0.004}
    with pytest.raises(RoceError, match="green_drop_probability would be 0"):
        roce.write(checked(SHORT | {"scheme": scheme}), "sonic")
    mark["red"]["probability"] = 0.01
    _, notes = roce.write(checked(SHORT | {"scheme": scheme}), "sonic")
    assert not any("never marked" in note for note in notes)


def test_the_command_reads_into_a_scenario_and_writes_it_again(written, tmp_path, congestree_cli):
    written()
    (tmp_path / "base.toml").write_text(BASE)
    done = congestree_cli("cc", "read", "config_db.json", "--into", "base.toml")
    assert "alpha = 0.125" in done.stdout and "duration" in done.stdout and "note: " in done.stderr
    (tmp_path / "study.toml").write_text(done.stdout)
    back = congestree_cli("cc", "write", "study.toml", "--form", "sonic")
    assert json.loads(back.stdout)["BUFFER_PG"] == {f"{port}|3-4": {"profile": PROFILE} for port in PORTS}
    rows = congestree_cli("cc", "write", "study.toml", "--form", "sonic-pg").stdout.splitlines()
    assert rows[1].split() == ["100000", "40m", "56320", "18432", "37888", "-3", "0"]


@pytest.mark.parametrize("shipped", ["roce-incast", "irn-incast", "pfc-incast"])
def test_memory_of_a_switch_takes_the_place_of_what_the_scenario_has(written, tmp_path, congestree_cli, shipped):
    """Buffers by input as well as queues on links without flow control; the note says that they are gone."""
    written()
    done = congestree_cli("cc", "read", "config_db.json", "--into", shipped, "--out", "study.toml")
    gone = {"roce-incast": "switches.buffer", "irn-incast": "switches.output_queue"}.get(shipped)
    assert ("left out of the scenario" in done.stderr) == (gone is not None) and (gone or "") in done.stderr
    assert "traffic without a `service`" in done.stderr and "priority 0, which may lose packets" in done.stderr
    congestree_cli("check", "study.toml")
