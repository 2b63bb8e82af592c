"""Marking of SONiC switches: WRED_PROFILE of CONFIG_DB as a marker, and back.

    {"WRED_PROFILE": {"AZURE_LOSSLESS": {"ecn": "ecn_all", "green_min_threshold": "1048576",
                      "green_max_threshold": "2097152", "green_drop_probability": "5"}}}

Thresholds are bytes, the probability per cent (100 if it is left out). Packets of lossless classes are green. Each of
the three may stand with `ecn_green_` as well (`ecn_green_mark_probability`): what holds for marks, where the other one
is for drops (sonic-wred-profile.yang, revision 2026-06-23).
"""

import re
from decimal import Decimal

from ... import document
from ...errors import there_are
from ...quantities import exactly
from .model import BITS, BYTES, RoceError, some, whole_units
from .scenarios import at_rate, chosen, is_lossless

MARKING = {"ecn_green", "ecn_green_yellow", "ecn_green_red", "ecn_all"}
NAME = "AZURE_LOSSLESS"
FIELDS = ("green_min_threshold", "green_max_threshold", "green_drop_probability")
COLOURS = ("green", "yellow", "red")
KNOWN = [
    "ecn",
    *(f"wred_{colour}_enable" for colour in COLOURS),
    *(f"{colour}_{field}" for colour in COLOURS for field in ("min_threshold", "max_threshold", "drop_probability")),
    *(f"ecn_{colour}_{field}" for colour in COLOURS for field in ("min_threshold", "max_threshold")),
    *(f"ecn_{colour}_mark_probability" for colour in COLOURS),
]

_SPEED = re.compile(r"(.+)_(\d{4,9})", re.ASCII)  # a shorter number is no speed in Mbit/s


def read(path, found, profiles=(), speed=None):
    """A WRED profile (the only one, one that is named, or that of a speed) as sections of a scenario.

    speed: of the ports in Mbit/s, if it is known; a profile that ends with it is for them.
    """
    of_speed = [name for name in found if speed and _of_speed(name)[1] == speed]
    profiles = profiles if {*profiles} & {*found} or len(of_speed) != 1 else of_speed
    name = chosen(path, "WRED profiles", found, profiles)
    red = _marker(path, found, name)
    return {"scheme": {"mark": {"red": red | _for_rate(path, found, name, red)}}}


def _marker(path, found, name):
    """What a profile says of marks."""
    fields = found[name]
    if not isinstance(fields, dict):
        raise RoceError(path, None, f"the WRED profile {name} is no table", 'write {"ecn": "ecn_all", ...}')
    if fields.get("ecn", "ecn_none") not in MARKING:
        fact = f"the profile {name} does not mark green packets: ecn is {fields.get('ecn', 'ecn_none')}"
        raise RoceError(path, None, fact, "write ecn_all")
    for field in fields:
        if field not in KNOWN:
            raise RoceError(path, None, f"{field[:60]!r} is not a field of {name}", there_are(field, KNOWN))
    of_low, of_high, of_share = (_of_marks(fields, field) for field in FIELDS)
    low, high = (_number(path, name, fields, field, 2**63) for field in (of_low, of_high))
    share = _number(path, name, {FIELDS[2]: "100", **fields}, of_share, 100)
    if share == 0:
        fact = f"{of_share} of {name} is 0, so that it marks no packet between its thresholds"
        raise RoceError(path, None, fact, "write a whole number from 1 to 100")
    if low > high:
        fact = f"the thresholds {low} and {high} of {name} fall ({of_low}, {of_high})"
        raise RoceError(path, None, fact, "write the smaller one first")
    return {"min": f"{low} B", "max": f"{high} B", "probability": share / 100}


