"""Two builds compared: ratios of interleaved runs, because the clocks of shared machines wander."""

import json
import statistics
from pathlib import Path

from ..errors import CongestreeError
from .measuring import run_alone

PAIRS = 5
"""Runs of each build, in turn."""


def compare(scenarios, other, *, threads=1, pairs=PAIRS, on_progress=None):
    """This build beside another one; yields a dict for each scenario of a dict by name.

    other: the engine of another build (its `_engine` file, or the folder of a checkout that has been set up), which is
    run in turn with this one; or a JSON file of `congestree bench`, which was measured at another time.

    Each dict has `name`, `ratio` (packet-hops per second of this build by those of the other: the median of the pairs),
    `least` and `most` of the pairs, and `interleaved`. Raises CongestreeError if `other` is none of these.
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
            if ours["packet_hops"] != theirs["packet_hops"]:
                theirs[key] *= ours["packet_hops"] / theirs["packet_hops"]
            ratios.append(theirs[key] / ours[key])
        yield {
            "name": name,
            "ratio": statistics.median(ratios),
            "least": min(ratios),
            "most": max(ratios),
            "interleaved": True,
        }
    report(1.0)


def _beside(scenarios, rows, threads, report):
    from .measuring import measure

    for number, (name, scenario) in enumerate(scenarios.items()):
        report(number / len(scenarios), name)
        if name not in rows:
            continue
        ours = measure(name, scenario, threads=threads)["packet_hops_per_s"]
        theirs = rows[name]["packet_hops_per_s"]
        ratio = ours / theirs if theirs else float("nan")  # theirs was too short to tell
        yield {"name": name, "ratio": ratio, "least": ratio, "most": ratio, "interleaved": False}
    report(1.0)


def _read(path):
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {row["name"]: row for row in rows}
    except OSError as error:
        raise CongestreeError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, TypeError, KeyError):
        raise CongestreeError(f"{path} is not what `congestree bench --json` writes: a list of cases.") from None


def _engine_of(path):
    """The engine in a file or a checkout."""
    if path.is_file():
        return path
    found = sorted((path / "python" / "congestree").glob("_engine.*"))
    if not found:
        raise CongestreeError(
            f"{path} is no build: expected an _engine file, the folder of a checkout after `make setup`, or a JSON "
            "file of `congestree bench`."
        )
    return found[0]
