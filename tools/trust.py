"""The pages of what was done to break congestree, and of what an installation takes; figures from docs/data/trust."""

# ruff: noqa: E501 (sentences for a page)

import json

from adopted import DATA
from writing import table

TRUST = DATA / "trust"
WHAT = {
    "kills of sweeps": "`kill -9` of a sweep, or of one of its workers, at a random moment, and the same command again until it ends. Every finished run is there at the next kill, untouched, and in the end all runs have the fingerprints of a sweep that nobody disturbed",
    "kills of runs": "`kill -9` of a run at a random moment: its folder holds a whole run that can be read, or none",
    "disk": "a disk without room, by a limit on the length of files and by a small file system: one message, exit code 1, nothing left that looks finished",
    "closed": "a folder that cannot be written: one message, before the run",
    "clock": "a clock that jumps by up to a year each time it is read: the same fingerprints, and an end",
    "two": "two commands on one folder: one works, the other says which process does; the lock ends with its holder, however that ends",
    "damage": "files of a run cut short or changed: told, or harmless (what was read is what was written), never read as other data",
}
NIGHT = """Networks are drawn at random, scheme after scheme, with any flow control, switch, traffic and topology that go together, and run under
audit: again and again the engine adds up what every lane of every link has promised, what every flow has sent, and more. It does so every 256
events (an arrival, the end of a transmission, a timer) up to the first 32,768, then every 32,768, and at the end. Every sum is over the whole state,
so what is once lost or doubled is missed at every later look: spacing only says how soon. Each network runs on both event
lists, which use different compiled variants of the engine, and all runs must agree in every transmission. Every fourth has fast and long links,
and is one that several threads can share, if one is soon found: of whatever networks can be cut, the first sixteenth runs once more in parts, by two or three threads
(audited every 256 windows), and must agree again. One in four records its deliveries, which are checked from outside: nothing twice, nothing early, nothing more than was sent. Rings are drawn whose packets can wait
for each other: each deadlock found is searched for again by other means (`tools/audit/deadlock.py`), from tables of what waits where, and
with a thousand times the patience.

A run is as long as ten million events take, shorter if few of them are packets on links (messages that nobody can carry are events, too). Packet-hops count each run of a network,
since each is audited; seconds are those of a processor.
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
        "Random networks of the kinds below are run in 2, 3 and 7 parts, and in parts by lot: each switch in one of 2 to 12 (some of them empty, most neighbours apart), on one to three threads, with looks at all that waits. "
        "Fingerprints, tables, end and stop must be those of the run in one part. The latter are done under the thread sanitizer of nightly Rust, too, which sees races that have not shown themselves; "
        "CI has only the stable one. Counted are the networks with parts by lot; both runs of each count.\n",
        "```sh\nmake stress MINUTES=10        # goes on where it was\nmake races MINUTES=10         # rustup toolchain install nightly --component rust-src\n```\n",
    ]
    names = {"plain": "plain", "races": "under the thread sanitizer"}
    rows = [
        (name, f"{f['networks']:,}", f"{f['packet_hops']:.3g}", f"{f['seconds'] / 60:.1f}", "0")
        for way, name in names.items()
        if (f := stress.get(way))
    ]
    text.append(table(("", "networks", "packet-hops", "minutes of a processor", "races, differences"), rows))
    counted = {way: stress[way]["kinds"] for way in names if "kinds" in stress.get(way, {})}
    kinds = dict.fromkeys(kind for of_way in counted.values() for kind in of_way)
    rows = [(kind, *(f"{of_way.get(kind, 0):,}" for of_way in counted.values())) for kind in kinds]
    if rows:
        text.append("Since networks of all these kinds are drawn, the kinds have been counted:\n")
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
            ("hours of a processor", f"{night['seconds'] / 3600:.2f}"),
            ("by flow control", _pairs(night["flow_control"])),
            ("also with (counted from network 1,912 on)", _pairs(night.get("besides", {})) or "0"),
            ("of these also in parts", _pairs({f"in {n}": c for n, c in sorted(night["parts"].items())}) or "0"),
            ("deadlocks, each confirmed by the search", f"{night['deadlocks'].get('true', 0):,}"),
            ("deadlocks of other networks", f"{night['deadlocks'].get('other', 0):,}"),
            ("laws broken, packets lost or doubled, runs that differ", "0"),
        ]
        text += [table(("", "so far"), rows), "By scheme: " + _pairs(night["kinds"]) + ".\n"]
        if hops := night["hops"]:
            least, most = min(hops, key=hops.get), max(hops, key=hops.get)
            text.append(
                f"Of the {sum(hops.values()):.3g} packet-hops that were counted by scheme, `{least}` has had the fewest "
                f"({hops[least]:.2g}) and `{most}` the most ({hops[most]:.2g}).\n"
            )
    return text


def _faults():
    """What machines do."""
    text = ["## Faults of machines\n", "```sh\nmake faults KILLS=1000\n```\n"]
    if faults := _figures("faults"):
        rows = [(name, what, _pairs(faults[name])) for name, what in WHAT.items() if name in faults]
        text.append(table(("fault", "what is done, and what must hold", "done"), rows))
    return text


def _fuzz():
    """What readers of files are given."""
    text = [
        "## Fuzzing of every reader\n",
        "Every reader of files is given what coverage-guided fuzzers make of small good files: an exception that is not meant for people, more than 10 s for a file, or more than 1 GiB is a finding. "
        "Python's readers are driven by atheris (`tools/fuzz.py`), the engine's by libFuzzer on the stable toolchain (`fuzz/run.sh`). The corpora are in `fuzz/corpus`.\n",
        "```sh\nmake fuzz SECONDS_EACH=3600\n```\n",
    ]
    if fuzz := _figures("fuzz"):
        rows = [(name, f"{f['files']:,}", f"{f['seconds']:,}", f"{f['peak_mib']:,}") for name, f in fuzz.items()]
        seconds = [f["seconds"] for f in fuzz.values()]
        rows.append(("all", f"{sum(f['files'] for f in fuzz.values()):,}", f"{sum(seconds):,}", ""))
        text.append(table(("reader", "files", "seconds of a processor", "peak MiB"), rows))
        text.append(
            f"Figures add up over commands. The aim is an hour for each; the least so far is {min(seconds) / 60:.0f} minutes.\n"
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
            "## The same bits\n",
            "Every transmission and delivery of the shipped scenarios, as fingerprints; they are those that the tests hold on x86-64.\n",
            "```sh\npython tools/fingerprints.py\n```\n",
            table(("system", "on what", "scenarios with the fingerprints of the repository"), rows),
        ]
    return text


def _limits():
    """What is refused."""
    text = [
        "## Bombs\n",
        "What would take more memory than there is (hosts, flows, messages, operations, bins, looks) is refused before it is built, with what it would need; `--limit-memory` sets the limit, and a run that grows beyond it all the same is stopped with what it has. "
        "`tests/python/test_needs.py` holds the estimate against what large runs take: it is within a factor of two. A small run is estimated at the 90 MiB that a process with all its libraries takes; the command line takes a third of that.\n",
        "## Names in files\n",
        "A name in a file that is read leads to no file outside its folder, through no link either; devices and pipes are not waited for, nothing beyond a gigabyte is read, and nothing that is read is run (`tests/python/test_hostile_paths.py`). "
        "`make audit` holds dependencies against lists of licences, sources and known holes; no crate has a build script. "
        "Of its parts, licences, bans and sources (`cargo deny check licenses bans sources`) have passed. The lists of known holes could not be "
        "had on the machine that made this page: the RustSec database is on a forge out of its reach, and the package indexes there tell `pip-audit` and `npm audit` (for the parts of the viewer) nothing about holes. "
        "These checks are therefore open until `make audit` is run with a free way to the network.\n",
    ]
    return text


def trust_page():
    """What has been done to break it."""
    text = [
        "# What has been tried to break it\n",
        "Each table is what a command printed; the tests do a short form of each on every change.\n",
    ]
    for part in (_night, _stress, _faults, _fuzz, _fingerprints, _limits):
        text += part()
    return "\n".join(text)


INSTALLING = """# Installing, and what it takes

