"""Options that several commands have, and what those share that do many runs: where they are done, and what an
interruption keeps."""

import contextlib
import os
from typing import Annotated

import typer

from . import console, ending


def _at_home(file):
    """The file with ~ written out. Some versions of typer ask before they tell that the file is missing (None)."""
    return file and os.path.expanduser(file)


File = Annotated[
    str,
    typer.Argument(
        help="A scenario file (TOML or JSON), or the name of a shipped one.",
        metavar="FILE",
        callback=_at_home,
    ),
]
Values = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help="Replace one value, such as links.rate='10 Gbit/s'. Repeatable."),
]
LimitMemory = Annotated[
    str,
    typer.Option(
        metavar="SIZE",
        help="Most memory it may use, such as 8GiB, or none: a run that needs more is refused before it is built.  "
        "\\[default: nine tenths of the free memory]",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]
OpenPage = Annotated[bool, typer.Option("--open", help="Open the page in the browser.")]
Workers = Annotated[int | None, typer.Option(help="Processes.  \\[default: one a core]", min=1)]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="A Dask scheduler whose workers do the runs (congestree\\[dask])."),
]


def not_stdout(out):
    """The folder or file of --out, of a command that writes no text to stdout: it made a folder "-"."""
    if out is not None and str(out) == "-":
        raise typer.BadParameter('"-" is stdout, to which this command does not write its results: name another place.')
    return out


def place(said):
    """The option --out of a command whose results are a folder or a file; `said`: its help."""
    return typer.Option("--out", "-o", help=said, show_default=False, callback=not_stdout)


def read_values(assignments):
    """The values of all --set options."""
    from ..document import read_assignment

    return dict(read_assignment(text) for text in assignments or ())


@contextlib.contextmanager
def many_runs(name, out, workers, scheduler, *, show):
    """A context for many runs whose results stay in the folder `out`: yields the function to be called with the
    progress.

    Exits with a message if both processes and a cluster are requested, or if the runs are interrupted.
    """
    if scheduler and workers:
        console.say_error(
            "--workers counts processes of this machine; with --scheduler the workers are those of the cluster."
        )
        raise typer.Exit(2)
    try:
        with console.pool_progress(name, show=show) as report:
            yield report
    except KeyboardInterrupt:
        console.say_error(f"Interrupted; what is finished is kept in {out}, and the same command goes on from there.")
        raise typer.Exit(ending.INTERRUPTED) from None
