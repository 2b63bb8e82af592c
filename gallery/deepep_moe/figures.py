"""The table as curves, and the study in four panels."""

from ..common.plots import BLUE, GREY, VERMILION, doublings, entitle, legend_below, panels
from ..common.study import Missing
from .runs import MUCH
from .scenario import PUBLISHED
from .study import Study

COLOURS = {"off": BLUE, "on": VERMILION}
LINES = {"static": "--", "adaptive": "-"}
AMOUNTS = {"skew": "Zipf's exponent", "tenant": "load of all others", "storage": "writers", "slow": "Gbit/s to it"}


def table(results):
    """Dispatch and combine by number of ranks, with the published values."""
    study = Study(results)
    figure, axes = panels(2)
    for panel, (operation, published) in zip(axes, PUBLISHED.items(), strict=True):
        panel.plot(*zip(*published.items(), strict=True), "o", color=GREY, label="DeepEP")
        for control, colour in COLOURS.items():
            for ways, line in LINES.items():
                ours = study.times(operation, control, ways)
                times = [float(time + study.fixed()) for time in ours.values()]
                panel.plot(list(ours), times, line, color=colour, label=f"{control}, {ways}")
        doublings(panel.xaxis)
        panel.set(xlabel="ranks", ylabel="time (µs)", ylim=(0, None))
        entitle(panel, operation)
    return legend_below(figure, axes[0])


def safe(results):
    """The exchange of 64 ranks under each kind of disturbance, over that of the quiet fabric."""
    study = Study(results)
    figure, axes = panels(4)
    for panel, (kind, word) in zip(axes, AMOUNTS.items(), strict=True):
        for control, colour in COLOURS.items():
            for ways, line in LINES.items():
                quiet = study.whole("quiet", "off", ways, 0)
                points = []
                for much in MUCH[kind]:
                    try:
                        points.append((much, study.whole(kind, control, ways, much) / quiet))
                    except Missing:
                        continue
                x, y = zip(*points, strict=True) if points else ((), ())
                panel.plot(x, y, "o" + line, color=colour, label=f"{control}, {ways}")
        panel.set(xlabel=word, ylim=(0, None))
        entitle(panel, kind)
    axes[0].set_ylabel("time over that of the quiet fabric")
    return legend_below(figure, axes[0])


CLAIMED = [(operation, ranks) for operation, table in PUBLISHED.items() for ranks in table][1:]
"""The fixed cost comes from the first."""
FIGURES = {"table": table, "safe": safe}
NEEDS = {"table": ["table_"], "safe": ["study_"]}
PLACES = {"table": [f"deepep-{operation}-{ranks}" for operation, ranks in CLAIMED]}
"""Claims whose published numbers are dots in the axes."""
