"""What a machine can do to runs and sweeps: kills at random moments, full disks, folders that cannot be written, clocks
that jump, two commands at once, damaged files.

    python tools/faults.py kills --count 1000 --out docs/data/faults.json
    python tools/faults.py disk clock two damage

Each fault is done to real commands in processes of their own, and what must hold is asserted: what was finished stays
as it was and is not run again; everything else ends in one message of the command line.
`tests/python/test_faults.py` does a few of each. Figures are added to the file of --out; kills add up and are written
down fifty by fifty, so that a thousand may be done in pieces.
"""

import argparse
import ctypes
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUN = """
name = "to be killed"
topology.single-switch.hosts = 8
links.rate = "100 Gbit/s"
[[traffic]]
from = "all"
pattern = "uniform"
arrivals.poisson.load = 0.7
[measure]
duration = "200 us"
probes = ["flows", "deliveries"]
"""
# Runs that take a worker about as long as its start: shorter ones are over before a kill can hit them.
STUDY = RUN.replace("200 us", "4 ms") + "[sweep]\nseed = [1, 2, 3, 4, 5, 6]\n"
# What no message for people may contain.
NEVER = ("Traceback", "Error:", "Errno", "errno", "object has no")
# A clock that jumps by up to a year in either direction each time the time of day is read.
CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
static long jump(void) { return (rand() % 63072001L) - 31536000L; }
int clock_gettime(clockid_t id, struct timespec *t) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int rc = real(id, t);
    if (!rc && id == CLOCK_REALTIME) t->tv_sec += jump();
    return rc;
}
time_t time(time_t *out) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (out) *out = t.tv_sec;
    return t.tv_sec;
}
int gettimeofday(struct timeval *v, void *zone) {
    struct timespec t;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &t);
    v->tv_sec = t.tv_sec;
    v->tv_usec = t.tv_nsec / 1000;
    return 0;
}
"""


def command(*arguments):
    return [sys.executable, "-m", "congestree", *map(str, arguments)]


def call(*arguments, **options):
    """A finished command and its output."""
    env = {**os.environ, "NO_COLOR": "1", **options.pop("env", {})}
    return subprocess.run(command(*arguments), capture_output=True, text=True, env=env, check=False, **options)


def one_message(done, *words):
    """The command has ended with one sentence for people that has these words."""
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert not any(word in done.stderr for word in NEVER), done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert all(word in done.stderr for word in words), done.stderr


def finished(folder):
    """The finished runs of a study: {folder: (inode and time of the manifest, fingerprint)}."""
    found = {}
    for path in (folder / "runs").glob("*/manifest.json"):
        try:
            status, facts = path.stat(), json.loads(path.read_text())
        except FileNotFoundError:
            continue
        found[path.parent.name] = (status.st_ino, status.st_mtime_ns, facts["fingerprint"]["trajectory"])
    return found


def load_all(folder):
    """Read every table of every finished run."""
    from congestree import Run

    for name in finished(folder):
        run = Run.load(folder / "runs" / name)
        assert not run.interrupted and not run.stopped
        for table in run.tables:
            assert run.arrow(table).num_rows == run.manifest["tables"][table]["rows"], (name, table)


class Pace:
    """The speed of the machine relative to the one measured before: kills that come too late test nothing."""

    def __init__(self):
        self.now = 1.1

    def of(self, seconds):
        return self.now * seconds

    def heard(self, hit):
        self.now = min(self.now * (1.05 if hit else 0.8), 10)
        return hit


def kills(work, count, seed=1, say=print):
    """Kill sweeps (and sometimes a worker of theirs) at random moments, and go on each time.

    Whatever was finished at one kill is there, untouched, at the next; what is finished in the end is what an
    undisturbed sweep gives.
    """
    dice = random.Random(seed)
    study = work / "study.toml"
    study.write_text(STUDY)
    began = time.time_ns()
    done = call("sweep", study, "--out", work / "calm", "--workers", 2)
    assert done.returncode == 0, done.stderr
    calm = {name: facts[2] for name, facts in finished(work / "calm").items()}
    # Until the first and the last run is finished; what follows (about as long, or longer) only reads them.
    ends = [(facts[1] - began) / 1e9 for facts in finished(work / "calm").values()]
    pace = Pace()
    tally = {"kills": 0, "of workers": 0, "sweeps": 0, "runs kept": 0}
    while tally["kills"] < count:
        tally["sweeps"] += 1
        out = work / f"sweep{tally['sweeps']}"
        before = {}
        while True:
            process = subprocess.Popen(
                command("sweep", study, "--out", out, "--workers", 2),
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
            if tally["kills"] < count and len(before) < len(calm):  # a sweep with nothing left to do is let be
                left = 1 - len(before) / len(calm)
                time.sleep(dice.uniform(0, pace.of(min(ends) + left * (max(ends) - min(ends)))))
                tally["kills"] += pace.heard(_kill(process, dice, tally))
            _, told = process.communicate(timeout=600)
            now = finished(out)
            for name, facts in before.items():
                assert now.get(name) == facts, f"{name} was finished and is not what it was"
            tally["runs kept"] += len(before)
            before = now
            if process.returncode == 0:
                break
            assert process.returncode in (-signal.SIGKILL, 1), told
            assert "Traceback" not in told, told
        assert {name: facts[2] for name, facts in before.items()} == calm, "runs differ from those undisturbed"
        load_all(out)
        assert not list(out.rglob("*.part")), "drafts were left behind"
        subprocess.run(["rm", "-r", out], check=True)
        say(f"{tally['kills']} kills of {count}")
    return tally


def _kill(process, dice, tally):
    """Kill the command, or one of its workers; 1 if there was something to kill."""
    if process.poll() is not None:
        return 0
    if dice.random() < 0.3 and (workers := _children(process.pid)):
        tally["of workers"] += 1
        os.kill(dice.choice(workers), signal.SIGKILL)
    else:
        process.kill()
    return 1


def _children(pid):
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def kills_of_runs(work, count, seed=2, say=print):
    """Kill single runs: the folder holds a complete run or none, and the same command succeeds afterwards."""
    dice = random.Random(seed)
    (work / "run.toml").write_text(RUN)
    out = work / "run"
    began = time.monotonic()
    assert call("run", work / "run.toml", "--out", out).returncode == 0
    whole = time.monotonic() - began
    fingerprint = json.loads((out / "manifest.json").read_text())["fingerprint"]
    pace, tally = Pace(), {"kills": 0, "whole": 0, "none": 0}
    while tally["kills"] < count:
        if dice.random() < 0.5:  # half of the runs begin with an empty place, half replace a run
            shutil.rmtree(out, ignore_errors=True)
        process = subprocess.Popen(command("run", work / "run.toml", "--out", out), stdout=subprocess.DEVNULL)
        time.sleep(pace.of(dice.uniform(0.3, 1) * whole))
        tally["kills"] += pace.heard(_kill(process, random.Random(0), {"of workers": 0}))
        process.wait()
        there = (out / "manifest.json").exists()
        tally["whole" if there else "none"] += 1
        if there:
            from congestree import Run

            run = Run.load(out)
            assert run.fingerprint == fingerprint
            for table in run.tables:
                run.arrow(table)
        if tally["kills"] % 20 == 0:
            say(f"{tally['kills']} kills of {count}")
    assert call("run", work / "run.toml", "--out", out).returncode == 0
    assert not list(out.glob(".*")), "drafts were left behind"
    return tally


def disk(work):
    """A disk without room (a limit on the length of files, and a small file system where we may mount one)."""
    (work / "run.toml").write_text(RUN)

    def short():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    done = call("run", work / "run.toml", "--out", work / "short", preexec_fn=short)
    one_message(done, "cannot be written", str(work / "short"))
    assert not (work / "short" / "manifest.json").exists() and not list((work / "short").glob(".*"))
    tally = {"limit of file size": 1, "full file system": 0}
    full = work / "full"
    full.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", full], capture_output=True).returncode == 0:
        try:
            done = call("run", work / "run.toml", "--out", full / "run")
            one_message(done, "cannot be written", "No space left")
            assert not (full / "run" / "manifest.json").exists()
            tally["full file system"] = 1
        finally:
            subprocess.run(["umount", full], check=True)
    return tally


def closed(work):
    """A folder that cannot be written is reported before the run, not after it."""
    (work / "run.toml").write_text(RUN)
    folder = work / "closed"
    folder.mkdir()
    folder.chmod(0o555)
    done = call("run", work / "run.toml", "--out", folder / "run", preexec_fn=_obey_modes)
    one_message(done, "cannot be written", "Permission denied")
    return {"folders": 1}


def _obey_modes():
    """Root may write anywhere; without these capabilities it may not (DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER)."""
    PR_CAPBSET_DROP = 24
    for capability in (1, 2, 3):
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, capability)


def clock(work):
    """A clock that jumps by up to a year: the same results, and an end."""
    library = work / "clock.so"
    (work / "clock.c").write_text(CLOCK)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, work / "clock.c", "-ldl"], check=True)
    (work / "study.toml").write_text(STUDY)
    assert call("sweep", work / "study.toml", "--out", work / "still").returncode == 0
    done = call("sweep", work / "study.toml", "--out", work / "jumping", env={"LD_PRELOAD": str(library)}, timeout=300)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    still, jumping = finished(work / "still"), finished(work / "jumping")
    assert {name: facts[2] for name, facts in still.items()} == {name: facts[2] for name, facts in jumping.items()}
    return {"runs": len(jumping)}


def two(work):
    """Two commands on one folder: one does its work, the other reports that it is in use."""
    (work / "run.toml").write_text(RUN.replace("200 us", "1000 s"))
    first = subprocess.Popen(
        command("run", work / "run.toml", "--out", work / "run"), stderr=subprocess.PIPE, text=True
    )
    try:
        until = time.monotonic() + 60
        while not (work / "run" / ".lock").exists() or not (work / "run" / ".lock").read_bytes():
            assert first.poll() is None and time.monotonic() < until, "the first command did not begin"
            time.sleep(0.05)
        one_message(call("run", work / "run.toml", "--out", work / "run"), f"process {first.pid}", "wait until")
    finally:
        first.kill()
        first.wait()
    # The lock ends with its holder, however it ended.
    (work / "run.toml").write_text(RUN)
    assert call("run", work / "run.toml", "--out", work / "run").returncode == 0
    return {"commands": 3}


def damage(work, count=200, seed=3):
    """Cut and change files of a run: what is read is either reported as damaged or equal to what was written."""
    import congestree
    from congestree import Run
    from congestree.errors import CongestreeError

    dice = random.Random(seed)
    out = work / "run"
    good = congestree.run(RUN, out=out)
    tables = {name: str(good.arrow(name).to_pydict()) for name in good.tables}
    tally = {"files": 0, "told": 0, "harmless": 0}
    for _ in range(count):
        name = dice.choice([*tables, "manifest"])
        path = out / ("manifest.json" if name == "manifest" else f"{name}.parquet")
        whole = path.read_bytes()
        hurt = bytearray(whole)
        kind = dice.randrange(4)
        if kind == 0:
            del hurt[dice.randrange(len(hurt)) :]
        elif kind == 3:
            del hurt[dice.randrange(12) :]
        elif kind == 1:
            hurt[dice.randrange(len(hurt))] ^= 1 << dice.randrange(8)
        else:
            at = dice.randrange(len(hurt))
            hurt[at : at + 64] = bytes(len(hurt[at : at + 64]))
        path.write_bytes(hurt)
        tally["files"] += 1
        try:
            run = Run.load(out)
            for table in run.tables:
                read = run.arrow(table)
                if table == name:  # as text, as a number that is none is equal to nothing
                    assert str(read.to_pydict()) == tables[name], f"{name} was damaged and read as data"
            tally["harmless"] += 1
        except CongestreeError as error:
            assert not any(word in str(error) for word in NEVER), error
            tally["told"] += 1
        path.write_bytes(whole)
    return tally


# Counts that are continued from one command to the next, and how many kills of sweeps are recorded at a time.
KILLS = {"kills of sweeps": kills, "kills of runs": kills_of_runs}
PIECE = 50
FAULTS = {"disk": disk, "closed": closed, "clock": clock, "two": two, "damage": damage}


def some_kills(work, count, before, first_seed):
    """This many kills of sweeps and half as many of runs, added to what was counted before."""
    # Other moments each time.
    seed = first_seed + sum(before.get(name, {}).get("kills", 0) for name in KILLS)
    told = {}
    for name, number in zip(KILLS, (count, count // 2), strict=True):
        (work / name).mkdir()
        tally = KILLS[name](work / name, number, seed)
        told[name] = {key: before.get(name, {}).get(key, 0) + value for key, value in tally.items()}
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("faults", nargs="+", choices=["kills", *FAULTS])
    parser.add_argument("--count", type=int, default=100, help="kills of sweeps, and half as many of runs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="add the figures to this JSON file")
    asked = parser.parse_args()
    figures = json.loads(asked.out.read_text()) if asked.out and asked.out.exists() else {}
    pieces = [min(PIECE, asked.count - done) for done in range(0, asked.count, PIECE)]
    for name, count in ((fault, count) for fault in asked.faults for count in (pieces if fault == "kills" else [0])):
        with tempfile.TemporaryDirectory(prefix="faults-") as folder:
            work, began = Path(folder), time.monotonic()
            told = some_kills(work, count, figures, asked.seed) if name == "kills" else {name: FAULTS[name](work)}
        figures |= told
        print(name, json.dumps(told), f"{time.monotonic() - began:.0f} s", flush=True)
        if asked.out:
            asked.out.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
