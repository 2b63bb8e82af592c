"""The one figure of the page: bars for every scheme, a panel a measure."""

from ..common.plots import BLUE, GREEN, GREY, ORANGE, VERMILION, entitle, panels, percent
from .scenario import SCHEMES
from .study import Study


def table(results):
    """Victim, hot link, far part and slowdown of short messages, scheme by scheme."""
    study = Study(results)
    names = list(SCHEMES)[::-1]
    places = range(len(names))
    figure, axes = panels(4, height=4.6, sharey=True)

    def bars(panel, title, measure, colour, width=0.7):
        values = [float(study.sample(("incast", name), measure)) for name in names]
        panel.barh(places, values, width, color=colour)
        entitle(panel, title)

    bars(axes[0], "victim, of its fair share", lambda view: view.victim(), BLUE)
    bars(axes[1], "hot link, used", lambda view: view.hot(), GREEN)
    bars(axes[2], "far senders, of the hot link", lambda view: view.far(), VERMILION)
    bars(axes[3], "short messages, slowdown", lambda view: view.slowdown(0.99), ORANGE)
    bars(axes[3], "short messages, slowdown", lambda view: view.slowdown(0.5), BLUE, 0.35)
    axes[3].set_xlabel("thin: median, thick: 99 %")
    axes[3].set_xscale("log")
    for panel, fair in zip(axes, (1.0, 1.0, 0.5, 1.0), strict=True):
        panel.axvline(fair, color=GREY, lw=0.8, ls=":")
    for panel in axes[:3]:
        percent(panel.xaxis)
    axes[0].set_yticks(places, [SCHEMES[name]["label"] for name in names])
    return figure


FIGURES = {"table": table}
NEEDS = {"table": ["incast_"]}
