"""Sweeps: a scenario and what varies in it, the runs that follow from these, and the study that they make."""

import contextlib
import json
import tempfile
from collections.abc import Iterable
from pathlib import Path

from .. import _engine, document, renames
from ..errors import CongestreeError, Note
from ..notes import without_effect
from ..runs import arguments, contents, locking, memory, store
from ..runs.results import Run, scenario_hash
from ..runs.running import as_text
from . import measured, pool
from .points import label
from .study import STUDY, Study, has_its_folder, write_down


def expand(scenario, *, over=None, values=None, limit_memory="free"):
    """The points of a sweep: a list of {"values": {path: value}, "scenario": resolved scenario, "memory": B}.

    `over` replaces the scenario's own [sweep]: {dotted path: list of values}; the points are
    the product of the lists, the last one varying fastest. A run that would take more than `limit_memory` (as for
    `congestree.run`) is complained about; `memory` is what it takes, as estimated.
    """
    return _expanded(scenario, over, values, limit_memory, False)["points"]


def _expanded(scenario, over, values, limit_memory, skip_refused):
    """The points of a sweep, those that are refused, if they are to be left out, and the scenario as written."""
    values = arguments.by_path(values)
    if over is not None:
        # A value that is not a list leads to a complaint like the others.
        values["sweep"] = {
            path: list(c) if isinstance(c, Iterable) and not isinstance(c, (dict, str)) else c
            for path, c in arguments.by_path(over).items()
        }
    text, form, name = as_text(scenario, values)
    expanded = json.loads(_engine.expand(text, form, name, memory.limit_of(limit_memory), skip_refused))
    expanded["written"] = {"text": text, "format": form, "folder": str(Path(name).parent.absolute())}
    axes = (expanded["points"] or expanded["refused"])[0]["values"]
    arguments.refuse_in_vain(document.parse(text, form, name), values, axes, "the sweep varies")
    return expanded


def sweep(
    scenario,
    *,
    over=None,
    values=None,
    out=None,
    workers=None,
    scheduler=None,
    on_progress=None,
    limit_memory="free",
    skip_refused=False,
    measures=(),
):
    """Run every point of a sweep in parallel and return the `Study`.

    scenario, values: as for `congestree.run`; the scenario's [sweep] says what varies, unless `over` is given. A value
         that varies cannot be set as well.
    over: {dotted path: list of values}; the points are the product of the lists, the last one varying fastest.
    out: the folder of the study; points that are finished there are not run again. Without it the results go to a
         new temporary folder, `study.folder`, which stays until you remove it.
    workers: the number of processes. The default is the number of cores this process may use, or fewer if so many
         copies of the largest run would not fit into `limit_memory`.
    scheduler: the address of a Dask scheduler whose workers execute the runs; they must see `out` under the same path.
    on_progress: called with a `pool.Progress`.
    limit_memory: the memory that all runs on this machine may use together, as for `congestree.run`.
    skip_refused: leave out points that make no sense, such as a scheme that does not work with the links. They are
         listed in `study.refused`, {label: why}. If no point makes sense, ScenarioError is raised all the same.
    measures: the names of measures, or of one, that become columns of `study.runs`, as in `Study.measure`. They are
         refused before anything is run if no point has such a host or number, or if some do not record what is needed.

    Ctrl-C stops at once (KeyboardInterrupt). Finished runs are kept, and the same call continues from there; a run
    with a damaged table is repeated. Runs that failed are in `study.failed`, {label: why}. A folder has one study:
    `study.dropped` counts the finished runs that belonged to an earlier study in this folder and are not points of
    this one. They remain in the folder, but are in no table; a warning (`congestree.errors.Note`) says so. Raises
    ScenarioError if any point makes no sense (with `skip_refused`: if none does), before anything is run;
    CongestreeError if a file cannot be read, a trace changes while the sweep runs, `out` cannot be written, holds
    results of another kind or is in use by another process, or the scheduler does not answer.
    """
    if workers is not None:
        workers = arguments.count("workers", workers)
    if out is not None:
        out = arguments.path("out", out)
    arguments.function("on_progress", on_progress)
    measures = arguments.listed(measures)
    limit = memory.limit_of(limit_memory)
    expanded = _expanded(scenario, over, values, limit, skip_refused)
    refused = {label(point["values"]): "\n".join(point["why"]) for point in expanded["refused"]}
    asked = measured.of_points(measures, expanded["points"])
    _note_no_effect(expanded["points"])
    out = Path(tempfile.mkdtemp(prefix="congestree-") if out is None else out)
    store.prepare(out, STUDY)
    # On a cluster several sweeps may share a folder: workers move complete runs to their places.
    with contextlib.nullcontext() if scheduler else locking.alone(out):
        if not scheduler:
            store.clear_drafts(out)
        study = _study(expanded, refused, asked, out)
        _execute(study, expanded["points"], workers, scheduler, on_progress, limit)
        if has_its_folder(study):
            study.save()
        else:
            _note_taken(out)
        return study


