"""`congestree bench`: speed and size on ten scenarios."""

from pathlib import Path
from typing import Annotated

import typer

from . import console


def bench(
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the list of results to this file.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Short runs, once each, without instruction counts.")] = False,
    only: Annotated[str | None, typer.Option(help="Only cases whose name contains this.")] = None,
    yardstick: Annotated[
        bool, typer.Option("--yardstick", help="One run instead: half a second of 648 hosts under InfiniBand CC.")
    ] = False,
):
    """Measure packet-hops per second of processor time, instructions per hop and peak memory on one core.

    [bold]Examples[/bold]

      congestree bench --json bench.json

      congestree bench --quick --only tree-648

      congestree bench --yardstick
    """
    from .. import benchmark, store

    if yardstick:
        _yardstick(benchmark, 0.02 if quick else 1)
        return
    rows = []
    if json_file is not None:
        store.prepare(json_file.absolute().parent)
    with console.progress("bench") as update:
        results = benchmark.measure_all(quick=quick, only=only, on_progress=update)
    for r in results:
        counted = r["instructions_per_hop"]
        rows.append(
            (
                r["name"],
                r["agenda"],
                f"{r['packet_hops_per_s'] / 1e6:.2f} M",
                f"{r['packet_hops']:,}",
                r["simulated"],
                f"{r['cpu_s']:.2f}",
                f"{r['events_per_hop']:.2f}",
                f"{counted:,.0f}" if counted else "–",
                f"{r['peak_mib']:.0f}",
                f"{r['peak_packets']:,}",
                f"{r['bytes_per_packet']}",
                f"{r['bytes_per_port']:.0f}",
            )
        )
    columns = (
        "case",
        "agenda",
        ">hops/s",
        ">hops",
        ">simulated",
        ">CPU s",
        ">events/hop",
        ">instr/hop",
        ">MiB",
        ">packets",
        ">B/packet",
        ">B/port",
    )
    console.table("speed and size on one core (medians)", columns, rows)
    if json_file is not None:
        store.write_json(json_file, results)
        console.say(f"\nresults: {json_file}")


def _yardstick(benchmark, share):
    """Runs the forest of Paper IV once and says what it took."""
    import resource
    import time

    from ..running import run

    scenario = benchmark.scaled(benchmark.YARDSTICK, share) if share < 1 else benchmark.YARDSTICK
    began = time.perf_counter()
    with console.progress("yardstick") as update:
        result = run(scenario, on_progress=lambda now, end, hops: update(now / end, f"{hops:,} packet-hops"))
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
