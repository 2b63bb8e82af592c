"""Fuzzing of what reads files, with coverage guidance: whatever a file holds, it ends in a result or in one sentence.

    python tools/fuzz.py ibnetdiscover --seconds 3600       # needs atheris: pip install atheris
    python tools/fuzz.py --list
    make fuzz SECONDS=60                                    # all of them, and the engine's own (fuzz/src)

A finding (an exception that is not for people, more than 10 s, more than 1 GiB) is written to fuzz/findings and ends
the run. Corpora are in fuzz/corpus, one folder a target; what has found new ways through the code is kept in runs/fuzz.
`tests/python/test_fuzz.py` goes through the corpora, with a few changes to each file.
"""

import argparse
import functools
import importlib
import importlib.util
import json
import pkgutil
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "fuzz/corpus"
MEMORY = 200 << 20


def _file(data, folder, name):
    path = folder / name
    path.write_bytes(data)
    return path


def scenario(data, folder):
    """A scenario as the command line and as Python read it."""
    import congestree

    path = _file(data, folder, "scenario.json" if data.lstrip()[:1] == b"{" else "scenario.toml")
    try:
        loaded = congestree.Scenario.load(path)
    finally:
        congestree.check(path, limit_memory=MEMORY)
    congestree.check(loaded, limit_memory=MEMORY)


def fabric(data, folder):
    from congestree.formats import fabrics

    found = fabrics.read(_file(data, folder, "fabric.txt"))
    fabrics.report(found, fabrics.network_of(found, rate=8 * 10**9), 8 * 10**9)


def tables(data, folder):
    from congestree.formats import fabrics

    fabrics.read(CORPUS / "ibnetdiscover/cluster.txt", routes=_file(data, folder, "lfts.dump"))


def manager(data, folder):
    from congestree.formats import opensm

    opensm.read(_file(data, folder, "settings.conf"))


def roce(data, folder):
    from congestree.formats import roce

    path = _file(data, folder, "settings")
    roce.read(path, roce.form_of(path) or "mlx5")


def workload(data, folder):
    from congestree.formats import workloads

    path = _file(data, folder, "workload.txt")
    form = workloads.form_of(path)
    if form == "hpcc-config":
        workloads.hpcc_config.read(path, 100 * 10**9, workloads.hpcc.read_topology(CORPUS / "hpcc/topology.txt"))
        workloads.hpcc_config.files(path)
    elif form == "hpcc-topology":
        workloads.scenarios.scenario_of(workloads.hpcc.read_topology(path))
    elif form is not None:
        read = workloads.read(path)
        if read.waits():
            workloads.htsim.goal(read)
        else:
            read.rows(workloads.scenarios.names_of(read))


def program(data, folder):
    from congestree.applications import jobs

    jobs.read(_file(data, folder, "program.csv" if b"," in data[:200] else "program.goal"))


def foreign_program(data, folder):
    from congestree.applications import jobs

    jobs.read(_file(data, folder, "program.bin"))


def operations(data, folder):
    """A table of operations."""
    from congestree.applications import jobs

    jobs.read(_file(data, folder, "program.parquet"))


def rows(data, folder):
    """A list of messages and a table of sizes, which scenarios refer to."""
    import congestree

    name = _file(data, folder, "rows.csv").name
    key = "list" if data.startswith(b"at") else "sizes.cdf"
    rest = "" if key == "list" else 'from = "all"\npattern = "uniform"\narrivals.poisson.load = 0.1\n'
    text = (
        'topology.single-switch.hosts = 4\nlinks.rate = "8 Gbit/s"\nmeasure.duration = "1 us"\n'
        f'[[traffic]]\n{rest}{key} = "{name}"\n'
    )
    (folder / "scenario.toml").write_text(text)
    congestree.check(folder / "scenario.toml", limit_memory=MEMORY)


def run_folder(data, folder):
    from congestree import Run

    _file(data, folder, "manifest.json")
    run = Run.load(folder)
    repr(run.tables), run.scenario, run.interrupted


def study_folder(data, folder):
    from congestree.studies.study import Study

    _file(data, folder, "study.json")
    study = Study.load(folder)
    repr(study), [study[index] for index in range(len(study))]


def infrastructure(data, folder):
    """An InfraGraph description, and the scenario that is made of it."""
    import congestree
    from congestree.formats.fabrics import infragraph

    path = _file(data, folder, "infra.json" if data.lstrip()[:1] == b"{" else "infra.yaml")
    scenario, _ = infragraph.scenario_of(infragraph.read(path))
    congestree.check(scenario, limit_memory=MEMORY)


def tiers(data, folder):
    """The tiers of a fat tree as htsim has them, and the scenario that is made of them."""
    import congestree
    from congestree.formats.fabrics import htsim

    scenario, _ = htsim.scenario_of(htsim.read(_file(data, folder, "tree.topo")))
    congestree.check(scenario, limit_memory=MEMORY)


def _job(program):
    return {
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "8 Gbit/s"},
        "traffic": [{"from": "all", "program": program}],
        "measure": {"duration": "1 us"},
    }


def trace(data, folder):
    """A trace of a training job, by its first bytes; its contents, and the program made from it."""
    import congestree
    from congestree.formats import traces

    ending = "et.gz" if data[:2] == b"\x1f\x8b" else "json" if data.lstrip()[:1] == b"{" else "et"
    path = _file(data, folder, f"job.0.{ending}")
    try:
        traces.info([path])
    finally:
        congestree.check(_job({"chakra": {"traces": [str(path)]}}), limit_memory=MEMORY)
        path.unlink()


