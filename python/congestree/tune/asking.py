"""From a question in words to an answer in files: `ask` and `tune`."""

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import AskedError, there_are
from ..evaluation.goals import Goal, Limit, told_beside, waits, with_the_wait
from ..quantities import in_words
from ..runs import arguments, store, writing
from ..studies import pool
from . import deploy, fresh, pictures
from .question import QUESTION, Question, few
from .search.journal import alone, library
from .search.searching import Search
from .space import Parameter, Space, joined
from .tuning import Tuning
from .written import Written

RESULT = "result.json"


def ask(scenarios, *, space=(), parameters=(), goals, limits=(), values=None, **options):
    """A `Question` from names and texts; it is checked before anything is run.

    scenarios: one scenario, or a list, in any form that `congestree.run` takes; their [sweep] is ignored.
    space: names of `SPACES`, or `Space`s.
    parameters: texts such as "links.delay=10 ns..1 us log", or `Parameter`s.
    goals, limits: texts, as `Goal.read` and `Limit.read` take them. A single one of these needs no list.
    values: {dotted path: value}, replacing values of the scenarios; not of what varies, nor the seed.
    options: any other argument of `Question`, by name.

    Raises AskedError if the question makes no sense, ScenarioError if a scenario makes none.
    """
    from .families import SPACES

    spaces = _each("space", space, Space, functools.partial(_space, SPACES))
    own = tuple(_each("parameters", parameters, Parameter, Parameter.read))
    if own or not spaces:
        spaces.append(Space("" if spaces else "own", own))
    asked = named(scenarios, values)
    resolved = [written.resolved() for _, written in asked if any(space.needed for space in spaces)]
    question = Question(
        asked,
        joined([space.for_scenarios(resolved) for space in spaces]),
        _each("goals", goals, Goal, Goal.read),
        _each("limits", limits, Limit, Limit.read),
        **{key: READ_AS.get(key, lambda value: value)(value) for key, value in options.items()},
    )
    _refuse_in_vain(question, values)
    question.check()
    return question


def _each(what, given, kind, read):
    """What was given as `what`, one or several, as a list of objects of this kind; texts are read."""
    several = [given] if isinstance(given, kind) else arguments.listed(given, what)
    return [one if isinstance(one, kind) else read(one) for one in several]


def _space(known, name):
    if not isinstance(name, str) or name not in known:
        raise AskedError(f"There is no space {name!r:.40}; {there_are(name, list(known))}")
    return known[name]


