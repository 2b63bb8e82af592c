"""The pages about attempts to break congestree, and about the size of an installation; figures from docs/data/trust."""

# ruff: noqa: E501 (sentences for a page)

import json

from .adopted import DATA
from .writing import table

TRUST = DATA / "trust"
WHAT = {
    "kills of sweeps": "`kill -9` of a sweep, or of one of its workers, at a random moment; then the same command again, until the sweep finishes. Finished runs must survive each kill unchanged, and in the end all runs must have the fingerprints of an undisturbed sweep",
    "kills of runs": "`kill -9` of a run at a random moment: its folder must hold a complete, readable run, or none",
    "disk": "a full disk, simulated by a limit on file size and by a small file system: one message, exit code 1, and nothing left that looks finished",
    "closed": "a folder without write permission: one message, before the run starts",
    "clock": "a clock that jumps by up to a year each time it is read: the same fingerprints, and the run must end",
    "two": "two commands in one folder: one works, the other names the process that holds the lock; the lock is released when its holder ends, in whatever way",
    "damage": "files of a run truncated or changed: the damage must be reported, or be harmless (what is read is what was written); it must never be read as other data",
}
NIGHT = """`make night` draws networks at random, for one scheme after the other, with any valid combination of flow control, switch, traffic and
topology, and runs each of them under audit:

- **Audit.** The engine repeatedly adds up what every lane of every link has promised, what every flow has sent, and more: every 256 events
  (an arrival, the end of a transmission, a timer) up to the first 32,768, then every 32,768, and at the end. Every sum covers the whole
  state, so a packet that is lost or duplicated once makes every later sum wrong: the interval only decides how soon it is found.
- **Two event lists.** Each network runs on both event lists, which use different compiled variants of the engine. All runs must agree in
  every transmission.
- **Several threads.** Every fourth network has fast and long links and, if one is soon found, can be split. The first sixteenth of
  the run of any network that can be split is repeated in parts, by two or three threads (audited every 256 windows), and must agree.
- **Deliveries.** One network in four records its deliveries, which are checked independently of the engine: no packet arrives twice, too
  early, or without having been sent.
- **Deadlocks.** Rings are drawn whose packets can wait for each other. Each deadlock found is confirmed by an independent search
  (`tools/night_networks/deadlock.py`), from tables of what waits where, and with a thousand times the patience.

A run takes about ten million events; it is shorter if few of them are packets on links (messages that cannot be carried are events, too).
Packet-hops count every run of a network, since each is audited. Hours are processor time.
"""


def _figures(name):
    path = TRUST / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _pairs(facts):
    return ", ".join(f"{value:,} {key}" for key, value in facts.items())


def _stress():
    if (stress := _figures("stress")) is None:
        return []
    text = [
        "## Several threads\n",
        "Random networks of the kinds below are run in 2, 3 and 7 parts, and in random parts: each switch is assigned at random to one of 2 to 12 parts (so that some parts are empty and most neighbours are in different ones), on one to three threads, with congestion trees recorded. "
        "Fingerprints, tables, end time and reason must equal those of the run in one part. Runs in random parts are repeated under the thread sanitizer of nightly Rust, which detects races even if they did not change the result; "
        "CI has only stable Rust. The table counts the networks in random parts, with both runs of each.\n",
        "```sh\nmake stress MINUTES=10        # goes on where it was\nmake races MINUTES=10         # rustup toolchain install nightly --component rust-src\n```\n",
    ]
    names = {"plain": "plain", "races": "with the thread sanitizer"}
    rows = [
        (name, f"{f['networks']:,}", f"{f['packet_hops']:.3g}", f"{f['seconds'] / 60:.1f}", "0")
        for way, name in names.items()
        if (f := stress.get(way))
    ]
    text.append(table(("", "networks", "packet-hops", "processor time (min)", "races, differences"), rows))
    counted = {way: stress[way]["kinds"] for way in names if "kinds" in stress.get(way, {})}
    kinds = dict.fromkeys(kind for of_way in counted.values() for kind in of_way)
    rows = [(kind, *(f"{of_way.get(kind, 0):,}" for of_way in counted.values())) for kind in kinds]
    if rows:
        text.append("By kind, counted since networks of all these kinds are drawn:\n")
        text.append(table(("kind", *(names[way] for way in counted)), rows))
    return text


