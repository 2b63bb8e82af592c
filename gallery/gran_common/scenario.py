"""The test bed of seven hosts as a scenario (Gran: Paper I section 4, Paper II Fig. 8, Paper III section III).

    H1 ─┐                ┌─ H4        F1 H1->H4 is the victim, F2 H2->H5 and F3 H3->H5 share its path,
    H2 ─S1 ══ 2 x ══ S2 ─┤─ H5        F4 H6->H5 and F5 H7->H5 come from the switch of H5 (scenario 1).
    H3 ─┘                ├─ H6        In scenario 2, F3 goes to H6 and there is no F4, F5:
                         └─ H7        the link between the switches is the bottleneck.

Flows start one per phase, in the order of their numbers. Every default is a reading that the papers' README files
list; a paper that reads something else says so once, for all its runs. Rates are texts, as in a scenario file.
"""

MTU = 2048
"""Payload of a data packet, bytes."""
HEADER = 26
"""Its overhead: local route header 8, base transport header 12, invariant and variant CRC 4 + 2, bytes."""
WIRE = MTU + HEADER

SCENARIO_1 = {
    "F1": ("H1", "H4"),
    "F2": ("H2", "H5"),
    "F3": ("H3", "H5"),
    "F4": ("H6", "H5"),
    "F5": ("H7", "H5"),
}
"""A victim and four contributors to the congestion of H5."""
SCENARIO_2 = {"F1": ("H1", "H4"), "F2": ("H2", "H5"), "F3": ("H3", "H6")}
"""Three flows over the link between the switches, which has room for two and a half."""

RATE, TRUNK = "16 Gbit/s", "32 Gbit/s"
"""What 4x DDR and 4x QDR links carry of data: 20 and 40 Gbit/s are their signalling rates (8b/10b) (OQ-I17)."""


def test_bed(
    flows=SCENARIO_1,
    *,
    phase_ms=1000,
    control=None,
    one_switch=False,
    starts=None,
    stops=None,
    rate=RATE,
    trunk=TRUNK,
    inject="13.5 Gbit/s",
    drain="13.6 Gbit/s",
    receive_buffer="32 KiB",
    buffer="32 KiB",
    links=None,
    switches=None,
    adapters=None,
    end_ms=None,
    warm_up_ms=0,
    bin_ms=None,
    probes=("flows",),
    seed=1,
    name="",
):
    """One run as a scenario, in the form of a scenario file.

    flows           {name: (from, to)}, in the order of their starts; or {name: table of a traffic entry}
    phase_ms        from one start to the next, and from the last to the end
    control         keys of `scheme`, as `congestion_control` makes them; None: no congestion control
    one_switch      all hosts on one switch (Paper II Fig. 2; "type 1")
    starts, stops   {flow: ms} where they differ from one start per phase and no stop
    rate, trunk     data rates of the links of hosts and of the link between the switches
    inject, drain   the host bus: wire bytes of data, start to start, and wire bytes that leave the receive buffer;
                    None: the link is the limit
    buffer          shared by the queues of an input port and lane of a switch
    links, switches, adapters   further keys of these sections
    end_ms          end of the run; default: a phase after the last start
    warm_up_ms      from here on totals count; series have everything
    bin_ms          of the series; default: a hundredth of a phase
    """
    topology = {"single-switch": {"hosts": 7}} if one_switch else {"test-bed": {"trunk_rate": trunk}}
    last = 0
    traffic = []
    for number, (label, flow) in enumerate(flows.items()):
        start = (starts or {}).get(label, number * phase_ms)
        entry = {"name": label, "start": ms(start)}
        entry |= flow if isinstance(flow, dict) else {"from": flow[0], "to": flow[1]}
        if stops and label in stops:
            entry["stop"] = ms(stops[label])
        traffic.append(entry)
        last = max(last, start)
    end_ms = last + phase_ms if end_ms is None else end_ms
    bin_ms = phase_ms / 100 if bin_ms is None else bin_ms
    host = {
        "mtu": f"{MTU} B",
        "header": f"{HEADER} B",
        "injection_rate": inject,
        "drain_rate": drain,
        "receive_buffer": receive_buffer,
    }
    return {
        "name": name,
        "seed": seed,
        "topology": topology,
        "links": {"rate": rate, "flow_control": {"byte-credits": {"credit_delay": "20 ns"}}} | (links or {}),
        "switches": {"buffer": buffer, "forwarding_delay": "100 ns"} | (switches or {}),
        "adapters": {key: value for key, value in host.items() if value is not None} | (adapters or {}),
        "scheme": control or {"preset": "none"},
        "traffic": traffic,
        "measure": {"duration": ms(end_ms), "warm_up": ms(warm_up_ms), "bin": ms(bin_ms), "probes": list(probes)},
    }


def congestion_control(
    *,
    enter="8 KiB",
    gap=None,
    fill="voq",
    marking_rate=1,
    timer=150,
    increase=1,
    limit=127,
    minimum=0,
    delay="7 us",
    at=106,
    packet_size=8,
    mark=None,
    react=None,
    notify=None,
):
    """Keys of `scheme` for InfiniBand congestion control; the values of Paper III, Table I.

    enter         fill above which the congestion state is entered, instead of a weight: what Threshold 15 means
                  in bytes is up to the vendor (OQ-I02). None: the weight counts, which `mark` can change
    gap           hysteresis; default: two packets' payload for one queue, three for a sum (OQ-I04)
    fill          "voq", "sum" or "sum-per-input" (OQ-I03)
    timer         CCTI_Timer in the units of its register, 1.024 us (OQ-I10)
    delay, at     CCT[i] = delay (i/at)^2
    packet_size   in the units of its register, 64 B (OQ-I14)
    mark, react   further keys of `mark.fecn` and `react.cct`
    notify        keys of `notify.cnp`
    """
    gap = gap or {"voq": f"{2 * MTU} B"}.get(fill, f"{3 * MTU} B")
    return {
        "preset": "ib-cc",
        "mark": {
            "fecn": {
                "gap": gap,
                "fill": fill,
                "packet_size": f"{64 * packet_size} B",
                "marking_rate": marking_rate,
            }
            | ({"enter": enter} if enter else {})
            | (mark or {})
        },
        "notify": {"cnp": notify or {}},
        "react": {
            "cct": {
                "increase": increase,
                "limit": limit,
                "min": minimum,
                "timer": f"{1024 * timer} ns",
                "table": {"quadratic": {"delay": delay, "at": at}},
            }
            | (react or {})
        },
    }


def ms(value):
    """A number of milliseconds as text."""
    return f"{value:g} ms"
