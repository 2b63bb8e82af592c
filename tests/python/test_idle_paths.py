"""Windows that do not fill the idle path of a flow are told and no others; runs show what is told."""

import re
import time

import pytest

import congestree
from congestree.quantities import bits_per_second


def scenario(scheme, rate="100 Gbit/s", delay="5 us", mtu="2 KiB"):
    """A flow that always has something to send, through one switch."""
    return {
        "topology": {"single-switch": {"hosts": 2}},
        "links": {"rate": rate, "delay": delay, "lanes": 2, "flow_control": "pfc"},
        "switches": {"buffer": "16 MiB"},
        "adapters": {"mtu": mtu},
        "traffic": [{"from": "H1", "to": "H2"}],
        "measure": {"duration": "5 ms", "warm_up": "1 ms"},
        "scheme": scheme,
    }


def told(*given, **more):
    return congestree.check(scenario(*given, **more))["notes"]


def carries(*given, **more):
    """The share of the link."""
    found = scenario(*given, **more)
    return congestree.run(found).flows["rate"][0] / bits_per_second(found["links"]["rate"])


def with_value(scheme, path, value):
    """A scheme with one more value of a part: its other values are kept."""
    _, role, name, key = path.split(".")
    part = congestree.check(scenario(scheme))["scenario"]["scheme"][role][name]
    return {**scheme, role: {name: {**part, key: value}}}


NARROW = {
    "swift-fast": ({"preset": "swift"}, {"rate": "400 Gbit/s", "delay": "3 us"}, "react.swift.max_window"),
    "swift-small": ({"preset": "swift"}, {"delay": "6 us", "mtu": "1000 B"}, "react.swift.max_window"),
    "hpcc-pint": ({"preset": "hpcc-pint"}, {}, "react.hpcc.round_trip"),
    "hpcc": ({"preset": "hpcc", "react": {"hpcc": {"round_trip": "5 us"}}}, {}, "react.hpcc.round_trip"),
    "power": (
        {"preset": "power-tcp", "react": {"power-tcp": {"round_trip": "5 us"}}},
        {},
        "react.power-tcp.round_trip",
    ),
    "dctcp": ({"preset": "dctcp", "react": {"dctcp": {"largest_window": 60}}}, {}, "react.dctcp.largest_window"),
    "dcqcn": (
        {"preset": "dcqcn-paper", "react": {"dcqcn": {"window": "bdp", "round_trip": "9 us"}}},
        {},
        "react.dcqcn.round_trip",
    ),
    "timely": (
        {"preset": "timely", "react": {"timely": {"window": "bdp", "round_trip": "9 us"}}},
        {},
        "react.timely.round_trip",
    ),
    "irn": ({"preset": "irn", "transport": {"irn": {"round_trip": "10 us"}}}, {}, "transport.irn.round_trip"),
    "uet": ({"transport": {"uet": {"most_window": 0.5}}}, {}, "transport.uet.most_window"),
    "uet-trip": ({"transport": {"uet": {"round_trip": "10 us"}}}, {}, "transport.uet.round_trip"),
}


@pytest.mark.parametrize("case", NARROW)
def test_a_window_that_does_not_fill_the_path_is_told_with_one_that_does(case):
    scheme, network, key = NARROW[case]
    (note,) = [note for note in told(scheme, **network) if "sends at most" in note]
    assert note.startswith("H1->H2 sends at most about ") and f"(scheme.{key})" in note
    sentence = re.search(r"about (\S+ \S+) in full packets, of (\S+ \S+):", note)
    rate, whole = map(bits_per_second, sentence.groups())
    assert carries(scheme, **network) == pytest.approx(rate / whole, rel=0.01)
    value = re.search(rf"make scheme\.{re.escape(key)} at least (.*)\.$", note)[1]
    if value.replace(".", "").isdigit():
        value = float(value) if "." in value else int(value)
    enough = with_value(scheme, f"scheme.{key}", value)
    assert not [note for note in told(enough, **network) if "sends at most" in note]
    # HPCC aims at 95 % of the link.
    assert carries(enough, **network) > 0.9


