"""Draws the picture of the README from the runs of the demo.

    make demo
    .venv/bin/python tools/picture.py         # writes docs/images/spreading.png

Left: Fig. 2(a) of HPL-2002-4, flow control alone. Right: Fig. 2(b), a window of one packet.
"""

import sys
from pathlib import Path

from congestree import Run, plots

ROOT = Path(__file__).parent.parent
PANELS = (
    ("fig2a_r0-*", "Flow control alone: congestion spreads"),
    ("fig2b_r0-*", "A window of one packet: cured"),
)


@plots.styled
def draw(demo):
    """Both runs side by side: the mean rate of each class as a share of the link."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    figure = Figure(figsize=(9.0, 3.1), layout="constrained")
    FigureCanvasAgg(figure)
    both = figure.subplots(1, 2, sharey=True)
    for ax, (pattern, title) in zip(both, PANELS, strict=True):
        folder = next(iter(sorted((demo / "runs").glob(pattern))), None)
        if folder is None:
            sys.exit(f"There is no run {pattern} in {demo}: run `make demo` first.")
        plots.plot_rates(Run.load(folder), window="2 ms", by="class", relative_to="1 GB/s", ax=ax)
        ax.get_legend().remove()
        ax.set(title=title, xlim=(30, 70), ylim=(0, 1), ylabel="")
        ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    both[0].set_ylabel("rate, share of a link")
    for line in both[1].get_lines():
        line.set_linewidth(2.0)
    for line in both[0].get_lines():
        line.set_linewidth(2.0)
    names = {
        "local": "each of 5 local flows to the hot host",
        "remote": "the remote flow to the hot host",
        "victim": "the victim",
    }
    handles, labels = both[0].get_legend_handles_labels()
    figure.legend(
        handles, [names.get(label.split(" (")[0], label) for label in labels], loc="outside lower center", ncols=3
    )
    return figure


def main():
    """Draw and write the picture."""
    demo = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "runs" / "demo"
    path = ROOT / "docs" / "images" / "spreading.png"
    draw(demo).savefig(path, dpi=96, metadata={"Software": None})
    print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
