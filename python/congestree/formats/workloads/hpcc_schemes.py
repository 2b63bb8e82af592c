"""The schemes of the HPCC simulator: what its settings make of DCQCN, HPCC, TIMELY, DCTCP and HPCC-PINT.

Each function answers the scheme of a scenario, and the bytes of telemetry that packets and ACKs carry.
"""

from ...quantities import bits_per_second, exactly, in_words
from .model import WorkloadError, whole

TIMES = {"ALPHA_RESUME_INTERVAL": "alpha_period", "RATE_DECREASE_INTERVAL": "cut_period", "RP_TIMER": "increase_timer"}
RATES = {"RATE_AI": "additive", "RATE_HAI": "hyper", "MIN_RATE": "min_rate"}
# Five records of 8 B and their number (INT); a time stamp (TIMELY); a code of one byte (PINT).
RECORDS, STAMP, CODE = 42, 8, 1
# Bytes that a data packet carries besides its payload (Ethernet, IPv4, UDP and the simulator's own header).
HEADER = 48


def scheme(config, rate, payload, round_trip):
    """The scheme of a `config.txt` on links of `rate` (bit/s), and the bytes of its telemetry.

    `payload`: of a full packet, in bytes; `round_trip`: answers the longest of all pairs of hosts, in ps;
    on a large network that takes long, and few schemes ask.
    """
    mode = config.text("CC_MODE")
    if mode not in MODES:
        remedy = "choose 1 (DCQCN), 3 (HPCC), 7 (TIMELY), 8 (DCTCP) or 10 (HPCC-PINT)"
        raise WorkloadError(config.path, config.line("CC_MODE"), f"there is no CC_MODE {mode}", remedy)
    name, telemetry, marks = MODES[mode]
    if marks and not config.flag("ENABLE_QCN"):
        line = config.line("ENABLE_QCN")
        said = "nobody marks, so sources never slow down: there is no scheme, and no window"
        config.notes.append(f"line {line}: {said}")
        return {"preset": "none"}, 0
    return name(config, rate, payload, round_trip), telemetry


def _dcqcn(config, rate, payload, round_trip):
    dcqcn = {ours: value for name, ours in TIMES.items() if (value := config.time(name, "us")) is not None}
    dcqcn |= {ours: value for name, ours in RATES.items() if (value := config.rate(name)) is not None}
    if (gain := config.number("EWMA_GAIN", 0.0, 1.0)) is not None:
        dcqcn["gain"] = gain
    dcqcn["stages"] = _count(config, "FAST_RECOVERY_TIMES", most=1000)
    dcqcn["clamp_target"] = "always" if config.flag("CLAMP_TARGET_RATE") else "after-increase"
    dcqcn |= _window(config, payload, payload + HEADER, round_trip)
    dcqcn |= {"alpha_grows": "periodically", "byte_counter": "0 B"}
    # Marks are returned in ACKs there; without a window ACKs are needed only for the marks.
    notify = {"cnp": {"interval": dcqcn["cut_period"]}} if dcqcn["window"] == "none" else "ack"
    return {"preset": "dcqcn-vendor", "react": {"dcqcn": dcqcn}, "notify": notify} | _mark(config, rate)


def _hpcc(config, _rate, _payload, round_trip):
    _keeps_window(config)
    hpcc = {
        "u_target": config.number("U_TARGET", 1e-6, 1.0),
        "mi_thresh": _count(config, "MI_THRESH", most=10**6),
        "rate_ai": config.rate("RATE_AI"),
        "min_rate": config.rate("MIN_RATE"),
        "round_trip": exactly(round_trip(), "ps") if config.flag("GLOBAL_T") else None,
        "fast_react": config.flag("FAST_REACT"),
        "var_win": config.flag("VAR_WIN"),
        "rate_bound": config.flag("RATE_BOUND"),
    }
    return {"react": {"hpcc": {key: value for key, value in hpcc.items() if value is not None}}}


def _int(config, *where):
    found = _hpcc(config, *where)
    options = {"multi_rate": "MULTI_RATE", "sample_feedback": "SAMPLE_FEEDBACK"}
    found["react"]["hpcc"] |= {ours: config.flag(name) for ours, name in options.items()}
    return found


