"""Every run of the paper, by name. Parameters are the defaults of gran_common/scenario.py; the README lists them.

Flows start one per phase of a second (quick: 25 ms, 163 periods of the CCTI timer). Totals, such as marks at a port,
count on the plateau of the last phase, with all flows on.
"""

from ..common.names import repeated
from ..gran_common.one_set import BUS, PREFIX
from ..gran_common.scenario import SCENARIO_1, SCENARIO_2, congestion_control, test_bed
from ..gran_common.study import SETTLING

FILLS = ("voq", "sum", "sum-per-input")


def runs(quick=False):
    """Named scenarios; ``quick`` has one seed and short phases."""
    phase, seeds = (25, 1) if quick else (1000, 3)
    named = {}

    def add(family, flows, repetitions, **changes):
        def build(rep, name):
            warm_up = phase * (len(flows) - 1 + SETTLING)
            return test_bed(flows, phase_ms=phase, warm_up_ms=warm_up, seed=rep + 1, name=name, **changes)

        repeated(named, family, repetitions, build)

    for prefix, bus in (("", {}), (PREFIX, BUS)):
        add(f"{prefix}s1off", SCENARIO_1, 1, **bus)
        add(f"{prefix}s1on", SCENARIO_1, seeds, control=congestion_control(), **bus)
        add(f"{prefix}s2off", SCENARIO_2, 1, **bus)
        add(f"{prefix}s2on", SCENARIO_2, seeds, control=congestion_control(), **bus)
    for fill in FILLS[1:]:
        add(fill, SCENARIO_1, seeds, control=congestion_control(fill=fill))

    def busy(rep, name):
        """H5 sends too, all at once, so that its notifications meet data at its own output."""
        flows = SCENARIO_1 | {"back": ("H5", "H6")}
        starts = dict.fromkeys(flows, 0)
        return test_bed(
            flows, starts=starts, end_ms=20, control=congestion_control(), probes=("events", "deliveries"), name=name
        )

    repeated(named, "busy", 1, busy)
    return named
