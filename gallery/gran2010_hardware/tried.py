"""Changes tried for the claims that are not reproduced: ``python -m gallery.common.tried gran2010-hardware``.

``python -m gallery.gran2010_hardware.tried`` has what FFT gains with computation, by the size of its problem.
"""

from math import log2

from ..common.tried import Change
from . import hpcc
from .runs import WHOLE, runs

FFT_GFLOPS = 1.3768
"""MPIFFT in (a), Table III."""
EXCHANGES, POINT = 3, 16
"""How often an FFT moves all its points, and the bytes of one."""
SIZES = (16, 17, 18, 19, 20, 24, 25, 26, 30)
"""Logarithms of numbers of points."""


def one_queue(scenario):
    """Inputs of switches have one FIFO queue: a packet cannot pass those that arrived before it.

    Not with congestion control: FECN compares its threshold with queues for one output.
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


def fft_gain(crossing, points):
    """What congestion control gains, per cent, with as much computation as makes (a) the published rate.

    crossing: GB/s between the hosts in (a), (b), (c); half of the points cross.
    """
    alone, off, on = (EXCHANGES * POINT / 2 / rate for rate in crossing)
    rest = 5 * log2(points) / FFT_GFLOPS - alone
    return 100 * ((rest + off) / (rest + on) - 1)


def main():
    """Run the exchanges of FFT, and print."""
    from congestree.runs.running import run_whole

    from .claims import CLAIMS

    name = f"_pattern-exchange-large_messages-{hpcc.FFT_BLOCKS}_"
    found = {label: run_whole(scenario) for label, scenario in runs().items() if name in label}
    study = CLAIMS.study(found)
    crossing = hpcc.by_state(study, lambda table: table.crossing_gb_s(hpcc.FFT_BLOCKS))
    print("| points | gain, per cent |\n| --- | --- |")
    for size in SIZES:
        print(f"| 2^{size} | {fft_gain(crossing, 2**size):.1f} |")


if __name__ == "__main__":
    main()
