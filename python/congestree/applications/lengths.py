"""Lengths of computations, which are exact in tables of operations, and whole nanoseconds in GOAL text.

Lengths are arrays (s), in the order of the text: rank by rank, and 0 for what is no computation.
"""

import warnings

import numpy as np

from ..errors import Note
from ..quantities import in_words

NOTICED = 0.01
"""Share by which the sum of all computations may change before it is told."""


def in_rounds(columns, repeat):
    """Lengths in a program that each rank runs so many times (see `rounds`), from the engine's columns of one round."""
    time, rank = columns["time"]["values"], columns["rank"]["values"]
    of_ranks = np.split(time, np.flatnonzero(np.diff(rank)) + 1)
    return np.concatenate([np.tile(np.append(part, 0.0), repeat)[:-1] for part in of_ranks])


def restored(frame, facts, lengths):
    """Operations and their summary, as they were read from GOAL text, with the lengths that were rounded in it."""
    import polars

    exact = polars.Series("time", lengths, dtype=polars.Float64)
    return frame.with_columns(exact), {**facts, "computing_s": float(exact.sum())}


def in_text(lengths):
    """Lengths (s) as whole nanoseconds in GOAL text; halves are rounded up, as by the engine."""
    return np.floor(np.asarray(lengths, dtype=float) * 1e9 + 0.5)


def tell_rounded(lengths):
    """Warn (`Note`) if computations vanish in GOAL text, or all together become longer or shorter."""
    lengths = np.asarray(lengths, dtype=float)
    rounded = in_text(lengths) * 1e-9
    gone, all_of_them = np.count_nonzero((rounded == 0) & (lengths > 0)), np.count_nonzero(lengths)
    before, after = lengths.sum(), rounded.sum()
    differ = abs(after - before) > NOTICED * before
    if gone or differ:
        fact = f"{gone:,} of {all_of_them:,} became 0"
        if differ:
            fact += f", and together they take {in_words(after, 's')}, not {in_words(before, 's')}"
        told = f"computations are rounded to whole nanoseconds, as GOAL has them: {fact}"
        warnings.warn(Note(f"{told}; .csv and .parquet files have their exact lengths"), stacklevel=3)
