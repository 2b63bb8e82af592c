"""What a scenario says to no effect: values that every link has of its own, jobs to wait for where none runs, ACKs
where none are sent, a reaction to marks where nothing marks, values of a part of the scheme that another key makes
idle."""

import json
from collections import Counter

from ..quantities import bits_per_second, seconds, size
from ..scenario.links.flow_control import ByteCredits
from ..scenario.scheme.mark import Red
from ..scenario.scheme.react import Swift
from .parts import chosen, declared


def sentences(scenario):
    """Values of a resolved scenario that change nothing, in sentences that begin with their key."""
    found = (_nothing_to_answer, _idle, _beyond_the_buffer, _unused)
    return overruled(scenario) + _no_jobs_to_wait_for(scenario) + [each for part in found for each in part(scenario)]


def _no_jobs_to_wait_for(scenario):
    measure = scenario["measure"]
    if not measure["until_jobs_end"] or any(entry.get("program") for entry in scenario["traffic"]):
        return []
    return [
        f"measure.until_jobs_end = true has no effect: no traffic is an application, and the run ends at "
        f"{measure['duration']}; leave it out, or give traffic a program."
    ]


def _nothing_to_answer(scenario):
    """A reaction to marks where nothing marks."""
    scheme = scenario["scheme"]
    react, mark = chosen(scheme["react"])[0], chosen(scheme["mark"])[0]
    # Some also answer losses, of which a transport tells them.
    losses = chosen(scheme["transport"])[0] != "none" and _may_lose(scenario)
    if mark == "none" and declared("react", "answers_marks")[react] and not losses:
        yield (
            f"scheme.react = {react} has nothing to answer: it reacts to marks, and scheme.mark = none makes none; "
            "give scheme.mark, or take a preset that has both."
        )


def _idle(scenario):
    """Values of a part of the scheme that cannot act beside another key, though a scenario with both makes sense."""
    (react, swift), (mark, red) = (chosen(scenario["scheme"][role]) for role in ("react", "mark"))
    repairs = chosen(scenario["scheme"]["transport"])[0] != "none"
    if react == "swift" and not repairs and swift["retx_reset"] != Swift().retx_reset:
        why = "timeouts are those of a transport, and there is none"
        yield from _said("scheme.react.swift", swift, "retx_reset", why, "give scheme.transport")
    # A device whose thresholds are the same has some probability; a step is often written with 1.
    if mark == "red" and size(red["min"]) == size(red["max"]) and red["probability"] not in (Red().probability, 1):
        why = f"min and max are both {red['max']}, so nothing is marked up to there, and everything above"
        yield from _said("scheme.mark.red", red, "probability", why, "make max larger")


def _may_lose(scenario):
    links = scenario["links"]
    flow_control, settings = chosen(links["flow_control"])
    some = flow_control == "none" or "lossless" in settings or links.get("errors") or links.get("faults")
    return bool(some or scenario["switches"].get("random_loss"))


def _beyond_the_buffer(scenario):
    """A threshold of isolation that no queue of full packets exceeds in lane 0, where isolation acts.

    With packet slots the engine refuses that of detection; one from which an output marks matters only to marks.
    """
    scheme, thresholds = chosen(scenario["scheme"]["isolate"])
    switches, adapters = scenario["switches"], scenario["adapters"]
    room = (switches.get("lane_buffers") or [switches.get("buffer")])[0]
    detection = declared("isolate", "detection_key")[scheme]
    if switches.get("shared_memory") or not room or detection is None:
        return
    packet = size(adapters["mtu"]) + size(adapters["header"])
    count = int(room.split()[0]) if "packet" in room else _packets_in(size(room), packet, scenario["links"])
    marks = ["high"] if "high" in thresholds and chosen(scenario["scheme"]["mark"])[0] == "root" else []
    key = next((key for key in [detection, *marks] if thresholds[key] >= count), None)
    if key is not None:
        lane = " in lane 0, where isolation acts" if scenario["links"]["lanes"] > 1 else ""
        yield (
            f"scheme.isolate.{scheme}.{key} = {thresholds[key]} has no effect on full packets: the buffer of an input "
            f"has room for {count} of {packet:.0f} B{lane}, and a queue must hold more than {thresholds[key]} packets; "
            "make it smaller, or the buffers larger (switches.buffer, lane_buffers)."
        )


