"""Links that go down or slow down, against links that were never down, or were built as slow.

What a failure costs ends with it: when the link is up, its sender has the room that it would have had; a slow link
does what one of that rate does.
"""

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