@pytest.mark.parametrize(
    "scheme",
    [
        {"preset": "swift"},
        {"preset": "hpcc"},
        {"preset": "irn"},
        {"preset": "uec-both"},
        {"preset": "none", "transport": {"go-back-n": {"window": 20}}},
        {"transport": {"irn": {"window": 20}}},
    ],
    ids=str,
)
def test_windows_that_fill_the_path_or_are_given_in_packets_are_not_told(scheme):
    assert told(scheme) == []


@pytest.mark.parametrize("preset", ["uec-nscc", "uec-both"])
@pytest.mark.parametrize("delay", ["0 ns", "100 ns", "300 ns"])
def test_acks_too_rare_for_a_short_path_are_told_with_a_number_that_fills_it(preset, delay):
    (note,) = told({"preset": preset}, delay=delay)
    rate = bits_per_second(re.search(r"sends at most about (\S+ \S+) in full packets", note)[1])
    # With credit there are packets less that may go.
    least = 0.99 if preset == "uec-nscc" else 0.9
    assert least <= carries({"preset": preset}, delay=delay) / (rate / 100e9) <= 1.01
    value = re.search(r"make scheme\.transport\.uet\.ack_after at most (.*)\.$", note)[1]
    enough = with_value({"preset": preset}, "scheme.transport.uet.ack_after", value)
    assert told(enough, delay=delay) == [] and carries(enough, delay=delay) >= 0.98


def short_path(scheme, **more):
    """Of a length at which 27 packets are in flight."""
    return {**scenario(scheme, delay="1 us"), **more}


def the_note(found):
    (note,) = [note for note in congestree.check(found)["notes"] if "sends at most" in note]
    return note


def rate_of(found):
    return congestree.run(found).flows["rate"][0]


def told_rate(note):
    return bits_per_second(re.search(r"sends at most about (\S+ \S+) in full packets", note)[1])


@pytest.mark.parametrize(
    ("scheme", "every", "remedy"),
    [
        ({"preset": "dctcp", "react": {"dctcp": {"largest_window": 14}}}, 16, "largest_window at least 42"),
        ({"preset": "dctcp", "react": {"dctcp": {"largest_window": 27}}}, 16, "acks.every at most 1"),
        ({"preset": "dctcp", "react": {"dctcp": {"largest_window": 34}}}, 16, "acks.every at most 8"),
        ({"preset": "swift", "react": {"swift": {"max_window": 27}}}, 16, "acks.every at most 1"),
    ],
    ids=str,
)
def test_windows_that_coalesced_acks_use_up_are_told(scheme, every, remedy):
    """Below 16 packets they wait for the time: 4 Gbit/s of 100, of which 53 were told."""
    found = short_path(scheme, adapters={"acks": {"every": every, "flush": "50 us"}})
    note = the_note(found)
    assert "(adapters.acks.every)" in note and note.endswith(f"{remedy}.")
    assert rate_of(found) == pytest.approx(told_rate(note), rel=0.02)


def test_acks_of_a_transport_that_use_up_a_window_are_told():
    parts = {
        "transport": {"go-back-n": {"ack_every": 16, "ack_flush": "10 us"}},
        "react": {"dctcp": {"largest_window": 30}},
    }
    found = short_path({"preset": "dctcp", **parts})
    note = the_note(found)
    assert note.endswith("make scheme.transport.go-back-n.ack_every at most 4.")
    assert rate_of(found) == pytest.approx(told_rate(note), rel=0.02)


def test_a_window_below_one_packet_is_told_with_its_fraction():
    found = short_path({"preset": "swift", "react": {"swift": {"max_window": 0.5}}})
    note = the_note(found)
    assert "its window is at most 0.5 packets of 2068 B" in note
    assert rate_of(found) == pytest.approx(told_rate(note), rel=0.02)


SLOW_END = {"adapters": {"drain_rate": "10 Gbit/s", "receive_buffer": "1 MB"}}
NSCC = {"congestion_control": "nscc", "most_window": 1.0, "round_trip": "2 us"}


