"""From the files of a simulator to a scenario."""

from collections import Counter

from ...quantities import bits_per_second, exactly, in_words, seconds
from ...runs import running
from . import hpcc_config, htsim
from .model import WorkloadError

# The switch of the HPCC simulator (`switch-mmu.cc`): bytes that every port has for itself, and by which a pause ends
# below its threshold; its share of the free memory at the rate of hosts; its headroom in delays of the link.
RESERVED, OFFSET, ALPHA, HEADROOM_DELAYS = "4096 B", "3072 B", 0.125, 3.0
# Time after the last start for the last flows to finish, if the files do not set the end.
MARGIN = 10**10  # ps


def names_of(workload, topology=None):
    """The name of every host of a workload by its number: h0, h1, ... as `hpcc.read_topology` names them."""
    if topology is None:
        return [f"h{host}" for host in range(workload.hosts)]
    return {host: f"h{host}" for host in topology["hosts"]}


def scenario_of(topology, workload=None, config=None, name="", lists=None):
    """A scenario (a dict) of an HPCC topology, and notes.

    `workload`: the flows, one entry of traffic for each priority. `config`: the path of a `config.txt`. `lists`: maps a
    priority to the name of a file for its list, which is then not part of the scenario.
    """
    rates = Counter(link["rate"] for link in topology["links"])
    rate = max(rates, key=lambda text: (rates[text], text))
    notes = list(workload.notes) if workload else []
    sections = {}
    if config is not None:
        sections, more = hpcc_config.read(config, round(bits_per_second(rate)), topology, workload is not None)
        notes += more
    links = [
        {key: value for key, value in link.items() if key != "rate" or value != rate} for link in topology["links"]
    ]
    graph = {
        "hosts": [f"h{host}" for host in topology["hosts"]],
        "switches": [f"s{switch}" for switch in topology["switches"]],
        "links": links,
    }
    scenario = {
        "name": name,
        "topology": {"graph": graph},
        "links": {"rate": rate, "flow_control": "byte-credits"},
        "switches": {"switching": "store-and-forward"},
    }
    if "adapters" in sections:
        scenario["adapters"] = sections["adapters"]
    if "scheme" in sections:
        scenario["scheme"] = sections["scheme"]
    last = workload.flows[-1].start if workload else 0
    duration = sections.get("duration") or exactly(last + MARGIN, "ps")
    scenario["traffic"] = _traffic(topology, workload, lists or {})
    scenario["measure"] = {"duration": duration, "probes": ["completions"] if workload else []}
    if workload:
        notes += _in_vain(workload, duration, max(bits_per_second(text) for text in rates))
    first = min(flow.start for flow in workload.flows) if workload and workload.flows else 0
    if 0 < first * 1e-12 < seconds(duration):
        scenario["measure"]["warm_up"] = exactly(first, "ps")
        notes.append(
            f"measuring begins with the first flow, at {exactly(first, 'ps')}: rates are not over the time before"
        )
    scenario["scheme"] = {"route": "ecmp", **scenario.get("scheme", {})}
    _lanes(scenario, workload, notes)
    if "memory" in sections:
        _memory(scenario, topology, sections["memory"], notes)
    return scenario, notes


def _in_vain(workload, duration, fastest):
    """A note on flows that cannot finish in a run of this duration, on links of `fastest` bit/s at most."""
    ends = [flow.start + 8e12 * flow.size / fastest for flow in workload.flows]
    end = seconds(duration) * 1e12
    late, started = sum(one > end for one in ends), sum(flow.start < end for flow in workload.flows)
    if not late:
        return []
    return [
        f"the run ends at {duration} (measure.duration), so that {late} of {len(ends)} flows cannot finish"
        f"{'' if started else ', and none starts'}: the last needs until {in_words(max(ends) / 1e12, 's')} at least"
    ]


def _lanes(scenario, workload, notes):
    """A lane for each priority that occurs, if there are several."""
    priorities = workload.priorities() if workload else []
    if len(priorities) > 1:
        lane = {priority: lane for lane, priority in enumerate(priorities)}
        services = [lane.get(priority, 0) for priority in range(priorities[-1] + 1)]
        scenario["links"] |= {"lanes": len(priorities), "service_lanes": services}
        said = ", ".join(f"{priority} in lane {number}" for priority, number in lane.items())
        notes.append(f"every priority has a lane, and they take turns: {said}")


