"""The options of both forms of file by name: how each is read, where it goes, how it is written, and their traps."""

from dataclasses import dataclass

from . import grammar
from .codes import Code
from .notes import Note
from .registers import (
    MANAGER_RANGES,
    MOST_ENTRIES,
    PACKET_BYTES,
    RANGES,
    SERVICE_LEVELS,
    SOURCE_RANGES,
    Manager,
    Settings,
    Source,
)


@dataclass(frozen=True)
class Option:
    """One option: the field that it sets and how its value is read and written."""

    field: str
    kind: str
    shape: str = "{}"  # how a number is written

    def read(self, text, remarks):
        """(key, value) of a text; raises `Misread`. The key includes the service level where there is one."""
        most, what = (RANGES | SOURCE_RANGES | MANAGER_RANGES | BYTES).get(self.field, (0, self.field))
        if self.kind == "level":
            level, value = grammar.of_level(text, most, what, remarks)
            return (self.field, level), value
        if self.kind == "boolean":
            return self.field, grammar.boolean(text, "the switch")
        if self.kind == "code":
            return self.field, grammar.code(text, remarks)
        if self.kind == "table":
            return self.field, grammar.table(text, remarks)
        if self.kind == "words":
            return self.field, grammar.words(text, 0xFFFF, "table entry", remarks)
        read = grammar.mask if self.kind == "mask" else grammar.number
        value = read(text, most, what, remarks)
        if self.field in BYTES and value % PACKET_BYTES:
            held = value // PACKET_BYTES * PACKET_BYTES
            fact = f"{value} is no multiple of {PACKET_BYTES}: the register holds {held} B"
            remarks.append((fact, f"Write {held} or {held + PACKET_BYTES}"))
        return self.field, value


BYTES = {"packet_bytes": (255 * PACKET_BYTES, "packet size in bytes")}

SWITCH = "cc_sw_cong_setting_"
SOURCE = "cc_ca_cong_setting_"
OPENSM = {
    "congestion_control": Option("enabled", "boolean"),
    "cc_key": Option("key", "number", "0x{:016x}"),
    "cc_max_outstanding_mads": Option("outstanding", "number"),
    SWITCH + "control_map": Option("control_map", "number", "0x{:x}"),
    SWITCH + "victim_mask": Option("victim_mask", "mask", "0x{:064x}"),
    SWITCH + "credit_mask": Option("credit_mask", "mask", "0x{:064x}"),
    SWITCH + "threshold": Option("threshold", "number", "0x{:x}"),
    SWITCH + "packet_size": Option("packet_size", "number"),
    SWITCH + "credit_starvation_threshold": Option("starvation_threshold", "number", "0x{:x}"),
    SWITCH + "credit_starvation_return_delay": Option("starvation_delay", "code"),
    SWITCH + "marking_rate": Option("marking_rate", "number"),
    SOURCE + "port_control": Option("port_control", "number", "0x{:04x}"),
    SOURCE + "control_map": Option("source_map", "number", "0x{:04x}"),
    SOURCE + "ccti_timer": Option("timer", "level"),
    SOURCE + "ccti_increase": Option("increase", "level"),
    SOURCE + "trigger_threshold": Option("trigger", "level"),
    SOURCE + "ccti_min": Option("min", "level"),
    "cc_cct": Option("table", "table"),
}

# According to the manual `cct` is a list with commas, the first entry stays 0, and the last value fills the rest; we
# take a value as the 16 bits of an entry, and the list as the entries from index 1 on.
CCMGR = {
    "enable": Option("enabled", "boolean"),
    "num_hosts": Option("num_hosts", "number"),
    "threshold": Option("threshold", "number", "0x{:x}"),
    "marking_rate": Option("marking_rate", "number", "0x{:x}"),
    "packet_size": Option("packet_bytes", "number", "0x{:x}"),
    "port_control": Option("port_control", "number"),
    "ca_control_map": Option("source_map", "number", "0x{:04x}"),
    "ccti_increase": Option("increase", "number"),
    "trigger_threshold": Option("trigger", "number"),
    "ccti_min": Option("min", "number"),
    "cct": Option("words", "words"),
    "ccti_timer": Option("timer", "number"),
    "max_errors": Option("max_errors", "number"),
    "error_window": Option("error_window", "number"),
    "cc_statistics_cycle": Option("statistics_cycle", "number"),
}

# What ccmgr does if a line is missing (CC_Mgr user manual).
CCMGR_DEFAULTS = {
    "enabled": True,
    "threshold": 0xF,
    "marking_rate": 0xA,
    "packet_bytes": 0x200,
    "port_control": 0,
    "source_map": 0xFFFF,
    "increase": 1,
    "trigger": 2,
    "min": 0,
    "words": [0],
    "timer": 0,
}

# ccmgr sets threshold, packet size and marking rate; its manual does not give the victim mask that it sets.
CCMGR_CONTROL_MAP = 0b10100


