"""`congestree tune`: search for settings that meet goals, compare them on fresh seeds, and write them as files."""

import math
from pathlib import Path
from typing import Annotated

import typer

from .. import console
from ..options import AsJson, Scheduler, Values, Workers, many_runs, place, read_values

Texts = list[str] | None


def tune(
    files: Annotated[
        list[str],
        typer.Argument(
            help="Scenario files, or names of shipped ones; a setting must do well in all of them.", metavar="FILE..."
        ),
    ],
    goal: Annotated[
        Texts,
        typer.Option(
            metavar="MEASURE[:OF]",
            help="A measure to optimise, such as rate:victim or slowdown-p99 (see: congestree list measures). "
            "Repeatable: several give a Pareto front.",
        ),
    ] = None,
    space: Annotated[
        Texts,
        typer.Option(
            metavar="NAME", help="A named set of parameters: ib-cc, mlx5 ... (see: congestree list spaces). Repeatable."
        ),
    ] = None,
    param: Annotated[
        Texts,
        typer.Option(
            metavar="PATH=RANGE",
            help="Any key of the scenario: LOW..HIGH, with `by STEP` (counted from LOW) and `log` behind it, or "
            "\\[a, b, c]. Repeatable.",
        ),
    ] = None,
    limit: Annotated[
        Texts,
        typer.Option(
            metavar="LIMIT",
            help="A condition that a setting must meet, such as 'rate:storage >= 10 Gbit/s'. Repeatable.",
        ),
    ] = None,
    evaluations: Annotated[int, typer.Option("--evaluations", "-n", help="How many settings to try.", min=1)] = 100,
    seeds: Annotated[int, typer.Option(help="Runs of every setting, with the seeds 1, 2, ...", min=1)] = 1,
    vary: Annotated[
        Texts,
        typer.Option(metavar="PATH=LIST", help="Try every setting at each of these values, such as loads. Repeatable."),
    ] = None,
    degrade: Annotated[
        Texts,
        typer.Option(
            metavar="LINK=RATE",
            help="Try every setting with this link slow, too: S1->S2=10 Gbit/s; of parallel links with all of them, or "
            "with one: 'S1->S2 (2)=10 Gbit/s'.",
        ),
    ] = None,
    over: Annotated[str, typer.Option(help="How several conditions are combined: mean or worst.")] = "mean",
    stop_early: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Abandon a setting after this share of its runs if it is worse in every goal than half of the others "
            "that keep the limits.",
        ),
    ] = None,
    choose: Annotated[
        str | None, typer.Option(metavar="WHICH", help="The number of an evaluation, or the goal that counts most.")
    ] = None,
    fresh: Annotated[
        int,
        typer.Option(
            help="Number of unused seeds on which the choice is compared with the scenario as it stands.", min=0
        ),
    ] = 5,
    deploy: Annotated[
        Texts,
        typer.Option(metavar="KIND", help="Files to write: opensm, ccmgr, mlx5, sonic.  \\[default: the space's]"),
    ] = None,
    sampler: Annotated[str, typer.Option(help="Algorithm that proposes settings: tpe, nsga2 or random.")] = "tpe",
    chance: Annotated[int, typer.Option(metavar="SEED", help="Seed of the sampler.", min=0)] = 0,
    batch: Annotated[int, typer.Option(help="Settings proposed at a time.", min=1)] = 4,
    out: Annotated[
        Path | None, place("Folder of the study.  \\[default: runs/<name of the first file>-tuning]")
    ] = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    values: Values = None,
    as_json: AsJson = False,
):
    """Search the best congestion control settings for one or several goals, and write them as files to deploy.

    Settings are evaluated on the scenario until --evaluations is reached; the same command resumes after an interruption
    and repeats nothing. At the end the folder has the front as a picture, the importance of parameters, the choice
    beside the scenario as it stands on fresh seeds, and files for subnet managers, adapters or switches, written only
    if they read back as what was simulated.

    [bold]Examples[/bold]

      congestree tune llnl-grid --space ib-cc --goal 'rate:F1 victim' --goal use:H5 -n 8

      congestree tune my-roce-fabric.toml --space mlx5 --space wred --goal slowdown-p99 --seeds 3 --stop-early 0.3 -n 8

      congestree tune my-fabric.toml --space ib-cc --goal rate:rest --limit 'rate:storage >= 2 Gbit/s' --over worst --degrade 'leaf1->spine1=25 Gbit/s' -n 8

      congestree tune test-bed --param 'adapters.window=1..16' --goal 'rate:F1 victim' -n 12
    """  # noqa: E501 (a command)
    from ...document import read_assignment
    from ...errors import AskedError
    from ...gallery.shipped import scenario_path
    from ...tune import asking

    paths = [scenario_path(file) for file in files]
    out = out or Path("runs") / f"{paths[0].stem}-tuning"
    varied = dict(read_assignment(text) for text in vary or ())
    for path, listed in varied.items():
        if not isinstance(listed, list):
            raise AskedError(f"{path} varies over {listed!r}: write a list, such as --vary '{path}=[0.3, 0.6]'.")
    question = asking.ask(
        paths,
        space=space or (),
        parameters=param or (),
        goals=goal or (),
        limits=limit or (),
        values=read_values(values),
        seeds=range(1, seeds + 1),
        vary=varied,
        degrade=degrade or (),
        over=over,
        sampler=sampler,
        chance=chance,
        batch=batch,
        stop_early=stop_early,
    )
    with many_runs(paths[0].stem, out, workers, scheduler, show=not as_json) as report:
        made = asking.tune(
            question,
            out=out,
            evaluations=evaluations,
            fresh_seeds=fresh,
            choose=choose,
            files=deploy,
            workers=workers,
            scheduler=scheduler,
            on_progress=report,
        )
    if as_json:
        console.print_json({**asking.result(made), "results": str(out)})
    else:
        _show(made, evaluations)


