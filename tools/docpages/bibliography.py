"""The page of cited papers, from docs/bibliography.bib."""

import re
import unicodedata

from .adopted import DOCS

ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303"}
"""Accents of TeX as the characters of Unicode that combine with the letter before them."""
VENUES = ("journal", "booktitle", "publisher", "school", "howpublished")


def bibliography_page():
    """The cited papers."""
    source = (DOCS / "bibliography.bib").read_text(encoding="utf-8")
    entries = re.findall(r"@\w+\{(\w+),(.*?)\n\}", source, re.S)
    return "\n".join(["# Bibliography\n", *(f"**[{key}]** {_entry(_fields(body))}\n" for key, body in entries)])


def _fields(body):
    """The fields of an entry, as text without TeX."""
    return {k: _untexed(v) for k, v in re.findall(r"(\w+)\s*=\s*\{(.*?)\}(?:,\n|,?\s*$)", body, re.S)}


def _untexed(text):
    r"""Text without braces, lines, accents such as \'e, and escapes such as \_."""
    text = re.sub(r"\s+", " ", re.sub(r"[{}]", "", text))
    text = re.sub(r"\\(['`\"^~])(\w)", lambda found: found[2] + ACCENTS[found[1]], text)
    return unicodedata.normalize("NFC", re.sub(r"\\([_&%$#])", r"\1", text))


def _entry(fields):
    """Authors, title, where and when it was published, and our note."""
    authors = (" ".join(reversed(author.split(", "))) for author in re.split(r"\s+and\s+", fields["author"]))
    institution = " ".join(fields[key] for key in ("institution", "number") if key in fields)
    facts = (
        next((fields[key] for key in VENUES if key in fields), institution),
        f"vol. {fields['volume']}" if "volume" in fields else "",
        f"pp. {fields['pages']}".replace("--", "-") if "pages" in fields else "",
        fields["year"],
    )
    note = f" {fields['note']}." if "note" in fields else ""
    return f"{'; '.join(authors)}: *{fields['title']}*. {', '.join(filter(None, facts))}.{note}"
