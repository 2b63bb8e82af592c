"""One run: from a scenario in any form to a `Run`.

The engine does everything that has a meaning; this module hands it text and wraps its answer.
"""

import contextlib
import functools
import json
import math
import os
import sys
import time
from pathlib import Path

from .. import _engine, document, notes, renames
from ..errors import AskedError, CongestreeError, there_are
from ..quantities import in_words
from . import arguments, locking, memory, parquet, store
from .results import Run, a_run, scenario_hash
from .writing import Interruptions

AGENDAS = ("auto", "wheel", "heap")
"""Event lists."""

MOST_THREADS = 65_535
"""The most that a scenario may ask for; of more the engine makes no use."""


def as_text(scenario, values=None):
    """A scenario in any form as (text, format, name of the source) for the engine.

    `scenario` is a Scenario, a dict, a path, the name of a shipped one, or TOML text.
    `values` maps dotted paths to values that replace what the scenario says.
    """
    if isinstance(scenario, str) and _is_text(scenario):
        text, form, name = scenario, "toml", ""
    elif isinstance(scenario, (str, os.PathLike)):
        from ..gallery import shipped

        path = shipped.scenario_path(scenario)
        text, form = document.read_text(path)
        name = str(path)
    else:
        tree = scenario.to_dict() if hasattr(scenario, "to_dict") else scenario
        if not isinstance(tree, dict):
            raise CongestreeError(
                f"A scenario is a Scenario, a dict, a path or text; {type(scenario)} is none of them."
            )
        text, form, name = document.to_json(tree), "json", ""
    renames.notice_text(text, form, name)
    return overlaid((text, form, name), arguments.by_path(values))


def overlaid(source, values):
    """What `as_text` gives, with values by dotted path in place of what it says."""
    text, form, name = source
    if values:
        tree = renames.renewed(document.parse(text, form, name or "the scenario"))
        for path, value in values.items():
            tree = document.set_value(tree, renames.path(path), value)
        text, form = document.to_json(tree), "json"
        renames.notice_text(text, form, "")  # any older names left came with the values
    return text, form, name


def _is_text(scenario):
    """Whether a str is TOML: it has a line break, or "=" and is not what a file is called (load=0.5.toml)."""
    return "\n" in scenario or (
        "=" in scenario and not scenario.lower().endswith((".toml", ".json")) and not os.path.exists(scenario)
    )


def check(scenario, *, values=None, limit_memory="free"):
    """Check a scenario without running it.

    Returns a dict. "scenario" is the resolved scenario with every default written out; "facts" counts its hosts,
    switches, links, flows, sources ...; "cost" counts the queues, buffers and lines of its switches; "needs" estimates
    what a run takes: `memory` (B) with its `parts`, `per_part` (B, the most for each part of a network that is cut),
    `packet_hops`, and `seconds` on one core; "parts" is a sentence on whether the network can be cut, so that a run
    uses several cores; "notes" are sentences about what works, and may not be what was meant: a written part of a
    scheme whose other values are not those of the preset, thresholds that no queue can reach, links that credits or
    link-level retry keep from their full rate, flows whose window does not fill their idle path or whose timers expire
    before an ACK can be back, traffic that starts after the end, values without effect, applications over a transport
    that sends block by block. A run has the same in its manifest. Raises ScenarioError with all complaints at once
    (`.complaints`: path, line, column, fact, remedy), CongestreeError if a file cannot be read.

    scenario, values, limit_memory: as for `run`.
    """
    answer = json.loads(_engine.check(*as_text(scenario, values), memory.limit_of(limit_memory)))
    found = answer["scenario"]
    groups = functools.partial(_groups, found)
    answer["notes"] = notes.of_scenario(found, answer["facts"]["hosts"], answer["notes"], groups)
    return answer


def resolved(tree, source=""):
    """A scenario (a dict) with every default written out, as a dict; source: the file that it was read from, or "".

    Files that it names are looked for beside the source. Raises the errors that `check` raises.
    """
    text, form, _ = as_text(tree)
    return json.loads(_engine.check(text, form, source, memory.default_limit()))["scenario"]


