"""Links that go down or slow down, against links that were never down, or were built as slow.

What a failure costs ends with it: when the link is up, its sender has the room that it would have had; a slow link
does what one of that rate does.
"""

from itertools import pairwise

import pytest
from fabrics import column, run, scenario

CELLS = {"block": "128 B"}


def pulled(credits: dict, *, rate="100 Gbit/s", duration="500 us", **failure) -> dict:
    """One host sends to another over two switches; the link between these is down for some time."""
    links = [{"a": "H1", "b": "S"}, {"a": "S", "b": "T"}, {"a": "T", "b": "H2"}]
    return scenario(
        {"graph": {"hosts": ["H1", "H2"], "switches": ["S", "T"], "links": links}},
        [{"from": "H1", "to": "H2"}],
        duration,
        rate=rate,
        delay="2 us",
        links={
            "flow_control": {"byte-credits": CELLS | credits},
            "faults": {"failures": [{"link": ["S", "T"]} | failure]},
        },
        switches={"buffer": "60 KiB", "forwarding_delay": "100 ns"},
        adapters={"mtu": "4096 B", "header": "0 B"},
        measure={"warm_up": "50 us"},
    )


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("heal", ["256 us", "250 ms"])
@pytest.mark.parametrize("until", ["30 us", "20.001 us"])
def test_the_room_of_lost_packets_does_not_wait_for_heal_once_the_link_is_up(until, heal, threads):
    """Though the link is up again before what was on it would have arrived."""
    failure = {"at": "20 us", "until": until}
    plain = column(run(pulled({}, **failure)), "flows", "packets")[0]
    told = run(pulled({"messages": {"heal": heal}}, **failure), threads=threads)
    assert column(told, "faults", "on_the_wire")[0] > 3
    assert column(told, "flows", "packets")[0] == pytest.approx(plain, rel=0.01)


@pytest.mark.parametrize(("until", "next_start"), [("110 us", 800), ("790 us", 800), ("900 us", 900)])
def test_a_sender_ends_the_packet_that_it_loses_before_it_starts_the_next(until, next_start):
    """A packet of 100 kB takes 800 us at 1 Gbit/s, and the link fails 100 us after its start."""
    described = scenario(
        {"single-switch": {"hosts": 2}},
        [{"from": "H1", "to": "H2"}],
        "3 ms",
        rate="1 Gbit/s",
        links={"faults": {"failures": [{"link": ["H1", "S"], "at": "100 us", "until": until}]}},
        switches={"buffer": "1 MiB", "switching": "store-and-forward"},
        adapters={"mtu": "100 kB", "header": "0 B"},
        measure={"probes": ["deliveries"]},
    )
    assert column(run(described), "deliveries", "injected_ps")[0] == next_start * 1_000_000


def test_a_message_made_meanwhile_does_not_start_before_the_end_of_the_packet_that_is_lost():
    """The packet of 100 kB takes 800 us; the link is back after 110, and the next message is made after 300."""
    described = scenario(
        {"single-switch": {"hosts": 2}},
        [{"from": "H1", "to": "H2", "message": "100 kB", "arrivals": {"messages": {"count": 2, "every": "300 us"}}}],
        "3 ms",
        rate="1 Gbit/s",
        links={"faults": {"failures": [{"link": ["H1", "S"], "at": "100 us", "until": "110 us"}]}},
        switches={"buffer": "1 MiB", "switching": "store-and-forward"},
        adapters={"mtu": "100 kB", "header": "0 B"},
        measure={"probes": ["deliveries"]},
    )
    result = run(described)
    assert column(result, "deliveries", "created_ps").tolist() == [300_000_000]
    assert column(result, "deliveries", "injected_ps").tolist() == [800_000_000]


@pytest.mark.parametrize("transport", [None, "go-back-n"])
def test_a_flow_of_a_transport_is_stopped_as_long_as_its_last_packets_are_not_acknowledged(transport):
    """Nothing of its only message waits or is on the way: the link to H2 is down, and drops all that is sent again."""
    described = scenario(
        {"single-switch": {"hosts": 2}},
        [{"from": "H1", "to": "H2", "message": "98000 B", "arrivals": {"messages": {"count": 1}}}],
        "3 ms",
        delay="1 us",
        links={"faults": {"head_of_queue_lifetime": "1 us", "failures": [{"link": ["H2", "S"], "at": "100 us"}]}},
        scheme={"transport": transport} if transport else {},
    )
    (flow,) = run(described).arrow("flows").to_pylist()
    assert 0 < flow["packets"] < 100 and flow["sent"] == flow["packets"] + flow["dropped"]
    assert flow["stopped"] == (transport is not None)


