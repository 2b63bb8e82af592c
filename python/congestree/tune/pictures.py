"""Pictures of a study: the front, the search, and which parameters mattered. Each function returns a figure."""

import itertools

from ..plots import COLOURS, axes, styled
from ..quantities import scale_for
from ..studies.points import ends

BLUE, VERMILION, GREEN, _, _, _, GREY, BLACK = COLOURS
MOST_BARS = 12
# From the least to the greatest value, beyond which an axis is logarithmic.
DECADES = 30


@styled
def front(tuning, chosen=None, stock=None):
    """Every setting by its goals, with the front, the chosen setting and the unchanged scenario highlighted.

    With one goal: its value by evaluation, and the best so far. With more than two, a panel for every pair. stock:
    {goal's label: value} of the unchanged scenario.
    """
    goals = tuning.question.goals
    if len(goals) == 1:
        return _history(tuning, goals[0], stock)
    pairs = list(itertools.combinations(goals, 2))
    figure, panels = _panels(len(pairs))
    best = tuning.front
    trials = [t for t in tuning.trials if t["goals"] and not t["why"]]
    for panel, (x, y) in zip(panels, pairs, strict=True):
        scales = {goal.label: _scale(goal, [t["goals"][goal.label] for t in trials]) for goal in (x, y)}
        for members, look in (
            ([t for t in trials if not t["kept"]], {"color": GREY, "marker": "x", "label": "beyond the limits"}),
            ([t for t in trials if t["kept"]], {"color": BLUE, "marker": "o", "s": 12, "label": "tried"}),
            (best, {"color": VERMILION, "marker": "o", "s": 26, "label": "front"}),
            ([chosen] if chosen else [], {"color": VERMILION, "marker": "*", "s": 150, "label": "chosen"}),
            ([{"goals": stock}] if stock else [], {"color": BLACK, "marker": "D", "s": 36, "label": "as it stands"}),
        ):
            if members:
                points = ([t["goals"][g.label] * scales[g.label][0] for t in members] for g in (x, y))
                panel.scatter(*points, **look, zorder=3 if members is not trials else 2)
        panel.set(xlabel=_axis(x, scales), ylabel=_axis(y, scales))
        for goal, zoom in ((x, panel.set_xscale), (y, panel.set_yscale)):
            values = [t["goals"][goal.label] for t in trials]
            if min(values) > 0 and max(values) > DECADES * min(values):
                zoom("log")
    panels[0].legend()
    panels[0].set_title(f"{len(trials)} settings, {len(best)} on the front")
    return figure


def _history(tuning, goal, stock):
    figure, ax = axes()
    trials = [t for t in tuning.trials if t["goals"] and not t["why"]]
    factor, unit = _scale(goal, [t["goals"][goal.label] for t in trials])
    kept = [(t["number"], t["goals"][goal.label] * factor) for t in trials if t["kept"]]
    other = [(t["number"], t["goals"][goal.label] * factor) for t in trials if not t["kept"]]
    if other:
        ax.plot(*zip(*other, strict=True), "x", color=GREY, ms=4, label="beyond the limits")
    if kept:
        ax.plot(*zip(*kept, strict=True), "o", color=BLUE, ms=3.5, label="tried")
        pick = max if goal.best == "max" else min
        ax.step(
            [n for n, _ in kept],
            list(itertools.accumulate((v for _, v in kept), pick)),
            where="post",
            color=VERMILION,
            label="best so far",
        )
    if stock:
        ax.axhline(stock[goal.label] * factor, color=BLACK, lw=1, ls="--", label="as it stands")
    less = len(tuning.trials) - len(trials)
    title = f"{len(trials)} settings" + (f", and {less} that failed or were given up early" if less else "")
    ax.set(xlabel="evaluation", ylabel=_axis(goal, {goal.label: (factor, unit)}), title=title)
    ax.legend()
    return figure


@styled
def importance(tuning):
    """How much each parameter matters for being among the best tenth; None if too little is known."""
    found = tuning.importance()
    if not found:
        return None
    figure, panels = _panels(len(found), height=0.5 + 0.3 * min(MOST_BARS, len(tuning.question.space.parameters)))
    for panel, (label, shares) in zip(panels, found.items(), strict=True):
        bars = list(zip(ends(list(shares)), shares.values(), strict=True))[:MOST_BARS][::-1]
        labels = [as_text(end) for end, _ in bars]
        panel.barh(range(len(bars)), [100 * share for _, share in bars], color=BLUE, tick_label=labels)
        panel.set(xlabel="importance (%)", title=as_text(label))
    return figure


def as_text(text):
    """A name as a font can show it: no control characters."""
    return "".join(c if c.isprintable() else "?" for c in str(text))


def _panels(count, height=3.8):
    from ..plots.figure import Figure

    figure = Figure(figsize=(5.2 * min(count, 3) + 1.0, max(height, 2.2) * -(-count // 3)), layout="constrained")
    panels = figure.subplots(-(-count // 3), min(count, 3), squeeze=False).flat
    panels = list(panels)
    for panel in panels[count:]:
        panel.set_axis_off()
    return figure, panels[:count]


def _scale(goal, values):
    return scale_for(goal.unit, max(map(abs, values), default=0.0))


def _axis(goal, scales):
    unit = scales[goal.label][1]
    better = "higher is better" if goal.best == "max" else "lower is better"
    return as_text(f"{goal.label} ({unit + ', ' if unit else ''}{better})")
