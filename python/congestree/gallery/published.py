"""Published values inside the axes of a figure: their places are named in `figures.py` of a paper, and nowhere else.

    PLACES = {"fig2a": [At("hpl2002-fig2a-victim", x=(42, 58), line="victim")]}

The values are in claims.toml: the number (`target`) and, if it is given as an interval, the accepted range (`accept`).
A value at one place is drawn as a diamond with a bar, one that holds over a range as a dashed line with a band. A claim
given by its name alone is drawn by the figure itself.
"""

import re
from dataclasses import dataclass

from .shipped import module, texts_of

NUMBER = r"(-?\d+(?:\.\d+)?(?:e-?\d+)?)"
ROOM = 0.04
"""Space between a value and the end of its axis, as a share of the axis."""
INK = "#222222"
KEY = "◇ or dashed, in the axes: published; its bar or band: accepted"


@dataclass(frozen=True)
class At:
    """A place in a figure, and the claim whose published number is drawn there.

    The number is `offset + scale * target`; `part` chooses it, or the sum of several, from a list of targets. With
    `y` it is a position along the other axis.
    """

    claim: str
    x: float | tuple | None = None  # a place, or from where to where
    share: tuple | None = None  # the same as shares of the width of the axes
    y: float | None = None
    line: str | None = None  # whose colour it has: the beginning of a label
    panel: int = 0
    part: int | tuple | None = None
    scale: float = 1.0
    offset: float = 0.0

    def numbers(self, text):
        """(published, least accepted, most accepted) in the unit of the axis; the latter may be None."""
        target, low, high = text["target"], None, None
        if self.part is not None:
            target = sum(target[k] for k in ((self.part,) if isinstance(self.part, int) else self.part))
        else:
            low, high = interval(text.get("accept", ""), target)
            if (low is not None and target < low) or (high is not None and target > high):
                low = high = None  # given in another unit, or of another quantity
        values = [None if v is None else self.offset + self.scale * v for v in (target, low, high)]
        return values[0], *(values[1:] if self.scale > 0 else values[:0:-1])


def places(paper):
    """Where published values are drawn in the figures of a paper: {figure: [At or the name of a claim, ...]}."""
    return getattr(module(paper, "figures"), "PLACES", {})


def placed(paper):
    """The figures in whose axes the published number of a claim is drawn: {claim: [figure, ...]}."""
    found = {}
    for figure, here in places(paper).items():
        for place in here:
            found.setdefault(getattr(place, "claim", place), []).append(figure)
    return found


def draw(figure, here, texts):
    """Draw published values into a figure; here: a list of `At`, texts: those of claims.toml.

    Returns those without a line of their name, or without room along the axis: {claim: the reason}.
    """
    lost = {}
    for place in (place for place in here if isinstance(place, At)):
        axes = figure.axes[place.panel]
        ends = axes.get_xlim(), axes.get_ylim()
        colour = colour_of(figure, axes, place.line)
        if place.line and colour is None:
            lost[place.claim] = f"nothing in the figure has a label that begins with {place.line}"
        colour = INK if colour is None else colour
        value, low, high = place.numbers(texts[place.claim])
        if place.y is None and not isinstance(place.x, (int, float)):
            _span(axes, place, colour, value, low, high)
        else:
            _point(axes, place, colour, value, low, high)
        known = [v for v in (value, low, high) if v is not None]
        inside(axes, *ends, known, place)
        along, (first, last) = (place.x, sorted(ends[0])) if place.y is None else (place.y, sorted(ends[1]))
        places_along = along if isinstance(along, tuple) else () if along is None else (along,)
        if not all(first <= at <= last for at in places_along):
            lost[place.claim] = f"{along} is not within {first:.4g} and {last:.4g}"
    return lost


