"""One run: from a scenario in any form to a `Run`.

The engine does everything that has a meaning; this module hands it text and wraps its answer.
"""

import json
import os
from pathlib import Path

from . import _engine, document, store
from .errors import CongestreeError
from .results import Run


def as_text(scenario, values=None):
    """A scenario in any form as (text, format, name of the source) for the engine.

    `scenario` is a Scenario, a dict, a path, or TOML text (recognised by a line break or "=").
    `values` maps dotted paths to values that replace what the scenario says.
    """
    if isinstance(scenario, str) and ("\n" in scenario or "=" in scenario):
        text, form, name = scenario, "toml", ""
    elif isinstance(scenario, (str, os.PathLike)):
        text, form = document.read_text(scenario)
        name = str(scenario)
    else:
        tree = scenario.to_dict() if hasattr(scenario, "to_dict") else scenario
        if not isinstance(tree, dict):
            raise CongestreeError(
                f"A scenario is a Scenario, a dict, a path or text; {type(scenario)} is none of them."
            )
        text, form, name = json.dumps(tree), "json", ""
    if values:
        tree = document.parse(text, form, name or "the scenario")
        for path, value in values.items():
            tree = document.set_value(tree, path, value)
        text, form = json.dumps(tree), "json"
    return text, form, name


def check(scenario, *, values=None):
    """Check a scenario without running it.

    Returns {"scenario": the resolved scenario with every default written out, "facts": what
    it amounts to (hosts, switches, links, flows, sources ...), "cost": queues, buffers and lines of
    its switches}. Raises ScenarioError with all
    complaints at once (`.complaints`: path, line, column, fact, remedy).
    """
    return json.loads(_engine.check(*as_text(scenario, values)))


def network(scenario, *, values=None):
    """The network of a scenario as a dict: who is plugged into whom.

    Hosts, switches, links with rates (bit/s), delays (ps) and port numbers, routes, and where links pause the headroom
    (B) that each of their ends needs. Raises as `check` does.
    """
    return json.loads(_engine.network(*as_text(scenario, values)))


def run(scenario, *, values=None, seed=None, out=None, on_progress=None, agenda="auto"):
    """Run a scenario and return its results.

    scenario: a Scenario, a dict, the path of a file, or TOML text.
    values: {dotted path: value} replacing what the scenario says.
    seed: replaces the scenario's seed.
    out: a folder to write the results to (manifest.json and one Parquet file a table). Long tables are written while
         the run goes on and not kept in memory.
    on_progress: called about ten times a second with (simulated seconds, end, packet-hops).
    agenda: the event list: "wheel", "heap", or "auto" for the one that suits the size (the results are the same, only
            the speed differs).

    Ctrl-C stops the run at once; the result then has `interrupted` set and covers what was done. A deadlock stops it,
    too: `stopped` then says who waits for whom.

    Raises ScenarioError with all complaints if the scenario makes no sense, CongestreeError if its file cannot be read
    or `out` cannot be written.
    """
    values = dict(values or {})
    if seed is not None:
        values["seed"] = seed
    text, form, name = as_text(scenario, values)
    if out is None:
        return _run(text, form, name, on_progress, agenda, None)
    out = Path(out)
    store.prepare(out)
    with store.Spool(out) as spool:
        result = _run(text, form, name, on_progress, agenda, spool.take)
        result.save(out, spool)
    return result


def _run(text, form, name, on_progress, agenda, on_rows):
    output = _engine.run(text, form, name, on_progress, agenda, on_rows)
    return Run.from_engine(json.loads(output.meta()), output.tables())
