"""The sizes of messages that are not all the same: by a Pareto distribution, or by a table."""

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reference.quantities import choice, size
from reference.rng import Rng

PUBLISHED = Path(__file__).parents[2] / "crates/traffic/tables"
"""Tables of sizes that were published, each in a file of its name."""


@dataclass(frozen=True)
class Pareto:
    """Few messages carry most of the bytes: P(size > x) = (m / x) ** shape, with the least size m."""

    shape: float
    mean: int
    most: float

    def draw(self, rng: Rng) -> int:
        """A size, to the nearest byte."""
        least = self.mean * (self.shape - 1.0) / self.shape
        drawn = least * (1.0 - rng.unit()) ** (-1.0 / self.shape)
        return int(min(max(int(drawn + 0.5), 1), self.most))


@cache
def mean_pieces(sizes: Pareto, piece: int) -> float:
    """The mean number of pieces of this size in a message, by the share of messages that are larger than each number of
    pieces; with pieces of a byte, the mean size."""
    least = sizes.mean * (sizes.shape - 1.0) / sizes.shape
    return 1.0 + sum((least / max(size + 0.5, least)) ** sizes.shape for size in range(piece, sizes.most, piece))


@dataclass
class Table:
    """Rows of sizes and the share of messages that are not larger, with straight lines between them."""

    rows: list[tuple[int, float]]

    def draw(self, rng: Rng) -> int:
        """A size, up to the next whole byte."""
        share = rng.unit()
        above = next((k for k, (_, below) in enumerate(self.rows) if below > share), None)
        if above is None:
            return max(self.rows[-1][0], 1)
        high, to = self.rows[above]
        if above == 0:
            return max(high, 1)
        low, since = self.rows[above - 1]
        drawn = math.ceil(low + (high - low) * ((share - since) / (to - since)))
        return min(max(drawn, 1), max(high, 1))


def read_table(written) -> list[tuple[int, float]]:
    """The rows of a table: in the scenario; or in a file, or in a published one, with a size in bytes and a share up
    to 1 or 100 on each line."""
    if not isinstance(written, str):
        return [(size(row["size"]), row["share"]) for row in written]
    named = PUBLISHED / f"{written}.txt"
    text = (named if named.exists() else Path(written)).read_text()
    lines = (line.split("#")[0].replace(",", " ").split() for line in text.splitlines())
    rows = [(int(float(row[0])), float(row[1])) for row in lines if row]
    unit = 100.0 if rows[-1][1] == 100.0 else 1.0
    return [(nbytes, share / unit) for nbytes, share in rows]


def read_sizes(sizes) -> Pareto | Table | None:
    """The sizes of a traffic entry, if they are drawn."""
    if sizes is None:
        return None
    kind, parameters = choice(sizes)
    if kind == "cdf":
        return Table(read_table(parameters[""]))
    most = parameters.get("most")
    return Pareto(parameters["shape"], size(parameters["mean"]), math.inf if most is None else size(most))
