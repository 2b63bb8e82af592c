"""Registers as `[scheme]` of a scenario, and a scheme as registers.

From registers to a scheme everything that has an effect on packets is translated exactly. In the other direction a
scheme may contain what registers cannot hold: a threshold in bytes becomes the nearest weight, a delay the nearest
entry, and what is the switch's own design (the gap of the hysteresis, which fill is compared) is left out. Each of
these leads to a note with the difference; a setting whose meaning would change is refused.
"""

from fractions import Fraction

from ... import quantities
from ...document import chosen
from .codes import Code, encode
from .notes import Note, SettingsError, refuse
from .registers import MOST_ENTRIES, PACKET_BYTES, SOURCE_RANGES, TIMER_PS, Settings, Source

ALL_PORTS = 2**255 - 2  # bits 1 to 254
FECN_BITS = 0b10101  # victim mask, threshold and packet size, marking rate are valid


def to_scheme(settings, level=None):
    """What goes under `[scheme]` of a scenario, and notes: (dict, list).

    `level`: the service level to take, where they differ; a scheme has one setting for all.
    """
    notes = []
    if not settings.enabled:
        notes.append(Note("", "congestion control is off, and so it is in the scheme"))
        return {"preset": "none"}, notes
    return {"preset": "ib-cc", "mark": _marking(settings, notes), "react": _reaction(settings, level, notes)}, notes


def _marking(settings, notes):
    valid = settings.control_map
    if settings.credit_mask and valid & 0b1010 == 0b1010:
        notes.append(Note("", "credit starvation is set up, which a scheme cannot say", "It is left out"))
    mark = {
        "threshold": settings.threshold if valid >> 2 & 1 else 0,
        "packet_size": f"{PACKET_BYTES * settings.packet_size if valid >> 2 & 1 else 0} B",
        "marking_rate": settings.marking_rate if valid >> 4 & 1 else 0,
    }
    if mark["threshold"] == 0:
        notes.append(Note("", "the threshold is 0: switches mark nothing"))
    if settings.manager:
        notes.append(Note("", "which victim mask ccmgr sets its manual does not say", 'The scheme keeps "hosts"'))
        return {"fecn": mark}
    mask = settings.victim_mask if valid & 1 else 0
    if mask & 1:
        notes.append(
            Note("", "the victim mask covers port 0, the switch's own, which carries no data", "It is left out")
        )
    ports = [port for port in range(1, 255) if mask >> port & 1]
    mark["victim_mask"] = "none" if not ports else "all" if mask & ALL_PORTS == ALL_PORTS else {"ports": ports}
    return {"fecn": mark}


def _reaction(settings, level, notes):
    source = _one_source(settings, level, notes)
    if source is None or source.increase == 0 or (settings.table is not None and len(settings.table) < 2):
        why = "no service level is set" if source is None else "the increase is 0" if source.increase == 0 else None
        notes.append(Note("", f"{why or 'the table has no two entries'}: sources are not slowed down"))
        return "none"
    if source.timer == 0:
        notes.append(Note("", "the timer is 0, which the standard leaves open; taken for no throttling", "Set a timer"))
        return "none"
    cct = {"increase": source.increase, "limit": settings.limit, "min": source.min}
    if source.min > settings.limit:
        fact = f"the lowest index is {source.min}, above the last of the table, {settings.limit}"
        raise SettingsError([Note("", fact, "Lower ccti_min, or lengthen the table")])
    if source.timer is not None:
        cct["timer"] = _microseconds(source.timer * TIMER_PS)
    cct["per"] = "sl" if settings.port_control & 1 else "qp"
    if settings.table is not None:
        cct["table"] = {"encoded": [str(code) for code in settings.table]}
    for what, missing in (("table", settings.table is None), ("timer", source.timer is None)):
        if missing:
            fact = f"ccmgr derives the {what} from the number of hosts, by a rule that is not public"
            notes.append(Note("", fact, "The scheme keeps its default; write what ibccquery prints for your fabric"))
    if source.trigger:
        notes.append(Note("", "the trigger threshold only logs, and is not part of a scheme"))
    return {"cct": cct}


def _one_source(settings, level, notes):
    """What the sources of a service level do, or of all that are set, if they agree."""
    levels = settings.levels if level is None else [level]
    if level is not None and not settings.source_map >> level & 1:
        notes.append(Note("", f"service level {level} is not set up in the control map"))
        return None
    kinds = {settings.sources[n] for n in levels}
    if len(kinds) > 1:
        fact = f"service levels {', '.join(map(str, levels))} differ, and a scheme has one setting for all"
        raise SettingsError([Note("", fact, f"Choose one with --sl {levels[0]}")])
    if levels and level is None and len(levels) < 16:
        names = ", ".join(map(str, levels))
        notes.append(Note("", f"only service level {names} is set up; the scheme holds for all traffic"))
    return next(iter(kinds), None)


