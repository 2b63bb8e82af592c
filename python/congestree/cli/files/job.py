"""`congestree job`: jobs of training and inference: their traces, and jobs made from a short description."""

import math
from pathlib import Path
from typing import Annotated

import typer

from .. import console
from ..options import AsJson, File, Values, read_values


def info(
    traces: Annotated[
        list[Path], typer.Argument(help="Chakra traces (.et, .et.gz, .json), or folders of them.", metavar="TRACE...")
    ],
    as_json: AsJson = False,
):
    """Summarise execution traces: nodes by type, dependencies, bytes, collectives, ranks.

    A truncated trace, nodes that wait for each other in a cycle, and messages that nobody receives are reported on
    stderr, and the exit code is 1; what could be read is printed nevertheless. With --json: an object for one trace, a
    list for several.

    [bold]Examples[/bold]

      congestree job info trace.0.et

      congestree job info traces/ --json
    """
    from ...formats import traces as chakra

    with console.waiting(f"reading {len(traces):,} files or folders"):
        found, troubles, remarks = chakra.info(traces)
    if as_json:
        told = [{**trace, "troubles": troubles} for trace in found] if troubles else found
        console.print_json(told[0] if len(told) == 1 else told)
    else:
        _show(found)
    if remarks:
        console.say_error("\n\n".join(remarks))
    if troubles:
        console.say_error("\n\n".join(troubles))
        raise typer.Exit(1)


_SIZES = ("bytes", "send_bytes", "recv_bytes", "coll_bytes")


def _show(traces):
    """One trace as a list of facts, several as a row each and their sum."""
    from ...quantities import in_words

    first, *more = traces
    if not more:
        rows = [
            (name.replace("_", " "), in_words(value, "B") if name in _SIZES else value)
            for name, value in first.items()
            if value not in ("", None) and name != "file"
        ]
        console.table(first["file"], ("what", ">value"), rows)
        return
    columns = ("nodes", "comp", "comm_send", "comm_recv", "comm_coll", "send_bytes", "coll_bytes", "dangling_deps")
    rows = [
        [Path(trace["file"]).name, *(_cell(name, trace[name]) for name in columns)] for trace in traces[:_MOST_ROWS]
    ]
    if len(traces) > _MOST_ROWS:
        rows.append([f"and {len(traces) - _MOST_ROWS} more", *("" for _ in columns)])
    rows.append(["all", *(_cell(name, sum(trace[name] for trace in traces)) for name in columns)])
    heads = (">" + name.replace("_", " ") for name in columns)
    console.table(f"{len(traces)} traces, {first['ranks']} ranks", ("trace", *heads), rows)


_MOST_ROWS = 64


def _cell(name, value):
    from ...quantities import in_words

    return in_words(value, "B") if name in _SIZES else f"{value:,}"


def report(
    file: File,
    values: Values = None,
    why: Annotated[bool, typer.Option(help="Look for the link that delayed each job; takes one more run.")] = True,
    as_json: AsJson = False,
):
    """Report how long each job took, how much of it was exposed communication, and what delayed it.

    Each job runs as the scenario says, alone on the same fabric, and alone on an ideal network: all hosts
    on one switch, which serves the oldest packet first.

    [bold]Examples[/bold]

      congestree job report two-jobs.toml

      congestree job report two-jobs.toml --set 'traffic.0.job.placement="random"' --json
    """
    from ...applications import job_report
    from ...gallery.shipped import scenario_path

    with console.progress("job report", show=not as_json) as update:
        told = job_report.report(scenario_path(file), values=read_values(values), why=why, on_progress=update)
    if as_json:
        console.print_json(told)
        return
    for job in told["jobs"]:
        _show_job(job)
    for sentence in told["explain"]:
        console.paragraph(sentence)


