"""`congestree serve`: a live simulation over standard input and output."""

from pathlib import Path
from typing import Annotated

import typer


def serve(
    calls: Annotated[
        Path | None, typer.Argument(help="A file of calls.  \\[default: standard input]", show_default=False)
    ] = None,
):
    """Drive a live simulation from any program: one JSON object per line in, one per line out.

    Calls are open, inject, schedule, advance, drain, observe, change and close, written as {"call": "open",
    "scenario": "live.toml"} and {"call": "advance", "until": "1 ms"}. An invalid call is answered with an
    error, and nothing has changed.

    [bold]Examples[/bold]

      congestree serve calls.jsonl
    """
    import sys

    from ... import reading
    from ...live import serving

    def write(answer):
        sys.stdout.write(answer)
        sys.stdout.flush()

    # Lines end as on standard input: `splitlines` would also split at U+2028 and others, which a text of JSON may hold.
    serving.serve(_without_mark(sys.stdin) if calls is None else reading.read_text(calls).split("\n"), write)


def _without_mark(lines):
    """Lines as they come, the first one without a byte order mark, as in a file of calls."""
    for number, line in enumerate(lines):
        yield line if number else line.removeprefix("\ufeff")