def gate(data, folder):
    """Which experts tokens went to, as a file has captured it."""
    import congestree

    captured = {"file": str(_file(data, folder, "gate.jsonl"))}
    program = {"moe": {"tokens": 4, "layers": 2, "gate": {"captured": captured}}}
    congestree.check(_job(program), limit_memory=MEMORY)


LISTENING = {
    "topology": {"single-switch": {"hosts": 3}},
    "links": {"rate": "8 Gbit/s"},
    "scheme": {"mark": {"red": {"min": "2 kB", "max": "9 kB"}}},
    "traffic": [{"from": "all", "arrivals": "injected"}],
    "measure": {"duration": "5 us"},
}


def session(data, _folder):
    """Lines that another program sends to `congestree serve`, with a simulation open already: each has an answer."""
    from congestree.errors import CongestreeError
    from congestree.live import serving

    said = [line for line in data.decode(errors="replace").splitlines() if '"open"' not in line]
    answers = []
    serving.serve([json.dumps({"call": "open", "scenario": LISTENING}), *said], answers.append)
    opened, *told = map(json.loads, answers)
    if len(told) != sum(bool(line.strip()) for line in said) or any(("ok" in a) == ("error" in a) for a in told):
        raise AssertionError(answers)
    if "ok" not in opened or not any("ok" in answer for answer in told):
        raise CongestreeError("No line was understood.")


@functools.cache
def _question():
    from congestree import tune

    sending = {**LISTENING, "traffic": [{"from": ["H1", "H2"], "to": "H3"}]}
    return tune.ask(sending, parameters=["scheme.mark.red.max=5 kB..50 kB"], goals=["use:H3"])


def search(data, folder):
    """The journal of a search for parameters; its question is as it was."""
    from congestree.tune import Tuning

    _file(data, folder, "journal.log")
    _question().write_down(folder)
    tuning = Tuning(_question(), folder)
    tuning.evaluations, tuning.front, tuning.importance()


TARGETS = {
    "scenario": scenario, "ibnetdiscover": fabric, "ibsim": fabric, "topo": fabric, "lfts": tables, "opensm": manager,
    "ccmgr": manager, "mlx5": roce, "sonic": roce, "pg-lookup": roce, "hpcc": workload, "cm": workload, "goal": program,
    "binary-goal": foreign_program, "vef": foreign_program, "operations": operations,
    "infragraph": infrastructure, "htsim-topo": tiers, "chakra": trace, "moe-gate": gate,
    "rows": rows, "run": run_folder, "study": study_folder, "session": session, "search": search,
}  # fmt: skip


def one(target, data, folder):
    """Read one file: True if it was read, False if it was refused. Whatever else is raised is a finding."""
    from congestree.errors import CongestreeError, ScenarioError

    try:
        TARGETS[target](data, folder)
    except (CongestreeError, ScenarioError):
        return False
    return True


def load_readers():
    """Load every module with a reader now: modules that are imported at the first call would have no counters."""
    for name in ("scenario", "formats", "runs", "studies", "live", "tune"):
        loaded = importlib.import_module(f"congestree.{name}")
        for module in pkgutil.walk_packages(getattr(loaded, "__path__", []), f"{loaded.__name__}."):
            importlib.import_module(module.name)


def guided(target, seconds):
    """Fuzz one target for this long; does not return."""
    import atheris
    import polars  # noqa: F401 (what loading it takes on a busy machine is not the reader's time)

    with atheris.instrument_imports(include=["congestree"]):
        load_readers()
    kept = ROOT / "runs/fuzz" / target
    findings = ROOT / "fuzz/findings"
    for folder in (kept, findings):
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        options = [
            f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=1024", "-max_len=8192", "-print_final_stats=1",
            f"-artifact_prefix={findings}/{target}-", str(kept), str(CORPUS / target),
        ]  # fmt: skip
        atheris.Setup([sys.argv[0], *options], lambda data: one(target, data, Path(folder)) and None)
        atheris.Fuzz()


def _processor():
    """Seconds of a processor that finished commands of this one took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS], metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--list", action="store_true", help="print the targets")
    parser.add_argument("--out", type=Path, help="add the figures to this JSON file")
    asked = parser.parse_args()
    if asked.list:
        print("\n".join(TARGETS))
        return
    if importlib.util.find_spec("atheris") is None:
        sys.exit("Coverage is seen by atheris, which is not installed: pip install atheris, or make fuzz.")
    if len(asked.targets) == 1 and asked.out is None:
        guided(asked.targets[0], asked.seconds)
    failed = False
    for target in asked.targets or TARGETS:
        before = _processor()
        command = [sys.executable, __file__, target, "--seconds", str(asked.seconds)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        stats = dict(line.removeprefix("stat::").split(":") for line in done.stderr.splitlines() if "stat::" in line)
        seconds, runs = _processor() - before, int(stats.get("number_of_executed_units", 0))
        print(
            f"{target}: {runs:,} files in {seconds:.0f} s of a processor{'' if done.returncode == 0 else ', FAILED'}",
            flush=True,
        )
        if done.returncode:
            print(done.stderr[-3000:])
            failed = True
        elif asked.out:
            told = json.loads(asked.out.read_text()) if asked.out.exists() else {}
            old = told.get(target, {"files": 0, "seconds": 0, "peak_mib": 0})
            peak = max(old["peak_mib"], int(stats.get("peak_rss_mb", 0)))
            entry = {"files": old["files"] + runs, "seconds": old["seconds"] + round(seconds), "peak_mib": peak}
            asked.out.write_text(json.dumps(told | {target: entry}, indent=2) + "\n")
    sys.exit(failed)


if __name__ == "__main__":
    main()
