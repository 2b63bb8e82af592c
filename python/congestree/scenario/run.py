"""`run` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass

from .._base import Part


@dataclass(frozen=True, kw_only=True)
class Run(Part):
    """How the run is worked off."""

    threads: int | None = None
    """Cores that work on the run, each on a part of the network. Default: if the network can be cut, as
    many as have enough to do in parts of it, otherwise one."""
