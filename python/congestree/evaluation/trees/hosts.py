"""Why hosts hold the links to them."""

import math

from ...quantities import bits_per_second, seconds
from .. import pauses
from . import held
from .lanes import CHOSEN


def limit(run, seen):
    """Why the host at the end of the root of a tree holds this link; None if it does not.

    seen: the rows of the tree in `trees`. What is said is "drain_rate", "receive_buffer" or "pauses".
    """
    times = [row["time"] for row in seen if row["slow_host"]]
    if not times:
        return None
    root, lane, settings = seen[0]["root"], seen[0]["lane"], pauses.pfc(run)
    drain = run._scenario.get("adapters", {}).get("drain_rate")
    rates = None if drain is None else (run.arrow("ports", ["rate"])["rate"][root].as_py(), bits_per_second(drain))
    slow = rates is not None and rates[1] < rates[0]
    if settings is None:
        return "drain_rate" if slow and _has_room(run, *rates) else "receive_buffer"
    storms = _storms(settings, run.arrow("ports", ["to"])["to"][root].as_py(), lane)
    stormy = sum(any(start <= time <= stop for start, stop in storms) for time in times)
    return "drain_rate" if slow and 2 * stormy <= len(times) else "pauses"


def _storms(settings, host, lane):
    """When a host pauses a lane because the scenario says so: from, to (s)."""
    return [
        (seconds(storm["start"]), seconds(storm["stop"]) if storm.get("stop") else math.inf)
        for storm in settings.get("storms") or ()
        if (storm["host"], storm["lane"]) == (host, lane)
    ]


def _has_room(run, rate, drain):
    """Whether the receive buffer of a host may hold what comes at the rate (bit/s) at which it drains it.

    A packet has its place from its start on a link of this rate until its credit is back, after it has been drained.
    What is not known, such as the delay where links have several, counts as no time.
    """
    scenario = run._scenario
    links, adapters = scenario["links"], scenario["adapters"]
    full = held.full_packet(adapters)
    taken = 8 * full / rate + 8 * full / drain + (held.round_trip(scenario) or 0.0)
    used = max(1, len({entry["lane"] for entry in scenario["traffic"]}))
    lanes = links["lanes"] if any(links.get(key) for key in CHOSEN) else used
    packets = lanes * (held.in_bytes(adapters["receive_buffer"], adapters) // full)
    return packets * 8 * full >= drain * taken
