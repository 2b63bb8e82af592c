"""`congestree goal`: programs of applications as GOAL files, VEF traces and tables of operations."""

from pathlib import Path
from typing import Annotated

import typer

from .. import console
from ..options import AsJson, File, Values, not_stdout, read_values

ENDINGS = (".goal", ".bin", ".csv", ".parquet")


def _known_ending(out):
    """The file of --out, if it is of a kind that is written: it is told before a long trace is read."""
    if out is not None and out.suffix not in ENDINGS and not console.is_stdout(out):
        raise typer.BadParameter(f"{out} has no known ending: write {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}.")
    return out


Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="File to write: .goal, .bin (binary GOAL), .csv or .parquet.",
        callback=_known_ending,
    ),
]


def read(
    file: Annotated[
        Path,
        typer.Argument(help="A GOAL file (text or binary), a VEF trace, or a table (.csv, .parquet).", metavar="FILE"),
    ],
    out: Out = None,
    as_json: AsJson = False,
):
    """Read the program of an application, summarise it, and write it in another format.

    It is executed without a network: a program that does not finish there never finishes, unless some rank takes
    messages from any source.

    [bold]Examples[/bold]

      congestree goal read trace.goal

      congestree goal read trace.goal -o trace.parquet

      congestree goal read sweep.vef -o sweep.goal
    """
    from ...applications import jobs

    not_stdout(out)
    with console.waiting(f"reading {file}"):
        frame, facts = jobs.read_whole(file)
    if out is not None:
        jobs.write(frame, out, ranks=facts["ranks"])
    if as_json and not console.is_stdout(out):
        console.print_json({**facts, "file": str(file), "written": out and str(out)})
    elif not console.is_stdout(out):
        _show(file, facts)
        if out is not None:
            console.say(f"\nwrote {out}")
    if facts["never_finished"]:
        said = "; ".join(facts["waiting"])
        count = facts["never_finished"]
        console.say_error(f"{count} {'operation never finishes' if count == 1 else 'operations never finish'}: {said}.")
        raise typer.Exit(1)


def write(
    file: File,
    job: Annotated[str | None, typer.Option(help="The traffic entry, if several have a program.")] = None,
    out: Out = None,
    values: Values = None,
):
    """Write the program of an application of a scenario. Without --out: as GOAL text to stdout.

    All rounds of a job with `repeat` are written, one after another. When the job starts, where its ranks are and which
    of them are stragglers is not part of a program. GOAL has computations of whole nanoseconds; tables (.csv, .parquet)
    have their exact lengths.

    [bold]Examples[/bold]

      congestree goal write training.toml --job all-reduce -o all-reduce.goal
    """
    from ...applications import scenarios
    from ...gallery.shipped import scenario_path

    _write(*scenarios.program(scenario_path(file), job, read_values(values)), out)


def make(
    program: Annotated[str, typer.Argument(help="A program such as all-reduce-ring: congestree list parts.")],
    ranks: Annotated[int, typer.Option(help="Number of ranks.", min=1)],
    out: Out = None,
    values: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A parameter: bytes='1 MiB'. Repeatable.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed, for programs that draw.", min=0)] = 1,
):
    """Make the program of a collective operation or a benchmark. Without --out: as GOAL text to stdout.

    [bold]Examples[/bold]

      congestree goal make all-reduce-ring --ranks 16 --set bytes='1 MiB' -o ring.goal

      congestree goal make barrier --ranks 5
    """
    from ...applications import scenarios

    _write(*scenarios.made(program, ranks, seed, read_values(values)), out)


def _write(text, exact, out):
    from ...applications import jobs, lengths

    if out is None or console.is_stdout(out):
        lengths.tell_rounded(exact)
        console.give(text, "-")
        return
    frame, facts = lengths.restored(*jobs.parse(text), exact)
    jobs.write(frame, out, ranks=facts["ranks"])
    console.say_written(out)


def _show(file, facts):
    from ...quantities import in_words

    size = {"bytes", "largest_message", "most_bytes_of_a_rank"}
    rows = [
        (name.removesuffix("_s").replace("_", " "), in_words(value, "B" if name in size else ""))
        for name, value in facts.items()
        if name not in ("waiting", "computing_s")
    ]
    rows.append(("computing, all ranks", in_words(facts["computing_s"], "s")))
    console.table(str(file), ("what", ">value"), rows)
