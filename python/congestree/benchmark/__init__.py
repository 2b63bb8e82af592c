"""Speed and size of the engine: cases, how they are measured, and builds compared.

The unit is the packet-hop: a data packet crossing one link; ACKs do not count.
"""

from .cases import CASES, YARDSTICK
from .compare import compare
from .measuring import AGENDAS, choose, instructions_per_hop, measure, measure_cases, speedup

__all__ = [
    "AGENDAS",
    "CASES",
    "YARDSTICK",
    "choose",
    "compare",
    "instructions_per_hop",
    "measure",
    "measure_cases",
    "speedup",
]
