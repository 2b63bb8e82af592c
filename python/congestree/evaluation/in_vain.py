"""What a scenario says to no effect: what comes after the end of the run, values that every link has of its own, jobs
to wait for where none runs, ACKs where none are sent, a reaction to marks where nothing marks, values of a part of the
scheme that another key makes idle."""

import functools
import json
from collections import Counter

from ..quantities import bits_per_second, seconds, size
from ..scenario.scheme.mark import Red
from ..scenario.scheme.react import Swift


def after_the_end(scenario, hosts, groups):
    """Traffic and samples of a resolved scenario that are never seen, in sentences.

    hosts: their number. groups: answers the hosts of every group of the network by its name, which takes long.
    """
    measure = scenario["measure"]
    warm_up, end = seconds(measure["warm_up"]), seconds(measure["duration"])
    said = []
    for index, entry in enumerate(scenario["traffic"]):
        place = f"traffic.{index} ({entry['name']})"
        if seconds(entry["start"]) >= end:
            said.append(
                f"{place} sends nothing: it starts at {entry['start']}, and a run ends at {measure['duration']}; let "
                "it start earlier, or set a longer measure.duration."
            )
        elif entry.get("stop") is not None and seconds(entry["stop"]) <= warm_up:
            said.append(
                f"{place} sends only before what is measured: it stops at {entry['stop']}, and measure.warm_up ends at "
                f"{measure['warm_up']}; let it stop later, or set a shorter measure.warm_up."
            )
        else:
            said += [f"{place}{what}" for what in _late(entry, measure["duration"], hosts, groups)]
    every = measure.get("sampling_interval")  # there only if a probe takes samples
    if every is not None and seconds(every) > end * (1 + 1e-9):
        said.append(
            f"Nothing is sampled: the first sample is at {every}, and a run ends at {measure['duration']}; set a "
            "shorter measure.sampling_interval."
        )
    return said


def _late(entry, duration, hosts, groups):
    """What of an entry that starts in time comes too late, in parts of sentences that follow its name."""
    start, stop = seconds(entry["start"]), entry.get("stop")
    is_stopped = stop is not None and seconds(stop) <= seconds(duration)
    end = seconds(stop) if is_stopped else seconds(duration)
    until = f"all stop at {stop}" if is_stopped else f"a run ends at {duration}"
    longer = "stop" if is_stopped else "measure.duration"
    kind = entry.get("arrivals")
    incast = kind.get("incast") if isinstance(kind, dict) else None
    if incast is not None and incast.get("every") is not None:
        count = incast.get("count") or 1
        late = sum(start + time * seconds(incast["every"]) >= end for time in range(count))
        if late:
            yield (
                f" lacks {late} of its {count} incasts: one comes every {incast['every']} from {entry['start']} on, "
                f"and {until}; ask for fewer (arrivals.incast.count), let them come faster, or set a later {longer}."
            )
    stagger, senders = seconds(entry["stagger"]), entry.get("from")
    sources = 1 if not stagger else hosts if senders == "all" else _count(senders, groups())
    if start + (sources - 1) * stagger + seconds(entry["jitter"]) >= end:
        keys = [key for key in ("stagger", "jitter") if seconds(entry[key]) > 0]
        why = " and ".join(f"{key} = {entry[key]}" for key in keys)
        yield (
            f" may lack some of its sources: {why} can let them start "
            f"too late to send anything, since {until}; make {' or '.join(keys)} smaller, or set a later {longer}."
        )


def _count(senders, groups):
    """How many hosts are named, some of them by the name of their group."""
    names = senders if isinstance(senders, list) else [senders]
    return len({host for name in names for host in groups.get(name, [name])})


def without_effect(scenario):
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
    react, mark = _part(scheme["react"])[0], _part(scheme["mark"])[0]
    # Some also answer losses, of which a transport tells them.
    losses = _part(scheme["transport"])[0] != "none" and _may_lose(scenario)
    if mark == "none" and _answers_marks().get(react) and not losses:
        yield (
            f"scheme.react = {react} has nothing to answer: it reacts to marks, and scheme.mark = none makes none; "
            "give scheme.mark, or take a preset that has both."
        )


