"""Random small applications on random small networks: programs of all kinds, and how their ranks run them.

Networks and everything else are those of other generators, with lossless links, or a transport that retransmits; their
other traffic stays, or is removed.
`PYTHONPATH=. python tests/twin/random/random_applications.py SEED` prints one.
"""

import json
import random
import sys
from pathlib import Path

from random_detours import random_detours
from random_go_back import random_go_back
from random_irn import random_irn
from random_lanes import random_lanes
from random_mixed import random_mixed
from random_networks import RATES
from random_nscc import random_nscc
from random_paths import random_paths
from random_pauses import random_pauses
from random_programs import as_goal, random_lines, random_operations
from random_queues import random_queues
from random_rccc import random_rccc
from random_reno import random_reno
from random_scenarios import random_scenario
from random_trimming import random_trimming
from reference.network import topology
from reference.quantities import choice

LOSSLESS = [random_scenario, random_scenario, random_pauses, random_queues, random_lanes, random_paths, random_detours]
REPAIRED = [random_go_back, random_irn, random_reno, random_trimming, random_nscc, random_rccc, random_mixed]
ALGORITHMS = {
    "all-reduce": ["ring", "bidirectional-ring", "tree", "halving-doubling", "hierarchical", "direct"],
    "all-gather": ["ring", "bidirectional-ring", "halving-doubling", "hierarchical", "direct"],
    "reduce-scatter": ["ring", "bidirectional-ring", "halving-doubling", "hierarchical", "direct"],
    "all-to-all": ["direct", "pairwise"],
    "broadcast": ["ring"],
    "reduce": ["ring"],
    "gather": ["direct"],
    "scatter": ["direct"],
    "barrier": ["halving-doubling"],
}


PAIRS = [(operation, algorithm) for operation, algorithms in ALGORITHMS.items() for algorithm in algorithms]


def random_applications(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"applications {seed}")
    draw = rng.choice(LOSSLESS if rng.random() < 0.6 else REPAIRED)
    scenario = draw(rng.randrange(10**6))
    while loses_in_some_lanes(scenario):
        scenario = draw(rng.randrange(10**6))
    return with_applications(rng, scenario, seed)


def random_overtaking(seed: int) -> dict:
    """The scenario of this seed: applications over a transport that delivers in any order, on links that lose."""
    rng = random.Random(f"overtaking {seed}")
    scenario = rng.choice([random_trimming, random_nscc, random_rccc])(rng.randrange(10**6))
    scenario["scheme"]["transport"]["uet"]["delivery"] = "unordered"
    return with_applications(rng, scenario, seed)


def with_applications(rng: random.Random, scenario: dict, seed: int) -> dict:
    """A scenario of another file, with applications in addition to its traffic, or instead of it."""
    scenario.setdefault("adapters", {}).setdefault("mtu", "2048 B")
    graph, adapters = topology.build(scenario), scenario["adapters"]
    hosts = len(graph.hosts)
    others = scenario["traffic"] if rng.random() < 0.5 else []
    scenario["traffic"] = others[:2]
    if rng.random() < 0.4 and (nodes := [size for size in range(2, hosts + 1) if hosts % size == 0]):
        adapters["node"] = {"hosts": rng.choice(nodes), "rate": rng.choice(RATES), "delay": rng.choice(DELAYS)}
    for name in ["one", "two"][: rng.choice([1, 1, 2])]:
        scenario["traffic"].append(random_application(rng, name, graph.hosts, scenario, seed))
    rng.shuffle(scenario["traffic"])
    scenario["measure"]["until_jobs_end"] = rng.random() < 0.5
    scenario["measure"]["probes"] = ["deliveries", "messages"]
    return scenario


def loses_in_some_lanes(scenario: dict) -> bool:
    """Some lanes lose nothing, and others do."""
    kind, parameters = choice(scenario["links"].get("flow_control", "byte-credits"))
    return kind == "pfc" and "lossless" in parameters


