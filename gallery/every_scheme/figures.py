"""The figure of the page, for a slide: what victims of the incast have, against how long those of the exchange take."""

from math import cos, log, pi, sin

from matplotlib.transforms import Bbox

from ..common.plots import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, panels, percent
from .scenario import FAIR, HEADER, LOSSY, PACKET
from .schemes import CASES
from .study import Study, View

COLOURS = {
    "none": (GREY, "flow control alone"),
    "throttling": (BLUE, "rates by marks or delay"),
    "telemetry": (GREEN, "rates by telemetry"),
    "isolation": (VERMILION, "isolation"),
    "both": (PURPLE, "isolation and rates"),
    "regional": (BLACK, "regional"),
    "ultra ethernet": (ORANGE, "Ultra Ethernet"),
    "transport": (SKY, "transports that repair"),
}
"""By family; colours that can be distinguished with any colour vision."""
SHAPES = {"credits": "o", "pfc": "s", "drop": "v", "trim": "D"}
WORDS = {"credits": "lossless, credits", "pfc": "lossless, pauses", "drop": "lossy, drops", "trim": "lossy, trims"}
NEAR = 0.03, 0.9
"""Points of one scheme this close, in y and in the logarithm of x, share a name."""
SMALL = 11.5
"""Points of text: the least for the last row."""


def victims(results):
    """All cases in one panel, each scheme named at its points."""
    study = Study(results)
    x = {case: float(sample) for case, sample in study.cases("exchange", lambda view: view.latency("victim")).items()}
    y = {case: float(sample) for case, sample in study.cases("incast", View.victim).items()}
    figure, (panel,) = panels(height=7.2, width=12.8)
    for case, (links, scheme) in CASES.items():
        if case in x:
            filled = "none" if links in LOSSY else COLOURS[scheme["family"]][0]
            colour = COLOURS[scheme["family"]][0]
            panel.plot(x[case], y[case], SHAPES[links], ms=9, mfc=filled, mec=colour, mew=2, ls="", zorder=3)
    panel.set_xscale("log")
    panel.set_xlim(min(x.values()) / 1.5, max(x.values()) * 2)
    panel.set_ylim(-0.03, 1.08)
    fair = FAIR * PACKET / (PACKET + HEADER)
    panel.axhline(fair, color=GREY, lw=1, ls=":", zorder=1)
    panel.text(
        0.995, fair, "fair on one way", transform=panel.get_yaxis_transform(), ha="right", va="bottom", fontsize=SMALL
    )
    panel.set_xlabel("exchange of experts: 99 % of what its victims send is in within (µs)", fontsize=15)
    panel.set_ylabel("incast: victims' goodput, of a link", fontsize=15)
    panel.tick_params(labelsize=13)
    percent(panel.yaxis)
    panel.set_title("Who frees the victims? Left and high is good", loc="left", fontsize=18)
    explain(panel)
    figure.draw_without_rendering()
    name_points(panel, [(scheme_label(case), x[case], y[case]) for case in x])
    return figure


def scheme_label(case):
    return CASES[case][1]["label"]


def explain(panel):
    """What shapes and colours mean."""
    handles = [panel.plot([], [], "s", ms=9, color=colour, label=word)[0] for colour, word in COLOURS.values()]
    handles += [
        panel.plot(
            [], [], shape, ms=9, mec=BLACK, mew=2, mfc="none" if links in LOSSY else BLACK, ls="", label=WORDS[links]
        )[0]
        for links, shape in SHAPES.items()
    ]
    panel.figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=SMALL + 0.5)


def name_points(panel, points):
    """Names next to points, without overlap; a thin line leads to a point that is further away."""
    to_pixels, scale = panel.transData.transform, panel.figure.dpi / 72
    taken = [square(to_pixels((x, y)), 6 * scale) for _, x, y in points]
    renderer = panel.figure.canvas.get_renderer()
    for label, x, y in merged(points):
        at = to_pixels((x, y))
        text = panel.annotate(label, (x, y), (0, 0), textcoords="offset points", fontsize=SMALL, va="center", zorder=4)
        box = text.get_window_extent(renderer)
        offset = place(at, box.width, box.height, taken, panel.bbox, scale)
        taken.append(Bbox.from_bounds(at[0] + offset[0], at[1] + offset[1] - box.height / 2, box.width, box.height))
        text.set_position((offset[0] / scale, offset[1] / scale))
        if max(abs(offset[0]), abs(offset[1])) > 22 * scale:
            end = panel.transData.inverted().transform(
                (at[0] + offset[0] + (0 if offset[0] > 0 else box.width), at[1] + offset[1])
            )
            panel.plot([x, end[0]], [y, end[1]], color=GREY, lw=0.7, zorder=2)


def merged(points):
    """Points of one scheme that lie together have one name."""
    found = []
    for label, x, y in points:
        near = any(label == other and abs(y - v) < NEAR[0] and abs(log(x / u)) < NEAR[1] for other, u, v in found)
        if not near:
            found.append((label, x, y))
    return found


def square(at, half):
    return Bbox.from_extents(at[0] - half, at[1] - half, at[0] + half, at[1] + half)


def place(at, width, height, taken, inside, scale):
    """Offset in pixels of the left middle of a name: the nearest place where it covers nothing."""
    for step in range(40):
        far = (8 + 7 * step) * scale
        for across, up in WAYS:
            left = far * across - (width if across < -0.1 else 0 if across > 0.1 else width / 2)
            box = Bbox.from_bounds(at[0] + left, at[1] + far * up - height / 2, width, height).padded(2 * scale)
            free = not any(box.overlaps(other) for other in taken)
            if (
                free
                and inside.containsx(box.x0)
                and inside.containsx(box.x1)
                and inside.containsy(box.y0)
                and inside.containsy(box.y1)
            ):
                return left, far * up
    return 8 * scale, 0.0


WAYS = tuple(
    (cos(pi * turn / 8), sin(pi * turn / 8)) for turn in (0, 8, 1, -1, 7, -7, 2, -2, 6, -6, 3, -3, 5, -5, 4, -4)
)
"""Directions in which a name may be placed, the best first."""
FIGURES = {"victims": victims}
NEEDS = {"victims": [""]}
