"""Every run of the paper, by name, at three scales, all with the same parameters; a smaller one has fewer points.

| scale | network | for |
| --- | --- | --- |
| full | 648 hosts, 100 ms, 3 seeds (Table II: 5, few B nodes: 8), every point of every figure | a night |
| quick | 648 hosts, 100 ms, 1 seed (Table II: 2), the points that claims name | `--quick` |
| small | 72 hosts, 20 ms | the tests of the repository |

A quick run is one of the full ones: its results in a folder are not computed again. The points that claims name come
first, with all seeds, and then the others seed by seed: an interrupted night decides as many claims as possible.
"""

from dataclasses import dataclass

from ..common.names import name
from .scenario import HOT, budget, moving, silent, windy

CC = ("off", "on")


@dataclass(frozen=True)
class Scale:
    """How large, how long and how much."""

    radix: int
    ms: float
    table2: int
    """Seeds of Table II."""
    seeds: int
    """Seeds of everything else."""
    shares: dict
    """p of the windy forests, by x."""
    moves: dict
    """Moves in 100 ms of the moving forests, by mix of roles."""
    hot: int = HOT
    few_b: int = 0
    """Seeds of the windy forests with the fewest B nodes, where draws differ most, if they are more."""

    @property
    def hosts(self):
        return self.radix**2 // 2


EVERY = tuple(range(0, 101, 10))
FULL = Scale(
    radix=36,
    ms=100,
    table2=5,
    seeds=3,
    few_b=8,
    shares=dict.fromkeys((25, 50, 75, 100), EVERY),
    moves=dict.fromkeys(("V20", "V60", "B30", "B60", "B90"), EVERY[1:]),
)
QUICK = Scale(
    radix=36,
    ms=100,
    table2=2,
    seeds=1,
    shares={25: (0, 10, 30, 60, 80, 100), 50: (0, 30, 60, 90), 75: (0, 30, 60, 90), 100: (0, 10, 60, 80, 90, 100)},
    moves={"V20": (10, 20, 50, 100), "V60": (10, 50, 100), "B30": (10, 100), "B60": (10, 100), "B90": (10, 100)},
)
SMALL = Scale(
    radix=12,
    ms=20,
    table2=2,
    seeds=1,
    shares={25: (0, 10, 30, 60, 80, 100), 50: (30, 60), 75: (30, 60), 100: (0, 10, 60, 80, 90, 100)},
    moves={"V20": (10, 20, 50, 100), "V60": (10, 100), "B30": (10, 100), "B60": (10, 100), "B90": (10, 100)},
    hot=2,
)


def runs(quick=False):
    """Named scenarios of the full or the quick version."""
    return at(QUICK if quick else FULL)


def at(scale):
    """Named scenarios of a scale: Table II, few B nodes, what claims name, then everything; each seed by seed."""
    named = {}
    for rep in range(scale.table2):
        table2(named, scale, rep)
    for rep in range(scale.few_b):
        windy_forests(named, scale, rep, {25: scale.shares[25]})
    for points in (QUICK, FULL) if scale is FULL else (scale,):
        for rep in range(scale.seeds):
            windy_forests(named, points, rep, points.shares)
            label = name("perhost", rep, x=100, p=60)
            named[label] = windy(points, 100, 60, True, rep + 1, label, per="sl")
            moving_forests(named, points, rep)
            kinds(named, points, rep)
    label = name("budget", 0)
    named[label] = budget(label)
    return named


def table2(named, scale, rep):
    """Silent forest, and the same network with its C nodes silent."""
    for family, active in (("silent", True), ("quiet", False)):
        for cc in CC:
            label = name(family, rep, cc=cc)
            named[label] = silent(scale, cc == "on", rep + 1, label, active=active)


def windy_forests(named, scale, rep, shares):
    """Figures 5 to 8, by x the p of these shares."""
    for x, those in shares.items():
        for p in those:
            for cc in CC:
                label = name("windy", rep, x=x, cc=cc, p=p)
                named[label] = windy(scale, x, p, cc == "on", rep + 1, label)


def moving_forests(named, scale, rep):
    """Figures 9 and 10."""
    for mix, moves in scale.moves.items():
        for n in moves:
            for cc in CC:
                label = name("moving", rep, mix=mix, cc=cc, n=n)
                named[label] = moving(scale, mix, n, cc == "on", rep + 1, label)


def kinds(named, scale, rep):
    """One forest of each kind without congestion control, with links watched over time (section III)."""
    for kind in ("silent", "windy", "moving"):
        label = name("kinds", rep, of=kind)
        common = dict(cc=False, seed=rep + 1, name=label, probes=("ports",))
        if kind == "silent":
            named[label] = silent(scale, **common)
        elif kind == "windy":
            named[label] = windy(scale, 100, 60, **common)
        else:
            named[label] = moving(scale, "V20", 100, **common)
