"""Words of an OpenSM file as values, the way C's strtoul reads them, but without its leniency.

OpenSM checks nothing: it takes the digits that it understands, drops the rest, and cuts what is left to the width of
the field. Here whatever would be cut or dropped is a complaint (`Misread`), and what is read differently than it looks
is a remark.
"""

import re

from .codes import Code
from .notes import SettingsError
from .registers import MOST_ENTRIES, SERVICE_LEVELS, out_of_range

_NUMBER = re.compile(r"0[xX][0-9a-fA-F]{1,64}|[0-9]{1,64}", re.ASCII)
_MASK = re.compile(r"(0[xX])?([0-9a-fA-F]+)", re.ASCII)


class Misread(Exception):
    """A value that OpenSM would read as something else: fact and remedy."""

    def __init__(self, fact, remedy):
        super().__init__(fact)
        self.fact, self.remedy = fact, remedy


def shown(text):
    """A piece of a file as a complaint quotes it: printable and short."""
    text = text if len(text) <= 40 else text[:37] + "..."
    return '"' + "".join(c if c.isprintable() else "?" for c in text) + '"'


def number(text, most, what, remarks):
    """A number: decimal, hexadecimal with 0x, or octal with a leading zero."""
    if not _NUMBER.fullmatch(text):
        example = "12 or 0xC"
        raise Misread(f"the {what} is {shown(text)}, which is not a number", f"Write a number such as {example}")
    if text[:2] in ("0x", "0X"):
        value = int(text, 16)
    elif text[0] == "0" and len(text) > 1:
        if re.search("[89]", text):
            raise Misread(f"the {what} is {text}, octal because of its leading zero", "Drop the zero")
        value = int(text, 8)
        if value > 7 or len(text) > 2:
            remarks.append((f"{text} is octal because of its leading zero: {value}", "Drop the zero, or write 0x"))
    else:
        value = int(text)
    complaint = out_of_range(value, most, what)
    if complaint:
        raise Misread(complaint.fact, complaint.remedy)
    return value


def mask(text, most, what, remarks):
    """A mask of 256 bits, which is hexadecimal with or without 0x."""
    match = _MASK.fullmatch(text)
    if not match:
        raise Misread(f"the {what} is {shown(text)}, which is not hexadecimal", "Write it as 0x and hexadecimal digits")
    if len(match[2]) > 64:
        fact = f"the {what} has {len(match[2])} digits"
        raise Misread(fact, "Write at most 64: OpenSM drops the last ones")
    value = int(match[2], 16)
    if value > most:
        raise Misread(f"the {what} has bit 255, which is reserved", "Clear it")
    if not match[1] and value > 9:
        remarks.append((f"{shown(text)} is hexadecimal although it has no 0x", "Write 0x before it"))
    return value


def boolean(text, what):
    """TRUE or FALSE; OpenSM takes anything but TRUE, even "true" and "1", as FALSE."""
    if text not in ("TRUE", "FALSE"):
        raise Misread(f"{what} is {shown(text)}, which OpenSM takes as FALSE", "Write TRUE or FALSE in capitals")
    return text == "TRUE"


def code(text, remarks):
    """A table entry, "shift:multiplier"."""
    shift, colon, multiplier = (part.strip() for part in text.partition(":"))
    if not colon:
        raise Misread(f"{shown(text)} is not a table entry", "Write shift:multiplier, such as 1:3")
    try:
        return Code(number(shift, 3, "shift", remarks), number(multiplier, 2**14 - 1, "multiplier", remarks))
    except SettingsError as error:
        raise Misread(error.complaints[0].fact, error.complaints[0].remedy) from None


def table(text, remarks):
    """A table: entries with commas between them; "(null)" is an empty one."""
    if text == "(null)":
        return ()
    words = text.split(",")
    if words[-1].strip() == "" and len(words) > 1:
        words.pop()
    if len(words) > MOST_ENTRIES:
        fact = f"the table has {len(words)} entries"
        raise Misread(fact, f"Keep {MOST_ENTRIES} of them: OpenSM drops the others")
    return tuple(code(word, remarks) for word in words)


def words(text, most, what, remarks):
    """A list of numbers with commas between them."""
    return [number(word.strip(), most, what, remarks) for word in text.split(",")]


def of_level(text, most, what, remarks):
    """A service level and a value."""
    parts = text.split()
    if len(parts) != 2:
        fact = f"the {what} is {shown(text)}"
        raise Misread(fact, "Write the service level before the value, such as `0 150`; else OpenSM skips the line")
    level = number(parts[0], SERVICE_LEVELS - 1, "service level", remarks)
    return level, number(parts[1], most, f"{what} of service level {level}", remarks)
