"""Registers become schemes and schemes registers: exactly, or with a note that gives the difference."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from congestree import check
from congestree.errors import AskedError
from congestree.formats.opensm import Code, Settings, SettingsError, Source, read_text, schemes
from congestree.formats.opensm.scenarios import host_ports, of_scenario, packet_time
from congestree.formats.opensm.schemes import from_scheme
from congestree.gallery.shipped import scenario_path

from .settings import CCMGR, OPENSM, codes, opensm

PACKET = 1_037_000  # ps: 2074 B at 16 Gbit/s

# A scheme with every default, as the engine resolves it: the values of ibccconfig's manual page.
FECN = {
    "threshold": 15,
    "enter": None,
    "gap": "2560 B",
    "fill": "voq",
    "victim_mask": "none",
    "packet_size": "512 B",
    "marking_rate": 1,
    "choice": "random",
}
CCT = {
    "increase": 1,
    "limit": 3,
    "min": 0,
    "timer": "153.6 us",
    "timer_runs": "re-armed",
    "per": "qp",
    "table": {"encoded": ["0:0", "1:1", "1:2", "1:3"]},
}


def registers(fecn=None, cct=None, **known):
    scheme = {"mark": {"fecn": FECN | (fecn or {})}, "react": {"cct": CCT | (cct or {})}}
    return from_scheme(scheme, **{"packet_time": PACKET, "buffer": 32768, **known})


def notes_of(found):
    return " | ".join(map(str, found.notes))


def test_an_opensm_file_is_a_scheme():
    scheme, notes = read_text(OPENSM).to_scheme()
    assert scheme == {
        "preset": "ib-cc",
        "mark": {
            "fecn": {
                "threshold": 11,
                "packet_size": "512 B",
                "marking_rate": 6,
                "victim_mask": {"ports": list(range(1, 37))},
            }
        },
        "react": {
            "cct": {
                "increase": 2,
                "limit": 4,
                "min": 0,
                "timer": "76.8 us",
                "per": "sl",
                "table": {"encoded": ["0:0", "1:1", "1:2", "1:3", "0:2"]},
            }
        },
    }
    assert "only service level 1" in str(notes[0])


def test_what_ccmgr_derives_is_left_to_the_defaults_and_said():
    scheme, notes = read_text("enable TRUE\n").to_scheme()
    assert scheme["mark"]["fecn"] == {"threshold": 15, "packet_size": "512 B", "marking_rate": 10}
    assert set(scheme["react"]["cct"]) == {"increase", "limit", "min", "per"}
    said = " | ".join(map(str, notes))
    assert "derives the table" in said
    assert "derives the timer" in said
    assert read_text(CCMGR).to_scheme()[0]["react"]["cct"]["timer"] == "153.6 us"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"source_map": 0}, "no service level is set"),
        ({"sources": (Source(timer=1),) * 16}, "increase is 0"),
        ({"table": (Code(0, 1),)}, "no two entries"),
        ({"sources": (Source(increase=1),) * 16}, "timer is 0"),
    ],
)
def test_zeros_of_opensm_mean_off(change, says):
    whole = read_text(OPENSM).replace(source_map=0xFFFF, sources=(Source(timer=1, increase=1),) * 16)
    assert whole.to_scheme()[0]["react"] != "none"
    scheme, notes = whole.replace(**change).to_scheme()
    assert scheme["react"] == "none"
    assert says in " | ".join(map(str, notes))
    assert read_text(OPENSM).replace(enabled=False).to_scheme()[0] == {"preset": "none"}


@pytest.mark.parametrize(
    ("bit", "key", "without"), [(0, "victim_mask", "none"), (2, "threshold", 0), (4, "marking_rate", 0)]
)
def test_a_field_that_the_control_map_does_not_name_has_no_effect(bit, key, without):
    scheme, _ = read_text(OPENSM).replace(control_map=0x15 & ~(1 << bit)).to_scheme()
    assert scheme["mark"]["fecn"][key] == without


def test_service_levels_that_differ_have_to_be_chosen_from():
    both = read_text(OPENSM.replace("control_map 0x0002", "control_map 0x0003") + "cc_ca_cong_setting_ccti_timer 0 9\n")
    with pytest.raises(SettingsError, match="--sl 0"):
        both.to_scheme()
    assert both.to_scheme(1)[0]["react"]["cct"]["timer"] == "76.8 us"
    assert both.to_scheme(5)[0]["react"] == "none"


def test_a_lowest_index_beyond_the_table_is_refused():
    with pytest.raises(SettingsError, match="above the last of the table"):
        read_text(OPENSM + "cc_ca_cong_setting_ccti_min 1 5\n").to_scheme()


def test_a_scheme_is_registers():
    found = registers()
    assert found == Settings(
        enabled=True,
        control_map=0x15,
        threshold=15,
        packet_size=8,
        marking_rate=1,
        source_map=1,
        sources=(Source(timer=150, increase=1), *[Source()] * 15),
        table=(Code(0, 0), Code(1, 1), Code(1, 2), Code(1, 3)),
    )
    assert notes_of(found).count("no register holds") == 2, "the gap, the fill and the choice; how the timer runs"
    assert registers(levels=[0, 3]).source_map == 0b1001
    assert registers(cct={"per": "sl"}).port_control == 1


@given(opensm)
@settings(max_examples=100)
def test_what_has_an_effect_survives_the_way_there_and_back(values):
    try:
        scheme, _ = values.to_scheme(0)
    except SettingsError:
        return
    if scheme == {"preset": "none"} or scheme["react"] == "none":
        return
    whole = {"mark": {"fecn": FECN | scheme["mark"]["fecn"]}, "react": {"cct": CCT | scheme["react"]["cct"]}}
    back = from_scheme(whole, packet_time=PACKET)
    assert back.to_scheme(0)[0] == scheme
    assert (back.table, back.sources[0].timer) == (values.table, values.sources[0].timer)


@pytest.mark.parametrize(
    ("enter", "weight", "off"),
    [("2 KiB", 15, None), ("4 KiB", 14, None), ("30 KiB", 1, None), ("5 KiB", 14, "-1024 B"), ("100 B", 15, "+1948 B")],
)
def test_a_threshold_in_bytes_becomes_the_nearest_weight(enter, weight, off):
    found = registers({"enter": enter})
    assert found.threshold == weight
    assert ("nearest" in notes_of(found)) == (off is not None)
    assert off is None or off in notes_of(found)


def test_a_threshold_in_bytes_needs_a_buffer_in_bytes():
    with pytest.raises(SettingsError, match=r"switches\.buffer in bytes"):
        registers({"enter": "2 KiB"}, buffer=None)


SHARED = {"links.flow_control": "pfc", "switches.shared_memory": {"size": "1 MB"}}


@pytest.mark.parametrize(
    ("values", "weight", "says"),
    [
        ({"switches.buffer": "64 KiB"}, 8, ""),
        ({"switches.buffer": "16 KiB", "switches.lane_buffers": ["64 KiB"]}, 8, ""),
        ({"switches.lane_buffers": ["128 KiB"]}, 12, ""),
        ({"switches.lane_buffers": ["128 KiB"], "switches.buffer": "131072 B", "links.lanes": 2}, 12, ""),
        ({"switches.lane_buffers": ["64 KiB", "128 KiB"], "links.lanes": 2}, None, "the buffers 64 KiB, 128 KiB"),
        ({"switches.lane_buffers": ["128 KiB"], "links.lanes": 2}, None, "the buffers 128 KiB, 64 KiB"),
        ({"links.flow_control": "packet-slots", "switches.buffer": "40 packets"}, None, "no buffer in bytes"),
        ({"links.flow_control": "none", "switches.output_queue": "1 MB"}, None, "no buffer in bytes"),
        (SHARED, None, "no buffer in bytes"),
    ],
)
def test_a_threshold_is_a_share_of_the_buffer_that_lanes_have(values, weight, says):
    """It was one of `switches.buffer`, also where lanes have buffers of their own or inputs share memory."""
    scenario = star(8, 8, mark={"fecn": {"enter": "32 KiB", "victim_mask": "all"}})
    if weight is not None:
        assert of_scenario(scenario, values=values).threshold == weight
        return
    with pytest.raises(SettingsError, match=r"scheme\.mark\.fecn\.enter") as caught:
        of_scenario(scenario, values=values)
    assert says in str(caught.value)


def test_a_table_by_formula_is_rounded_and_says_by_how_much():
    found = registers(cct={"limit": 127, "table": {"quadratic": {"delay": "7 us", "at": 106}}})
    assert len(found.table) == 128
    assert found.table[0] == Code(0, 0)
    assert found.table[106].delay(PACKET) == pytest.approx(7e6, abs=PACKET / 16 + 8)
    assert "delays fall between two entries" in notes_of(found)
    exact = registers(cct={"table": {"delays": ["0 ns", "1.037 us", "518.5 ns", "3.111 us"]}})
    assert [str(code) for code in exact.table] == ["0:0", "0:1", "1:1", "0:3"]
    assert "between two entries" not in notes_of(exact)
    line = registers(cct={"limit": 2, "table": {"linear": {"delay": "2.074 us", "at": 2}}})
    assert [str(code) for code in line.table] == ["0:0", "0:1", "0:2"]


def test_the_delay_that_is_rounded_most_is_named():
    notes = []
    schemes._say_rounding([0, 1000, 3000], [Code(0, 0), Code(0, 1), Code(0, 3)], 900, "table", notes)
    said = "2 of 3 delays fall between two entries and are rounded, by at most 0.3 ns (index 2, 10.00% of 0.003 us)"
    assert [str(note.fact) for note in notes] == [said]


def test_a_timer_between_two_steps_is_rounded_and_says_so():
    assert "multiple of" not in notes_of(registers())
    found = registers(cct={"timer": "150 us"})
    assert found.sources[0].timer == 146
    assert "149.504 us, -0.33%" in notes_of(found)


@pytest.mark.parametrize(
    ("fecn", "cct", "says"),
    [
        ({}, {"timer": "67.2 ms"}, "67107.84 us"),
        ({}, {"timer": "0 ns"}, "1.024 us to"),
        ({}, {"limit": 128}, "end at 127"),
        ({}, {"min": 256}, "end at 255"),
        ({}, {"limit": 5}, "there are 4 entries"),
        ({}, {"table": {"delays": ["0 ns", "1 ns", "2 ns", "20 ms"]}}, "longer than the longest entry"),
        ({"packet_size": "16321 B"}, {}, "ends at 16320 B"),
        ({"victim_mask": {"ports": [255]}}, {}, "1 to 254"),
        ({"victim_mask": "hosts"}, {}, "not known"),
    ],
)
def test_what_registers_cannot_hold_is_refused_with_a_remedy(fecn, cct, says):
    with pytest.raises(SettingsError, match="scheme") as caught:
        registers(fecn, cct)
    assert says in str(caught.value)


def test_other_schemes_are_refused():
    with pytest.raises(SettingsError, match=r"naive.*\n.*lipd"):
        from_scheme({"mark": {"naive": {}}, "react": {"lipd": {}}}, packet_time=PACKET)
    assert from_scheme({"mark": "none", "react": "none"}, packet_time=PACKET) == Settings()


def test_the_mask_of_host_ports_names_the_ports_that_it_covers_too_many():
    found = registers({"victim_mask": "hosts"}, host_ports={"S1": ([1, 2, 3], [4]), "S2": ([1, 2, 3, 4], [5])})
    assert found.victim_mask == 0b11110
    assert "S1 port 4" in notes_of(found)
    same = registers({"victim_mask": "hosts"}, host_ports={"S": ([1, 2], [])})
    assert "covers" not in notes_of(same)
    assert registers({"victim_mask": "all"}).victim_mask == 2**255 - 2


def test_all_ports_of_a_victim_mask_are_bits_1_to_254():
    every = int("7" + "f" * 62 + "e", 16)
    found = registers({"victim_mask": "all"})
    assert found.victim_mask == every
    for mask, said in ((every, "all"), (every + 1, "all"), (every - 0b10, {"ports": [*range(2, 255)]})):
        scheme, _ = found.replace(victim_mask=mask).to_scheme()
        assert scheme["mark"]["fecn"]["victim_mask"] == said


def test_packet_size_counts_64_bytes():
    assert registers({"packet_size": "512 B"}).packet_size == 8
    found = registers({"packet_size": "500 B"})
    assert found.packet_size == 8
    assert "512 B" in notes_of(found)


def test_the_scenario_says_packet_time_and_ports():
    checked = check(scenario_path("test-bed"))
    assert packet_time(checked["scenario"]) == PACKET
    assert host_ports(checked["scenario"]) == {"S1": ([1, 2, 3], [4]), "S2": ([1, 2, 3, 4], [5])}


def test_ports_towards_hosts_have_the_numbers_that_are_printed_on_them():
    """Most switches have ports without a cable: those that follow are not numbered down."""
    graph = {
        "hosts": ["h1", "h2", "h3"],
        "switches": ["leaf", "spine"],
        "links": [
            {"a": "h1", "b": "leaf", "port_b": 21},
            {"a": "spine", "b": "leaf", "port_a": 3, "port_b": 1},
            {"a": "h2", "b": "leaf", "port_b": 40},
            {"a": "h3", "b": "spine", "port_b": 41},
        ],
    }
    scenario = {
        "topology": {"graph": graph},
        "links": {"rate": "100 Gbit/s"},
        "scheme": {"preset": "ib-cc"},
        "traffic": [{"from": "h1", "to": "h2"}],
        "measure": {"duration": "1 us"},
    }
    assert host_ports(check(scenario)["scenario"]) == {"leaf": ([21, 40], [1]), "spine": ([41], [3])}
    registers = of_scenario(scenario)
    assert registers.victim_mask == 1 << 21 | 1 << 40 | 1 << 41
    assert "covers" not in notes_of(registers)


def star(*rates, **scheme):
    """A switch with a host at each of these rates; `links.rate` is that of none."""
    hosts = [f"h{number}" for number in range(len(rates))]
    links = [{"a": host, "b": "s", "rate": f"{rate} Gbit/s"} for host, rate in zip(hosts, rates, strict=True)]
    return {
        "topology": {"graph": {"hosts": hosts, "switches": ["s"], "links": links}},
        "links": {"rate": "400 Gbit/s"},
        "scheme": {"preset": "ib-cc", **scheme},
        "traffic": [{"from": "h0", "to": "h1"}],
        "measure": {"duration": "1 us"},
    }


def tables(**table):
    return {"react": {"cct": {"limit": 1, "table": table}}}


def test_delays_are_entries_by_the_packet_time_of_the_hosts_links():
    """It was that of `links.rate`, which no host had: an entry of twice the packets stood for the delay."""
    scenario = star(200, 200, **tables(delays=["0 ns", "83 ns"]))
    found = of_scenario(scenario)
    assert [str(code) for code in found.table] == ["0:0", "0:1"]
    # A source that heard of congestion waits as long with the entry as with the delay.
    back = star(200, 200, **tables(encoded=[str(code) for code in found.table]))
    assert found.table[1].delay(packet_time(check(back)["scenario"])) == 82_720


def test_a_delay_is_no_entry_where_hosts_send_at_several_rates(congestree_cli, tmp_path):
    rates = [100, 200, 200, 200, 200]
    with pytest.raises(AskedError) as caught:
        of_scenario(star(*rates, **tables(delays=["0 ns", "83 ns"])))
    assert "100 Gbit/s (h0) and 200 Gbit/s (h1, h2, h3 and 1 more)" in str(caught.value)
    assert "scheme.react.cct.table.encoded" in str(caught.value)
    assert of_scenario(star(*rates, **tables(encoded=["0:0", "0:1"]))).table == (Code(0, 0), Code(0, 1))
    assert not of_scenario(star(*rates, react="none")).table
    (tmp_path / "mixed.json").write_text(json.dumps(star(*rates)))
    (tmp_path / "opensm.conf").write_text(OPENSM)
    assert "leave out --at" in congestree_cli("cc", "read", "opensm.conf", "--at", "mixed.json", code=2).stderr


@given(st.lists(codes, min_size=2, max_size=128).map(tuple), st.integers(1, 65535))
@settings(max_examples=50)
def test_schemes_are_plain_values(table, timer):
    source = Source(timer=timer, increase=1)
    scheme, _ = Settings(enabled=True, source_map=1, sources=(source,) * 16, table=table).to_scheme()
    assert json.loads(json.dumps(scheme)) == scheme


def test_the_command_reads_a_file_into_a_scheme(congestree_cli, tmp_path):
    import tomllib

    (tmp_path / "opensm.conf").write_text(OPENSM)
    done = congestree_cli("cc", "read", "opensm.conf", "--at", "test-bed")
    assert tomllib.loads(done.stdout)["scheme"] == read_text(OPENSM).to_scheme()[0]
    assert "33.3% of the line" in done.stderr
    assert "2.074 us after a packet of 1.037 us" in done.stderr
    assert "only service level 1" in done.stderr
    assert json.loads(congestree_cli("cc", "read", "opensm.conf", "--json").stdout)["form"] == "opensm"


def test_a_ccmgr_file_is_told_from_parameters_of_an_adapter(congestree_cli, tmp_path):
    """`threshold` is an option of ccmgr, and the rest of mlx5's rp_threshold."""
    (tmp_path / "ccmgr.conf").write_text("enable TRUE\nthreshold 0xf\nmarking_rate 0xa\ncct 0\nccti_timer 0\n")
    done = congestree_cli("cc", "read", "ccmgr.conf", "--json")
    assert json.loads(done.stdout)["form"] == "ccmgr"
    for text in ("rp_threshold 1\n", "RPG_THRESHOLD_P1=1\n", "cc_params/dce_tcp_g:1019\n", "DCE_TCP_G_P2 1019\n"):
        (tmp_path / "nic.txt").write_text(text)
        assert json.loads(congestree_cli("cc", "read", "nic.txt", "--json").stdout)["form"] == "mlx5"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("cc", "read", "none.conf"), 2, "There is no file none.conf."),
        (("cc", "read", "bad.conf"), 2, 'bad.conf:1: the option "cc_kye" is unknown'),
        (("cc", "read", "bad.conf", "--sl", "16"), 2, "15"),
        (("cc", "write", "none.toml"), 2, "There is no file none.toml."),
        (("cc", "write", "input-triggered"), 2, "InfiniBand know fecn only"),
        (("cc", "write", "test-bed", "--out", "none/cc.conf"), 1, "cannot be written"),
        (("cc", "write", "test-bed", "--form", "ibcc"), 2, "ccmgr"),
    ],
)
def test_mistakes_are_sentences(congestree_cli, tmp_path, arguments, code, says):
    (tmp_path / "bad.conf").write_text("cc_kye 1\n")
    assert says in congestree_cli(*arguments, code=code).stderr
