"""What a scenario says to no effect: what comes after the end of the run, values that every link has of its own, jobs
to wait for where none runs."""

from collections import Counter

from ..quantities import bits_per_second, seconds


def after_the_end(scenario, hosts):
    """Traffic and samples of a resolved scenario that are never seen, in sentences; hosts: their number."""
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
            said += [f"{place}{what}" for what in _late(entry, measure["duration"], hosts)]
    every = measure.get("sampling_interval")  # there only if a probe takes samples
    if every is not None and seconds(every) > end * (1 + 1e-9):
        said.append(
            f"Nothing is sampled: the first sample is at {every}, and a run ends at {measure['duration']}; set a "
            "shorter measure.sampling_interval."
        )
    return said


def _late(entry, duration, hosts):
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
    senders = entry.get("from")
    sources = hosts if senders == "all" else len(senders) if isinstance(senders, list) else 1
    if start + (sources - 1) * seconds(entry["stagger"]) + seconds(entry["jitter"]) >= end:
        keys = [key for key in ("stagger", "jitter") if seconds(entry[key]) > 0]
        why = " and ".join(f"{key} = {entry[key]}" for key in keys)
        yield (
            f" may lack some of its sources: {why} can let them start "
            f"too late to send anything, since {until}; make {' or '.join(keys)} smaller, or set a later {longer}."
        )


def without_effect(scenario):
    """Values of a resolved scenario that change nothing, in sentences that begin with their key."""
    return overruled(scenario) + _no_jobs_to_wait_for(scenario)


def _no_jobs_to_wait_for(scenario):
    measure = scenario["measure"]
    if not measure["until_jobs_end"] or any(entry.get("program") for entry in scenario["traffic"]):
        return []
    return [
        f"measure.until_jobs_end = true has no effect: no traffic is an application, and the run ends at "
        f"{measure['duration']}; leave it out, or give traffic a program."
    ]


def overruled(scenario):
    """Values of `links` that no link of a written topology has, in sentences; scenario: a resolved one."""
    topology = scenario["topology"]
    links = topology.get("graph", {}).get("links", []) if isinstance(topology, dict) else []
    said = []
    for key, value in (("rate", bits_per_second), ("delay", seconds)):
        general = scenario["links"][key]
        own = [link[f"{key}{way}"] for link in links for way in ("", "_back") if link.get(f"{key}{way}") is not None]
        if len(links) > sum(link.get(key) is not None for link in links) or not own or value(general) == 0:
            continue
        if all(value(text) != value(general) for text in own):
            (usual, count), *_ = Counter(own).most_common(1)
            most = "all" if count == len(own) else "most"
            said.append(
                f"links.{key} = {general} has no effect: every link of the topology has a {key} of its own, {usual} at "
                f"{most} of them; change it in the topology, or import the fabric with --{key}."
            )
    return said
