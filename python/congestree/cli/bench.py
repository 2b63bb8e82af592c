"""`congestree bench`: speed and size on five scenarios."""

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
):
    """Measure packet-hops per second of processor time, instructions per hop and peak memory on one core.

    [bold]Examples[/bold]

      congestree bench --json bench.json

      congestree bench --quick --only tree-648
    """
    from .. import benchmark, store

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
