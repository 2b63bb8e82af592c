"""Section 5: which flows are marked, by policy, and the effect on the shares. LIPD, L = R = 10, buffer 4."""

import numpy as np

from ..common.judge import Finding
from ..hp_common.events import Events, full_with
from ..hp_common.scenario import INTER, ROOT
from .paper import check

ON = (42, 58)
"""The part of the victim's 20 ms that the means are taken over, ms."""
SETTLED = (20, 100)
"""The start-up is over, ms."""
MARKING = {"naive": "fig4a", "input-triggered": "fig4b", "input-output-triggered 8": "fig4d"}


def local_share(view):
    return view.local_share(*SETTLED)


def remote_per_local(view):
    return view.remote_per_local(*SETTLED)


@check("hpl2002-fig4a-victim")
def naive_victim(study):
    share = study.sample("fig4a", lambda view: view.rate("victim", *ON) / (1 - view.rate("remote", *ON)))
    blocked = study.sample("fig4a", lambda view: view.blocked(*ON))
    rate = study.sample("fig4a", lambda view: view.rate("victim", *ON))
    value = {"victim": rate, "victim / (1 - remote)": share, "blocked": blocked}
    return Finding(value, note=f"victim: {rate.spread()}")


@check("hpl2002-fig4a-local90")
def naive_local_share(study):
    return Finding(study.sample("fig4a", local_share))


@check("hpl2002-fig4a-equal-within-type")
def equal_within_type(study):
    def unequal(kind):
        rates = np.mean([view.rates(kind, *SETTLED) for view in study.views("fig4a")], axis=0)
        return rates.max() / rates.min()

    value = {kind: unequal(kind) for kind in ("local", "remote")}
    return Finding(value, note="largest over smallest flow mean; mean over starts")


@check("hpl2002-fig4a-no-local-marks")
def no_local_marks(study):
    marked = sum(int(view.flows["marked"][view.members("local")].sum()) for view in study.views("fig4a"))
    return Finding(marked, note="sum over all starts")


@check("hpl2002-fn3-blocked-link-exempt")
def exempt(study):
    value = {}
    for kind, interval in (("victim", ON), ("local", SETTLED), ("remote", SETTLED)):
        with_, without = (
            study.sample(family, lambda view, kind=kind, interval=interval: view.rate(kind, *interval))
            for family in ("exempt", "fig4b")
        )
        value[kind] = with_ / without - 1
    return Finding(
        value, note="relative change; mean over starts. Only A->B is ever blocked, and no mark is ever due there"
    )


@check("hpl2002-s5-blocked-rare")
def blocked_rare(study):
    value = {word: study.sample(family, lambda view: view.blocked(*SETTLED)) for word, family in MARKING.items()}
    return Finding(value, note="mean over starts")


@check("hpl2002-fig4b-no-spreading")
def no_spreading(study):
    return Finding(study.sample("fig4b", lambda view: view.use(INTER, *ON)))


@check("hpl2002-fig4b-fairer-than-naive")
def fairer_than_naive(study):
    input_, naive = study.sample("fig4b", local_share), study.sample("fig4a", local_share)
    value = {"input-triggered": input_, "naive": naive}
    return Finding(value, note=f"input-triggered: {input_.spread()}")


@check("hpl2002-fig4b-residual-bias")
def residual_bias(study):
    sample = study.sample("fig4b", remote_per_local)
    return Finding(sample, note=sample.spread())


@check("hpl2002-s5-marks-per-event")
def marks_per_event(study):
    """The packets marked after an event and before the next; in addition, the packets that each event requests."""
    everywhere = [Events(view, "input") for view in study.views("fig4b")]

    def shares(counts):
        return {n: share for n, share in enumerate(np.bincount(counts) / len(counts)) if share > 0}

    value = {}
    for how, marks in (("", Events.newly_marked), (", as loaded", Events.marked)):
        found = {kind: np.concatenate([marks(events, kind) for events in everywhere]) for kind in ("remote", "local")}
        value |= {f"{kind}{how}": counts.mean() for kind, counts in found.items()}
        value |= {f"{kind} distribution{how}": shares(counts) for kind, counts in found.items()}
    events = sum(map(len, everywhere))
    return Finding(
        value,
        note=f"{events} events over all starts; as loaded: of the departures that an event loads, those after the next "
        "event count for both",
    )


