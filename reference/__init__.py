"""The readable twin: most of the network model of congestree in plain, slow, eager Python.

Nothing here is clever. Every tail, credit, arrival and timer is an event of its own; every quantity is an exact
integer (picoseconds, bytes, bits per second). The engine in `crates/` is fast because it leaves out events that
nothing waits for; this twin leaves out nothing, and `tests/twin` requires that both deliver every packet at the same
picosecond with the same mark. Where the two differ, read this text first: it *defines* the behaviour of what it
covers, which docs/reference/twin.md lists.

Read in this order: `fabric` (the clock), `link` (packets, wires, credits), `switch`, `host`, `traffic`, `schemes`,
`lanes`, `infiniband`, `checked`, `credit_messages`, `program`, `job`; then `scenario`, `parts`, `topology` and `rng`.
Standard library only; no code is shared with the engine.
"""

from reference.fabric import Fabric, run

__all__ = ["Fabric", "run"]
