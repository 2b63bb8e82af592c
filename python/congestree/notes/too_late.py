"""Traffic and samples of a scenario that come after the end of its run, or before what is measured."""

from ..quantities import seconds


def sentences(scenario, hosts, groups):
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
