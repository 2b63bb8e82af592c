"""DCQCN parameters of mlx5 adapters as a scheme, and back.

The same parameters have three spellings: files of debugfs (`cc_params/rp_time_reset`), files of sysfs
(`ecn/roce_rp/rpg_time_reset`), and names of mlxconfig (`RPG_TIME_RESET_P1`). A file has a name and a value on each
line, with a space, `=` or `:` between them, as `grep . cc_params/*` prints them; comments begin with #. mlxconfig
prints words with their number, such as `True(1)`; of the whole output of `mlxconfig query` the rows of these parameters
are read, and a note tells of the others. The lines may be of several devices or ports, which must agree.
Parameters that a file omits have the defaults of NVIDIA's DOCA 3.4 documentation of DCQCN; min_time_between_cnps, on
which sources disagree, has 4. Priorities without control, in sysfs (`ecn/roce_np/enable/3`) or in mlxconfig
(`ROCE_CC_PRIO_MASK_P1`), are told in a note.
"""

import re
from dataclasses import dataclass
from decimal import Decimal

from ...document import chosen
from ...quantities import exactly
from ...reading import read_text
from .. import line_rates
from .model import BITS, BYTES, PICOSECONDS, RoceError, whole_units


@dataclass(frozen=True)
class Parameter:
    """A parameter by its sysfs name: default, least and greatest value."""

    default: int
    least: int
    most: int


MOST = 2**31 - 1
PARAMETERS = {
    "dce_tcp_g": Parameter(1019, 0, 1023),
    "dce_tcp_rtt": Parameter(1, 1, 131_071),
    "initial_alpha_value": Parameter(1023, 0, 1023),
    "rate_to_set_on_first_cnp": Parameter(0, 0, MOST),
    "rpg_min_dec_fac": Parameter(50, 1, 100),
    "rpg_min_rate": Parameter(1, 1, MOST),
    "rpg_max_rate": Parameter(0, 0, MOST),
    "rpg_gd": Parameter(11, 0, 15),
    "rate_reduce_monitor_period": Parameter(4, 0, MOST),
    "clamp_tgt_rate": Parameter(0, 0, 1),
    "clamp_tgt_rate_after_time_inc": Parameter(1, 0, 1),
    "rpg_time_reset": Parameter(300, 1, MOST),
    "rpg_byte_reset": Parameter(32_767, 0, MOST),
    "rpg_threshold": Parameter(1, 0, 31),
    "rpg_ai_rate": Parameter(5, 1, MOST),
    "rpg_hai_rate": Parameter(50, 1, MOST),
    "min_time_between_cnps": Parameter(4, 0, 4095),
}
# A bit for each priority that is controlled, at both ends.
MASK = "roce_cc_prio_mask"
# What is read as a number, and must be the same for all devices.
READ = {**PARAMETERS, MASK: Parameter(255, 0, 255)}
# Parameters that do not concern rates.
SILENT = {
    *("cnp_dscp", "cnp_802p_prio", "cnp_prio", "cnp_prio_mode", "rtt_resp_dscp", "rtt_resp_dscp_valid"),
    *("roce_cc_algorithm", "roce_cc_cnp_moderation"),
}
# The shift at which alpha cuts the rate by alpha/2, as DCQCN defines it.
HALF = 11
TIMES = {
    "dce_tcp_rtt": "alpha_period",
    "rate_reduce_monitor_period": "cut_period",
    "rpg_time_reset": "increase_timer",
}
RATES = {"rpg_ai_rate": "additive", "rpg_hai_rate": "hyper", "rpg_min_rate": "min_rate"}
IF_ANY = {"rpg_max_rate": "max_rate", "rate_to_set_on_first_cnp": "first_rate"}
# Keys of DCQCN that parameters hold; `for_rate` is worked into them.
WRITTEN = {
    *("gain", "initial_alpha", "least_share", "clamp_target", "byte_counter", "stages", "for_rate"),
    *(*TIMES.values(), *RATES.values(), *IF_ANY.values()),
}
# What adapters do where they leave no choice.
ADAPTERS = {"alpha_grows": "periodically", "window": "none", "size": "64 B", "delay": "0 ns"}
_LINE = re.compile(r"(?P<folder>.*/)?(?P<name>[A-Za-z][A-Za-z0-9_]*)\s*[\s=:]\s*(?P<value>\S+)")
# A switch of sysfs for a priority of reaction points (rp) or notification points (np).
_ENABLE = re.compile(r"(?:.*/)?ecn/(?P<end>roce_[rn]p/enable)/(?P<priority>[0-7])\s*[\s=:]\s*(?P<value>[01])", re.A)
_OFF = {
    "roce_np/enable": "send no CNPs",
    "roce_rp/enable": "do not react to CNPs",
    MASK: "neither send CNPs nor react to them",
}
# With this line begins what `mlxconfig query` says of a device.
_QUERY = re.compile(r"Device #\d+:", re.A)
# How mlxconfig prints a value that has a name.
_NAMED = re.compile(r"\w+\((\d+)\)", re.A)
# What a device has between its own folder and the files of its parameters.
_INSIDE = re.compile(r"/(?:cc_params|ecn|roce_[rn]p)(?=/|$)")
PREFIXES = ("rpg_", "rp_", "np_")
WHOLE = {name + port for name in (*READ, *SILENT) for port in ("", "_p1", "_p2")}
_SPELT = {name.removeprefix("rpg_"): name for name in (*READ, *SILENT)}
_SPELT["clamp_tgt_rate_ati"] = "clamp_tgt_rate_after_time_inc"


