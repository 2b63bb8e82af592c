"""The engine against its twin where outputs tell each other of congestion and hold flows (RCM), to the picosecond; and
the tables of the probe `regions`: states of outputs, windows, and packets of flows there.

By hand: `PYTHONPATH=. python tests/twin/test_twin_rcm.py 0 500`.
"""

import json
import random
from collections import Counter

from comparing import PARTS, SEEDS, by_hand, check_reached, check_seeds, check_tables, engine_rows, in_chunks
from random_regions import random_regions
from reaching import around
from reference import Fabric
from reference.quantities import span
from reference.regions.region import Region
from reference.regions.samples import Flows

STATE = "time_ps", "output_port", "role", "local_degree", "remote_degree", "degree"
WINDOW = "time_ps", "output_port", "number", "bytes", "time_limit", "harmful", "previous"
COUNTS = "sampled", "paced", "harmful", "rerouted", "rerouted_harmful"
ROLES = {(False, False): "none", (True, False): "root", (False, True): "edge", (True, True): "inside"}


def regions_of(fabric) -> list:
    """The regions that outputs of switches are in."""
    return [output.region for switch in fabric.switches for output in switch.outputs if output.region is not None]


def of_regions(fabric) -> list[dict]:
    """What every output of a switch has counted of its region."""
    return [region.counts | region.windows.counts for region in regions_of(fabric)]


@in_chunks(SEEDS // 2)
def test_regions_are_as_their_twin_says(seeds):
    check_seeds(random_regions, seeds)


class Watched:
    """What outputs know of their regions, while a fabric runs, and what they do with packets."""

    def __init__(self, scenario: dict, monkeypatch):
        self.bin = span(scenario["measure"]["bin"])
        self.states, self.last = [], {}
        self.flows = Counter()  # by bin, output, flow and what
        self.at = None  # the output at which a packet passes
        self.fabric = Fabric(scenario)
        for owner, name in (
            (Region, "joined"),
            (Region, "hear"),
            (Region, "left"),
            (Region, "crossed"),
            (Region, "way_round"),
            (Flows, "passes"),
            (Flows, "write"),
        ):
            around(monkeypatch, owner, name, getattr(self, f"on_{name}"))
        self.fabric.run()

    def counts(self, region, flow: int, what: str) -> None:
        """A packet of a flow."""
        self.flows[self.fabric.now // self.bin, region.number, flow, what] += 1

    def on_joined(self, inner, region, *about) -> None:
        """The state of an output may have changed."""
        self.at = region
        inner(region, *about)
        self.at = None
        own, told = region.point.degree, max(region.beyond.values(), default=0)
        state = ROLES[own > 0, told > 0], own, told, region.degree()
        if state != self.last.get(region.number, ("none", 0, 0, 0)):
            self.last[region.number] = state
            self.states.append((self.fabric.now, region.number, *state))

    on_hear = on_left = on_joined

    def on_passes(self, inner, flows, flow: int) -> bool:
        self.passing = flow
        changed = inner(flows, flow)
        self.passing = None
        return changed

    def on_write(self, inner, flows, flow: int) -> bool:
        if self.passing is not None:
            self.counts(self.at, flow, "sampled")
        return inner(flows, flow)

    passing = None

    def on_crossed(self, inner, region, stay) -> None:
        if region.windows.state is not None and stay.packet.is_data:
            flow = stay.packet.flow.number
            self.counts(region, flow, "paced")
            if flow in region.flows:
                self.counts(region, flow, "harmful")
        inner(region, stay)

    def on_way_round(self, inner, region, packet, ports: list[int]) -> int:
        port = inner(region, packet, ports)
        if port != region.output.port:
            self.counts(region, packet.flow.number, "rerouted")
            if packet.flow.unique in region.flows:
                self.counts(region, packet.flow.number, "rerouted_harmful")
        return port

    def windows(self) -> list[tuple]:
        """The windows by which flows are paced."""
        regions = [region for region in regions_of(self.fabric) if region.rule.by_windows]
        return sorted(
            (start, region.number, number, length, lasts / 1e12, share, before)
            for region in regions
            for start, number, length, lasts, share, before in region.windows.history
        )


def recorded(seed: int) -> dict:
    """A scenario with the probe, and bins that do not divide the run."""
    scenario, rng = random_regions(seed), random.Random(f"recorded regions {seed}")
    width = max(span(scenario["measure"]["duration"]) // rng.randint(2, 9) + rng.randint(0, 5_000), 1)
    return scenario | {"measure": scenario["measure"] | {"probes": ["regions"], "bin": f"{width} ps"}}


def check(scenario: dict, parts: int, monkeypatch) -> int:
    """The tables agree; returns how many rows they have."""
    if scenario["scheme"]["schedule"] == "none":
        return 0
    with monkeypatch.context() as patches:
        seen = Watched(json.loads(json.dumps(scenario)), patches)
    states = sorted(seen.states, key=lambda row: row[:2])
    for tables in (engine_rows(scenario), engine_rows(scenario, parts=parts)):
        assert [tuple(row[column] for column in STATE) for row in tables["regions"]] == states
        windows = [tuple(row[column] for column in WINDOW) for row in tables["region_windows"]]
        assert sorted(windows) == seen.windows()
        keys = [
            (round(row["time"] * 1e12 / seen.bin), row["output_port"], row["flow"]) for row in tables["region_flows"]
        ]
        flows = {
            (*key, what): row[what]
            for key, row in zip(keys, tables["region_flows"], strict=True)
            for what in COUNTS
            if row[what]
        }
        assert flows == seen.flows
    return len(states) + len(flows)


@in_chunks(SEEDS // 8)
def test_tables_of_regions_are_what_the_twin_shows(seeds, monkeypatch):
    check_tables(recorded, seeds, lambda scenario, seed: check(scenario, PARTS[seed % 3], monkeypatch))


def test_the_random_scenarios_reach_what_they_are_about():
    """Neighbours learn of congestion and of its end; windows are measured and counted, full and over; packets are
    held, passed, and take detours."""
    often = ("notices", "ends", "passed", "others first", "measured", "counted", "full", "over", "ended", "held")
    check_reached(random_regions, of_regions, dict.fromkeys(often, 30) | {"replaced": 10, "rerouted": 10})


if __name__ == "__main__":
    by_hand(random_regions)
