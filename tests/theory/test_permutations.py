"""D-mod-K carries every shift permutation at full rate on k-ary n-trees and three-stage fat trees.

Host h sends to host h + s. With D-mod-K the link taken upwards from level l is digit l of the destination; hosts below
one switch send to consecutive destinations, so all take different links up, and a link down carries one destination
only: no link has two flows, and none waits (Zahavi: Fat-tree routing and node ordering providing contention free
traffic for MPI global collectives, J. Parallel Distrib. Comput. 72, 2012; the routing is that of Gomez et al.:
Deterministic versus adaptive routing in fat-trees, IPDPS 2007).

Routes that lead all traffic of a two-level tree through one of its top switches have no such luck: if the k hosts of
every leaf send to other leaves, k flows share each link up and down, and each gets 1/k.
"""

import numpy as np
import pytest
from fabrics import column, run, scenario

WARM_UP, END = 50, 250  # packet times
TREES = {
    "2-ary 3-tree": ({"k-ary-n-tree": {"k": 2, "n": 3}}, 8, range(1, 8)),
    "3-ary 3-tree": ({"k-ary-n-tree": {"k": 3, "n": 3}}, 27, (1, 2, 3, 8, 9, 13, 26)),
    "4-ary 2-tree": ({"k-ary-n-tree": {"k": 4, "n": 2}}, 16, range(1, 16)),
    "4-ary 3-tree": ({"k-ary-n-tree": {"k": 4, "n": 3}}, 64, (1, 5, 16, 33, 63)),
    "fat tree of radix 8": ({"fat-tree": {"radix": 8}}, 32, (1, 3, 4, 15, 16, 31)),
    "fat tree of radix 12": ({"fat-tree": {"radix": 12}}, 72, (1, 6, 35)),
}


def shifted(topology: dict, by: int, **sections):
    """Every host sends to the host `by` further on, all the time."""
    return run(
        scenario(
            topology,
            [{"from": "all", "pattern": {"shift": {"by": by}}}],
            f"{END} us",
            delay="10 ns",
            measure={"warm_up": f"{WARM_UP} us"},
            **sections,
        )
    )


@pytest.mark.parametrize("tree", TREES)
def test_d_mod_k_carries_shifts_at_full_rate(tree):
    topology, hosts, shifts = TREES[tree]
    for by in shifts:
        result = shifted(topology, by)
        packets = column(result, "flows", "packets")
        assert len(packets) == hosts
        assert np.all(packets == END - WARM_UP), f"shift by {by}: {packets}"
        assert not column(result, "ports", "blocked").any(), f"shift by {by}"


@pytest.mark.parametrize("k", [2, 3, 4])
def test_one_top_switch_does_not(k):
    leaves = {f"s0_{leaf}": {f"h{host}": "s1_0" for host in range(k * k) if host // k != leaf} for leaf in range(k)}
    result = shifted({"k-ary-n-tree": {"k": k, "n": 2}}, k, routing={"table": leaves})
    expected = (END - WARM_UP) / k
    assert np.all(np.abs(column(result, "flows", "packets") - expected) <= 1)
