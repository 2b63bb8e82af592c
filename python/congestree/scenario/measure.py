"""`measure` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .._base import Part


@dataclass(frozen=True, kw_only=True)
class Measure(Part):
    """How long to run and what to look at."""

    duration: str
    """The end of the run."""
    warm_up: str = "0 ns"
    """Totals count from here."""
    bin: str | None = None
    """Length of the bins of the time series. Default: a hundredth of the duration."""
    probes: tuple[Literal["flows", "classes", "ports", "queues", "events", "latency", "deliveries", "counters", "output-queues", "pauses", "buffers", "transfers", "isolation", "completions", "transport", "messages", "trees", "regions", "input-queues", "detections", "behind", "credits", "gates"], ...] = ()
    """What is recorded besides the totals."""
    look_every: str | None = None
    """From one look of the probes `trees`, `input-queues` and `credits` at the fabric to the next. Default:
    `bin`."""
    watchdog: str = "1 ms"
    """Stop with a report if an output has waited this long for room that can never come."""
    until_jobs_end: bool = False
    """The run is over when all applications have finished; `duration` is the longest that it may take
    then."""
    audit: bool = False
    """Check the conservation laws during the run, not only at its end."""