def _microseconds(span):
    """A span in ps as text."""
    whole, rest = divmod(span, 10**6)
    return f"{whole}.{rest:06d}".rstrip("0").rstrip(".") + " us"


def from_scheme(scheme, *, packet_time, buffer=None, host_ports=None, levels=(0,)):
    """The registers of a scheme (a dict, as `congestree.check` resolves it); `.notes` says what they cannot hold.

    packet_time: time of a full packet on a host's link, in ps: what delays are measured in.
    buffer: bytes of an input buffer, for a threshold in bytes.
    host_ports: as `scenarios.host_ports` gives them, for the victim mask "hosts".
    levels: the service levels of the traffic.
    """
    notes = []
    mark_name, mark = chosen(scheme.get("mark") or "none")
    react_name, react = chosen(scheme.get("react") or "none")
    wrong = []
    if mark_name not in ("none", "fecn"):
        fact = f'switches mark by "{mark_name}"'
        wrong.append(Note("scheme.mark", fact, "The registers of InfiniBand know fecn only: choose it"))
    if react_name not in ("none", "cct"):
        fact = f'sources react by "{react_name}"'
        wrong.append(Note("scheme.react", fact, "The registers of InfiniBand know cct only: choose it"))
    refuse(wrong)
    if mark_name == react_name == "none":
        note = Note("scheme", "this scenario has no congestion control, and neither have the settings")
        return Settings(notes=(note,))
    registers = {"enabled": True, "control_map": FECN_BITS}
    if mark_name == "fecn":
        registers |= _mark_registers(mark, buffer, host_ports, notes, wrong)
    if react_name == "cct":
        registers |= _react_registers(react, packet_time, levels, notes, wrong)
    refuse(wrong)
    return Settings(**registers, notes=tuple(notes))


