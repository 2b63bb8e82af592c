"""Section 6.1 to 6.3 and Figure 6: the response functions, from the engine's own code and the closed forms."""

import numpy as np

from ..common.judge import Finding
from ..hp_common import reaction
from .paper import CLAIMS

LIMITS = np.concatenate([np.geomspace(1, 256, 33), [2, 3, 5, 10, 20, 127, 200, 255]])
"""Grid of x = R_max/r on which the design principles are tried."""
T_MS = 256 * reaction.PACKET_US * 1e-3
"""T = 1/R_min with 2048-byte packets."""


def check(id):
    """Registers a check of section 6, which is judged when the section's runs were made: few checks need them."""

    def register(function):
        def finding(study):
            study.views("short", 1)
            return function(study)

        CLAIMS.check(id)(finding)
        return function

    return register


def recovery(function, closed):
    """Time from R_min to R_max by the recursion, with 2048 and 2068 bytes."""
    time, acks = reaction.recovery_ms(function)
    simulated, _ = reaction.recovery_ms(function, packet_us=2.068)
    note = f"{acks} ACKs; closed form {closed:.3f} ms; with 2068-byte packets {simulated:.2f} ms"
    return Finding(time, note=note)


@check("hpl2002-fig6-fimd-recovery")
def fimd_recovery(_study):
    return recovery("fimd", 8 * T_MS)


@check("hpl2002-fig6-lipd-recovery")
def lipd_recovery(_study):
    return recovery("lipd", 255 * T_MS)


@check("hpl2002-fig6-aimd-recovery")
def aimd_recovery(_study):
    return recovery("aimd", 255 * T_MS)


@check("hpl2002-fig6-order")
def order(_study):
    value = {function: reaction.recovery_ms(function)[0] for function in reaction.FUNCTIONS}
    return Finding(value, note="ms from R_min to R_max")


@check("hpl2002-fig6-lipd-shape")
def lipd_shape(_study):
    times, x = reaction.recovery("lipd")
    half = times[np.flatnonzero(x <= 2)[0]]
    return Finding(half / times[-1], note=f"closed form 254/255 = {254 / 255:.5f}")


@check("hpl2002-s6-constant-T")
def constant_recovery_time(_study):
    value, worst = {}, 0.0
    for function in ("fimd", "lipd"):
        times = []
        for x in LIMITS:
            lowered = reaction.marked_once(function, float(x))
            if lowered >= reaction.FLOOR:
                continue
            time, _ = reaction.recovery_ms(function, lowered, float(x))
            times.append(time)
            worst = max(worst, abs(time - T_MS) / (x * reaction.PACKET_US * 1e-3))
        value[function] = {"least": min(times), "mean": np.mean(times), "most": max(times)}
    value["away, in packet intervals 1/r"] = worst
    return Finding(value, note=f"ms; closed form {T_MS:.4f}")


@check("hpl2002-s6-principle2")
def marks_not_more_than_acks(_study):
    value = {}
    grid = np.sort(LIMITS)
    for function in reaction.FUNCTIONS:
        shares = [
            reaction.marks_needed(function, x, goal) / reaction.acks_needed(function, goal, x)
            for i, x in enumerate(grid[::3])
            for goal in grid[3 * i + 3 :: 3]
            if goal > x * (1 + 1e-9)
        ]
        value[function] = max(shares)
    return Finding(value, note="largest marks per unmarked ACK over all pairs")


@check("hpl2002-s6-principle3")
def one_ack_undoes(_study):
    value = {}
    for function, x in (("fimd", 128.0), ("lipd", 255.0), ("aimd", 128.0)):
        down = reaction.limits(function, [True, False], x)
        value[function] = x / down[1] if down[0] == reaction.FLOOR else float("nan")
    return Finding(value, note="rate after / rate before")


@check("hpl2002-s6-lipd-optimal-step")
def lipd_step(_study):
    sums = [(n + 1) / reaction.marked_once("lipd", float(n)) for n in range(1, 256)]
    return Finding(max(sums, key=lambda s: abs(s - 1)), note="sum of n + 1 rates / R_max, worst n of 1 to 255")


@check("hpl2002-s6-principle1")
def slower_recovers_first(_study):
    value = {}
    for function in reaction.FUNCTIONS:
        grid = np.sort(LIMITS)
        times = np.array(
            [reaction.recovery_ms(function, reaction.marked_once(function, float(x)), float(x))[0] for x in grid]
        )
        late = [
            (times[low] - times[high]) / (grid[low] * reaction.PACKET_US * 1e-3)
            for low in range(len(grid))
            for high in range(low)
        ]
        value[function] = max(late)
    return Finding(value, note="most that the slower flow is later, in its own packet intervals; negative: earlier")


@check("hpl2002-fn11-packets-per-on")
def packets_per_on(_study):
    value = [0.2e-3 * 1e9 / 2068 / flows for flows in (20, 10)]
    return Finding(value, note="20 and 10 active flows")


@check("hpl2002-s6.3-start-at-rmax")
def start_at_rmax(study):
    def completion_us(view):
        table = view.run.latency
        return max(row["max"] for row in table.iter_rows(named=True) if row["kind"] == "total") * 1e6

    fast, slow = (study.sample(("short", limit), completion_us) for limit in (1, 256))
    return Finding({"from R_max, us": fast, "from R_min, us": slow, "ratio": fast / slow})