def sysfs_name(name):
    """The sysfs name of a parameter in any spelling; None if it is unknown."""
    plain = re.sub(r"_p[12]$", "", name.lower())
    for prefix in PREFIXES:
        plain = plain.removeprefix(prefix)
    return _SPELT.get(plain)


def is_known(text):
    """Whether some line of a text gives a value to such a parameter.

    A name without its prefix, such as `threshold`, is no evidence: it is an option of the ccmgr plug-in, too.
    """
    matches = (_LINE.fullmatch(line) for _, _, line in _lines(text))
    names = (match["name"].lower() for match in matches if match)
    return any(sysfs_name(name) and (name.startswith(PREFIXES) or name in WHOLE) for name in names)


def _lines(text):
    """Lines that should be parameters: number, device ("" outside of what `mlxconfig query` writes), and text.

    In such output they are the rows of known parameters, each with the last of its values: the one from the next boot
    on, before which `-e` has others.
    """
    device = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if _QUERY.match(line.strip()):
            device += 1  # not its number: outputs that were put together all begin with #1
            continue
        line = line.split("#")[0].strip()
        if not device and line:
            yield number, "", line
        words = line.lstrip("*").split()  # an asterisk: the value will change
        if device and len(words) > 1 and sysfs_name(words[0]):
            yield number, f"device {device}", f"{words[0]} {words[-1]}"


def read(path):
    """Read parameters: sections of a scenario with the scheme, and notes."""
    notes = []
    given = _given(path, notes)
    if not given:
        raise RoceError(path, None, "there is no parameter in it", "name another file")
    left = [name for name in PARAMETERS if name not in given]
    if left:
        said = ", ".join(f"{name} {PARAMETERS[name].default}" for name in left)
        notes.append(f"not in the file, so as documented: {said}")
    full = {name: given.get(name, parameter.default) for name, parameter in PARAMETERS.items()}
    return {"scheme": _scheme(path, full)}, notes


