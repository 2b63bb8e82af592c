"""Tables of lines, set-aside queues and notices are consistent: in bins of any length, and when all has drained."""

import random
from collections import defaultdict

import pytest

SCHEMES = ["fbicm", "ccfit", "hfdi", "ecocc"]
SUMS = {"allocated": sum, "most_queues": max, "most_exhausted": max}


def crowds(scheme: str, seed: int) -> dict:
    """Incasts that begin and end on a random small network, until no host sends any more."""
    rng = random.Random(f"{scheme} {seed}")
    kind = rng.choice(["test-bed", "two-switch", "k-ary-n-tree"])
    topology = {"test-bed": {}, "two-switch": {"local": 4, "remote": 4}, "k-ary-n-tree": {"k": 2, "n": 3}}[kind]
    hosts = {
        "test-bed": [f"H{k}" for k in range(1, 8)],
        "two-switch": [f"{s}_{k}" for s in "AB" for k in range(1, 5)],
        "k-ary-n-tree": [f"h{k}" for k in range(8)],
    }[kind]
    traffic = []
    for _ in range(rng.randint(1, 3)):
        spot, *others = rng.sample(hosts, len(hosts))
        begin = rng.choice([0, 40, 100])
        ends = {"start": f"{begin} us", "stop": f"{begin + rng.choice([60, 200])} us"}
        traffic.append({"from": others[: rng.randint(3, 5)], "to": spot} | ends)
    traffic.append({"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.3}}, "stop": "300 us"})
    single = scheme in ("fbicm", "ccfit")
    rules = {"queues": rng.choice([1, 2, 4])}
    return {
        "seed": seed,
        "topology": {kind: topology},
        "links": {"rate": "8 Gbit/s", "delay": "10 ns"},
        "switches": {
            "buffer": "32 KiB",
            "forwarding_delay": "100 ns",
            "queues": "single" if single else "voq",
            "read_ports": "one",
        },
        "adapters": {"injection_buffer": 8},
        "scheme": {"preset": scheme, "isolate": {scheme: rules}},
        "traffic": traffic,
        "measure": {"duration": "5 ms", "probes": ["isolation", "injection-audit"], "bin": "10 us"},
    }


def rows_of(scenario: dict) -> dict[str, list[dict]]:
    """All tables of a run."""
    import congestree

    run = congestree.run(scenario)
    return {
        table: run.arrow(table).to_pylist() for table in ("isolation_series", "summary", "flows", "injection_audit")
    }


def with_bin(scenario: dict, width: str) -> dict:
    return scenario | {"measure": scenario["measure"] | {"bin": width}}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_bins_of_any_length_say_the_same(scheme):
    for seed in range(3):
        scenario = crowds(scheme, seed)
        coarse, fine = (rows_of(with_bin(scenario, width))["isolation_series"] for width in ("70 us", "10 us"))
        parts = defaultdict(list)
        for row in fine:
            parts[row["place"], round(row["time"] * 1e6) // 70].append(row)
        used = 0
        for row in coarse:
            within = parts[row["place"], round(row["time"] * 1e6) // 70]
            for column in ("lines", "queues", "exhausted"):
                mean = sum(part[column] for part in within) / len(within)
                assert row[column] == pytest.approx(mean, rel=1e-9, abs=1e-12), (seed, row)
            for column, of in SUMS.items():
                assert row[column] == of(part[column] for part in within), (seed, row)
            used += row["allocated"]
        assert used > 0, "nothing is ever set aside"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_when_all_has_drained_no_line_is_left_and_every_notice_was_heard(scheme):
    for seed in range(4):
        tables = rows_of(crowds(scheme, seed))
        flows, label = tables["flows"], f"seed {seed}"
        assert all(row["sent"] == row["packets"] for row in flows), f"{label}: not all has arrived"
        summary = {row["name"]: row["value"] for row in tables["summary"]}
        told = {kind: summary[f"notices_{kind}"] for kind in ("allocate", "stop", "go", "release")}
        assert summary["notices_heard"] == sum(told.values()), label
        assert told["go"] == told["stop"] > 0 and 0 < told["release"] <= told["allocate"], label
        for place in ("switches", "hosts"):
            series = [row for row in tables["isolation_series"] if row["place"] == place]
            assert not any(series[-1][column] for column in ("lines", "queues", "exhausted")), label
            assert all(row["queues"] <= row["lines"] + 1e-9 for row in series), label
            assert all(row["exhausted"] <= row["most_exhausted"] for row in series), label
            assert all(row["queues"] <= row["most_queues"] + 1e-9 for row in series), label
        sent = defaultdict(int)
        for row in flows:
            sent[row["source"]] += row["sent"]
        taken = {row["host"]: row["packets"] for row in tables["injection_audit"]}
        assert taken == {host: count for host, count in sent.items() if count}, label
