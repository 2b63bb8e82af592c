"""The documents, and the blocks of code in them."""

import itertools
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    p
    for p in [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("*/README.md"),
        ROOT / "packaging/description.md",
        *ROOT.glob("gallery/*/README.md"),
    ]
)

_FENCE = re.compile(
    r"(?P<note><!--[^\n]*-->\n)?^```(?P<language>\w+)?(?P<options>[^\n]*)\n(?P<text>.*?)^```\s*$", re.S | re.M
)
_TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file it stands for (if it says so), its text, and where it is."""

    page: Path
    line: int
    language: str
    title: str | None
    text: str
    note: str

    def __str__(self):
        return f"{name(self.page)}:{self.line}"


def name(page):
    """A page's path in the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks(page):
    """All fenced blocks of a page, in order."""
    source = page.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(source):
        title = _TITLE.search(match["options"] or "")
        line = source.count("\n", 0, match.start("text"))
        note = (match["note"] or "").strip()
        found.append(Block(page, line, match["language"] or "", title and title[1], match["text"], note))
    return found


def prose(page):
    """A page without its fenced blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def commands(block):
    """The commands of a block for a shell, without remarks; what goes on in the next line, or is read from the block
    itself (`<<'END'`), is part of its command.
    """
    found, lines = [], iter(block.text.splitlines())
    for line in lines:
        if block.language == "console" and not line.startswith("$ "):
            continue
        line = re.sub(r"\s+# .*", "", line.removeprefix("$ "))
        while line.endswith("\\"):
            line = f"{line[:-1].rstrip()} {next(lines).strip()}"
        if end := re.search(r"<<'(\w+)'$", line):
            line = "\n".join([line, *itertools.takewhile(lambda one: one != end[1], lines), end[1]])
        if line.strip():
            found.append(line)
    return found