@check("hpl2002-fn5-victim-in-full-buffer")
def victim_in_full_buffer(study):
    everywhen = np.concatenate([full_with(view, "victim") for view in study.views("fig4b")])
    while_on = np.concatenate([full_with(view, "victim", 40, 60) for view in study.views("fig4b")])
    value = {"all": everywhen.mean(), "while the victim sends": while_on.mean()}
    return Finding(value, note=f"the buffer became full {len(everywhen)} times over all starts")


@check("hpl2002-s5-m1")
def scan_or_counters(study):
    value = {}
    for word, family in (("counters", "fig4b"), ("scan", "scan")):
        delay = np.concatenate([Events(view, "input").feedback_us() for view in study.views(family)])
        value[word] = {
            "event to marked ACK, us": delay.mean(),
            "victim": study.sample(family, lambda view: view.rate("victim", *ON)),
            "root utilisation": study.sample(family, lambda view: view.use(ROOT, *SETTLED)),
        }
    return Finding(value)


@check("hpl2002-fig4c-m1")
def threshold_4_bias(study):
    value = {
        word: (1 - study.sample(family, remote_per_local)).each(np.abs)
        for word, family in (("input-output-triggered 4", "fig4c"), ("input-triggered", "fig4b"))
    }
    return Finding(value)


@check("hpl2002-fig4c-m2")
def threshold_4_root(study):
    sample = study.sample("fig4c", lambda view: view.use(ROOT, *SETTLED))
    return Finding(sample, note=sample.spread())


@check("hpl2002-fig4d-root-high")
def threshold_8_root(study):
    root = study.sample("fig4d", lambda view: view.use(ROOT, *SETTLED))
    inter = study.sample("fig4d", lambda view: view.use(INTER, *ON))
    return Finding({"root": root, "inter-switch": inter}, note=f"root: {root.spread()}")


@check("hpl2002-fig4d-equal")
def threshold_8_equal(study):
    return Finding(study.sample("fig4d", remote_per_local))


@check("hpl2002-s5-output-trigger-bias")
def trigger_bias(study):
    value = {}
    for trigger in ("output", "input"):
        events = [Events(view, trigger) for view in study.views("fig4d")]
        local, remote = (np.concatenate([each.marked(kind) for each in events]).mean() for kind in ("local", "remote"))
        value[trigger] = {
            "events": sum(map(len, events)),
            "local": local,
            "remote": remote,
            "local / remote": local / remote,
        }
    return Finding(value, note="marks an event at the root output, all starts")


@check("hpl2002-fn2-lower-trigger")
def lower_trigger(study):
    full, three, two = (study.sample(("trigger", at), lambda view: view.root) for at in (4, 3, 2))
    return Finding({4: full, 3: three, 2: two}, note="root utilisation by trigger; mean over starts")


@check("hpl2002-s6.1-m1")
def marked_by_rate(study):
    edges = np.array([1, 2, 4, 8, 16, 32, 64, 128, 257])
    chances, pairs, parts = [], [], []
    for view in study.views("fig4b"):
        events = Events(view, "input")
        chance, count = events.chance_by_limit(edges)
        chances.append(np.nan_to_num(chance) * count)
        pairs.append(count)
        parts.append(events.marked("contenders") / view.members("contenders").sum())
    marked, count = np.sum(chances, axis=0), np.sum(pairs, axis=0)
    probability = {
        f"R_max/{low:g} to R_max/{high:g}": hits / n
        for low, high, hits, n in zip(edges, edges[1:], marked, count, strict=False)
        if n
    }
    return Finding(
        {"chance of a mark by rate limit": probability, "marks an event per flow": np.concatenate(parts).mean()}
    )
