"""What registers need to know of a scenario: packet time, buffer, ports towards hosts, service levels."""

from ... import quantities
from ...errors import CongestreeError
from .schemes import from_scheme


def of_scenario(scenario, *, values=None):
    """The registers that a scenario's scheme stands for; `.notes` says what they cannot hold."""
    from ...runs import running

    checked = running.check(scenario, values=values)
    resolved = checked["scenario"]
    buffer = resolved["switches"]["buffer"]
    try:
        in_bytes = round(quantities.size(buffer))
    except ValueError:
        in_bytes = None  # counted in packets
    mark = resolved["scheme"].get("mark")
    by_hosts = isinstance(mark, dict) and mark.get("fecn", {}).get("victim_mask") == "hosts"
    return from_scheme(
        resolved["scheme"],
        packet_time=packet_time(resolved),
        buffer=in_bytes,
        host_ports=host_ports(resolved, checked["facts"]["hosts"]) if by_hosts else None,
        levels=sorted({entry.get("service") or 0 for entry in resolved["traffic"]}),
    )


def packet_time(resolved):
    """Time of a full packet on a host's link, in ps, rounded up as the engine does."""
    adapters, rate = resolved["adapters"], resolved["links"].get("rate")
    if rate is None:
        raise CongestreeError("The scenario gives its links no common rate, so that table entries have no unit.")
    bits = 8 * (round(quantities.size(adapters["mtu"])) + round(quantities.size(adapters["header"])))
    return -(-bits * 10**12 // round(quantities.bits_per_second(rate)))


def host_ports(resolved, hosts):
    """Of each switch which ports lead to hosts, and how many it has: {name: (ports, count)}, counted from 1.

    The engine is asked by a run of no length: its table of ports has every direction of every link, those of the hosts
    (there are `hosts` of them) first, then switch by switch in the order of their ports.
    """
    from ...runs import running

    probe = {key: value for key, value in resolved.items() if key not in ("sweep", "measure")}
    table = running.run({**probe, "measure": {"duration": "1 ps", "bin": "1 ps"}}).arrow("ports").to_pylist()
    rows = sorted(table, key=lambda row: row["port"])
    names = {row["from"] for row in rows[:hosts]}
    switches = {}
    for row in rows[hosts:]:
        towards, count = switches.get(row["from"], ([], 0))
        switches[row["from"]] = ([*towards, count + 1] if row["to"] in names else towards, count + 1)
    return switches
