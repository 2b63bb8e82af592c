"""Marking of SONiC switches: WRED_PROFILE of CONFIG_DB as a marker, and back.

    {"WRED_PROFILE": {"AZURE_LOSSLESS": {"ecn": "ecn_all", "green_min_threshold": "1048576",
                      "green_max_threshold": "2097152", "green_drop_probability": "5"}}}

Thresholds are bytes, the probability per cent (100 if it is left out). Packets of lossless classes are green. Each of
the three may stand with `ecn_green_` as well (`ecn_green_mark_probability`): what holds for marks, where the other one
is for drops (sonic-wred-profile.yang, revision 2026-06-23).
"""

from decimal import Decimal

from ...errors import there_are
from .model import BITS, BYTES, RoceError, whole_units
from .scenarios import chosen, is_lossless

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


def read(path, found, profiles=()):
    """A WRED profile (the only one, or one that is named) as sections of a scenario."""
    name = chosen(path, "WRED profiles", found, profiles)
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
    red = {"min": f"{low} B", "max": f"{high} B", "probability": share / 100}
    return {"scheme": {"mark": {"red": red}}}


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
    mark = scenario["scheme"]["mark"]
    return isinstance(mark, dict) and "red" in mark


def table(switches):
    """The WRED profile of the switch of `Ports`; adds to their notes."""
    scenario, notes = switches.scenario, switches.notes
    red = scenario["scheme"]["mark"]["red"]
    if red.get("lane_thresholds"):
        fact = "lanes have thresholds of their own"
        raise RoceError("scheme.mark.red.lane_thresholds", None, fact, "write a profile for each of them")
    factor = Decimal(1)
    if red.get("for_rate"):
        factor = _rate(scenario["links"]["rate"]) / _rate(red["for_rate"])
        notes.append(f"thresholds are those of links of {scenario['links']['rate']}")
    percent = Decimal(repr(red["probability"])) * 100
    values = [whole_units(red[key], BYTES, "B") * factor for key in ("min", "max")] + [percent]
    whole = [int(value.to_integral_value()) for value in values]
    if whole[2] == 0:
        fact = f"{FIELDS[2]} would be 0, so that no packet is marked between the thresholds"
        raise RoceError("scheme.mark.red.probability", None, fact, "write 0.01 or more, as the file has whole per cent")
    if is_lossless(scenario) and whole[0] > (most := switches.most_of_queue()):
        notes.append(f"{FIELDS[0]} is {whole[0]}, and a queue can hold {most} B at most: no packet is ever marked")
    for field, value, rounded in zip(FIELDS, values, whole, strict=True):
        if rounded != value:
            notes.append(f"{field} is {rounded}, and the scheme would have {float(value):g}")
    row = f'"Ethernet0|3": {{"wred_profile": "{NAME}"}}'
    notes.append(f"a queue marks once its row in QUEUE names the profile, such as {row}; no such rows are written")
    fields = {"ecn": "ecn_all", "wred_green_enable": "true"}
    fields |= {field: str(value) for field, value in zip(FIELDS, whole, strict=True)}
    return {"WRED_PROFILE": {NAME: fields}}


def _rate(text):
    return whole_units(text, BITS, "bit/s")
