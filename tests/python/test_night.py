"""A few of the random networks that `make night` audits by the thousand."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def night():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import night

        yield night
    finally:
        sys.path.remove(str(ROOT / "tools"))


def test_one_network_of_every_kind_keeps_all_laws(night):
    kinds = night.draw.KINDS
    told = [night.audit(seed, 10_000) for seed in range(len(kinds))]
    assert [one["kind"] for one in told] == kinds and all(one["packet_hops"] > 0 for one in told)
    assert any(one["parts"] > 1 for one in told), "no network was shared by several threads"
    assert {one["flow_control"] for one in told} >= {"none", "pfc", "byte-credits", "packet-slots"}


def test_rings_are_stuck_or_not_and_each_deadlock_is_a_true_one(night):
    kinds = len(night.draw.KINDS)
    told = [night.audit(kinds * k + kinds - 1, 10_000) for k in range(12)]
    assert {one["kind"] for one in told} == {"ring"}
    stuck = sum(one["deadlock"] == "true" for one in told)
    assert 0 < stuck < len(told)


def test_the_search_refutes_a_deadlock_that_is_none(night):
    """The cycle of a ring that is stuck, checked against the same ring with half of the traffic, which is not."""
    kinds = len(night.draw.KINDS)
    seeds = (kinds * k + kinds - 1 for k in range(40))
    _, scenario, _ = next(d for d in (night.draw.draw(s, 10_000) for s in seeds) if _stopped(d[1]))
    facts = _stopped(scenario)
    night.deadlock.check(scenario, facts)
    _, tables = night.deadlock._run(scenario, facts)
    room = scenario["switches"]["buffer"].split()
    scenario["switches"]["buffer"] = f"{100 * int(room[0])} {room[1]}"
    assert not night.deadlock._stuck(scenario, tables), "with room for all nothing is stuck"


def _stopped(scenario):
    from congestree import _engine

    facts = json.loads(_engine.run(json.dumps(scenario), "json").meta())
    return facts if facts["stopped"] else None


def test_the_night_goes_on_where_it_was(night, tmp_path, monkeypatch):
    state = tmp_path / "night.json"
    for _ in range(2):
        monkeypatch.setattr(sys, "argv", ["night", "--count", "4", "--events", "5000", "--state", str(state)])
        night.main()
    told = json.loads(state.read_text())
    assert told["networks"] == told["next"] == 8 and sum(told["kinds"].values()) == 8
