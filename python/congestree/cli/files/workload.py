"""The parts of `congestree import` and `congestree export` that are about flows."""

from pathlib import Path

from .. import console


def import_workload(form, file, beside, topology_only, out, as_json):
    """Read the files of a simulator: a topology becomes a scenario, flows alone a list of messages or the traffic of
    a scenario, and settings the scenario of the files that they name.

    `beside`: the files of flows, of settings, and the scenario for flows; each may be None.
    """
    from ...errors import AskedError
    from ...formats import workloads

    flows, config, into = beside
    if form == "hpcc-config":
        if config:
            raise AskedError(f"{file} has settings, and so has {config}: name one of them.")
        config, named = file, workloads.hpcc_config.files(file)
        file, form, flows = named["TOPOLOGY_FILE"], "hpcc-topology", flows or named["FLOW_FILE"]
    if form == "hpcc-topology":
        if topology_only:
            flows = config = None
        text, rows, notes = _network(file, flows, config, topology_only)
    else:
        text, rows, notes = _flows(file, into, out)
    if not console.is_stdout(out):
        _tell(file, form, rows, notes, out, as_json)
    if out is not None:
        console.give(text, out, quiet=as_json)


def _network(file, flows, config, topology_only):
    """A topology, with flows and settings if there are any: the text of a scenario or topology file, facts, notes."""
    from ... import document
    from ...formats import fabrics, workloads
    from ...runs import running

    topology = workloads.hpcc.read_topology(file)
    workload = workloads.read(flows) if flows else None
    scenario, notes = workloads.scenario_of(topology, workload, config, name=Path(file).stem)
    facts = running.check(scenario)["facts"]
    rows = [(name, facts[name]) for name in ("hosts", "switches", "links")]
    rows += [("flows", len(workload.flows))] if workload else []
    if topology_only:
        scenario, _ = fabrics.topology_of(scenario)
    return document.to_toml(scenario), rows, notes


def _flows(file, into, out):
    """Flows alone, in the requested form (the traffic of a scenario, a GOAL file, a list of messages); facts, notes."""
    from ... import document
    from ...formats import workloads
    from ...gallery.shipped import scenario_path
    from ...runs import running

    workload = workloads.read(file)
    text, notes = "", workload.notes
    if into:
        path = scenario_path(into)
        scenario, notes = workloads.into(document.parse(*document.read_text(path), str(path)), workload)
        running.check(scenario)
        text = document.to_toml(scenario)
    elif out is not None and Path(out).suffix == ".goal":
        text = workloads.htsim.goal(workload)
        if workload.waits_for_senders():
            notes.append(
                "a send_done_trigger fires when all data has arrived, which a GOAL file cannot say: run it with "
                'job.send_end = "delivered"'
            )
    elif out is not None:
        text = workload.csv(workloads.names_of(workload))
    rows = [
        ("hosts", workload.hosts),
        ("flows", len(workload.flows)),
        ("bytes", sum(flow.size for flow in workload.flows)),
        ("last start", _instant(workload.flows[-1].start)),
    ]
    return text, rows, notes


def _tell(file, form, rows, notes, out, as_json):
    """Print what was read, for people or as JSON."""
    if as_json:
        said = {"file": str(file), "format": form, **dict(rows), "notes": notes, "written": out and str(out)}
        return console.print_json(said)
    shown = [(name, f"{value:,}" if isinstance(value, int) else value) for name, value in rows]
    console.table(f"{file} ({form})", ("what", ">value"), shown)
    for note in notes:
        console.say_error(f"note: {note}")
    console.say()


def _instant(picoseconds):
    """An instant in the unit in which it reads best, to six digits."""
    from ...quantities import scale_for

    factor, unit = scale_for("s", picoseconds / 1e12)
    return f"{picoseconds / 1e12 * factor:.6g} {unit}"


def run_text(folder, form):
    """A file about a run, in one of the forms hpcc-fct, hpcc-pfc, hpcc-flow and cm: a text, or its lines."""
    from ...formats import workloads
    from ...runs.results import Run

    run = Run.load(folder)
    ids = workloads.host_ids(run)
    if form == "hpcc-fct":
        return workloads.hpcc.fct_lines(run, ids)
    if form == "hpcc-pfc":
        if not any(piece.num_rows for piece in run.pieces("pauses")):
            console.say_error("note: nobody was told to pause in this run, so that the file is empty")
        return workloads.hpcc.pfc_lines(run, ids)
    workload = workloads.workload_of(run)
    text = workloads.write(workload, form)
    for note in workload.notes:
        console.say_error(f"note: {note}")
    return text
