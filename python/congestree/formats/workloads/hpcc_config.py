"""Settings of the HPCC simulator (`config.txt`) as sections of a scenario.

A line is a name and its values; remarks are in braces or behind #. What sets DCQCN, the thresholds of marking, the
memory of switches, the size of packets, and the length of the run is taken over, and the choice of DCTCP and TIMELY.
Everything else is named in one note, with the reason why it says nothing here. Schemes that are not here, lossy links
and links that go down are refused.
"""

from pathlib import Path

from ...quantities import bits_per_second, exactly
from ...reading import is_beside
from .model import WorkloadError, picoseconds, read_lines, whole

# Bytes that a data packet of that simulator carries besides its payload: Ethernet, IPv4, UDP and its own header.
HEADER = "48 B"
SCHEMES = {"1": "dcqcn", "7": "timely", "8": "dctcp"}
OTHERS = {"3": "HPCC", "10": "HPCC-PINT"}
# What says nothing here, by the reason.
SILENT = {
    "files, and what is printed or watched": (
        "TOPOLOGY_FILE", "FLOW_FILE", "TRACE_FILE", "TRACE_OUTPUT_FILE", "FCT_OUTPUT_FILE", "PFC_OUTPUT_FILE",
        "QLEN_MON_FILE", "QLEN_MON_START", "QLEN_MON_END", "ENABLE_TRACE",
    ),
    "settings of other schemes": (
        "U_TARGET", "MI_THRESH", "INT_MULTI", "MULTI_RATE", "SAMPLE_FEEDBACK", "FAST_REACT", "PINT_LOG_BASE",
        "PINT_PROB", "DCTCP_RATE_AI",
    ),
    "what is sent again after losses, of which there are none": (
        "L2_CHUNK_SIZE", "L2_BACK_TO_ZERO", "L2_ACK_INTERVAL", "NACK_INTERVAL",
    ),
    "a window is that of the flow's own round trip, and pace and window hold": ("GLOBAL_T", "VAR_WIN", "RATE_BOUND"),
    "ACKs and notifications go before data at hosts, and wait their turn in switches": ("ACK_HIGH_PRIO",),
    "thresholds of shared memory follow what is free of it, as they do there": ("USE_DYNAMIC_PFC_THRESHOLD",),
}  # fmt: skip
TIMES = {"ALPHA_RESUME_INTERVAL": "alpha_period", "RATE_DECREASE_INTERVAL": "cut_period", "RP_TIMER": "increase_timer"}
RATES = {"RATE_AI": "additive", "RATE_HAI": "hyper", "MIN_RATE": "min_rate"}


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
        self.taken = set()

    def text(self, name, default=None):
        """The only value of a name."""
        self.taken.add(name)
        if name not in self.values:
            return default
        number, words = self.values[name]
        if len(words) != 1:
            raise WorkloadError(self.path, number, f"{name} has {len(words)} values", "write one")
        return words[0]

    def line(self, name):
        """The line of a name."""
        return self.values[name][0] if name in self.values else None

    def flag(self, name, default):
        """A name that is 0 or 1."""
        value = self.text(name, default)
        if value not in ("0", "1"):
            raise WorkloadError(self.path, self.line(name), f"{name} is {value!r}", "write 0 or 1")
        return value == "1"

    def time(self, name, unit):
        """A length of time in whole picoseconds, as text; None if it is not said."""
        value = self.text(name)
        return None if value is None else exactly(picoseconds(self.path, self.line(name), value, unit), "ps")

    def rate(self, name):
        """A rate such as 40Mb/s, as text; None if it is not said."""
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
        """A decimal number within limits; None if it is not said."""
        value = self.text(name)
        if value is None:
            return None
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not least <= number <= most:
            fact = f"{value!r} is no value of {name}"
            raise WorkloadError(self.path, self.line(name), fact, f"write a number from {least:g} to {most:g}")
        return number

    def by_rate(self, name):
        """A map from link rates (bit/s) to values: their number, then rates and values in turn."""
        self.taken.add(name)
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

    Paths are those of the folder in which that simulator is started, which is often the one above; here they are looked
    for beside the file, above it, and where we are. Only files in the folder of the settings are taken: a file from
    elsewhere must not have others read.
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
        found[name] = next((file for file in tried if is_beside(file, here) and file.is_file()), None)
        if found[name] is None:
            fact = f"{name} is {text}, which is not in the folder of this file"
            raise WorkloadError(path, config.line(name), fact, "name topology.txt first, with --flows and --config")
    if found["TOPOLOGY_FILE"] is None:
        raise WorkloadError(path, None, "it names no TOPOLOGY_FILE", "name topology.txt first, and this with --config")
    return found


def read(path, rate):
    """The sections of a scenario that a `config.txt` asks for, on links of `rate` (bit/s), and notes."""
    config = Config(path)
    notes = []
    sections = {"scheme": _scheme(config, rate, notes)}
    if payload := config.text("PACKET_PAYLOAD_SIZE"):
        size = whole(path, config.line("PACKET_PAYLOAD_SIZE"), payload, "size", least=1, most=9000)
        sections["adapters"] = {"mtu": f"{size} B", "header": HEADER}
    if stop := config.time("SIMULATOR_STOP_TIME", "s"):
        sections["duration"] = stop
    if size := config.number("BUFFER_SIZE", 0.001, 1e6):
        sections["memory"] = round(size * 2**20)
    if config.number("ERROR_RATE_PER_LINK", 0.0, 1.0):
        fact = "links lose packets here, which no lossless network does"
        raise WorkloadError(path, config.line("ERROR_RATE_PER_LINK"), fact, "write 0")
    _check_link_down(config)
    notes += _left_out(config)
    return sections, notes


