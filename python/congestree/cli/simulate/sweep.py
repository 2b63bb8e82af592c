"""`congestree sweep`: every point of a scenario's [sweep], on all cores."""

from pathlib import Path
from typing import Annotated

import typer

from .. import console
from ..options import AsJson, File, LimitMemory, Scheduler, Values, Workers, many_runs, place, read_values


def sweep(
    file: File,
    out: Annotated[Path | None, place("Folder of the study.  \\[default: runs/<name of the file>-sweep]")] = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    values: Values = None,
    limit_memory: LimitMemory = "free",
    skip_refused: Annotated[
        bool,
        typer.Option(
            "--skip-refused", help="Leave out invalid runs, and say which, instead of refusing the whole sweep."
        ),
    ] = False,
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="MEASURE[:OF]",
            help="A measure of each run, for the table (see: congestree list measures); beside completion times also "
            "how much has finished, beside latencies those with the wait at the source. Repeatable.",
        ),
    ] = None,
    as_json: AsJson = False,
):
    """Run the grid that a scenario's \\[sweep] describes, in parallel.

    Every run has a folder named by the hash of its resolved scenario. A finished run is never
    repeated: after an interruption the same command resumes the sweep. The table of all runs
    is written to runs.parquet.

    [bold]Examples[/bold]

      congestree sweep sweep-load --workers 2

      congestree sweep hot-spot --set 'sweep={"switches.buffer"=["4 packets","8 packets"], "adapters.window"=[1,2]}'

      congestree sweep roce-incast --skip-refused --set 'sweep={"scheme.preset"=["none","dcqcn-paper","hpcc","efl"]}'

      congestree sweep uec-incast --measure message-p99 --set 'sweep={seed=[1,2,3]}'

      congestree sweep llnl-grid --scheduler tcp://node1:8786 --out /shared/llnl
    """
    from ...gallery.shipped import scenario_path
    from ...studies.measured import beside, left_out
    from ...studies.sweeping import sweep as run_sweep

    path = scenario_path(file)
    out = out or Path("runs") / f"{path.stem}-sweep"
    with many_runs(path.stem, out, workers, scheduler, show=not as_json) as report:
        options = {"workers": workers, "scheduler": scheduler, "on_progress": report, "limit_memory": limit_memory}
        options |= {"skip_refused": skip_refused, "measures": [*(measures or ()), *beside(measures or ())]}
        study = run_sweep(path, values=read_values(values), out=out, **options)
    if as_json:
        facts = {"runs": len(study), "resumed": study.resumed, "failed": study.failed, "refused": study.refused}
        facts["dropped"] = study.dropped
        facts["stopped"] = study.stopped
        facts["results"] = str(out)
        console.print_json({**facts, "table": study.runs.to_dicts()})
    elif len(study.runs):
        _show(study, out, left_out(measures or (), study.runs))
    if not study.axes:
        console.say_error(
            f"note: {path.name} has no [sweep], so this was one run; write what is to vary, such as "
            "--set 'sweep={\"seed\"=[1,2,3]}'"
        )
    for name, why in list(study.stopped.items())[:MOST_STOPPED]:
        console.say_error(f"ended early: {name}: {why}")
    if (more := len(study.stopped) - MOST_STOPPED) > 0:
        console.say_error(f"ended early: {more} more (column stopped of runs.parquet)")
    for why, names in _by_reason(study.refused).items():
        more = f", and {len(names) - MOST_STOPPED} more" if len(names) > MOST_STOPPED else ""
        console.say_error(f"left out: {'; '.join(names[:MOST_STOPPED])}{more}: {why}")
    if study.failed:
        for name, why in study.failed.items():
            console.say_error(f"{name}: {why}")
        raise typer.Exit(1)


# Columns by their beginnings that are shown, the first first, and their units.
UNITS = {"completion": "s", "rate": "bit/s"}
# The reason is printed for this many runs that ended early; they count with what they had measured by then. And this
# many of the points that are left out for one reason are named.
MOST_STOPPED = 5
# A table of more rows than this is not read on a terminal.
MOST_ROWS = 100
# A swept network may be written out link by link.
MOST_CHARACTERS = 2000


def _by_reason(refused):
    """The points of each reason: seeds of one setting are refused for the same."""
    names = {}
    for name, why in refused.items():
        names.setdefault(why, []).append(name)
    return names


def _show(study, out, notes):
    from ...studies.points import ends
    from ...studies.study import has_its_folder

    axes = list(study.axes)
    frame = study.runs
    told = [c for kind in UNITS for c in frame.columns if c.startswith(f"{kind}.")]
    shown = [*study.measures, *told[:6]] or [c for c in frame.columns if c not in axes][:6]
    rows = []
    for row in frame.head(MOST_ROWS).iter_rows(named=True):
        rows.append([_cell(study.short(a, row[a])) for a in axes] + [_value(c, row[c], study.measures) for c in shown])
    console.table(
        f"{len(frame)} run{'s' * (len(frame) > 1)}",
        ends(axes) + [f">{c}" for c in shown],
        rows,
    )
    if len(frame) > MOST_ROWS:
        console.say(f"… {len(frame) - MOST_ROWS:,} more in runs.parquet")
    for path, number, value in study.in_full():
        more = "… (in full in study.json)" if len(value) > MOST_CHARACTERS else ""
        console.say(console.plain(f"{path} {number}: {value[:MOST_CHARACTERS]}{more}"))
    for note in notes:
        console.say(console.plain(f"\n{note}"))
    runs = frame["hash"].n_unique()  # points that are the same scenario in other words have one run
    console.say(f"\n{study.resumed} finished before, {runs - study.resumed} run now")
    if has_its_folder(study):
        console.say(f"table:   {out / 'runs.parquet'}")
    console.say(f"results: {out / 'runs'}")


def _cell(value):
    return f"{value:g}" if isinstance(value, float) else value


def _value(column, value, measures):
    from ...evaluation.goals.tables import NOT_FINISHED
    from ...quantities import in_words, is_missing

    if not isinstance(value, (int, float)):
        return value
    kind = column.partition(".")[0]
    if is_missing(value) and kind == "completion":
        return NOT_FINISHED
    if is_missing(value) and column in measures:
        return "none"
    return in_words(value, measures.get(column, UNITS.get(kind, "")))