def _given(path, notes):
    """The parameters of a file that are about rates, by sysfs name: values on which all its devices agree."""
    found, off = {}, {}  # name -> device -> value; what has priorities that are not controlled -> these
    lines = list(_lines(read_text(path)))
    for number, queried, line in lines:
        if enable := _ENABLE.fullmatch(line):
            if enable["value"] == "0":
                off.setdefault(enable["end"], set()).add(enable["priority"])
            continue
        match = _LINE.fullmatch(line)
        name = match and sysfs_name(match["name"])
        if not name:
            remedy = "write a parameter and its value, such as rp_time_reset 300"
            said = match["name"] if match else line
            raise RoceError(path, number, f"{said[:60]!r} is not a known parameter", remedy)
        device, value = " ".join(filter(None, (queried, _device(match)))), _value(path, number, name, match["value"])
        others = found.setdefault(name, {})
        if device in others:
            raise RoceError(path, number, f"{name} is given twice", "keep one of the lines")
        others[device] = value
        if name in READ and others[first := next(iter(others))] != value:
            fact = f"{name} is {others[first]} at {first or 'one place'} and {value} at {device or 'another'}"
            raise RoceError(path, number, fact, "give all devices the same, or keep the lines of one of them")
    mask = next(iter(found.get(MASK, {}).values()), READ[MASK].most)
    if zeros := {str(priority) for priority in range(8) if not mask >> priority & 1}:
        off[MASK] = zeros
    for key, priorities in off.items():
        said = f"{key} is 0 for priority {', '.join(sorted(priorities))}"
        notes.append(f"{said}, so that adapters {_OFF[key]} there: a scheme holds for all traffic")
    if any(queried for _, queried, _ in lines):
        notes.append("of mlxconfig the values from the next boot on are read, and its other rows are passed over")
    return {name: next(iter(values.values())) for name, values in found.items() if name in PARAMETERS}


def _device(match):
    """The device or port of a line, in words: of its path, or of the ending of its name; "" if it names none."""
    port = re.search(r"_p([12])$", match["name"].lower())
    folder = _INSIDE.sub("", "/" + (match["folder"] or "").strip("/"))
    return " ".join(filter(None, (folder.rpartition("/")[2], port and f"port {port[1]}")))


def _value(path, line, name, text):
    if name in SILENT:
        return text
    if named := _NAMED.fullmatch(text):
        text = named[1]
    least, most = READ[name].least, READ[name].most
    if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
        raise RoceError(
            path, line, f"{text!r} is not a value of {name}", f"write a whole number from {least} to {most}"
        )
    return int(text)


def _scheme(path, full):
    if full["rpg_gd"] != HALF:
        fact = f"rpg_gd {full['rpg_gd']} makes cuts other than by alpha/2, which DCQCN does not know"
        raise RoceError(path, None, fact, f"write {HALF}")
    if not full["clamp_tgt_rate"] and not full["clamp_tgt_rate_after_time_inc"]:
        fact = "with neither clamp_tgt_rate nor clamp_tgt_rate_after_time_inc a cut never lowers the target rate"
        raise RoceError(path, None, fact, "set one of them, as the adapters come")
    dcqcn = {
        "gain": 1 - full["dce_tcp_g"] / 1024,
        "initial_alpha": full["initial_alpha_value"] / 1024,
        "least_share": full["rpg_min_dec_fac"] / 100,
        "clamp_target": "always" if full["clamp_tgt_rate"] else "after-increase",
        "byte_counter": f"{full['rpg_byte_reset']} B",
        "stages": full["rpg_threshold"],
        "alpha_grows": ADAPTERS["alpha_grows"],
        **{ours: f"{full[name]} us" for name, ours in TIMES.items()},
        **{ours: f"{full[name]} Mbit/s" for name, ours in RATES.items()},
        **{ours: f"{full[name]} Mbit/s" for name, ours in IF_ANY.items() if full[name]},
    }
    interval = f"{full['min_time_between_cnps']} us"
    return {"preset": "dcqcn-vendor", "react": {"dcqcn": dcqcn}, "notify": {"cnp": {"interval": interval}}}


