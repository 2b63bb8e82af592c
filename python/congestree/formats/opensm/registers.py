"""All that the registers of InfiniBand congestion control can say, in their own units.

| field | register | unit |
| --- | --- | --- |
| `control_map` | SwitchCongestionSetting.Control_Map | bits: 0 victim mask, 1 credit mask, 2 threshold and packet size, 3 credit starvation, 4 marking rate |
| `victim_mask`, `credit_mask` | Victim_Mask, Credit_Mask | bit n is port n, bit 0 the switch's own port, bit 255 reserved |
| `threshold` | Threshold | weight, 0 never marks, 15 marks earliest |
| `packet_size` | Packet_Size | 64 B |
| `starvation_threshold`, `starvation_delay` | CS_Threshold, CS_ReturnDelay | weight, table entry |
| `marking_rate` | Marking_Rate | mean number of packets between two marked ones |
| `port_control` | CACongestionSetting.Port_Control | bit 0: a table index per 0 queue pair, 1 service level |
| `source_map` | CACongestionSetting.Control_Map | bit n: service level n is set |
| `Source.timer` | CCTI_Timer | 1.024 us |
| `Source.increase`, `.trigger`, `.min` | CCTI_Increase, Trigger_Threshold, CCTI_Min | table indices |
| `table` | CongestionControlTable | entries; CCTI_Limit is the last index |

Attributes and widths: OpenSM include/iba/ib_types.h.
"""  # noqa: E501 (a table)

import dataclasses
from dataclasses import dataclass

from .codes import Code
from .notes import Note, refuse

SERVICE_LEVELS = 16
NO_DELAY = Code(0, 0)
MOST_ENTRIES = 128  # two blocks of 64, all that OpenSM keeps
TIMER_PS = 1_024_000  # unit of CCTI_Timer, in ps
PACKET_BYTES = 64  # unit of Packet_Size

# Largest value of each field, and its name in complaints.
RANGES = {
    "control_map": (2**32 - 1, "control map of switches"),
    "victim_mask": (2**255 - 1, "victim mask"),
    "credit_mask": (2**255 - 1, "credit mask"),
    "threshold": (15, "threshold"),
    "packet_size": (255, "packet size in units of 64 B"),
    "starvation_threshold": (15, "threshold of credit starvation"),
    "marking_rate": (2**16 - 1, "marking rate"),
    "port_control": (2**16 - 1, "port control"),
    "source_map": (2**16 - 1, "control map of channel adapters"),
    "key": (2**64 - 1, "key"),
    "outstanding": (2**32 - 1, "number of outstanding MADs"),
}
SOURCE_RANGES = {
    "timer": (2**16 - 1, "timer"),
    "increase": (255, "increase"),
    "trigger": (255, "trigger threshold"),
    "min": (255, "lowest index"),
}
MANAGER_RANGES = {
    "num_hosts": (48 * 1024, "number of hosts"),
    "max_errors": (2**32 - 1, "number of errors"),
    "error_window": (2**32 - 1, "error window"),
    "statistics_cycle": (2**32 - 1, "cycle of statistics"),
}


def out_of_range(value, most, what):
    """The complaint about a value that its register cannot hold, or None."""
    if isinstance(value, int) and 0 <= value <= most:
        return None
    limit = f"{most}" if most < 2**16 else f"0x{most:X}"
    return Note("", f"the {what} is {value}", f"Its register holds 0 to {limit}")


def _complaints(record, ranges, where=""):
    found = (out_of_range(getattr(record, name), most, what + where) for name, (most, what) in ranges.items())
    return [complaint for complaint in found if complaint]


@dataclass(frozen=True)
class Source:
    """The settings of a channel adapter for one service level.

    timer: CCTI_Timer, in units of 1.024 us; None: derived by ccmgr.
    increase: CCTI_Increase, by how much a notification raises the index.
    trigger: Trigger_Threshold, the index from which on an event is logged.
    min: CCTI_Min, the lowest index.
    """

    timer: int | None = 0
    increase: int = 0
    trigger: int = 0
    min: int = 0


@dataclass(frozen=True)
class Manager:
    """Settings of the ccmgr plug-in besides the registers.

    num_hosts: the number of hosts for which it derives a table; 0: as many as it finds.
    max_errors, error_window: it ends after more than `max_errors` errors within `error_window` seconds.
    statistics_cycle: seconds between two readings of the counters; 0: counters are not read.
    """

    num_hosts: int = 0
    max_errors: int = 5
    error_window: int = 5
    statistics_cycle: int = 0


