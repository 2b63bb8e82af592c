"""Links that cannot carry their full rate, however much waits for them, are told, and no others; and they carry what is
told of them."""

import re

import pytest

import congestree
from congestree.evaluation import trees
from congestree.quantities import bits_per_second


def scenario(links=(), switches=(), delay="500 ns"):
    """A flow from a over S and T to b, in packets of 2 KiB; S->T is long."""
    ends = [{"a": "a", "b": "S"}, {"a": "S", "b": "T", "delay": delay}, {"a": "T", "b": "b"}]
    return {
        "topology": {"graph": {"hosts": ["a", "b"], "switches": ["S", "T"], "links": ends}},
        "links": {"rate": "100 Gbit/s", "delay": "100 ns", **dict(links)},
        "switches": {"buffer": "8 MiB", **dict(switches)},
        "adapters": {"mtu": "2 KiB", "header": "0 B"},
        "traffic": [{"from": "a", "to": "b"}],
        "measure": {"duration": "1 ms", "warm_up": "200 us"},
    }


def told(**values):
    return congestree.check(scenario(**values))["notes"]


def carries(**values):
    """Bit/s."""
    return congestree.run(scenario(**values)).flows["rate"][0]


def most(sentence):
    """The rate that a note tells, in bit/s."""
    return bits_per_second(re.search(r"carries at most (\S+ \S+) in full packets", sentence)[1])


SLOTS = {"flow_control": "packet-slots"}
FEW = [(7, "cut-through"), (8, "store-and-forward")]
"""A packet too little room for a loop of 1.1 us and the time of a packet, or of two."""


@pytest.mark.parametrize(("few", "switching"), FEW)
def test_a_link_with_too_little_room_behind_it_is_told(few, switching):
    small, enough = ({"buffer": f"{packets} packets", "switching": switching} for packets in (few, few + 1))
    (sentence,) = told(links=SLOTS, switches=small)
    assert sentence.startswith("S->T (100 Gbit/s) carries at most ") and f"room for {few} of 2 KiB" in sentence
    assert sentence.endswith(f"make switches.buffer at least {few + 1} packets.")
    assert carries(links=SLOTS, switches=small) == pytest.approx(most(sentence), rel=0.01)
    assert told(links=SLOTS, switches=enough) == []
    assert carries(links=SLOTS, switches=enough) == pytest.approx(100e9, rel=0.01)


def test_what_is_said_of_a_buffer_in_bytes_is_enough():
    (sentence,) = told(switches={"buffer": "64 KiB"}, delay="10 us")
    room = re.search(r"make switches.buffer at least (.*)\.$", sentence)[1]
    assert most(sentence) == pytest.approx(25.9e9, rel=0.01) and "another link is slowed down" in sentence
    assert told(switches={"buffer": room}, delay="10 us") == []


def test_the_way_back_of_credits_has_the_delay_of_that_direction():
    """10 us there, 1 us back, 0.1 us in T and 165 ns for a packet; the other way about it is the same."""
    one_way = scenario(switches={"buffer": "16 KiB"}, delay="10 us")
    one_way["topology"]["graph"]["links"][1]["delay_back"] = "1 us"
    (sentence,) = congestree.check(one_way)["notes"]
    assert "promised anew only after 11.3 us" in sentence


@pytest.mark.parametrize("order", [("5 us", "10 us"), ("10 us", "5 us")])
def test_of_several_links_that_carry_less_the_one_that_carries_least_is_named(order):
    described = scenario(switches={"buffer": "16 KiB"}, delay=order[0])
    graph = described["topology"]["graph"]
    graph["switches"].append("U")
    graph["links"][2:] = [{"a": "T", "b": "U", "delay": order[1]}, {"a": "U", "b": "b"}]
    (sentence,) = congestree.check(described)["notes"]
    assert sentence.startswith("S->T" if order[0] == "10 us" else "T->U")
    assert most(sentence) == pytest.approx(congestree.run(described).flows["rate"][0], rel=0.02)