def _idle(scenario):
    """Values of a part of the scheme that cannot act beside another key, though a scenario with both makes sense."""
    (react, swift), (mark, red) = (_part(scenario["scheme"][role]) for role in ("react", "mark"))
    repairs = _part(scenario["scheme"]["transport"])[0] != "none"
    if react == "swift" and not repairs and swift["retx_reset"] != Swift().retx_reset:
        why = "timeouts are those of a transport, and there is none"
        yield from _said("scheme.react.swift", swift, "retx_reset", why, "give scheme.transport")
    # A device whose thresholds are the same has some probability; a step is often written with 1.
    if mark == "red" and size(red["min"]) == size(red["max"]) and red["probability"] not in (Red().probability, 1):
        why = f"min and max are both {red['max']}, so nothing is marked up to there, and everything above"
        yield from _said("scheme.mark.red", red, "probability", why, "make max larger")


@functools.cache
def _answers_marks():
    """Of every reaction, whether it answers marks."""
    from .. import _engine

    parts = json.loads(_engine.catalogue())
    return {part["name"]: part["answers_marks"] for part in parts if part["kind"] == "react"}


def _may_lose(scenario):
    links = scenario["links"]
    flow_control, settings = _part(links["flow_control"])
    some = flow_control == "none" or "lossless" in settings or links.get("errors") or links.get("faults")
    return bool(some or scenario["switches"].get("random_loss"))


def _beyond_the_buffer(scenario):
    """A threshold of isolation that no queue of full packets exceeds.

    With packet slots the engine refuses that of detection; the one from which CCFIT marks matters only to marks.
    """
    scheme, thresholds = _part(scenario["scheme"]["isolate"])
    switches, adapters = scenario["switches"], scenario["adapters"]
    rooms = [room for room in switches.get("lane_buffers") or [switches.get("buffer")] if room]
    if switches.get("shared_memory") or not rooms or scheme not in DETECTION:
        return
    packet = size(adapters["mtu"]) + size(adapters["header"])
    count = max(int(room.split()[0]) if "packet" in room else int(size(room) // packet) for room in rooms)
    marks = ["high"] if scheme == "ccfit" and _part(scenario["scheme"]["mark"])[0] == "root" else []
    key = next((key for key in [DETECTION[scheme], *marks] if thresholds[key] >= count), None)
    if key is not None:
        yield (
            f"scheme.isolate.{scheme}.{key} = {thresholds[key]} has no effect on full packets: the buffer of an input "
            f"has room for {count} of {packet:.0f} B, and a queue must hold more than {thresholds[key]} packets; make "
            "it smaller, or the buffers larger (switches.buffer, lane_buffers)."
        )


DETECTION = {"fbicm": "detect", "ccfit": "detect", "hfdi": "high", "ecocc": "high"}
"""The threshold, in packets, above which a scheme takes a queue for congested."""


def _unused(scenario):
    """Keys for what the scenario has nowhere: ACKs, messages that wait, applications, notifications, other lanes."""
    adapters, links, scheme = (scenario[section] for section in ("adapters", "links", "scheme"))
    acked, free = _acknowledges(scenario), _part(scheme["react"])[0] == "none"
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
    if free and scheme["preset"] == "none" and _part(scheme["notify"])[0] == "cnp":
        yield from _said("scheme", {"notify": "cnp"}, "notify", "nothing reacts to notifications", "give scheme.react")
    if free and scheme["persistent"] and _part(scheme["transport"])[0] == "none":
        why = "nothing limits the rate of a source, which it could keep"
        yield from _said("scheme", scheme, "persistent", why, "give scheme.react")
    if links["lanes"] == 1:
        yield from _said("links", links, "hop_lanes", "there is one lane", "set links.lanes")


def _acknowledges(scenario):
    """Whether the packets of some flow are acknowledged."""
    scheme = scenario["scheme"]
    (react, settings), windows = _part(scheme["react"]), [scenario["adapters"], *scenario["traffic"]]
    if _part(scheme["transport"])[0] != "none" or any(entry.get("window") is not None for entry in windows):
        return True
    if _part(scheme["notify"])[0] == "cnp":
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


def _part(choice):
    """The name of what is chosen, and its settings."""
    return (choice, {}) if isinstance(choice, str) else next(iter(choice.items()))


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