@pytest.mark.parametrize(
    ("scheme", "more", "remedy", "rate"),
    [
        (
            {"preset": "irn", "transport": {"irn": {"round_trip": "100 ns"}}},
            SLOW_END,
            "round_trip at least 497 ns",
            10e9,
        ),
        (
            {"preset": "uec-nscc", "transport": {"uet": NSCC}},
            {},
            "round_trip at least 4.37 us and scheme.transport.uet.most_window at least 1.26",
            100e9,
        ),
    ],
    ids=["irn", "uet"],
)
def test_a_round_trip_that_is_told_is_no_longer_than_needed_and_fills_the_path(scheme, more, remedy, rate):
    found = short_path(scheme, **more)
    note = the_note(found)
    assert note.endswith(f"{remedy}.")
    for path, value in re.findall(r"(scheme\.\S+) at least (\d\S*(?: [num]?s)?)", note):
        part = path.split(".")
        number = value.rstrip(".")
        found["scheme"][part[1]][part[2]][part[3]] = number if " " in number else float(number)
    assert congestree.check(found)["notes"] == [] and rate_of(found) > 0.98 * rate


CREDITS = {"rate": "100 Gbit/s", "delay": "1 us"}


def test_a_window_that_fills_a_slow_crossbar_is_not_told():
    scheme = {"preset": "swift", "react": {"swift": {"max_window": 14}}}
    found = short_path(scheme, switches={"crossbar": "25 Gbit/s"}, links=CREDITS)
    assert congestree.check(found)["notes"] == []
    assert rate_of(found) == pytest.approx(25e9, rel=0.01)


NARROW_SWIFT = {"preset": "swift", "react": {"swift": {"max_window": 3}}}
LISTED = {"list": [{"at": "0 us", "from": "H4", "to": to, "message": "1 MB"} for to in ("H3", "H1", "H3")]}
INCAST = {"from": "all", "pattern": "uniform", "message": "1 MB", "arrivals": {"incast": {"senders": 2, "load": 0.9}}}
DRAWN = {
    "from": ["H1", "H2"],
    "pattern": "uniform",
    "flows": "by-message",
    "message": "1 MB",
    "arrivals": {"poisson": {"load": 0.9}},
}


@pytest.mark.parametrize(
    ("traffic", "first", "others"),
    [
        ([LISTED], "H4->H1", "another flow is"),
        ([{"from": "H1", "to": "H2"}, LISTED], "H1->H2", "2 more flows are"),
        ([INCAST], "H1->H2", "11 more flows are"),
        ([DRAWN], "H1->H2", "5 more flows are"),
    ],
    ids=["list", "flow and list", "incast", "drawn"],
)
def test_windows_of_messages_that_are_flows_to_several_hosts_are_told(traffic, first, others):
    """Nothing was said of them, or that there are no more than those of other traffic."""
    found = short_path(NARROW_SWIFT, traffic=traffic, topology={"single-switch": {"hosts": 4}})
    note = the_note(found)
    assert note.startswith(f"{first} sends at most about ") and f"({others} held back likewise" in note


def test_windows_are_checked_in_a_moment_however_large_and_unlike_they_are():
    """Every packet of every window was followed: a minute."""
    links = [{"a": f"h{i}", "b": "s", "delay": f"{5000 + i * i * 50} ns"} for i in range(60)]
    found = {
        **scenario({"preset": "uec-nscc", "transport": {"uet": {"congestion_control": "nscc", "most_window": 1.0}}}),
        "topology": {"graph": {"hosts": [link["a"] for link in links], "switches": ["s"], "links": links}},
        "links": {"rate": "400 Gbit/s", "flow_control": "none"},
        "switches": {"output_queue": "100 MB"},
    }
    found["scheme"]["transport"]["uet"]["timeout"] = "20 ms"
    found["traffic"] = [
        {"from": "all", "pattern": "uniform", "message": "1 MB", "arrivals": {"poisson": {"load": 0.1}}}
    ]
    began = time.process_time()
    congestree.check(found)
    assert time.process_time() - began < 2


