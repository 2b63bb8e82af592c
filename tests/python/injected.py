"""A scenario whose messages come from outside, and what `serve` answers to lines."""

import json

from congestree.live import serving


def scenario(**more):
    return {
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "10 Gbit/s", "delay": "1 us", "flow_control": {"byte-credits": {}}},
        "switches": {"buffer": "16 KiB", "forwarding_delay": "200 ns"},
        "traffic": [{"name": "live", "from": "all", "arrivals": "injected"}],
        "measure": {"duration": "1 ms", "audit": True},
        **more,
    }


def answers(*lines):
    """What `serve` answers to lines, or to objects."""
    told = []
    serving.serve([line if isinstance(line, str) else json.dumps(line) for line in lines], told.append)
    return [json.loads(line) for line in told]
