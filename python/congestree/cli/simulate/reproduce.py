"""`congestree reproduce`: a paper of the gallery, or some of its figures, again."""

from pathlib import Path
from typing import Annotated

import typer

from .. import console
from ..options import AsJson, Scheduler, Workers, many_runs, place


def reproduce(
    target: Annotated[
        str,
        typer.Argument(
            metavar="PAPER",
            help="Such as hpl2002, hpl2002/fig2 or hpl2002/fig2,fig3; all for the whole gallery.",
        ),
    ],
    out: Annotated[
        Path | None,
        place(
            "Folder for claims, figures and runs; with all, a folder for each paper in it.  "
            "\\[default: runs/<paper>, or runs]"
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A reduced version: fewer seeds, shorter runs.")] = False,
    finished: Annotated[
        bool, typer.Option("--finished", help="Run nothing: judge and draw the finished runs in the folder.")
    ] = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
    as_json: AsJson = False,
):
    """Reproduce a paper: run its experiments, draw its figures, and judge every claim.

    Finished runs in the folder are not repeated.

    [bold]Examples[/bold]

      congestree reproduce hpl2002/fig2,fig3

      congestree reproduce ecn2002 --quick --out runs/ecn

      congestree reproduce all --scheduler tcp://node1:8786 --out /shared/gallery
    """
    from ...gallery import shipped

    def one(target, out):
        return _reproduce(target, out, quick, finished, workers, scheduler, as_json)

    if target != "all":
        made = one(target, out)
        if as_json:
            console.print_json(_plain(made))
        raise typer.Exit(1 if made.missing else 0)
    home, done = out or Path("runs"), {}
    for paper in shipped.papers():
        done[paper] = one(paper, home / (f"{paper}-quick" if quick else paper))
    if as_json:
        console.print_json({paper: _plain(made) for paper, made in done.items()})
    else:
        rows = [(paper, len(made.claims), _counts(made)) for paper, made in done.items()]
        console.table("The gallery", ("paper", "claims", "verdicts"), rows)
    raise typer.Exit(1 if any(made.missing for made in done.values()) else 0)


def _plain(made):
    """The outcome, for JSON."""
    figures = {name: str(path) for name, path in made.figures.items()}
    told = {"claims": made.claims, "figures": figures, "verdicts": made.verdicts, "results": str(made.folder)}
    return {**told, **made.counts}


def _counts(made):
    return ", ".join(f"{n} {verdict}" for verdict, n in made.verdicts.items())


def _reproduce(target, out, quick, finished, workers, scheduler, as_json):
    """One paper, or some of its figures; the outcome in words, unless JSON is requested."""
    from ... import gallery
    from ...gallery.done import missing

    paper, slash, names = target.partition("/")
    figures = [name.strip() for name in names.split(",") if name.strip()]
    if slash and not figures:
        console.say_error(f'"{target}" names no figure behind the slash: write {paper}/FIGURE, or {paper} for all.')
        raise typer.Exit(2)
    out = out or Path("runs") / (f"{paper}-quick" if quick else paper)
    with many_runs(target, out, workers, scheduler, show=not as_json) as report:
        options = {"workers": workers, "scheduler": scheduler, "on_progress": report}
        made = gallery.reproduce(paper, figures, out=out, quick=quick, finished=finished, **options)
    if as_json:
        return made
    if made.claims:
        _show_claims(made)
    if quick and made.claims:
        console.say("This is the reduced version: claims that need long runs can come out otherwise in the full one.")
    if told := missing(made.counts):
        console.say(told)
    console.say(f"{made.runs} runs, {made.resumed} of them finished before{', none made now' if finished else ''}")
    console.say(f"claims:  {out / 'claims.json'}")
    for path in made.figures.values():
        console.say(f"plot:    {path}")
    for name, why in made.missing.items():
        console.say_error(f"{name} was not drawn: {why}")
    return made


def _show_claims(made):
    from ...gallery import here, value_in_words

    rows = []
    for claim in made.claims:
        rows.append((claim["id"], value_in_words(claim["target"], 3), here(claim, 3), claim["verdict"]))
    console.table(f"Claims of {made.paper}", ("claim", "paper", "here", "verdict"), rows)
    for claim in made.claims:
        if claim["verdict"] in ("not reproduced", "undecided"):
            console.paragraph(f"\n{claim['id']}: {claim['reason']}")
    console.say(f"\n{len(rows)} claims: {_counts(made)} (details: {made.folder / 'claims.md'})")
