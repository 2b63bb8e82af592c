"""`congestree view`: a finished run, or two, as a page for the browser."""

from pathlib import Path
from typing import Annotated

import typer

from ...view.limits import FEWEST_FRAMES, MOST_FRAMES
from .. import console
from ..options import OpenPage, place


def view(
    run: Annotated[Path, typer.Argument(help="Folder of a finished run.", metavar="RUN")],
    other: Annotated[
        Path | None, typer.Argument(help="Another run of the same network, to be shown beside it.", metavar="[RUN2]")
    ] = None,
    out: Annotated[Path | None, place("The file to write.  \\[default: <run>/view.html]")] = None,
    frames: Annotated[
        int | None,
        typer.Option(
            help="Largest number of instants that are shown.  \\[default: 500]", min=FEWEST_FRAMES, max=MOST_FRAMES
        ),
    ] = None,
    open_it: OpenPage = False,
):
    """Make a page of a run: its fabric, congestion trees and links over time, in one file that works from disk.

    The run should have recorded congestion trees and links: probes "trees" and "ports", and "flows" for rates of
    flows. Two runs of the same network share one slider, and colours can show their differences.

    [bold]Examples[/bold]

      congestree run hot-spot --set 'measure.probes=["trees", "ports", "flows"]' --out runs/seen

      congestree view runs/seen --open

      congestree run hot-spot --set 'measure.probes=["trees", "ports"]' --set scheme.preset=naive --out runs/with

      congestree view runs/seen runs/with --out both.html
    """
    from ... import view as viewer
    from ...runs.results import Run

    runs = [Run.load(folder) for folder in (run, other) if folder is not None]
    out = out or run / "view.html"
    with console.progress("view") as report:
        viewer.write(out, *runs, frames=frames, on_progress=report)
    console.say_written(out, "view: ", f" ({out.stat().st_size / 1e6:.1f} MB)")
    if open_it:
        console.open_page(out)
