"""A study: a scenario, what varies in it, and one tidy table of all runs.

    study = congestree.sweep("hot-spot", over={"seed": [1, 2, 3]}, out="runs/hot-spot")
    study.runs                                  # one row a run
    study.mean("rate.victim", by=["load"])      # mean and 95 % interval over the seeds
    study[0].flows                              # the tables of one run

The folder of a study holds `study.json`, `runs.parquet` and `runs/<hash>/`, one run
directory for each point; the hash is that of the resolved scenario.
"""

import contextlib
import functools
import json
import math
import re
from pathlib import Path

from .. import document
from ..errors import AskedError, CongestreeError
from ..evaluation import links
from ..quantities import SUMMARY_UNITS
from ..runs import arguments, frames, parquet, store, writing
from ..runs.results import Run
from . import measured
from .points import cell, in_order, kind, label, shortened

STUDY = "study.json"


def a_study(what, given):
    """What was given to the function `what`, if it is a `Study`; raises AskedError otherwise."""
    remedy = "give what congestree.sweep or congestree.Study.load returns"
    return arguments.instance(what, given, Study, remedy)


class Study:
    """The runs of a sweep and their table.

    folder: that of the study. points: a list of {"hash": name of the run's folder, "values": {dotted path: value}}.
    refused: {label: why} for the points that were left out.
    written: the scenario as it was written, with the values that were set: its `text`, the `format` of this ("toml" or
    "json") and the `folder` of the files that it names; None if an older version made the study.
    measures: those that are columns of `runs`, {name: `Goal` of `tune`}.

    Studies are made by `congestree.sweep` and `Study.load`; `study[i]` is the run of a point, or None if it is not
    finished.
    """

    def __init__(self, folder, points, refused=None, written=None, measures=None):
        self.folder = Path(folder).absolute()  # the current folder may change
        self.points = points
        self.failed = {}
        self.refused = refused or {}
        self.written = written
        self.resumed = 0
        self.dropped = 0
        self._rows = {}
        self._runs = None
        self._measures = measures or {}  # name -> goal without a direction

    @classmethod
    def load(cls, folder):
        """Open the folder of a study, with the measures that its sweep was asked for. Raises CongestreeError if it
        contains none."""
        folder = arguments.path("folder", folder)
        try:
            told = json.loads((Path(folder) / STUDY).read_text(encoding="utf-8"))
            points, refused = told["points"], dict(told.get("refused") or {})
            measures = {name: measured.named(name) for name in told.get("measures") or ()}
            written = told.get("written")
            if written is not None and not all(isinstance(written[key], str) for key in ("text", "format", "folder")):
                raise ValueError("all that is written of a scenario is text")
            if not all(
                re.fullmatch("[0-9a-f]{16}", point["hash"]) and isinstance(point["values"], dict) for point in points
            ):
                raise ValueError("a hash is the name of a folder and nothing else")
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise AskedError(f"{folder} holds no study: there is no readable {STUDY} in it.") from None
        except AskedError as error:
            raise CongestreeError(f"{Path(folder) / STUDY} asks for what is not there: {error}") from None
        return cls(folder, points, refused, written, measures)

    @functools.cached_property
    def axes(self):
        """What varies: {dotted path: its values in the order of the sweep}."""
        paths = dict.fromkeys(path for point in self.points for path in point["values"])
        there = {path: dict.fromkeys(self._cell(path, p["values"][path]) for p in self.points) for path in paths}
        # Where points are left out, others with a later value may come first.
        asked = {path: [self._cell(path, value) for value in values] for path, values in self._asked_values().items()}
        return {path: in_order(values, asked.get(path, [])) for path, values in there.items()}

    def _asked_values(self):
        """The lists of the sweep as it was written, by their paths; none if that is not known."""
        if self.written is None:
            return {}
        tree = document.parse(self.written["text"], self.written["format"])
        return dict(_lists(tree.get("sweep") or {}))

    @functools.cached_property
    def _mixed(self):
        """Paths that have values of several kinds, such as "one" and 2: a column has one kind, so they are text."""
        kinds = {}
        for point in self.points:
            for path, value in point["values"].items():
                kinds.setdefault(path, set()).add(kind(cell(value)))
        return {path for path, several in kinds.items() if len(several) > 1}

    def _cell(self, path, value):
        """A value of a path as it appears in the table."""
        value = cell(value)
        return value if isinstance(value, str) or path not in self._mixed else json.dumps(value)

    @property
    def settings(self):
        """What varies apart from chance: the paths of `axes` that are not seeds."""
        return [path for path in self.axes if path.rpartition(".")[2] != "seed"]

    def averaged(self, by):
        """Settings that take several values and are not in `by`, so that a mean by `by` averages over them, too."""
        return [path for path in self.settings if path not in by and len(self.axes[path]) > 1]

    @functools.cached_property
    def _shortened(self):
        """For each path its values that `short` tells in other words."""
        return {path: shortened(values) for path, values in self.axes.items()}

    def short(self, path, value):
        """A swept value of a dotted path as text for people; a long one is given as its number in the sweep, "#2".

        Tables are told by what they name: {"preset": "none"} is "none", and one among long ones its key ("torus"), with
        the values that differ if others have the same ("clos up=[4]").
        """
        value = self._cell(path, value)
        return self._shortened[path].get(value, value)

    def in_full(self):
        """The values that `short` gives as numbers: a list of (path, number, the value as text)."""
        told = ((path, value, text) for path, values in self._shortened.items() for value, text in values.items())
        return [(path, text, value) for path, value, text in told if text.startswith("#")]

    def label(self, values):
        """A short label of a point, such as "seed 2, table #3"; `values` is {dotted path: value}."""
        return label({path: self.short(path, value) for path, value in values.items()})

    @property
    def runs(self):
        """One row for each finished run: what varied, the summary, the mean rate of the sources of each class.

        A polars frame, which may be changed: `mean` and all else stay as they are. Columns: the swept paths; the rows
        of the table `summary`, in their base units; `rate.<class>` (bit/s); `completion.<application>` (s); `wall_s`,
        `packet_hops`, `stopped`; `hash`, the folder of the run.
        """
        if self._runs is None:
            self._runs = frames.library().from_arrow(self.arrow())
        return self._runs.clone()  # copies no column

    @property
    def stopped(self):
        """Runs that ended early, as in a deadlock: {label: why}. They count with what they measured until then."""
        why = dict(self.runs.select("hash", "stopped").rows()) if len(self.runs) else {}
        return {self.label(point["values"]): why[point["hash"]] for point in self.points if why.get(point["hash"])}

    def arrow(self):
        """The rows of `runs` as an Arrow table."""
        rows = []
        for point, run in zip(self.points, self, strict=True):
            if run is not None:
                swept = {path: self._cell(path, value) for path, value in point["values"].items()}
                rows.append({**swept, **self._row(run, point), "hash": point["hash"]})
        return parquet.table_of_rows(rows)

    def _row(self, run, point):
        """What the table has of a run; it is read once, as a run with this hash has one result."""
        row = self._rows.get(point["hash"]) or run.row()
        for name, goal in self._measures.items():
            if name not in row:
                row[name] = measured.value(goal, run)
        self._rows[point["hash"]] = row
        return row

    def measure(self, *names):
        """Make measures of each run columns of `runs`; returns the study.

        names: as people write goals of `tune`, MEASURE or MEASURE:OF, such as "slowdown-p99:storage", "use:H5" or
        "latency-p99" (`congestree list measures`), in base units. A run without an answer has nan: no flow has
        finished, or the application has not, or there is no such host or number in it. `column` and `mean` do this by
        themselves. Raises CongestreeError if there is no such measure, or if no run has recorded what it needs.
        """
        if any(run is not None for run in self):
            self._measures |= {name: measured.read(name, self._asked()) for name in names}
        self._runs = None
        return self

    def _asked(self):
        """Of each finished run its scenario, and functions that answer the names in its summary, and its places."""
        for run in self:
            if run is not None:
                rows = functools.partial(_rows, run)
                yield run._scenario, rows, functools.partial(links.places_of_run, run)

    @property
    def measures(self):
        """The measures that are columns of `runs`: {name: base unit}."""
        return {name: goal.unit for name, goal in self._measures.items()}

    def unit(self, name):
        """The base unit of a column ("s", "bit/s", "B"); "" if it has none.

        name: of a value, matched as in `column`, and raises CongestreeError as there.
        """
        name = self.column(name)
        by_kind = {"rate": "bit/s", "completion": "s"}
        units = {**SUMMARY_UNITS, "wall_s": "s", **self.measures}
        return units.get(name) or by_kind.get(name.partition(".")[0], "")

    def damaged(self):
        """Finished runs whose results cannot be read: {hash: why}."""
        found = {}
        for point, run in zip(self.points, self, strict=True):
            try:
                if run is not None:
                    self._row(run, point)
            except CongestreeError as error:
                found[point["hash"]] = str(error)
        return found

    def save(self):
        """Write runs.parquet, and study.json if it is gone: without it nothing can be read."""
        if not (self.folder / STUDY).exists():
            write_down(self)
        parquet.write_table(self.folder / "runs.parquet", self.arrow())

    def __len__(self):
        return len(self.points)

    def __getitem__(self, index):
        """The run of a point, or None if it is not finished."""
        folder = self.folder / "runs" / self.points[index]["hash"]
        return Run.load(folder) if store.is_finished(folder) else None

    def column(self, name, by=False):
        """A column by its name or by the end of its name ("load" for "traffic.0.arrivals.poisson.load").

        by: whether it is one by which runs are told apart, as `by` of `mean` and x of a plot are, or a value. A value
        is a column of this name, else the measure, which becomes a column as by `measure`, else what ends in the name.
        For `by` this is a path of the sweep before another column, and a measure comes last. What a name means does
        not depend on which measures are columns already. Raises CongestreeError if no column, or more than one,
        matches.
        """
        own = [c for c in self.runs.columns if c not in self._measures]
        if name in own:
            return name
        refused = None
        try:
            if not by and self._has_measure(name):
                return name
        except AskedError as error:  # its name may be that of a class, too
            refused = error
        found = [c for c in own if c.endswith(f".{name}")]
        found = (by and [c for c in found if c in self.axes]) or found
        if len(found) == 1:
            return found[0]
        if found:
            raise CongestreeError(f'"{name}" could be {", ".join(found)}; write more of it.')
        if by and self._has_measure(name):
            return name
        raise refused or CongestreeError(
            f'This study has no column "{name}"; it has {", ".join([*own, *self._measures])}.'
        )

    def _has_measure(self, name):
        """Whether a name is that of a measure, which then is a column; raises AskedError if no run has it."""
        return measured.is_one(name) and (name in self._measures or name in self.measure(name).measures)

    def mean(self, value, by=None):
        """Mean and half width of the 95 % confidence interval of a value, over the runs that agree in `by`.

        `by` defaults to everything that varies except seeds. Returns a polars frame: the columns of `by`; `mean` and
        `interval` (nan with a single run), in the unit of the value; `runs`, the number of runs averaged; and
        `missing`, the number of further runs that lack the value (an application that did not finish has no completion
        time). The interval is Student's, over independent runs: points with the same scenario are one run and count
        once. Where runs differ in a setting that is not in `by`, they do not differ by chance alone, and the interval
        is nan. `value` and `by` are matched as in `column`, and raise CongestreeError as there.
        """
        from ..evaluation import measures

        polars = frames.library()
        value = self.column(value)
        if not (self.runs[value].dtype.is_numeric() or self.runs[value].dtype == polars.Null):
            raise CongestreeError(f'The column "{value}" has no numbers, so that it has no mean.')
        by = self.settings if by is None else [self.column(b, by=True) for b in arguments.listed(by)]
        by = list(dict.fromkeys(by))
        others = self.averaged(by)
        rows = []
        for key, group in self.runs.group_by(by, maintain_order=True) if by else [((), self.runs)]:
            group = group.unique("hash", maintain_order=True)
            values = group[value].cast(polars.Float64).fill_null(float("nan"))
            mean, half = measures.mean_and_interval(values.to_numpy())
            if any(group[path].n_unique() > 1 for path in others):
                half = math.nan
            missing = int(values.is_nan().sum())
            counts = {"runs": len(group) - missing, "missing": missing}
            rows.append({**dict(zip(by, key, strict=True)), "mean": mean, "interval": half, **counts})
        return polars.DataFrame(rows, schema_overrides={path: self.runs[path].dtype for path in by})

    def __repr__(self):
        axes = ", ".join(f"{path} ({len(values)})" for path, values in self.axes.items())
        return f"<Study in {self.folder}: {len(self)} runs over {axes}>"


def _lists(tree, before=""):
    """The lists in nested tables, each with its dotted path."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _lists(value, f"{before}{key}.")
        else:
            yield before + key, value


def _rows(run):
    """The names in the summary of a run."""
    return run.arrow("summary")["name"].to_pylist()


def has_its_folder(study):
    """Whether what is written down in the folder of a study is still it, or nothing: another may have taken it."""
    if not (study.folder / STUDY).exists():
        return True
    with contextlib.suppress(CongestreeError):
        there = Study.load(study.folder)
        return (there.points, list(there.measures)) == (study.points, list(study.measures))
    return False


def write_down(study):
    """Write study.json: what a study is of, without results."""
    with writing.writing(study.folder):
        study.folder.mkdir(parents=True, exist_ok=True)
    told = {"points": study.points, "refused": study.refused, "measures": list(study.measures)}
    writing.write_json(study.folder / STUDY, {**told, "written": study.written})
