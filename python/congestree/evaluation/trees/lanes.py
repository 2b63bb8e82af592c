"""What the other lanes of a link take of it: a lane may wait although the link carries little of its own packets."""

from collections import Counter

from ...columns import numbers

MOST = 0.5
"""A lane that takes more than this share of the link of a root is named beside the root, which is in another lane."""
CHOSEN = ("service_lanes", "destination_lanes", "hop_lanes")
"""Keys of `links` by which packets of an entry go in other lanes than in its `lane`."""


def taken(run):
    """{(port, lane): {"share": of the link after the warm-up, "classes": of traffic}} of lanes that took most of it.

    The probe `counters` tells the shares of all links, but no classes. Without it those of a link into a host are known
    if all its traffic has the lane and the destination that the scenario gives it.
    """
    measured, several = run.value("measured"), run._scenario["links"]["lanes"] > 1
    if not several or measured <= 0:
        return {}
    rates = run.arrow("ports", ["rate"])["rate"].to_pylist()
    sent = _into_hosts(run)
    if "counters" in run.tables:
        table = run.arrow("counters", ["port", "lane", "PortXmitData"])
        words = zip(*(numbers(table[name]).tolist() for name in table.column_names), strict=True)
        sent = {(port, lane): (32 * data / measured, sent.get((port, lane), (0, []))[1]) for port, lane, data in words}
    shares = {place: (rate / rates[place[0]], classes) for place, (rate, classes) in sent.items()}
    return {place: {"share": share, "classes": names} for place, (share, names) in shares.items() if share > MOST}


def beside(found, port, lane):
    """Of what `taken` has found, what other lanes than this one took of its link, with lane, share and classes."""
    return [{"lane": other, **what} for (link, other), what in found.items() if link == port and other != lane]


def _into_hosts(run):
    """{(port, lane): [bit/s that came in, names of classes]} of links into hosts with one link, where that is known."""
    scenario = run._scenario
    if any(scenario["links"].get(key) for key in CHOSEN) or scenario["adapters"].get("node"):
        return {}
    to = run.arrow("ports", ["to"])["to"].to_pylist()
    links, lanes = Counter(to), {entry["name"]: entry["lane"] for entry in scenario["traffic"]}
    ports = {host: port for port, host in enumerate(to) if links[host] == 1}
    found = {}
    for flow in run.arrow("flows", ["class", "destination", "rate"]).to_pylist():
        if flow["destination"] == "*" or flow["class"] not in lanes:
            return {}
        if flow["rate"] > 0 and flow["destination"] in ports:
            place = found.setdefault((ports[flow["destination"]], lanes[flow["class"]]), [0.0, []])
            place[0] += flow["rate"]
            place[1] += [flow["class"]] * (flow["class"] not in place[1])
    return found
