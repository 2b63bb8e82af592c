"""Faults of the machine: full disks, folders that cannot be written, clocks that jump, two commands at once, damaged
files."""

import ctypes
import random
import resource
import subprocess
import time

from mishaps.commands import NEVER, RUN, STUDY, call, command, finished, one_message

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