def _memory(scenario, topology, size, notes):
    """The memory of switches as in the HPCC simulator.

    A port and lane has 4 KiB for itself and a headroom of three times what its link carries in its delay. The rest of
    BUFFER_SIZE is shared. An input pauses its sender when it uses more of that than alpha times the free part; alpha is
    1/8 at the rate of the hosts, and twice as much at twice the rate. A pause ends 3 KiB below the threshold.
    """
    host = f"h{topology['hosts'][0]}"
    rate = next(link["rate"] for link in topology["links"] if host in (link["a"], link["b"]))
    dynamic = {"alpha": ALPHA, "for_rate": rate, "offset": OFFSET}
    scenario["links"]["flow_control"] = {"pfc": {"threshold": {"dynamic": dynamic}}}
    shared = {"size": exactly(size, "B"), "reserved": RESERVED, "headroom_delays": HEADROOM_DELAYS}
    scenario["switches"]["shared_memory"] = shared
    scenario["measure"]["probes"].append("pauses")
    own = bits_per_second(rate)
    odd = {bits_per_second(link["rate"]) / own for link in topology["links"]} - {0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0}
    if odd:
        notes.append(
            "the pause threshold of a link is in proportion to its rate; the simulator takes the next power of two "
            "times that of the hosts, and eight times at most"
        )
    if short := _short_of_headroom(scenario):
        del shared["headroom_delays"]
        notes.append(
            f"the simulator has a headroom of three times what a link carries in its delay: {short[1]} B at "
            f"{short[0]}, which needs {short[2]} B, so that packets could be lost; here every link has what it needs"
        )


def _short_of_headroom(scenario):
    """The end of a link where the simulator's headroom is shortest of the need: name, bytes and bytes needed."""
    hosts = scenario["topology"]["graph"]["hosts"]
    trial = {**scenario, "traffic": [{"from": hosts[0], "to": hosts[-1]}], "scheme": {"preset": "none"}}
    trial["measure"] = {"duration": "1 ns"}  # so that no memory is asked for packets that fill these buffers
    trial["links"] = {**scenario["links"], "service_lanes": []}
    trial["switches"] = {**scenario["switches"], "shared_memory": {"size": "1000 GB"}}
    worst, switches = None, set(scenario["topology"]["graph"]["switches"])
    for link in running.network(trial, routes=False)["links"]:
        for end, rate, delay in (("a", "rate_back", "delay_back"), ("b", "rate", "delay")):
            own = int(HEADROOM_DELAYS * (link[rate] * link[delay] // (8 * 10**12)))
            needed = link[f"headroom_{end}"]
            if needed > own and link[end] in switches:
                worst = max(worst or (0,), (needed - own, link[end], own, needed))
    return worst and worst[1:]


def into(scenario, workload):
    """A scenario (a dict) whose traffic is that of a workload: node i is its i-th host. Also notes."""
    network = running.network(scenario, routes=False)
    hosts, fastest = network["hosts"], max(link[way] for link in network["links"] for way in ("rate", "rate_back"))
    found = {**scenario, "measure": dict(scenario["measure"])}
    late = _in_vain(workload, found["measure"]["duration"], fastest)
    if workload.waits():
        found["traffic"] = [application(workload, hosts)]  # which may add notes to the workload
        return found, workload.notes + late
    rows = [
        {"name": f"priority {priority}", "service": priority, "list": workload.rows(hosts, priority)}
        for priority in workload.priorities()
    ]
    found["traffic"] = rows
    probes = found["measure"].get("probes", [])
    found["measure"]["probes"] = [*probes, *({"completions"} - {*probes})]
    return found, workload.notes + late


def application(workload, hosts):
    """The traffic of flows that wait for each other: an application whose rank i is on the i-th of `hosts`."""
    if workload.hosts > len(hosts):
        fact = f"the flows are for {workload.hosts} nodes, and there are {len(hosts)} hosts"
        raise WorkloadError(workload.path, 1, fact, "take a larger network")
    return {
        "name": "flows",
        "from": "all",
        "program": {"text": htsim.goal(workload)},
        "job": {"ranks": workload.hosts, "placement": "linear", "send_end": "delivered"},
    }


def _traffic(topology, workload, lists):
    if workload is None:
        return [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.3}}}]
    names = names_of(workload, topology)
    entries = []
    for priority in workload.priorities():
        rows = workload.rows(names, priority)
        entries.append({"name": f"priority {priority}", "service": priority, "list": lists.get(priority, rows)})
    return entries
