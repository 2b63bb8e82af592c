"""Random InfiniBand congestion control: parts and parameters whose tables, timers and thresholds matter in short runs.

Idle times, timers and packet times come from short lists with common multiples, so that timers expire at the very
instants at which notifications come and packets may start.
"""

import random


def packets_in(room: int, packet: int) -> int:
    """Packets that fit for certain, in whole blocks of up to 100 B and with up to 20 B more; one always does."""
    return max(1, room // (packet + 120))


def random_infiniband(rng: random.Random, slots: bool, room: int, packet: int, lanes: int, voq: bool) -> dict:
    """A scheme with at least one part of InfiniBand; `room` is that of a buffer in its unit, `packet` a full packet."""
    scheme = {"preset": rng.choice(["ib-cc", "ib-cc", "none"]), "persistent": rng.random() < 0.4}
    if voq and rng.random() < 0.75:
        scheme["mark"] = {"fecn": random_fecn(rng, slots, room, packet)}
    else:
        trigger = {"trigger": min(rng.choice([1, 2]), room if slots else packets_in(room, packet))}
        scheme["mark"] = rng.choice(
            [{"naive": trigger}, {"input-triggered": trigger}, {"output-triggered": {"output_threshold": 1}}]
        )
    react = rng.choice(["cct"] * 8 + ["none", "lipd"])
    scheme["react"] = {"cct": random_cct(rng)} if react == "cct" else react
    if react == "lipd" or rng.random() < 0.25:
        scheme["notify"] = "ack"
    else:
        cnp = {"size": f"{min(rng.choice([64, 64, 20, 1, 200]), packet)} B"} if rng.random() < 0.6 else {}
        if rng.random() < 0.5:
            cnp["lane"] = rng.randrange(lanes)
        if rng.random() < 0.3:
            cnp["delay"] = f"{rng.randrange(1, 5000)} ns"
        scheme["notify"] = {"cnp": cnp} if min(64, packet) == 64 or cnp.get("size") else "ack"
    return scheme


def random_fecn(rng: random.Random, slots: bool, room: int, packet: int) -> dict:
    """Marking by the fill of queues: low thresholds, so that it happens."""
    fecn = {}
    if slots or rng.random() < 0.5:
        # A threshold that no queue exceeds is refused; a buffer of bytes has whole blocks of up to 100 B.
        most = room * packet - 1 if slots else room - 100
        enter = min(rng.choice([0, packet - 1, packet, packet + 20, 2 * packet]), most)
        gap = rng.choice([0, 0, packet // 2, packet, enter])
    else:
        weight = rng.choice([15, 15, 14, 12, 8, 1, 0])
        fecn["threshold"] = weight
        enter = room * (16 - weight) // 16 if weight else 2560
        enter -= enter % 64 + 64  # the engine counts whole blocks of up to 100 B
        gap = rng.choice([0, packet // 2, packet])
        fecn["gap"] = f"{max(min(gap, enter), 0)} B"
    if "threshold" not in fecn:
        fecn |= {"enter": f"{enter} B", "gap": f"{min(gap, enter)} B"}
    fecn["fill"] = rng.choice(["voq", "sum", "sum-per-input"])
    fecn["victim_mask"] = rng.choice(["none", "hosts", "hosts", "all", {"ports": rng.sample(range(1, 9), 3)}])
    fecn["packet_size"] = rng.choice(["0 B", "64 B", f"{packet} B", f"{packet // 2} B"])
    fecn["marking_rate"] = rng.choice([0, 0, 1, 1, 2, 5])
    fecn["choice"] = rng.choice(["random", "every-nth"])
    return fecn


def random_cct(rng: random.Random) -> dict:
    """A table, and how a source moves in it."""
    limit = rng.choice([1, 3, 8, 20, 127])
    delays = ["0 ns", "100 ns", "512 ns", "1 us", "2.068 us", "3 us", "7 us", "20 us"]
    codes = ["0:0", "0:1", "1:1", "1:3", "2:5", "3:1", "3:30", "0:9"]
    tables = [
        {"quadratic": {"delay": rng.choice(["7 us", "30 us"]), "at": rng.choice([1, 3, 10, 106])}},
        {"linear": {"delay": rng.choice(["1 us", "20 us", "10.001 us"]), "at": rng.choice([1, 7, 20])}},
        {"delays": sorted_or_not(rng, [rng.choice(delays) for _ in range(limit + 1)], delays.index)},
        {"encoded": sorted_or_not(rng, [rng.choice(codes) for _ in range(limit + 1)], code_value)},
    ]
    return {
        "increase": rng.choice([1, 1, 1, 2, 5, 0, 255]),
        "limit": limit,
        "min": rng.choice([0, 0, 0, 1]),
        "timer": rng.choice(["1 us", "2.068 us", "5 us", "20 us", "153.6 us", "100 ns"]),
        "timer_runs": rng.choice(["re-armed", "free"]),
        "per": rng.choice(["qp", "sl"]),
        "table": rng.choice(tables),
    }


def sorted_or_not(rng: random.Random, entries: list[str], key) -> list[str]:
    """Idle times mostly rise with the index; what happens where they do not is defined too."""
    return sorted(entries, key=key) if rng.random() < 0.8 else entries


def code_value(code: str) -> float:
    """The idle time of an entry in packet times."""
    shift, multiplier = (int(part) for part in code.split(":"))
    return multiplier / 2**shift
