"""Columns of Arrow tables as NumPy arrays."""

import numpy as np

FLOATING = {"halffloat": "f2", "float": "f4", "double": "f8"}
"""What Arrow calls them; integers have one name in both."""


def numbers(column):
    """A column as a NumPy array, without `to_numpy`, which first imports pandas if it is installed (a second or more).

    Gaps among numbers become NaN; an empty column becomes an array of integers, so that it can be used as an index.
    """
    return np.concatenate([_array(chunk) for chunk in column.chunks if len(chunk)] or [np.zeros(0, dtype=int)])


def by_flow(run, column):
    """A column of the table `flows` by flow id. Ids that no source sends have no row there."""
    table = run.arrow("flows", ["flow", column])
    return dict(zip(numbers(table["flow"]).tolist(), table[column].to_pylist(), strict=True))


def _array(chunk):
    from pyarrow import types

    if not (types.is_integer(chunk.type) or types.is_floating(chunk.type)):
        return np.array(chunk.to_pylist())
    if chunk.null_count:
        chunk = chunk.cast("float64").fill_null(float("nan"))
    dtype = np.dtype(FLOATING.get(str(chunk.type), str(chunk.type)))
    return np.frombuffer(chunk.buffers()[1], dtype, len(chunk), chunk.offset * dtype.itemsize)
