"""The claims of the paper, judged: ``claims(results)`` gives one row a claim whose runs are there.

claims.toml has each claim and what is accepted; this module computes the metrics.
"""

import numpy as np

from ..common.judge import Finding
from ..hp_common.events import Events
from ..hp_common.scenario import INTER, ROOT
from ..hp_common.sweeps import Sweep, input_events, orderings_by_size
from .paper import CLAIMS, check

ON = (42, 58)
"""The part of the victim's 20 ms that the means are taken over, ms."""
SETTLED = (20, 100)
"""The start-up is over, ms."""
POLICIES = {"naive": "fig3a", "input-triggered": "fig3b", "input-output-triggered 8": "fig3d"}


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)


def local_share(view):
    return view.local_share(*SETTLED)


def remote_per_local(view):
    return view.remote_per_local(*SETTLED)


@check("ecn2002-fig2-victim")
def victim_without_control(study):
    return Finding(study.sample("fig2", lambda view: view.rate("victim", *ON)))


@check("ecn2002-fig2-interswitch")
def interswitch_without_control(study):
    return Finding(study.sample("fig2", lambda view: view.use(INTER, *ON)))


@check("ecn2002-s3-proactive")
def proactive(study):
    blocked = study.sample("paced", lambda view: view.blocked(*ON))
    victim = study.sample("paced", lambda view: view.rate("victim", *ON))
    note = f"blocked: {blocked.spread()}; victim: {victim.spread()}"
    value = {
        "blocked": blocked,
        "victim": victim,
        "blocked, locals paced too": study.sample("pacedall", lambda view: view.blocked(*ON)),
        "victim, locals paced too": study.sample("pacedall", lambda view: view.rate("victim", *ON)),
    }
    return Finding(value, note=note)


@check("ecn2002-fig3a-local90")
def naive_local_share(study):
    return Finding(study.sample("fig3a", local_share))


@check("ecn2002-fig3a-victim")
def naive_victim(study):
    share = study.sample("fig3a", lambda view: view.rate("victim", *ON) / (1 - view.rate("remote", *ON)))
    victim = study.sample("fig3a", lambda view: view.rate("victim", *ON))
    return Finding({"victim": victim, "victim / (1 - remote)": share}, note=victim.spread())


@check("ecn2002-fig3a-equal-within-type")
def equal_within_type(study):
    def unequal(kind):
        rates = np.mean([view.rates(kind, *SETTLED) for view in study.views("fig3a")], axis=0)
        return rates.max() / rates.min()

    value = {kind: unequal(kind) for kind in ("local", "remote")}
    return Finding(value, note="largest over smallest flow mean; mean over starts")


@check("ecn2002-s4a-general-penalty")
def penalty_of_sharing(study):
    def per_flow(view):
        return view.rates("remote", *SETTLED).mean() / view.rates("local", *SETTLED).mean()

    value = {k: study.sample(("naive", k), per_flow) for k in study.axis("naive", 0)}
    return Finding(value, note="remote / local rate of a flow by number of remote flows; mean over starts")


@check("ecn2002-fig3b-order")
def fairer_than_naive(study):
    input_, naive = study.sample("fig3b", local_share), study.sample("fig3a", local_share)
    used = study.sample("fig3b", lambda view: view.use(INTER, *ON))
    value = {"local share, input-triggered": input_, "local share, naive": naive, "inter-switch utilisation": used}
    return Finding(value, note=f"utilisation: {used.spread()}")


@check("ecn2002-fig3b-residual")
def residual_bias(study):
    sample = study.sample("fig3b", remote_per_local)
    return Finding(sample, note=sample.spread())


@check("ecn2002-s4b-m1")
def drift_from_the_fair_point(study):
    def limits(kind, at_ms):
        return study.sample("fair", lambda view: view.limits(kind, at_ms).mean()).mean

    value = {
        f"{kind}, R_max/r": {f"{at_ms} ms": limits(kind, at_ms) for at_ms in (3, 5, 10, 20)}
        for kind in ("remote", "local")
    }
    return Finding(
        value, note="mean limit of a class; all contenders are active from 2 ms on and start at 20; mean over starts"
    )


