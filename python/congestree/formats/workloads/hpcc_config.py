"""Settings of the HPCC simulator (`config.txt`) as sections of a scenario.

A line is a name and its values; comments are in braces or begin with #. The settings of the scheme (`hpcc_schemes`), of
the thresholds of marking, the memory of switches, the size of packets, and the length of the run are translated. All
others are named in one note, with the reason why they have no effect here. What the file lacks is as the simulator has
it, which a note says. Schemes that congestree does not have, lossy links and links that go down are refused.
"""

import functools
from pathlib import Path

from ...quantities import bits_per_second, exactly
from ...reading import is_beside
from . import hpcc, hpcc_schemes
from .hpcc_schemes import HEADER
from .model import WorkloadError, picoseconds, read_lines, whole

# Bytes of an ACK of that simulator, without the records that switches add, and of the smallest frame.
ACK, LEAST_ACK = 46, 60
# What the simulator takes for settings that are not in the file (`third.cc`).
ABSENT = {
    "CC_MODE": "1", "ENABLE_QCN": "1", "PACKET_PAYLOAD_SIZE": "1000", "BUFFER_SIZE": "16", "HAS_WIN": "1",
    "GLOBAL_T": "1", "VAR_WIN": "0", "MIN_RATE": "100Mb/s", "ALPHA_RESUME_INTERVAL": "55",
    "RATE_DECREASE_INTERVAL": "4", "FAST_RECOVERY_TIMES": "5", "CLAMP_TARGET_RATE": "0", "U_TARGET": "0.95",
    "MI_THRESH": "5", "MULTI_RATE": "1", "SAMPLE_FEEDBACK": "0", "FAST_REACT": "1", "RATE_BOUND": "1",
    "PINT_LOG_BASE": "1.05", "PINT_PROB": "1.0",
}  # fmt: skip
# Without these it does not start, or has 0: the timer is not set, and its gain is 1 / 16 in whole numbers.
NEEDED = ("RATE_AI", "RATE_HAI", "RP_TIMER", "EWMA_GAIN", "KMIN_MAP", "KMAX_MAP", "PMAX_MAP")
# Settings without an effect here, by the reason.
SILENT = {
    "files, and what is printed or watched": (
        "FLOW_FILE", "TRACE_FILE", "TRACE_OUTPUT_FILE", "FCT_OUTPUT_FILE", "PFC_OUTPUT_FILE", "QLEN_MON_FILE",
        "QLEN_MON_START", "QLEN_MON_END", "ENABLE_TRACE",
    ),
    "settings of other schemes": (
        "U_TARGET", "MI_THRESH", "MULTI_RATE", "SAMPLE_FEEDBACK", "FAST_REACT", "PINT_LOG_BASE", "PINT_PROB",
        "DCTCP_RATE_AI", "ALPHA_RESUME_INTERVAL", "RATE_DECREASE_INTERVAL", "RP_TIMER", "EWMA_GAIN",
        "FAST_RECOVERY_TIMES", "CLAMP_TARGET_RATE", "RATE_AI", "RATE_HAI", "MIN_RATE", "KMIN_MAP", "KMAX_MAP",
        "PMAX_MAP", "ENABLE_QCN",
    ),
    "there is no window, or the scheme sets it": ("HAS_WIN", "VAR_WIN"),
    "what switches write is exact": ("INT_MULTI",),
    "what is sent again after losses, of which there are none": (
        "L2_CHUNK_SIZE", "L2_BACK_TO_ZERO", "L2_ACK_INTERVAL", "NACK_INTERVAL",
    ),
    "there is no window, or it is that of the longest way": ("GLOBAL_T",),
    "pace and window hold": ("RATE_BOUND",),
    "ACKs and notifications go before data at hosts, and wait their turn in switches": ("ACK_HIGH_PRIO",),
    "thresholds of shared memory follow what is free of it, as they do there": ("USE_DYNAMIC_PFC_THRESHOLD",),
}  # fmt: skip


class Config:
    """The values of a `config.txt` by name, each with its line."""

    def __init__(self, path):
        self.path = str(path)
        self.values = {}
        for number, line in read_lines(path):
            words = line.split()
            if not words:
                continue
            if len(words) < 2:
                raise WorkloadError(path, number, f"{words[0]} has no value", "write the value behind the name")
            if words[0] in self.values:
                fact = f"{words[0]} stands in line {self.values[words[0]][0]} already"
                raise WorkloadError(path, number, fact, "write it once")
            self.values[words[0]] = (number, words[1:])
        self.taken = {}  # in order
        self.notes = []

    def text(self, name):
        """The only value of a name, or what the simulator takes without it; None if that is nothing."""
        self.taken[name] = True
        if name not in self.values:
            return ABSENT.get(name)
        number, words = self.values[name]
        if len(words) != 1:
            raise WorkloadError(self.path, number, f"{name} has {len(words)} values", "write one")
        return words[0]

    def line(self, name):
        """The line of a name."""
        return self.values[name][0] if name in self.values else None

    def flag(self, name):
        """A name that is 0 or 1."""
        value = self.text(name)
        if value not in ("0", "1"):
            raise WorkloadError(self.path, self.line(name), f"{name} is {value!r}", "write 0 or 1")
        return value == "1"

    def time(self, name, unit):
        """A time in whole picoseconds, as text; None if it is not set."""
        value = self.text(name)
        return None if value is None else exactly(picoseconds(self.path, self.line(name), value, unit), "ps")

    def rate(self, name):
        """A rate such as 40Mb/s, as text; None if it is not set."""
        value = self.text(name)
        if value is None:
            return None
        try:
            return exactly(round(bits_per_second(value.replace("b/s", "bit/s"))), "bit/s")
        except ValueError:
            raise WorkloadError(
                self.path, self.line(name), f"{value!r} is no rate", "write for example 40Mb/s"
            ) from None

    def number(self, name, least, most):
        """A decimal number within limits; None if it is not set."""
        value = self.text(name)
        if value is None:
            return None
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not least <= number <= most:
            fact = f"{value!r} is not a value of {name}"
            raise WorkloadError(self.path, self.line(name), fact, f"write a number from {least:g} to {most:g}")
        return number

    def by_rate(self, name):
        """A map from link rates (bit/s) to values: their number, then rates and values in turn."""
        self.taken[name] = True
        if name not in self.values:
            return {}
        number, words = self.values[name]
        count = whole(self.path, number, words[0], "count", least=1)
        if len(words) != 1 + 2 * count:
            fact = f"{count} pairs are announced, and there are {len(words) - 1} values"
            raise WorkloadError(self.path, number, fact, "write rates and values in turn")
        try:
            return {int(rate): float(value) for rate, value in zip(words[1::2], words[2::2], strict=True)}
        except ValueError:
            fact = f"{name} holds something that is no number"
            raise WorkloadError(self.path, number, fact, "write rates in bit/s and values in turn") from None