```sh
pip install .          # from a checkout or a source distribution: needs Rust (stable) and a C compiler
congestree doctor      # is everything there, and as fast as it should be?
```

One wheel for each platform serves every Python from 3.11 on (abi3). Files for building them are in the repository; this is what has been
tried:

| platform | how it is built | tried |
| --- | --- | --- |
| Linux x86-64 | `make wheel`; both workflow files | the wheel, installed in an empty environment: `congestree doctor` finds all well, `tools/fingerprints.py` the fingerprints of the repository |
| Linux aarch64 | the same workflow files; here `maturin build --target aarch64-unknown-linux-gnu`, with the quick profile | unpacked beside its libraries, under QEMU's emulation of the processor: `tools/fingerprints.py` finds the fingerprints of the repository. Not on such a machine |
| macOS, Windows | `.github/workflows/wheels.yml` | not yet: no such machine was at hand. The workflow installs each wheel and compares its fingerprints |
| source distribution | `make wheel`; both workflow files | `pip install` of the archive in an empty environment on Linux x86-64, with less optimisation to save time: `congestree doctor` finds all well, `tools/fingerprints.py` the fingerprints of the repository |
| conda | `packaging/conda/meta.yaml` | read (it renders, and what it requires agrees with `pyproject.toml`); not built |
| Debian, Ubuntu | `packaging/debian` | `dpkg-source -b` makes a source package, and `lintian` has no error for it; not built |

With `maturin build --release --pgo`, maturin builds twice and runs the benchmark in between, which makes the engine up to a twentieth faster
(ADR [10](../adr/0010-timing-wheel.md)). It needs the `llvm-profdata` of Rust's LLVM: `rustup component add llvm-tools`.

## Size, and time to start

Measured by `python tools/installed.py` with the wheel in an empty environment; kept in `docs/data/trust/installed.json`. Modules are counted because they never wander; the tests hold
their number down.

<!-- installed -->

Heavy libraries are loaded when they are first used: `numpy` and `pyarrow` by a run that writes tables, `matplotlib` by plots, `polars` by
tables asked for in Python and by sweeps, `pandas` and `distributed` by those who ask for them.

## Options for small machines

`--limit-memory 2GiB` for `run`, `check` and `sweep` says what a command may take; without it, it is nine tenths of what the machine (or the
container) has free. What would take more is refused before it is built, with what it would need. A sweep starts fewer workers if so many of
its largest run would not fit.
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
    sizes = found["bytes"]
    shown = list(sizes.items())[:8]
    rows = [(name, f"{size / 1e6:.0f}") for name, size in shown]
    rows += [
        (f"{len(sizes) - len(shown)} others", f"{sum(list(sizes.values())[len(shown) :]) / 1e6:.0f}"),
        ("all", f"{sum(sizes.values()) / 1e6:.0f}"),
    ]
    return INSTALLING.replace("<!-- installed -->", loads + "\n" + table(("library", "MB installed"), rows))
