"""Pieces of Markdown for the generated pages."""

import html
import json
import re


def table(head, rows):
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    lines += ["| " + " | ".join(cell(c) for c in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def cell(value):
    """Text for a table cell."""
    text = re.sub(r"<(?=[a-z])(?!br>)", "&lt;", str(value))
    return re.sub(r"(?<!\\)\|", r"\\|", text).replace("\n", " ").strip()


def code(value):
    """A value as code, or nothing."""
    if value is None or value == "":
        return ""
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value))  # a choice with its defaults
    return f"`{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}`"


def in_html(text):
    """Text for an element of HTML, which Markdown leaves alone: what stands between backticks is code there, too."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(str(text)))


def plain(text):
    """Help text without rich's markup."""
    text = re.sub(r"(?<!\\)\[/?(bold|dim|italic)\]", "", text or "")
    return text.replace("\\[", "[")