def write(scenario):
    """The parameters of a resolved scenario in their sysfs spelling, and notes."""
    scheme = scenario["scheme"]
    react, dcqcn = chosen(scheme["react"])
    if react != "dcqcn":
        _refuse("react", "the scheme reacts in another way than DCQCN", 'take scheme.preset = "dcqcn-vendor"')
    rate = Decimal(1)
    notes = []
    if dcqcn.get("for_rate"):
        line = _line_rate(scenario)
        rate = line / whole_units(dcqcn["for_rate"], BITS, "bit/s")
        notes.append(f"rates are those of links of {exactly(line, 'bit/s')}")
    cnp = scheme["notify"].get("cnp") if isinstance(scheme["notify"], dict) else None
    notes += _left_out(dcqcn, cnp)
    exact = {
        "dce_tcp_g": ("react.dcqcn.gain", (1 - Decimal(repr(dcqcn["gain"]))) * 1024),
        "initial_alpha_value": ("react.dcqcn.initial_alpha", Decimal(repr(dcqcn["initial_alpha"])) * 1024),
        "rpg_min_dec_fac": ("react.dcqcn.least_share", Decimal(repr(dcqcn["least_share"])) * 100),
        "rpg_threshold": ("react.dcqcn.stages", Decimal(dcqcn["stages"])),
        "rpg_byte_reset": ("react.dcqcn.byte_counter", whole_units(dcqcn["byte_counter"], BYTES, "B")),
        "rpg_gd": ("", Decimal(HALF)),
        "clamp_tgt_rate": ("", Decimal(dcqcn["clamp_target"] == "always")),
        "clamp_tgt_rate_after_time_inc": ("", Decimal(1)),
    }
    for name, ours in TIMES.items():
        exact[name] = (f"react.dcqcn.{ours}", whole_units(dcqcn[ours], PICOSECONDS, "us"))
    for name, ours in (RATES | IF_ANY).items():
        factor = rate if ours in ("additive", "hyper") else 1
        value = whole_units(dcqcn[ours], BITS, "Mbit/s") * factor if dcqcn.get(ours) else Decimal(0)
        exact[name] = (f"react.dcqcn.{ours}", value)
    exact["min_time_between_cnps"] = (
        "notify.cnp.interval",
        whole_units((cnp or {}).get("interval", "0 ns"), PICOSECONDS, "us"),
    )
    lines = [f"{name} {_whole(name, *exact[name], notes)}" for name in PARAMETERS]
    return "\n".join(lines) + "\n", notes


def _line_rate(scenario):
    """The rate (bit/s) at which all hosts send: what is for another rate is in proportion to it."""
    rates = line_rates.line_rates(scenario)
    if len(rates) > 1:
        fact = f"hosts send at {line_rates.in_words(rates)}, and a file has the increases of one rate"
        _refuse("react.dcqcn.for_rate", fact, "give the hosts links of one rate, or leave it out")
    return next(iter(rates))


def _left_out(dcqcn, cnp):
    """Notes on what adapters have no parameter for, where it is not as they do it."""
    parts = {"react.dcqcn": (dcqcn, WRITTEN), "notify.cnp": (cnp or {}, {"interval"})}
    notes = [
        f"adapters have no parameter for scheme.{part}.{key}: {value} is left out"
        + (f", and read back as {ADAPTERS[key]}" if key in ADAPTERS else "")
        for part, (values, written) in parts.items()
        for key, value in values.items()
        if key not in written and value != ADAPTERS.get(key)
    ]
    if cnp is None:
        notes.append("adapters notify with CNPs: scheme.notify is left out")
    return notes


def _whole(name, key, value, notes):
    """The nearest whole number, with a note if it was rounded; refused if it is outside the range of the parameter."""
    rounded = int(value.to_integral_value())
    if name == "initial_alpha_value" and rounded == 1024:
        rounded = 1023  # the adapters have no more
    parameter = PARAMETERS[name]
    if not parameter.least <= rounded <= parameter.most:
        fact = f"{name} would be {rounded}, and adapters take {parameter.least} to {parameter.most}"
        _refuse(key, fact, "choose a value that an adapter can hold")
    if rounded != value:
        notes.append(f"{name} is {rounded}, and scheme.{key} would be {float(value):g}")
    return rounded


def _refuse(key, fact, remedy):
    raise RoceError(f"scheme.{key}", None, fact, remedy)
