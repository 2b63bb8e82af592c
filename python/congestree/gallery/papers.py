"""The gallery runner: reproduces a whole paper, or one of its figures.

A paper is a folder of the gallery (named as the paper, with `_` for `-`) with three modules:

    runs.py     runs(quick: bool) -> {name: scenario}           the runs, by name
    claims.py   claims(results) -> [claim, ...]                 what the paper says and what came out
    figures.py  FIGURES: {figure: function(results) -> Figure}
                NEEDS: {figure: [beginnings of run names]}      the runs that a figure is drawn from
                PLACES: {figure: [published.At, ...]}           where published numbers stand in its axes
                OF_CLAIMS: [figure, ...]                        those drawn from `results.claims` alone

There is a fourth, `searches.py`, if what is run depends on earlier results:

    searches(quick: bool) -> {name: function(task)}             answers in values that JSON has; `task` is a `Task`

`results[name]` is a `Run`, `results.answers[name]` the answer of a search.

A claim is a dict with `id`, `value`, `unit`, `target`, `verdict` (one of VERDICTS), `reason`, `decides` (the
comparison that decides, in words), `seeds` (the value of each repetition) and `note` (the part of the reason that
concerns this value alone). `claims` omits claims whose runs are not among the results.

The output folder gets `claims.json`, `claims.md`, `reproduced.json`, `figures/*.png` and `runs/<name>-<hash>/`;
runs that are already finished there are not repeated.
"""

import contextlib
import functools
import importlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import AskedError, CongestreeError
from ..runs import arguments, locking, store, writing
from ..runs.results import Run, scenario_hash
from ..runs.running import check
from ..studies import pool
from . import done, published, shipped, statements
from .shipped import module, texts_of

VERDICTS = (
    "reproduced",
    "not reproduced",
    "undecided",
    "cannot fail here",
    "measured",
    "analytic",
    "external",
    "not run",
)
REDUCED = "Drawn from the reduced version: fewer repetitions, shorter runs."
OTHERS = (
    "Drawn from the reduced version; the values here are those of the claims, which may be of more and longer runs."
)
CLAIM_KEYS = ("id", "value", "unit", "target", "verdict", "reason", "decides", "seeds", "note")


class Results(Mapping):
    """Runs by name, opened when they are used; the answers of searches; the claims, for figures of them.

    whole: these are all runs of the paper, not only those of some figures, or those that are finished.
    """

    def __init__(self, folders, answers=None, claims=(), whole=True):
        self._folders = folders
        self._open = {}
        self.answers = answers or {}
        self.claims = claims
        self.whole = whole

    def __getitem__(self, name):
        if name not in self._open:
            self._open[name] = Run.load(self._folders[name])
        return self._open[name]

    def __iter__(self):
        return iter(self._folders)

    def __len__(self):
        return len(self._folders)


@dataclass(frozen=True)
class Task:
    """What a search of a paper needs: a folder for its studies, and how to run (`options` of
    `tune.search.experiments.Experiments`)."""

    folder: Path
    options: dict

    def home(self, name):
        """The folder of a study by name."""
        store.prepare(self.folder / name)
        return self.folder / name


@dataclass
class Reproduction:
    """What `reproduce` has made."""

    paper: str
    folder: Path
    claims: list[dict]
    figures: dict[str, Path]
    resumed: int = 0
    runs: int = 0
    counts: dict = field(default_factory=dict)  # of `done.counted`
    missing: dict[str, str] = field(default_factory=dict)  # figure -> why it could not be drawn
    misplaced: dict[str, dict] = field(default_factory=dict)  # figure -> published numbers that it has no place for

    @property
    def verdicts(self):
        """How many claims have each verdict."""
        return {v: n for v in VERDICTS if (n := sum(c["verdict"] == v for c in self.claims))}


def describe(paper):
    """Name, first line of the description, and figures of a paper."""
    figures = module(paper, "figures")
    return {"name": paper, "summary": summary(paper), "figures": list(figures.FIGURES) if figures else []}


def summary(paper):
    """First line of the description of a paper; what draws and judges its figures is not loaded."""
    package = importlib.import_module(f"congestree.data.gallery.{shipped.papers()[paper].name}")
    return (package.__doc__ or "").strip().split("\n")[0]


def chosen_figures(paper, wanted):
    """Names of the figures that `wanted` means: "fig2" is fig2 itself, or fig2a, fig2b ..."""
    drawings = module(paper, "figures")
    figures = dict(drawings.FIGURES) if drawings else {}
    if not wanted:
        return figures
    chosen = {}
    for word in wanted:
        matches = {n: f for n, f in figures.items() if n == word} or {
            n: f for n, f in figures.items() if n.startswith(word) and not n[len(word)].isdigit()
        }
        if not matches:
            raise AskedError(f'{paper} has no figure "{word}"; it has {", ".join(figures) or "none"}.')
        chosen |= matches
    return {name: figure for name, figure in figures.items() if name in chosen}