def _packets_in(room, packet, links):
    """Packets for which a buffer in bytes has room: with credits whole blocks are promised, and taken."""
    flow_control, settings = chosen(links["flow_control"])
    if flow_control != "byte-credits":
        return int(room // packet)
    credits = {"block": ByteCredits().block, "overhead": ByteCredits().overhead} | settings
    block = size(credits["block"])
    return int(room // block // -(-(packet + size(credits["overhead"])) // block))


def _unused(scenario):
    """Keys for what the scenario has nowhere: ACKs, messages that wait, applications, notifications, other lanes."""
    adapters, links, scheme = (scenario[section] for section in ("adapters", "links", "scheme"))
    acked, free = _acknowledges(scenario), chosen(scheme["react"])[0] == "none"
    plain = all(entry.get("arrivals") == "greedy" and not entry.get("program") for entry in scenario["traffic"])
    if not acked:
        for key in ("acks", "ack_turnaround", "ack_lane"):
            why = "no packet is acknowledged, as there is no window, no transport, and no reaction that needs ACKs"
            yield from _said("adapters", adapters, key, why, "give adapters.window")
        if plain and "message_cost" not in adapters:
            why = "greedy sources have messages that wait only if messages cost something or are acknowledged"
            yield from _said("adapters", adapters, "queue_depth", why, "give adapters.message_cost")
    if not any(entry.get("program") for entry in scenario["traffic"]):
        why = "only applications send over the links inside a node, and no traffic is one"
        yield from _said("adapters", adapters, "node", why, "give traffic a program")
    if free and scheme["preset"] == "none" and chosen(scheme["notify"])[0] == "cnp":
        yield from _said("scheme", {"notify": "cnp"}, "notify", "nothing reacts to notifications", "give scheme.react")
    if free and scheme["persistent"] and chosen(scheme["transport"])[0] == "none":
        why = "nothing limits the rate of a source, which it could keep"
        yield from _said("scheme", scheme, "persistent", why, "give scheme.react")
    if links["lanes"] == 1:
        yield from _said("links", links, "hop_lanes", "there is one lane", "set links.lanes")


def _acknowledges(scenario):
    """Whether the packets of some flow are acknowledged."""
    scheme = scenario["scheme"]
    (react, settings), windows = chosen(scheme["react"]), [scenario["adapters"], *scenario["traffic"]]
    if chosen(scheme["transport"])[0] != "none" or any(entry.get("window") is not None for entry in windows):
        return True
    if chosen(scheme["notify"])[0] == "cnp":
        return settings.get("window", "none") != "none"
    return react != "none"


def _said(section, values, key, why, remedy):
    """The sentence about a key of a section, if that has it."""
    if values.get(key) is not None:
        yield f"{section}.{key}{_written(values[key])} has no effect: {why}; leave it out, or {remedy}."


def _written(value):
    """The value of a key as it was written; of a table nothing, as defaults were added to it."""
    if isinstance(value, dict):
        return ""
    return f" = {value if isinstance(value, str) else json.dumps(value)}"


def overruled(scenario):
    """Values of `links` that no link of the topology has, in sentences; scenario: a resolved one."""
    said = []
    for key, value in (("rate", bits_per_second), ("delay", seconds)):
        general, (own, told) = scenario["links"][key], _own_values(scenario["topology"], key)
        if own and value(general) != 0 and all(value(text) != value(general) for text in own):
            said.append(
                f"links.{key} = {general} has no effect: every link of the topology has a {key} of its own, {told}."
            )
    return said


def _own_values(topology, key):
    """The rates or delays of a topology all of whose links have their own, and what to say of them."""
    topology = topology if isinstance(topology, dict) else {}
    if levels := topology.get("clos", {}).get(f"{key}s"):
        return levels, f"{', '.join(levels)} from the hosts up; change topology.clos.{key}s"
    links = topology.get("graph", {}).get("links", [])
    own = [link[f"{key}{way}"] for link in links for way in ("", "_back") if link.get(f"{key}{way}") is not None]
    if not own or any(link.get(key) is None for link in links):
        return [], ""
    (usual, count), *_ = Counter(own).most_common(1)
    most = "all" if count == len(own) else "most"
    return own, f"{usual} at {most} of them; change it in the topology, or import the fabric with --{key}"
