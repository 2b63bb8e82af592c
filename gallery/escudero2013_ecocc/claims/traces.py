"""Claims about programs next to hot spots: figure 8. Judged with routing by digits and set III.

The *variants* are given in addition: random routing, and routing by digits with the other readings, with one seed.
"""

from ...common.judge import Finding
from ...common.study import Missing
from ..paper import check
from ..scenario import JUDGED, TECHNIQUES, stand_in
from ..traces import CROWDS, LIMIT_MS, NETWORK, PROGRAMS, WAYS
from .queues import ISOLATING, ports

SETS = {"set a": "a", "set c": "c"}
"""Variants with routing by digits -> their reading."""
OTHERS = tuple(technique for technique in TECHNIQUES if technique != "1vl")


def times(study, case, program, technique, way):
    """Time of a program, ms, of every seed; a program that has not finished counts with the length of its run."""
    found = views(study, case, program, technique, way)
    return study.sample_of([min(view.completion(program), LIMIT_MS) for view in found])


def views(study, case, program, technique, way):
    """The seeds of a program in a variant."""
    if way in WAYS:
        return study.views("trace", case, program, technique, way)
    run = stand_in(technique, SETS[way])
    if run == stand_in(technique, JUDGED):
        return study.views("trace", case, program, technique, "digits")[:1]
    return study.views("program", case, program, technique, run)


def ended(study, case, program, technique, way):
    """Whether a program ended in all runs."""
    return float(times(study, case, program, technique, way)) < LIMIT_MS


def present(study):
    """Variants that were run."""
    found = [way for way in WAYS if ("trace", 1, PROGRAMS[0], TECHNIQUES[0], way) in study.table]
    found += [way for way in SETS if whole(study, way)]
    if not found:
        raise Missing("trace")
    return found


def whole(study, way):
    """Whether all runs of a variant exist, except those for which another run is used."""
    open_to = [t for t in TECHNIQUES if stand_in(t, SETS[way]) != stand_in(t, JUDGED)]
    keys = (("program", case, p, t, SETS[way]) for case in CROWDS for p in PROGRAMS for t in open_to)
    return all(key in study.table for key in keys)


def ratio(study, case, program, above, below, way):
    """Time with a technique over that with another, by seeds that both have; a bound, in words, if one did not end."""
    pair = [times(study, case, program, technique, way) for technique in (above, below)]
    seeds = min(len(each.values) for each in pair)
    found = study.sample_of(pair[0].values[:seeds] / pair[1].values[:seeds])
    if all(ended(study, case, program, technique, way) for technique in (above, below)):
        return found
    if not ended(study, case, program, above, way):
        both = not ended(study, case, program, below, way)
        return "neither ended" if both else f"above {float(found):.3g}"
    return f"below {float(found):.3g}"


def less(found):
    """The time saved, from a ratio or its bound."""
    if not isinstance(found, str):
        return 1 - found
    word, _, value = found.rpartition(" ")
    bound = {"above": "below", "below": "above"}.get(word)
    return f"{bound} {1 - float(value):.3g}" if bound else found


def saved(study, case, program, techniques):
    """1 - time / time(1VL) of some techniques, with all kinds of routing."""
    values = {}
    for way in present(study):
        for technique in techniques:
            found = less(ratio(study, case, program, technique, "1vl", way))
            values[f"{technique}, {way}"] = found
    return values


@check("p6-fig8-mpifft-flat")
def flat(study):
    """Time over that of 1VL in all cases."""
    values = {}
    for way in present(study):
        for case in CROWDS:
            for technique in OTHERS:
                found = ratio(study, case, "mpifft", technique, "1vl", way)
                values[f"SC{case}, {technique}, {way}"] = found
    return Finding(values, note="time over that of 1VL")


def alone(id, program):
    """The time that VOQnet saves without other traffic."""

    @check(id)
    def judge(study):
        values = saved(study, 1, program, ("voqnet",))
        return Finding(values, note="SC1")


alone("p6-fig8a-beff-voqnet", "ring")
alone("p6-fig8a-ptrans-voqnet", "ptrans")


def isolated(id, program):
    """The time that EcoCC and HFDI save without other traffic, no more than VOQnet."""

    @check(id)
    def judge(study):
        values = saved(study, 1, program, (*ISOLATING, "voqnet"))
        return Finding(values, note="SC1")


isolated("p6-fig8a-beff-ecocc", "ring")
isolated("p6-fig8a-ptrans-ecocc", "ptrans")


@check("p6-fig8a-ecocc-hfdi-similar")
def similar(study):
    values = {}
    for way in present(study):
        for program in PROGRAMS:
            found = ratio(study, 1, program, "hfdi", "ecocc", way)
            values[f"{program}, {way}"] = found
    return Finding(values, note="time with HFDI over that with EcoCC")


def beside(id, program, techniques):
    """The time saved in SC2."""

    @check(id)
    def measure(study):
        return Finding(saved(study, 2, program, techniques), note="SC2: 1 - time / time(1VL)")


beside("p6-fig8b-m1", "ring", ("voqnet",))
beside("p6-fig8b-m2", "ptrans", ("voqnet",))
beside("p6-fig8b-m3", "ring", ISOLATING)
beside("p6-fig8b-m4", "ptrans", ISOLATING)


@check("p6-fig8b-m5")
def longer(study):
    values = {}
    for way in present(study):
        found = less(ratio(study, 2, "ptrans", "hfdi", "ecocc", way))
        values[way] = found if isinstance(found, str) else -found
    return Finding(values, note="SC2: time(HFDI) / time(EcoCC) - 1")


@check("p6-fig8c-m1")
def largest(study):
    values = {}
    for way in present(study):
        for program in PROGRAMS:
            values[f"{program}, {way}"] = less(ratio(study, 3, program, "ecocc", "hfdi", way))
    return Finding(values, note="SC3: 1 - time(EcoCC) / time(HFDI)")


@check("p6-fig8c-m2")
def without(study):
    """Share of the ports of switches without a free queue, mean and highest while the program runs."""
    values = {}
    for way in present(study):
        for program in PROGRAMS:
            for technique in ISOLATING:
                pairs = []
                for view in views(study, 3, program, technique, way):
                    bins = max(1, round(min(view.completion(program), LIMIT_MS) * 1e-3 / view.bin))
                    full = view.isolation("exhausted")[:bins] / ports(NETWORK)
                    pairs.append((full.mean(), full.max()))
                values[f"{program}, {technique}, {way}"] = [sum(each) / len(pairs) for each in zip(*pairs, strict=True)]
    return Finding(values, note="share of ports, mean and highest while the program runs, SC3")


@check("p6-fig8-1vl-ibith-worst")
def worst(study):
    """1VL >= IB-ITh >= EcoCC in SC1 and SC2, with ties of 2 per cent."""
    values = {}
    for way in present(study):
        for case in (1, 2):
            for program in PROGRAMS:
                for above, below in (("1vl", "ib-ith"), ("ib-ith", "ecocc")):
                    found = ratio(study, case, program, above, below, way)
                    values[f"SC{case}, {program}, {above}/{below}, {way}"] = found
    return Finding(values, note="times; at least 0.98 is accepted")