def _night():
    """Random networks under audit."""
    text = [
        "## Random networks under audit\n",
        NIGHT,
        "```sh\nmake night MINUTES=480        # goes on where it was\n```\n",
    ]
    if night := _figures("night"):
        rows = [
            ("networks", f"{night['networks']:,}"),
            ("packet-hops", f"{night['packet_hops']:.3g}"),
            ("processor time (h)", f"{night['seconds'] / 3600:.2f}"),
            ("by flow control", _pairs(night["flow_control"])),
            ("also with (counted from network 1,912 on)", _pairs(night.get("besides", {})) or "0"),
            ("of these also in parts", _pairs({f"in {n}": c for n, c in sorted(night["parts"].items())}) or "0"),
            ("deadlocks, each confirmed by the search", f"{night['deadlocks'].get('true', 0):,}"),
            ("deadlocks of other networks", f"{night['deadlocks'].get('other', 0):,}"),
            ("laws broken, packets lost or duplicated, runs that differ", "0"),
        ]
        # Rings are drawn beside the schemes (KINDS of tools/night_networks/draw.py) and have none.
        kinds, hops = ({name: n for name, n in night[key].items() if name != "ring"} for key in ("kinds", "hops"))
        rings = night["kinds"].get("ring", 0)
        text += [
            table(("", "so far"), rows),
            f"By scheme: {_pairs(kinds)}. Besides, {rings:,} rings without a scheme, whose packets can wait for each other.\n",
        ]
        if hops:
            least, most = min(hops, key=hops.get), max(hops, key=hops.get)
            text.append(
                f"Of the {sum(hops.values()):.3g} packet-hops that were counted by scheme, `{least}` had the fewest "
                f"({hops[least]:.2g}) and `{most}` the most ({hops[most]:.2g}).\n"
            )
    return text


def _tested(name, facts):
    """How often a mishap was tried, and with what outcome."""
    if name != "kills of runs":
        return _pairs(facts)
    facts = dict(facts)
    attempts, kills = facts.pop("attempts"), facts.pop("kills")
    # What the folders held was counted later than the first kills.
    outcomes = f"; what {sum(facts.values()):,} of them left: {_pairs(facts)}" if facts else ""
    return f"{attempts:,} attempts, {kills:,} of which hit a running command{outcomes}"


def _mishaps():
    """What machines do."""
    text = ["## Mishaps of the machine\n", "```sh\nmake mishaps KILLS=1000\n```\n"]
    if mishaps := _figures("mishaps"):
        rows = [(name, what, _tested(name, mishaps[name])) for name, what in WHAT.items() if name in mishaps]
        text.append(table(("mishap", "test and required behaviour", "tested"), rows))
    return text


def _fuzz():
    """What readers of files are given."""
    text = [
        "## Fuzzing of every reader\n",
        "Coverage-guided fuzzers mutate small valid files and feed them to every file reader. An unexpected exception, more than 10 s for a file, or more than 1 GiB of memory is a finding. "
        "Python's readers are driven by atheris (`tools/fuzz.py`), the engine's by libFuzzer on the stable toolchain (`fuzz/run.sh`). The corpora are in `fuzz/corpus`.\n",
        "```sh\nmake fuzz SECONDS_EACH=3600\n```\n",
    ]
    if fuzz := _figures("fuzz"):
        rows = [(name, f"{f['files']:,}", f"{f['seconds']:,}", f"{f['peak_mib']:,}") for name, f in fuzz.items()]
        seconds = {name: f["seconds"] for name, f in fuzz.items()}
        least = min(seconds, key=seconds.get)
        rows.append(("all", f"{sum(f['files'] for f in fuzz.values()):,}", f"{sum(seconds.values()):,}", ""))
        text.append(table(("reader", "files", "processor time (s)", "peak MiB"), rows))
        text.append(
            f"Figures accumulate over several invocations. The aim is one hour per reader; the least so far is {seconds[least]:,} s (`{least}`).\n"
        )
    text.append(
        "Fuzzers seldom write the largest number in the right place. So tests also replace the numbers of valid scenarios and files, one at a time, by 0, by 1, by numbers near powers of two and by longer ones, and run what is still valid. In CI the engine has the checks of a debug build then, in which an overflow ends the test (`tests/twin/test_extremes.py`, `tests/python/test_fuzz.py`).\n"
    )
    return text


def _fingerprints():
    """The same bits elsewhere."""
    text = []
    if prints := _figures("fingerprints"):
        rows = [
            (name, f["how"], f"{f['same']} of {f['tried']} tried, {f['shipped']} shipped") for name, f in prints.items()
        ]
        text += [
            "## The same bits on other systems\n",
            "Fingerprints cover every transmission and delivery of the shipped scenarios. On other systems they must equal those that the tests verify on x86-64.\n",
            "```sh\npython tools/fingerprints.py\n```\n",
            table(("system", "build and machine", "scenarios with the fingerprints of the repository"), rows),
        ]
    return text


def _limits():
    """Limits of what is accepted."""
    text = [
        "## Memory exhaustion\n",
        "A scenario that would take more memory than there is (too many hosts, flows, messages, operations, bins or samples) is refused before it is built, with the amount that it would need. `--limit-memory` sets the limit; a run that grows beyond it nevertheless is stopped and keeps its results so far. "
        "`tests/python/test_needs.py` compares the estimate with what large runs take: it is within a factor of two. A small run is estimated at the 90 MiB that a process with all its libraries takes; the command line takes a third of that.\n",
        "## Hostile files and dependencies\n",
        "A file name inside an input file cannot reach a file outside its folder, not even through a symbolic link. Devices and pipes do not block, at most a gigabyte is read, and nothing that is read is executed (`tests/python/test_hostile_paths.py`).\n",
        "`make dependencies` checks dependencies against lists of licences, sources and known vulnerabilities; no crate has a build script. "
        "The checks of licences, bans and sources (`cargo deny check licenses bans sources`) have passed. The vulnerability checks are open: "
        "the machine that made this page could not reach the RustSec database, and its package indexes give `pip-audit` and `npm audit` (for the parts of the viewer) no vulnerability data. "
        "Run `make dependencies` with full network access to complete them.\n",
    ]
    return text