def test_no_detour_leads_to_a_part_of_the_network_that_is_cut_off():
    """Of the switches A, B, C, and D behind C, packets between A and B go by C alone, once the tables are new."""
    pairs = [("a", "A"), ("b", "B"), ("c", "C"), ("d", "D"), ("A", "B"), ("B", "C"), ("C", "A"), ("C", "D")]
    graph = {"hosts": [*"abcd"], "switches": [*"ABCD"], "links": [{"a": a, "b": b} for a, b in pairs]}
    faults = {
        "failures": [{"link": ["C", "D"], "at": "100 us"}],
        "head_of_queue_lifetime": "1 us",
        "reroute": {"subnet-manager": {"delay": "10 us"}},
    }
    described = scenario(
        {"graph": graph},
        [{"from": a, "to": b, "arrivals": {"poisson": {"load": 0.3}}} for a, b in ("ab", "ba")],
        "2 ms",
        delay="100 ns",
        links={"lanes": 6, "hop_lanes": "by-hop", "faults": faults},
        scheme={"route": "valiant"},
        measure={"warm_up": "200 us"},
    )
    result = run(described)
    sent = dict(zip(result.arrow("ports")["name"].to_pylist(), column(result, "ports", "packets"), strict=True))
    assert sent["C->A"] > 100 and sent["C->B"] > 100 and sent["A->B"] > 100
    assert column(result, "flows", "packets") == pytest.approx(column(result, "flows", "sent"), abs=5)
    assert column(result, "ports", "dropped").sum() == 0


def test_messages_of_the_time_without_a_link_do_not_hold_up_what_comes_after_it():
    """Each end says once what it has consumed, however often it would have said so: 51 ns a message."""
    first = {}
    for heal in ("1 us", "10 us", "256 us"):
        described = pulled(
            {"messages": {"heal": heal}}, rate="10 Gbit/s", at="10 us", until="410 us", duration="450 us"
        )
        described["measure"] = {"duration": "450 us", "probes": ["deliveries"]}
        times = column(run(described), "deliveries", "time_ps")
        first[heal] = min(times[times > 410_000_000])
    assert max(first.values()) - min(first.values()) <= 2 * 51_200


def slow(keeps: float | None, rate: str, retry: dict | None, **sections) -> dict:
    """The last link of two becomes slow at once, or was built so; both directions are in use."""
    links = {"flow_control": {"byte-credits": CELLS}} | sections.pop("links", {})
    if retry is not None:
        links["retry"] = retry
    second = {"a": "S", "b": "H2"}
    if keeps is None:
        second["rate"] = rate
    else:
        links["faults"] = {"failures": [{"link": ["S", "H2"], "at": "1 ns", "keeps": keeps}]}
    return scenario(
        {"graph": {"hosts": ["H1", "H2"], "switches": ["S"], "links": [{"a": "H1", "b": "S"}, second]}},
        [{"from": "H1", "to": "H2"}, {"from": "H2", "to": "H1"}],
        "500 us",
        rate="400 Gbit/s",
        delay="100 ns",
        links=links,
        switches={"buffer": "1 MB"},
        measure={"warm_up": "100 us"},
        **sections,
    )


@pytest.mark.parametrize(("keeps", "rate"), [(0.5, 200), (0.1, 40), (0.01, 4)])
def test_a_link_that_slows_down_is_not_taken_for_one_that_lost_its_frames(keeps, rate):
    """Its words are as far apart as on a link built so; with small packets more of them would take half the link."""
    for size in ("4096 B", "64 B"):
        adapters = {"mtu": size, "header": "0 B"}
        slowed = run(slow(keeps, "", {}, adapters=adapters))
        built = run(slow(None, f"{rate} Gbit/s", {}, adapters=adapters))
        assert column(slowed, "ports", "replayed").sum() == column(built, "ports", "replayed").sum() == 0
        for packets, others in zip(*(column(of, "flows", "packets").tolist() for of in (slowed, built)), strict=True):
            assert packets == pytest.approx(others, rel=0.005, abs=2)


def test_a_timer_that_runs_when_its_link_gets_slow_waits_for_the_slow_packet_before_the_word():
    """A lone packet is on the link from 10.3 us on, against a stream of others, each of which then takes 8 us."""
    described = slow(0.01, "", {}, adapters={"mtu": "4096 B", "header": "0 B"})
    described["traffic"][0] |= {"message": "4096 B", "start": "10 us", "arrivals": {"messages": {"count": 1}}}
    for at in range(10_180, 10_600, 30):
        described["links"]["faults"]["failures"][0]["at"] = f"{at} ns"
        assert column(run(described), "ports", "replayed").sum() == 0, at


