"""`congestree run`: one scenario."""

import contextlib
import re
import threading
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from .. import beside, console, ending
from ..options import AsJson, File, LimitMemory, Values, place, read_values

_SWEEP = re.compile(r"^\s*(\[\s*sweep\s*[\].]|sweep\s*[.=]|\"sweep\"\s*:)", re.M)
"""Where a scenario describes a sweep, in TOML or JSON."""


def run(
    file: File,
    out: Annotated[Path | None, place("Folder for the results.  \\[default: runs/<name of the file>]")] = None,
    plot: Annotated[bool, typer.Option("--plot", help="Draw what was recorded, into <out>/plots.")] = False,
    values: Values = None,
    seed: Annotated[int | None, typer.Option(help="Replace the scenario's seed.", min=0)] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            help="Cores for the run; results do not depend on the number.  \\[default: as many as have enough to do]",
            min=1,
        ),
    ] = None,
    limit_memory: LimitMemory = "free",
    as_json: AsJson = False,
):
    """Run a scenario and write its results.

    [bold]Examples[/bold]

      congestree run hot-spot --plot

      congestree run hot-spot --set scheme.preset=input-triggered --seed 7 --out runs/cured
    """
    from ...gallery.shipped import scenario_path
    from ...quantities import in_words
    from ...reading import read_text
    from ...runs import running, store

    path = scenario_path(file)
    out = out or Path("runs") / path.stem
    former, manifest = store.made_of(out), _written(out / store.MANIFEST)
    swept = "sweep" in read_values(values) or (path.is_file() and _SWEEP.search(read_text(path)))
    # The engine needs no interpreter: what draws is loaded while it works, if it works for a while.
    loading = threading.Thread(target=_load_what_draws, daemon=True)
    with _whole_run_told_of(out, manifest), console.progress(path.stem, show=not as_json) as update:

        def progress(now, end, hops):
            if plot and not beside.STARTED and loading.ident is None:
                loading.start()
            update(now / end if end else 1.0, f"{hops / 1e6:,.1f} M packet-hops")

        options = {"out": out, "on_progress": progress, "limit_memory": limit_memory, "threads": threads}
        result = running.run(path, values=read_values(values), seed=seed, **options)
    with _whole_run_told_of(out, manifest):
        _answer(result, out, plot, as_json)
    _tell_what_is_left(result, out, *former)
    if swept:
        console.say_error(f"note: the [sweep] of {path.name} was left aside: congestree sweep runs it")
    if result.interrupted:
        reached = in_words(result.duration, "s")
        console.say_error(f"Interrupted at {reached} of simulated time; what was done until then is in {out}.")
        raise typer.Exit(ending.INTERRUPTED)
    if result.stopped:
        console.say_error(f"The run was stopped: {result.stopped}")
        raise typer.Exit(1)


@contextlib.contextmanager
def _whole_run_told_of(out, before):
    """Exit with a sentence if Ctrl-C comes when the whole run is in its folder.

    before: when the manifest of the run that was there before was written.
    """
    from ...runs import store

    try:
        yield
    except KeyboardInterrupt:
        if _written(out / store.MANIFEST) == before or not store.is_whole(out):
            raise
        console.say_error(f"Interrupted after the run had finished; its results are in {out}.")
        raise typer.Exit(ending.INTERRUPTED) from None


def _answer(result, out, plot, as_json):
    """Print what a run has found, and draw it."""
    from ...evaluation.goals import tables

    if as_json:
        drawn = _draw(result, out / "plots") if plot else []
        told = {**result.manifest, "summary": _summary(result), "results": str(out), "plots": drawn}
        del told["tables"]  # files and columns, which are as long as all the rest
        console.print_json(told | tables.values(result))
        return
    _show(result, out)
    for picture in _draw(result, out / "plots") if plot else []:
        console.say(f"plot:    {picture}")


def _summary(result):
    summary = result.arrow("summary").to_pydict()
    return {
        n: {"value": v, "unit": u} for n, v, u in zip(*(summary[c] for c in ("name", "value", "unit")), strict=True)
    }


def _tell_what_is_left(result, out, made, was):
    """Pages and pictures of another run that was in the folder before: they show that one still."""
    left = [str(path.relative_to(out)) for path, then in made.items() if _written(path) == then]
    if left and was != result.manifest["hash"]:
        console.say_error(
            f"note: {', '.join(left)} in {out} {'is' if len(left) == 1 else 'are'} of the run that was there before; "
            "delete what you do not need, or make it again"
        )


def _written(path):
    return path.stat().st_mtime_ns if path.is_file() else None


def _load_what_draws():
    for module in ("congestree.plots", "matplotlib.figure", "matplotlib.backends.backend_agg"):
        import_module(module)


def _show(result, out):
    from ...evaluation import active, losses, needless
    from ...evaluation.goals import tables
    from ...quantities import in_words

    title = result._scenario.get("name") or out.name
    rows = [(name, in_words(fact["value"], fact["unit"])) for name, fact in _summary(result).items()]
    rows += [(f"mean rate of {name}", in_words(rate, "bit/s")) for name, rate in result.class_rates().items()]
    rows += tables.completions_of_jobs(result)
    facts = result.manifest
    speed = facts["packet_hops"] / facts["wall_s"] if facts["wall_s"] else 0.0
    costs = [f"{facts['cpu_s']:.2f} s of processor time", f"{facts['parts']} parts" if facts["parts"] > 1 else ""]
    costs.append(f"peak memory {in_words(facts['peak_bytes'], 'B')}" if facts["peak_bytes"] else "")
    console.table(f"{title} (seed {result.seed})", ("measure", ">value"), rows)
    for caption, columns, rows in tables.of_run(result):
        console.say()
        if rows:
            console.table(caption, columns, rows)
        else:
            console.say(caption)
    said = active.sentences(result) + needless.sentences(result) + losses.too_short(result)
    for sentence in [*said, *facts["notes"]]:
        console.say(f"\n{sentence}")
    console.say(f"\n{facts['packet_hops']:,} packet-hops in {facts['wall_s']:.2f} s ({speed / 1e6:.1f} M/s)")
    console.say("; ".join(filter(None, costs)))
    console.say(f"results: {out}")


def _draw(result, folder):
    paths = beside.drawn(folder.parent)
    if paths is None:
        from ...plots import draw_all

        paths = draw_all(result, folder)
    return [str(path) for path in paths]
