"""Figures: the burst into the incast (Fig. 6) and the victim beside it (Fig. 7b), scheme by scheme."""

from ..common.plots import BLUE, GREEN, GREY, VERMILION, entitle, panels
from .scenario import INCAST, SENDERS
from .study import Study

TITLES = {"pfc": "PFC", "dcqcn": "DCQCN", "rcm": "RCM over DCQCN", "alone": "RCM alone"}


def draw(results, family, lines, smooth):
    """A panel a scheme; `lines`: (flows, label, colour); `smooth`: bins of a mean."""
    study = Study(results)
    figure, axes = panels(len(TITLES), sharey=True)
    for panel, (scheme, title) in zip(axes, TITLES.items(), strict=True):
        view = study.views(family, scheme)[0]
        for flows, label, colour in lines:
            rates = view.rates(*flows).reshape(-1, smooth).mean(axis=1)
            panel.plot(view.times().reshape(-1, smooth).mean(axis=1), rates, color=colour, lw=1.2, label=label)
        panel.axhline(50, color=GREY, lw=0.6, ls=":")
        entitle(panel, title)
        panel.set_xlabel("time, µs")
    axes[0].set(ylim=(0, None), ylabel="Gbit/s")
    axes[0].legend(frameon=False, fontsize=8)
    return figure


BURST = ((INCAST, "incast, sum", BLUE), (("burst",), "burst", VERMILION))
VICTIM = ((("sv",), "victim", GREEN), (SENDERS, "incast, sum", BLUE))
FIGURES = {
    "fig6": lambda results: draw(results, "burst", BURST, 4),
    "fig7b": lambda results: draw(results, "victim", VICTIM, 5),
}
NEEDS = {"fig6": ["burst_"], "fig7b": ["victim_", "queued_"]}
