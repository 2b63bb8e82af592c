"""The parking lot: shares of a sink at the end of a chain of merging switches.

Switches S1 .. Sn in a row with h hosts each; all hosts but the sink, the last host of Sn, send to it without pause.
Round robin gives each input of an output the same number of packets, whatever stands behind it:

    the link to the sink    h - 1 hosts of Sn and the link from S(n-1)     1/h each
    the link out of Sk      h hosts of Sk and the link from S(k-1)         1/(h + 1) each   (1 < k < n)
    the link out of S1      h hosts                                        1/h each

so a host of Sn has 1/h of the sink, a host of Sk (1 < k < n) has 1/h (1/(h+1))^(n-k), and a host of S1 has
1/h (1/(h+1))^(n-2) 1/h. With one host per switch: 1/2, 1/4, 1/8 ... and the two farthest the same (Dally, Towles:
Principles and Practices of Interconnection Networks, 2004, chapter 15).
"""

from fractions import Fraction

import pytest
from fabrics import flow_packets, run, scenario

CHAINS = [(3, 1), (5, 1), (8, 1), (2, 2), (4, 2), (4, 3), (3, 5)]  # switches, hosts per switch


def share(position: int, switches: int, hosts: int) -> Fraction:
    """The share of the sink for a host of switch S<position>."""
    if position == switches:
        return Fraction(1, hosts)
    inner = Fraction(1, hosts + 1) ** (switches - max(position, 2))
    return Fraction(1, hosts) * inner * (Fraction(1, hosts) if position == 1 else 1)


@pytest.mark.parametrize(("switches", "hosts"), CHAINS)
def test_the_shares_add_up(switches, hosts):
    senders = [position for position in range(1, switches + 1) for _ in range(hosts)][:-1]
    assert sum(share(position, switches, hosts) for position in senders) == 1


@pytest.mark.parametrize("switching", ["cut-through", "store-and-forward"])
@pytest.mark.parametrize(("switches", "hosts"), CHAINS)
def test_round_robin_shares_each_merge_equally(switches, hosts, switching):
    slots = 6000
    names = [f"S{s}_{h}" for s in range(1, switches + 1) for h in range(1, hosts + 1)]
    result = run(
        scenario(
            {"chain": {"switches": switches, "hosts_per_switch": hosts}},
            [{"from": names[:-1], "to": names[-1]}],
            f"{slots + 2000} us",
            delay="10 ns",
            switches={"buffer": "8 KiB", "switching": switching},
            measure={"warm_up": "2 ms"},
        )
    )
    packets = flow_packets(result)
    assert abs(sum(packets.values()) - slots) <= 1, "the sink is never idle"
    for name in names[:-1]:
        expected = share(int(name[1 : name.index("_")]), switches, hosts) * slots
        found = packets[f"{name}->{names[-1]}"]
        assert abs(found - expected) <= 2, f"{name} got {found} of {slots} packets, not {float(expected)}"


@pytest.mark.parametrize("flows", [2, 3, 7])
def test_the_flows_of_a_host_take_turns(flows):
    """Before the first merge: a host whose flows all have packets gives each the same number."""
    sinks = [f"H{i + 2}" for i in range(flows)]
    traffic = [{"from": "H1", "to": sink} for sink in sinks]
    result = run(scenario({"single-switch": {"hosts": flows + 1}}, traffic, "3 ms", measure={"warm_up": "1 ms"}))
    for packets in flow_packets(result).values():
        assert abs(packets - Fraction(2000, flows)) <= 1
