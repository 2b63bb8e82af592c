"""`congestree job`: jobs of training and inference: their traces, and jobs made from a short description."""

from pathlib import Path
from typing import Annotated

import typer

from . import console
from .run import AsJson


def info(
    traces: Annotated[
        list[Path], typer.Argument(help="Chakra traces (.et, .et.gz, .json), or folders of them.", metavar="TRACE...")
    ],
    as_json: AsJson = False,
):
    """Say what is in execution traces: nodes by type, dependencies, bytes, collectives, ranks.

    A trace that is cut, nodes that wait for each other in a circle, and messages that nobody receives are told on
    stderr, and the exit code is 1; what could be read is told all the same. With --json: an object for one trace, a
    list for several.

    [bold]Examples[/bold]

      congestree job info trace.0.et

      congestree job info traces/ --json
    """
    from .. import traces as chakra

    found, troubles, remarks = chakra.info(traces)
    if as_json:
        told = [{**trace, "troubles": troubles} for trace in found] if troubles else found
        console.print_json(told[0] if len(told) == 1 else told)
    else:
        _show(found)
    if remarks:
        console.say_error("\n\n".join(remarks))
    if troubles:
        console.say_error("\n\n".join(troubles))
        raise typer.Exit(1)


_SIZES = ("bytes", "send_bytes", "recv_bytes", "coll_bytes")


def _show(traces):
    """One trace as a list of facts, several as a row each and their sum."""
    from ..quantities import in_words

    first, *more = traces
    if not more:
        rows = [
            (name.replace("_", " "), in_words(value, "B") if name in _SIZES else value)
            for name, value in first.items()
            if value not in ("", None) and name != "file"
        ]
        console.table(first["file"], ("what", ">value"), rows)
        return
    columns = ("nodes", "comp", "comm_send", "comm_recv", "comm_coll", "send_bytes", "coll_bytes", "dangling_deps")
    rows = [
        [Path(trace["file"]).name, *(_cell(name, trace[name]) for name in columns)] for trace in traces[:_MOST_ROWS]
    ]
    if len(traces) > _MOST_ROWS:
        rows.append([f"and {len(traces) - _MOST_ROWS} more", *("" for _ in columns)])
    rows.append(["all", *(_cell(name, sum(trace[name] for trace in traces)) for name in columns)])
    heads = (">" + name.replace("_", " ") for name in columns)
    console.table(f"{len(traces)} traces, {first['ranks']} ranks", ("trace", *heads), rows)


_MOST_ROWS = 64


def _cell(name, value):
    from ..quantities import in_words

    return in_words(value, "B") if name in _SIZES else f"{value:,}"