@dataclass(frozen=True)
class Settings:
    """The registers of a fabric. Values that a register cannot hold raise one SettingsError with all of them.

    enabled: whether there is congestion control at all.
    control_map: bits of Control_Map of switches: 0 victim mask, 1 credit mask, 2 threshold and packet size, 3 credit
        starvation, 4 marking rate.
    victim_mask, credit_mask: bit n stands for port n, bit 0 for the switch's own port.
    threshold: the marking weight: 0 never marks, 15 marks earliest.
    packet_size: the size of the smallest packet to be marked, in units of 64 B.
    starvation_threshold, starvation_delay: a weight, and a table entry.
    marking_rate: mean number of packets between two marked ones.
    port_control: bit 0 tells what has a table index of its own: 0 each queue pair, 1 each service level.
    source_map: bit n: service level n is set.
    sources: a `Source` for each of 16 service levels.
    table: entries (`Code`); CCTI_Limit is the last index.
    key, outstanding: the key of the subnet manager, and the number of messages that it has outstanding at a time.

    `manager` distinguishes the two forms: it is absent for opensm.conf, where zeros mean "off", and present for ccmgr,
    which derives a missing `table` (None) and `timer` (None) by itself. `notes` are remarks of the reader or
    translator.
    """

    enabled: bool = False
    control_map: int = 0
    victim_mask: int = 0
    credit_mask: int = 0
    threshold: int = 0
    packet_size: int = 0
    starvation_threshold: int = 0
    starvation_delay: Code = NO_DELAY
    marking_rate: int = 0
    port_control: int = 0
    source_map: int = 0
    sources: tuple[Source, ...] = (Source(),) * SERVICE_LEVELS
    table: tuple[Code, ...] | None = ()
    key: int = 0
    outstanding: int = 500
    manager: Manager | None = None
    notes: tuple[Note, ...] = dataclasses.field(default=(), compare=False)

    def __post_init__(self):
        wrong = _complaints(self, RANGES)
        if len(self.sources) != SERVICE_LEVELS:
            wrong.append(Note("", f"there are settings for {len(self.sources)} service levels", "There are 16 of them"))
        for level, source in enumerate(self.sources):
            ranges = {k: v for k, v in SOURCE_RANGES.items() if getattr(source, k) is not None or not self.manager}
            wrong += _complaints(source, ranges, f" of service level {level}")
        if self.manager:
            wrong += _complaints(self.manager, MANAGER_RANGES)
        elif self.table is None:
            wrong.append(Note("", "there is no table", "OpenSM derives none: give entries, or an empty table"))
        if self.table is not None and len(self.table) > MOST_ENTRIES:
            fact = f"the table has {len(self.table)} entries"
            wrong.append(Note("", fact, f"A subnet manager keeps {MOST_ENTRIES}: shorten it"))
        refuse(wrong)

    @property
    def form(self):
        """The form of file that these settings belong to: "opensm" or "ccmgr"."""
        return "ccmgr" if self.manager else "opensm"

    @property
    def limit(self):
        """CCTI_Limit: the last index of the table."""
        return MOST_ENTRIES - 1 if self.table is None else max(len(self.table) - 1, 0)

    @property
    def levels(self):
        """The service levels that are set."""
        return [level for level in range(SERVICE_LEVELS) if self.source_map >> level & 1]

    def replace(self, **values):
        """A copy with some fields changed: `values` by name."""
        return dataclasses.replace(self, **values)

    def to_scheme(self, level=None):
        """These registers as the `[scheme]` of a scenario: (dict, notes).

        level: the service level whose settings to use if the levels differ; a scheme has one setting for all of them.
        Raises SettingsError if the levels differ and none is named.
        """
        from .schemes import to_scheme

        return to_scheme(self, level)

    @classmethod
    def from_scheme(cls, scheme, **known):
        """The registers of a scheme (a dict, as `congestree.check` resolves it); `.notes` says what they cannot hold.

        known: `packet_time`, that of a full packet on a host's link, in ps; `buffer` (B) of an input port, for a
        threshold in bytes; `host_ports`, for the victim mask "hosts"; `levels`, the service levels of the traffic.
        Raises SettingsError if the scheme is not InfiniBand's.
        """
        from .schemes import from_scheme

        return from_scheme(scheme, **known)
