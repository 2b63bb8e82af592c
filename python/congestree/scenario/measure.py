"""`measure` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from .._base import Part


@dataclass(frozen=True, kw_only=True)
class Measure(Part):
    """How long to run and what to look at."""

    _older: ClassVar[dict[str, str]] = {"look_every": "sampling_interval", "watchdog": "deadlock_timeout"}

    duration: str
    """The end of the run."""
    warm_up: str = "0 ns"
    """Totals count from here."""
    bin: str | None = None
    """Length of the bins of the time series. Default: a hundredth of the duration."""
    probes: tuple[Literal["flows", "classes", "ports", "queues", "events", "latency", "deliveries", "counters", "output-queues", "pauses", "buffers", "transfers", "isolation", "completions", "transport", "messages", "trees", "regions", "input-queues", "detections", "hol-blocking", "credits", "injection-audit"], ...] = ()
    """What is recorded besides the totals."""
    sampling_interval: str | None = None
    """From one sample of the probes `trees`, `input-queues` and `credits` to the next. Default: `bin`."""
    deadlock_timeout: str = "1 ms"
    """Stop with a report if an output has waited this long for room that can never come."""
    until_jobs_end: bool = False
    """The run is over when all applications have finished; `duration` is the longest that it may take
    then."""
    audit: bool = False
    """Check the conservation laws during the run, not only at its end."""