def _check_link_down(config):
    """LINK_DOWN has a time and two nodes; at a time of 0 nothing goes down."""
    config.taken.add("LINK_DOWN")
    number, words = config.values.get("LINK_DOWN", (None, ["0"]))
    if picoseconds(config.path, number, words[0], "us"):
        raise WorkloadError(config.path, number, "a link goes down while the run goes on", "write LINK_DOWN 0 0 0")


def _left_out(config):
    """One note on all names that say nothing here, and one on each that is not known at all."""
    left = [name for name in config.values if name not in config.taken]
    reasons = []
    for reason, names in SILENT.items():
        if here := [name for name in left if name in names]:
            reasons.append(f"{', '.join(here)} ({reason})")
            left = [name for name in left if name not in here]
    notes = [f"left out: {'; '.join(reasons)}"] if reasons else []
    return notes + [f"line {config.line(name)}: {name} has no meaning here and is left out" for name in left]


def _scheme(config, rate, notes):
    mode = config.text("CC_MODE", "1")
    if mode in OTHERS:
        fact = f"CC_MODE {mode} is {OTHERS[mode]}, which is not among the schemes here"
        raise WorkloadError(config.path, config.line("CC_MODE"), fact, "choose 1 (DCQCN), 7 (TIMELY) or 8 (DCTCP)")
    if mode not in SCHEMES:
        fact = f"there is no CC_MODE {mode}"
        raise WorkloadError(config.path, config.line("CC_MODE"), fact, "choose 1 (DCQCN), 7 (TIMELY) or 8 (DCTCP)")
    red = _red(config, rate, notes)
    if not config.flag("ENABLE_QCN", "1") and SCHEMES[mode] != "timely":
        notes.append(f"line {config.line('ENABLE_QCN')}: nobody marks, so sources never slow down: there is no scheme")
        config.taken |= {*TIMES, *RATES, "EWMA_GAIN", "FAST_RECOVERY_TIMES", "CLAMP_TARGET_RATE", "HAS_WIN"}
        return {"preset": "none"}
    if SCHEMES[mode] != "dcqcn":
        for name in (*TIMES, *RATES, "EWMA_GAIN", "FAST_RECOVERY_TIMES", "CLAMP_TARGET_RATE", "HAS_WIN"):
            if name in config.values and name not in config.taken:
                config.taken.add(name)
                notes.append(f"line {config.line(name)}: {name} is left to the defaults of {SCHEMES[mode]}")
        return {"preset": SCHEMES[mode]} | ({"mark": {"red": red}} if red and SCHEMES[mode] == "dctcp" else {})
    dcqcn = {ours: value for name, ours in TIMES.items() if (value := config.time(name, "us")) is not None}
    dcqcn |= {ours: value for name, ours in RATES.items() if (value := config.rate(name)) is not None}
    if (gain := config.number("EWMA_GAIN", 0.0, 1.0)) is not None:
        dcqcn["gain"] = gain
    if stages := config.text("FAST_RECOVERY_TIMES"):
        line = config.line("FAST_RECOVERY_TIMES")
        dcqcn["stages"] = whole(config.path, line, stages, "count", most=1000)
    dcqcn["clamp_target"] = "always" if config.flag("CLAMP_TARGET_RATE", "0") else "after-increase"
    dcqcn["window"] = "bdp" if config.flag("HAS_WIN", "0") else "none"
    dcqcn |= {"alpha_grows": "periodically", "byte_counter": "0 B"}
    interval = dcqcn.get("cut_period", "4 us")
    scheme = {"preset": "dcqcn-vendor", "react": {"dcqcn": dcqcn}, "notify": {"cnp": {"interval": interval}}}
    return scheme | ({"mark": {"red": red}} if red else {})


def _red(config, rate, notes):
    """Thresholds at the rate of the links, in proportion elsewhere if the maps are."""
    maps = [config.by_rate(name) for name in ("KMIN_MAP", "KMAX_MAP", "PMAX_MAP")]
    if not all(maps):
        return None
    known = sorted(set(maps[0]) & set(maps[1]) & set(maps[2]))
    if rate not in known:
        fact = f"the maps of thresholds say nothing of links of {exactly(rate, 'bit/s')}"
        raise WorkloadError(
            config.path, config.line("KMIN_MAP"), fact, f"add {rate} to KMIN_MAP, KMAX_MAP and PMAX_MAP"
        )
    low, high, share = (m[rate] for m in maps)
    line = config.line("KMIN_MAP")
    if not (0 <= low <= high and 0 <= share <= 1):
        fact = f"the thresholds {low:g} and {high:g} kB and the share {share:g} do not go together"
        raise WorkloadError(config.path, line, fact, "write Kmin below Kmax, and a Pmax from 0 to 1")
    red = {"min": exactly(round(1000 * low), "B"), "max": exactly(round(1000 * high), "B"), "probability": share}
    alike = all(m[r] * rate == m[rate] * r for m in maps[:2] for r in known) and len(set(maps[2].values())) == 1
    if alike and len(known) > 1:
        red["for_rate"] = exactly(rate, "bit/s")
    elif len(known) > 1:
        notes.append(f"line {line}: the thresholds of links of {rate} bit/s are taken for all links")
    return red
