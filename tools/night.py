"""Random networks under audit, for as long as it is told: every law, scheme, flow control and compiled variant.

    python tools/night.py --minutes 480 --state runs/night.json          # make night; the same command goes on
    python tools/night.py --from 66 --count 22 --events 50000            # these networks only, nothing is kept

Each network (see `tools/night_networks/draw.py`) is run on both event lists, which use different compiled variants of
the engine, and the beginning of each that can be cut in parts by two or three threads, while the engine audits its
laws. What is asserted from outside: no law is broken and nothing else has stopped the run; all runs agree in every
transmission and delivery; no flow delivers more than was sent, nor, where the engine records deliveries (one network
in four), twice or before it was sent; each deadlock is a true one (`tools/night_networks/deadlock.py`). What fails is
written down with its number and ends the night.

A network is as long as so many events of the engine take, not so many packet-hops: what is offered to a network that
cannot carry it costs time, too, and a few such networks would take most of the night.
"""

import argparse
import json
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from night_networks import deadlock, draw

from congestree import document

EMPTY = {
    "next": 0, "networks": 0, "packet_hops": 0, "seconds": 0.0,
    "kinds": {}, "hops": {}, "flow_control": {}, "besides": {}, "parts": {}, "deadlocks": {},
}  # fmt: skip
# Several threads share one core as a rule, which makes them slow: they do this part of the duration.
BEGIN = 16


def audit(seed, events):
    """One network: what it was and what it took. Raises AssertionError with its number if there is an error."""
    began = time.process_time()
    kind, scenario, tries = draw.draw(seed, events)
    try:
        told = _audit(seed, scenario)
    except Exception as error:
        raise AssertionError(f"network {seed} ({kind}): {type(error).__name__}: {error}") from error
    flow_control, _ = document.chosen(scenario["links"]["flow_control"])
    seconds, besides = time.process_time() - began, draw.besides(scenario)
    return {"kind": kind, "flow_control": flow_control, "besides": besides, "tries": tries, "seconds": seconds, **told}


def _audit(seed, scenario):
    if seed % 4 == 3:
        scenario["measure"]["probes"] = ["deliveries"]
    output, facts, hops = _agree(scenario, [("wheel", 1), ("heap", 1)])
    threads = 2 + seed // 4 % 2
    parts = 1 if scenario["measure"].get("probes") else draw.parts(scenario, threads)
    if parts > 1:
        duration = max(_nanoseconds(scenario) // BEGIN, draw.SHORTEST)
        begin = scenario | {"measure": scenario["measure"] | {"duration": f"{duration} ns"}}
        hops += _agree(begin, [("wheel", 1), (("wheel", "heap")[seed // 8 % 2], threads)])[2]
    stopped = facts["stopped"]
    found = stopped is not None and " lane " in stopped and "room for it" not in stopped  # of a deadlock, not of a loss
    assert stopped is None or found, stopped
    tables = output.tables()
    _check_flows({key: column["values"] for key, column in tables["flows"].items()})
    if "deliveries" in tables:
        _check_deliveries({key: column["values"] for key, column in tables["deliveries"].items()}, scenario)
    if found and scenario.get("routing"):
        deadlock.check(scenario, facts)
    return {
        "packet_hops": hops,
        "parts": parts,
        "deadlock": "true" if found and scenario.get("routing") else "other" if found else None,
    }


def _agree(scenario, ways):
    """Run it in each of these ways, (event list, threads): (output, facts of the last, packet-hops of all)."""
    from congestree import _engine

    text, hops, outcomes = json.dumps(scenario), 0, []
    for agenda, threads in ways:
        output = _engine.run(text, "json", "", None, agenda, threads=threads)
        facts = json.loads(output.meta())
        outcomes.append((facts["fingerprint"], facts["stopped"], facts["packet_hops"], facts["duration_s"]))
        hops += facts["packet_hops"]
    assert all(outcome == outcomes[0] for outcome in outcomes), f"the runs disagree: {ways} {outcomes}"
    return output, facts, hops


def _nanoseconds(scenario):
    return int(scenario["measure"]["duration"].removesuffix(" ns"))


def _check_flows(flows):
    assert (flows["packets"] <= flows["sent"]).all(), "more was delivered than sent"


def _check_deliveries(seen, scenario):
    """Nothing twice, nothing before it was sent; in order if packets of a flow have one path and nothing is dropped."""
    import numpy as np

    assert (seen["injected_ps"] < seen["time_ps"]).all() and (seen["created_ps"] <= seen["injected_ps"]).all()
    if scenario["links"]["flow_control"] == "none":
        return  # lost packets are sent again under their old number
    if any(entry.get("flows") == "by-message" for entry in scenario["traffic"]):
        return  # every message numbers its packets from the first on
    flow, sequence = np.asarray(seen["flow"]), np.asarray(seen["sequence"])
    order = np.lexsort((sequence, flow))
    same = flow[order][1:] == flow[order][:-1]
    assert not (same & (sequence[order][1:] == sequence[order][:-1])).any(), "a packet was delivered twice"


def go_on(state, seeds, events, workers, until, say):
    """Audit networks until the time or the numbers are used up; calls say(state) now and then."""
    with ProcessPoolExecutor(workers) as pool:
        for chunk in seeds:
            told = list(pool.map(audit, chunk, [events] * len(chunk), chunksize=1))
            for one in told:
                state["networks"] += 1
                state["packet_hops"] += one["packet_hops"]
                state["seconds"] += one["seconds"]
                count = [("kinds", one["kind"], 1), ("hops", one["kind"], one["packet_hops"])]
                count.append(("flow_control", one["flow_control"], 1))
                count += [("besides", name, 1) for name in one["besides"]]
                count += [("parts", str(one["parts"]), 1)] if one["parts"] > 1 else []
                count += [("deadlocks", one["deadlock"], 1)] if one["deadlock"] else []
                for key, value, more in count:
                    state[key] = dict(Counter(state[key]) + Counter({value: more}))
            state["next"] = chunk[-1] + 1
            say(state)
            if time.monotonic() > until:
                break
    return state


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60, help="for so long")
    parser.add_argument("--state", type=Path, help="go on from this file, and keep the figures in it")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--events", type=float, default=1e7, help="events of a run, about")
    parser.add_argument("--from", type=int, dest="first", help="begin at this network")
    parser.add_argument("--count", type=int, help="so many networks at most")
    asked = parser.parse_args()
    state = EMPTY | (json.loads(asked.state.read_text()) if asked.state and asked.state.exists() else {})
    first = state["next"] if asked.first is None else asked.first
    last = first + asked.count if asked.count else sys.maxsize
    size = 4 * asked.workers
    chunks = (range(at, min(at + size, last)) for at in range(first, last, size))

    def say(state):
        rate = state["packet_hops"] / max(state["seconds"], 1e-9)
        said = f"{state['networks']:,} networks, {state['packet_hops']:.3g} packet-hops, {rate / 1e6:.2f} M"
        print(f"{said} a second of a processor", flush=True)
        if asked.state:
            draft = asked.state.with_suffix(".part")
            draft.write_text(json.dumps(state, indent=2) + "\n")
            draft.replace(asked.state)

    try:
        go_on(state, chunks, asked.events, asked.workers, time.monotonic() + 60 * asked.minutes, say)
    except AssertionError as error:
        sys.exit(f"FAILED: {error}")
    except KeyboardInterrupt:
        sys.exit("Interrupted; the same command goes on.")


if __name__ == "__main__":
    main()
