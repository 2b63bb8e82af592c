"""`congestree import` and `congestree export`: real fabrics as files, in and out."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .. import console
from ..options import AsJson, Values, read_values
from . import applies
from .workload import import_workload, run_text


class Route(StrEnum):
    """How an imported fabric is routed if it comes without tables."""

    shortest_path = "shortest-path"
    d_mod_k = "d-mod-k"


class Form(StrEnum):
    """What can be written."""

    ibnetdiscover = "ibnetdiscover"
    topo = "topo"
    lfts = "lfts"
    hpcc_fct = "hpcc-fct"
    hpcc_pfc = "hpcc-pfc"
    hpcc_flow = "hpcc-flow"
    cm = "cm"
    infragraph = "infragraph"
    htsim = "htsim"


OF_RUNS = (Form.hpcc_fct, Form.hpcc_pfc, Form.hpcc_flow, Form.cm)
"""Forms that are written from a run, not from a scenario."""


def import_(
    file: Annotated[
        Path,
        typer.Argument(
            help="Output of ibnetdiscover, a net file of ibsim, a .topo file of ibdm; topology.txt, flow.txt or "
            "config.txt of HPCC; a .cm or .topo file of htsim; an InfraGraph file.",
            metavar="FILE",
        ),
    ],
    routes: Annotated[
        Path | None,
        typer.Option(help="Forwarding tables: opensm-lfts.dump, or the output of ibroute or dump_lfts.sh."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="TOML file to write; - for stdout. Left out: only the report.")
    ] = None,
    topology_only: Annotated[
        bool, typer.Option("--topology-only", help="Write a topology file, for topology.file, not a whole scenario.")
    ] = False,
    routing: Annotated[
        Route | None, typer.Option(help="Compute routes: shortest-path (the default without tables) or d-mod-k.")
    ] = None,
    rate: Annotated[
        str | None,
        typer.Option(
            help="Rate of links whose rate the file does not say: 4xHDR, or '200 Gbit/s'.  \\[default: 4xSDR; of "
            "InfraGraph 100 Gbit/s]"
        ),
    ] = None,
    delay: Annotated[
        str | None,
        typer.Option(
            help="Delay of every link, which the files do not say.  \\[default: 10 ns, that is two metres of cable]"
        ),
    ] = None,
    host_type: Annotated[
        list[str] | None, typer.Option(help="In a .topo file: a type of system that is a host. Repeatable.")
    ] = None,
    flows: Annotated[Path | None, typer.Option(help="With a topology.txt: the flow.txt of its flows.")] = None,
    config: Annotated[Path | None, typer.Option(help="With a topology.txt: the config.txt of its settings.")] = None,
    into: Annotated[
        Path | None,
        typer.Option(
            metavar="SCENARIO", help="With a list of flows: this scenario with these flows, node i its i-th host."
        ),
    ] = None,
    as_json: AsJson = False,
):
    """Read a real fabric, report on it, and write it as a scenario.

    Flows of other simulators become a list of messages; an HPCC topology with its flows and settings becomes a
    scenario. The report says what there is and what looks wrong: degraded and missing links, and credit loops (routes
    on which packets could wait for each other in a cycle). An option that does not apply to the file is refused.

    [bold]Examples[/bold]

      congestree import fabric.txt

      congestree import fabric.txt --routes opensm-lfts.dump -o cluster.toml

      congestree import cluster.topo --rate 4xHDR --routing d-mod-k --topology-only -o fabric.toml

      congestree import fabric.txt --json | jq .degraded

      congestree import topology.txt --flows flow.txt --config config.txt -o hpcc.toml

      congestree import mix/config.txt -o hpcc.toml

      congestree import permutation.cm -o flows.csv

      congestree import permutation.cm --into my-network.toml -o study.toml

      congestree import cluster.yaml --rate "400 Gbit/s" -o cluster.toml
    """
    from ...formats import fabrics, workloads

    given = {"routes": routes, "topology_only": topology_only, "routing": routing, "rate": rate, "delay": delay}
    given |= {"host_type": host_type, "flows": flows, "config": config, "into": into}
    delay = "10 ns" if delay is None else delay
    if fabrics.infragraph.is_infragraph(file):
        applies.check(file, "infragraph", given)
        _import_infragraph(file, _rate("100 Gbit/s" if rate is None else rate), delay, topology_only, out, as_json)
        return
    if fabrics.htsim.is_htsim(file):
        applies.check(file, "htsim", given)
        _import_htsim(file, topology_only, out, as_json)
        return
    form = workloads.form_of(file)
    if form is not None:
        applies.check(file, form, given)
        import_workload(form, file, (flows, config, into), topology_only, out, as_json)
        return
    per_second = _rate("4xSDR" if rate is None else rate)
    _check_delay(delay)
    options = {"rate": per_second, "delay": delay, "routing": routing and routing.value, "name": file.stem}
    with console.waiting(f"reading {file}" + (f" and {routes}" if routes else "")):
        fabric = fabrics.read(file, routes=routes, host_types=tuple(host_type or ()))
    applies.check(file, fabric.form, given)
    with console.waiting(f"routing {len(fabric.nodes):,} nodes, and looking for faults"):
        network = fabrics.network_of(fabric, routes=routes, **options)
        found = fabrics.report(fabric, network, per_second)
    text = fabrics.scenario_text(fabric, whole=not topology_only, **options)
    if as_json and not console.is_stdout(out):
        console.print_json({**found, "routes": _routed(fabric, routing), "written": out and str(out)})
    elif not console.is_stdout(out):
        _show(found, _routed(fabric, routing))
        console.say()
    if out is not None:
        console.give(text, out, quiet=as_json)
    if found["credit_loop"]:
        _say_loop("" if routing is Route.d_mod_k or not found["levels"] else "; try --routing d-mod-k")


def _say_loop(way=""):
    console.say_error(
        "These routes have a credit loop, so the scenario will be refused: route it in another way, "
        f"or set allow_credit_loops = true{way}."
    )


def _import_htsim(file, topology_only, out, as_json):
    """A fat tree of htsim as a scenario, or as a topology file."""
    from ... import document
    from ...formats import fabrics
    from ...runs import running

    scenario, notes = fabrics.htsim.scenario_of(fabrics.htsim.read(file), file.stem)
    facts = running.check(scenario)["facts"]
    if topology_only:
        scenario, more = fabrics.topology_of(scenario)
        notes += more
    counts = {name: facts[name] for name in ("hosts", "switches", "links")}
    if as_json and not console.is_stdout(out):
        console.print_json(
            {"file": str(file), "format": "htsim", **counts, "notes": notes, "written": out and str(out)}
        )
    elif not console.is_stdout(out):
        rows = [(name, f"{value:,}") for name, value in counts.items()]
        console.table(f"{file} (htsim)", ("what", ">value"), rows)
        for note in notes:
            console.say_error(f"note: {note}")
        console.say()
    if out is not None:
        console.give(document.to_toml(scenario), out, quiet=as_json)


def _import_infragraph(file, rate, delay, topology_only, out, as_json):
    """An InfraGraph file as a scenario or a topology file, and a summary of it."""
    from ... import document
    from ...formats import fabrics
    from ...runs import running

    _check_delay(delay)
    found = fabrics.infragraph.read(file)
    scenario, notes = fabrics.infragraph.scenario_of(found, rate, delay, file.stem)
    network = running.network({**scenario, "allow_credit_loops": True}, routes=False)
    counts = {name: len(network[name]) for name in ("hosts", "switches", "links")}
    loop = [f"{a}->{b}" for a, b in network["credit_loop"] or ()]
    if as_json and not console.is_stdout(out):
        counted = {"file": str(file), "format": "infragraph", **counts, "credit_loop": loop or None, **found.summary()}
        console.print_json({**counted, "notes": notes, "written": out and str(out)})
    elif not console.is_stdout(out):
        rows = [(name, f"{value:,}") for name, value in counts.items()]
        rows.append(("credit loop", " ".join(loop) or "none"))
        rows += [(f"components: {kind}", f"{count:,}") for kind, count in found.summary()["components"].items()]
        console.table(f"{file} (infragraph)", ("what", ">value"), rows)
        for note in notes:
            console.say_error(f"note: {note}")
        console.say()
    if out is not None:
        written = fabrics.topology_of(scenario)[0] if topology_only else scenario
        console.give(document.to_toml(written), out, quiet=as_json)
    if loop:
        _say_loop()


def _rate(text):
    from ...errors import AskedError
    from ...formats.fabrics.rates import RATES, word_in
    from ...quantities import bits_per_second

    try:
        word = word_in(text)
        known = word and len(word) == len(text.replace(" ", ""))
        rate = RATES[word] if known else int(bits_per_second(text))
    except (ValueError, OverflowError):
        rate = 0
    if rate < 1000:
        raise AskedError(f"{text!r} is not a rate: write a width and speed such as 4xHDR, or '200 Gbit/s'.")
    return rate


def _check_delay(text):
    from ...errors import AskedError
    from ...quantities import seconds

    try:
        seconds(text)
    except ValueError:
        raise AskedError(f"{text!r} is not a delay of a link: write a length of time such as '10 ns'.") from None


def _routed(fabric, routing):
    """What the routes are from, and how many are left open by the tables."""
    from ...formats.fabrics.lfts import holes

    if routing or not fabric.routes:
        return {"from": routing.value if routing else "shortest-path", "left_to_shortest_path": 0}
    return {"from": "tables", "left_to_shortest_path": holes(fabric)}


def _show(found, routed):
    facts = [("hosts", found["hosts"]), ("switches", found["switches"]), ("links", found["links"])]
    facts.append(("levels", len(found["levels"]) if found["levels"] else f"none: {found['no_levels_because']}"))
    facts.append(("routes", routed["from"]))
    if routed["left_to_shortest_path"]:
        facts.append(("routes left open", f"{routed['left_to_shortest_path']:,} (shortest paths are taken)"))
    facts.append(("credit loop", " ".join(found["credit_loop"]) if found["credit_loop"] else "none"))
    console.table(f"{found['file']} ({found['format']})", ("what", "value"), facts)
    if found["levels"]:
        console.say()
        columns = ("level", "switches", "hosts", "down", "up")
        rows = [[row[c] for c in columns] for row in found["levels"]]
        console.table("Levels (links of one switch)", ["level", *(f">{c}" for c in columns[1:])], rows)
    console.say()
    rows = [(s["rate"], s["width_and_speed"] or "", s["links"]) for s in found["speeds"]]
    console.table("Speeds" if len(rows) == 1 else "Speeds (mixed)", ("data rate", "width and speed", ">links"), rows)
    if found["degraded"]:
        console.say()
        rows = [(d["link"], d["rate"], f"{d['expected']}: {d['because']}") for d in found["degraded"]]
        console.table("Degraded links", ("link", "rate", "expected"), rows)
    if found["missing"]:
        console.say()
        rows = [
            (m["switch"], m["kind"], m["has"], m["usual"], ", ".join(map(str, m["ports"]))) for m in found["missing"]
        ]
        console.table("Missing links", ("switch", "what", ">has", ">usual", "ports without a link"), rows)
    for title, lines in (("Nodes without a link", found["unlinked"]), ("Notes", found["notes"])):
        if lines:
            console.say()
            console.table(title, (), ())
            for line in lines:
                console.say(line)


def export(
    file: Annotated[
        str,
        typer.Argument(
            help="A scenario file (TOML or JSON), or the name of a shipped one; for hpcc-fct, hpcc-pfc, hpcc-flow and "
            "cm a folder of results.",
            metavar="FILE",
        ),
    ],
    form: Annotated[Form, typer.Option("--format", help="What to write.")] = Form.ibnetdiscover,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write. Left out, or -: stdout.")] = None,
    values: Values = None,
):
    """Write the fabric of a scenario in a format that other tools read.

    ibnetdiscover and topo hold the topology with its rates; lfts holds the forwarding tables. GUIDs and LIDs
    are generated, the same in each. infragraph holds any network, htsim a fat tree. For a run, hpcc-fct and hpcc-pfc
    hold what the HPCC simulator writes, for scripts that read it, and hpcc-flow and cm its flows.

    [bold]Examples[/bold]

      congestree export hot-spot --format ibnetdiscover -o fabric.txt

      congestree export hot-spot --format lfts -o opensm-lfts.dump

      congestree import fabric.txt --routes opensm-lfts.dump

      congestree export fat-tree-648-uniform --format infragraph

      congestree export fat-tree-648-uniform --format htsim -o tree.topo

      congestree run hpcc.toml --out runs/hpcc

      congestree export runs/hpcc --format hpcc-fct -o fct.txt
    """
    from ...formats import fabrics
    from ...gallery.shipped import scenario_path, scenarios
    from ...runs import running

    if form in OF_RUNS:
        console.give(run_text(file, form.value), out or "-")
        return
    if Path(file).is_dir() and str(file) not in scenarios():
        of_runs = f"of a run there are {', '.join(OF_RUNS)}"
        console.say_error(f"{file} is a folder, and {form} is written of a scenario: name its file; {of_runs}.")
        raise typer.Exit(2)
    if form is Form.htsim:
        scenario = running.check(scenario_path(file), values=read_values(values))["scenario"]
        console.give(fabrics.htsim.text(scenario, file), out or "-")
        return
    with console.waiting(f"routing the fabric of {file}"):
        network = running.network(scenario_path(file), values=read_values(values), routes=form is Form.lfts)
        if form is Form.infragraph:
            text = fabrics.infragraph_writer.text(network, file)
        else:
            text = fabrics.write(fabrics.fabric_of(network, file), form.value)
    console.give(text, out or "-")