NARROW_DCTCP = {"preset": "dctcp", "react": {"dctcp": {"initial_window": 10, "largest_window": 10}}}


def own_flows(message):
    return {
        **scenario(NARROW_DCTCP),
        "topology": {"single-switch": {"hosts": 8}},
        "traffic": [
            {
                "from": "H1",
                "pattern": "uniform",
                "flows": "by-message",
                "message": message,
                "arrivals": {"poisson": {"load": 0.8}},
            }
        ],
    }


def test_a_window_of_a_message_is_told_only_if_the_message_does_not_fit():
    """Ten times the rate that was told went through."""
    assert congestree.check(own_flows("8 kB"))["notes"] == []
    measured = congestree.run(own_flows("8 kB")).flows["rate"].sum()
    assert measured > 0.7 * 100e9
    note = the_note(own_flows("1 MB"))
    assert ", of 100 Gbit/s, in each message (a flow of its own): its window is at most 10 packets" in note


COALESCED = {
    "adapter": ({}, {"acks": {"every": 16, "flush": "200 us"}}),
    "transport": (
        {"transport": {"go-back-n": {"ack_every": 16, "ack_flush": "50 us", "timeout": "600 us"}}},
        {},
    ),
}


@pytest.mark.parametrize("answered", COALESCED)
@pytest.mark.parametrize("message", ["1000 B", "4000 B", None])
def test_the_last_packet_of_a_message_is_answered_at_once(answered, message):
    """Rates of endless messages were told of short ones."""
    parts, adapter = COALESCED[answered]
    found = scenario({**NARROW_DCTCP, **parts}, rate="10 Gbit/s", delay="1 us")
    found["adapters"] = {"mtu": "1000 B", **adapter}
    if message is not None:
        found["traffic"][0] |= {"message": message, "arrivals": {"steady": {"load": 0.9}}}
    told = ["sends at most" in note for note in congestree.check(found)["notes"]]
    assert told == [True] * (message is None)
    assert (rate_of(found) > 0.88 * 10e9) == (message is not None)


@pytest.mark.parametrize(
    ("adapters", "remedy"),
    [
        ({}, "react.dctcp.largest_window at least 124 and scheme.transport.irn.round_trip at least 20.6 us"),
        ({"injection_rate": "50 Gbit/s"}, None),
    ],
    ids=str,
)
def test_two_windows_of_one_flow_are_told_together_with_what_fills_its_path(adapters, remedy):
    """The narrower one alone was told, and "another flow": with a larger one the other held the flow back."""
    parts = {
        "react": {"dctcp": {"largest_window": 20}},
        "transport": {"irn": {"round_trip": "2 us"}},
    }
    found = scenario({"preset": "dctcp", **parts})
    found["adapters"] |= adapters
    note = the_note(found)
    assert "likewise" not in note and (remedy is None or note.endswith(f"make scheme.{remedy}."))
    found["scheme"]["react"]["dctcp"]["largest_window"] = int(re.search(r"largest_window at least (\d+)", note)[1])
    found["scheme"]["transport"]["irn"]["round_trip"] = re.search(r"round_trip at least (.*)\.$", note)[1]
    assert congestree.check(found)["notes"] == []
    assert rate_of(found) > 0.98 * bits_per_second(adapters.get("injection_rate", "100 Gbit/s"))


def test_a_window_of_uet_on_a_path_of_two_packets_need_not_wait_for_its_acks():
    """One of nine packets was asked for."""
    uet = {"congestion_control": "nscc", "most_window": 0.5}
    found = scenario({"preset": "uec-nscc", "transport": {"uet": uet}}, delay="0 ns", mtu="4 KiB")
    value = re.search(r"most_window at least (\S+)\.$", the_note(found))[1]
    assert float(value) < 2
    uet["most_window"] = float(value)
    assert congestree.check(found)["notes"] == [] and rate_of(found) > 0.98 * 100e9


def test_acks_often_enough_are_not_told():
    assert told({"preset": "uec-nscc"}, delay="1 us") == []
