"""Is a reported deadlock a true one? An independent search, from tables alone.

The engine names the links of a cycle. Here the packets that wait are read from the probe `input-queues` shortly
before, and the ports that can still move are determined from the other end: a host accepts every packet; an input with
room can accept a packet; a full input can make room if something in it waits for a link beyond which a packet can be
accepted. What is left when nothing can be added any more is stuck for ever (a least fixed point, where the engine
follows edges of a graph). Every link of the cycle must be among it. And with a watchdog that waits a thousand times as
long, nothing moves on these links.
"""

import json

from congestree import _engine


def check(scenario, outcome):
    """Raises AssertionError if the reported deadlock is none. `outcome` is {"stopped", "duration_s"} of the run."""
    cycle = [link.rsplit(" lane ", 1) for link in outcome["stopped"].rsplit(": ", 1)[1].split(", ")]
    cycle = [(name, int(lane)) for name, lane in cycle]
    assert len(cycle) == len(set(cycle)) > 1, cycle
    names, first = _run(scenario, outcome)
    stuck = _stuck(scenario, first)
    for name, lane in cycle:
        assert (names.index(name), lane) in stuck, f"{name} lane {lane} can still move"
    patient = json.loads(json.dumps(scenario))
    patient["measure"]["deadlock_timeout"] = "20 ms"
    patient["measure"]["duration"] = f"{round(outcome['duration_s'] * 1e9) + 30_000_000} ns"
    output = _engine.run(json.dumps(patient), "json")
    late = output.tables()["ports"]["packets"]["values"]
    assert json.loads(output.meta())["stopped"], "with more patience there is no deadlock"
    for name, _ in cycle:
        port = names.index(name)
        assert first["ports"]["packets"]["values"][port] == late[port], f"{name} was named, and moved after that"


def _run(scenario, outcome):
    """Names of the ports, and the tables of the run with samples every quarter of the watchdog's timeout."""
    seen = json.loads(json.dumps(scenario))
    seen["measure"] |= {"probes": ["input-queues"], "sampling_interval": "5 us", "bin": "1 s"}
    output = _engine.run(json.dumps(seen), "json")
    assert abs(json.loads(output.meta())["duration_s"] - outcome["duration_s"]) < 1e-12, "a probe has changed the run"
    tables = output.tables()
    return list(tables["ports"]["name"]["values"]), tables


def _stuck(scenario, tables):
    """The (port, lane) of all links behind which there will never be room for another packet."""
    looks = {key: column["values"] for key, column in tables["input_queue_series"].items()}
    if not len(looks["time"]):
        return set()
    last = max(looks["time"])
    waiting = {}
    for at, (time, into, out) in enumerate(zip(looks["time"], looks["input_port"], looks["output_port"], strict=True)):
        if time == last:
            key = (int(into), int(looks["lane"][at]))
            waiting.setdefault(key, {})[int(out)] = int(looks["bytes"][at])
    packet = sum(int(scenario["adapters"][key].split()[0]) for key in ("mtu", "header"))
    size, unit = scenario["switches"]["buffer"].split()
    room = int(size) * (packet if unit == "packets" else 1)
    full = {place for place, outputs in waiting.items() if sum(outputs.values()) + packet > room}
    # Of a single queue only the head may leave. Which of the outputs that is, nobody has written down: such an input
    # counts as stuck as long as one of them is.
    enough = all if scenario["switches"]["queues"] == "single" else any
    while True:
        free = {place for place in full if enough((out, place[1]) not in full for out in waiting[place])}
        if not free:
            return full
        full -= free
