"""The memory of a switch for lossless traffic, in the terms of SONiC and those of a scenario.

A priority group (one input port and priority) has `size` bytes for itself. Beyond them it may use shared memory up to a
threshold, 2^`dynamic_th` times the free part of it (or `static_th` bytes), and after that headroom of `xoff` bytes, for
the data that still arrives after a pause has been sent. A pause ends when the group holds no more than the greater of
`xon` and the threshold less `xon_offset` (SAI, `saibuffer.h`).

| SONiC | scenario |
|-------|----------|
| `size`; where `size` is `xon` + `xoff`, which then holds the headroom too: `xon` | `switches.shared_memory.reserved` |
| `xoff` | `switches.shared_memory.headroom` |
| `xoff` of the pool; profiles then have their headroom in it, and none in their `size` | `headroom_pool` in addition |
| `dynamic_th` | `threshold.dynamic.alpha` = 2^`dynamic_th`; of profiles by speed, that with `for_rate` |
| `static_th` | `threshold.static.xoff` |
| `xon_offset` | `threshold.dynamic.offset`, or `static.xoff` - `static.xon` |
| `size` of the pool, the memory shared beyond those | `switches.shared_memory.size`, with reserves and headroom |
| speed, cable length | `links.rate`, `links.delay` (5 ns for a metre) |
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from ...quantities import exactly
from .model import RoceError

# Light in a fibre of refractive index 1.5 takes 5 ns for a metre.
PICOSECONDS_PER_METRE = 5_000
PRIORITIES = 8
LEAST_EXPONENT, MOST_EXPONENT = -10, 8


@dataclass(frozen=True)
class Lossless:
    """A buffer profile of lossless priority groups. Bytes; speed in Mbit/s, cable in metres."""

    name: str
    size: int
    xon: int
    xoff: int
    xon_offset: int = 0
    dynamic_th: int | None = None
    static_th: int | None = None
    speed: int | None = None
    cable: int | None = None

    @property
    def reserved(self):
        """The memory reserved for a priority group, headroom not counted."""
        return self.xon if self.size == self.xon + self.xoff else self.size


def name_of(speed, cable):
    """The name that SONiC gives to the profile of a speed (Mbit/s) and cable (m)."""
    return f"pg_lossless_{speed}_{cable}m_profile"


def check(path, line, profile):
    """Complain about a profile that cannot be intended."""
    if profile.xoff == 0:
        fact = f"{profile.name} has an xoff of 0: no headroom, so that it would lose packets"
        raise RoceError(path, line, fact, "write the bytes that still come in after a pause was asked for")
    if profile.xon > profile.size + profile.xoff:
        fact = f"{profile.name} has an xon of {profile.xon}, which is more than its size and xoff together"
        raise RoceError(path, line, fact, f"make it {profile.size + profile.xoff} at most")
    if profile.dynamic_th is not None and not LEAST_EXPONENT <= profile.dynamic_th <= MOST_EXPONENT:
        fact = f"{profile.name} has a dynamic_th of {profile.dynamic_th}, and alpha is 2 to the power of it"
        raise RoceError(path, line, fact, f"write a number from {LEAST_EXPONENT} to {MOST_EXPONENT}")
    if profile.static_th is not None and profile.static_th < profile.xon_offset:
        fact = f"the xon_offset of {profile.name} is more than its static_th"
        raise RoceError(path, line, fact, "make it less")


def sections(profile, pool=None, ports=None, priorities=None, headroom_pool=None, xoff=None):
    """Sections of a scenario with this profile, and notes.

    `pool`: bytes that the ports of a switch share, `ports` their number; without them the memory has no size here.
    `priorities`: those that are lossless; without them all lanes are. `headroom_pool`: bytes of headroom that the ports
    share; without them each has its own. `xoff`: bytes of headroom, if not those of the profile.
    """
    notes, pfc = [], {"threshold": _threshold(profile)}
    xoff = xoff or profile.xoff
    shared = {"reserved": f"{profile.reserved} B", "headroom": f"{xoff} B"}
    lanes = PRIORITIES if priorities else 1
    if pool is not None:
        lossless = len(priorities) if priorities else lanes
        headroom = ports * lossless * xoff
        size = pool + ports * lanes * profile.reserved + (headroom_pool or headroom)
        shared = {"size": f"{size} B", **shared}
        own = f"for each of them {lanes} x {profile.reserved} B of its own"
        if headroom_pool:
            shared["headroom_pool"] = f"{headroom_pool} B"
            own = f"{headroom_pool} B of headroom, and {own}"
        else:
            own += f" and {lossless} x {xoff} B of headroom"
        notes.append(f"switches.shared_memory.size is that of {ports} ports: {pool} B that they share, and {own}")
        if headroom_pool and headroom_pool < headroom:
            pfc["losses"] = "stop"
            notes.append(
                f"a headroom of {headroom_pool} B is a bet, as all ports together may have {headroom} B: a packet that "
                "it has no room for ends the run (losses)"
            )
    if profile.xon not in (0, profile.reserved):
        notes.append(
            f"a pause ends here when no more than the {profile.reserved} B of its own are held, or than the threshold "
            f"less xon_offset allows: xon of {profile.xon} is left out"
        )
    links = {"flow_control": {"pfc": pfc}}
    if priorities:
        pfc["lossless"] = list(priorities)
        links = {"lanes": PRIORITIES, "service_lanes": list(range(PRIORITIES)), **links}
    if profile.cable is not None:
        links = {"delay": exactly(profile.cable * PICOSECONDS_PER_METRE, "ps"), **links}
    if profile.speed is not None:
        links = {"rate": exactly(profile.speed * 10**6, "bit/s"), **links}
    return {"links": links, "switches": {"shared_memory": shared}}, notes


def put_for_rate(sections, profile, others):
    """Give `sections`, which are those of a profile, a `for_rate` if alpha is in proportion to speed in all profiles.

    Ports of another speed then have the alpha of their own profile.
    """
    others = [other for other in others if other.speed != profile.speed]
    if profile.dynamic_th is None or not profile.speed or not others:
        return []
    for other in others:
        if other.dynamic_th is None or not other.speed:
            return []
        if Fraction(other.speed, profile.speed) != Fraction(2) ** (other.dynamic_th - profile.dynamic_th):
            return []
    rate = sections["links"]["rate"]
    sections["links"]["flow_control"]["pfc"]["threshold"]["dynamic"]["for_rate"] = rate
    return [f"alpha is in proportion to the speed in all profiles: it is that of ports of {rate} (for_rate)"]


def _threshold(profile):
    if profile.dynamic_th is not None:
        return {"dynamic": {"alpha": 2.0**profile.dynamic_th, "offset": f"{profile.xon_offset} B"}}
    return {"static": {"xoff": f"{profile.static_th} B", "xon": f"{profile.static_th - profile.xon_offset} B"}}


def exponent(alpha, notes, place=""):
    """The power of two that is nearest to alpha; a note says if it is another, and where (`place`)."""
    nearest = max(LEAST_EXPONENT, min(MOST_EXPONENT, round(math.log2(alpha))))
    note = f"dynamic_th is {nearest}, which is an alpha of {2.0**nearest:g}; the scenario has {alpha:g}{place}"
    if 2.0**nearest != alpha and note not in notes:
        notes.append(note)
    return nearest
