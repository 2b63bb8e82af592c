"""Applications: GOAL files, VEF traces and tables of operations, and how much other traffic slows an application down.

    frame = congestree.jobs.read("fft.goal")                   # a polars frame: one row an operation
    congestree.jobs.write(frame, "fft.parquet")                # or .csv, or .goal again
    text = congestree.jobs.make("all-reduce-ring", ranks=16, bytes="1 MiB")
    congestree.jobs.slowdown("mixed.toml")                     # against the same fabric without the others

A GOAL file is a schedule in the format of LogGOPSim: what each rank sends, receives and computes, and which operations
wait for which. The engine reads it; a table has the same content in columns (`COLUMNS`), and computations of any
length, where GOAL has whole nanoseconds. Binary GOAL files and VEF traces (`formats/programs`) are converted to GOAL
text first.
"""

import json
import warnings
from functools import cache
from pathlib import Path

from .. import _engine, reading
from ..errors import AskedError, CongestreeError, Note
from ..formats import programs
from ..quantities import in_words
from ..runs import arguments, frames, memory, parquet, running, writing
from . import lengths, scenarios, tables

COLUMNS = tables.COLUMNS
_ANY = 2**32 - 1
# Memory of a row, and of a character of its labels, while it is read: as objects of Python, and as lines of text.
OPERATION_BYTES, CHARACTER_BYTES = 1_000, 40
_SUFFIXES = (".goal", ".bin", ".csv", ".parquet")


def read(path):
    """The operations of a program, from a GOAL file (text or binary), a VEF trace, or a table (.csv, .parquet).

    A polars frame with the columns COLUMNS: rank; label; kind ("send", "recv" or "calc"); bytes (payload, B); peer and
    tag, -1 for any; time (of a calc, s); cpu and nic, the unit that executes it; requires and irequires, labels,
    separated by blanks, of the operations that must have finished or must have started.

    path: the path of the file, whose ending tells the format.

    Raises CongestreeError if the file cannot be read, or if a table has a row that is no operation or a column that is
    none of these; ScenarioError with place and remedy if it is not a valid program.
    """
    return read_whole(path)[0]


def read_whole(path):
    """The operations of a program, as from `read`, and a summary of the program, as a dict.

    The table alone does not show the last ranks if they do nothing. `path` and the errors raised are as for `read`.
    """
    polars = frames.library()
    path = Path(arguments.path("path", path))
    if path.suffix == ".parquet":
        frame = _opened(path, _parquet)
    elif path.suffix == ".csv":
        text = reading.read_bytes(path)
        _few(path, text.count(b"\n"))
        # As text: the kind of a column would be that of its first rows, and later ones would not fit it.
        frame = _opened(path, lambda _: polars.read_csv(text, infer_schema=False))
    else:
        found = programs.as_goal(reading.read_bytes(path), str(path), _made)
        if found is None:
            return parse(reading.read_text(path), str(path))
        text, exact = found
        read = parse(text, f"{path} (as a GOAL file)")
        return read if exact is None else lengths.restored(*read, exact)
    texts = frame.select(polars.selectors.string().exclude(tables.NUMBERS).str.len_bytes().sum())
    _few(path, len(frame), sum(texts.row(0)) if len(texts) else 0)
    # The engine reports what is wrong with it, in terms of the GOAL file that the table was converted to.
    text, exact = tables.as_text(frame, str(path), None)
    return lengths.restored(*parse(text, f"{path} (as a GOAL file)"), exact)


@cache
def _made(operation, ranks, size, root):
    """The operations that the engine generates for a collective of this many bytes, as dicts, by rank."""
    frame, _ = parse(make("collective", ranks, operation=operation, bytes=f"{size} B", root=root))
    rows = [[] for _ in range(ranks)]
    for row in frame.iter_rows(named=True):
        rows[row["rank"]].append(row)
    return rows