def _seeds(given):
    """Seeds as a tuple. A number is refused: it could be one seed or, as on the command line, how many there are."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise AskedError(f"seeds is {given!r:.40}: give a list of them, such as [1, 2, 3] or range(1, 4).")
    return few(given if isinstance(given, range) else list(given))


def _varied(given):
    """What varies, as a table of lists."""
    axes = arguments.by_path(given)
    for path, values in axes.items():
        if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
            raise AskedError(f"{path} varies, and has {values!r:.40}: give a list of values, such as [a, b].")
    return {path: list(values) for path, values in axes.items()}


READ_AS = {"seeds": _seeds, "degrade": lambda given: tuple(arguments.listed(given, "degrade")), "vary": _varied}


def _refuse_in_vain(question, values):
    """Raise AskedError if a value is set that the conditions, or the seeds, replace in every run."""
    values = arguments.by_path(values)
    if "seed" in values:
        raise AskedError("seed is set, but every setting is run with each of the seeds (--seeds): leave it out.")
    for _, written in question.scenarios:
        arguments.refuse_in_vain(written.tree, values, question.vary, "the search varies")


def named(scenarios, values=None):
    """Scenarios as a list of (name, `Written`); raises ScenarioError if one makes no sense."""
    found = []
    for scenario in scenarios if isinstance(scenarios, list | tuple) else [scenarios]:
        written = Written.read(scenario, values)
        name = str(written.resolved().get("name") or f"scenario {len(found) + 1}")
        taken = [other for other, _ in found]
        found.append((name if name not in taken else f"{name} ({len(found) + 1})", written))
    return found


def tune(
    question,
    *,
    out,
    evaluations=100,
    fresh_seeds=5,
    choose=None,
    files=None,
    workers=None,
    scheduler=None,
    runs=None,
    on_progress=None,
):
    """Search, choose, compare on fresh seeds, write files; returns a `Tuning` with `chosen`, `beside` and `files`.

    out: the folder of the study; a study that was begun there is continued.
    evaluations: the number of settings tried in total.
    fresh_seeds: the number of seeds on which the chosen setting is compared with the unchanged scenario; 0: no
    comparison.
    choose: an evaluation's number, a goal's label, or None (see `Tuning.choose`).
    files: kinds of file to deploy (`deploy.FILES`); by default those of the space. They are written to out/deploy; if
    scenarios or varied values need different ones, to a folder there for each.
    workers, scheduler: as for `congestree.sweep`. runs: another folder for the runs; several studies may share it.
    on_progress: called with a `pool.Progress`.

    After Ctrl-C (KeyboardInterrupt) all finished runs are kept, and the same call continues from there. Raises
    CongestreeError if the folder belongs to another question, if a number is none or out of range, or if nothing was
    found.
    """
    library()
    evaluations = arguments.count("evaluations", evaluations)
    fresh_seeds = arguments.count("fresh seeds", fresh_seeds, 0)
    few(range(fresh_seeds))
    if workers is not None:
        workers = arguments.count("workers", workers)
    arguments.function("on_progress", on_progress)
    runs = None if runs is None else arguments.path("runs", runs)
    files = None if files is None else arguments.listed(files, "files")
    for form in files or ():
        if form not in deploy.FILES:
            raise AskedError(f"There is no kind of file {form!r} to deploy; {there_are(form, list(deploy.FILES))}")
    out = Path(arguments.path("out", out))
    store.prepare(out, QUESTION)
    with alone(out), pool.Crew() as crew:
        options = {"workers": workers, "scheduler": scheduler, "runs": runs, "on_progress": on_progress}
        search = Search(question, out, crew=crew, **options)
        search.evaluate(evaluations)
        tuning = Tuning(question, out)
        tuning.save()
        tuning.chosen = tuning.choose(choose)
        tuning.beside = fresh.compare(search.experiments, tuning.chosen["setting"], fresh_seeds) if fresh_seeds else []
        tuning.fresh_seeds = fresh_seeds
        tuning.stock = _seen(search.experiments, None, "runs as it stands").get("goals")
        tuning.notes = _notes(search.experiments, tuning.chosen["setting"])
        tuning.files = _deploy(tuning, question.space.files if files is None else files)
        tuning.pictures = _draw(tuning)
        writing.write_json(out / RESULT, writing.finite(result(tuning)))
    return tuning


def _seen(experiments, setting, what, more=()):
    """A setting, or the unchanged scenario (None), on the seeds of the search, as `Experiments.measured` has it."""
    runs = experiments.question.runs(setting)
    state = experiments.state(what, len(runs))
    return experiments.measured(runs, experiments.run(list(runs.values()), state), more)


def _notes(experiments, setting):
    """What goals and limits about latency leave out of a setting, if that is much of it."""
    asked = experiments.question.asked
    wholes = {name: with_the_wait(goal) for name, goal in asked.items()}
    more = [goal for goal in told_beside(asked.values()) if goal in wholes.values()]
    seen = _seen(experiments, setting, "runs of the choice", more) if more else {}
    notes = {}
    for name, whole in wholes.items() if "more" in seen else ():
        short, long = (seen["goals"] | seen["limits"])[name], seen["more"].get(whole and whole.label, 0.0)
        if waits(short, long):
            notes[whole] = (
                f"{asked[name].label} leaves out the wait at the source: of the choice it is "
                f"{in_words(short, 's')}, and {whole.label}, with that wait, {in_words(long, 's')}. Make that the goal "
                "if messages must not wait."
            )
    return list(notes.values())


def _deploy(tuning, forms):
    if not forms:
        return []
    values = tuning.question.space.values(tuning.chosen["setting"])
    question = tuning.question
    runs = question.runs(tuning.chosen["setting"], question.seeds[:1])
    # A slow link is a failure: files are for the network as it is.
    whole = [condition.label for condition in question.conditions if condition.slow is None]
    scenarios = {label: scenario for (label, _), scenario in runs.items() if label in whole}
    return deploy.write_all(scenarios, values, tuning.folder / "deploy", forms)


def _draw(tuning):
    drawn = {}
    figures = {"front": pictures.front(tuning, tuning.chosen, tuning.stock), "importance": pictures.importance(tuning)}
    for name, figure in figures.items():
        path = tuning.folder / f"{name}.png"
        if figure is None:
            path.unlink(missing_ok=True)
            continue
        writing.write_file(path, lambda temporary, figure=figure: figure.savefig(temporary, format="png", dpi=160))
        drawn[name] = path
    return drawn


def result(tuning):
    """All that was found, as JSON has it."""
    question = tuning.question
    return {
        "question": question.to_dict(),
        "evaluations": len(tuning.trials),
        "front": tuning.front,
        "chosen": tuning.chosen,
        "as it stands": tuning.stock,
        "fresh seeds": {
            "seeds": list(fresh.seeds(question, tuning.fresh_seeds)),
            "beside": [row.to_dict() for row in tuning.beside],
        },
        "importance": tuning.importance(),
        "notes": tuning.notes,
        "files": [written.to_dict() for written in tuning.files],
        "pictures": {name: str(path) for name, path in tuning.pictures.items()},
        "values": question.space.values(tuning.chosen["setting"]),
    }
