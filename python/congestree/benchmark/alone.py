"""One run with nothing around it, for the benchmark: the engine is loaded from its file, NumPy is not loaded.

python alone.py ENGINE AGENDA THREADS < scenario.json
"""

import importlib.machinery
import importlib.util
import json
import resource
import sys
import time


def peak_mib():
    """Peak resident memory of this process alone (rusage would count the parent's before exec too)."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 2**10
    except (OSError, StopIteration):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (2**20 if sys.platform == "darwin" else 2**10)


def main():
    path, agenda, threads = sys.argv[1:4]
    loader = importlib.machinery.ExtensionFileLoader("congestree._engine", path)
    engine = importlib.util.module_from_spec(importlib.util.spec_from_loader("congestree._engine", loader))
    loader.exec_module(engine)
    text = sys.stdin.read()
    base, began = peak_mib(), time.process_time()
    engine.check(text, "json")
    planned = time.process_time()
    # Builds from before runs could use several cores do not have this argument.
    cores = {"threads": int(threads)} if "threads" in (engine.run.__text_signature__ or "") else {}
    output = engine.run(text, "json", "", None, agenda, **cores)
    check = planned - began
    cpu = (time.process_time() - planned) - check  # a run begins with the same check
    meta = json.loads(output.meta())
    facts = {
        key: meta[key]
        for key in ("packet_hops", "events", "wall_s", "peak_packets", "bytes_per_packet", "bytes_per_port")
    }
    # Older builds do not report it.
    facts.update(parts=meta.get("parts", 1), link_packets=meta.get("link_packets"))
    print(json.dumps({**facts, "cpu_s": cpu, "check_s": check, "base_mib": base, "peak_mib": peak_mib()}))


main()
