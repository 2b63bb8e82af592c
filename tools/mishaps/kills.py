"""Sweeps and single runs that are killed at random moments."""

import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

from mishaps.commands import RUN, STUDY, call, command, finished, load_all


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
    """Kill single runs: the folder holds a complete run or none, and the same command succeeds afterwards.

    An attempt that comes after the command has ended is no kill: what the folder holds then is checked, not counted.
    """
    dice = random.Random(seed)
    (work / "run.toml").write_text(RUN)
    out = work / "run"
    began = time.monotonic()
    assert call("run", work / "run.toml", "--out", out).returncode == 0
    whole = time.monotonic() - began
    fingerprint = json.loads((out / "manifest.json").read_text())["fingerprint"]
    pace, tally = Pace(), {"attempts": 0, "kills": 0, "whole": 0, "none": 0}
    while tally["kills"] < count:
        if dice.random() < 0.5:  # half of the runs begin with an empty place, half replace a run
            shutil.rmtree(out, ignore_errors=True)
        process = subprocess.Popen(command("run", work / "run.toml", "--out", out), stdout=subprocess.DEVNULL)
        time.sleep(pace.of(dice.uniform(0.3, 1) * whole))
        hit = pace.heard(_kill(process, random.Random(0), {"of workers": 0}))
        process.wait()
        there = (out / "manifest.json").exists()
        tally["attempts"] += 1
        tally["kills"] += hit
        tally["whole" if there else "none"] += hit
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
