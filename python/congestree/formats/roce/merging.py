"""Settings that were read in a scenario that has its own, and notes on what they replace."""

from ... import document, quantities

# Sections, which are merged key by key; any other table is one value, or a choice that replaces another. In PFC and in
# shared memory files have no word for much of what a scenario may say, such as the response time.
SECTIONS = ("links", "switches", "scheme", "adapters", "links.flow_control.pfc", "switches.shared_memory")
# The settings of switches that replace a memory that all ports share, and those only for links without flow control.
INPUTS = ("switches.buffer", "switches.lane_buffers")
LOSSY = ("switches.output_queue", "switches.output_queue_rate", "switches.trim", "switches.random_loss")
# Where some links have their own, these are of the others, such as those of hosts below the spine that a file is of.
OF_LINKS = {"links.rate": quantities.bits_per_second, "links.delay": quantities.seconds}


def merged(scenario, sections, topology=None):
    """A scenario (a dict) with sections that were read in place of its own, without what conflicts with them.

    Keys of pauses and of shared memory that the sections do not have remain, and so does a rate or delay of links that
    is not that of all links.

    topology: what is in the file that the scenario names as its topology, if it does. The name stays.
    """
    topology = topology or scenario.get("topology")
    for path in OF_LINKS:
        if _is_kept(scenario, topology, path):
            sections = document.without(sections, path)
    found = {**scenario, **{key: _joined(scenario.get(key), value, key) for key, value in sections.items()}}
    for path in _rivals(scenario, sections):
        found = document.without(found, path)
    return found


def remarks(scenario, sections, topology=None):
    """Notes on how sections that were read change a scenario (a dict); topology: as for `merged`."""
    topology = topology or scenario.get("topology")
    gone = ", ".join(_gone(scenario, merged(scenario, sections, topology)))
    notes = [f"left out of the scenario, since the file has other settings in their place: {gone}"] if gone else []
    return notes + _other_links(scenario, sections, topology) + _lossy_traffic(scenario, sections)


def _joined(own, value, path):
    """A value that was read, with what the scenario has beside it if they are the same section or choice."""
    if not (isinstance(own, dict) and isinstance(value, dict)):
        return value
    if path in SECTIONS or (path == "links.flow_control" and own.keys() == value.keys()):
        return {**own, **{key: _joined(own.get(key), part, f"{path}.{key}") for key, part in value.items()}}
    return value


def _rivals(scenario, sections):
    """Paths of a scenario that do not go together with the sections."""
    switches, rivals = sections.get("switches", {}), []
    if "flow_control" in sections.get("links", {}):
        rivals += LOSSY
    if shared := switches.get("shared_memory"):
        rivals += INPUTS
        if "headroom" in shared:
            rivals.append("switches.shared_memory.headroom_delays")
        if "size" in shared and "headroom_pool" not in shared:  # the size counts the headroom of every port
            rivals.append("switches.shared_memory.headroom_pool")
        if document.get(scenario, "links.flow_control.pfc.counts") == "queue":  # for inputs with memory of their own
            rivals.append("links.flow_control.pfc.counts")
    return rivals


def _gone(own, found, before=""):
    """Paths of nested dicts that others do not have; of a table that is not there its own path alone."""
    paths = []
    for key, value in own.items():
        if not isinstance(found, dict) or key not in found:
            paths.append(f"{before}{key}")
        elif isinstance(value, dict):
            paths += _gone(value, found[key], f"{before}{key}.")
    return paths


def _is_kept(scenario, topology, path):
    """A scenario has a rate or delay of links that only those have which have none of their own in its topology."""
    return document.get(scenario, path) is not None and _is_named(topology, path.rpartition(".")[2])


def _is_named(topology, word):
    """Some key of nested dicts and lists begins with this word: `rate`, `rate_back`, or `rates` of levels."""
    if isinstance(topology, dict):
        return any(str(key).startswith(word) or _is_named(value, word) for key, value in topology.items())
    return isinstance(topology, list) and any(_is_named(value, word) for value in topology)


def _other_links(scenario, sections, topology):
    """Notes on a rate and a delay of links that are not those of the file."""
    notes = []
    for path, number in OF_LINKS.items():
        own, read = (document.get(values, path) for values in (scenario, sections))
        if own is None or read is None or _same(number, own, read):
            continue
        if _is_kept(scenario, topology, path):
            also = ", and what it says without a `for_rate` holds for all links" if path == "links.rate" else ""
            notes.append(f"{path} stays {own}, for links without their own; the file is for {read}{also}")
        else:
            notes.append(f"{path} was {own}, and is {read} as in the file")
    return notes


def _same(number, *texts):
    """Two quantities are the same; what is none is complained of when the scenario is checked."""
    try:
        one, other = map(number, texts)
    except (ValueError, TypeError):
        return True
    return one == other


def _lossy_traffic(scenario, sections):
    """A note on traffic that uses a lossy priority because nothing sets its priority."""
    links = sections.get("links", {})
    lossless = document.get(links, "flow_control.pfc.lossless")
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