def _span(axes, place, colour, value, low, high):
    """A dashed line over a range, with a band from the least to the most that is accepted."""
    across, where = place.x or place.share, axes.get_yaxis_transform() if place.share else axes.transData
    if low is not None or high is not None:
        band = [value if low is None else low] * 2, [value if high is None else high] * 2
        axes.fill_between(across, *band, color=colour, alpha=0.16, lw=0, zorder=2, transform=where)
    for ink, width, style in (("white", 3.4, "-"), (colour, 1.7, (0, (3, 1.2)))):
        axes.plot(across, [value] * 2, color=ink, lw=width, ls=style, zorder=6, transform=where, gid=place.claim)


def _point(axes, place, colour, value, low, high):
    """A diamond with a bar."""
    bar = [[0 if low is None else value - low], [0 if high is None else high - value]]
    where, along = ((place.x, value), "yerr") if place.y is None else ((value, place.y), "xerr")
    look = {"fmt": "D", "ms": 6, "mfc": "white", "mec": colour, "mew": 1.5, "ecolor": colour, "elinewidth": 1.5}
    drawn = axes.errorbar(*where, **{along: bar if any(map(any, bar)) else None}, capsize=3, zorder=6, **look)
    drawn.lines[0].set_gid(place.claim)


def inside(axes, xlim, ylim, known, place):
    """The axes extended just far enough that the published values are visible."""
    along = axes.set_ylim if place.y is None else axes.set_xlim
    axes.set_xlim(xlim)
    axes.set_ylim(ylim)
    first, last = ylim if place.y is None else xlim
    low, high = sorted((first, last))
    linear = (axes.get_yscale() if place.y is None else axes.get_xscale()) == "linear"
    room = ROOM * (high - low) if linear else 0.0
    low = low if min(known) >= low else min(known) - room
    high = high if max(known) <= high else max(known) + room
    along((low, high) if first <= last else (high, low))


def colour_of(figure, axes, line):
    """The colour of the line with this label, else of one whose label begins so, in these axes or any of the figure."""
    for fits in (str.__eq__, str.startswith) if line else ():
        for one in (axes, *figure.axes):
            for handle, label in zip(*one.get_legend_handles_labels(), strict=True):
                if fits(label, line):
                    first = handle[0] if hasattr(handle, "__getitem__") else handle
                    return first.get_color() if hasattr(first, "get_color") else first.get_facecolor()
    return None


def in_words(paper, figure):
    """What is drawn inside the axes of a figure, as a sentence; "" if nothing is."""
    drawn = list(dict.fromkeys(getattr(place, "claim", place) for place in places(paper).get(figure, ())))
    if not drawn:
        return ""
    texts = texts_of(paper)
    said = "; ".join(f"{texts[claim].get('metric', claim)} ({claim})" for claim in drawn)
    return f"Inside the axes, as published: {said}."


def interval(accept, target=None):
    """The accepted range if written as an interval: "0.1 <= x <= 0.2", "> 5", "7-33", "up to 5"; else (None, None).

    target: the published number, around which "+- 0.03" alone is taken.
    """
    said = accept.strip()
    if target is not None and (found := re.fullmatch(rf"\+-\s*{NUMBER}", said)):
        return target - float(found[1]), target + float(found[1])
    if found := re.fullmatch(rf"{NUMBER}\s*<=?\s*\w+\s*<=?\s*{NUMBER}", said):
        return float(found[1]), float(found[2])
    if found := re.fullmatch(rf"(?:within\s+)?(?:\w+\s*=\s*)?{NUMBER}\s*\+-\s*{NUMBER}(?:\s*[A-Za-z%/]+)?", said):
        return float(found[1]) - float(found[2]), float(found[1]) + float(found[2])
    if found := re.fullmatch(rf"{NUMBER}\s*(?:-|to)\s*{NUMBER}(?:\s*[A-Za-z%/]+)?", said):
        return float(found[1]), float(found[2])
    if found := re.fullmatch(rf"(?:\w+\s*)?>=?\s*{NUMBER}", said):
        return float(found[1]), None
    if found := re.fullmatch(rf"{NUMBER} or (?:higher|more)", said):
        return float(found[1]), None
    if found := re.fullmatch(rf"(?:(?:\w+\s*)?<=?|up to)\s*{NUMBER}|{NUMBER} or (?:lower|less)", said):
        return None, float(found[1] or found[2])
    return None, None