def chosen_runs(paper, figures, wanted, quick):
    """The runs to do: all of them, or those that the requested figures need."""
    runs = module(paper, "runs").runs(quick)
    if not wanted:
        return runs
    needs = getattr(module(paper, "figures"), "NEEDS", {})
    beginnings = tuple(b for name in figures for b in needs.get(name, [""]))
    return {name: scenario for name, scenario in runs.items() if name.startswith(beginnings)}


def run_folder(out, name, hashed):
    """Where the run of this name and hash is, in the folder of a reproduction."""
    return Path(out) / "runs" / f"{name}-{hashed[:8]}"


def _folders(out, hashes):
    """The folders of runs whose hashes are given by name: {hash: folder}, {name: folder}.

    Equal runs of a paper have one folder: that of the first that is finished already, else that of the first name.
    """
    known = {}
    for name, hashed in hashes.items():
        folder = run_folder(out, name, hashed)
        if hashed not in known or (store.is_finished(folder) and not store.is_finished(known[hashed])):
            known[hashed] = folder
    return known, {name: known[hashed] for name, hashed in hashes.items()}


def _alone(reproduce):
    """One command at a time in a folder; several may share it on a cluster; a command that only judges never waits."""

    @functools.wraps(reproduce)
    def guarded(paper, figures=(), *, out, finished=False, scheduler=None, **options):
        chosen_figures(paper, figures)
        store.keep_apart(out, "claims.json")
        store.prepare(Path(out) / "figures")
        with contextlib.nullcontext() if scheduler or finished else locking.alone(out):
            return reproduce(paper, figures, out=out, finished=finished, scheduler=scheduler, **options)

    return guarded


@_alone
def reproduce(paper, figures=(), *, out, quick=False, finished=False, workers=None, scheduler=None, on_progress=None):
    """Run a paper (or only what some of its figures need), draw its figures, judge its claims.

    paper: a folder of the gallery; figures: names such as "fig2"; out: the folder to write to.
    quick: the reduced version that the tests run. finished: run nothing, only judge and draw what is there already, and
    say of how many of the runs that is.
    workers: processes of this machine; scheduler: the address of a Dask scheduler whose workers do the runs instead.
    on_progress: called with a `pool.Progress`.
    """
    out = Path(arguments.path("out", out))
    drawings = chosen_figures(paper, figures)
    runs = chosen_runs(paper, drawings, figures, quick)
    resolved = _resolved(runs, on_progress)
    known, folders = _folders(out, {name: scenario_hash(scenario) for name, scenario in resolved.items()})
    jobs = [pool.Job(scenario, folders[name], name) for name, scenario in resolved.items()]
    if finished:
        progress, missing = pool.begin(jobs)
        folders = {name: folder for name, folder in folders.items() if folder not in {job.folder for job in missing}}
    else:
        progress = _do(jobs, out, workers, scheduler, on_progress)
        pool.refuse_failures(progress)
    with pool.Crew() as crew:
        options = {"known": known, "runs": out / "searches" / "runs", "workers": workers, "crew": crew}
        answers = _answers(
            paper, drawings if figures else None, quick, out, finished, {**options, "on_progress": on_progress}
        )
    counts = done.counted(runs, folders)
    results = Results(folders, answers, whole=not figures and counts["whole"])
    made = Reproduction(paper, out, [], {}, resumed=progress.resumed, runs=progress.total, counts=counts)
    judge = module(paper, "claims")
    claims = results.claims = [tidy(claim) for claim in judge.claims(results)] if judge else []
    made.claims = [claim for claim in claims if not figures or _concerns(claim, drawings)]
    told, _ = statements.by_figure(paper, claims, drawings)
    note = "\n".join([REDUCED] * quick + [done.missing(counts)])
    for name, draw in drawings.items():
        try:
            made.figures[name], lost = _draw(paper, name, draw(results), out / "figures", told[name], note, quick)
            made.misplaced |= {name: lost} if lost else {}
        except LookupError as error:
            made.missing[name] = f"a run that it needs is missing: {_named(error)}"
    writing.write_json(out / "claims.json", made.claims)
    done.write(out, paper=paper, figures=list(figures), quick=quick, **counts)
    writing.write_file(out / "claims.md", lambda path: path.write_text(as_markdown(made), encoding="utf-8"))
    return made