def settings_of(values, form):
    """The settings from the parsed file: {field, or (field, service level): (value, place)}."""
    plain = {key: value for key, (value, _) in values.items()}
    if form == "opensm":
        sources = [
            Source(**{name: plain.pop((name, level), 0) for name in SOURCE_RANGES}) for level in range(SERVICE_LEVELS)
        ]
        return Settings(**plain, sources=tuple(sources))
    manager = Manager(**{name: plain.pop(name) for name in MANAGER_RANGES if name in plain})
    plain = CCMGR_DEFAULTS | plain
    source = Source(plain["timer"] or None, plain["increase"], plain["trigger"], plain["min"])
    return Settings(
        enabled=plain["enabled"],
        control_map=CCMGR_CONTROL_MAP,
        threshold=plain["threshold"],
        packet_size=plain["packet_bytes"] // PACKET_BYTES,
        marking_rate=plain["marking_rate"],
        port_control=plain["port_control"],
        source_map=plain["source_map"],
        sources=(source,) * SERVICE_LEVELS,
        table=_filled(plain["words"]),
        manager=manager,
    )


def _filled(words):
    """A ccmgr list as a whole table; None if it is a single 0, which means that ccmgr derives the table."""
    if words == [0]:
        return None
    words = [0, *words][:MOST_ENTRIES]
    words += [words[-1]] * (MOST_ENTRIES - len(words))
    return tuple(map(Code.from_word, words))


def traps(settings, name):
    """Settings that have another effect than they seem to have."""
    if settings.manager:
        return
    if not settings.enabled and settings.replace(key=0, outstanding=500) != Settings():
        yield Note(name, "congestion_control is not TRUE, so nothing of this is set up", "Set it to TRUE")
    if settings.control_map >> 5:
        yield Note(name, f"the control map 0x{settings.control_map:x} has bits that mean nothing", "Use 0x1f at most")
    asked = {
        0: ("victim_mask", settings.victim_mask),
        1: ("credit_mask", settings.credit_mask),
        2: ("threshold and packet_size", settings.threshold or settings.packet_size),
        3: ("credit_starvation options", settings.starvation_threshold or settings.starvation_delay.word),
        4: ("marking_rate", settings.marking_rate),
    }
    for bit, (what, value) in asked.items():
        if value and not settings.control_map >> bit & 1:
            remedy = f"Set it: cc_sw_cong_setting_control_map 0x{settings.control_map | 1 << bit:x}"
            yield Note(name, f"{what} has no effect: bit {bit} of the control map of switches is not set", remedy)
    for level, source in enumerate(settings.sources):
        if source != Source() and not settings.source_map >> level & 1:
            remedy = f"Set it: cc_ca_cong_setting_control_map 0x{settings.source_map | 1 << level:04x}"
            yield Note(name, f"service level {level} has no effect: its bit of the control map is not set", remedy)
    if len(settings.table) == 1:
        yield Note(name, "the table has one entry: CCTI_Limit is 0, and OpenSM sends none then", "Write two or more")


def opensm_text(settings):
    """The text of an opensm.conf, or of the part of it that is about congestion control."""
    lines = ["# InfiniBand congestion control, for OpenSM: one for all switches and channel adapters of the subnet."]
    levels = [n for n in range(SERVICE_LEVELS) if settings.sources[n] != Source() or settings.source_map >> n & 1]
    for name, option in OPENSM.items():
        if option.kind == "level":
            for level in levels:
                lines.append(f"{name} {level} {getattr(settings.sources[level], option.field)}")
            continue
        value = getattr(settings, option.field)
        if option.kind == "boolean":
            value = str(value).upper()
        elif option.kind == "table":
            value = ",".join(map(str, value)) or "(null)"
        lines.append(f"{name} {option.shape.format(value)}")
    return "\n".join(lines) + "\n"


def ccmgr_text(settings):
    """The text of an options file of ccmgr."""
    source = settings.sources[0]
    words = [0] if settings.table is None else [code.word for code in settings.table[1:]]
    while len(words) > 2 and words[-1] == words[-2] and settings.table is not None:
        words.pop()  # the last value fills the rest
    values = {
        "enabled": str(settings.enabled).upper(),
        "packet_bytes": settings.packet_size * PACKET_BYTES,
        "words": ",".join(map(str, words)),
        "increase": source.increase,
        "trigger": source.trigger,
        "min": source.min,
        "timer": source.timer or 0,
    }
    lines = ["# InfiniBand congestion control, for the ccmgr plug-in of OpenSM; cct and ccti_timer 0: derived."]
    for name, option in CCMGR.items():
        owner = settings.manager if hasattr(settings.manager, option.field) else settings
        value = values[option.field] if option.field in values else getattr(owner, option.field)
        lines.append(f"{name} {option.shape.format(value)}")
    return "\n".join(lines) + "\n"
