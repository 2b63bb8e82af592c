"""The engine against its twin where links pause: random small scenarios, to the picosecond.

By hand: `PYTHONPATH=. python tests/twin/test_pauses.py 0 500`.
"""

import json
import re
from collections import Counter
from copy import deepcopy

import pytest
from comparing import SEEDS, by_hand, check, check_seeds, engine_rows, in_chunks, twin_says
from random_pauses import random_pauses
from reaching import watch
from reference import run
from reference.links.lanes import ScheduleTurn
from reference.links.link import Wire
from reference.links.watchdog import Watchdog
from reference.quantities import span
from reference.switches.memory import SharedMemory
from reference.switches.switch import Switch


@in_chunks(SEEDS // 2)
def test_the_engine_pauses_as_its_twin_does(seeds):
    check_seeds(random_pauses, seeds)


STOPPED = re.compile(r"at (\S+ \S+) a packet of (\d+) B came in by (.+) lane (\d+), whose buffer held (\d+) B")


def stops(scenario: dict, losses: list) -> str | None:
    """Where the engine stops at a loss, if it does; it is an error if its twin loses nothing there first."""
    from congestree import _engine

    stopping = deepcopy(scenario)
    stopping["links"]["flow_control"]["pfc"]["losses"] = "stop"
    said = json.loads(_engine.run(json.dumps(stopping), "json").meta())["stopped"]
    if not losses:
        assert said is None, said
        return None
    at, size, link, lane, held = STOPPED.search(said).groups()
    first = {(loss.link, loss.lane, loss.size, loss.held) for loss in losses if loss.at == losses[0].at}
    assert span(at) == losses[0].at, (said, losses[0])
    assert (link, int(lane), int(size), int(held)) in first, (said, first)
    return said


@in_chunks(SEEDS // 2)
def test_a_run_that_stops_at_losses_stops_at_the_first_of_its_twin(seeds):
    pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    stopped = [stops(random_pauses(seed), twin_says(random_pauses, seed).fabric.losses) for seed in seeds]
    assert any(stopped), "none of these scenarios loses anything"


def test_the_random_scenarios_reach_what_they_are_about(monkeypatch):
    """Rules that no scenario reaches would be compared in vain."""
    reached = Counter()

    def seen(kind, name, what, holds):
        watch(monkeypatch, reached, kind, name, lambda *about: what if holds(*about) else None)

    seen(SharedMemory, "take", "headroom is used", lambda memory, taken, lane, *_: memory.above[lane] > 0)
    seen(SharedMemory, "take", "memory runs out", lambda memory, taken, *_: not taken)
    seen(SharedMemory, "give", "memory is shared", lambda memory, *_: memory.pool.used > 0)
    seen(Switch, "move_over", "packets wait at outputs", lambda switch, _, out: max(map(len, out.waiting)) > 1)
    seen(Switch, "drop_waiting", "a watchdog drops", lambda switch, dropped, *_: dropped)
    seen(Watchdog, "detect", "a storm is detected", lambda watchdog, _, lane: lane in watchdog.ignored)
    seen(Watchdog, "restore", "a storm is over", lambda watchdog, _, lane: lane not in watchdog.ignored)
    seen(ScheduleTurn, "goes", "bytes are left for the next turn", lambda turn, *_: any(turn.left))
    seeds = iter(range(SEEDS // 2))
    while len(reached) < 8 and (seed := next(seeds, None)) is not None:
        run(random_pauses(seed))
    assert len(reached) == 8, reached


STORMED = {
    "topology": {
        "graph": {
            "hosts": ["a", "b", "c", "d"],
            "switches": ["S"],
            "links": [
                {"a": "S", "b": "a"},
                {"a": "S", "b": "b", "rate": "5 Gbit/s"},
                {"a": "S", "b": "c", "rate": "5 Gbit/s"},
                {"a": "S", "b": "d"},
            ],
        }
    },
    "links": {
        "rate": "8 Gbit/s",
        "delay": "50 ns",
        "lanes": 3,
        "flow_control": {
            "pfc": {
                "losses": "count",
                "threshold": {"static": {"xoff": "2 kB", "xon": "1 kB"}},
                "storms": [{"host": "d", "lane": 2, "start": "5 us"}],
            }
        },
    },
    "switches": {"buffer": "100 kB", "forwarding_delay": "40 ns"},
    "adapters": {"mtu": "1000 B", "header": "0 B"},
    "traffic": [
        {"from": "a", "to": "d", "lane": 2},
        {"from": "b", "to": "d", "lane": 0},
        {"from": "c", "to": "d", "lane": 1},
        {"from": "a", "to": "b", "lane": 2, "arrivals": {"steady": {"load": 0.1}}},
    ],
    "measure": {"duration": "30 us", "probes": ["deliveries"]},
}
"""The lane that the watchdog drops is the last of three, and the port is always busy with the others."""


@pytest.mark.parametrize("detection", ["9.3 us", "9.7 us", "10 us", "10.9 us"])
def test_a_watchdog_drops_as_soon_as_the_port_is_idle_whichever_lane_is_next(detection):
    scenario = deepcopy(STORMED)
    watchdog = {"detection_time": detection, "restoration_time": "10 us", "action": "drop"}
    scenario["links"]["flow_control"]["pfc"]["watchdog"] = watchdog
    check(scenario)


LAPSES = {
    "topology": {"single-switch": {"hosts": 3}},
    "links": {
        "rate": "10 Gbit/s",
        "delay": "100 ns",
        "flow_control": {
            "pfc": {
                "threshold": {"static": {"xoff": "4 kB", "xon": "2 kB"}},
                "pause_duration": {"quanta": {"count": 400}},
                "losses": "count",
            }
        },
        "faults": {"failures": [{"link": ["H1", "S"], "at": "20 us", "until": "60 us"}]},
    },
    "switches": {"buffer": "100 kB", "forwarding_delay": "40 ns"},
    "adapters": {"mtu": "1000 B", "header": "0 B"},
    "traffic": [{"from": ["H1", "H2"], "to": "H3"}, {"from": ["H2", "H3"], "to": "H1"}],
    "measure": {"duration": "100 us", "probes": ["pauses"]},
}
"""While its link is down a host is not told to pause again."""


def test_a_pause_whose_time_runs_out_has_a_row_and_all_rows_together_give_the_time_paused(monkeypatch):
    lapsed, pause_ends = [], Wire.pause_ends

    def watched(wire, lane):
        if wire.paused_until[lane] == wire.fabric.now and lane in wire.asserted:
            lapsed.append((wire.fabric.now, wire.name))
        pause_ends(wire, lane)

    monkeypatch.setattr(Wire, "pause_ends", watched)
    run(LAPSES)
    tables = engine_rows(LAPSES)
    assert [(row["time_ps"], row["name"]) for row in tables["pauses"] if row["event"] == "expired"] == lapsed != []
    since, paused = {}, Counter()
    for row in tables["pauses"]:
        if row["event"] == "pause":
            since.setdefault(row["port"], row["time_ps"])
        elif row["port"] in since:
            paused[row["port"]] += row["time_ps"] - since.pop(row["port"])
    for port, begin in since.items():
        paused[port] += 100 * 10**6 - begin
    said = {row["port"]: round(row["rx_pause_duration"] * 1e12) for row in tables["pause_counters"]}
    assert said == {port: paused[port] for port in said}


if __name__ == "__main__":
    by_hand(random_pauses)
    by_hand(random_pauses, lambda scenario: stops(scenario, run(scenario).fabric.losses) and None)
