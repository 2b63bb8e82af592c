"""Documents of plain values, and the page made of them: all text is escaped here and nowhere else.

A document is a title, a line under it, and parts; a part is a heading and blocks; a block is one of the classes below.
The page has no script, and forbids itself any and the network besides.
"""

import datetime
from dataclasses import dataclass, field
from pathlib import Path

from ..view.page import as_html

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
STYLE = Path(__file__).with_name("page.css")


@dataclass
class Sentences:
    """Findings, one a line."""

    said: list


@dataclass
class Paragraph:
    text: str


@dataclass
class Heading:
    """Of some of the blocks of a part."""

    text: str


@dataclass
class Picture:
    """A picture as SVG or PNG, its caption, and the same in words for readers who cannot see it."""

    data: str  # an address that begins with data:
    caption: str
    words: str


@dataclass
class Table:
    """Columns whose name begins with ">" are numbers. Cells are text, or `Mark` or `Verdict`."""

    columns: list
    rows: list
    caption: str = ""


MOST_LINES = 100
"""Lines of code that a page shows at once. A fabric link by link would be most of the page, and of its print."""


@dataclass
class Code:
    text: str


@dataclass
class Mark:
    """Where a value lies: the accepted interval, the published value, our result and its spread."""

    here: float
    paper: float | None = None
    low: float | None = None
    high: float | None = None
    spread: tuple | None = None


@dataclass
class Verdict:
    word: str


@dataclass
class Part:
    heading: str
    blocks: list


@dataclass
class Document:
    title: str
    under: str
    parts: list = field(default_factory=list)


def render(document):
    """The page of a document."""
    from .. import __version__

    today = datetime.date.today().isoformat()
    body = "\n".join(_part(part) for part in document.parts if part.blocks)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{as_html(document.title)}</title>\n<style>{STYLE.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n"
        f'<header><h1>{as_html(document.title)}</h1>\n<p class="under">{as_html(document.under)}</p></header>\n'
        f'{body}\n<footer><p class="under">Made by congestree {as_html(__version__)} on {today}.</p></footer>\n'
        "</body>\n</html>\n"
    )


def _part(part):
    blocks = "\n".join(_block(block) for block in part.blocks)
    return f"<section>\n<h2>{as_html(part.heading)}</h2>\n{blocks}\n</section>"


def _block(block):
    if isinstance(block, Sentences):
        items = "\n".join(f"<li>{as_html(sentence)}</li>" for sentence in block.said)
        return f'<ul class="findings">\n{items}\n</ul>'
    if isinstance(block, Heading):
        return f"<h3>{as_html(block.text)}</h3>"
    if isinstance(block, Picture):
        image = f'<img src="{as_html(block.data)}" alt="{as_html(block.words)}">'
        return f"<figure>{image}<figcaption>{as_html(block.caption)}</figcaption></figure>"
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Code):
        # Line breaks are kept here; all other text is shown unchanged.
        lines = [as_html(line) for line in block.text.split("\n")]
        code = "<pre><code>" + "\n".join(lines) + "</code></pre>"
        if len(lines) <= MOST_LINES:
            return code
        return f"<details><summary>{len(lines):,} lines: open to read or print them</summary>{code}</details>"
    return f"<p>{as_html(block.text)}</p>"


def _table(table):
    number = [name.startswith(">") for name in table.columns]
    kind = [' class="number"' if n else "" for n in number]
    head = "".join(
        f"<th{k}>{as_html(name.removeprefix('>'))}</th>" for k, name in zip(kind, table.columns, strict=True)
    )
    rows = "\n".join(
        "<tr>" + "".join(_cell(cell, k) for cell, k in zip(row, kind, strict=True)) + "</tr>" for row in table.rows
    )
    caption = f"<caption>{as_html(table.caption)}</caption>" if table.caption else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>"


def _cell(cell, kind):
    if isinstance(cell, Mark):
        return f'<td class="mark">{_mark(cell)}</td>'
    if isinstance(cell, Verdict):
        bad = cell.word == "not reproduced"
        sign = {"reproduced": "✓ ", "not reproduced": "✗ "}.get(cell.word, "")
        return f'<td class="verdict {"bad" if bad else "good" if sign else "under"}">{sign}{as_html(cell.word)}</td>'
    return f"<td{kind}>{as_html('' if cell is None else cell)}</td>"


def _mark(mark):
    """A line with the accepted interval as a band, the published value as a stroke, ours as a dot."""
    spread = mark.spread or (mark.here, mark.here)
    known = [v for v in (mark.here, mark.paper, mark.low, mark.high, *spread) if v is not None]
    low, high = min(known), max(known)
    margin = (high - low) * 0.12 or abs(high) * 0.1 or 1.0
    low, high = low - margin, high + margin

    def x(value):
        return round(200 * (value - low) / (high - low), 1)

    drawn = ['<line class="axis" x1="0" x2="200" y1="11" y2="11"/>']
    words = [f"here {mark.here:.4g}"]
    if mark.low is not None or mark.high is not None:
        left, right = (x(mark.low) if mark.low is not None else 0), (x(mark.high) if mark.high is not None else 200)
        drawn.append(f'<rect class="band" x="{left}" width="{max(right - left, 2)}" y="3" height="16"/>')
        bounds = [f"{word} {value:.4g}" for word, value in (("from", mark.low), ("to", mark.high)) if value is not None]
        words.append("accepted " + " ".join(bounds))
    if mark.paper is not None:
        drawn.append(f'<line class="paper" x1="{x(mark.paper)}" x2="{x(mark.paper)}" y1="2" y2="20"/>')
        words.append(f"published {mark.paper:.4g}")
    if mark.spread:
        drawn.append(f'<line class="spread" x1="{x(spread[0])}" x2="{x(spread[1])}" y1="11" y2="11"/>')
    inside = (mark.low is None or mark.here >= mark.low) and (mark.high is None or mark.here <= mark.high)
    drawn.append(f'<circle class="{"here" if inside else "out"}" cx="{x(mark.here)}" cy="11" r="4.5"/>')
    label = as_html(", ".join(words))
    return f'<svg viewBox="0 0 200 22" role="img" aria-label="{label}"><title>{label}</title>{"".join(drawn)}</svg>'