GIVEN = Path(__file__).parents[1] / "given"
DELAYS = ["2 ps", "20 ns", "350 ns"]


def random_application(rng: random.Random, name: str, hosts: list[str], scenario: dict, seed: int) -> dict:
    """An entry of traffic with a program."""
    repaired = "transport" in scenario["scheme"]
    own = rng.sample(hosts, rng.randint(2, len(hosts))) if rng.random() < 0.5 else "all"
    count = len(hosts) if own == "all" else len(own)
    most = min(8, 3 * count)
    mtu = int(scenario["adapters"]["mtu"].split()[0])
    entry = {"name": name, "from": own, "start": rng.choice(["0 ns", "0 ns", "1 us"])}
    if rng.random() < 0.3 and not repaired:
        entry["window"] = rng.choice([1, 2, 5])
    fixed = repaired or "hop_lanes" in scenario["links"] or "route" in scenario["scheme"]
    if scenario["links"].get("lanes", 1) > 1 and not fixed and rng.random() < 0.5:
        entry["lane"] = rng.randrange(scenario["links"]["lanes"])
    ranks = rng.randint(2, most)
    entry["program"], ranks = in_turn(rng, seed, ranks, mtu) or random_program(rng, ranks, mtu)
    entry["job"] = job = random_job(rng, ranks, count, scenario["links"])
    if job.get("placement") == "given":
        names = hosts if own == "all" else own
        job["placement"] = {"given": {"hosts": [rng.choice(names) for _ in range(ranks)]}}
        job.pop("per_host", None)
    ends = ["left", "delivered"]
    in_order = "route" not in scenario["scheme"] and ("window" in entry or "window" in scenario["adapters"])
    if repaired or in_order:
        ends.append("acknowledged")
    job["send_end"] = rng.choice(ends)
    return entry


