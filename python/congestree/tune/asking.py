"""From a question in words to an answer in files: `ask` and `tune`."""

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
READ_AS = {"seeds": few, "degrade": tuple}


def ask(scenarios, *, space=(), parameters=(), goals, limits=(), values=None, **options):
    """A `Question` from names and texts; it is checked before anything is run.

    scenarios: one scenario, or a list, in any form that `congestree.run` takes; their [sweep] is ignored.
    space: names of `SPACES`, or `Space`s.
    parameters: texts such as "links.delay=10 ns..1 us log", or `Parameter`s.
    goals, limits: texts, as `Goal.read` and `Limit.read` take them.
    values: {dotted path: value}, replacing values of the scenarios; not of what varies, nor the seed.
    options: any other argument of `Question`, by name.

    Raises AskedError if the question makes no sense, ScenarioError if a scenario makes none.
    """
    from .families import SPACES

    spaces = []
    for wanted in [space] if isinstance(space, str | Space) else space:
        if isinstance(wanted, str) and wanted not in SPACES:
            raise AskedError(f"There is no space {wanted!r}; {there_are(wanted, list(SPACES))}")
        spaces.append(SPACES[wanted] if isinstance(wanted, str) else wanted)
    own = tuple(p if isinstance(p, Parameter) else Parameter.read(p) for p in parameters)
    if own or not spaces:
        spaces.append(Space("" if spaces else "own", own))
    asked = named(scenarios, values)
    resolved = [written.resolved() for _, written in asked if any(space.needed for space in spaces)]
    question = Question(
        asked,
        joined([space.for_scenarios(resolved) for space in spaces]),
        [g if isinstance(g, Goal) else Goal.read(g) for g in ([goals] if isinstance(goals, str) else goals)],
        [c if isinstance(c, Limit) else Limit.read(c) for c in ([limits] if isinstance(limits, str) else limits)],
        **{key: READ_AS.get(key, lambda value: value)(value) for key, value in options.items()},
    )
    _refuse_in_vain(question, values)
    question.check()
    return question


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
    files = None if files is None else arguments.listed(files)
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