@check("ecn2002-s4b-retrigger")
def retrigger(study):
    """Reloads of a counter that was not yet zero; a load sets it to the packets then in the switch for the output."""
    reloads = events = 0
    same = other = 0
    exact = True
    for view in study.views("fig3b"):
        table = Events(view, "input", output=None).table
        events += len(table["event"])
        again = table["before"] > 0
        reloads += int(again.sum())
        exact = exact and bool(np.all(table["loaded"] == table["packets"]))
        for output in np.unique(table["output"]):
            rows = np.flatnonzero(table["output"] == output)
            inputs = table["input"][rows]
            repeat = again[rows]
            repeat[0] = False
            unchanged = np.concatenate([[False], inputs[1:] == inputs[:-1]])
            same += int((repeat & unchanged).sum())
            other += int((repeat & ~unchanged).sum())
    value = {"events": events, "reloads": reloads, "same buffer": same, "another buffer": other}
    return Finding(value, note="sum over all starts")


@check("ecn2002-s4c-pure-output-misses")
def output_alone_misses(study):
    blocked = {word: study.sample(word, lambda view: view.blocked(*SETTLED)) for word in ("output", "both")}
    marks = {
        word: np.mean([int(view.flows["marked"][view.members("contenders")].sum()) for view in study.views(word)])
        for word in ("output", "both")
    }
    value = {
        "blocked, output-triggered": blocked["output"],
        "blocked, input-output-triggered": blocked["both"],
        "marks, output-triggered": marks["output"],
        "marks, input-output-triggered": marks["both"],
    }
    return Finding(value, note="L = 2, threshold 16; mean over starts")


@check("ecn2002-fig3c-m1")
def threshold_4(study):
    return Finding(
        {"root utilisation": study.sample("fig3c", root), "remote / local": study.sample("fig3c", remote_per_local)}
    )


def root(view):
    return view.use(ROOT, *SETTLED)


@check("ecn2002-fig3d")
def threshold_8(study):
    used, ratio = study.sample("fig3d", root), study.sample("fig3d", remote_per_local)
    value = {"root utilisation": used, "remote / local": ratio}
    return Finding(value, note=f"remote / local: {ratio.spread()}")


@check("ecn2002-fig4a-thr4-or-small")
def underused(study):
    sweep = Sweep(study, "fig4")
    value = {f"threshold {thr}": sweep.means(sweep.root(thr)) for thr in sweep.thresholds}
    return Finding(value, note="root utilisation by buffer")


@check("ecn2002-fig4a-thr6")
def threshold_6(study):
    sweep = Sweep(study, "fig4")
    return Finding(sweep.means(sweep.root(6)), note="root utilisation by buffer; mean over starts")


@check("ecn2002-fig4b-m1")
def shares_by_buffer(study):
    sweep = Sweep(study, "fig4")
    return Finding(
        {f"threshold {thr}": sweep.means(sweep.ratio(thr)) for thr in sweep.thresholds}, note="remote / local by buffer"
    )


@check("ecn2002-fn8-never-full")
def never_full(study):
    keys = [key for key in study.table if key[0] == "fig4events"]
    study.axis("fig4events", 2)
    found = sum(input_events(view) for key in keys for view in study.views(*key))
    return Finding(found, note=f"in {len(keys)} runs with events recorded")


@check("ecn2002-s4c-m1")
def other_sizes(study):
    value = orderings_by_size(study, "sizes") | orderings_by_size(study, "fig4")
    return Finding(value, note="which orderings of Fig. 4 hold")


@check("ecn2002-s5-all-three-work")
def all_three_work(study):
    value = {}
    for word, family in POLICIES.items():
        blocked = study.sample(family, lambda view: view.blocked(*SETTLED))
        used = study.sample(family, lambda view: view.use(INTER, *ON))
        value[word] = {"blocked": blocked, "inter-switch utilisation": used}
    return Finding(value, note="mean over starts")


@check("ecn2002-s5-fairness-order")
def fairness_order(study):
    value = {
        word: study.sample(family, remote_per_local).each(np.log).each(np.abs) for word, family in POLICIES.items()
    }
    return Finding(value, note="|log(remote / local)|; mean over starts")


@check("ecn2002-fn3-lower-trigger")
def lower_trigger(study):
    full, three, two = (study.sample(("trigger", at), lambda view: view.root) for at in (4, 3, 2))
    return Finding({4: full, 3: three, 2: two}, note="root utilisation by trigger; mean over starts")
