"""Section 6.3.2 and Figure 8: ON-OFF contenders with fresh and with persistent rate limits; section 7."""

from ..common.judge import Finding
from ..common.study import spearman
from .claims_buffers import FUNCTIONS, MEASURES, fig7
from .claims_marking import ON
from .paper import check


def curve(study, state, measure, function="lipd"):
    """A measure of Figure 8(a) by mean ON time."""
    found = study.curve("fig8a", (function, state), study.axis("fig8a", 2), measure)
    return dict(found)


def static(view):
    return view.mean_rate("static")


def dynamic(view):
    return view.mean_rate("dynamic")


def static_share(view):
    return static(view) / (static(view) + dynamic(view))


def hogging(study, function="lipd"):
    """Dynamic over static rate by mean ON time, fresh limits."""
    return curve(study, "fresh", lambda view: dynamic(view) / static(view), function)


def trend(study, function="lipd"):
    """Rank correlation of static share and mean ON time, fresh limits."""
    shares = curve(study, "fresh", static_share, function)
    return spearman(list(shares), list(shares.values()))


@check("hpl2002-fig8a-hog")
def hog(study):
    ratio = hogging(study)
    return Finding(ratio, note="dynamic / static by mean ON in ms; mean over seeds")


@check("hpl2002-fig8a-m1")
def longest(study):
    ratio = curve(study, "fresh", lambda view: static(view) / dynamic(view))
    return Finding(ratio[max(ratio)], note=f"mean ON {max(ratio):g} ms; mean over seeds")


@check("hpl2002-fig8a-trend")
def share_trend(study):
    value = {"static share": curve(study, "fresh", static_share), "rank correlation": trend(study)}
    return Finding(value, note="by mean ON in ms; mean over seeds")


@check("hpl2002-fig8a-persistent-fair")
def persistent_fair(study):
    shares = curve(study, "kept", static_share)
    return Finding(shares, note="static share of the root traffic by mean ON in ms; mean over seeds")


@check("hpl2002-fig8a-m2")
def shortest_kept(study):
    rates = {word: curve(study, "kept", measure) for word, measure in (("static", static), ("dynamic", dynamic))}
    first = min(rates["static"])
    return Finding(
        {word: by_on[first] for word, by_on in rates.items()}, note=f"of the root link; mean ON {first:g} ms"
    )


@check("hpl2002-fig8a-fimd-aimd-similar")
def others_similar(study):
    value = {}
    for function in ("fimd", "aimd"):
        ratio = hogging(study, function)
        kept = curve(study, "kept", static_share, function)
        value[function] = {
            "dynamic hog at the shortest ON": ratio[min(ratio)],
            "dynamic / static at the longest ON": ratio[max(ratio)],
            "trend of static share": trend(study, function),
            "least static share, kept limits": min(kept.values()),
        }
    return Finding(value, note="signs as with LIPD; mean over seeds")


def fig8b(study, function, measure):
    """A measure of Figure 8(b) by mean ON time."""
    found = study.curve("fig8b", (function,), study.axis("fig8b", 1), measure)
    return dict(found)


@check("hpl2002-fig8b-m1")
def all_dynamic_interswitch(study):
    return Finding({f: fig8b(study, f, MEASURES["inter-switch"]) for f in FUNCTIONS}, note="by mean ON in ms")


@check("hpl2002-fig8b-m2")
def all_dynamic_ends(study):
    value = {}
    for function in FUNCTIONS:
        root = fig8b(study, function, MEASURES["root"])
        value[function] = {on: root[on] for on in (min(root), max(root))}
    return Finding(value, note="root utilisation by mean ON in ms")


@check("hpl2002-fig8b-m3")
def all_dynamic_middle(study):
    value = {f: {on: use for on, use in fig8b(study, f, MEASURES["root"]).items() if 0.2 <= on <= 2} for f in FUNCTIONS}
    return Finding(value, note="root utilisation by mean ON in ms")


@check("hpl2002-fig8b-m4")
def aimd_behind(study):
    root = {f: fig8b(study, f, MEASURES["root"]) for f in FUNCTIONS}
    return Finding(
        {on: root["aimd"][on] - max(use[on] for use in root.values()) for on in root["aimd"]}, note="by mean ON in ms"
    )


@check("hpl2002-s7-overall")
def overall(study):
    controlled = {f: fig7(study, f, "continuous", lambda view: view.mean_rate("victim"))[4] for f in ("lipd", "fimd")}
    figure = study.sample("fig4b", lambda view: view.rate("victim", *ON))
    without = study.sample("nocontrol", lambda view: view.rate("victim", *ON))
    still = {f: fig7(study, f, "continuous", MEASURES["root"]) for f in FUNCTIONS}
    moving = {f: fig8b(study, f, MEASURES["root"]) for f in FUNCTIONS}
    mean = {f: sum(by_on.values()) / len(by_on) for f, by_on in moving.items()}
    value = {
        "victim without control": without,
        "victim": controlled | {"lipd, Fig. 4(b)": figure},
        "root, static": still,
        "root, dynamic, mean over ON times": mean,
    }
    return Finding(value, note="victims at 4 slots; static root by slots; mean over starts and seeds")
