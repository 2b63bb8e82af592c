"""`congestree doctor`: is everything there, and is it as fast as it should be?"""

from typing import Annotated

import typer

from . import console
from .options import AsJson

MARKS = {"good": "✓", "note": "·", "bad": "✗"}
IN_LETTERS = {"good": "ok", "note": "-", "bad": "BAD"}
"""The same for terminals that lack them."""


def doctor(
    bench: Annotated[bool, typer.Option(help="Measure the speed, which takes about two seconds.")] = True,
    as_json: AsJson = False,
):
    """Check the installation: what is installed, what the machine has, how fast it is, what optional parts lack.

    The exit code is 1 if something is missing that a run needs or that the package should contain.

    [bold]Examples[/bold]

      congestree doctor

      congestree doctor --no-bench --json
    """
    from .. import doctor as examine

    groups = examine.findings(bench)
    marks = MARKS if console.can_show("".join(MARKS.values())) else IN_LETTERS
    if as_json:
        console.print_json({"well": examine.is_well(groups), **groups})
    else:
        for group, found in groups.items():
            rows = [(marks[f["state"]], f["what"], f["found"], f["remedy"]) for f in found]
            console.table(group, ("", "what", "found", "what to do"), rows)
            console.say()
    if not examine.is_well(groups):
        console.say_error(f"Something is missing; see the lines with {marks['bad']}.")
        raise typer.Exit(1)
    if not as_json:
        console.say("All is well.")
