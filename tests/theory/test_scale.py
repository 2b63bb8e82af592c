"""The engine has no times, rates or sizes of its own: a network that is k times as fast, or as large, does the same.

*Faster*: times of a scenario with all its defaults are divided by k, rates multiplied by it; bytes, shares and numbers
stay. *Larger*: bytes and rates are multiplied by k, times stay. Then the same packets have to be delivered. A constant
that is hidden in a scheme, a transport or a link, or one that is used in a wrong unit, breaks the law.

Times are whole picoseconds and windows whole bytes, so that k times a rate set by congestion control does not always
make a gap of a k-th. Schemes that are so close to a bound that this decides (`ROUNDED`) have to deliver the same total,
within a few per cent.
"""

import re

import pytest
from gallery.every_scheme.scenario import CASES, LOSSY, incast

import congestree

WITH_UNIT = re.compile(r"([\d.e+-]+) ([a-zA-Z/]+)")
TIME, SIZE = re.compile(r"[pnum]?s"), re.compile(r"[kKMGT]?i?B")
RATE = re.compile(r"[kKMGT]?i?(bit|B)/s")
FASTER = {TIME: 1 / 8, RATE: 8}
LARGER = {SIZE: 2, RATE: 2}
ROUNDED = {
    *("ccfit", "qcz", "ici", "hpcc", "hpcc-pint", "power", "theta", "nscc", "both", "rccc", "efl"),
    *("go-back-dcqcn", "irn-dcqcn", "irn-hpcc", "irn-hpcc-pint", "irn-power", "irn-theta"),
}


def scaled(value, by):
    """A scenario, or a part of it, with quantities of these kinds multiplied."""
    if isinstance(value, dict):
        return {key: scaled(inner, by) for key, inner in value.items()}
    if isinstance(value, list):
        return [scaled(inner, by) for inner in value]
    if isinstance(value, str) and (said := WITH_UNIT.fullmatch(value)):
        times = next((times for kind, times in by.items() if kind.fullmatch(said[2])), 1)
        return f"{float(said[1]) * times:.15g} {said[2]}"
    return value


def resolved(case):
    """An incast under a scheme, with all its defaults but those that are of no use."""
    scenario = congestree.check(incast("scaled", case, 1, 1, 0.2))["scenario"]
    if CASES[case][0] in LOSSY or "voqnet" in case:
        del scenario["switches"]["buffer"]
    for idle, deciding in (("nscc", "rccc"), ("rccc", "nscc")):
        if case.endswith(f"-{deciding}"):
            del scenario["scheme"]["transport"]["uet"][idle]
    scenario["measure"]["probes"] = []
    return scenario


def delivered(scenario):
    """Packets of each flow."""
    return {row["name"]: row["packets"] for row in congestree.run(scenario).arrow("flows").to_pylist()}


@pytest.mark.parametrize("case", CASES)
def test_a_network_that_is_faster_or_larger_does_the_same(case):
    scenario = resolved(case)
    as_it_is = delivered(scenario)
    assert sum(as_it_is.values()) > 500
    for by in (FASTER, LARGER):
        found = delivered(scaled(scenario, by))
        if case.partition("-")[2] in ROUNDED:
            assert sum(found.values()) == pytest.approx(sum(as_it_is.values()), rel=0.06)
        else:
            assert found == as_it_is


def test_a_constant_that_stays_as_it_was_would_be_seen():
    """The timer of the throttle, or a threshold, as if it hid in the engine."""
    scenario = resolved("credits-ib-cc")
    wrong = scaled(scenario, FASTER)
    wrong["scheme"]["react"]["cct"]["timer"] = scenario["scheme"]["react"]["cct"]["timer"]
    assert delivered(wrong) != delivered(scenario)
    scenario = resolved("pfc-dctcp")
    wrong = scaled(scenario, LARGER)
    wrong["scheme"]["mark"]["red"] = scenario["scheme"]["mark"]["red"]
    assert delivered(wrong) != delivered(scenario)
