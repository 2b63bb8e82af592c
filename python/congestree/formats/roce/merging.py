"""Settings that were read in a scenario that has its own, and notes on what they replace."""

# The settings of switches that replace a memory that all ports share, and those only for links without flow control.
INPUTS = ("buffer", "lane_buffers")
LOSSY = ("output_queue", "output_queue_rate", "trim", "random_loss")


def merged(scenario, sections):
    """A scenario (a dict) with sections that were read in place of its own, without what conflicts with them."""
    found = dict(scenario)
    for key, value in sections.items():
        own = found.get(key)
        # A choice such as {"red": ...} replaces another choice; sections are merged.
        deeper = (
            isinstance(own, dict) and isinstance(value, dict) and key in ("links", "switches", "scheme", "adapters")
        )
        found[key] = {**own, **value} if deeper else value
    for key in _rivals(scenario, sections):
        del found["switches"][key]
    return found


def remarks(scenario, sections):
    """Notes on how sections that were read change a scenario (a dict)."""
    gone = ", ".join(f"switches.{key}" for key in _rivals(scenario, sections))
    notes = [f"left out of the scenario, since the file has other memory in its place: {gone}"] if gone else []
    return notes + _lossy_traffic(scenario, sections)


def _rivals(scenario, sections):
    """Keys of a scenario's switches that the sections replace by others."""
    own, switches = scenario.get("switches"), sections.get("switches", {})
    rivals = (
        *(INPUTS if "shared_memory" in switches else ()),
        *(LOSSY if "flow_control" in sections.get("links", {}) else ()),
    )
    return [key for key in own if key in rivals] if isinstance(own, dict) else []


def _lossy_traffic(scenario, sections):
    """A note on traffic that uses a lossy priority because nothing sets its priority."""
    links = sections.get("links", {})
    control = links.get("flow_control")
    lossless = control.get("pfc", {}).get("lossless") if isinstance(control, dict) else None
    entries = scenario.get("traffic")
    if not lossless or 0 in lossless or not isinstance(entries, list):
        return []
    silent = [
        entry.get("name", f"traffic{number}")
        for number, entry in enumerate(entries)
        if isinstance(entry, dict) and not {"service", "lane"} & set(entry)
    ]
    if not silent:
        return []
    names = ", ".join(map(str, silent[:5])) + (" ..." if len(silent) > 5 else "")
    return [
        f"traffic without a `service` ({names}) is in priority 0, which may lose packets: write service = {lossless[0]}"
    ]