def network(scenario, *, values=None, routes=True):
    """The network of a scenario as a dict: what is connected to what.

    It has hosts, switches, links with rates (bit/s), delays (ps) and port numbers, routes, and, for links with pauses,
    the headroom (B) that each end needs. Raises the errors that `check` raises, and ScenarioError if the forwarding
    tables would need more memory than is free.

    scenario, values: as for `run`. routes: whether to include the forwarding tables: the port of every switch towards
    every host.
    """
    return json.loads(
        _engine.network(*as_text(scenario, values), memory.default_limit(), arguments.truth("routes", routes))
    )


def run(
    scenario,
    *,
    values=None,
    seed=None,
    out=None,
    on_progress=None,
    agenda="auto",
    limit_memory="free",
    threads=None,
):
    """Run a scenario and return its results.

    scenario: a Scenario, a dict, the path of a file, the name of a shipped one ("hot-spot"), or TOML text.
    values: {dotted path: value} replacing what the scenario says.
    seed: replaces the scenario's seed.
    out: a folder to write the results to (manifest.json and one Parquet file per table). Long tables are written
         during the run and are not kept in memory.
    on_progress: called about ten times a second with (simulated seconds, end, packet-hops).
    agenda: the event list: "wheel", "heap", or "auto" for the faster one at the size of the network (the results are
            the same).
    limit_memory: the memory that this process may use: bytes, a text such as "8 GiB", None for no limit, or "free" for
            nine tenths of the machine's free memory. A scenario that needs more is refused before it is built; a run
            that exceeds the limit nevertheless is stopped, and `stopped` says so.
    threads: cores that work on the run, each on a part of the network (the results are the same). The default is the
             scenario's number under [run]; without one, a network that can be cut gets as many as have enough work in
             their parts. Each part has tables of the whole network: more parts than fit into `limit_memory` are
             refused.

    Ctrl-C stops the run at once; the result then has `interrupted` set and covers the time simulated so far. Packets
    on their last link may already be counted as delivered in it. If it comes while a whole run is written to `out`, it
    takes effect after that (KeyboardInterrupt). A deadlock stops the run, too: `stopped` then says who waits for whom.

    Raises ScenarioError with all complaints if the scenario makes no sense, CongestreeError if its file cannot be
    read, `out` cannot be written, or another argument makes no sense.
    """
    if agenda not in AGENDAS:
        raise AskedError(f"There is no agenda {agenda!r}; {there_are(agenda, AGENDAS)}")
    if threads is not None:
        threads = min(arguments.count("threads", threads), MOST_THREADS)
    text, form, name = as_text(scenario, _seeded(values, seed))
    guard = _Guard(arguments.function("on_progress", on_progress), memory.limit_of(limit_memory))
    if out is None:
        return _run(text, form, name, guard, agenda, None, threads)
    with folder_of_a_run(out) as out:
        return _run_into(out, text, form, name, guard, agenda, threads)


def _seeded(values, seed):
    """Values by path with the seed, if one is given, among them."""
    return arguments.by_path(values) | ({} if seed is None else {"seed": seed})


@contextlib.contextmanager
def folder_of_a_run(out):
    """The folder that the argument `out` names, held while a run is written to it.

    Raises CongestreeError if it cannot be written, or has results of another kind.
    """
    out = Path(arguments.path("out", out))
    store.prepare(out, store.MANIFEST)
    with locking.alone(out):
        yield out


def run_once(scenario, out, *, on_progress=None, limit_memory=None):
    """Run a scenario into a folder unless a finished run is there already, with all its tables.

    One process at a time does so; the others wait as long as it takes, and have its result. A run that fails may
    leave a part of its files.
    """
    text, form, name = as_text(scenario)
    store.prepare(out)
    with locking.alone(out, patience=math.inf):
        if not store.is_whole(out):
            store.forget(out)  # damaged tables
            result = _run_into(Path(out), text, form, name, _Guard(on_progress, limit_memory), "auto", 1)
            refuse_part(result)


