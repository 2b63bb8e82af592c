"""What a translation into registers needs to know of a scenario: packet time, buffer, host ports, service levels."""

from ... import document, quantities
from ...errors import AskedError
from .. import line_rates
from .notes import Note, refuse
from .schemes import from_scheme


def of_scenario(scenario, *, values=None):
    """The registers that correspond to a scenario's scheme; `.notes` says what they cannot represent.

    scenario, values: as for `congestree.run`. Raises SettingsError if the scheme is not InfiniBand's or its
    threshold in bytes is no weight, AskedError if its table has delays and its hosts send at several rates, and the
    errors that `congestree.check` raises.
    """
    from ...runs import running

    checked = running.check(scenario, values=values)
    resolved = checked["scenario"]
    enter = document.get(resolved, "scheme.mark.fecn.enter")
    by_hosts = document.get(resolved, "scheme.mark.fecn.victim_mask") == "hosts"
    by_time = "encoded" not in (document.get(resolved, "scheme.react.cct.table") or "encoded")
    return from_scheme(
        resolved["scheme"],
        packet_time=packet_time(resolved) if by_time else None,
        buffer=enter and _buffer(resolved, enter),
        host_ports=host_ports(resolved) if by_hosts else None,
        levels=sorted({entry.get("service") or 0 for entry in resolved["traffic"]}),
    )


def _buffer(resolved, enter):
    """Bytes of the input buffer of a lane; None if inputs have none of their own, or one that counts packets.

    Raises SettingsError if lanes have different ones: a weight is a share of each, and `enter` is the same in all.
    """
    switches, links = resolved["switches"], resolved["links"]
    if switches.get("shared_memory") or links["flow_control"] == "none":
        return None
    own = switches.get("lane_buffers") or []
    rooms = dict.fromkeys([*own, *[switches.get("buffer")] * (links["lanes"] - len(own))])
    try:
        found = {round(quantities.size(room)) for room in rooms}
    except ValueError:
        return None
    if len(found) > 1:
        fact = f"the threshold is {enter}, and a weight is another threshold in each of the buffers {', '.join(rooms)}"
        refuse([Note("scheme.mark.fecn.enter", fact, "Give all lanes the same buffer, or a weight (threshold)")])
    return found.pop()


def packet_time(resolved, instead="give the entries themselves (scheme.react.cct.table.encoded)"):
    """Time of a full packet on a host's link, in ps, rounded up as the engine does.

    instead: what else to do than give all hosts links of one rate. Raises AskedError if they have links of several.
    """
    rates = line_rates.line_rates(resolved)
    if len(rates) > 1:
        raise AskedError(
            f"Entries of the table count packet times, and the hosts send at {line_rates.in_words(rates)}: give them "
            f"links of one rate, or {instead}."
        )
    adapters, (rate,) = resolved["adapters"], rates
    bits = 8 * (round(quantities.size(adapters["mtu"])) + round(quantities.size(adapters["header"])))
    return -(-bits * 10**12 // rate)


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
