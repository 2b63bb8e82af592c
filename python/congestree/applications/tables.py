"""Tables of operations: their columns, what stands in a row, and the GOAL text of them."""

import math
import re
from numbers import Number

from ..errors import AskedError, CongestreeError, there_are
from ..runs import arguments
from . import lengths

# The columns of a table of operations. Those with a value here may be missing, as a whole or in single rows, except
# bytes and peer of a send (`_OF_A_SEND`).
# kind: send, recv or calc; bytes: payload (B); peer, tag: -1 for any; time: of a calc (s); cpu, nic: the unit that does
# it; requires, irequires: labels, with blanks between them, of operations that must have finished, or have started.
COLUMNS = {
    "rank": None,
    "label": None,
    "kind": None,
    "bytes": 0,
    "peer": -1,
    "tag": -1,
    "time": 0.0,
    "cpu": 0,
    "nic": 0,
    "requires": "",
    "irequires": "",
}
_OF_A_SEND = {"bytes": None, "peer": None, "tag": 0}
_WAITS = ("requires", "irequires")
NUMBERS = [column for column in COLUMNS if column not in ("label", "kind", *_WAITS)]
_ANY = ("peer", "tag")
_KINDS = ("send", "recv", "calc")
_LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Columns that pandas adds for the numbers of rows.
_INDEX = ("", "__index_level_0__")


def check_frame(what, frame):
    """Raise AskedError if what was given to the function `what` is no polars frame, with how to make one of it."""
    import polars

    if isinstance(frame, polars.DataFrame):
        return
    kind = f"{type(frame).__module__.partition('.')[0]}.{type(frame).__name__}".removeprefix("builtins.")
    remedies = {"pandas.DataFrame": "polars.from_pandas(frame)", "polars.LazyFrame": "frame.collect()"}
    remedy = remedies.get(kind, "what congestree.jobs.read returns, or polars.DataFrame(rows)")
    raise AskedError(f"{what} takes a polars frame, and not {kind}: give {remedy}.")


def as_text(frame, name, ranks):
    """A table of operations as GOAL text, and the lengths of its operations (see `lengths`)."""
    ranks = None if ranks is None else arguments.count("ranks", ranks)
    check_columns(frame.columns, name)
    highest, by_rank = -1, {}  # rank -> its operations, and what they wait for, as lines; lengths
    for number, row in enumerate(frame.iter_rows(named=True), start=1):
        try:
            row = _filled(row)
            rank, peer = _whole(row, "rank"), _whole(row, "peer")
            operations, waits, exact = by_rank.setdefault(rank, ([], [], []))
            exact.append(_length(row) if row["kind"] == "calc" else 0.0)
            operations.append(_operation(row, exact[-1]))
            waits += [f"{row['label']} {word} {other}" for word in _WAITS for other in str(row[word]).split()]
        except (ValueError, OverflowError) as error:
            raise CongestreeError(f"Row {number} of {name} is no operation: {error}.") from None
        highest = max(highest, rank, peer)
    if ranks is not None and ranks <= highest:
        raise AskedError(f"{name} has a rank {highest}: give at least {highest + 1} ranks, or leave their number out.")
    if ranks is None and highest < 0:
        raise AskedError(f"{name} has no operations, and so no ranks: write a row for each operation.")
    lines = [f"num_ranks {highest + 1 if ranks is None else ranks}"]
    in_order = sorted(by_rank.items())
    for rank, (operations, waits, _) in in_order:
        lines += [f"rank {rank} {{", *operations, *waits, "}"]
    return "\n".join(lines) + "\n", [length for _, (_, _, exact) in in_order for length in exact]


def check_columns(columns, name):
    """A table must have the columns that have no default, and none that would be passed over."""
    missing = [column for column, default in COLUMNS.items() if default is None and column not in columns]
    if missing:
        raise CongestreeError(f"{name} lacks the column {missing[0]}: a table of operations has {', '.join(COLUMNS)}.")
    unknown = [column for column in columns if column not in COLUMNS and column not in _INDEX]
    if unknown:
        remedy = there_are(unknown[0], COLUMNS)
        raise CongestreeError(f"{name} has a column {unknown[0][:60]!r} that no table of operations has: {remedy}")


def _filled(row):
    """A row of a table of operations with the values that it lacks."""
    # A text table may have empty fields in quotation marks, which are no missing ones to its reader.
    said = {c: value for c, value in row.items() if value is not None and not (value == "" and c in NUMBERS)}
    filled = {**COLUMNS, **(_OF_A_SEND if said.get("kind") == "send" else {}), **said}
    if filled["kind"] not in _KINDS:
        raise ValueError(f"its kind is {str(filled['kind'])[:40]!r}, and should be send, recv or calc")
    for word in (str(filled["label"]), *(label for column in _WAITS for label in str(filled[column]).split())):
        if not _LABEL.fullmatch(word) or filled["label"] is None:
            raise ValueError(f"label {word[:40]!r} should have letters, digits and _ alone, and begin with no digit")
    if lacking := [column for column in ("bytes", "peer") if filled[column] is None]:
        raise ValueError(
            f"it is a send of rank {filled['rank']} without {' and '.join(lacking)}; say how many bytes go where in "
            "the columns bytes and peer"
        )
    return filled


def _operation(row, length):
    kind, label = row["kind"], row["label"]
    if kind == "calc":
        what = f"calc {int(lengths.in_text(length))}"
    else:
        way = "to" if kind == "send" else "from"
        what = f"{kind} {_whole(row, 'bytes')}b {way} {_whole(row, 'peer')} tag {_whole(row, 'tag')}"
    units = "".join(f" {unit} {number}" for unit in ("cpu", "nic") if (number := _whole(row, unit)))
    return f"{label}: {what}{units}"


def _length(row):
    """The length of a computation, in s."""
    length = float(_number(row, "time"))
    if not 0 <= length < math.inf:
        raise ValueError(f"time {row['time']} is no length of a computation: give s, from 0 on")
    return length


def _whole(row, column):
    """A number that may have been written as 1.0, but not as 1.5."""
    value = _number(row, column)
    number = int(value) if isinstance(value, int) or math.isfinite(value) else None
    if number != value:
        raise ValueError(f"{column} {row[column]} is not a whole number")
    if number < (-1 if column in _ANY else 0):
        remedy = "-1 stands for any" if column in _ANY else "the least is 0"
        raise ValueError(f"{column} {row[column]} is out of range: {remedy}")
    return number


def _number(row, column):
    """A number, which is text in a table that is text."""
    value = row[column]
    if value is None:
        raise ValueError(f"its {column} is missing")
    if isinstance(value, Number):
        return value
    try:
        return _read(value)
    except (TypeError, ValueError):
        raise ValueError(f"{column} {value!r:.40} is no number") from None


def _read(text):
    try:
        return int(text)
    except ValueError:
        return float(text)
