"""`run` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from .._base import Part, part


@part
class Run(Part):
    """How the run is computed."""

    threads: int | None = None
    """Processor cores that compute the run, each a part of the network. Default: as many as the parts of
    the network keep busy; one if the network cannot be cut."""