def _parquet(path):
    """A table of operations; polars has a reader of its own, which panics where a file is damaged."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        _few(path, file.metadata.num_rows)
        tables.check_columns(file.schema_arrow.names, path)
        table = file.read()
    table.validate(full=True)
    return frames.library().from_arrow(table.replace_schema_metadata())


def _few(path, operations, characters=0):
    """Refuse a table that would not fit; a Parquet file of a kilobyte can have a thousand million rows."""
    limit = memory.default_limit()
    needed = operations * OPERATION_BYTES + characters * CHARACTER_BYTES
    if limit is not None and needed > limit:
        raise CongestreeError(
            f"{path} has {operations:,} operations, which take about {in_words(needed, 'B')} of memory, and the "
            f"limit is {in_words(limit, 'B')}. Take a part of it."
        )


def parse(text, name=""):
    """The operations of a GOAL text as a polars frame (columns: see `read`), and a summary of them as a dict.

    name: what complaints call the text. Raises ScenarioError with place and remedy if it is no program.
    """
    polars = frames.library()
    columns, facts = _engine.read_goal(arguments.text("jobs.parse", text), str(name))
    frame = polars.from_arrow(parquet.arrow_table(columns))
    signed = [
        polars.when(polars.col(c) == _ANY).then(-1).otherwise(polars.col(c).cast(polars.Int64)).alias(c)
        for c in ("peer", "tag")
    ]
    return frame.with_columns(signed), json.loads(facts)


def write(frame, path, *, ranks=None):
    """Write a table of operations as .goal, .bin (binary GOAL), .csv or .parquet file.

    frame: a polars frame with the columns of `read`. The columns rank, label and kind are needed, and of a send bytes
    and peer; a tag that is missing is 0 of a send and any of a recv, and other columns have their defaults. path: the
    path of the file; its ending selects the format. ranks: the number of ranks, as for `goal_text`; a .csv or .parquet
    file does not have it, and a warning (`Note`) says so if the last ranks do nothing. Another tells of computations
    that become 0, or together longer or shorter, in whole nanoseconds, which .goal and .bin files have.

    Raises CongestreeError for any other ending, if a column is missing or unknown, if a row makes no sense, if there
    is none for a .csv or .parquet file, or if the file cannot be written; ScenarioError if the table is no program.
    """
    path = Path(arguments.path("path", path))
    tables.check_frame("jobs.write", frame)
    if path.suffix not in _SUFFIXES:
        raise CongestreeError(f"{path} has no known ending: write {', '.join(_SUFFIXES[:-1])} or {_SUFFIXES[-1]}.")
    is_table = path.suffix in (".csv", ".parquet")
    if is_table and not len(frame):
        raise AskedError(f"{path} would have no operations, and could not be read: write .goal or .bin.")
    text, exact = tables.as_text(frame, "the table", ranks)
    checked, facts = parse(text, "the table (as a GOAL file)")  # what is written can be read, in whatever form
    if path.suffix == ".parquet":
        writing.write_file(path, lambda temporary: frame.write_parquet(temporary))
    elif path.suffix == ".csv":
        writing.write_file(path, lambda temporary: frame.write_csv(temporary))
    elif path.suffix == ".goal":
        writing.write_file(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))
    else:
        data = programs.binary_goal.write(checked.rows(named=True), facts["ranks"])
        writing.write_file(path, lambda temporary: temporary.write_bytes(data))
    if not is_table:
        lengths.tell_rounded(exact)
    shown = max((1 + checked[column].max() for column in ("rank", "peer") if len(checked)), default=0)
    if is_table and shown < facts["ranks"]:
        idle = f"the last of the {facts['ranks']} ranks do nothing, and are not in {path}"
        warnings.warn(Note(f"{idle}: {shown} will be read from it; .goal and .bin files have all"), stacklevel=2)


def goal_text(frame, name="the table", *, ranks=None):
    """A table of operations as GOAL text.

    frame: a polars frame, with the columns and defaults of `write`. name: what complaints call it. ranks: the number of
    ranks, if the last ones do nothing; None: one more than the largest rank in the table. Computations are rounded, as
    by `of_scenario`. Raises CongestreeError if a column is missing or unknown, or a row makes no sense (rows count from
    1); AskedError if the table has more ranks.
    """
    tables.check_frame("jobs.goal_text", frame)
    text, exact = tables.as_text(frame, name, ranks)
    lengths.tell_rounded(exact)
    return text


def of_scenario(scenario, job=None, *, values=None):
    """The program of an application in a scenario, as GOAL text; `job` is the name of its traffic entry.

    All rounds of `job.repeat` are written, one after another. What else the entry says, as when it starts and which
    ranks are stragglers, is not part of a program. Computations are rounded to whole nanoseconds, the unit of GOAL; a
    warning (`Note`) tells of those that become 0, or together longer or shorter.

    scenario, values: as for `congestree.run`. Raises CongestreeError if there is no such application, if there are
    several and none is named, or if all rounds do not fit into memory; ScenarioError as `congestree.check` does.
    """
    text, exact = scenarios.program(scenario, job, values)
    lengths.tell_rounded(exact)
    return text


def make(program, ranks, *, seed=1, **parameters):
    """The GOAL text of a generated program, such as make("all-reduce-ring", ranks=8, bytes="1 MiB").

    The parameters are those of the program in the reference; times and sizes are texts with a unit. `seed` is the seed
    of everything random in it. Computations are rounded, as by `of_scenario`. Raises CongestreeError if there is no
    such program, or a parameter makes no sense.
    """
    text, exact = scenarios.made(program, ranks, seed, parameters)
    lengths.tell_rounded(exact)
    return text


def slowdown(scenario, *, values=None, seed=None, run=None):
    """How much longer each application took than alone on an idle fabric: a polars frame with a row for each job.

    Each application runs once more by itself, with the same fabric, scheme and placement of ranks. Columns: job,
    completion (s), alone (s), slowdown (their ratio; nan if one of the two did not finish). `run` is a finished run of
    the scenario with these values and this seed, if there is one already; scenario, values, seed: as for
    `congestree.run`. Raises CongestreeError if there is no application, or if `run` is one of another scenario,
    KeyboardInterrupt after Ctrl-C, and as `congestree.run` does.
    """
    polars = frames.library()
    if run is None:
        run = running.run_whole(scenario, values=values, seed=seed)
    else:
        running.refuse_other("jobs.slowdown", run, scenario, values, seed)
    if "jobs" not in run.tables:
        raise CongestreeError("This run has no application: no entry of its traffic has a program.")
    together = dict(run.jobs.select("job", "completion").iter_rows())
    rows = []
    for entry in run._scenario["traffic"]:
        if "program" not in entry:
            continue
        alone = running.run_whole(_alone(run._scenario, entry)).jobs["completion"][0]
        took = together[entry["name"]]
        ratio = took / alone if alone > 0 else float("nan")
        rows.append({"job": entry["name"], "completion": took, "alone": alone, "slowdown": ratio})
    return polars.DataFrame(rows)


def _alone(scenario, entry):
    """The resolved scenario with one application and nothing else."""
    measure = {**scenario["measure"], "probes": [], "until_jobs_end": True}
    measure.pop("sampling_interval", None)  # no probe takes samples
    return {**scenario, "traffic": [entry], "measure": measure}


def _opened(path, read_with):
    try:
        return read_with(path)
    except FileNotFoundError:
        raise CongestreeError(f"There is no file {path}.") from None
    except CongestreeError:
        raise
    except Exception as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise CongestreeError(f"{path} cannot be read: {first}.") from None
