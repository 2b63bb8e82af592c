"""`congestree report`: a run, a study or a paper as a page to read and print."""

from pathlib import Path
from typing import Annotated

import typer

from .. import console
from ..options import OpenPage, place


def report(
    what: Annotated[
        str,
        typer.Argument(help="Folder of a run, of a study or of a reproduction, or a paper.", metavar="RUN|STUDY|PAPER"),
    ],
    out: Annotated[Path | None, place("The file to write.  \\[default: report.html in that folder]")] = None,
    open_it: OpenPage = False,
):
    """Write a page that a colleague can read: question, network, findings, the plots that matter, how to run it again.

    One HTML file without scripts; print it from a browser to get a PDF. For a paper, every figure is compared with the
    published values, and every claim has a mark that shows where it lies.

    [bold]Examples[/bold]

      congestree report runs/seen --open

      congestree report runs/hot-spot --out study.html

      congestree report hpl2002
    """
    from ... import report as reports

    folder = reports.folder_of(what)
    out = out or folder / "report.html"
    with console.waiting(f"writing the report of {what}"):
        reports.write(out, folder)
    console.say_written(out, "report: ")
    if open_it:
        console.open_page(out)