def test_the_delay_of_credits_counts_and_the_room_of_all_lanes_that_data_uses():
    at_once = {"flow_control": {"packet-slots": {"credit_delay": "0 ns"}}}
    assert told(links=at_once, switches={"buffer": "5 packets"}) == []
    assert told(links=at_once, switches={"buffer": "4 packets"}) != []
    lanes = scenario(links=SLOTS | {"lanes": 3}, switches={"buffer": "4 packets"})
    assert "for each lane of data, at least 8 packets" in congestree.check(lanes)["notes"][0]
    lanes["traffic"].append({"from": "b", "to": "a", "lane": 2})
    assert congestree.check(lanes)["notes"] == []


def test_a_host_that_injects_slowly_needs_less_room():
    slow = scenario(links=SLOTS | {"delay": "500 ns"}, switches={"buffer": "7 packets"})
    slow["topology"] = {"single-switch": {"hosts": 2}}
    slow["traffic"] = [{"from": "H1", "to": "H2"}]
    slow["adapters"]["injection_rate"] = "50 Gbit/s"
    assert congestree.check(slow)["notes"] == []
    del slow["adapters"]["injection_rate"]
    assert len(congestree.check(slow)["notes"]) == 1


def test_a_link_with_too_small_a_replay_buffer_is_told():
    (sentence,) = told(links={"retry": {}}, delay="10 us")
    assert "replay buffer holds 65 of 2 KiB" in sentence and "links.retry.frames" not in sentence
    assert carries(links={"retry": {}}, delay="10 us") == pytest.approx(most(sentence), rel=0.02)
    room = re.search(r"make links.retry.bytes at least (.*)\.$", sentence)[1]
    assert told(links={"retry": {"bytes": room}}, delay="10 us") == []
    (sentence,) = told(links={"retry": {"frames": 7}})
    assert sentence.endswith("make links.retry.frames at least 8.")
    assert carries(links={"retry": {"frames": 7}}) == pytest.approx(most(sentence), rel=0.02)
    assert told(links={"retry": {"frames": 8}}) == []
    assert carries(links={"retry": {"frames": 8}}) == pytest.approx(100e9, rel=0.01)


def test_links_without_credits_and_switches_with_room_for_each_destination_are_not_told():
    assert told(links={"flow_control": "pfc"}, switches={"buffer": "1 MiB"}) == []
    lossy = scenario(links={"flow_control": "none"}, delay="10 us")
    lossy["switches"] = {"output_queue": "64 KiB"}
    assert congestree.check(lossy)["notes"] == []
    voqnet = scenario(delay="10 us")
    voqnet["switches"] = {"queues": {"voqnet": {"buffer": "64 KiB"}}}
    assert congestree.check(voqnet)["notes"] == []


def test_nothing_is_told_of_links_that_nothing_crosses():
    inside = scenario(links=SLOTS, switches={"buffer": "2 packets"})
    inside["adapters"]["node"] = {"hosts": 2, "rate": "1 Tbit/s"}
    inside["traffic"] = [{"name": "job", "from": "all", "program": {"ping-pong": {"bytes": "1 MB"}}}]
    assert congestree.check(inside)["notes"] == []


def one_switch(links, switches, mtu):
    """A flow between two hosts of a switch, in packets of that many bytes."""
    return {
        "topology": {"single-switch": {"hosts": 2}},
        "links": links,
        "switches": {"switching": "store-and-forward", **switches},
        "adapters": {"mtu": f"{mtu} B", "header": "0 B"},
        "traffic": [{"from": "H1", "to": "H2"}],
        "measure": {"duration": "1 ms", "warm_up": "200 us"},
    }


