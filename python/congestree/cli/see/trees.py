"""`congestree explain` and `congestree plot`: the congestion that a run recorded, in words and pictures."""

from pathlib import Path
from typing import Annotated

import typer

from .. import console
from ..options import AsJson, place

Folder = Annotated[Path, typer.Argument(help="Folder of a finished run.", metavar="RUN")]


def explain(run: Folder, as_json: AsJson = False):
    """Describe in a few sentences which links failed, where packets were lost or trimmed, which ports a storm paused,
    where congestion was, which flows caused it and which suffered.

    For congestion the run must have recorded congestion trees: probe "trees" in measure.probes, as often as
    measure.sampling_interval says. Failed links (links.faults), losses and pause storms are described for any run, and
    what a watchdog did with the probe "pauses".

    [bold]Examples[/bold]

      congestree run hot-spot --set 'measure.probes=["trees"]' --set 'measure.sampling_interval="1 ms"' --out runs/seen

      congestree explain runs/seen
    """
    from ...evaluation import faults, losses, pauses, trees
    from ...runs.results import Run

    with console.waiting(f"reading {run}"):
        result = Run.load(run)
        failed, lost = faults.rows(result), losses.rows(result)
        stormy = pauses.sentences(result)
        looked = not (failed or lost or stormy) or "trees" in result.tables
        if as_json:
            parts = {"faults": failed, "losses": lost, "watchdog": pauses.watchdog(result)}
            told = {name: found for name, found in parts.items() if found}
            told |= trees.summary(result) if looked else {}
        else:
            said = faults.sentences(result) + losses.sentences(result) + stormy
            said += trees.explain(result) if looked else []
    if as_json:
        console.print_json(told)
        return
    if result.stopped:
        console.paragraph(f"The run ended before its time: {result.stopped}.")
    for sentence in said:
        console.paragraph(sentence)


def plot(
    run: Folder,
    tree: Annotated[
        bool, typer.Option("--tree", help="Draw the congestion trees on the fabric, instead of all that was recorded.")
    ] = False,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="When, such as '3 ms', with --tree.  \\[default: when the trees held most links]"
        ),
    ] = None,
    animate: Annotated[
        bool, typer.Option("--animate", help="With --tree: all of the run as an animation, GIF or MP4 by --out.")
    ] = False,
    out: Annotated[Path | None, place("A folder, or with --tree a file.  \\[default: <run>/plots]")] = None,
):
    """Draw a finished run: everything that was recorded, or its congestion trees on the fabric.

    [bold]Examples[/bold]

      congestree plot runs/seen

      congestree plot runs/seen --tree --at '3 ms'

      congestree plot runs/seen --tree --animate --out trees.gif
    """
    from ... import plots
    from ...plots import drawing
    from ...runs import store
    from ...runs.results import Run

    if not tree and (at or animate):
        console.say_error(f"{'--at' if at else '--animate'} is about congestion trees: add --tree.")
        raise typer.Exit(2)
    if at and animate:
        console.say_error("--at shows one instant and --animate all of them: leave one out.")
        raise typer.Exit(2)
    if animate and out is not None and out.suffix not in (".gif", ".mp4"):
        console.say_error(f"{out.name} should end in .gif or .mp4, which says what kind of animation it is.")
        raise typer.Exit(2)
    result = Run.load(run)
    if not tree:
        with console.waiting(f"drawing {run}"):
            paths = plots.draw_all(result, out or run / "plots")
        for path in paths:
            console.say(f"plot: {path}")
        return
    if out is None:
        out = run / "plots" / ("trees.gif" if animate else "tree.png")
        store.prepare(out.parent)
    if animate:
        with console.progress("animation") as update:
            drawing.animate_trees(result, out, on_progress=update)
    else:
        with console.waiting(f"drawing the fabric of {run}"):
            _draw_trees(result, at, out)
    console.say_written(out, "plot: ")


def _draw_trees(result, at, out):
    from ...plots import drawing
    from ...runs import writing

    figure = drawing.draw_trees(result, at)
    kind = out.suffix.removeprefix(".") or "png"
    if kind not in figure.canvas.get_supported_filetypes():
        console.say_error(f"{out.name} is not a kind of picture that can be written; end it in .png, .pdf or .svg.")
        raise typer.Exit(2)
    writing.write_file(out, lambda temporary: figure.savefig(temporary, format=kind))
