"""Section VI: the rows of Table III that are about the network."""

from ..common.judge import Finding
from . import hpcc
from .hpcc import Rounds, Table3, by_state, over_pairs
from .paper import check


def ratios(values):
    """(b)/(a) and (c)/(a)."""
    return values[1] / values[0], values[2] / values[0]


def words(values):
    """What is judged."""
    return "(b)/(a) {:.3g}, (c)/(a) {:.3g}".format(*ratios(values))


@check("p3-table3-min-ping-pong-lat")
def least_latency(study):
    values = by_state(study, Table3.ping_pong_us)
    return Finding(values, note=f"between the hosts; {words(values)}")


def waiting(study):
    """The ping of least latency with buffers that hold 15 packets and nothing more, in words."""
    there = [study.sample(("hpcc", f"{state}-whole", "pingpong-small", 1), one_way).mean for state in hpcc.STATES]
    return "H1 to H4 in the network alone: {:.3g}, {:.3g}, {:.3g} us".format(
        *(study.sample(("hpcc", state, "pingpong-small", 1), one_way).mean for state in hpcc.STATES)
    ) + ", with buffers for 15 full packets and not a credit more {:.3g}, {:.3g}, {:.3g} us".format(*there)


def one_way(view):
    """Mean time of a message H1->H4, without the host, us."""
    return Rounds(view).times_us("there").mean()


@check("p3-table3-avg-ping-pong-lat")
def mean_latency(study):
    values = [over_pairs(hpcc.INSIDE_US, us) for us in by_state(study, Table3.ping_pong_us)]
    return Finding(values, note=f"{words(values)}. {waiting(study)}")


@check("p3-table3-m1")
def most_latency(study):
    return Finding(by_state(study, Table3.ping_pong_us), note="between the hosts, mean over the messages")


@check("p3-table3-nat-ring-lat")
def natural_latency(study):
    values = by_state(study, lambda table: table.exchange_us(hpcc.NATURAL, "small"))
    return Finding(values, note=words(values))


@check("p3-table3-m2")
def random_latency(study):
    values = by_state(study, Table3.random_us)
    return Finding(values, note=words(values))


@check("p3-table3-min-ping-pong-bw")
def least_bandwidth(study):
    between = by_state(study, Table3.ping_pong_mb_s)
    values = [min(hpcc.INSIDE_MB_S, rate) for rate in between]
    return Finding(
        values,
        note=f"{words(values)}; in (a) and (c) pairs inside a host are the slowest, and their rate is the paper's own; "
        "between the hosts {:.4g}, {:.4g}, {:.4g} MB/s".format(*between),
    )


@check("p3-table3-avg-ping-pong-bw")
def mean_bandwidth(study):
    values = [over_pairs(hpcc.INSIDE_MB_S, rate) for rate in by_state(study, Table3.ping_pong_mb_s)]
    return Finding(values, note=words(values))


@check("p3-table3-m3")
def most_bandwidth(study):
    values = [max(hpcc.INSIDE_MB_S, rate) for rate in by_state(study, Table3.ping_pong_mb_s)]
    return Finding(values, note="in (b) that of pairs inside a host, which is the paper's")


@check("p3-table3-nat-ring-bw")
def natural_bandwidth(study):
    values = by_state(study, lambda table: table.ring_mb_s(hpcc.NATURAL))
    return Finding(values, note=words(values))


@check("p3-table3-m4")
def random_bandwidth(study):
    values = by_state(study, Table3.random_mb_s)
    return Finding(values, note=words(values))


PAPER_PTRANS_GB_S = 0.755
"""In (a)."""


@check("p3-table3-ptrans")
def ptrans(study):
    values = by_state(study, Table3.ptrans_gb_s)
    moving = PAPER_PTRANS_GB_S / values[0]
    diluted, controlled = (1 / (1 - moving + moving / slower) for slower in ratios(values))
    return Finding(
        values,
        note=f"{words(values)}. At the paper's rate in (a), messages take {moving:.2g} of the time; were they all "
        f"that congestion slows down, (b)/(a) would be {diluted:.2g}, in the paper it is 0.46, and (c) "
        f"{controlled / diluted:.3g} times (b)",
    )


def gain(values):
    """How much congestion control improves on (b), per cent."""
    return 100 * (values[2] / values[1] - 1)


@check("p3-s6-sensitivity-order")
def order(study):
    fft, transposes = (
        gain(by_state(study, lambda table, blocks=blocks: table.crossing_gb_s(blocks)))
        for blocks in (hpcc.FFT_BLOCKS, hpcc.PTRANS_BLOCKS)
    )
    return Finding({"all to all (FFT)": fft, "PTRANS": transposes})


@check("p3-s6-m1")
def ring_delay(study):
    values = by_state(study, Table3.random_us)
    return Finding(values[1] / values[0], note="with 1 us a message outside the network")


@check("p3-s6-cc-restores")
def restored(study):
    latency, bandwidth = by_state(study, Table3.random_us), by_state(study, Table3.random_mb_s)
    value = [latency[2] / latency[0], bandwidth[2] / bandwidth[0]]
    return Finding(value, note="latency, bandwidth")
