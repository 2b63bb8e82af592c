"""Links that flow control held although no tree was seen: a link is held by other things than a congested one, too."""

from ...document import chosen
from ...quantities import in_words, seconds, size
from ..links import told_apart

OWN_BUFFERS = {"lane_buffers", "shared_memory"}
"""Keys of `switches` that replace `buffer`, the room that an input has for each lane."""

LOSING = ("faults", "errors", "retry")
"""Keys of `links` by which a link may be held for other reasons than its buffer."""


def sentence(run):
    """Which link flow control held longest after the warm-up, and for which share; "" if it held none.

    The reason is told where the scenario shows it: a buffer smaller than what the link carries in a round trip.
    """
    ports = run.arrow("ports", ["name", "to", "rate", "blocked"]).to_pylist()
    for row, name in zip(ports, told_apart([row["name"] for row in ports]), strict=True):
        row["name"] = name
    held = sorted((row for row in ports if row["blocked"] > 0), key=lambda row: -row["blocked"])
    if not held:
        return ""
    share = held[0]["blocked"] / run.value("measured")
    said = f"Flow control held {held[0]['name']} all the same, for {percent(share)} of the measured time"
    if more := len(held) - 1:
        said += f", and {more:,} more link{'s' * (more > 1)} for no longer"
    return f"{said}{_why(run, held[0])}."


def percent(share):
    """A share in per cent, for people."""
    return f"{share:.0%}" if share >= 0.01 else "less than 1 %"


def _why(run, port):
    """The reason for which flow control holds a link to a switch, if it is that its buffer is small; else ""."""
    room = None if port["to"] in run.hosts else _room(run._scenario)
    trip = round_trip(run._scenario)  # without the time that the packet itself takes, which may be short
    if room is None or trip is None or any(run._scenario["links"].get(key) for key in LOSING):
        return ""
    trip += seconds(run._scenario["switches"]["forwarding_delay"])
    carried = port["rate"] * trip / 8
    if carried <= room:
        return ""
    return (
        f": the buffer at its end ({in_words(room, 'B')}) is smaller than what it carries in a round trip of "
        f"{in_words(trip, 's')} ({in_words(carried, 'B')})"
    )


def _room(scenario):
    """The bytes that a lane of every link to a switch has at its end; None if something else than that may hold it."""
    switches, adapters = scenario["switches"], scenario["adapters"]
    isolates = chosen(scenario["scheme"]["isolate"])[0] != "none"
    divided = switches["memory"] != "shared" or chosen(switches["queues"])[0] == "voqnet"
    if divided or isolates or any(switches.get(key) for key in OWN_BUFFERS):
        return None
    return in_bytes(switches["buffer"], adapters)


def in_bytes(room, adapters):
    """The bytes of a room in packets or bytes."""
    number, _, unit = room.partition(" ")
    return int(number) * full_packet(adapters) if unit.startswith("packet") else size(room)


def full_packet(adapters):
    """The bytes of a full packet."""
    return size(adapters["mtu"]) + size(adapters["header"])


def round_trip(scenario):
    """The time from sending a bit on a link to its credit (s), if it leaves the buffer at once; None if links differ,
    or their credits come when they can.
    """
    links = scenario["links"]
    flow_control, credits = chosen(links["flow_control"])
    if flow_control not in ("packet-slots", "byte-credits") or credits.get("messages") or _differ(scenario["topology"]):
        return None
    return seconds(links["delay"]) + seconds(credits.get("credit_delay") or links["delay"])


def _differ(value):
    """Whether some links of a topology may have a delay of their own: a key says so, or another file."""
    if isinstance(value, dict):
        there = {key: inner for key, inner in value.items() if inner is not None}
        return any(key == "file" or "delay" in key or _differ(inner) for key, inner in there.items())
    return isinstance(value, list) and any(map(_differ, value))
