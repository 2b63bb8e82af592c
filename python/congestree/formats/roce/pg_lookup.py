"""`pg_profile_lookup.ini` of SONiC switches: buffer profiles of lossless traffic by speed and cable length.

    # speed cable size   xon   xoff   threshold xon_offset
    100000  5m    19456  19456 36864  0
    400000  40m   19456  19456 154624 0         2496

Speed is in Mbit/s, and the other numbers but `threshold` are bytes; xon_offset may be left out. The profile of a row
goes by the name that SONiC makes of it, such as `pg_lossless_100000_5m_profile`. Its `threshold` becomes dynamic_th or
static_th, as the mode of `ingress_lossless_pool` says (`buffermgr.cpp` of sonic-swss), which is not in the file: bytes
are taken for static_th, and small numbers for dynamic_th.
"""

import re

from ...reading import read_text
from . import lossless, scenarios
from .model import RoceError

COLUMNS = ("speed", "cable", "size", "xon", "xoff", "threshold", "xon_offset")
# The smallest frame: fewer bytes are no threshold.
LEAST_BYTES = 64
STATIC = "the threshold is static_th, in bytes: it is for an ingress_lossless_pool of mode static"
# A speed and a length of cable; the rest of a row is checked when it is read.
_ROW = re.compile(r"\d+\s+\d+m(\s|$)", re.ASCII)


def is_known(text):
    """Whether the first line with content is such a row."""
    lines = [line for line in (line.split("#")[0].strip() for line in text.split("\n")) if line]
    return bool(lines and _ROW.match(lines[0]))


def rows(path):
    """The profiles of a file by name, each with its line."""
    found = {}
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        words = line.split("#")[0].split()
        if not words:
            continue
        if len(words) not in (len(COLUMNS) - 1, len(COLUMNS)):
            fact = f"{' '.join(words)[:60]!r} has {len(words)} columns"
            raise RoceError(path, number, fact, f"write {', '.join(COLUMNS[:-1])}, and {COLUMNS[-1]} if it has any")
        profile = _profile(path, number, dict(zip(COLUMNS, words, strict=False)))
        if profile.name in found:
            fact = f"{profile.speed} Mbit/s over {profile.cable} m stands in line {found[profile.name][0]} already"
            raise RoceError(path, number, fact, "keep one of the lines")
        if found and (profile.static_th is None) != (next(iter(found.values()))[1].static_th is None):
            fact = "the threshold is bytes in some lines, and an exponent in others"
            raise RoceError(path, number, fact, "write what the mode of ingress_lossless_pool asks for in all lines")
        found[profile.name] = number, profile
    if not found:
        raise RoceError(path, None, "there is no profile in it", f"write lines with {', '.join(COLUMNS[:-1])}")
    return found


def _profile(path, number, row):
    def whole(name, text, least=0, most=2**40):
        digits = text.removeprefix("-")
        fits = digits.isascii() and digits.isdigit() and len(digits) < 14
        if not (fits and least <= int(text) <= most):
            remedy = f"write a whole number from {least} to {most}"
            raise RoceError(path, number, f"{text[:40]!r} is no {name}", remedy)
        return int(text)

    if not row["cable"].endswith("m"):
        raise RoceError(path, number, f"{row['cable'][:40]!r} is not a cable length", "write metres, such as 40m")
    speed = whole("speed", row["speed"], 1, 10**8)
    cable = whole("length of cable", row["cable"][:-1], 0, 10**7)
    profile = lossless.Lossless(
        lossless.name_of(speed, cable),
        **{name: whole(name, row.get(name, "0")) for name in ("size", "xon", "xoff", "xon_offset")},
        **_threshold(path, number, row["threshold"]),
        speed=speed,
        cable=cable,
    )
    lossless.check(path, number, profile)
    return profile


def _threshold(path, number, text):
    """A threshold under its name in a profile: bytes, or the exponent of alpha."""
    value = int(text) if re.fullmatch(r"-?\d{1,13}", text, re.ASCII) else None
    if value is not None and lossless.LEAST_EXPONENT <= value <= lossless.MOST_EXPONENT:
        return {"dynamic_th": value}
    if value is None or value < LEAST_BYTES:
        remedy = f"write an exponent from {lossless.LEAST_EXPONENT} to {lossless.MOST_EXPONENT}, or bytes"
        raise RoceError(path, number, f"{text[:40]!r} is no threshold", f"{remedy} from {LEAST_BYTES} on")
    return {"static_th": value}


def read(path, profiles=()):
    """Read the profile of a row (the only one, or that of this name): sections of a scenario, and notes."""
    found = rows(path)
    for name in profiles:
        if name not in found:
            raise RoceError(path, None, f"there is no profile {name}", f"there are {', '.join(found)}")
    _, profile = found[scenarios.chosen(path, "profiles", found, profiles)]
    sections, notes = lossless.sections(profile)
    notes += lossless.put_for_rate(sections, profile, [other for _, other in found.values()])
    notes += [STATIC] if profile.static_th is not None else []
    notes.append("there is no pool in it: give switches.shared_memory.size, and lanes if not all traffic is lossless")
    return sections, notes


def write(scenario):
    """A row for every speed and cable of the links of a resolved scenario, and notes."""
    switches = scenarios.Switches(scenario, every=True)
    found = dict.fromkeys(switches.profile(port) for port in switches.ports)
    static = [profile.static_th for profile in found if profile.static_th is not None]
    if static and min(static) < LEAST_BYTES:
        fact = f"a threshold of {min(static)} B is less than a frame, and not read as bytes"
        remedy = f"give static.xoff {LEAST_BYTES} B at least, or more switches.shared_memory.size"
        raise RoceError(f"{scenarios.PFC}.threshold", None, fact, remedy)
    switches.note_if(static, STATIC)
    lines = ["# " + "\t".join(COLUMNS)]
    for p in sorted(found, key=lambda profile: (profile.speed, profile.cable)):
        threshold = p.dynamic_th if p.static_th is None else p.static_th
        values = (p.speed, f"{p.cable}m", p.size, p.xon, p.xoff, threshold, p.xon_offset)
        lines.append("\t".join(map(str, values)))
    return "\n".join(lines) + "\n", switches.notes