def test_a_timer_is_as_short_as_before_when_its_link_is_fast_again():
    """What is lost then is repeated after 1 us, and not after the 34 us of a timer of the slow link."""
    described = slow(0.01, "", {}, adapters={"mtu": "4096 B", "header": "0 B"})
    described["links"]["faults"]["failures"] = [
        {"link": ["S", "H2"], "at": "110 us", "until": "200 us", "keeps": 0.01},
        {"link": ["S", "H2"], "at": "200.5 us", "until": "201 us"},
    ]
    described["measure"]["warm_up"] = "200 us"
    result = run(described)
    assert column(result, "ports", "replayed").sum() > 0
    # A packet takes 81.92 ns.
    assert column(result, "flows", "packets")[0] == pytest.approx(300 / 0.08192, rel=0.02)


def test_credit_messages_of_a_slow_link_are_as_far_apart_as_of_one_built_so():
    """In bytes of link time: with the spacing of the fast link they would take much of the slow one."""
    links = {"flow_control": {"byte-credits": CELLS | {"messages": {"spacing": "800 B"}}}}
    adapters = {"mtu": "64 B", "header": "0 B"}
    slowed = column(run(slow(0.02, "", None, links=links, adapters=adapters)), "flows", "packets")
    built = column(run(slow(None, "8 Gbit/s", None, links=links, adapters=adapters)), "flows", "packets")
    assert slowed == pytest.approx(built, rel=0.005)


@pytest.mark.parametrize(("until", "dropped"), [("250 us", False), ("70 us", True)])
def test_a_watchdog_does_not_count_the_time_in_which_its_link_is_down(until, dropped):
    """The host pauses the switch from 50 to 150 us. If the link is up from 70 us on, the storm is one of 80 us."""
    watchdog = {"detection_time": "20 us", "restoration_time": "30 us"}
    storms = [{"host": "H2", "start": "50 us", "stop": "150 us"}]
    result = run(
        scenario(
            {"single-switch": {"hosts": 2}},
            [{"from": "H1", "to": "H2", "rate": "4 Gbit/s"}],
            "400 us",
            delay="100 ns",
            links={
                "flow_control": {"pfc": {"losses": "count", "watchdog": watchdog, "storms": storms}},
                "faults": {"failures": [{"link": ["H2", "S"], "at": "60 us", "until": until}]},
            },
            switches={"shared_memory": {"size": "1 MB"}},
            measure={"probes": ["pauses"]},
        )
    )
    storms = result.arrow("pauses").to_pylist()
    begin = [row["time_ps"] for row in storms if row["event"] == "storm"]
    assert begin == ([90_000_000] if dropped else [])
    assert (column(result, "ports", "dropped").sum() > 0) == dropped


def test_a_packet_that_starts_when_its_link_gets_slow_sets_the_pace_of_the_slow_link():
    """A source that idles for the time of a packet after each. Of 8 Gbit/s, 4 are left when the sixth starts."""
    starts = {}
    for at in ("10 us", "10.000001 us"):
        described = scenario(
            {"single-switch": {"hosts": 2}},
            [{"from": "H1", "to": "H2"}],
            "40 us",
            links={"faults": {"failures": [{"link": ["H1", "S"], "at": at, "rate": "4 Gbit/s"}]}},
            scheme={"react": {"cct": {"min": 1, "table": {"encoded": ["0:1"] * 128}}}},
            measure={"probes": ["deliveries"]},
        )
        starts[at] = (column(run(described), "deliveries", "injected_ps")[4:8] // 1_000_000).tolist()
    assert starts == {"10 us": [8, 10, 14, 18], "10.000001 us": [8, 10, 12, 16]}


def test_a_message_that_begins_while_its_link_is_slow_is_throttled_from_the_rate_of_the_whole_link():
    """With DCQCN; as a flow of its own, like one that was there before the link became slow."""
    starts = []
    for flows in ({}, {"flows": "by-message"}):
        message = {"message": "200 kB", "start": "10 us", "arrivals": {"messages": {"count": 1}}}
        described = scenario(
            {"single-switch": {"hosts": 3}},
            [{"from": "H1", "to": "H3"} | message | flows, {"from": "H2", "to": "H3"}],
            "100 us",
            rate="100 Gbit/s",
            links={"faults": {"failures": [{"link": ["H1", "S"], "at": "1 us", "until": "20 us", "keeps": 0.1}]}},
            scheme={
                "mark": {"red": {"min": "5 kB", "max": "20 kB", "probability": 0.1}},
                "notify": {"cnp": {}},
                "react": "dcqcn",
            },
            measure={"probes": ["deliveries"]},
        )
        result = run(described)
        starts.append(column(result, "deliveries", "injected_ps")[column(result, "deliveries", "flow") == 0].tolist())
    gaps = {after - before for before, after in pairwise(starts[0])}
    assert {800_000, 80_000, 160_000} <= gaps, "slow, whole again, and cut to half of that"
    assert starts[0] == starts[1]