def _mark_registers(mark, buffer, host_ports, notes, wrong):
    size = round(quantities.size(mark["packet_size"]))
    units = -(-size // PACKET_BYTES)
    if size % PACKET_BYTES:
        fact = f"packets from {size} B on are marked; the register counts 64 B, so it says {units * PACKET_BYTES} B"
        notes.append(Note("scheme.mark.fecn.packet_size", fact))
    if units > 255:
        fact = f"packets from {size} B on are marked, and the register ends at {255 * PACKET_BYTES} B"
        wrong.append(Note("scheme.mark.fecn.packet_size", fact, "Choose a smaller size"))
    threshold = mark["threshold"]
    if mark.get("enter") is not None:
        threshold = _weight(round(quantities.size(mark["enter"])), buffer, notes, wrong)
    unsaid = [f"{key} ({mark[key]})" for key in ("gap", "fill", "choice") if mark.get(key) is not None]
    if unsaid:
        notes.append(Note("scheme.mark.fecn", f"no register holds {', '.join(unsaid)}: the switch has its own"))
    return {
        "threshold": threshold,
        "packet_size": min(units, 255),
        "marking_rate": mark["marking_rate"],
        "victim_mask": _mask(mark["victim_mask"], host_ports, notes, wrong),
    }


def _weight(enter, buffer, notes, wrong):
    """The weight whose share of the buffer is nearest to `enter` bytes."""
    place = "scheme.mark.fecn.enter"
    if not buffer:
        fact = f"the threshold is {enter} B, and inputs have no buffer in bytes of which it is a share"
        wrong.append(Note(place, fact, "Give switches.buffer in bytes, without shared memory"))
        return 0
    exact = 16 - Fraction(16 * enter, buffer)
    weight = min(15, max(1, round(exact)))
    if weight != exact:
        stands_for = Fraction((16 - weight) * buffer, 16)
        off = float(stands_for - enter)
        near = f"weight {weight} is the nearest and stands for {float(stands_for):g} B, {off:+g} B"
        fact = f"the threshold is {enter} B; {near}"
        notes.append(Note(place, fact))
    return weight


def _mask(choice, host_ports, notes, wrong):
    """The bits of a victim mask."""
    place = "scheme.mark.fecn.victim_mask"
    if choice == "none":
        return 0
    if choice == "all":
        return ALL_PORTS
    if choice == "hosts":
        if host_ports is None:
            wrong.append(Note(place, "which ports lead to hosts is not known", "Give all, none or ports"))
            return 0
        ports = sorted({port for towards, _ in host_ports.values() for port in towards})
        covered = [(name, port) for name, (_, between) in host_ports.items() for port in between if port in ports]
        others = [f"{name} port {port}" for name, port in covered]
        if others:
            shown = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
            fact = f"one mask serves all switches; that of the host ports also covers {shown}, which lead to switches"
            notes.append(Note(place, fact, "Give ports to choose others"))
    else:
        ports = choice["ports"] if isinstance(choice, dict) else choice
    if any(not 1 <= port <= 254 for port in ports):
        wrong.append(Note(place, f"port {max(ports)} has no bit in the mask", "It holds ports 1 to 254"))
        return 0
    return sum(1 << port for port in set(ports))


def _react_registers(react, packet_time, levels, notes, wrong):
    timer_ps = round(quantities.seconds(react["timer"]) * 1e12)
    timer = (2 * timer_ps + TIMER_PS) // (2 * TIMER_PS)
    place = "scheme.react.cct."
    if timer * TIMER_PS != timer_ps:
        off = (timer * TIMER_PS - timer_ps) / timer_ps if timer_ps else 0.0
        said = f"{_microseconds(timer * TIMER_PS)}, {off:+.2%}"
        notes.append(
            Note(place + "timer", f"{_microseconds(timer_ps)} is not a multiple of 1.024 us; the register says {said}")
        )
    if not 1 <= timer <= SOURCE_RANGES["timer"][0]:
        fact = f"the timer is {_microseconds(timer_ps)}"
        wrong.append(Note(place + "timer", fact, "The register holds 1.024 us to 67107.84 us"))
        timer = 0
    for key, most in (("increase", 255), ("min", 255), ("limit", MOST_ENTRIES - 1)):
        if react[key] > most:
            wrong.append(Note(place + key, f"the {key} is {react[key]}", f"Subnet managers end at {most}"))
    if wrong:
        return {}
    if react.get("timer_runs", "re-armed") is not None:
        fact = f"no register holds timer_runs ({react.get('timer_runs', 're-armed')}): the adapter has its own"
        notes.append(Note(place + "timer_runs", fact))
    source = Source(timer=timer, increase=react["increase"], min=react["min"])
    levels = set(levels)
    return {
        "port_control": 1 if react["per"] == "sl" else 0,
        "source_map": sum(1 << level for level in levels),
        "sources": tuple(source if level in levels else Source() for level in range(16)),
        "table": _codes(react["table"], react["limit"], packet_time, notes, wrong),
    }


def _codes(table, limit, packet_time, notes, wrong):
    """The entries 0 to `limit` of a table."""
    kind, said = chosen(table)
    place = f"scheme.react.cct.table.{kind}"
    if kind == "encoded":
        codes = [Code(*map(int, text.split(":"))) for text in said]
    else:
        delays = _delays(kind, said, limit)
        try:
            codes = [encode(delay, packet_time) for delay in delays[: limit + 1]]
        except SettingsError as error:
            wrong += [Note(place, c.fact, c.remedy) for c in error.complaints]
            return ()
        _say_rounding(delays, codes, packet_time, place, notes)
    if len(codes) > limit + 1:
        notes.append(Note(place, f"entries after index {limit}, the limit, are left out"))
    elif len(codes) < limit + 1:
        wrong.append(Note(place, f"there are {len(codes)} entries, and the limit is {limit}", "Lower the limit"))
    return tuple(codes[: limit + 1])


def _delays(kind, said, limit):
    """The delays of a table in ps, as the engine works them out: to the nearest picosecond, halves up."""
    if kind == "delays":
        return [_ps(text) for text in said]
    power = {"quadratic": 2, "linear": 1}[kind]
    delay, at = _ps(said["delay"]), said["at"] ** power
    return [(2 * delay * i**power + at) // (2 * at) for i in range(limit + 1)]


def _ps(text):
    return round(quantities.seconds(text) * 1e12)


def _say_rounding(delays, codes, packet_time, place, notes):
    """A note on how far the entries are from the delays."""
    off = [abs(code.delay(packet_time) - delay) for delay, code in zip(delays, codes, strict=False)]
    rounded = sum(away > 0 for away in off)
    if rounded:
        worst = off.index(max(off))
        share = off[worst] / delays[worst] if delays[worst] else 0.0
        fact = (
            f"{rounded} of {len(codes)} delays fall between two entries and are rounded, "
            f"by at most {off[worst] / 1e3:.4g} ns (index {worst}, {share:.2%} of {delays[worst] / 1e6:.4g} us)"
        )
        notes.append(Note(place, fact))
