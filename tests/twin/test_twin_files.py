"""The engine against its twin where a scenario names files: topology, list of messages, table of sizes, GOAL."""

from pathlib import Path

import pytest
from comparing import check
from reference import run

GIVEN = Path(__file__).parent / "given"


def test_a_scenario_of_files_goes_as_in_the_twin():
    pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    sizes = {"sizes": {"cdf": str(GIVEN / "sizes.txt")}, "arrivals": {"messages": {"count": 9, "every": "1.3 us"}}}
    scenario = {
        "topology": {"file": str(GIVEN / "fabric.toml")},
        "links": {"rate": "8 Gbit/s", "delay": "20 ns", "flow_control": {"byte-credits": {}}},
        "switches": {"buffer": "8 KiB"},
        "adapters": {"mtu": "1000 B"},
        "traffic": [
            {"name": "rows", "list": str(GIVEN / "messages.csv")},
            {"name": "ranks", "from": "all", "program": {"goal": str(GIVEN / "exchange.goal")}},
            {"name": "drawn", "from": ["h1"], "to": "h2"} | sizes,
        ],
        "measure": {"duration": "60 us", "probes": ["deliveries", "messages"]},
    }
    result = run(scenario)
    check(scenario, result=result)
    (job,) = result.fabric.jobs
    assert job.finished is not None
    names = {result.flows[number].source.entry.name for number, *_ in result.deliveries}
    assert names == {"rows", "ranks", "drawn"}
    # From s0 packets for h2 take the route of the file, over the slow link.
    ways = {name: packets for name, packets, _ in result.ports}
    assert ways["s0->s2"] > 0
