"""What a scenario says to no effect: what comes after the end of the run, values that every link has of its own."""

from collections import Counter

from ..quantities import bits_per_second, seconds


def after_the_end(scenario):
    """Traffic and samples of a resolved scenario that are never seen, in sentences."""
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
    every = measure.get("sampling_interval")  # there only if a probe takes samples
    if every is not None and seconds(every) > end * (1 + 1e-9):
        said.append(
            f"Nothing is sampled: the first sample is at {every}, and a run ends at {measure['duration']}; set a "
            "shorter measure.sampling_interval."
        )
    return said


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