def _show_job(job):
    """One job as a list of facts, and its steps as rows."""
    from ...quantities import in_words

    def time(value):
        return "not finished" if math.isnan(value) else in_words(value, "s")

    def beside(value, words):
        """A number in brackets, if it is known."""
        return "" if math.isnan(value) else f" ({words})"

    left = f"not finished ({job['running']} of {job['ranks']} ranks still running)"
    whole = [("completion", f"{time(job['completion'])} ({job['repeat']} iterations)")] if job["repeat"] > 1 else []
    share, ideally = job["exposed_share"], job["slowdown_ideal"]
    rows = [
        *whole,
        ("iteration", time(job["iteration"])),
        ("computing", time(job["computing"])),
        ("exposed communication", time(job["exposed"]) + beside(share, f"{share:.1%} of a rank's time")),
        ("alone", time(job["alone"]) + beside(job["slowdown"], f"slowdown {job['slowdown']:.3f}")),
        ("on an ideal network", time(job["ideal"]) + beside(ideally, f"slowdown {ideally:.3f}")),
        ("last to finish", left if job["running"] else f"rank {job['slowest']}"),
    ]
    held = job["held_by"]
    if held:
        step = dict.fromkeys([held["operation"], held["name"]])  # one word if the step has no name of its own
        rows += [
            ("held by", f"{' '.join(step)}, step {held['step']} of round {held['round']}"),
            ("lost in it", f"{time(held['lost'])} beyond the {time(held['ideal'])} of the ideal network"),
            ("last to come, to finish", f"rank {held['latest']}, rank {held['last']}"),
        ]
        if held["link"]:
            rows.append(("link", f"{held['link']['name']} ({held['link']['because']})"))
    elif job["steps"]:
        rows.append(("held by", "no step: none took longer than on the ideal network"))
    console.table(f"{job['job']}, {job['ranks']} ranks", ("what", ">value"), rows)
    if job["steps"]:
        rows = [
            [s["operation"], s["steps"], in_words(s["bytes"], "B"), time(s["time"]), time(s["ideal"])]
            for s in job["steps"]
        ]
        console.table(f"steps of {job['job']}", ("operation", ">steps", ">bytes", ">time", ">ideal"), rows)


def make(
    layers: Annotated[int, typer.Option(help="Layers of the model.", min=1)],
    hidden: Annotated[int, typer.Option(help="Values per token (hidden size).", min=1)],
    sequence: Annotated[int, typer.Option(help="Tokens per sequence.", min=1)],
    teraflops: Annotated[float, typer.Option(help="Effective compute rate of a rank, in 10^12 operations per second.")],
    data: Annotated[int, typer.Option(help="Data parallelism: copies of the model.", min=1)] = 1,
    tensor: Annotated[int, typer.Option(help="Tensor parallelism: parts of each layer.", min=1)] = 1,
    pipeline: Annotated[int, typer.Option(help="Pipeline parallelism: stages of layers.", min=1)] = 1,
    expert: Annotated[
        int, typer.Option(help="Expert parallelism: data neighbours that share experts; 1: none.", min=1)
    ] = 1,
    sequences: Annotated[int, typer.Option(help="Sequences per microbatch.", min=1)] = 1,
    microbatches: Annotated[int, typer.Option(help="Microbatches per iteration.", min=1)] = 1,
    iterations: Annotated[int, typer.Option(help="Number of iterations.", min=1)] = 1,
    node: Annotated[int, typer.Option(help="Hosts per node, with links among themselves; 1: none.", min=1)] = 1,
    node_rate: Annotated[str, typer.Option(help="Rate of those links.")] = "3600 Gbit/s",
    rate: Annotated[str, typer.Option(help="Rate of the links of the network.")] = "400 Gbit/s",
    channels: Annotated[int, typer.Option(help="Channels of collectives.", min=1, max=64)] = 1,
    placement: Annotated[str, typer.Option(help="linear, round-robin, random or by-rail.")] = "linear",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="File to write.  \\[default: stdout]")
    ] = None,
):
    """Write a scenario with a training job from a short description.

    [bold]Examples[/bold]

      congestree job make --data 4 --tensor 8 --pipeline 4 --layers 40 --hidden 5120 --sequence 2048 \\
        --microbatches 8 --teraflops 180 --node 8 -o gpt.toml
    """
    from ...applications import job_make

    named = locals()
    keys = ("layers", "hidden", "sequence", "teraflops", "data", "tensor", "pipeline", "expert", "sequences")
    keys += ("microbatches", "iterations", "node", "node_rate", "rate", "channels", "placement")
    name = "training" if out is None or console.is_stdout(out) else out.stem
    console.give(job_make.training(**{key: named[key] for key in keys}, name=name), out or "-")
