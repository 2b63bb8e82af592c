"""Statistics by size of columns that are too long for the memory: counts, means, and exact percentiles.

`pieces` is a function: each call goes through the column from its beginning and yields it in pieces, as arrays of sizes
and of values that are not negative. The results are the same as those of `measures` for whole arrays.

**The k-th smallest value** is found by its digits, highest first. The bits of numbers that are not negative, read as
whole numbers, have the order of the numbers. One pass counts the highest bits of all values, which gives those of the
k-th, and how many values lie below them. The next pass counts the next bits of the values that begin with these, and
after six passes the value is known to its last bit. Only counts are kept.
"""

import itertools

import numpy as np
import pyarrow as pa

from .. import renames
from ..columns import numbers
from ..errors import AskedError, CongestreeError
from ..runs import arguments
from . import measures

BITS, WALKS = 11, 6


def by_size_class(pieces, edges=measures.EDGES):
    """As `measures.by_size_class`: one dict for each class of sizes, from one edge (B) up to below the next.

    >>> [row["flows"] for row in by_size_class(lambda: iter([([100, 5e6], [1.0, 2.0]), ([200], [3.0])]))]
    [2, 1, 0]
    """

    def sorted_out():
        for sizes, values in _arrays(pieces):
            yield np.searchsorted(edges, sizes, side="right") - 1, values

    edges = arguments.rising(edges)
    bounds = list(itertools.pairwise(edges))
    return [
        {"from": low, "to": high, **row}
        for (low, high), row in zip(bounds, _quantiles(sorted_out, len(bounds)), strict=True)
    ]


def by_size_share(pieces, bins=20):
    """As `measures.by_size_share`: classes of about equally many flows, `bins` at most, smallest sizes first; flows of
    one size are all in one class.

    >>> pieces = lambda: iter([([4, 1], [5.0, 1.0]), ([3, 2], [3.0, 2.0])])
    >>> [row["mean"] for row in by_size_share(pieces, bins=2)]
    [1.5, 4.0]
    """
    bins = arguments.count("bins", bins)
    count = sum(sizes.size for sizes, _ in _arrays(pieces))
    ends = [(0, rank) for rank in measures._last_ranks(count, bins)]
    found = _ranked(lambda: ((np.zeros(sizes.size, int), sizes) for sizes, _ in _arrays(pieces)), ends)
    lasts = np.unique([found[end][0] for end in ends])

    def sorted_out():
        for sizes, values in _arrays(pieces):
            yield np.searchsorted(lasts, sizes), values

    firsts = np.full(lasts.size, np.inf)
    for (sizes, _), (kinds, _) in zip(_arrays(pieces), sorted_out(), strict=True):
        np.minimum.at(firsts, kinds, sizes)
    return [
        {"from": first, "to": last, **row}
        for first, last, row in zip(firsts.tolist(), lasts.tolist(), _quantiles(sorted_out, lasts.size), strict=True)
    ]


