"""The cases of the benchmark by name, and how each is run: with how many threads, and counted or not."""

from .scenarios import (
    DATACENTRE,
    HOT,
    HPL,
    ON_OFF,
    UNIFORM,
    acked_incast,
    coalesced,
    experts,
    fast,
    forest,
    huge,
    large_tree,
    permutation,
    recorded,
    sprayed,
    web_search,
)

YARDSTICK = forest(True, "500 ms")
"""Half a second of the forest under control: a day or two of computing for the authors of Paper IV."""

CASES = {
    "a-hpl-10-10": HPL,
    "b-incast-32-to-1": fast(
        {"single-switch": {"hosts": 33}}, {"from": "all", "to": "H1", "arrivals": "greedy"}, "400 ms"
    ),
    "c-fat-tree-648": fast({"fat-tree": {"radix": 36}}, UNIFORM, "1 ms"),
    "d-tree-5832": fast({"k-ary-n-tree": {"k": 18, "n": 3}}, UNIFORM, "60 us"),
    "e-fat-tree-648-backlogged": fast({"fat-tree": {"radix": 36}}, HOT, "10 ms"),
    "f-forest-648": forest(False, "40 ms"),
    "g-forest-648-ib-cc": forest(True, "40 ms"),
    "h-datacentre-432-dcqcn": DATACENTRE,
    "i-tree-1024-ecocc": large_tree(True, "400 us"),
    "j-dumbbell-150-efl": ON_OFF,
    "k-tree-1024-1vl": large_tree(False, "400 us"),
    "l-permutation-1024-acks": permutation({"fat-tree": {"radix": 16, "layers": 3}}, 1024, True, "300 us"),
    "m-permutation-1024": permutation({"fat-tree": {"radix": 16, "layers": 3}}, 1024, False, "300 us"),
    "n-permutation-8192-acks": permutation({"fat-tree": {"radix": 32, "layers": 3}}, 8192, True, "40 us"),
    "o-incast-32-acks": acked_incast("20 ms"),
    "p-tree-27648-ecmp": huge(48, "ecmp", "20 us"),
    "q-tree-65536": huge(64, "fixed", "10 us"),
    "r-tree-65536-ecmp": huge(64, "ecmp", "10 us"),
    "s-tree-101306": huge(74, "fixed", "6 us"),
    "t-permutation-1024-coalesced": coalesced(
        permutation({"fat-tree": {"radix": 16, "layers": 3}}, 1024, True, "300 us")
    ),
    "u-experts-256": experts({}),
    "v-experts-256-adaptive": experts({"route": "least-queue"}),
    "w-permutation-1024-uec": sprayed(),
    "x-web-search-432-recorded": web_search("2 ms"),
    "y-fat-tree-648-recorded": recorded(
        fast({"fat-tree": {"radix": 36}}, UNIFORM, "1 ms"), "ports", "counters", "classes"
    ),
}
CASES["b-incast-32-to-1"]["traffic"][0]["from"] = [f"H{i}" for i in range(2, 34)]

HUGE = tuple(name for name in CASES if name[0] in "pqrs")
"""Cases that are about the time and memory that a network takes to be built: run once, and not counted by callgrind."""

PARALLEL = (
    "c-fat-tree-648",
    "d-tree-5832",
    "l-permutation-1024-acks",
    "n-permutation-8192-acks",
    "q-tree-65536",
    "r-tree-65536-ecmp",
    "s-tree-101306",
    "t-permutation-1024-coalesced",
    "w-permutation-1024-uec",
)
"""Cases that are run with two threads, too."""

COUNTED = {
    "a-hpl-10-10": (0.01, 0.04),
    "b-incast-32-to-1": (0.01, 0.03),
    "c-fat-tree-648": (0.01, 0.02),
    "d-tree-5832": (0.06, 0.08),
    "e-fat-tree-648-backlogged": (0.03, 0.06),
    "f-forest-648": (0.02, 0.03),
    "g-forest-648-ib-cc": (0.02, 0.03),
    "h-datacentre-432-dcqcn": (0.06, 0.07),
    "i-tree-1024-ecocc": (0.1, 0.12),
    "j-dumbbell-150-efl": (0.02, 0.03),
    "k-tree-1024-1vl": (0.1, 0.12),
    "l-permutation-1024-acks": (0.1, 0.12),
    "m-permutation-1024": (0.1, 0.12),
    "n-permutation-8192-acks": (0.2, 0.22),
    "o-incast-32-acks": (0.01, 0.02),
    "t-permutation-1024-coalesced": (0.1, 0.12),
    "u-experts-256": (0.1, 0.12),
    "v-experts-256-adaptive": (0.1, 0.12),
    "w-permutation-1024-uec": (0.1, 0.12),
    "x-web-search-432-recorded": (0.05, 0.06),
    "y-fat-tree-648-recorded": (0.01, 0.02),
}
"""Shares of the duration between which callgrind counts, chosen for some 100,000 hops."""
