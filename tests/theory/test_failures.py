"""Links that go down, against links that lose no credit then.

What a failure costs ends with it: when the link is up, its sender has the room that it would have had.
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