def run_whole(scenario, **options):
    """The same as `run`, where a part of a run is of no use.

    Ctrl-C raises KeyboardInterrupt, and a run that exceeds its memory limit CongestreeError.
    """
    result = run(scenario, **options)
    if result.interrupted:
        raise KeyboardInterrupt
    refuse_part(result)
    return result


def refuse_other(what, result, scenario, values, seed):
    """Raise AskedError if what the function `what` was given as a finished run of a scenario is none, or of another.

    Its results would be taken for those of this scenario.
    """
    manifest = a_run(what, result).manifest
    text, form, name = as_text(scenario, _seeded(values, seed))
    here = json.loads(_engine.check(text, form, name, memory.default_limit()))["scenario"]
    if scenario_hash(here, manifest["fingerprint"] if "driven" in manifest else None) != manifest["hash"]:
        raise AskedError(
            f"run= of {what} is of another scenario, other values, another seed, or another version of congestree: "
            "give those that it was made with, or leave out run=."
        )


def refuse_part(result):
    """Raise CongestreeError if a run stopped for want of memory: it is incomplete, and counts as not run."""
    if result.manifest.get("out_of_memory"):
        raise CongestreeError(result.stopped.replace(KEPT, ""))


def _run_into(out, text, form, name, guard, agenda, threads):
    # Interrupted while it takes rows, the engine would give up the run; so that waits until the guard is asked.
    with guard.signals as signals, parquet.Spool(out) as spool:

        def take(name, columns):
            signals.hold()
            spool.take(name, columns)

        result = _run(text, form, name, guard, agenda, take, threads)
        signals.hold()
        result.save(out, spool)
        if result.interrupted:
            signals.forget()
    return result


KEPT = "; what was recorded until then is kept"


class _Guard:
    """Reports the progress of a run, and stops it when this process takes more memory than it may.

    Where it is asked, a signal in `signals` ends the run without loss.
    """

    def __init__(self, on_progress, limit):
        self.on_progress, self.limit = on_progress, limit
        self.signals = Interruptions()
        self.stopped = None

    def __call__(self, now, end, hops):
        self.signals.let_through()
        try:
            return self._report(now, end, hops)
        finally:
            self.signals.hold()

    def _report(self, now, end, hops):
        if self.on_progress is not None:
            self.on_progress(now, end, hops)
        if self.limit is not None and (memory.resident() or 0) > self.limit:
            self.stopped = (
                f"at {in_words(now, 's')} of {in_words(end, 's')} it had more memory than its limit of "
                f"{in_words(self.limit, 'B')}{KEPT}. Record less (measure.probes), "
                "or raise the limit (--limit-memory, limit_memory in Python)"
            )
            return False
        return None


def _run(text, form, name, guard, agenda, on_rows, threads):
    begun = time.process_time()
    output = _engine.run(text, form, name, guard, agenda, on_rows, guard.limit, threads)
    more = {"stopped": guard.stopped, "interrupted": False, "out_of_memory": True} if guard.stopped else {}
    return wrapped(output, begun, more)


def wrapped(output, begun, more):
    """The engine's output of a run as a `Run`; begun: the processor time at its start; more: further facts about it."""
    used = {"cpu_s": time.process_time() - begun, "peak_bytes": _peak_memory()}
    made = Run.from_engine(json.loads(output.meta()) | used | more, output.tables())
    made.manifest["notes"] = notes_on(made._scenario, made.hosts, made.manifest["notes"])
    return made


def notes_on(scenario, hosts, engine_notes):
    """All notes on a resolved scenario, with those of the engine; hosts: the names of its hosts."""
    return notes.of_scenario(scenario, len(hosts), engine_notes, functools.partial(_groups, scenario, hosts))


def _groups(scenario, hosts=()):
    """The hosts of every group of a network, by its name; none are needed if the traffic names only these hosts."""
    named = {name for entry in scenario["traffic"] for name in _listed(entry.get("from"))}
    return {} if named <= {"all", *hosts} else network(scenario, routes=False)["groups"]


def _listed(names):
    """Names that may be a single one, or none, as a list."""
    return names if isinstance(names, list) else [] if names is None else [names]


def _peak_memory():
    """The peak memory of this process so far, in bytes; None where the system does not report it."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
