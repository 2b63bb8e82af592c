"""The tables of a run are correct: they are computed again from every step of the twin, in random small scenarios.

Bins do not divide the run, and the warm-up ends at any time, often in an instant with an arrival or a start.
"""

import json
import os
import random

import pytest
from comparing import engine_rows
from observing import Observed
from random_crossed import random_crossed
from random_faults import random_faults
from random_irn import random_irn
from random_lanes import random_lanes
from random_mixed import random_mixed
from random_pauses import random_pauses
from random_queues import random_queues
from random_scenarios import random_scenario
from random_trimming import random_trimming
from recomputed import Recomputed
from reference.quantities import span

DRAWS = [
    random_scenario,
    random_lanes,
    random_queues,
    random_crossed,
    random_pauses,
    random_mixed,
    random_irn,
    random_trimming,
    random_faults,
]
SEEDS = int(os.environ.get("MEASURED_SEEDS", "4"))
HISTOGRAM = 0.008
"""What percentiles of `latency` may be off."""


def flow_control(scenario: dict) -> str:
    told = scenario["links"].get("flow_control", "byte-credits")
    return told if isinstance(told, str) else next(iter(told))


def measured(scenario: dict, seed: int) -> dict:
    """The scenario with all probes that it can have, and times at which something happens."""
    rng = random.Random(f"measures {seed}")
    end = span(scenario["measure"]["duration"])
    bare = scenario | {"measure": scenario["measure"] | {"warm_up": "0 ns", "probes": ["deliveries"]}}
    deliveries = engine_rows(bare)["deliveries"]
    instants = [time for row in deliveries for time in (row["injected_ps"], row["time_ps"]) if 0 < time < end // 2]
    probes = ["deliveries", "flows", "classes", "ports", "queues", "latency", "counters", "output-queues"]
    probes += ["pauses", "buffers"] if flow_control(scenario) == "pfc" else []
    width = max(rng.choice([end // 7, end // 3 + 1, *instants]), end // 20, 1)
    times = {"warm_up": f"{rng.choice([0, end // 3, *instants])} ps", "bin": f"{width} ps"}
    return scenario | {"measure": scenario["measure"] | times | {"probes": probes}}


def agree(table: str, said: dict, found: dict, near: float = 1e-9) -> None:
    """The same keys, and the same values; numbers of which one is a sum of fractions may differ by rounding."""
    for key in said.keys() | found.keys():
        one, other = said.get(key), found.get(key)
        assert one is not None and other is not None, f"{table} {key}: {one}, and should be {other}"
        assert list(one) == pytest.approx(list(other), rel=near, abs=1e-15, nan_ok=True), f"{table} {key}"


@pytest.mark.parametrize("draw", DRAWS, ids=lambda draw: draw.__name__)
def test_tables_say_what_happened(draw):
    for seed in range(SEEDS):
        scenario = measured(draw(seed), seed)
        try:
            check(scenario)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}\n{json.dumps(scenario)}") from None


def check(scenario: dict) -> None:
    tables = engine_rows(scenario)
    seen = Observed(json.loads(json.dumps(scenario)))
    classes = {row["flow"]: row["class"] for row in tables["flows"]}
    measure = scenario["measure"]
    found = Recomputed(seen, span(measure["warm_up"]), span(measure["bin"]), classes)

    def rows(table, key, *columns):
        return {key(row): [row[column] for column in columns] for row in tables[table]}

    def at(row):
        return round(row["time"] / found.bin * 1e12)

    agree("ports", rows("ports", lambda r: r["port"], "packets", "bytes", "utilisation", "blocked"), found.ports())
    flows = "sent", "packets", "bytes", "rate", "marked"
    agree("flows", rows("flows", lambda r: r["flow"], *flows), found.flows())
    summary = {name: [value] for name, value in found.summary().items()}
    said = rows("summary", lambda r: r["name"], "value")
    agree("summary", {name: said[name] for name in summary}, summary)
    for table, column, key in (("flow_series", "flow", int), ("class_series", "class", lambda flow: classes[flow])):
        said = rows(table, lambda r, column=column: (at(r), r[column]), "packets", "bytes", "marked")
        agree(table, nonzero(said), found.delivered(key))
    trims = scenario["switches"].get("trim") is not None
    if not trims:  # the twin also counts what it has trimmed
        said = rows("port_series", lambda r: (at(r), r["port"]), "packets", "bytes", "blocked", "held")
        series = found.port_series()
        agree("port_series", said, {key: series[key] for key in said}, near=1e-6)
        agree("queues", rows("queues", lambda r: (r["port"], r["held"]), "time"), found.queues())
    check_latency(tables, found.latency())
    counts = "PortXmitPkts", "PortXmitData", "PortRcvFECN", "PortRcvBECN"
    said = rows("counters", lambda r: (r["port"], r["lane"]), *counts)
    agree("counters", nonzero(said), nonzero(found.counters()))
    check_levels(tables["output_queue_series"], at, lambda r: r["port"], found.means(seen.waiting))
    if "pauses" in tables:
        told = [(row["time_ps"], row["port"], row["lane"], row["event"]) for row in tables["pauses"]]
        assert sorted(told) == sorted(seen.pauses)
        check_levels(tables["buffer_series"], at, lambda r: (r["port"], r["lane"]), found.means(seen.memory))
        counts = "tx_resume", "tx_pause", "rx_resume", "rx_pause", "rx_pause_duration"
        said = rows("pause_counters", lambda r: (r["port"], r["lane"]), *counts)
        frames = found.pause_counters()
        agree("pause_counters", said, {key: frames[key] for key in said})


def nonzero(rows: dict) -> dict:
    return {key: row for key, row in rows.items() if any(row)}


def check_latency(tables: dict, found: dict) -> None:
    rows = {row["class"]: row for row in tables["latency"] if row["kind"] == "network"}
    assert rows.keys() == found.keys()
    for name, (packets, mean, *spread, most) in found.items():
        row = rows[name]
        assert row["packets"] == packets
        assert [row["mean"], row["max"]] == pytest.approx([mean, most], rel=1e-9)
        assert [row[p] for p in ("p50", "p90", "p99", "p999")] == pytest.approx(spread, rel=HISTOGRAM)


def check_levels(rows: list[dict], at, key, found: dict) -> None:
    """Means are exact. The most is that of any instant: of what comes and goes in one, too, which lasts for no time."""
    told = set()
    for row in rows:
        mean, most = found[at(row), key(row)]
        assert row["mean"] == pytest.approx(mean, rel=1e-6, abs=1e-6), row
        assert row["most"] >= most, row
        told.add(key(row))
    assert told >= {of for (_, of), (mean, _) in found.items() if mean > 0}