def _for_rate(path, found, name, red):
    """The rate that a marker is for, if there are profiles for other speeds too and all are in proportion to it."""
    base, speed = _of_speed(name)
    others = [other for other in found if other != name and _of_speed(other)[0] == base]
    for other in others:
        try:
            theirs, its = _marker(path, found, other), _of_speed(other)[1]
        except RoceError:  # it is left out
            return {}
        if not (speed and its) or theirs["probability"] != red["probability"]:
            return {}
        # Thresholds are rounded down, so that those of the slower ports may be less by a byte.
        slow, fast = sorted(((speed, red), (its, theirs)), key=lambda pair: pair[0])
        if any(_bytes(fast[1][key]) * slow[0] // fast[0] != _bytes(slow[1][key]) for key in ("min", "max")):
            return {}
    return {"for_rate": exactly(speed * BITS["Mbit/s"], "bit/s")} if others else {}


def is_by_speed(found):
    """Some WRED profiles have the same name but for the speed."""
    bases = [base for base, speed in map(_of_speed, found) if speed]
    return len({*bases}) < len(bases)


def _of_speed(name):
    """The name of a profile without a speed at its end, and the speed (Mbit/s), or None."""
    match = _SPEED.fullmatch(name)
    return (match[1], int(match[2])) if match else (name, None)


def _of_marks(fields, field):
    """The field that holds for marks: that of ECN, or that of drops if there is none."""
    own = f"ecn_{field.replace('drop', 'mark')}"
    return own if own in fields else field


def _number(path, name, fields, field, most):
    text = str(fields.get(field, ""))
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= most):
        fact = f"{field} of {name} is {text!r}" if text else f"{name} has no {field}"
        raise RoceError(path, None, fact, f"write a whole number from 0 to {most}")
    return int(text)


def is_marking(scenario):
    """The scheme marks by random early detection."""
    return document.chosen(scenario["scheme"]["mark"])[0] == "red"


def table(switches):
    """The WRED profiles of the switch of `Ports`: one, or one for each speed of its ports; adds to their notes."""
    red = switches.scenario["scheme"]["mark"]["red"]
    if red.get("lane_thresholds"):
        fact = "lanes have thresholds of their own"
        raise RoceError("scheme.mark.red.lane_thresholds", None, fact, "write a profile for each of them")
    found, rows = {}, []
    by_rate = switches.by_rate() if red.get("for_rate") else {}
    for rate, names in by_rate.items():
        name = f"{NAME}_{rate // BITS['Mbit/s']}" if len(by_rate) > 1 else NAME
        said = f"{name} is for {some(names)}: its thresholds" if len(by_rate) > 1 else "thresholds"
        switches.notes.append(f"{said} are those of ports of {exactly(rate, 'bit/s')}")
        found[name] = _fields(switches, at_rate(switches.scenario, f"{rate} bit/s"), name)
        rows.append(f'"{names[0]}|3": {{"wred_profile": "{name}"}}')
    if not by_rate:
        found = {NAME: _fields(switches, switches.scenario, NAME)}
        rows = [f'"Ethernet0|3": {{"wred_profile": "{NAME}"}}']
    row = " or ".join(rows)
    switches.notes.append(
        f"a queue marks once its row in QUEUE names the profile, such as {row}; no such rows are written"
    )
    return {"WRED_PROFILE": found}


def _fields(switches, scenario, name):
    """A profile with the thresholds of a scenario, which are for the ports that it is for."""
    red, notes = scenario["scheme"]["mark"]["red"], switches.notes
    percent = Decimal(repr(red["probability"])) * 100
    whole = [_bytes(red["min"]), _bytes(red["max"]), int(percent.to_integral_value())]
    if whole[2] == 0:
        fact = f"{FIELDS[2]} would be 0, so that no packet is marked between the thresholds"
        raise RoceError("scheme.mark.red.probability", None, fact, "write 0.01 or more, as the file has whole per cent")
    if is_lossless(scenario) and whole[0] > (most := switches.most_of_queue()):
        field = f"{FIELDS[0]}{f' of {name}' if name != NAME else ''}"
        notes.append(f"{field} is {whole[0]}, and a queue can hold {most} B at most: no packet is ever marked")
    switches.note_if(whole[2] != percent, f"{FIELDS[2]} is {whole[2]}, and the scheme would have {float(percent):g}")
    values = zip(FIELDS, whole, strict=True)
    return {"ecn": "ecn_all", "wred_green_enable": "true"} | {field: str(value) for field, value in values}


def _bytes(text):
    return int(whole_units(text, BYTES, "B"))
