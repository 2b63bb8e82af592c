"""What a translation into registers needs to know of a scenario: packet time, buffer, host ports, service levels."""

from ... import quantities
from ...errors import AskedError
from .schemes import from_scheme


def of_scenario(scenario, *, values=None):
    """The registers that correspond to a scenario's scheme; `.notes` says what they cannot represent.

    scenario, values: as for `congestree.run`. Raises SettingsError if the scheme is not InfiniBand's, CongestreeError
    if the links have no common rate, and the errors that `congestree.check` raises.
    """
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
        host_ports=host_ports(resolved) if by_hosts else None,
        levels=sorted({entry.get("service") or 0 for entry in resolved["traffic"]}),
    )


def packet_time(resolved):
    """Time of a full packet on a host's link, in ps, rounded up as the engine does."""
    adapters, rate = resolved["adapters"], resolved["links"].get("rate")
    if rate is None:
        raise AskedError("The scenario gives its links no common rate, so that table entries have no unit.")
    bits = 8 * (round(quantities.size(adapters["mtu"])) + round(quantities.size(adapters["header"])))
    return -(-bits * 10**12 // round(quantities.bits_per_second(rate)))


def host_ports(resolved):
    """Of each switch which ports lead to hosts, and which to switches: {name: (ports, ports)}, as printed on them."""
    from ...runs import running

    network = running.network({key: value for key, value in resolved.items() if key != "sweep"}, routes=False)
    hosts = set(network["hosts"])
    switches = {name: ([], []) for name in network["switches"]}
    for link in network["links"]:
        for end, far in ("ab", "ba"):
            if link[end] in switches:
                switches[link[end]][link[far] not in hosts].append(link[f"port_{end}"])
    return {name: (sorted(towards), sorted(between)) for name, (towards, between) in switches.items()}
