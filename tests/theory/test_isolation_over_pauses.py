"""Isolation over pauses (PFC): as long as there is room it does to the picosecond what it does over credits; and when
pauses hold links, too, nothing is lost and nothing is left behind. Every isolating scheme, 100 random networks each.
"""

import json
import random

import pytest

SEEDS = 100
OWN_QUEUES = ["fbicm", "ccfit"]
"""They find roots by the fill of a queue, and may do so in a single queue."""
LEAST = {"qcz-dcqcn": 12_000, "ici": 12_000}
"""Bytes: with less room they hardly set anything aside before pauses do their work."""
SCHEMES = [*OWN_QUEUES, "hfdi", "ecocc", "bfc", "qcz-dcqcn", "ici"]


def random_isolation(scheme: str, seed: int) -> dict:
    """Hot spots in a small tree and other traffic, for 40 us; everything has time to drain."""
    rng = random.Random(f"{scheme} over pauses {seed}")
    k, n = rng.choice([(2, 3), (3, 2), (4, 2)])
    hosts = [f"h{host}" for host in range(k**n)]
    roots = rng.sample(hosts, rng.randint(1, 3))
    others = [host for host in hosts if host not in roots]
    crowds = [{"from": rng.sample(others, rng.randint(3, len(others))), "to": root, "stop": "40 us"} for root in roots]
    beside = {"from": "all", "pattern": "permutation", "stop": "40 us", "arrivals": {"poisson": {"load": 0.5}}}
    single = scheme in OWN_QUEUES and rng.random() < 0.5
    return {
        "seed": seed,
        "topology": {"k-ary-n-tree": {"k": k, "n": n}},
        "links": {"rate": "8 Gbit/s", "delay": "10 ns"},
        "switches": {"forwarding_delay": "50 ns", "queues": "voq"}
        | ({"queues": "single", "read_ports": "one"} if single else {}),
        "adapters": {"mtu": "1000 B"},
        "scheme": {"preset": scheme} | random_part(scheme, rng),
        "traffic": [*crowds, beside],
        "measure": {"duration": "3 ms", "audit": True, "probes": ["isolation", "ports"]},
    }


def random_part(scheme: str, rng: random.Random) -> dict:
    """Parameters of the isolating part; presets that combine one with a control of rates stay as they are."""
    in_band = {"in-band": {"size": rng.choice(["64 B", "300 B"])}}
    notices = rng.choice([in_band, {"out-of-band": {"delay": rng.choice(["0 ns", "200 ns"])}}])
    if scheme == "bfc":
        return {"isolate": {"bfc": {"queues": rng.choice([1, 2, 5, 32]), "notices": notices}}}
    if scheme not in ("fbicm", "ccfit", "hfdi", "ecocc"):
        return {}
    low, stop_at = rng.randint(0, 3), rng.choice(["allocation", "next-packet", "next-crossing"])
    part = {"queues": rng.randint(1, 3), "notices": notices, "stop_at": stop_at}
    if scheme in OWN_QUEUES:
        part |= {"detect": low + 1, "detect_above": rng.random() < 0.5, "stop": low + 2, "go": low}
    if scheme != "fbicm":
        part |= {"high": low + 2, "low": low}
    return {"isolate": {scheme: part}}


def run(scenario: dict, flow_control, buffer: str):
    """The run over such links: its fingerprints and its summary."""
    from congestree import _engine

    links = scenario["links"] | {"flow_control": flow_control}
    text = json.dumps(scenario | {"links": links, "switches": scenario["switches"] | {"buffer": buffer}})
    output = _engine.run(text, "json")
    meta = json.loads(output.meta())
    assert meta["stopped"] is None, (meta["stopped"], text)
    summary = output.tables()["summary"]
    return meta["fingerprint"], dict(zip(summary["name"]["values"], summary["value"]["values"], strict=True))


def notices(summary: dict) -> float:
    """The notices between switches."""
    return sum(value for name, value in summary.items() if name.startswith("notices_") or name == "flow_stops")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_with_room_enough_pauses_and_credits_are_the_same_to_the_picosecond(scheme):
    told = 0
    for seed in range(SEEDS):
        scenario = random_isolation(scheme, seed)
        over_credits, _ = run(scenario, "byte-credits", "4 MB")
        over_pauses, summary = run(scenario, "pfc", "4 MB")
        assert over_pauses == over_credits, json.dumps(scenario)
        told += notices(summary)
    assert told > 10 * SEEDS


@pytest.mark.parametrize("scheme", SCHEMES)
def test_when_pauses_hold_links_too_nothing_is_lost(scheme):
    held = told = 0
    for seed in range(SEEDS):
        scenario = random_isolation(scheme, seed)
        _, summary = run(scenario, "pfc", f"{LEAST.get(scheme, 4000) + 1100 * (seed % 8)} B")
        assert summary["delivered"] == summary["sent"] > 0, json.dumps(scenario)
        held += summary["blocked"] > 0
        told += notices(summary)
    assert held > SEEDS / 2 and told > 10 * SEEDS
