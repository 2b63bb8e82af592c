"""Trimmed packets: each goes on to the host it is for, and is counted once."""

import pytest

import congestree

DETOURS = """
topology.dragonfly = { p = 2, a = 4, h = 2 }
links = { rate = "100 Gbit/s", delay = "500 ns", lanes = 2, lane_arbiter.strict.order = [1, 0], flow_control = "none" }
adapters = { mtu = "4086 B", header = "64 B", ack = "64 B" }
scheme = { preset = "uec-both", transport.uet = { congestion_control = "both", control_lane = 1 } }
traffic = [{ from = "all", pattern = "permutation", message = "300 kB", arrivals.messages.count = 2 }]
measure = { duration = "1 ms", audit = true }

[switches]
output_queue = "60 kB"
switching = "store-and-forward"
arbiter.fifo = {}
trim = { size = "64 B", lane = 1 }
"""


@pytest.mark.parametrize("victim", ["either", "arriving"])
@pytest.mark.parametrize("route", ["valiant", "ugal", "par"])
def test_every_host_gets_what_was_sent_to_it_whichever_packet_is_trimmed_on_a_detour(route, victim):
    values = {"scheme.route": route, "switches.trim.victim": victim}
    whole, halves = (congestree.run(DETOURS, values=values, threads=threads) for threads in (1, 2))
    assert whole.ports["dropped"].sum() > 100
    to_hosts = whole.ports["to"].str.starts_with("h")
    payload = whole.ports["bytes"] - 64 * whole.ports["packets"]
    assert set(payload.filter(to_hosts)) == {2 * 300_000}
    assert halves.manifest["fingerprint"] == whole.manifest["fingerprint"]