def _named(error):
    """What a lookup did not find: the name of a run, or of a group of runs by parts of their names."""
    what = error.args[0] if error.args else error
    return ", ".join(map(str, what)) if isinstance(what, tuple) else str(what)


def _resolved(runs, on_progress):
    """Scenarios with every default written out, by name; for thousands of them that takes minutes."""
    progress, resolved = pool.Progress(total=len(runs), what="scenarios checked"), {}
    for name, scenario in runs.items():
        resolved[name] = check(scenario)["scenario"]
        progress.done += 1
        if on_progress:
            on_progress(progress)
    return resolved


def _do(jobs, out, workers, scheduler, on_progress):
    """The runs, on this machine or on a cluster."""
    if not scheduler:
        return pool.execute(jobs, workers=workers, on_progress=on_progress)
    from ..studies import cluster

    return cluster.execute(jobs, scheduler=scheduler, home=out, on_progress=on_progress)


def _answers(paper, drawings, quick, out, finished, options):
    """What the searches of a paper answer: all, or those that some figures need; none are begun if `finished`."""
    searches, answers = module(paper, "searches"), {}
    if searches is None:
        return answers
    needs = getattr(module(paper, "figures"), "NEEDS", {})
    beginnings = ("",) if drawings is None else tuple(b for name in drawings for b in needs.get(name, [""]))
    for name, search in searches.searches(quick).items():
        path = out / "searches" / f"{name}.json"
        if name.startswith(beginnings) and not finished:
            answers[name] = _plain(search(Task(out / "searches" / name, options)))
            writing.write_json(path, answers[name])
        elif path.exists():
            answers[name] = json.loads(path.read_text(encoding="utf-8"))
    return answers


def _concerns(claim, figures):
    """If only some figures are requested, closed forms that do not concern them are left out."""
    return claim["verdict"] != "analytic" or any(f"-{name}-" in claim["id"] for name in figures)


def _draw(paper, name, figure, folder, claims, note, quick):
    """A figure with the published values: numbers inside its axes, a note and statements below.

    Returns its file, and the numbers that could not be drawn.
    """
    path = folder / f"{name}.png"
    lost = published.draw(figure, published.places(paper).get(name, ()), texts_of(paper))
    lines = beneath(paper, name, claims, statements.width_of(figure), note)
    writing.write_file(path, lambda temporary: statements.save(figure, temporary, lines, quick))
    return path, lost


def beneath(paper, figure, claims, width, note=""):
    """The lines below a figure: what its signs mean, the lines of a note, the published results and ours."""
    inside = any(isinstance(place, published.At) for place in published.places(paper).get(figure, ()))
    lines = [published.KEY] * inside + note.splitlines()
    return lines + statements.lines_of(claims, texts_of(paper), value_in_words, here, width)


def tidy(claim):
    """A claim with all its keys, in order, in values that JSON has."""
    missing = [key for key in ("id", "verdict") if key not in claim]
    if missing or claim["verdict"] not in VERDICTS:
        raise CongestreeError(f"This claim has no {', '.join(missing) or 'known verdict'}: {claim}.")
    first = {key: _plain(claim.get(key)) for key in CLAIM_KEYS}
    return first | {key: _plain(value) for key, value in claim.items() if key not in first}


def _plain(value):
    """NumPy scalars and arrays, tuples and nan as plain JSON values."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def value_in_words(value, most=6):
    """A claim's value for a table: numbers to four digits, of long lists and objects the first `most`."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        words = [value_in_words(v, most) for v in value]
    elif isinstance(value, dict):
        words = [f"{k}: {value_in_words(v, most)}" for k, v in value.items()]
    else:
        return str(value)
    between = "; " if isinstance(value, dict) else ", "
    more = [f"… ({len(words)})"] if len(words) > most else []
    return between.join(words[:most] + more)


def here(claim, most=6):
    """The outcome in short: the comparison that decides; the value where nothing is judged."""
    return claim.get("decides") or f"{value_in_words(claim['value'], most)} {claim['unit'] or ''}".strip()


def as_markdown(made):
    """The claims of a reproduction as a Markdown table."""
    lines = [
        f"# Claims of {made.paper}",
        "",
        *([told, ""] if (told := done.missing(made.counts)) else []),
        "| claim | paper | here | verdict | reason |",
        "| --- | --- | --- | --- | --- |",
    ]
    for claim in made.claims:
        cells = (claim["id"], value_in_words(claim["target"]), here(claim), claim["verdict"], claim["reason"] or "")
        lines.append("| " + " | ".join(str(c).replace("|", "\\|").replace("\n", " ") for c in cells) + " |")
    return "\n".join(lines) + "\n"