# Rows of the front that are shown on a terminal.
MOST_ROWS = 20


def _show(made, evaluations):
    question = made.question
    front = made.front
    labels = list(question.asked)
    rows = []
    for trial in front[:MOST_ROWS]:
        values = trial["limits"] | trial["goals"]
        cells = [_value(question, label, values[label]) for label in labels]
        mark = "*" if trial["number"] == made.chosen["number"] else ""
        rows.append((f"{trial['number']}{mark}", *cells))
    what = "the best" if len(question.goals) == 1 else f"the front: {len(front)} that no other beats"
    tried = made.trials
    console.table(f"{len(tried)} settings tried, {what}", ("evaluation", *(f">{label}" for label in labels)), rows)
    failed = [t for t in tried if t["why"] and not t["early"]]
    early = sum(t["early"] for t in tried)
    if early or failed:
        parts = [f"{early} were given up early"] if early else []
        parts += [f"{len(failed)} failed, the last because: {failed[-1]['why']}"] if failed else []
        console.say(console.plain("; ".join(parts)))
    if len(tried) < evaluations:
        console.say(f"There are no more than {len(tried)} settings to try.")
    console.say()
    chosen = made.chosen["setting"]
    console.table(
        f"Chosen: evaluation {made.chosen['number']}",
        ("parameter", ">value", "range"),
        [(p.name, chosen[p.name], p.in_words()) for p in question.space.parameters],
    )
    _show_standing(made, question)
    _show_importance(made)
    _show_fresh(made)
    _show_files(made)


def _show_standing(made, question):
    """Whether the choice keeps the limits (any can be named), what it has in common with others, what goals miss."""
    if not made.chosen["kept"]:
        missed = [c for c in question.limits if c.missed(made.chosen["limits"][question.name_of(c)]) > 0]
        console.say(console.plain(f"It does not keep the limits: {', '.join(map(str, missed))}."))
    if more := len(made.alike(made.chosen)):
        console.say(f"{more} other{'s' * (more > 1)} did just as well in every goal.")
    for note in made.notes:
        console.say(console.plain(note))


def _show_importance(made):
    found = made.importance()
    if found:
        console.say()
        names = [p.name for p in made.question.space.parameters]
        rows = [(name, *(f"{shares.get(name, 0.0):.0%}" for shares in found.values())) for name in names]
        rows.sort(key=lambda row: -max(shares.get(row[0], 0.0) for shares in found.values()))
        aside = ", limits aside" if made.question.limits else ""
        aside += ", of those run to their end" if any(t["early"] for t in made.trials) else ""
        console.table(
            f"What matters for being among the best tenth{aside}", ("parameter", *(f">{g}" for g in found)), rows
        )


def _show_fresh(made):
    if not made.beside:
        return
    console.say()
    rows = []
    for row in made.beside:
        cells = (_spread(row.unit, pair) for pair in (row.stock, row.chosen, row.change))
        said = {True: "better", False: "worse", None: "" if row.why else "no difference to be sure of"}[row.better]
        rows.append((row.label, *cells, said))
    seeds = made.fresh_seeds
    title = (
        f"On {seeds} fresh seeds: mean and 95 % interval" if seeds > 1 else "On one fresh seed, which has no interval"
    )
    console.table(title, ("measure", ">as it stands", ">chosen", ">difference", ""), rows)
    if why := made.beside[0].why:
        console.say(console.plain(f"As it stands it could not be measured: {why}"))


def _show_files(made):
    from ...tune.deploy import uncovered

    console.say()
    told = set()
    for written in made.files:
        if written.path:
            console.say(f"deploy:  {written.path}")
            for note in written.notes:
                if note not in told:  # files of several switches have much in common
                    console.say_error(console.plain(f"note: {note}"))
            told |= {*written.notes}
        else:
            whose = f" for {', '.join(written.switches)}" if written.switches else ""
            console.say_error(console.plain(f"No {written.form} file is written{whose}: {'; '.join(written.refused)}"))
    values = made.question.space.values(made.chosen["setting"])
    left = [p for p in uncovered(values, [w.form for w in made.files]) if values[p] is not None]
    if left:
        console.say_error(f"note: no file holds {', '.join(left)}; they are in result.json")
    for path in made.pictures.values():
        console.say(f"plot:    {path}")
    console.say(f"results: {made.folder / 'result.json'}")


def _value(question, label, value):
    return _in_words(value, question.asked[label].unit)


def _in_words(value, unit):
    from ...quantities import in_words

    if not unit and abs(value) <= 1.0:
        return f"{value:.4g}"
    return in_words(value, unit)


def _spread(unit, pair):
    mean, half = pair
    if math.isnan(mean):
        return "–"
    sign = "-" if mean < 0 else ""
    text = sign + _in_words(abs(mean), unit)
    return text if math.isnan(half) else f"{text} ± {_in_words(half, unit)}"