def _note_no_effect(points):
    """Warn of a sweep over a value that has no effect: all its runs are alike."""
    swept = {renames.path(path) for path in points[0]["values"]}
    for sentence in without_effect.sentences(points[-1]["scenario"]):
        if sentence.partition(" ")[0] in swept:
            renames.notice(f"The sweep varies nothing: {sentence}", Note)


def _note_taken(out):
    """Warn that the table of this sweep is not written, as another has begun in its folder."""
    renames.notice(
        f"Another sweep has taken {out} meanwhile, and runs.parquet is left to it: the runs of this one are in runs. "
        "Repeat this sweep after the other, which runs nothing twice, to have its table; name another folder (out) to "
        "keep both",
        Note,
    )


def _study(expanded, refused, measures, out):
    """The study, written down before its first run."""
    rows = [{"hash": scenario_hash(p["scenario"]), "values": p["values"]} for p in expanded["points"]]
    study = Study(out, rows, refused, expanded["written"], measures)
    study.dropped = _dropped(out, rows)
    if study.dropped:
        renames.notice(
            f"{out} held another sweep: {study.dropped} of its finished runs are not points of this one. They stay in "
            "runs, and are in no table any more; name another folder (out) to keep both, or repeat the earlier sweep, "
            "which runs nothing twice, to have its table again",
            Note,
        )
    write_down(study)
    return study


def _execute(study, points, workers, scheduler, on_progress, limit):
    """Run what is not finished, and once more what is damaged."""
    out = study.folder
    jobs = [
        pool.Job(point["scenario"], out / "runs" / row["hash"], study.label(row["values"]) or row["hash"])
        for point, row in zip(points, study.points, strict=True)
    ]
    if limit is not None:
        most = max((point["memory"] for point in points), default=1)
        workers = max(1, min(pool.default_workers(), limit // most)) if workers is None else workers

    def execute(jobs):
        if not scheduler:
            return pool.execute(jobs, workers=workers, on_progress=on_progress, limit_memory=limit)
        from . import cluster

        return cluster.execute(jobs, scheduler=scheduler, home=out, on_progress=on_progress)

    progress = execute(jobs)
    study.failed, study.resumed = dict(progress.failed), progress.resumed
    if damaged := study.damaged():
        for run in damaged:
            store.forget(out / "runs" / run)
        study.failed |= execute([job for job in jobs if job.folder.name in damaged]).failed
        study.resumed -= len(damaged)
    _refuse_changed(points, jobs)


def _refuse_changed(points, jobs):
    """Raise CongestreeError, and have the runs count as not run, if a file that they name is no longer what it was."""
    files = {}
    for point, job in zip(points, jobs, strict=True):
        names = contents.named(point["scenario"])
        if names and store.is_finished(job.folder) and Run.load(job.folder).manifest["hash"] != job.folder.name:
            store.forget(job.folder)
            files |= dict.fromkeys(names)
    if files:
        first, *more = files
        raise CongestreeError(
            f"{first}{f' or another of {len(files)} files' if more else ''} changed while the sweep ran, or is another "
            "file on other machines: runs that may have read either count as not run; repeat the sweep."
        )


def _dropped(out, rows):
    """How many finished runs were points of the study that this folder has had so far, and are not of this one."""
    with contextlib.suppress(CongestreeError):
        before = {point["hash"] for point in Study.load(out).points} - {row["hash"] for row in rows}
        return sum(store.is_finished(out / "runs" / run) for run in before)
    return 0