def middle_sizes(pieces, lasts):
    """The median size of each class of sizes, of two the smaller one; `lasts` are the last sizes of the classes.

    >>> middle_sizes(lambda: iter([([4, 1, 9], [0.0] * 3), ([4, 2], [0.0] * 2)]), [2, 9])
    [1.0, 4.0]
    """

    def sorted_out():
        for sizes, _ in _arrays(pieces):
            yield np.searchsorted(lasts, sizes), sizes

    counts = sum((np.bincount(kinds, minlength=len(lasts)) for kinds, _ in sorted_out()), np.zeros(len(lasts), int))
    middles = [(kind, (count - 1) // 2) for kind, count in enumerate(counts.tolist())]
    found = _ranked(sorted_out, middles)
    return [found[middle][0] for middle in middles]


def of_flows(run, value, classes=None, after=0.0):
    """Pieces of the completions of a run: sizes, and a column of numbers. All flows, or those of these traffic classes,
    from those on that start at `after` (s, or a text)."""
    after, value = arguments.span("after", after), renames.column("completions", value)
    columns = ["size", "created", *(["class"] if classes is not None else [])]
    columns += [value] if value not in columns else []
    if classes is not None:
        classes = arguments.listed(classes)
        there = [entry["name"] for entry in run._scenario["traffic"]]  # also where none of its flows has finished
        if unknown := [str(name) for name in classes if name not in there]:
            names = ", ".join(there) or "none"
            raise CongestreeError(f"There is no class of traffic {', '.join(unknown)} here; there are: {names}.")

    def pieces():
        for piece in run.pieces("completions", columns):
            keep = column(piece, "created") >= after
            if classes is not None:
                keep &= within(piece["class"], classes)
            values = column(piece, value)
            if not np.issubdtype(values.dtype, np.number):
                raise AskedError(
                    f'The column "{value}" has no numbers: name one that has, such as "slowdown" or "fct".'
                )
            yield column(piece, "size")[keep], values[keep]

    return pieces


def column(piece, name):
    """A column of a record batch; pyarrow's own functions to compare and to convert would load pandas first."""
    return numbers(pa.chunked_array([piece[name]]))


def within(texts, wanted):
    """Where an array of texts has one of these."""
    coded = texts.dictionary_encode() if not pa.types.is_dictionary(texts.type) else texts
    there = np.array([text in wanted for text in coded.dictionary.to_pylist()], dtype=bool)
    return there[numbers(pa.chunked_array([coded.indices]))]


def _arrays(pieces):
    for sizes, values in pieces():
        yield np.asarray(sizes, dtype=float), np.asarray(values, dtype=float)


def _quantiles(sorted_out, number):
    """The statistics of `number` classes; `sorted_out` gives the class of each value (any other number: none), and the
    values."""
    counts, totals = np.zeros(number, dtype=np.int64), np.zeros(number)
    for kinds, values in sorted_out():
        inside = (kinds >= 0) & (kinds < number)
        counts += np.bincount(kinds[inside], minlength=number)
        totals += np.bincount(kinds[inside], weights=values[inside], minlength=number)
    at = {
        (kind, name): share / 100 * (count - 1)
        for kind, count in enumerate(counts.tolist())
        for name, share in measures.SHARES.items()
        if count
    }
    # A percentile lies between the two neighbouring values.
    beside = {key: ((key[0], int(place)), (key[0], int(np.ceil(place)))) for key, place in at.items()}
    found = _ranked(sorted_out, {rank for pair in beside.values() for rank in pair})
    rows = []
    for kind, count in enumerate(counts.tolist()):
        row = {"flows": count, "mean": float(totals[kind]) / count if count else float("nan")}
        for name in measures.SHARES:
            row[name] = float("nan")
            if count:
                low, high = (found[rank][0] for rank in beside[kind, name])
                row[name] = low + (high - low) * (at[kind, name] % 1)
        rows.append(row)
    return rows


def _ranked(sorted_out, wanted):
    """{(class, k): (the k-th smallest value of the class, from 0; how many are smaller)} for the requested pairs."""
    heads, smaller = dict.fromkeys(wanted, 0), dict.fromkeys(wanted, 0)
    for shift in range(BITS * (WALKS - 1), -1, -BITS):
        counts = {(kind, head): np.zeros(2**BITS, dtype=np.int64) for (kind, _), head in heads.items()}
        for kinds, values in sorted_out():
            digits = (values + 0.0).view(np.uint64) >> np.uint64(shift)  # + 0.0: of -0.0, too
            above = digits >> np.uint64(BITS)
            for (kind, head), count in counts.items():
                inside = digits[(kinds == kind) & (above == head)] & np.uint64(2**BITS - 1)
                count += np.bincount(inside.astype(np.intp), minlength=2**BITS)
        upto = {key: np.cumsum(count) for key, count in counts.items()}
        for (kind, rank), head in heads.items():
            total = upto[kind, head]
            digit = int(np.searchsorted(total, rank - smaller[kind, rank], side="right"))
            smaller[kind, rank] += int(total[digit - 1]) if digit else 0
            heads[kind, rank] = head << BITS | digit
    return {key: (float(np.uint64(head).view(np.float64)), smaller[key]) for key, head in heads.items()}
