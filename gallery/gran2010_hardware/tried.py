"""What was tried of the claims that do not come out: ``python -m gallery.common.tried gran2010-hardware``."""

from ..common.tried import Change
from .runs import WHOLE


def one_queue(scenario):
    """Inputs of switches have one FIFO queue: a packet cannot pass those that came before it.

    Not with congestion control: FECN holds its threshold against queues for one output.
    """
    if "fecn" in scenario["scheme"].get("mark", {}):
        return scenario
    return scenario | {"switches": scenario["switches"] | {"queues": "single", "read_ports": "one"}}


def whole(scenario):
    """Memory for 15 full packets and not a credit more, so that no small packet finds room where no full one does."""
    return scenario | {"switches": scenario["switches"] | {"buffer": WHOLE}}


ROWS = ("p3-table3-avg-ping-pong-lat", "p3-table3-nat-ring-lat", "p3-table3-min-ping-pong-bw")
RUNS = tuple(
    f"hpcc_state-{state}_pattern-{pattern}_"
    for pattern in ("pingpong-small", "pingpong-large", "exchange-small")
    for state in ("none", "off", "on", "none-whole", "off-whole", "on-whole")
)
TRIED = [
    Change("one-queue", "one FIFO queue an input, in (a) and (b)", ROWS, RUNS, one_queue),
    Change("whole", "memory for 15 full packets and not a credit more", ROWS, RUNS, whole),
]