def check_remedy(least, key):
    """With the room that a note names there is no note, and a link carries its full rate."""
    (sentence,) = congestree.check(least)["notes"]
    enough = re.search(rf"make {key} at least (.*)\.$", sentence)[1]
    said = int(enough) if enough.isdigit() else enough
    assert congestree.check(least, values={key: said})["notes"] == []
    run = congestree.run(least, values={key: said})
    assert run.flows["rate"][0] > 0.995 * bits_per_second(least["links"]["rate"]), said


@pytest.mark.parametrize("mtu", [512, 1000, 4096])
@pytest.mark.parametrize("spacing", ["400 B", "2048 B", "9001 B"])
@pytest.mark.parametrize("delay", ["300 ns", "1 us", "4 us"])
def test_the_replay_buffer_that_a_note_names_is_enough_however_far_apart_words_are(delay, spacing, mtu):
    links = {"rate": "40 Gbit/s", "delay": delay, "retry": {"frames": 1, "bytes": "8 MB", "spacing": spacing}}
    check_remedy(one_switch(links, {"buffer": "8 MB"}, mtu), "links.retry.frames")


@pytest.mark.parametrize("mtu", [512, 1000, 4096])
@pytest.mark.parametrize("spacing", ["800 B", "6400 B", "20 kB"])
@pytest.mark.parametrize("delay", ["100 ns", "500 ns", "2 us"])
def test_the_buffer_that_a_note_names_is_enough_however_far_apart_messages_are(delay, spacing, mtu):
    credits = {"byte-credits": {"block": "128 B", "messages": {"spacing": spacing}}}
    links = {"rate": "100 Gbit/s", "delay": delay, "flow_control": credits}
    check_remedy(one_switch(links, {"buffer": "4096 B"}, mtu), "switches.buffer")


@pytest.mark.parametrize(("frames", "said"), [(3, "carries at most"), (4, "may carry as little as"), (6, None)])
def test_a_link_that_may_carry_less_because_words_are_far_apart_is_told_as_such(frames, said):
    """A loop of 2.81 us for packets of 0.8 us, and ACKs up to 1.64 us later."""
    links = {"rate": "10 Gbit/s", "delay": "1 us", "retry": {"frames": frames}}
    told = one_switch(links, {"buffer": "1 MB"}, 1000)
    notes, rate = congestree.check(told)["notes"], congestree.run(told).flows["rate"][0]
    if said is None:
        assert notes == []
    else:
        assert notes[0].startswith(f"H1->S (10 Gbit/s) {said} ") and "make links.retry.frames at least 6" in notes[0]
        bound = bits_per_second(re.search(rf"{said} (\S+ \S+) in full packets", notes[0])[1])
        assert rate < bound if said == "carries at most" else bound < rate < 9e9


@pytest.mark.parametrize("frames", range(1, 17))
def test_a_link_carries_no_more_than_a_note_tells_however_few_packets_its_replay_buffer_holds(frames):
    """ACKs 1.64 us apart, and a loop of 1.21 us: the bound is exact for one packet."""
    links = {"rate": "10 Gbit/s", "delay": "500 ns", "retry": {"frames": frames}}
    few = one_switch(links, {"buffer": "1 MB"}, 256)
    rate, notes = congestree.run(few).flows["rate"][0], congestree.check(few)["notes"]
    if not notes:
        assert rate > 0.999 * 10e9
        return
    if "carries at most" in notes[0]:
        assert "and the ACKs that free them are 1.64 us apart" in notes[0]
        assert rate < 1.001 * most(notes[0])
        assert frames > 3 or rate == pytest.approx(most(notes[0]), rel=0.001)
    enough, closer = re.search(r"frames at least (\d+)(?:, or links.retry.spacing at most (.*))?\.$", notes[0]).groups()
    assert (closer is not None) == (frames >= 6)
    for key, value in (("frames", int(enough)), ("spacing", closer)):
        if value is not None:
            remedied = {f"links.retry.{key}": value}
            assert congestree.check(few, values=remedied)["notes"] == []
            assert congestree.run(few, values=remedied).flows["rate"][0] > 0.99 * 10e9