def files(path):
    """The files that a `config.txt` names, by setting: the topology, and the flows or None.

    Paths are relative to the folder in which that simulator is started, which is often the parent folder; here they are
    tried relative to the folder of the file, to its parent, and to the current folder. Only files in the folder of the
    settings are accepted: a file from elsewhere must not cause others to be read.
    """
    config = Config(path)
    here = Path(path).parent
    found = {}
    for name in ("TOPOLOGY_FILE", "FLOW_FILE"):
        text = config.text(name)
        if text is None:
            found[name] = None
            continue
        tried = [folder / text for folder in (here, here.parent, Path())] + [here / Path(text).name]
        found[name] = next((file for file in tried if is_beside(file, here)), None)
        if found[name] is None:
            fact = f"{name} is {text}, which is not in the folder of this file"
            raise WorkloadError(path, config.line(name), fact, "name topology.txt first, with --flows and --config")
    if found["TOPOLOGY_FILE"] is None:
        raise WorkloadError(path, None, "it names no TOPOLOGY_FILE", "name topology.txt first, and this with --config")
    return found


def read(path, rate, topology, flows=False):
    """The sections of a scenario that a `config.txt` asks for, on links of `rate` (bit/s), and notes.

    `flows`: there are flows; of a file of them that is not read a note says so.
    """
    config = Config(path)
    config.taken |= dict.fromkeys(["TOPOLOGY_FILE", *(["FLOW_FILE"] if flows else [])])
    text = config.text("PACKET_PAYLOAD_SIZE")
    payload = whole(path, config.line("PACKET_PAYLOAD_SIZE"), text, "size", least=1, most=9000)
    round_trip = functools.cache(lambda: hpcc.longest_round_trip(topology, payload))
    scheme, telemetry = hpcc_schemes.scheme(config, rate, payload, round_trip)
    ack = max(LEAST_ACK, ACK + telemetry)
    adapters = {"mtu": f"{payload} B", "header": f"{HEADER + telemetry} B", "ack": f"{ack} B"}
    sections = {"scheme": scheme, "adapters": adapters}
    if stop := config.time("SIMULATOR_STOP_TIME", "s"):
        sections["duration"] = stop
    sections["memory"] = round(config.number("BUFFER_SIZE", 0.001, 1e6) * 2**20)
    if config.number("ERROR_RATE_PER_LINK", 0.0, 1.0):
        fact = "links lose packets here, which no lossless network does"
        raise WorkloadError(path, config.line("ERROR_RATE_PER_LINK"), fact, "write 0")
    _check_link_down(config)
    return sections, config.notes + _absent(config) + _left_out(config)


def _check_link_down(config):
    """LINK_DOWN has a time and two nodes; at a time of 0 nothing goes down."""
    config.taken["LINK_DOWN"] = True
    number, words = config.values.get("LINK_DOWN", (None, ["0"]))
    if picoseconds(config.path, number, words[0], "us"):
        raise WorkloadError(config.path, number, "a link goes down while the run goes on", "write LINK_DOWN 0 0 0")


def _absent(config):
    """Notes on settings that matter and are not in the file."""
    missing = [name for name in config.taken if name not in config.values]
    known = ", ".join(f"{name} {ABSENT[name]}" for name in missing if name in ABSENT)
    needed = ", ".join(name for name in missing if name in NEEDED)
    notes = [f"not in the file, so as in the simulator: {known}"] if known else []
    return notes + ([f"not in the file, and the simulator needs them: {needed}; defaults are taken"] if needed else [])


def _left_out(config):
    """One note on all names without an effect, and one on each unknown name."""
    left = [name for name in config.values if name not in config.taken]
    reasons = []
    for reason, names in SILENT.items():
        if here := [name for name in left if name in names]:
            reasons.append(f"{', '.join(here)} ({reason})")
            left = [name for name in left if name not in here]
    notes = [f"left out: {'; '.join(reasons)}"] if reasons else []
    return notes + [f"line {config.line(name)}: {name} has no meaning here and is left out" for name in left]
