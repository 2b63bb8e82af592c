"""`traffic.list` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import field

from ..._base import Part, part


@part
class ListRow(Part):
    """A message of a list."""

    at: str
    """When it is made, counted from the start of the entry."""
    from_: str = field(metadata={"key": "from"})
    """The sending host."""
    to: str
    """The receiving host."""
    message: str
    """Its payload."""