def random_job(rng: random.Random, ranks: int, hosts: int, links: dict) -> dict:
    """How a program runs."""
    job = {"ranks": ranks, "placement": rng.choice(["linear", "round-robin", "random", "random", "given"])}
    if rng.random() < 0.15 and (rails := [size for size in range(1, hosts + 1) if hosts % size == 0]):
        job["placement"] = {"by-rail": {"node": rng.choice(rails)}}
    if rng.random() < 0.5:
        job["per_host"] = rng.randint(-(-ranks // hosts), ranks)
    if rng.random() < 0.4:
        job["repeat"] = rng.choice([2, 3])
    if rng.random() < 0.3:
        job["overhead"] = rng.choice(["1 ps", "40 ns", "600 ns"])
    if rng.random() < 0.3:
        job["rendezvous"] = rng.choice(["1 B", "200 B", "1000 B", "3000 B"])
    if rng.random() < 0.5:
        job |= {"memory_rate": rng.choice(RATES), "memory_delay": rng.choice(["0 ns", "150 ns"])}
    if rng.random() < 0.3:
        job["stragglers"] = [{"ranks": [rng.randrange(ranks)], "factor": rng.choice([1.5, 0.0, 2.0])}]
    return job


def random_size(rng: random.Random, mtu: int) -> str:
    """Of a vector or a message."""
    return f"{rng.choice([1, 100, mtu - 1, mtu, mtu + 1, 3 * mtu, 5 * mtu + 7])} B"


def in_turn(rng: random.Random, seed: int, ranks: int, mtu: int) -> tuple[dict, int] | None:
    """What some seeds have, so that all programs and algorithms are among a hundred, and tokens of every phase."""
    if seed % 6 == 5:
        return random_plain(rng, PLAIN[seed // 6 % len(PLAIN)], ranks, mtu)
    if seed % 3 == 0:
        return random_collective(rng, ranks, mtu, *PAIRS[seed // 3 % len(PAIRS)])
    if seed % 10 == 3:
        return {"chakra": random_manner(rng)}, 4
    if seed % 10 == 7:
        return random_training(rng)
    if seed % 10 == 9:
        return {"moe": random_exchange(rng, ranks)}, ranks
    if seed % 10 != 1:
        return None
    gate = {"captured": {"file": str(GIVEN / "routing.jsonl"), "phase": rng.choice(["prefill", "decode"])}}
    return {"moe": random_exchange(rng, 4) | {"gate": gate}}, 4


def random_program(rng: random.Random, ranks: int, mtu: int) -> tuple[dict, int]:
    """A program, and how many ranks it has."""
    kind = rng.choice([*PLAIN, *["collective"] * 4, *["moe"] * 5, *["chakra"] * 3, *["text"] * 3, "training", "goal"])
    if kind == "chakra":
        return {"chakra": random_manner(rng)}, 4
    if kind == "goal":
        return {"goal": str(GIVEN / "exchange.goal")}, 3
    if kind == "text":
        if rng.random() < 0.3:
            return {"text": as_goal(random_lines(rng, ranks))}, ranks
        program = random_operations(rng, ranks)
        if rng.random() < 0.3:
            take_anything(rng, program)
        return {"text": as_goal(program)}, ranks
    if kind == "moe":
        return {"moe": random_exchange(rng, ranks)}, ranks
    if kind == "training":
        return random_training(rng)
    if kind == "collective":
        return random_collective(rng, ranks, mtu, *rng.choice(PAIRS))
    return random_plain(rng, kind, ranks, mtu)


def random_plain(rng: random.Random, kind: str, ranks: int, mtu: int) -> tuple[dict, int]:
    """A benchmark, or a collective of a textbook."""
    ranks = max(ranks, 3) if "ring" in kind else ranks
    given = {"bytes": random_size(rng, mtu)}
    time = rng.choice(["0 ns", "1 us", "333 ns"])
    more = {
        "ping-pong": {"count": rng.randint(1, 3)},
        "natural-ring": {"count": rng.randint(1, 3)},
        "random-ring": {"count": rng.randint(1, 3)},
        "ptrans": {"count": rng.randint(1, 3), "compute": time},
        "mpifft": {"transposes": rng.randint(1, 3), "compute": time, "order": rng.choice(["in-turn", "at-once"])},
        "all-to-all": {"order": rng.choice(["in-turn", "at-once"])},
        "broadcast": {"root": rng.randrange(ranks)},
    }
    summed = {"combine_rate": rng.choice(RATES)} if rng.random() < 0.5 else {}
    sums = kind in ("all-reduce-ring", "all-reduce-doubling", "reduce-scatter")
    return {kind: given | more.get(kind, {}) | (summed if sums else {})}, ranks


PLAIN = [
    *("ping-pong", "natural-ring", "random-ring", "ptrans", "mpifft", "all-reduce-ring", "all-reduce-doubling"),
    *("reduce-scatter", "all-gather", "all-to-all", "broadcast", "barrier"),
]


def take_anything(rng: random.Random, program: list[list[dict]]) -> None:
    """All receives of a rank, which has none but of this kind, take what comes: no other order can make it wait."""
    rank = rng.randrange(len(program))
    for operation in program[rank]:
        if operation["kind"] == "recv":
            operation |= {"peer": -1, "tag": -1}


def random_collective(rng: random.Random, ranks: int, mtu: int, operation: str, algorithm: str) -> tuple[dict, int]:
    """A collective as a library does it, and for how many ranks."""
    if algorithm == "hierarchical":
        ranks = rng.choice([4, 6])
    found = {"operation": operation, "bytes": random_size(rng, mtu), "root": rng.randrange(ranks)}
    if operation == "barrier" and found["root"]:
        del found["bytes"]  # it has no vector
    nodes = [size for size in range(2, ranks) if ranks % size == 0]
    if nodes and (algorithm == "hierarchical" or rng.random() < 0.5):
        found["node"] = rng.choice(nodes)
    if rng.random() < 0.9 or algorithm == "hierarchical":
        found["algorithm"] = algorithm
    if rng.random() < 0.4:
        found["combine_rate"] = rng.choice(RATES)
    if rng.random() < 0.7:
        found["chunking"] = {"channels": rng.randint(1, 3), "protocol": rng.choice(["simple", "ll", "ll128"])}
        if rng.random() < 0.6:
            found["chunking"]["chunk"] = f"{rng.choice([64, 300, 1000])} B"
    if "ring" in ALGORITHMS[operation] and "node" in found and "ring" in found.get("algorithm", "ring"):
        found["along_rails"] = rng.random() < 0.5
    return {"collective": found}, ranks


def random_exchange(rng: random.Random, ranks: int) -> dict:
    """A mixture of experts."""
    experts = ranks * rng.randint(1, 3)
    gate = {"experts": experts, "chosen": rng.randint(1, min(3, experts))}
    exponent = rng.choice([0.0, 0.0, 0.5, 1.0, 2.0])
    gate = {"zipf": gate | {"exponent": exponent}} if exponent else {"uniform": gate}
    if 12 % ranks == 0 and rng.random() < 0.5:
        gate = {"captured": {"file": str(GIVEN / "routing.jsonl")}}
        if (phase := rng.choice(["prefill", "decode", None])) is not None:
            gate["captured"]["phase"] = phase
    found = {"tokens": rng.randint(1, 4), "gate": gate, "layers": rng.randint(1, 2)}
    found |= {"dispatch": f"{rng.choice([100, 700])} B", "combine": f"{rng.choice([200, 1500])} B"}
    if rng.random() < 0.5:
        found["compute"] = rng.choice(["10 ns", "300 ns"])
    if rng.random() < 0.5:
        found["copies"] = rng.choice(["each-expert", "each-rank"])
    if rng.random() < 0.5:
        found["order"] = rng.choice(["in-turn", "at-once"])
    return found


def random_manner(rng: random.Random) -> dict:
    """How the traces of four ranks are run."""
    found = {"traces": [str(GIVEN / "traces")], "order": rng.choice(["all", "data"])}
    if rng.random() < 0.5:
        found["teraflops"] = rng.choice([0.01, 0.3])
    if rng.random() < 0.5:
        found["memory_rate"] = rng.choice(RATES)
    if rng.random() < 0.6:
        found["library"] = {"channels": rng.randint(1, 2), "chunk": rng.choice(["300 B", "1000 B"])}
        found["library"]["protocol"] = rng.choice(["simple", "ll", "ll128"])
        found["library"]["node"] = rng.choice([1, 2, 3, 4])
        found["library"]["along_rails"] = found["library"]["node"] > 1 and rng.random() < 0.5
    return found


def random_training(rng: random.Random) -> tuple[dict, int]:
    """A tiny transformer on a few ranks."""
    data, tensor, pipeline = rng.choice([(2, 1, 1), (1, 2, 1), (1, 1, 2), (2, 2, 1), (2, 1, 2), (1, 2, 2), (4, 1, 1)])
    parallel = {"data": data, "tensor": tensor, "pipeline": pipeline}
    if data > 1 and rng.random() < 0.4:
        parallel["expert"] = 2
    model = {"layers": pipeline * rng.randint(1, 2), "hidden": rng.choice([8, 12]), "sequence": rng.choice([8, 16])}
    found = {"parallel": parallel, "model": model, "microbatches": rng.randint(1, 3), "teraflops": 0.05}
    if rng.random() < 0.5:
        found["optimizer"] = "500 ns"
    if rng.random() < 0.5:
        found["library"] = {"channels": rng.randint(1, 2), "chunk": "500 B", "combine_rate": rng.choice(RATES)}
        found["library"]["algorithms"] = [{"operation": "all-reduce", "algorithm": rng.choice(["tree", "direct"])}]
        found["library"]["node"] = rng.choice([1, 2, 4])
    return {"training": found}, data * tensor * pipeline


if __name__ == "__main__":
    print(json.dumps(random_applications(int(sys.argv[1])), indent=1))
