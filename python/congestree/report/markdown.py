"""The README of a paper as blocks of a report: what it asks, how it was read, what deviates.

It covers the part of Markdown that our READMEs use: headings, paragraphs, lists, tables, fenced code. Emphasis, code
and links within a line lose their markup and keep their words; everything is escaped later, like all text of a page.
"""

import re

from .page import Code, Heading, Paragraph, Sentences, Table

_ITEM = re.compile(r"(?:[-*]|\d+\.) +")


def sections(text):
    """[(heading, blocks)] in order; the first, without a heading, is the text before all headings but the title."""
    found, lines = [("", [])], []
    fenced = False
    for line in [*text.splitlines(), "## "]:
        fenced ^= line.startswith("```")
        if line.startswith("## ") and not fenced:
            found[-1][1].extend(blocks(lines))
            found.append((plain(line[3:]), []))
            lines = []
        elif not line.startswith("# ") or fenced:
            lines.append(line)
    return [section for section in found if section[1]]


def blocks(lines):
    """The blocks of some lines."""
    found, at = [], 0
    while at < len(lines):
        line = lines[at]
        end = at + 1
        if line.startswith("```"):
            while end < len(lines) and not lines[end].startswith("```"):
                end += 1
            found.append(Code("\n".join(lines[at + 1 : end])))
            end += 1
        elif line.startswith("#"):
            found.append(Heading(plain(line.lstrip("# "))))
        elif line.strip():
            table = line.startswith("|")
            while end < len(lines) and lines[end].strip() and not lines[end].startswith(("```", "#")):
                if lines[end].startswith("|") != table:
                    break
                end += 1
            found.append(_table(lines[at:end]) if table else _prose(lines[at:end]))
        at = end
    return found


def plain(text):
    """Words without the signs of Markdown."""
    code = []

    def aside(match):
        code.append(match[1])
        return f"\0{len(code) - 1}\0"

    text = re.sub(r"`([^`]+)`", aside, text)  # nothing in code is a sign
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(\*\*?)(?=\S)(.+?)(?<=\S)\1", r"\2", text)
    return re.sub(r"\0(\d+)\0", lambda match: code[int(match[1])], text).strip()


def _prose(lines):
    """A paragraph, or a list if its first line begins one."""
    if not _ITEM.match(lines[0]):
        return Paragraph(plain(" ".join(line.strip() for line in lines)))
    items = []
    for line in lines:
        if begun := _ITEM.match(line):
            items.append(line[begun.end() :])
        else:
            items[-1] += " " + line.strip()
    return Sentences([plain(item) for item in items])


def _table(lines):
    rows = [[plain(cell) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
    right = [cell.endswith(":") for cell in rows[1]]
    columns = [f">{name}" if r else name for name, r in zip(rows[0], right, strict=True)]
    return Table(columns, [row + [""] * (len(columns) - len(row)) for row in rows[2:]])
