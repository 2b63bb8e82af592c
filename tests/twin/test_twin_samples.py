"""What samples of a run show is what its twin shows at that instant: credit, and what waits at inputs.

By hand: `PYTHONPATH=. python tests/twin/test_twin_samples.py 0 500`.
"""

import json
import random
import sys
from collections import Counter

from comparing import PARTS, SEEDS, check_tables, engine_rows, in_chunks
from random_lanes import random_lanes
from random_queues import random_queues
from random_scenarios import random_scenario
from reference import Fabric
from reference.quantities import span


def sampled(seed: int) -> dict:
    """A scenario with samples that do not divide the run."""
    rng = random.Random(f"samples {seed}")
    scenario = [random_scenario, random_lanes, random_queues][seed % 3](seed)
    every = max(span(scenario["measure"]["duration"]) // rng.randint(4, 40) + rng.randint(0, 5_000), 1)
    probes = ["input-queues"] if promises_nothing(scenario) else ["credits", "input-queues"]
    return scenario | {"measure": scenario["measure"] | {"probes": probes, "sampling_interval": f"{every} ps"}}


def promises_nothing(scenario: dict) -> bool:
    """No link has credits: neighbours pause each other, or lose packets."""
    told = scenario["links"].get("flow_control", "byte-credits")
    return "pfc" in told or "none" in told


def check(scenario: dict, parts: int) -> int:
    """The two agree in all samples; returns how many rows they have."""
    fabric = Fabric(json.loads(json.dumps(scenario)))
    every, end = span(scenario["measure"]["sampling_interval"]), fabric.setup.duration
    wires = [wire for node in [*fabric.hosts, *fabric.switches] for wire in node.wires_out()]
    credits, waiting = {}, {}
    for at in range(every, end + 1, every):
        while fabric.agenda and fabric.agenda[0][0] <= at:
            fabric.work_instant()
        credits |= {(at, port, lane): room for port, wire in enumerate(wires) for lane, room in credit(fabric, wire)}
        for switch in fabric.switches:
            waiting |= {(at, *where): size for where, size in waits(switch, wires).items()}
    for tables in (engine_rows(scenario), engine_rows(scenario, parts=parts)):
        if "credit_series" in tables:
            assert {key(row, "port", "lane"): row["credit"] for row in tables["credit_series"]} == credits
        said = {key(row, "input_port", "output_port", "lane"): row["bytes"] for row in tables["input_queue_series"]}
        assert said == waiting
    return len(credits) + len(waiting)


def key(row: dict, *columns: str) -> tuple:
    """The instant in ps, and these columns."""
    return round(row["time"] * 1e12), *(row[column] for column in columns)


def credit(fabric, wire):
    """(lane, bytes) that may start on a wire, where that is not without end."""
    setup = fabric.setup
    unit = setup.mtu + setup.header if setup.slots else setup.block
    return [(lane, units(fabric, wire, room) * unit) for lane, room in enumerate(wire.room) if not room.is_endless()]


def units(fabric, wire, room) -> int:
    """Units that packets may take of a room, to any destinations to which the wire leads."""
    if not fabric.setup.organisation.has_room_by_queue() or wire.receiver in fabric.hosts:
        return room.shared
    sender, routes = wire.sender, fabric.routes
    if sender in fabric.hosts:
        to = {host for host in range(len(fabric.hosts)) if host != sender.number}
    else:
        to = {host for host, port in enumerate(routes[sender.number]) if port == wire.sender_port}
    names = {fabric.setup.organisation.queue_of(host, routes[wire.receiver.number][host]) for host in to}
    used = [room.used.get(name, 0) for name in names]
    reserved, beyond = (
        sum(max(room.reserve - each, 0) for each in used),
        sum(room.limit - max(each, room.reserve) for each in used),
    )
    return reserved + min(beyond, room.shared)


def waits(switch, wires):
    """(port into the input, port out, lane) -> bytes of data packets that wait at a switch."""
    found = Counter()
    for entry in switch.inputs:
        for stay in entry.waiting():
            output = switch.outputs[stay.output].wire
            found[wires.index(entry.upstream), wires.index(output), stay.came_in] += stay.packet.size
    return found


@in_chunks(SEEDS // 4)
def test_samples_show_what_the_twin_has_at_that_instant(seeds):
    check_tables(sampled, seeds, lambda scenario, seed: check(scenario, PARTS[seed % 2]))


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        check(sampled(number), PARTS[number % 2])
