"""Our completion times beside those of the key."""

from congestree.gallery.published import INK

from ..common.plots import BLUE, GREY, VERMILION, entitle, panels
from ..common.study import Missing


def tails(results):
    """Ours over theirs, run by run, for the rows that have a value."""
    rows = [row for row in results.claims if row["id"].endswith("/tail_fct") and row["value"] and row["target"]]
    if not rows:
        raise Missing("tail_fct")
    ratios = [row["value"] / row["target"] for row in rows]
    figure, axes = panels(1)
    axes = axes[0]
    axes.axhspan(0.9, 1.1, color=GREY, alpha=0.25, lw=0, label="accepted")
    axes.axhline(1, color=INK, lw=1.2, ls="--", label="published")
    sure = [row["verdict"] == "reproduced" for row in rows]
    axes.scatter(range(len(ratios)), ratios, c=[BLUE if one else VERMILION for one in sure], s=14)
    for place, (row, ratio, one) in enumerate(zip(rows, ratios, sure, strict=True)):
        if not one:
            word = f"{row['id'].partition('/')[0]}: {row['verdict']}"
            side, ends = (-6, "right") if place > len(rows) / 2 else (6, "left")
            look = {"textcoords": "offset points", "ha": ends, "va": "center", "fontsize": 8}
            axes.annotate(word, (place, ratio), (side, 0), **look)
    axes.legend(frameon=False, fontsize=8.5, loc="lower right")
    axes.set(xlabel="run of the key, in its order", ylabel="tail here over tail in the key")
    entitle(axes, "Ultra Ethernet: last flow finished, against the published runs")
    return figure


FIGURES = {"tails": tails}
NEEDS = {"tails": [""]}
OF_CLAIMS = ["tails"]
"""Drawn from the rows of claims alone."""
