"""`measure` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from .._base import Part, part


@part
class Measure(Part):
    """How long to run, and what to measure."""

    _older: ClassVar[dict[str, str]] = {"look_every": "sampling_interval", "watchdog": "deadlock_timeout"}

    duration: str
    """Simulated time at which the run ends."""
    warm_up: str = "0 ns"
    """End of the warm-up: totals are counted from this time on."""
    bin: str | None = None
    """Length of the bins of the time series. Default: a hundredth of the duration."""
    probes: Sequence[Literal["flows", "classes", "ports", "queues", "events", "latency", "deliveries", "counters", "output-queues", "pauses", "buffers", "transfers", "isolation", "completions", "transport", "messages", "trees", "regions", "input-queues", "detections", "hol-blocking", "credits", "injection-audit"]] = ()
    """What is recorded besides the totals."""
    sampling_interval: str | None = None
    """Time between two samples of the probes `trees`, `input-queues` and `credits`. Default: `bin`."""
    deadlock_timeout: str = "1 ms"
    """Stop with a report if an output has been waiting this long for buffer space that never becomes free
    because of a deadlock."""
    until_jobs_end: bool = False
    """End the run when all applications have finished; `duration` is then the upper limit."""
    audit: bool = False
    """Check the conservation laws during the run, not only at its end."""
