"""Rings along rails take the time of their formula, and no packet leaves the switch of its rail.

On a clos with rails, adapter r of all servers of a unit is on leaf r. A ring over g ranks in each of m nodes, n = g m,
passes m times from node to node in a round, and n - m times from rank to rank inside a node. With along_rails every
passage between nodes has two links; otherwise it goes from a rail to another, over the spine, on four.

A message of S bytes takes x = a + b S between nodes and y = a' + b' S inside them. An all-reduce has 2 (n - 1) steps:

    long messages, the links between nodes full         a + 2 (n - 1) b S
    short ones, which pass all but two successive hops
    of two rounds, the shortest ones                     2 m x + 2 (n - m) y - y - min(x, y)

With g channels S is an n-th of a g-th of the vector, and each adapter has one channel going out, and one coming in. A
plain ring whose leaves have k times as many links down as up takes at least k times as long with long messages.
"""

import math

import pytest

import congestree

RATE, INSIDE = 400e9, 3600e9
DELAY, FORWARDING, NODE_DELAY = 20e-9, 200e-9, 500e-9
MTU, HEADER = 4096, 66
KIB = 1 << 10


def run(nodes, rails, piece, up=1, **how):
    """An all-reduce, one rank a host, with messages of so many bytes and a channel for every rail."""
    size = piece * nodes * rails * rails
    program = {"operation": "all-reduce", "bytes": f"{size} B", "node": rails}
    chunking = {"channels": rails, "chunk": f"{size} B"}
    return run_program({"collective": {**program, "chunking": chunking, **how}}, nodes, rails, up)


def run_program(program, nodes, rails, up=1):
    """A program on all hosts of a unit of so many servers."""
    inside = {"hosts": rails, "rate": "3600 Gbit/s", "delay": "500 ns"}
    return congestree.run(
        {
            "topology": {"clos": {"down": [nodes, rails], "up": [up], "rails": rails}},
            "links": {"rate": "400 Gbit/s", "delay": "20 ns", "flow_control": {"byte-credits": {}}},
            "switches": {"buffer": "256 KiB", "forwarding_delay": "200 ns"},
            "adapters": {"mtu": "4 KiB", "header": "66 B", "node": inside},
            "traffic": [{"name": "job", "from": "all", "program": program}],
            "measure": {"duration": "1 s", "until_jobs_end": True},
        }
    )


def b(size, rate=RATE):
    """Time of a message on a link."""
    return (size + HEADER * math.ceil(size / MTU)) * 8 / rate


LATENCY = 2 * DELAY + FORWARDING
"""Of the path between two hosts of a rail."""


def hops(result):
    """Links of a packet that has gone between nodes."""
    return result.value("packet_hops") / result.value("delivered")


@pytest.mark.parametrize(("nodes", "rails"), [(2, 4), (3, 4), (4, 4), (8, 8)])
@pytest.mark.parametrize("piece", [64, 64 * KIB])
def test_rings_along_rails_take_what_their_formula_says(nodes, rails, piece):
    n = nodes * rails
    result = run(nodes, rails, piece, along_rails=True)
    between, inside = LATENCY + b(piece), NODE_DELAY + b(piece, INSIDE)
    full = LATENCY + 2 * (n - 1) * b(piece)
    passing = 2 * nodes * between + 2 * (n - nodes) * inside - inside - min(between, inside)
    assert result.jobs["completion"][0] == pytest.approx(max(full, passing), rel=0.01)
    assert hops(result) == 2
    # Between nodes: once by each of the channels and nodes in every step.
    packets = 2 * (n - 1) * nodes * rails * math.ceil(piece / MTU)
    assert result.value("delivered") == packets


def test_each_direction_of_a_ring_goes_along_rails():
    for operation in ("all-reduce", "all-gather", "reduce-scatter"):
        how = {"operation": operation, "algorithm": "bidirectional-ring"}
        assert hops(run(4, 4, 4 * KIB, along_rails=True, **how)) == 2


@pytest.mark.parametrize("operation", ["broadcast", "reduce"])
def test_chains_go_along_rails(operation):
    assert hops(run(4, 4, 4 * KIB, operation=operation, root=6, along_rails=True)) == 2
    assert hops(run(4, 4, 4 * KIB, operation=operation, root=6)) == 4


def test_plain_rings_cross_the_spine_and_wait_for_it():
    """Twice as many links down as up: all of the traffic between nodes has half of its rate."""
    plain, along = run(8, 8, 64 * KIB, up=4), run(8, 8, 64 * KIB, up=4, along_rails=True)
    assert (hops(plain), hops(along)) == (4, 2)
    ratio = plain.jobs["completion"][0] / along.jobs["completion"][0]
    assert ratio == pytest.approx(2, rel=0.02)


@pytest.mark.parametrize(("along_rails", "links"), [(True, 2), (False, 4)])
def test_the_rings_of_a_job_go_along_rails_if_its_library_says_so(along_rails, links):
    """Gradients are summed over groups of two ranks in each node of four: every other one, on two of the rails."""
    training = {
        "parallel": {"data": 8, "tensor": 2},
        "model": {"layers": 2, "hidden": 64, "sequence": 64},
        "teraflops": 100.0,
        "library": {"channels": 2, "node": 4, "along_rails": along_rails},
    }
    assert hops(run_program({"training": training}, 4, 4)) == links


def test_an_odd_number_of_nodes_of_two_ranks_changes_rails_once():
    """Each ring goes three times between nodes: twice along a rail, once over the spine."""
    assert hops(run(3, 2, 4 * KIB, along_rails=True)) == pytest.approx((2 + 2 + 4) / 3)
