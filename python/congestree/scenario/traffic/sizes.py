"""`traffic.sizes` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from typing import ClassVar

from ..._base import Part, part


@part
class Pareto(Part):
    """Pareto distribution: P(size > x) = (m/x)^shape."""

    _choice: ClassVar[str | None] = "pareto"

    shape: float
    """Exponent of the tail: the smaller, the heavier the tail."""
    mean: str
    """Mean of the distribution, before it is truncated at `most`."""
    most: str | None = None
    """Largest message: larger sizes are truncated to this. Absent: no limit."""


@part
class CdfRow(Part):
    """A row of a table of sizes."""

    size: str
    """A size."""
    share: float
    """Share of the messages that are no larger. The last is 1."""
