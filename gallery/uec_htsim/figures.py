"""Our completion times beside those of the key."""

from ..common.plots import BLUE, GREY, VERMILION, entitle, panels
from .claims import CLAIMS
from .key import cases


def tails(results):
    """Ours over theirs, run by run, for the rows that have a value."""
    names = [run for run, (_, metrics) in cases().items() if metrics.get("tail_fct") and run in results]
    rows = {row["id"]: row for row in CLAIMS.evaluate(results, {f"{run}/tail_fct" for run in names})}
    ratios = [rows[f"{run}/tail_fct"]["value"] / cases()[run][1]["tail_fct"] for run in names]
    figure, axes = panels(1)
    axes = axes[0]
    axes.axhspan(0.9, 1.1, color=GREY, alpha=0.25, lw=0)
    colours = [BLUE if abs(ratio - 1) <= 0.1 else VERMILION for ratio in ratios]
    axes.scatter(range(len(ratios)), ratios, c=colours, s=14)
    axes.set(xlabel="run", ylabel="tail here over tail in the key")
    entitle(axes, "Ultra Ethernet: last flow finished, against the published runs")
    return figure


FIGURES = {"tails": tails}
NEEDS = {"tails": [""]}
