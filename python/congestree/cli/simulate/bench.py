"""`congestree bench`: speed and size on a set of scenarios, or on one of the user's."""

from pathlib import Path
from typing import Annotated

import typer

from .. import console

COLUMNS = (
    "case",
    "hops/s",
    "hops",
    "simulated",
    "check s",
    "CPU s",
    "wall s",
    "packets/hop",
    "events/hop",
    "instr/hop",
    "MiB",
    "packets",
    "B/packet",
    "B/port",
    "2 threads",
    "hops/s (2)",
)
# What leaves other options without effect, and why.
EXCLUDES = {
    "yardstick": ("is one run of its own", ("json", "only", "scenario", "threads", "agendas", "compare")),
    "scenario": ("is measured instead of the cases", ("only",)),
    "compare": ("is about runs with one event list", ("agendas",)),
}
FORMAT = "{:<29}{:>9}{:>13}{:>10}{:>9}{:>8}{:>8}{:>12}{:>11}{:>10}{:>8}{:>11}{:>9}{:>8}{:>11}{:>12}"


def bench(
    json_file: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Write the list of results to this file, case by case."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Short runs, once each, without instruction counts.")] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only the case of this name, or cases that begin with it; may be repeated."),
    ] = None,
    scenario: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Measure this scenario instead of the cases.")
    ] = None,
    threads: Annotated[int, typer.Option(help="Cores that work on each run.", min=1)] = 1,
    agendas: Annotated[bool, typer.Option("--agendas", help="Also measure each event list separately.")] = False,
    compare: Annotated[
        Path | None,
        typer.Option(
            metavar="BUILD_OR_JSON",
            help="Ratios to another build (its engine or checkout, in interleaved runs), or to a JSON file of results.",
        ),
    ] = None,
    yardstick: Annotated[
        bool,
        typer.Option(
            "--yardstick", help="Instead of the cases, one run: half a second of 648 hosts under InfiniBand CC."
        ),
    ] = False,
):
    """Measure packet-hops per second, instructions per hop and peak memory.

    Rates are by processor time for one thread, by wall time for several. Finished cases are printed at once, and kept
    if the rest is interrupted.

    [bold]Examples[/bold]

      congestree bench --json bench.json

      congestree bench --quick --only c-

      congestree bench --scenario my-network.toml --threads 2

      congestree bench --only c- --only d- --compare ../before

      congestree bench --yardstick
    """
    from ... import benchmark
    from ...runs import store, writing

    named = {"json": json_file, "only": only, "scenario": scenario, "threads": threads > 1, "agendas": agendas}
    _refuse_without_effect({**named, "compare": compare, "yardstick": yardstick})
    if yardstick:
        _yardstick(benchmark, 0.02 if quick else 1)
        return
    if json_file is not None:
        store.prepare(json_file.absolute().parent)
    cases = _own(scenario) if scenario is not None else _chosen(benchmark, only)
    results = []
    with console.progress("bench") as update:
        if compare is not None:
            found = benchmark.compare(cases, compare, threads=threads, pairs=1 if quick else 5, on_progress=update)
            header, line = _ratio_header, _ratio_line
        else:
            lists = benchmark.AGENDAS if agendas else ("auto",)
            found = benchmark.measure_cases(cases, quick=quick, agendas=lists, threads=threads, on_progress=update)
            header, line = FORMAT.format(*COLUMNS), _line
        console.say(header)
        for result in found:
            results.append(result)
            console.say(line(result))
            if json_file is not None:
                writing.write_json(json_file, writing.finite(results))
    if json_file is not None:
        console.say(f"\nresults: {json_file}")


def _refuse_without_effect(given):
    """Raise AskedError if one of the options, by name, has no effect beside another one."""
    from ...errors import AskedError

    for option, (why, others) in EXCLUDES.items():
        if given[option] and (vain := [f"--{other}" for other in others if given[other]]):
            raise AskedError(
                f"--{option} {why}, and {', '.join(vain)} would have no effect: leave one or the other out."
            )


_ratio_header = f"{'case':<29}{'this build / the other':>24}{'least':>8}{'most':>8}"


def _ratio_line(r):
    kind = "" if r["interleaved"] else "   not interleaved: clocks wander"
    if r["ratio"] != r["ratio"]:
        return f"{r['name']:<29}{'too short to tell' if r.get('there', True) else 'not in the file':>24}"
    return f"{r['name']:<29}{r['ratio']:>24.2f}{r['least']:>8.2f}{r['most']:>8.2f}{kind}"


def _line(r):
    counted, faster = r["instructions_per_hop"], r["two_threads"]
    return FORMAT.format(
        r["name"],
        f"{r['packet_hops_per_s'] / 1e6:.2f} M" if r["packet_hops_per_s"] else "too short",
        f"{r['packet_hops']:,}",
        r["simulated"],
        f"{r['check_s']:.2f}",
        f"{r['cpu_s']:.2f}",
        f"{r['wall_s']:.2f}",
        f"{r['packets_per_hop']:.2f}",
        f"{r['events_per_hop']:.2f}",
        f"{counted:,.0f}" if counted else "–",
        f"{r['peak_mib']:.0f}",
        f"{r['peak_packets']:,}",
        f"{r['bytes_per_packet']}",
        f"{r['bytes_per_port']:.0f}",
        f"{faster:.2f}x" if faster else "–",
        f"{r['two_threads_packet_hops_per_s'] / 1e6:.2f} M" if faster else "–",
    )


def _chosen(benchmark, only):
    from ...errors import AskedError, CongestreeError

    try:
        return {name: benchmark.CASES[name] for name in benchmark.choose(only)}
    except CongestreeError as error:
        raise AskedError(str(error)) from None


def _own(path):
    """A scenario of the user as a case; it is checked first, so that errors are reported as `check` reports them."""
    from ...gallery.shipped import scenario_path
    from ...runs import running

    path = scenario_path(path)
    return {path.stem: running.check(path)["scenario"]}


def _yardstick(benchmark, share):
    """Run the forest of Paper IV once and report its speed."""
    import resource
    import time

    from ...runs.running import run
    from ...runs.shorter import beginning

    scenario = beginning(benchmark.YARDSTICK, share) if share < 1 else benchmark.YARDSTICK
    began = time.perf_counter()
    with console.progress("yardstick") as update:
        result = run(scenario, on_progress=lambda now, end, hops: update(now / end, f"{hops:,} packet-hops"), threads=1)
    wall = time.perf_counter() - began
    hops = result.manifest["packet_hops"]
    delivered = result.table("flows")["bytes"].sum()
    rows = [
        ("simulated", f"{result.duration * 1e3:.0f} ms"),
        ("wall time", f"{wall:.1f} s"),
        ("delivered", f"{delivered / 1e9:.1f} GB"),
        ("packet-hops", f"{hops:,}"),
        ("packet-hops/s", f"{hops / wall / 1e6:.2f} M"),
        ("peak memory", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB"),
    ]
    console.table("silent forest, InfiniBand congestion control per queue pair, one core", ("what", ">value"), rows)
