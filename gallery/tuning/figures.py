"""The figures: how fast searches approach the best of a grid, and chance does; tails of web search on fresh seeds."""

from ..common.plots import BLUE, GREEN, GREY, ORANGE, VERMILION, entitle, legend_below, panels, percent
from .claims import GOALS, NEAR, Study

TITLES = {"victim": "victims' rate", "root": "use of the root", "fairness": "fairness of contributors"}


def over_grid(part):
    """A panel for each goal: the gap of the best so far, for every seed of the sampler."""

    def draw(results):
        study = Study(results)
        figure, axes = panels(len(GOALS), sharey=True)
        for panel, word in zip(axes, GOALS, strict=True):
            grid = study.goal(part, word)
            for number, search in enumerate(grid.searches):
                label = "congestree tune" if number == 0 else None
                gaps = grid.so_far(search)
                panel.step(range(1, len(gaps) + 1), gaps, where="post", color=BLUE, lw=1, alpha=0.8, label=label)
            panel.axhline(NEAR, color=GREY, lw=1, ls=":")
            panel.set(xlabel="evaluations", ylim=(0, 0.3))
            percent(panel.yaxis)
            chance = panel.twinx()
            draws = range(1, max(map(len, grid.searches)) + 1)
            chance.plot(draws, [grid.by_chance(n) for n in draws], color=ORANGE, lw=1.2)
            chance.set(ylim=(0, 1.02), ylabel="probability that random search is within 2 %")
            chance.grid(False)
            percent(chance.yaxis)
            if panel is not axes[-1]:
                chance.set_ylabel("")
            entitle(panel, TITLES[word])
        axes[0].set_ylabel("best so far, below the best of the grid")
        axes[0].plot([], color=ORANGE, lw=1.2, label="random search (right)")
        return legend_below(figure, axes[0])

    return draw


def websearch(results):
    """The tail on each fresh seed: both presets, random search, the tuner."""
    study = Study(results)
    fresh = study.tails("websearch", *(["websearch-random"] if "websearch-random" in study.answers else []))
    figure, (axes,) = panels()
    looks = {"dcqcn-vendor": GREY, "dcqcn-paper": ORANGE, "random": GREEN, "tpe": VERMILION}
    names = {
        "dcqcn-vendor": "preset, vendor",
        "dcqcn-paper": "preset, paper",
        "random": "random search",
        "tpe": "tuned",
    }
    shown = [key for key in looks if key in fresh]
    for at, key in enumerate(shown):
        tails, colour = fresh[key], looks[key]
        axes.plot([at] * len(tails), tails, "o", color=colour, ms=4)
        axes.plot([at - 0.25, at + 0.25], [sum(tails) / len(tails)] * 2, color=colour, lw=2)
    axes.set_xticks(range(len(shown)), [names[key] for key in shown])
    axes.set(ylabel="99 % slowdown of web search flows", ylim=(0, None))
    return figure


FIGURES = {part: over_grid(part) for part in ("testbed", "forest72", "forest648")} | {"websearch": websearch}
NEEDS = {name: (name,) for name in FIGURES} | {"websearch": ("websearch", "websearch-random")}