def test_a_link_carries_no_more_than_messages_with_credits_far_apart_let_it():
    credits = {"byte-credits": {"block": "128 B", "messages": {"spacing": "20 kB", "repeat": "256 KiB"}}}
    links = {"rate": "100 Gbit/s", "delay": "100 ns", "flow_control": credits}
    few = one_switch(links, {"buffer": "4096 B"}, 1000)
    (sentence,) = congestree.check(few)["notes"]
    assert "and the messages that promise it anew are 1.6 us apart" in sentence
    assert congestree.run(few).flows["rate"][0] == pytest.approx(most(sentence), rel=0.01)


def far_host(packets, drain=None):
    """A flow of 100 Gbit/s to a host 5 us away, with room for so many packets of 2068 B; may drain them slowly."""
    host = {"receive_buffer": f"{packets} packets"} | ({"drain_rate": drain} if drain else {})
    return {
        "topology": {"single-switch": {"hosts": 3}},
        "links": {"rate": "100 Gbit/s", "delay": "5 us", "flow_control": "packet-slots"},
        "switches": {"buffer": "400 packets"},
        "adapters": host,
        "traffic": [{"from": "H1", "to": "H2"}],
        "measure": {"duration": "4 ms", "warm_up": "200 us", "probes": ["trees"]},
    }


@pytest.mark.parametrize("packets", [4, 16, 61])
def test_a_receive_buffer_too_small_for_a_round_trip_is_told(packets):
    (sentence,) = congestree.check(far_host(packets))["notes"]
    assert sentence.startswith("S->H2 (100 Gbit/s) carries at most ") and "another" not in sentence
    assert sentence.endswith("To have it carry its full rate, make adapters.receive_buffer at least 62 packets.")
    assert 0.99 * most(sentence) < congestree.run(far_host(packets)).flows["rate"][0] < 1.003 * most(sentence)


def test_a_receive_buffer_as_large_as_told_carries_the_full_rate_or_that_of_the_host():
    assert congestree.check(far_host(62))["notes"] == []
    assert congestree.run(far_host(62)).flows["rate"][0] > 0.999 * 100e9
    (sentence,) = congestree.check(far_host(16, "50 Gbit/s"))["notes"]
    enough = int(re.search(r"have it carry 50 Gbit/s, make .* at least (\d+) packets\.$", sentence)[1])
    assert congestree.run(far_host(16, "50 Gbit/s")).flows["rate"][0] < 1.003 * most(sentence) < 26e9
    assert congestree.check(far_host(enough, "50 Gbit/s"))["notes"] == []
    assert congestree.run(far_host(enough, "50 Gbit/s")).flows["rate"][0] > 0.999 * 50e9
    assert congestree.check(far_host(16, "20 Gbit/s"))["notes"] == []


def test_a_host_without_room_for_a_round_trip_is_not_called_slow():
    blamed = trees.explain(congestree.run(far_host(16)))[0]
    assert "because the receive buffer of H2 (16 packets) is too small for the round trip of the link" in blamed
    assert "too slowly" not in blamed
    assert "H2 takes packets too slowly" in trees.explain(congestree.run(far_host(16, "20 Gbit/s")))[0]


def test_a_host_without_room_for_a_round_trip_at_its_own_rate_is_not_called_slow():
    """The note told of its buffer, and the explanation of a host that is a little slower than its link."""
    slow, small = "drain_rate", "receive_buffer"
    for packets, drain, limit in [(16, "99 Gbit/s", small), (31, "50 Gbit/s", small), (32, "50 Gbit/s", slow)]:
        run = congestree.run(far_host(packets, drain))
        assert [life["host_limit"] for life in trees.summary(run)["trees"]] == [limit]
        assert bool(run.manifest["notes"]) == (limit == small)
