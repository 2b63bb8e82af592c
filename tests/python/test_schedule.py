"""Which presets RCM can be combined with: docs/explanation/how-it-works.md says which."""

import json

import congestree
from congestree import _engine
from congestree.errors import ScenarioError

NETWORK = {
    "topology": {"two-switch": {"local": 3, "remote": 3}},
    "links": {"rate": "40 Gbit/s", "delay": "100 ns", "flow_control": {"pfc": {}}},
    "switches": {"buffer": "256 KiB", "queues": "voq", "arbiter": "round-robin"},
    "traffic": [{"from": ["local", "remote"], "to": "B_C"}],
    "measure": {"duration": "200 us"},
}


def answer(scheme):
    """The resolved scheme, or None if it is refused."""
    try:
        return congestree.check(NETWORK | {"scheme": scheme})["scenario"]["scheme"]
    except ScenarioError:
        return None


def test_rcm_goes_with_every_preset_that_does_not_isolate():
    names = [part["name"] for part in json.loads(_engine.catalogue()) if part["kind"] == "preset"]
    alone = {name: found for name in names if (found := answer({"preset": name}))}
    isolating = {name for name, found in alone.items() if "none" not in found["isolate"]}
    refused = {name for name in alone if answer({"preset": name, "schedule": "rcm"}) is None}
    assert refused == isolating and len(isolating) > 4 and len(alone) > 20
