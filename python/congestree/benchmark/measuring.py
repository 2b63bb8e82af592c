"""Cases measured, each run in a process of its own.

What is reported for each case: packet-hops per second (of processor time for one thread, of wall time for several: the
run alone, without reading the scenario), events per hop, peak resident memory, packets at once in the network, and
packets of any kind and instructions per hop; for some cases how fast two threads are. Instructions are counted by
callgrind as the difference of two runs of different length, so that start-up does not count; they do not wander with
the load of the machine as the clock does.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from ..errors import CongestreeError
from ..runs.shorter import beginning
from .cases import CASES, COUNTED, HUGE, PARALLEL

AGENDAS = ("auto", "wheel", "heap")
"""Event lists: the users' default, and each of the two that it is chosen from."""

RUNS = 3
"""Runs of a case; the median is reported."""
SHORTEST = 0.002
"""The clock gives no useful speed of a run that takes less than this (s)."""


def choose(only=None):
    """Names of the cases that `only` (a list) means: whole names, or what names begin with; all without it.

    In the order of the cases, each once. Raises CongestreeError if one of `only` means no case.
    """
    if not only:
        return list(CASES)
    found = set()
    for wanted in only:
        named = [name for name in CASES if name == wanted] or [name for name in CASES if name.startswith(wanted)]
        if not named:
            raise CongestreeError(f'No case is called "{wanted}" or begins so; there are {", ".join(CASES)}.')
        found.update(named)
    return [name for name in CASES if name in found]


def measure_cases(scenarios, *, quick=False, agendas=("auto",), threads=1, on_progress=None):
    """Measure scenarios, a dict by name; yields a dict for each as soon as it is known.

    quick: a tenth of the duration, once each, without instruction counts. agendas: the event lists to use, a dict for
    each.
    """
    report = on_progress or (lambda share, note="": None)
    wanted = [(name, agenda) for name in scenarios for agenda in agendas]
    for number, (name, agenda) in enumerate(wanted):
        report(number / len(wanted), f"{name}, {agenda}")
        scenario = beginning(scenarios[name], 0.1) if quick else scenarios[name]
        once = quick or name in HUGE
        result = measure(name, scenario, agenda, 1 if once else RUNS, threads)
        counts = not quick and threads == 1 and name in COUNTED
        counted = instructions_per_hop(scenarios[name], agenda, COUNTED[name]) if counts else None
        twice = not quick and threads == 1 and agenda == "auto" and name in PARALLEL and (os.cpu_count() or 1) > 1
        faster, rate = speedup(scenarios[name], 1 if once else RUNS) if twice else (None, None)
        yield {
            **result,
            "instructions_per_hop": counted,
            "two_threads": faster,
            "two_threads_packet_hops_per_s": rate,
        }
    report(1.0)


def speedup(scenario, pairs=RUNS):
    """How many times as fast two threads are as one, and packet-hops per second with two, by wall time: medians of runs
    in turn."""
    runs = [[run_alone(scenario, threads=threads) for threads in (1, 2)] for _ in range(pairs)]
    times = statistics.median(one["wall_s"] / two["wall_s"] for one, two in runs)
    return times, statistics.median(two["packet_hops"] / two["wall_s"] for _, two in runs)


def measure(name, scenario, agenda="auto", times=RUNS, threads=1):
    """Run a scenario `times` times and take medians."""
    runs = [run_alone(scenario, agenda, threads) for _ in range(times)]
    middle = {
        key: statistics.median(r[key] for r in runs) for key in ("wall_s", "cpu_s", "check_s", "peak_mib", "base_mib")
    }
    middle["cpu_s"] = max(middle["cpu_s"], 0.0)  # a difference: below zero where it is too small to be measured
    hops, took = runs[0]["packet_hops"], middle["cpu_s" if threads == 1 else "wall_s"]
    return {
        "name": name if agenda == "auto" else f"{name}-{agenda}",
        "agenda": agenda,
        "threads": threads,
        "parts": runs[0]["parts"],
        "simulated": scenario["measure"]["duration"],
        "packet_hops_per_s": hops / took if took >= SHORTEST else 0.0,
        "packet_hops": hops,
        **middle,
        "events_per_hop": runs[0]["events"] / hops if hops else 0.0,
        "packets_per_hop": runs[0]["link_packets"] / hops if hops else 0.0,
        **{key: runs[0][key] for key in ("peak_packets", "bytes_per_packet", "bytes_per_port")},
        "runs": times,
    }


def run_alone(scenario, agenda="auto", threads=1, engine=None):
    """One run in a fresh process: {packet_hops, events, wall_s, cpu_s, check_s, peak_mib, base_mib, ...}."""
    command = _command(agenda, threads, engine)
    done = subprocess.run(command, input=json.dumps(scenario), capture_output=True, text=True, check=False)
    if done.returncode:
        raise CongestreeError(
            f"A benchmark run failed: {_last_complaint(done.stderr) or f'exit code {done.returncode}'}"
        )
    return json.loads(done.stdout)


def _last_complaint(stderr):
    """The last line that is not indented, and those that follow it: place, fact and remedy, or how a traceback ends."""
    last = re.split(r"\n(?=\S)", stderr.strip())[-1]
    return last.removeprefix("congestree._engine.ScenarioError: ")


def _command(agenda, threads=1, engine=None):
    from .. import _engine

    script = Path(__file__).with_name("alone.py")
    return [sys.executable, "-S", "-E", str(script), str(engine or _engine.__file__), agenda, str(threads)]


def instructions_per_hop(scenario, agenda, shares):
    """Instructions for one packet-hop, or None where valgrind is not installed or cannot do it."""
    if shutil.which("valgrind") is None:
        return None
    counts = []
    for share in shares:
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *_command(agenda)]
        text = json.dumps(beginning(scenario, share))
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
        if done.returncode or not found:
            return None
        counts.append((int(found[1]), json.loads(done.stdout)["packet_hops"]))
    (few, short), (many, long) = counts
    return (many - few) / (long - short) if long > short else None