def _pint(config, rate, payload, round_trip):
    found = _hpcc(config, rate, payload, round_trip)
    pint = {
        "log_base": config.number("PINT_LOG_BASE", 1.000001, 2.0),
        "pint_prob": config.number("PINT_PROB", 1e-6, 1.0),
    }
    _check_codes(config, pint["log_base"], found["react"]["hpcc"]["u_target"])
    # Switches always use the longest round-trip time there.
    found["react"]["hpcc"] |= {"round_trip": exactly(round_trip(), "ps"), "pint": pint}
    return found


def _check_codes(config, base, target):
    """Refuses a base with which one byte cannot tell of twice the target, as a scenario with it would be.

    The simulator takes as many bytes as the base needs; here a code has one.
    """
    if (largest := base**255 / 512) < 2 * target:
        fact = f"with powers of {base:g} a code of one byte ends at a utilisation of {largest:.3f}"
        raise WorkloadError(config.path, config.line("PINT_LOG_BASE"), fact, "write a larger number, such as 1.05")


def _timely(config, _rate, payload, round_trip):
    timely = {"model": "hpcc"} | _window(config, payload, payload + HEADER + STAMP, round_trip)
    timely |= {ours: value for ours in ("additive", "min_rate") if (value := config.rate(_ITS[ours])) is not None}
    timely |= _hyper_times(config, timely.get("additive"))
    return {"preset": "timely", "react": {"timely": timely}}


def _hyper_times(config, additive):
    """RATE_HAI as a whole multiple of RATE_AI (text or None), with a note if it is not exactly that."""
    if (hyper := config.rate("RATE_HAI")) is None:
        return {}
    line = config.line("RATE_HAI")
    if not (additive and bits_per_second(additive)):
        config.notes.append(f"line {line}: RATE_HAI is left out: here it is a multiple of RATE_AI, which is not given")
        return {}
    exact = bits_per_second(hyper) / bits_per_second(additive)
    times = max(1, round(exact))
    if times != exact:
        config.notes.append(f"line {line}: RATE_HAI is {times} times RATE_AI here, and {exact:.3g} times in the file")
    return {"hyper_times": times}


_ITS = {ours: name for name, ours in RATES.items()}


def _dctcp(config, rate, payload, round_trip):
    _keeps_window(config)
    packets = -(-rate * round_trip() // (8 * payload * 10**12))
    dctcp = {"initial_window": packets, "largest_window": packets, "least_window": 1, "slow_start": False}
    if (gain := config.number("EWMA_GAIN", 0.0, 1.0)) is not None:
        dctcp["gain"] = gain
    if config.rate("DCTCP_RATE_AI"):
        line = config.line("DCTCP_RATE_AI")
        config.notes.append(f"line {line}: DCTCP_RATE_AI is left out: windows grow by a packet each round trip here")
    return {"preset": "dctcp", "react": {"dctcp": dctcp}} | _mark(config, rate)


MODES = {
    "1": (_dcqcn, 0, True),
    "3": (_int, RECORDS, False),
    "7": (_timely, STAMP, False),
    "8": (_dctcp, 0, True),
    "10": (_pint, CODE, False),
}
"""By CC_MODE: the scheme, the bytes of its telemetry, and whether it uses marks."""


def _window(config, payload, packet, round_trip):
    """Whether the unacknowledged bytes are limited, and by which round-trip time; only payload counts there."""
    if not config.flag("HAS_WIN"):
        return {"window": "none"}
    window = {"window": "bdp-at-rate" if config.flag("VAR_WIN") else "bdp"}
    if config.flag("GLOBAL_T"):
        window["round_trip"] = exactly(round_trip() * packet // payload, "ps")
    return window


def _keeps_window(config):
    """A note if sources are to have no window: those of HPCC and DCTCP have one here."""
    if not config.flag("HAS_WIN"):
        said = "HAS_WIN 0 is left out: sources keep a window here, and only a rate in the simulator"
        config.notes.append(f"line {config.line('HAS_WIN')}: {said}")


def _count(config, name, most):
    return whole(config.path, config.line(name), config.text(name), "count", most=most)


def _mark(config, rate):
    red = _red(config, rate)
    return {"mark": {"red": red}} if red else {}


def _red(config, rate):
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
        said = f"the thresholds of links of {in_words(rate, 'bit/s')} are taken for all links"
        config.notes.append(f"line {line}: {said}")
    return red
