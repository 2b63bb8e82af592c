"""CONFIG_DB of SONiC switches (JSON) as sections of a scenario, and back.

Marking is in `wred.py`, memory in `buffers.py`. Other tables of the file are ignored, and a note says so.

"""

import json

from ...reading import read_text
from . import buffers, scenarios, wred
from .model import BITS, RoceError, whole_units
from .ports import Ports

_REMEDY = 'write a table such as {"WRED_PROFILE": {"AZURE_LOSSLESS": {"ecn": "ecn_all", ...}}}, or BUFFER_PROFILE'


def read(path, profiles=(), ports=None):
    """Read CONFIG_DB: sections of a scenario, and notes.

    `profiles`: names of the WRED profile and of the buffer profile to take, where there are several. `ports`: how
    many ports each switch of a scenario has.
    """
    text = read_text(path)
    try:
        document = json.loads(text, object_pairs_hook=lambda pairs: _once(path, pairs))
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise RoceError(path, line, "this is not JSON", "check quotation marks and commas") from None
    marks = document.get("WRED_PROFILE") if isinstance(document, dict) else None
    marks = marks if isinstance(marks, dict) else None
    if not marks and not (isinstance(document, dict) and buffers.is_there(document)):
        raise RoceError(path, None, "there is no WRED_PROFILE in it, and no BUFFER_PROFILE", _REMEDY)
    known, sections, notes = set(), {}, []
    if buffers.is_there(document):
        sections, notes = buffers.read(path, document, text, profiles, ports)
        known |= {*buffers.MEMORY, *buffers.BESIDE}
    if marks:
        rate = sections.get("links", {}).get("rate")
        sections |= wred.read(path, marks, profiles, rate and int(whole_units(rate, BITS, "Mbit/s")))
        if for_rate := sections["scheme"]["mark"]["red"].get("for_rate"):
            notes.append(f"thresholds of marks are in proportion to the speed: they are those of ports of {for_rate}")
        elif wred.is_by_speed(marks):
            notes.append(
                "thresholds of marks are not in proportion to the speed: those of this profile hold at all ports"
            )
        known.add("WRED_PROFILE")
    rest = [table for table in document if table not in known]
    if rest:
        notes.append(f"the other tables are passed over: {', '.join(rest)}")
    named = {*(marks or {}), *document.get("BUFFER_PROFILE", {})}
    for name in profiles:
        if name not in named:
            raise RoceError(path, None, f"there is no profile {name}", f"there are {', '.join(sorted(named))}")
    return sections, notes


def _once(path, pairs):
    """An object in which no name may occur twice: the second would silently replace the first."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RoceError(path, None, f"{twice!r} stands twice in the same table", "keep one of them")
    return found


def write(scenario, switch=None):
    """The tables for which a resolved scenario has values, and notes.

    switch: the name of the switch whose ports are written; by default the first of those with most ports.
    """
    lossless, marking = scenarios.is_lossless(scenario), wred.is_marking(scenario)
    if not (lossless or marking):
        fact = "it neither marks by random early detection nor shares the memory of its switches"
        raise RoceError("scheme.mark", None, fact, "take scheme.mark.red, or switches.shared_memory with pfc")
    switches = (scenarios.Switches if lossless else Ports)(scenario, switch)
    found = buffers.tables(switches) if lossless else {}
    if marking:
        found |= wred.table(switches)
    return json.dumps(found, indent=2) + "\n", switches.notes
