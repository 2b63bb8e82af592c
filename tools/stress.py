"""Random networks in random parts, for as long as it is told: every switch in a part by lot, on up to three threads.

    python tools/stress.py --minutes 10 --out runs/stress.json      # make stress; figures add up
    python tools/stress.py --minutes 10 --races                     # make races: the same under the thread sanitizer

The first does the laws of parts in `crates/scenario/tests/laws`, seed after seed: a run in parts must have the
fingerprints and tables of the run in one. What is counted are the networks with random cuts, by the kinds of
`parts/cuts.rs`. The second does these alone, since they have several threads; a race between threads ends it, too.
Only nightly Rust has that sanitizer, and the standard library must be built with it, for otherwise the locks in it
would look like races:

    rustup toolchain install nightly --component rust-src
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STATE = {"seed": 0, "networks": 0, "packet_hops": 0, "seconds": 0.0}
COUNTED = re.compile(r"random cuts: (.+): (\d+) networks, (\d+) packet-hops")
CASES = 40
# Those of `laws/parts`, and the own ones of schemes and routes. Most have one thread, where there are no races.
LAWS = {"plain": ["parts", "detours_across_a_cut"], "races": ["random_cuts"]}


def built(races):
    """The program with the properties, and what its environment needs."""
    cargo, env = ["cargo", "test", "--quiet", "--no-run", "--message-format=json"], dict(os.environ)
    what = ["-p", "congestree-scenario", "--features", "congestree-fabric/lean", "--test", "laws"]
    if races:
        told = subprocess.run(["rustc", "+nightly", "-vV"], capture_output=True, text=True, check=False)
        if told.returncode:
            sys.exit("There is no nightly Rust: rustup toolchain install nightly --component rust-src")
        host = re.search(r"^host: (.*)$", told.stdout, re.MULTILINE)[1]
        cargo[1:1] = ["+nightly"]
        what += ["-Zbuild-std", "--target", host]
        env |= {"RUSTFLAGS": "-Zsanitizer=thread", "CARGO_TARGET_DIR": str(ROOT / "target/races")}
        env |= {"TSAN_OPTIONS": "halt_on_error=1"}
    done = subprocess.run([*cargo, *what], env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit("The tests cannot be built.")
    messages = map(json.loads, done.stdout.splitlines())
    return next(m["executable"] for m in messages if m.get("executable")), env


def _processor():
    """Seconds of a processor that finished commands of this one took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def go_on(state, minutes, races, say):
    """One seed after the other until the time is over; an error ends the program."""
    program, env = built(races)
    until = time.monotonic() + 60 * minutes
    while time.monotonic() < until:
        before = _processor()
        seed = state["seed"] + 1
        env |= {"CONGESTREE_SEED": str(seed), "CONGESTREE_CASES": str(CASES)}
        laws = LAWS["races" if races else "plain"]
        done = subprocess.run(
            [program, *laws, "--skip", "shipped", "--skip", "many_random", "--nocapture"],
            env=env, cwd=ROOT / "crates/scenario", capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            sys.exit(f"{done.stdout}\n{done.stderr}\nFAILED with CONGESTREE_SEED={seed} CONGESTREE_CASES={CASES}")
        state["seed"] = seed
        for kind, networks, hops in COUNTED.findall(done.stdout):
            state["networks"] += int(networks)
            state["packet_hops"] += int(hops)
            kinds = state.setdefault("kinds", {})
            kinds[kind] = kinds.get(kind, 0) + int(networks)
        state["seconds"] += _processor() - before
        say(state)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--races", action="store_true", help="under the thread sanitizer")
    parser.add_argument("--out", type=Path, help="go on from the figures of this file, and keep them in it")
    asked = parser.parse_args()
    way = "races" if asked.races else "plain"

    def figures():
        return json.loads(asked.out.read_text()) if asked.out and asked.out.exists() else {}

    def say(state):
        print(f"{state['seed']:,} seeds, {state['networks']:,} networks, no difference", flush=True)
        if asked.out:
            asked.out.write_text(json.dumps(figures() | {way: state}, indent=2) + "\n")

    state = STATE | figures().get(way, {})
    go_on(state, asked.minutes, asked.races, say)


if __name__ == "__main__":
    main()
