"""Memory does not grow with simulated time, even where traffic is offered faster than it can be sent.

A backlog of messages that have not been started is not stored: a source knows when its next message was made, and asks
for the one after it when that has been sent. The data in flight is bounded by the buffers.
"""

import json
import os
import subprocess
import sys

import pytest

import congestree

PACKET = 2068
BUFFER = 64 * 1024


def overloaded(duration):
    return {
        "topology": {"fat-tree": {"radix": 8}},
        "links": {"rate": "16 Gbit/s", "delay": "10 ns"},
        "switches": {"buffer": "64 KiB"},
        "traffic": [
            {
                "from": "all",
                "pattern": {"hot-spot": {"to": ["h0"], "fraction": 0.3}},
                "arrivals": {"poisson": {"load": 1.0}},
            }
        ],
        "measure": {"duration": duration},
    }


def test_an_overloaded_fabric_holds_no_more_packets_later_than_sooner():
    soon, late = (congestree.run(overloaded(duration)).manifest["peak_packets"] for duration in ("2 ms", "20 ms"))
    switch_inputs = 8 * 8 + 4 * 8
    assert late <= switch_inputs * (BUFFER // PACKET + 1) + 32
    assert late == pytest.approx(soon, rel=0.1)


def coming_and_going(duration):
    return {
        "topology": {"single-switch": {"hosts": 12}},
        "links": {"rate": "16 Gbit/s", "delay": "10 ns", "flow_control": "byte-credits"},
        "traffic": [
            {
                "from": "all",
                "pattern": "uniform",
                "flows": "by-message",
                "message": "600 B",
                "arrivals": {"poisson": {"load": 0.7}},
            }
        ],
        "measure": {"duration": duration, "probes": ["completions"]},
    }


def test_flows_that_have_finished_take_no_memory(tmp_path):
    """Ten times as many flows need hardly more room: the longest queue of a longer time is a little longer."""
    soon, late = (congestree.run(coming_and_going(d), out=tmp_path / d) for d in ("5 ms", "50 ms"))
    assert late.value("flows_finished") == pytest.approx(10 * soon.value("flows_finished"), rel=0.02)
    assert late.value("flows_finished") > 100_000
    assert late.manifest["peak_flows"] < 1.6 * soon.manifest["peak_flows"] < 0.01 * late.value("flows_finished")


ALONE = """
import sys
from congestree import cli
sys.argv[1:] = {arguments!r}
try:
    cli.main()
finally:
    with open("/proc/self/status") as status:
        print(next(line.split()[1] for line in status if line.startswith("VmHWM")), file=sys.stderr)
"""


def peak(*arguments):
    """Peak resident memory (bytes) of a command in a process of its own, and its output."""
    program = ALONE.format(arguments=list(arguments))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "POLARS_MAX_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return 1024 * int(done.stderr.split()[-1]), done.stdout


def run(folder, duration):
    """Peak of a run with its plots, its flows, and where it is."""
    path, out = folder / f"{duration}.json", folder / duration
    path.write_text(json.dumps(coming_and_going(duration)))
    peaked, said = peak("run", str(path), "--out", str(out), "--plot", "--json")
    return peaked, json.loads(said)["completions"]["slowdown"][0]["flows"], out


def export(out, flows, enough):
    """Peak of writing the file of another program: the least of three, as soon as one is low enough.

    What an allocator keeps differs from time to time by as much as is looked for.
    """
    least = None
    for _ in range(3):
        peaked, _ = peak("export", str(out), "--format", "hpcc-fct", "--out", str(out / "fct.txt"))
        least = min(peaked, least or peaked)
        with open(out / "fct.txt") as file:
            assert sum(1 for _ in file) == flows
        if least < enough:
            break
    return least


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the peak of a process is read from /proc")
def test_the_commands_need_no_more_memory_for_ten_times_as_many_flows(tmp_path):
    """Running, the statistics by size at the end, the drawing, and the files for other programs: rows are gone through,
    not kept. A row in memory is more than 60 bytes."""
    (soon, few, first), (late, many, second) = (run(tmp_path, duration) for duration in ("4 ms", "40 ms"))
    assert many > 9.5 * few > 900_000
    room = 16 * (many - few)
    assert late - soon < room, f"run: {(late - soon) / (many - few):.1f} B a flow"
    soon = export(first, few, enough=0)
    late = export(second, many, enough=soon + room)
    assert late - soon < room, f"export: {(late - soon) / (many - few):.1f} B a flow"


def test_a_packet_in_flight_takes_64_bytes_and_a_credit_on_its_way_back_16_at_most():
    paused = overloaded("10 us")
    paused["links"]["flow_control"] = "pfc"
    assert congestree.run(overloaded("10 us")).manifest["bytes_per_packet"] <= 64 + 16
    assert congestree.run(paused).manifest["bytes_per_packet"] == 64