def trust_page():
    """Attempts to break it."""
    text = [
        "# How it is tested\n",
        "This page shows what has been done to find faults in congestree, and with what result. Each table comes from a command that you can run; the tests run a short form of each on every change. "
        "The other pillar is [the readable twin](reference/twin.md), a second implementation.\n",
    ]
    for part in (_night, _stress, _mishaps, _fuzz, _fingerprints, _limits):
        text += part()
    return "\n".join(text)


INSTALLING = """# Installing, and what it takes

```sh
make wheel                # in a checkout: needs Rust 1.94 or newer, make and a C compiler
pip install dist/*.whl
congestree doctor         # is everything there, and as fast as it should be?
```

In a source distribution, which has the viewer and the licences, `pip install .` does. In a checkout, which has neither,
it installs a package without `congestree view`, unless `make viewer` is run first.

One wheel per platform serves every Python from 3.11 on (abi3). The files for building the packages are in the repository. This has been tested:

| platform | how it is built | tested |
| --- | --- | --- |
| Linux x86-64 | `make wheel`; both workflow files | the wheel, installed in an empty environment: `congestree doctor` finds no problem, `tools/fingerprints.py` finds the fingerprints of the repository |
| Linux aarch64 | the same workflow files; here `maturin build --target aarch64-unknown-linux-gnu`, with the quick profile | the wheel, unpacked beside its libraries, under QEMU's emulation of the processor: `tools/fingerprints.py` finds the fingerprints of the repository. Not tested on a real machine |
| macOS, Windows | `.github/workflows/wheels.yml` | not yet, for lack of a machine. The workflow installs each wheel and compares its fingerprints |
| source distribution | `make wheel`; both workflow files | `pip install` of the archive in an empty environment on Linux x86-64, with less optimisation to save time: `congestree doctor` finds no problem, `tools/fingerprints.py` finds the fingerprints of the repository |
| conda | `packaging/conda/meta.yaml` | the recipe renders, and its requirements agree with `pyproject.toml`; not built |
| Debian, Ubuntu | `packaging/debian` | `dpkg-source -b` makes a source package, and `lintian` has no error for it; not built |

Packages carry the licences of the Rust crates that are linked into them in `congestree/data/THIRD-PARTY.txt` (`make capi`: in
`share/doc/congestree`). `tools/licences.py`, which `make wheel` runs, writes it from the crates' own files. Rust's standard library is named there, without its text.

With `maturin build --release --pgo`, maturin builds twice and runs the benchmark in between, which makes the engine up to 5 % faster
(ADR [10](../adr/0010-timing-wheel.md)). This needs the `llvm-profdata` of Rust's LLVM: `rustup component add llvm-tools`.

## Size and start-up time

Measured by `python tools/experiments/installed.py` with the wheel in an empty environment; the data is in `docs/data/trust/installed.json`. Unlike times,
the number of loaded modules does not vary between machines with the same libraries; tests compare that of congestree's own.

<!-- installed -->

Heavy libraries are loaded when they are first used: `numpy` and `pyarrow` by a run that writes tables, `matplotlib` by plots, `polars` by
result tables in Python and by sweeps, `pandas` and `distributed` only on request.

## Options for small machines

`--limit-memory 2GiB` for `run`, `check` and `sweep` limits the memory of a command; the default is nine tenths of the free memory of the
machine (or the container). A scenario that would take more is refused before it is built, with the amount that it would need. A sweep
starts fewer workers if its largest run would not fit that many times.
"""


def installing_page():
    """How to install, and what it takes."""
    found = _figures("installed")
    if found is None:
        return INSTALLING.replace("<!-- installed -->\n\n", "")
    clock = ["wall_s"] if all("wall_s" in f for f in found["loads"].values()) else []
    rows = [
        (f"`{name}`", f"{f['modules']:,}", f"{f['cpu_s']:.2f}", *(f"{f[key]:.2f}" for key in clock))
        for name, f in found["loads"].items()
    ]
    loads = table(("command", "modules loaded", "processor time (s)", *("time (s)" for _ in clock)), rows)
    if found.get("counted_later"):  # what the experiment writes has all from one version
        loads += "\nModules were counted later than the times and sizes were measured.\n"
    sizes = found["bytes"]
    shown = list(sizes.items())[:8]
    rows = [(name, f"{size / 1e6:.0f}") for name, size in shown]
    rows += [
        (f"{len(sizes) - len(shown)} others", f"{sum(list(sizes.values())[len(shown) :]) / 1e6:.0f}"),
        ("all", f"{sum(sizes.values()) / 1e6:.0f}"),
    ]
    return INSTALLING.replace("<!-- installed -->", loads + "\n" + table(("library", "MB installed"), rows))
