"""Section 5, Figure 5: buffer size and output threshold; Figure 7: the response functions in static traffic."""

import numpy as np

from ..common.judge import Finding
from ..common.study import spearman
from ..hp_common.sweeps import Sweep, input_events, orderings_by_size
from .paper import check

FUNCTIONS = ("lipd", "fimd", "aimd")


@check("hpl2002-fig5a-thr4-low")
def threshold_4_low(study):
    sweep = Sweep(study)
    value = {f"threshold {thr}": sweep.means(sweep.root(thr)) for thr in (4, 8, "none")}
    return Finding(value, note="root utilisation by buffer; mean over starts")


@check("hpl2002-fig5a-small-buffers-low")
def small_buffers_low(study):
    sweep = Sweep(study)
    value = {
        f"threshold {thr}": {buffer: sweep.root(thr)[buffer] for buffer in (2, 3, 4, 8)} for thr in ("none", 6, 8, 16)
    }
    return Finding(value, note="root utilisation by buffer; mean over starts")


@check("hpl2002-fig5a-thr6-90")
def threshold_6(study):
    sweep = Sweep(study)
    return Finding(sweep.means(sweep.root(6)), note="root utilisation by buffer; mean over starts")


@check("hpl2002-fig5b-small-buffer-remote-penalised")
def remote_penalised(study):
    sweep = Sweep(study)
    value = {f"threshold {thr}": {buffer: sweep.ratio(thr)[buffer] for buffer in (3, 12)} for thr in (8, 16)}
    return Finding(value, note="remote / local by buffer; mean over starts")


@check("hpl2002-fig5b-fairness-grows-with-buffer")
def fairness_grows(study):
    sweep = Sweep(study)
    value = {"remote / local": sweep.means(sweep.ratio("none")), "rank correlation": sweep.fairness_trend()}
    return Finding(value, note="buffers 3 to 10; mean over starts")


@check("hpl2002-fig5b-m1")
def above_threshold(study):
    sweep = Sweep(study)
    value = {
        f"threshold {thr}": {buffer: ratio for buffer, ratio in sweep.means(sweep.ratio(thr)).items() if buffer > thr}
        for thr in (4, 6, 8, 16)
    }
    return Finding(value, note="remote / local by buffer")


@check("hpl2002-fig5b-only-output-triggered")
def only_output_triggered(study):
    keys = [key for key in study.table if key[0] == "fig5events"]
    study.axis("fig5events", 2)
    found = sum(input_events(view) for key in keys for view in study.views(*key))
    sweep = [key for key in study.table if key[0] == "fig5" and key[3] >= 12]
    full = sum(
        time for key in sweep for view in study.views(*key) for held, time in view.levels().items() if held >= key[3]
    )
    note = f"in {len(keys)} runs with events recorded; in all runs of the sweep the buffer is full for {full:g} s"
    return Finding(found, note=note)


@check("hpl2002-fig5b-m2")
def local_share_at_large_buffers(study):
    sweep = Sweep(study)
    value = {
        f"threshold {thr}": {b: 1 / (1 + ratio) for b, ratio in sweep.means(sweep.ratio(thr)).items() if b >= 12}
        for thr in (4, 6, 8)
    }
    return Finding(value, note="local share by buffer")


@check("hpl2002-fig5b-m3")
def imbalance_at_large_buffers(study):
    sweep = Sweep(study)
    value = {
        f"threshold {thr}": {
            b: ratio.each(np.log).each(np.abs) for b, ratio in sweep.means(sweep.ratio(thr)).items() if b >= 18
        }
        for thr in (8, 16)
    }
    return Finding(value, note="|log(remote / local)| by buffer")


@check("hpl2002-s5-m2")
def other_sizes(study):
    value = orderings_by_size(study, "sizes") | orderings_by_size(study, "fig5")
    return Finding(value, note="which orderings of Fig. 5 hold")


def fig7(study, function, rates, measure):
    """A measure of Figure 7 by buffer size."""
    curve = study.curve("fig7", (function, rates), study.axis("fig7", 2), measure)
    return dict(curve)


MEASURES = {"root": lambda view: view.root, "inter-switch": lambda view: view.inter}


@check("hpl2002-fig7-discrete-equals-continuous")
def discrete_equals_continuous(study):
    value, worst = {}, 0.0
    for function in FUNCTIONS:
        for link, measure in MEASURES.items():
            smooth, stepped = (fig7(study, function, rates, measure) for rates in ("continuous", "discrete"))
            value[f"{function}, {link}"] = {buffer: stepped[buffer] - smooth[buffer] for buffer in smooth}
            worst = max(worst, *(abs(float(gap)) for gap in value[f"{function}, {link}"].values()))
    return Finding(value, note=f"discrete minus continuous by buffer, mean over starts; largest {worst:.3f}")


@check("hpl2002-fig7-lipd-root")
def lipd_root(study):
    root, inter = (fig7(study, "lipd", "continuous", measure) for measure in MEASURES.values())
    return Finding({"root": root, "inter-switch": inter}, note="by buffer; judged from buffer 4 on (INC-04)")


@check("hpl2002-fig7-root-order")
def root_order(study):
    value = {f: fig7(study, f, "continuous", MEASURES["root"]) for f in FUNCTIONS}
    return Finding(value, note="root utilisation by buffer; mean over starts")


@check("hpl2002-fig7-m1")
def limit_spread(study):
    value = {
        function: {
            buffer: study.views("fig7", function, "continuous", buffer)[0].limit_spread()
            for buffer in study.axis("fig7", 2)
        }
        for function in FUNCTIONS
    }
    return Finding(value, note="of the rate limit over time, mean over contenders, by buffer; deterministic start")


@check("hpl2002-fig7-fairness-buffer")
def fairness_by_buffer(study):
    value = {}
    for function in FUNCTIONS:
        ratio = fig7(study, function, "continuous", lambda view: view.ratio)
        trend = spearman(list(ratio), list(ratio.values()))
        value[function] = {"remote / local": ratio, "rank correlation": trend}
    return Finding(value, note="by buffer; mean over starts")


@check("hpl2002-fig7-m2")
def aimd_interswitch(study):
    inter = fig7(study, "aimd", "continuous", MEASURES["inter-switch"])
    return Finding({buffer: use for buffer, use in inter.items() if buffer <= 4}, note="by buffer")


@check("hpl2002-fig7-lipd-fimd-interswitch")
def interswitch_at_4(study):
    value = {f: fig7(study, f, "continuous", MEASURES["inter-switch"])[4] for f in ("lipd", "fimd")}
    return Finding(value, note="buffer 4; mean over starts")


@check("hpl2002-fig7-m3")
def victim_marks(study):
    value = {f: fig7(study, f, "continuous", lambda view: view.marked_share("victim")) for f in FUNCTIONS}
    return Finding(value, note="marked victim packets per victim packet by buffer")
