"""Queues at the outputs of SONiC switches: BUFFER_QUEUE of CONFIG_DB, read into a scenario and written from one.

    {"BUFFER_POOL": {"egress_lossless_pool": {"type": "egress", "mode": "static", "size": "33554432"},
                     "egress_lossy_pool": {"type": "egress", "mode": "dynamic", "size": "30000000"}},
     "BUFFER_PROFILE": {"egress_lossless_profile": {"pool": "egress_lossless_pool", "static_th": "33554432"},
                        "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "1518", "dynamic_th": "3"}},
     "BUFFER_QUEUE": {"Ethernet0|3-4": {"profile": "egress_lossless_profile"},
                      "Ethernet0|0-2": {"profile": "egress_lossy_profile"}}}

| SONiC | scenario |
|-------|----------|
| queues of lossless priorities, `static_th` no less than what all inputs share | any such lane: no bound |
| queues of lossless priorities, `dynamic_th` of 7 or more | the same; switches of Mellanox have it so |
| queues of other priorities, `dynamic_th` | `switches.shared_memory.lossy_alpha` = 2^`dynamic_th`: more is dropped |

A bound on a lossless queue would drop packets that no pause can save, and a fixed bound on a lossy one has no word
here: both are refused.
"""

from . import lossless
from .model import BYTES, whole_units
from .scenarios import lossy_lanes

TABLE = "BUFFER_QUEUE"
LOSSLESS_POOL, LOSSY_POOL = "egress_lossless_pool", "egress_lossy_pool"
LOSSLESS, LOSSY = "egress_lossless_profile", "egress_lossy_profile"
# Mellanox's SAI reads an exponent of 7 or more as infinity; 128 times what is free is 99 % of the memory elsewhere.
UNBOUNDED_EXPONENT = 7


def read(reader, priorities, shared):
    """Settings of `shared_memory` in a scenario. `priorities`: lossless ones; `shared`: bytes that all inputs share."""
    shares = {}
    for key, row in reader.document.get(TABLE, {}).items():
        _, queues = reader.key(key, "queue")
        name = reader.entry("BUFFER_PROFILE", row.get("profile", ""), key)
        mode, threshold = _threshold(reader, key, name)
        paused = priorities & queues
        if paused and paused != queues:
            fact = f"{key} has queues that pause ({_listed(paused)}) and others that drop"
            reader.refuse(key, fact, "give each their own entry")
        if paused and mode == "dynamic" and threshold >= UNBOUNDED_EXPONENT:
            reader.note(
                f"queues of {name} are without bound here, as a dynamic_th of {threshold} says on some switches"
            )
        elif paused and (mode == "dynamic" or threshold < shared):
            bound = f"{threshold} B" if mode == "static" else f"2^{threshold} of what is free"
            fact = f"{key} may hold no more than {bound}, so that a lossless queue would drop the rest"
            reader.refuse(key, fact, f"give {name} a static_th of what all inputs share, {shared}, or more")
        if not paused and mode == "static":
            fact = f"{key} is bounded by {threshold} B, and a lossy queue is bounded by a share of what is free here"
            reader.refuse(key, fact, f"give {name} a dynamic_th, and its pool the mode dynamic")
        if not paused:
            shares.setdefault(threshold, name)
    if len(shares) > 1:
        said = " and ".join(f"{threshold} ({name})" for threshold, name in shares.items())
        reader.refuse(
            TABLE, f"lossy queues have a dynamic_th of {said}, and all have the same here", "write one of them"
        )
    (threshold,) = shares or (None,)
    return {} if threshold is None else {"lossy_alpha": 2.0**threshold}


def _threshold(reader, key, name):
    """Of a profile of queues: "static" or "dynamic", and its threshold."""
    row = reader.document["BUFFER_PROFILE"][name]
    pool = reader.pool_of(name, "egress")
    mode = reader.mode(name, pool)
    if "xoff" in row:
        reader.refuse(name, f"{name} has headroom (xoff), which queues have no use for", f"give {key} another profile")
    if own := reader.number("BUFFER_PROFILE", name, "size", 0):
        reader.note(
            f"queues of {name} have {own} B for themselves, which is left out: an input and priority has some here"
        )
    least, most = (0, 10**13) if mode == "static" else (lossless.LEAST_EXPONENT, lossless.MOST_EXPONENT)
    threshold = reader.number("BUFFER_PROFILE", name, f"{mode}_th", least=least)
    if threshold > most:
        reader.refuse(name, f"{name} has a {mode}_th of {threshold}", f"write a number from {least} to {most}")
    return mode, threshold


def tables(switches, ports, spans):
    """BUFFER_QUEUE with its pools and profiles. `spans`: gives numbers in a row as ranges."""
    memory = int(whole_units(switches.shared["size"], BYTES, "B"))
    paused = switches.priorities()
    lossy = [lane for lane in lossy_lanes(switches.scenario) if lane < lossless.PRIORITIES]
    pools = {LOSSLESS_POOL: {"type": "egress", "mode": "static", "size": str(memory)}}
    profiles = {LOSSLESS: {"pool": LOSSLESS_POOL, "size": "0", "static_th": str(memory)}}
    if lossy:
        exponent = lossless.exponent(switches.shared["lossy_alpha"], switches.notes)
        pools[LOSSY_POOL] = {"type": "egress", "mode": "dynamic", "size": str(switches.pool())}
        profiles[LOSSY] = {"pool": LOSSY_POOL, "size": "0", "dynamic_th": str(exponent)}
    queues = {
        f"{port}|{span}": {"profile": profile}
        for port in ports
        for numbers, profile in ((paused, LOSSLESS), (lossy, LOSSY))
        for span in spans(numbers)
    }
    return {"BUFFER_POOL": pools, "BUFFER_PROFILE": profiles, TABLE: queues}


def _listed(numbers):
    return ", ".join(map(str, sorted(numbers)))
