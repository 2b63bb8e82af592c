"""What a paper says about a figure, and the results: which claims belong to a figure, and the lines below it."""

import re
import textwrap

from .published import placed
from .shipped import texts_of

SIZE, SPACING, MOST = 7.0, 1.4, 8
"""Size of the lines below a figure in points, their distance in sizes, and the largest number of statements."""
DPI = 160
LETTERS = 19
"""Letters of that size to an inch."""
STRIP, LINES, REDUCED = "pixels of the lines beneath", "lines beneath", "drawn from the reduced version"
"""Keys of the metadata in the file of a figure."""
MARKS = {"reproduced": "✓", "analytic": "✓", "not reproduced": "✗", "undecided": "?"}


def figures_of(claim, text, figures):
    """Figures that a claim is about: by its id, else by where it stands in the paper; the nearest name first."""
    words = [word for word in claim["id"].split("-") if word in figures] + re.findall(r"fig\w+", claim["id"])
    words += [
        f"fig{number}{(letter or '').strip('()')}".lower()
        for number, letter in re.findall(r"Fig(?:ure|s|\.)*\s*(\d+)\s*(\([a-z]\)|[a-z]\b)?", text.get("where", ""))
    ]
    found = [figure for word in words for figure in figures if figure == word]
    found += [f for w in words for f in figures if f.startswith(w) and not f[len(w) : len(w) + 1].isdigit()]
    found += [f for w in words for f in figures if w.startswith(f) and not w[len(f) : len(f) + 1].isdigit()]
    return list(dict.fromkeys(found))


def by_figure(paper, claims, figures):
    """Every claim with the nearest figure that it is about: ({figure: claims}, claims without one).

    A claim that names no figure belongs to the one in whose axes its published number is drawn.
    """
    texts, groups, rest, drawn = texts_of(paper), {figure: [] for figure in figures}, [], placed(paper)
    for claim in claims:
        mine = figures_of(claim, texts.get(claim["id"], {}), groups)
        mine = mine or [figure for figure in drawn.get(claim["id"], ()) if figure in groups]
        (groups[mine[0]] if mine else rest).append(claim)
    return groups, rest


def published(claim, text, in_words):
    """The published result as text: the paper's words, or the target value."""
    return text.get("paper") or in_words(claim.get("target"))


def lines_of(claims, texts, in_words, here, width):
    """The published results of a figure, and ours, in lines of at most this many letters.

    Claims without a published statement come last, with their question, or as measured only.
    in_words: a value as text; here: our result of a claim, as text.
    """
    told = [(claim, said_of(claim, texts.get(claim["id"], {}), in_words)) for claim in claims]
    told = sorted(told, key=lambda one: not one[1].startswith("Published"))
    lines = []
    metrics = [texts.get(claim["id"], {}).get("metric") for claim, _ in told]
    for (claim, said), metric in zip(told[:MOST], metrics, strict=False):
        what = metric if metric and metrics.count(metric) == 1 else claim["id"]
        first = f"{MARKS.get(claim['verdict'], '·')} "
        lines += textwrap.wrap(
            f"{what}. {said} Here: {here(claim)}.", width, initial_indent=first, subsequent_indent="    ", max_lines=2
        )
    if len(told) > MOST:
        lines.append(f"  and {len(told) - MOST} more on the page of claims")
    return lines


def said_of(claim, text, in_words):
    """What was published of a claim, else its question, else the remark that it is only measured."""
    said = published(claim, text, in_words)
    if said != in_words(None):
        return f"Published: {said}."
    return f"Asked: {text['accept']}." if text.get("accept") else "Measured, not judged."


def width_of(figure):
    """How many letters of the lines beneath go side by side."""
    return int(LETTERS * figure.get_figwidth())


def save(figure, path, lines, reduced=False):
    """Write a figure with lines of text beneath; `reduced`: it is drawn from the runs of the reduced version."""
    _compose(_picture(figure), path, lines, reduced)


def beneath(path):
    """The metadata of a saved figure: (height of the lines below in pixels, is it of the reduced version?)."""
    from PIL import Image

    with Image.open(path) as image:
        return (int(image.text[STRIP]), REDUCED in image.text) if STRIP in image.text else None


def letter(path, words):
    """Write other lines beneath a saved figure. `words`: function(letters side by side, reduced version?) -> lines."""
    from PIL import Image

    height, reduced = beneath(path)
    with Image.open(path) as image:
        lines = words(int(LETTERS * image.width / DPI), reduced)
        if image.text.get(LINES) == "\n".join(lines):
            return
        picture = image.convert("RGB").crop((0, 0, image.width, image.height - height))
    _compose(picture, path, lines, reduced)


def _compose(picture, path, lines, reduced):
    """A picture and its lines, as a file that records where the picture ends."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image, PngImagePlugin

    pictures = [picture]
    if lines:
        height = (len(lines) + 1.5) * SPACING * SIZE / 72
        strip = Figure(figsize=(picture.width / DPI, height))
        FigureCanvasAgg(strip)
        words = {"va": "top", "fontsize": SIZE, "linespacing": SPACING, "color": "#444444", "parse_math": False}
        strip.text(0.012, 1.0 - 0.5 * SPACING * SIZE / 72 / height, "\n".join(lines), **words)
        pictures.append(_picture(strip))
    whole = Image.new("RGB", (picture.width, sum(p.height for p in pictures)), "white")
    for number, one in enumerate(pictures):
        whole.paste(one, (0, picture.height * number))
    told = PngImagePlugin.PngInfo()
    told.add_text(STRIP, str(whole.height - picture.height))
    told.add_itxt(LINES, "\n".join(lines))
    if reduced:
        told.add_text(REDUCED, "yes")
    whole.quantize(128, dither=Image.Dither.NONE).save(path, format="png", pnginfo=told)


def _picture(figure):
    """A drawn figure as pixels, without the way through a file format."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure.set_dpi(DPI)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # once, where `savefig` lays a figure out by drawing it, and then draws it
    return Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba(), "raw").convert("RGB")
