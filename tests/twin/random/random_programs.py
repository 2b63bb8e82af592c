"""Random small applications: operations of each rank that wait for each other, on a random small network.

Every message has a tag of its own, so that it is certain which receive it meets.
"""

import random

from random_networks import DELAYS, RATES

NETWORKS = [
    {"single-switch": {"hosts": 6}},
    {"two-switch": {"local": 3, "remote": 3}},
    {"k-ary-n-tree": {"k": 2, "n": 2}},
    {"chain": {"switches": 3, "hosts_per_switch": 2}},
]


def random_operations(rng: random.Random, ranks: int) -> list[list[dict]]:
    """The operations of each rank: kind, peer, tag, bytes or time, cpu, and what must have finished or started before.

    They are drawn one after the other over all ranks, and wait for earlier ones only: there can be no cycle of waits.
    """
    program = [[] for _ in range(ranks)]

    def add(rank: int, **operation) -> None:
        earlier = range(len(program[rank]))
        waits = {key: rng.sample(earlier, min(len(earlier), count())) for key, count in WAITS.items()}
        program[rank].append(operation | waits)

    WAITS = {"requires": lambda: rng.choice([0, 1, 1, 2]), "irequires": lambda: rng.choice([0, 0, 0, 1])}
    for tag in range(rng.randint(3, 14)):
        if rng.random() < 0.4:
            rank = rng.randrange(ranks)
            add(rank, kind="calc", time=rng.choice([0, 1, 700, 1500, 1500, 4000]), cpu=rng.choice([0, 0, 1]))
        sender, receiver = rng.sample(range(ranks), 2)
        size = rng.choice([0, 1, 100, 999, 1000, 1001, 2500, 8000])
        add(sender, kind="send", peer=receiver, tag=tag, bytes=size)
        add(receiver, kind="recv", peer=sender, tag=tag, bytes=size)
    return program


def random_lines(rng: random.Random, ranks: int) -> list[list[dict]]:
    """The operations of each rank, which finish if and only if no message overtakes another one between its two ranks.

    Messages between two ranks have few tags, or any, and some have no bytes. They are sent and awaited in the order in
    which they are drawn, but the numbers of their operations are in no order.
    """
    program = [[] for _ in range(ranks)]
    latest = {}  # by rank, kind and peer: the last operation

    def add(rank: int, kind: str, peer: int, **more) -> None:
        before = latest.get((rank, kind, peer))
        others = rng.sample(range(len(program[rank])), min(len(program[rank]), rng.choice([0, 0, 0, 1])))
        latest[rank, kind, peer] = len(program[rank])
        own = {"kind": kind, "peer": peer, "requires": others, "irequires": [] if before is None else [before]}
        program[rank].append(own | more)

    for _ in range(rng.randint(4, 16)):
        sender, receiver = rng.sample(range(ranks), 2)
        tag, size = rng.randrange(3), rng.choice([0, 0, 0, 1, 1000, 2500])
        add(sender, "send", receiver, tag=tag, bytes=size)
        add(receiver, "recv", sender, tag=rng.choice([tag, tag, -1]), bytes=size)
    return [in_other_order(rng, operations) for operations in program]


def in_other_order(rng: random.Random, operations: list[dict]) -> list[dict]:
    """The same operations, with other numbers."""
    order = rng.sample(range(len(operations)), len(operations))
    number = {old: new for new, old in enumerate(order)}
    waits = ("requires", "irequires")
    return [operations[old] | {key: [number[one] for one in operations[old][key]] for key in waits} for old in order]


def as_goal(program: list[list[dict]]) -> str:
    """The same as GOAL text."""
    lines = [f"num_ranks {len(program)}"]
    for rank, operations in enumerate(program):
        lines.append(f"rank {rank} {{")
        for number, one in enumerate(operations):
            if one["kind"] == "calc":
                told = f"calc {one['time']} cpu {one['cpu']}"
            else:
                way = "to" if one["kind"] == "send" else "from"
                told = f"{one['kind']} {one['bytes']}b {way} {one['peer']} tag {one['tag']}"
            lines.append(f"l{number}: {told}")
        for number, one in enumerate(operations):
            lines += [f"l{number} {word} l{other}" for word in ("requires", "irequires") for other in one[word]]
        lines.append("}")
    return "\n".join(lines)


def random_jobs(seed: int) -> tuple[dict, dict]:
    """The scenario of this seed, and the operations of each of its jobs by name.

    In runs that end early sends end with the delivery: for packets that are not delivered it is not known when they
    left.
    """
    rng = random.Random(f"jobs {seed}")
    duration = rng.choice(["300 us", "300 us", "20 us"])
    traffic, programs = [], {}
    for name in ["one", "two"][: rng.choice([1, 1, 2])]:
        ranks = rng.randint(2, 4)
        programs[name] = random_operations(rng, ranks)
        job = {
            "ranks": ranks,
            "per_host": rng.choice([1, 1, 2]),
            "repeat": rng.choice([1, 1, 2, 3]),
            "placement": rng.choice(["linear", "random", "round-robin"]),
            "send_end": "delivered" if duration == "20 us" else rng.choice(["left", "delivered"]),
        }
        if rng.random() < 0.5:
            job |= {"memory_rate": rng.choice(RATES), "memory_delay": rng.choice(["0 ns", "150 ns"])}
        if rng.random() < 0.3:
            job["stragglers"] = [{"ranks": [rng.randrange(ranks)], "factor": rng.choice([1.5, 2.0])}]
        entry = {"name": name, "from": "all", "program": {"text": as_goal(programs[name])}, "job": job}
        traffic.append(entry | {"start": rng.choice(["0 ns", "0 ns", "2 us"])})
    traffic.append({"name": "others", "from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.4}}})
    credits = rng.choice([{"byte-credits": {}}, {"packet-slots": {}}, {"pfc": {"threshold": {"static": {}}}}])
    scenario = {
        "name": f"jobs {seed}",
        "seed": rng.randrange(2**32),
        "topology": rng.choice(NETWORKS),
        "links": {"rate": rng.choice(RATES), "delay": rng.choice(DELAYS), "flow_control": credits},
        "switches": {"buffer": "8 packets" if "packet-slots" in credits else "64 KiB", "forwarding_delay": "40 ns"},
        "adapters": {"mtu": "1000 B", "header": rng.choice(["0 B", "20 B"])},
        "traffic": traffic,
        "measure": {
            "duration": duration,
            "until_jobs_end": rng.random() < 0.5,
            "probes": ["messages", "deliveries"],
        },
    }
    return scenario, programs
