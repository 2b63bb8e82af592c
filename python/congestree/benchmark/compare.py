"""Two builds compared: ratios of interleaved runs, because the clocks of shared machines wander."""

import json
import math
import statistics
from pathlib import Path

from ..errors import AskedError
from .measuring import SHORTEST, measure, run_alone

PAIRS = 5
"""Runs of each build, in turn."""


def compare(scenarios, other, *, threads=1, pairs=PAIRS, on_progress=None):
    """This build beside another one; yields a dict for each scenario of a dict by name.

    other: the engine of another build (its `_engine` file, or the folder of a checkout that has been set up), which is
    run in turn with this one; or a JSON file of `congestree bench`, which was measured at another time.

    Each dict has `name`, `ratio` (packet-hops per second of this build by those of the other: the median of the pairs),
    `least` and `most` of the pairs, and `interleaved`. All three are nan where runs take less than the clock can tell,
    or where a file has no such case (`there` is false). Raises CongestreeError if `other` is none of these, or a file
    that has none of the cases or was measured with another number of threads.
    """
    report = on_progress or (lambda share, note="": None)
    other = Path(other)
    if other.suffix == ".json":
        yield from _beside(scenarios, _read(other), threads, report)
        return
    engine = _engine_of(other)
    key = "cpu_s" if threads == 1 else "wall_s"
    for number, (name, scenario) in enumerate(scenarios.items()):
        ratios = []
        for pair in range(pairs):
            report((number + pair / pairs) / len(scenarios), name)
            ours = run_alone(scenario, threads=threads)
            theirs = run_alone(scenario, threads=threads, engine=engine)
            ratios.append(_ratio(_speed(ours, key), _speed(theirs, key)))
        if any(map(math.isnan, ratios)):
            ratios = [math.nan]
        yield {
            "name": name,
            "ratio": statistics.median(ratios),
            "least": min(ratios),
            "most": max(ratios),
            "interleaved": True,
        }
    report(1.0)


def _speed(run, key):
    """Packet-hops per second of a run; 0 if it is too short to be timed, as in `measure`."""
    return run["packet_hops"] / run[key] if run[key] >= SHORTEST else 0.0


def _ratio(ours, theirs):
    return ours / theirs if ours and theirs else math.nan


def _beside(scenarios, rows, threads, report):
    there = [rows[name] for name in scenarios if name in rows]
    if not there:
        raise AskedError(f"There is no case {', '.join(scenarios)} in the file; it has {', '.join(rows)}.")
    if other := {row.get("threads", 1) for row in there} - {threads}:
        raise AskedError(
            f"The file was measured with --threads {min(other)}: rates of one thread are by processor time, those of "
            "several by wall time. Measure with as many."
        )
    for number, (name, scenario) in enumerate(scenarios.items()):
        report(number / len(scenarios), name)
        ratio = math.nan
        if name in rows:
            ours = measure(name, scenario, threads=threads)
            ratio = _ratio(ours["packet_hops_per_s"], rows[name]["packet_hops_per_s"])
        yield {"name": name, "ratio": ratio, "least": ratio, "most": ratio, "interleaved": False, "there": name in rows}
    report(1.0)


def _read(path):
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {row["name"]: {**row, "packet_hops_per_s": float(row["packet_hops_per_s"])} for row in rows}
    except OSError as error:
        raise AskedError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, TypeError, KeyError):
        raise AskedError(f"{path} is not what `congestree bench --json` writes: a list of cases.") from None


def _engine_of(path):
    """The engine in a file or a checkout."""
    if path.is_file():
        return path
    found = sorted((path / "python" / "congestree").glob("_engine.*"))
    if not found:
        raise AskedError(
            f"{path} is no build: expected an _engine file, the folder of a checkout after `make setup`, or a JSON "
            "file of `congestree bench`."
        )
    return found[0]
