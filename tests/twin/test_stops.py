"""The engine stops where its twin first loses a packet in a lossless lane, with `losses = "stop"`.

By hand: `PYTHONPATH=. python tests/twin/test_stops.py 0 500`.
"""

import json
import re
import sys
from copy import deepcopy

import pytest
from comparing import SEEDS, in_chunks
from random_pauses import random_pauses
from reference import run
from reference.quantities import span

STOPPED = re.compile(r"at (\S+ \S+) a packet of (\d+) B came in by (.+) lane (\d+), whose buffer held (\d+) B")


def stops(seed: int) -> str | None:
    """Where the engine stops, if it does; it is an error if its twin loses nothing there first."""
    from congestree import _engine

    scenario = random_pauses(seed)
    losses = run(scenario).fabric.losses
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
def test_a_run_that_stops_at_losses_stops_at_the_first(seeds):
    pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    assert any([stops(seed) for seed in seeds]), "none of these scenarios loses anything"


if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:3])):
        stops(number)
