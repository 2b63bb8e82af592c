"""The results of one run, as tables that know their units and where they came from."""

import copy
import datetime
import functools
import hashlib
import itertools
import json
import platform
from collections import Counter
from pathlib import Path

from .. import renames
from ..errors import CongestreeError
from . import arguments, contents, frames, parquet, store


def scenario_hash(scenario, driven=None):
    """A name for a resolved scenario: runs with the same name have the same results.

    driven: the fingerprint of a run that another program drove, which does not follow from the scenario.

    It covers every resolved value (the seed too) except the texts for people, the content of
    files that are only named (`contents`), and the version of the engine. Keys count under
    their oldest names, so that a new name for one is no other scenario.
    """
    from .. import __version__

    first = contents.with_digests(renames.first_named(scenario))
    said = {k: v for k, v in first.items() if k not in ("name", "description", "sweep")}
    text = json.dumps([__version__, said, *([driven] if driven else [])], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def a_run(what, given):
    """What was given to the function `what`, if it is a `Run`; raises AskedError otherwise."""
    remedy = "give what congestree.run or congestree.Run.load returns, or one run of a study, such as study[0]"
    return arguments.instance(what, given, Run, remedy)


class Run:
    """One finished run. Tables are attributes, as polars frames: `run.flows`, `run.ports` ...

    `run.arrow("flows")` is the same table as Arrow, `run.pandas("flows")` as pandas,
    `run.units("flows")` and `run.meanings("flows")` describe its columns; all tables are described in the reference
    (docs/reference/tables.md). A table that was not recorded raises AttributeError (as an attribute) or
    CongestreeError (in a method); the message names the probe that records it. A process that was
    forked after polars had worked (`multiprocessing` with `fork`) cannot make frames: CongestreeError names `spawn`,
    `congestree.sweep` and `run.arrow` instead.

    manifest: the contents of manifest.json as a dict; of a run in memory, its `tables` name no files.
    tables: {name: Arrow table, or None: read from `folder` when it is asked for}.
    folder: the run directory, if there is one.
    files: {name of a table: older name of its file}, for folders from older versions.

    Runs are made by `congestree.run`, `Live.finish` and `Run.load`. In methods, `name` is the name of a table, and
    `columns` are names of its columns.
    """

    def __init__(self, manifest, tables, folder=None, files=None):
        self.manifest = manifest
        self.folder = None if folder is None else Path(folder).absolute()  # the current folder may change
        self._files = files or {}  # name of a table -> name of its file, if it is an older one
        self._arrow = tables  # name -> Arrow table, or None until it is read from the folder
        self._polars = {}

    @classmethod
    def from_engine(cls, meta, tables):
        """Wrap the engine's answer, `meta` (for the manifest) and `tables`; numeric columns are not copied."""
        from .. import __version__

        found = {name: parquet.arrow_table(columns) for name, columns in tables.items()}
        manifest = {
            "congestree": __version__,
            **meta,
            "hash": scenario_hash(meta["scenario"], meta["fingerprint"] if "driven" in meta else None),
            "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            "machine": {
                "system": platform.system(),
                "processor": platform.machine(),
                "python": platform.python_version(),
            },
        }
        manifest["tables"] = {name: store.entry(table) for name, table in found.items()}
        return cls(manifest, found)

    @classmethod
    def load(cls, folder):
        """Open a run directory; each table is read when it is first used.

        folder: the path of the run directory. Raises CongestreeError if there is no finished run in it.
        """
        folder = arguments.path("folder", folder)
        manifest = store.load_manifest(folder)
        manifest["scenario"] = renames.renewed(manifest["scenario"])
        files = {renames.TABLES[name].new if name in renames.TABLES else name: name for name in manifest["tables"]}
        return cls(manifest, dict.fromkeys(files), folder, files)

    def save(self, folder, spool=None):
        """Write a run directory: manifest.json and one Parquet file per table.

        folder: its path. Raises CongestreeError if it cannot be written. Tables whose first rows are in a spool are
        read again from the folder when they are used.
        """
        folder = arguments.path("folder", folder)
        long = list(spool.writers) if spool is not None else []
        listing = store.save(folder, self.manifest, {name: self.arrow(name) for name in self.tables}, spool)
        # With the sums of the files: if another run replaces them, what is read later is not of this one.
        self.manifest = {**self.manifest, "tables": listing}
        self._arrow.update(dict.fromkeys(long))
        self.folder, self._files = Path(folder).absolute(), {}

    @property
    def tables(self):
        """Names of the tables of this run."""
        return list(self._arrow)

    def arrow(self, name, columns=None):
        """A table as an Arrow table; fields carry unit and meaning as metadata.

        columns: the name of a column, or several, by default all. From a long table in a folder only these are read,
        and they are not kept in memory. Raises CongestreeError if the run has no such table, or the table no such
        column.
        """
        name = renames.table(name)
        if name not in self._arrow:
            raise CongestreeError(self._no_table(name))
        table = self._arrow[name]
        if columns is not None:
            columns = self._known(name, columns)
            return self._loaded(name, columns) if table is None else table.select(columns)
        if table is None:
            table = self._arrow[name] = self._loaded(name)
        return table

    def _known(self, name, columns):
        """Names of columns of a table as they are now; raises CongestreeError if it has none of that name."""
        columns = [renames.column(name, column) for column in arguments.listed(columns)]
        there = self._shape(name)[1].names
        for column in columns:
            if column not in there:
                raise CongestreeError(f'The table {name} has no column "{column}"; it has {", ".join(there)}.')
        return columns

    def _loaded(self, name, columns=None):
        """A table, or these columns of it, from its file."""
        found = parquet.load_table(*self._stored(name), self._as_stored(name, columns), self._footer(name))
        return renames.arrow(name, found)

    def _stored(self, name):
        """The folder, and the name that a table has there."""
        return self.folder, self._files.get(name, name)

    def _as_stored(self, name, columns):
        """What these columns are called in the file of a table."""
        return columns and renames.stored(name, columns, self._shape(name, renew=False)[1].names)

    def _footer(self, name):
        """What the manifest records of the end of a table's file; None if it is of before there were such sums."""
        entry = self.manifest.get("tables", {}).get(self._files.get(name, name))
        return entry.get("footer") if isinstance(entry, dict) else None

    def pieces(self, name, columns=None):
        """A table, or some of its columns, piece by piece, as Arrow record batches.

        Of a long table in a folder only one piece at a time is in memory, however many rows it has.
        """
        name = renames.table(name)
        if self._arrow.get(name) is None and name in self._arrow:
            columns = columns and self._known(name, columns)
            pieces = parquet.load_pieces(*self._stored(name), self._as_stored(name, columns), self._footer(name))
            yield from (renames.arrow(name, piece) for piece in pieces)
        else:
            yield from self.arrow(name, columns).to_batches(parquet.PIECE)

    def by_size_class(self, value="slowdown", edges=None, classes=None, after=0.0):
        """Statistics of the finished flows by size: `measures.by_size_class` applied to a column of `completions`.

        `value` is the column: "slowdown", "fct" (s), or another one with numbers. `classes` are traffic classes, by
        default all of them together; flows that start before `after` (s), or a text such as "1 ms", are left out.
        `edges` (B), or texts such as "1 kB", default to `measures.EDGES`. The percentiles are exact, and the table is
        never loaded as a whole, however many flows there are. Needs the probe `completions`; raises CongestreeError
        without it, if there is no such class or column, or if the edges do not rise.
        """
        from ..evaluation import measures, quantiles

        edges = measures.EDGES if edges is None else edges
        return quantiles.by_size_class(quantiles.of_flows(self, value, classes, after), edges)

    def by_size_share(self, value="slowdown", bins=20, classes=None, after=0.0):
        """Statistics of the finished flows in size classes of about equally many flows: `measures.by_size_share`.

        `value`, `classes`, `after` and the errors raised are as for `by_size_class`. There are `bins` classes (1 or
        more) at most: flows of one size are all in one class.
        """
        from ..evaluation import quantiles

        return quantiles.by_size_share(quantiles.of_flows(self, value, classes, after), bins)

    def table(self, name):
        """A table as a polars frame, which may be changed: another call returns it as it was."""
        name = renames.table(name)
        if name not in self._polars:
            self._polars[name] = renames.frame(name, frames.library().from_arrow(self.arrow(name)))
        return self._polars[name].clone()  # copies no column

    def pandas(self, name):
        """A table as a pandas frame. Raises CongestreeError if pandas is not installed."""
        try:
            return renames.in_pandas(renames.table(name), self.arrow(name).to_pandas())
        except ImportError:
            raise CongestreeError("pandas is not installed; install it with: pip install pandas") from None

    def units(self, name):
        """The unit of each column of a table ("" for names and counts)."""
        return {f.name: parquet.field_facts(f)["unit"] for f in self._shape(name)[1]}

    def meanings(self, name):
        """The meaning of each column of a table."""
        return {f.name: parquet.field_facts(f)["meaning"] for f in self._shape(name)[1]}

    def _shape(self, name, renew=True):
        """How many rows a table has, and its schema; it is not loaded for that."""
        name = renames.table(name)
        if self._arrow.get(name) is None and name in self._arrow:
            import pyarrow

            rows, schema = parquet.load_shape(*self._stored(name), self._footer(name))
            empty = pyarrow.Table.from_batches([], schema)  # `schema.empty_table()` imports pandas
            return rows, renames.arrow(name, empty).schema if renew else schema
        table = self.arrow(name)
        return table.num_rows, table.schema

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._arrow or (name in renames.TABLES and renames.TABLES[name].new in self._arrow):
            return self.table(name)
        raise AttributeError(self._no_table(name))

    def __dir__(self):
        return [*super().__dir__(), *self._arrow]

    def _no_table(self, name):
        if remedy := _remedies().get(name):
            return f'This run has no table "{name}": {remedy}.'
        return f'This run has no table "{name}"; it has {", ".join(self._arrow)}.'

    @property
    def scenario(self):
        """The resolved scenario (a dict with every default written out).

        It is a copy, which may be changed for another run; what belongs to this one stays as it is.
        """
        return copy.deepcopy(self._scenario)

    @property
    def _scenario(self):
        """The resolved scenario itself, for our functions, which change nothing in it: a large graph takes long to
        copy."""
        return self.manifest["scenario"]

    @property
    def hosts(self):
        """The names of the hosts, in the order of the table `ports`, in which theirs come first.

        They are read from the results: the scenario could be refused now, as a trace that it names has moved.
        """
        if graph := self._scenario.get("topology", {}).get("graph"):
            return list(graph["hosts"])
        origins = self.arrow("ports", ["from"])["from"].to_pylist()
        # A host has one port. Switches with one, too, are only in a graph, or come after others.
        several = Counter(origins)
        return list(itertools.takewhile(lambda origin: several[origin] == 1, origins))

    @property
    def seed(self):
        """The seed of the random streams."""
        return self.manifest["seed"]

    @property
    def duration(self):
        """Simulated time (s)."""
        return self.manifest["duration_s"]

    @property
    def interrupted(self):
        """Whether the run was stopped by Ctrl-C before its end."""
        return bool(self.manifest.get("interrupted"))

    @property
    def stopped(self):
        """Why the engine stopped before the end (a deadlock, a violated law), or None."""
        return self.manifest.get("stopped")

    @property
    def fingerprint(self):
        """{"trajectory": of every transmission, "results": of every delivery}, equal if and only if the runs are."""
        return self.manifest["fingerprint"]

    def value(self, name):
        """One value of the table `summary`, in the base unit that the table gives for it.

        name: the name of the row.

        Raises CongestreeError, with all names that exist, if there is no such row.
        """
        name = renames.row(name)
        values = dict(zip(*(self.arrow("summary")[c].to_pylist() for c in ("name", "value")), strict=True))
        if name not in values:
            raise CongestreeError(f'The summary has no value "{name}"; it has {", ".join(values)}.')
        return values[name]

    def class_rates(self):
        """Mean rate of the sources of each traffic class (bit/s); a source's rate is that of all its flows together.

        Rates are per source and not per flow, because the number of flows of a source may depend on the scheme: one to
        all destinations, or one for each. Hosts that no incast drew (`undrawn`) are sources with a rate of 0.
        """
        from ..evaluation import totals

        return totals.class_rates(self)

    def undrawn(self):
        """Hosts that could send in the incasts of a class and were drawn for none: {class: [names]}.

        They have no row in `flows`. Classes without incasts are not in it.
        """
        return self.manifest.get("undrawn", {})  # a run of an older version has none

    def silent_classes(self):
        """Traffic classes that sent nothing after the warm-up, also those that have no flow in the table `flows`.

        A program without a flow is not among them: it may have sent all within nodes and hosts, or only computed.
        """
        from ..evaluation import totals

        return totals.silent_classes(self)

    def job_completions(self):
        """Completion time of each application (s); nan if it did not finish."""
        from ..evaluation import totals

        return totals.job_completions(self)

    def row(self):
        """The run as one row of a study: the summary, the mean source rate of each class, and how the run was made."""
        from ..evaluation import totals

        return totals.row(self)

    def __repr__(self):
        sizes = ", ".join(f"{name} {self._shape(name)[0]}" for name in self.tables)
        title = self._scenario.get("name") or self.manifest["hash"]
        return f"<Run {title!r}, seed {self.seed}, {self.duration:g} s; rows: {sizes}>"


@functools.cache
def _remedies():
    """{table: what a scenario must be given for its run to have it}, for all tables that not every run has."""
    from .. import _engine

    made = [(entry, table) for entry in json.loads(_engine.catalogue()) for table in entry.get("tables", ())]
    probed = {
        table["name"]: f'add the probe "{entry["name"]}" to measure.probes'
        for entry, table in made
        if entry["kind"] == "probe"
    }
    others = {
        table["name"]: f"give the scenario {table['with']}".replace("`", "") for _, table in made if table.get("with")
    }
    return probed | others
