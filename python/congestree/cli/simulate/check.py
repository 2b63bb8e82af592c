"""`congestree check` and `congestree cost`: what a scenario is and takes, without running it."""

import json
from typing import Annotated

import typer

from .. import console
from ..options import AsJson, File, LimitMemory, Values, read_values


def check(
    file: File,
    values: Values = None,
    limit_memory: LimitMemory = "free",
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Also say whether a run can use several cores, and why not.")
    ] = False,
    as_json: AsJson = False,
):
    """Check a scenario without running it: all complaints at once, with place and remedy; memory and time of a run.

    [bold]Examples[/bold]

      congestree check my-network.toml

      congestree check my-network.toml --verbose

      congestree check my-network.toml --json | jq .facts
    """
    from ...errors import CongestreeError, ScenarioError
    from ...gallery.shipped import scenario_path
    from ...quantities import in_words
    from ...runs import running

    try:
        path = scenario_path(file)
        with console.waiting(f"checking {file}"):
            answer = running.check(path, values=read_values(values), limit_memory=limit_memory)
    except (ScenarioError, CongestreeError) as error:
        if not as_json:
            raise
        console.print_json({"ok": False, "complaints": getattr(error, "complaints", None) or [_complaint(error)]})
        raise typer.Exit(getattr(error, "exit_code", 2)) from None
    needs = answer["needs"]
    warnings = [*_warnings(needs), *answer.pop("notes")]
    if as_json:
        console.print_json({"ok": True, **answer, "warnings": warnings})
        return
    rows = [
        (k, f"{v:,}" if isinstance(v, int) else v if isinstance(v, str) else json.dumps(v))
        for k, v in answer["facts"].items()
    ]
    rows += [("memory", in_words(needs["memory"], "B")), ("packet-hops", f"about {needs['packet_hops']:.2g}")]
    rows += [("time on one core", _duration(needs["seconds"]))]
    console.table(f"{file} is a valid scenario", ("fact", ">value"), rows)
    if verbose:
        console.say(answer["parts"])
    for warning in warnings:
        console.say_error(warning)
    if path.is_file() and 1 < answer["facts"]["runs"] <= MOST_CHECKED // answer["facts"]["hosts"]:
        _check_sweep(path, values, limit_memory)


def _complaint(error):
    """What is wrong with the file or the command, in the form of a complaint about a scenario."""
    place = {"file": getattr(error, "path", None), "path": "", "line": getattr(error, "line", None), "column": None}
    return {**place, "fact": getattr(error, "fact", str(error)), "remedy": getattr(error, "remedy", "")}


def _check_sweep(path, values, limit_memory):
    """Says which runs of the sweep make no sense, though the scenario does."""
    from ...errors import ScenarioError
    from ...studies.sweeping import expand

    try:
        expand(path, values=read_values(values), limit_memory=limit_memory)
    except ScenarioError as error:
        console.say_error(
            f"note: congestree sweep refuses runs of it, unless they are left out (--skip-refused):\n{error}"
        )


def _room(kind, key):
    """The bytes of a kind of switch under `key`; a range if its ports differ."""
    from ...quantities import in_words

    least = kind.get(f"least_{key}")
    most = in_words(kind[key], "B")
    return most if least is None else f"{in_words(least, 'B')} to {most}"


# Runs of a sweep times hosts that are checked as well: what takes about a second.
MOST_CHECKED = 20_000
# What deserves a warning before a run: memory (B) and time (s).
MUCH_MEMORY, LONG = 2 << 30, 10.0
_PARTS = {
    "network": "hosts, links and forwarding tables",
    "flows": "flows and messages",
    "queues": "ports and queues",
    "packets": "packets in flight, if all buffers are full",
    "tables": "what is recorded",
    "programs": "programs",
}


def _warnings(needs):
    """Sentences about a run that takes much."""
    from ...quantities import in_words

    if needs["memory"] > MUCH_MEMORY:
        part = max(needs["parts"], key=needs["parts"].get)
        share = in_words(needs["parts"][part], "B")
        yield f"A run takes about {in_words(needs['memory'], 'B')} of memory, {share} of it for {_PARTS[part]}."
    if needs["seconds"] > LONG:
        yield f"A run takes {_duration(needs['seconds'])} on one core; measure.duration says how much is simulated."


def _duration(seconds):
    """A time that is known to its order of magnitude."""
    if seconds < 1:
        return "less than 1 s"
    return f"about {_rounded(seconds)}"


def _rounded(seconds):
    for unit, length in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.2g} {unit}" if seconds < 100 * length else f"{seconds / length:,.0f} {unit}"
    return f"{seconds:.2g} s"


def cost(file: File, values: Values = None, as_json: AsJson = False):
    """Count the memory of the switches: queues, buffers, and the CAM lines of schemes that isolate flows.

    Memory cells are counted as in Gran's Paper VI: content-addressable memory (CAM) and ordinary memory (SRAM). The
    flow queues of BFC, which are those of an output, are counted with the input of the same port. The replay buffers of
    links.retry, those of switches, are counted at the output.

    [bold]Examples[/bold]

      congestree cost my-network.toml

      congestree cost my-network.toml --set switches.queues=voqnet
    """
    from ...gallery.shipped import scenario_path
    from ...quantities import in_words
    from ...runs import running

    found = running.check(scenario_path(file), values=read_values(values))["cost"]
    if as_json:
        console.print_json(found)
        return
    lines, total = found["input"], found["all"]
    each = ("lines", "cam_cells", "sram_cells")
    # The buffer of an input and, if they exist, that of an output and the memory that all ports of a switch share.
    parts = {"buffer_bytes": "buffer", "output_bytes": "at the output", "switch_bytes": "of the switch"}
    parts = {key: name for key, name in parts.items() if any(key in kind for kind in found["inputs"])}
    rows = [
        (
            f"{kind['switches']:,} with {kind['ports']} ports",
            f"{kind['queues']:,}",
            *(_room(kind, key) for key in parts),
            *(f"{lines[key]:,}" for key in each),
        )
        for kind in found["inputs"]
    ]
    columns = ("switches", ">queues", *(f">{name}" for name in parts.values()), ">lines", ">CAM cells", ">SRAM cells")
    port = "output" if found["memory"] == "output queues" else "input"
    console.table(f"Memory of one {port} ({found['memory']})", columns, rows)
    counted = f"{total['inputs']:,} inputs", f"{total['queues']:,}", in_words(total["buffer_bytes"], "B")
    cells = [f"{total[key]:,}" for key in each[1:]]
    console.table(
        "Memory of all switches", ("", ">queues", ">buffer", ">CAM cells", ">SRAM cells"), [(*counted, *cells)]
    )
