"""The page about results: every table, from small runs that have all probes between them."""

# ruff: noqa: E501 (sentences for a page)

import sys

from congestree import renames

from .writing import code, table

LOSSY = """
[topology.dumbbell]
pairs = 2
[links]
rate = "10 Gbit/s"
flow_control = "none"
[switches]
output_queue = "20 kB"
[adapters]
mtu = "192 B"
[scheme]
preset = "efl"
[[traffic]]
from = "senders"
to = "R_1"
message = "100 kB"
arrivals.messages.count = 1
[measure]
duration = "1 ms"
probes = ["output-queues", "transfers", "transport"]
"""
FINITE = """
[topology.single-switch]
hosts = 3
[links]
rate = "10 Gbit/s"
[[traffic]]
from = ["H2", "H3"]
to = "H1"
flows = "by-message"
message = "100 kB"
arrivals.messages.count = 1
[measure]
duration = "1 ms"
probes = ["completions"]
"""
PROBED = """
[topology.two-switch]
local = 2
remote = 2
[links]
rate = "8 Gbit/s"
flow_control = "packet-slots"
[switches]
buffer = "2 packets"
[adapters]
window = 1
[scheme]
preset = "input-triggered"
[[traffic]]
from = ["local", "remote"]
to = "B_C"
[[traffic]]
from = "all"
program = "barrier"
[measure]
duration = "100 us"
probes = ["flows", "classes", "ports", "queues", "events", "latency", "deliveries", "counters", "messages", "trees"]
"""
PAUSED = """
[topology.single-switch]
hosts = 4
[links]
rate = "10 Gbit/s"
flow_control = "pfc"
[switches]
buffer = "60 kB"
[[traffic]]
from = ["H2", "H3", "H4"]
to = "H1"
[measure]
duration = "1 ms"
probes = ["pauses", "buffers"]
"""
ISOLATED = """
topology = "test-bed"
[links]
rate = "10 Gbit/s"
[scheme]
preset = "ecocc"
[[traffic]]
from = ["H2", "H3", "H6", "H7"]
to = "H4"
[measure]
duration = "100 us"
probes = ["isolation", "input-queues", "credits", "detections", "hol-blocking", "injection-audit"]
"""
CHECKED = """
topology = "test-bed"
[links]
rate = "10 Gbit/s"
errors = { packets = 0.01 }
retry = {}
[[traffic]]
from = ["H2", "H3"]
to = "H4"
[measure]
duration = "100 us"
"""
FAILING = """
[topology.fat-tree]
radix = 4
[links]
rate = "10 Gbit/s"
[links.faults]
failures = [{ link = ["leaf0", "spine0"], at = "20 us", until = "50 us" }]
[[traffic]]
from = ["h0", "h1"]
to = "h4"
[measure]
duration = "100 us"
"""
REGIONAL = """
[topology.two-switch]
local = 3
remote = 3
[links]
rate = "100 Gbit/s"
[scheme.schedule.rcm]
[[traffic]]
from = ["local", "remote"]
to = "B_C"
[measure]
duration = "100 us"
probes = ["regions"]
"""
BY_FLOW = """
[topology.single-switch]
hosts = 3
[links]
rate = "10 Gbit/s"
[scheme]
preset = "bfc"
[[traffic]]
from = ["H2", "H3"]
to = "H1"
[measure]
duration = "100 us"
"""
SPRAYED = """
[topology.fat-tree]
radix = 4
[links]
rate = "10 Gbit/s"
[scheme.route.spray]
[[traffic]]
from = ["h0", "h1"]
to = "h4"
[measure]
duration = "100 us"
"""
ANSWERED = """
[topology.single-switch]
hosts = 3
[links]
rate = "10 Gbit/s"
flow_control = "none"
[switches]
output_queue = "20 kB"
[scheme]
preset = "irn"
[[traffic]]
from = ["H2", "H3"]
to = "H1"
message = "100 kB"
arrivals.messages.count = 1
[measure]
duration = "100 us"
"""
STEPPED = """
[topology.single-switch]
hosts = 4
[links]
rate = "100 Gbit/s"
[[traffic]]
from = "all"
program.moe = { tokens = 16, gate.uniform = { experts = 8, chosen = 2 } }
[measure]
duration = "1 ms"
"""
SOURCES = {
    "": PROBED,
    'Where each message is a flow of its own (`flows = "by-message"`)': FINITE,
    "On links that can lose packets, or with a transport": LOSSY,
    "With the transports `irn` and `uet`": ANSWERED,
    "Where packets of a flow take several paths": SPRAYED,
    "With priority flow control": PAUSED,
    "With isolation": ISOLATED,
    "With isolation by flow": BY_FLOW,
    "On links that check frames (`links.errors` or `links.retry`)": CHECKED,
    "With link failures (`links.faults`)": FAILING,
    "With regional control (`rcm`)": REGIONAL,
    "With steps that have names": STEPPED,
}
"""Cases in which a run records what the runs before it do not, and a scenario for each."""


def columns_of(run, name):
    """The columns of a table of a run, as rows of a table about them."""
    units, meanings = run.units(name), run.meanings(name)
    return [(code(f.name), str(f.type), units[f.name], meanings[f.name]) for f in run.arrow(name).schema]


def measures_of(run):
    """The rows of the table `summary` of a run, as rows of a table about them."""
    rows = zip(*(run.arrow("summary")[c].to_pylist() for c in ("name", "unit", "meaning")), strict=True)
    return [(code(name), unit, meaning) for name, unit, meaning in rows]


def by_case(head, rows_of):
    """A table of the rows of the first run of SOURCES that has any, then one of the additional rows of each other run."""
    known, text = set(), []
    for case, rows in rows_of.items():
        if new := [row for row in rows if row[0] not in known]:
            known |= {row[0] for row in new}
            text += [f"{case}:\n"] * bool(text) + [table(head, new)]
    return text


def older(one):
    """A row about an older name of a table, a column or a row."""
    where = {"row": f"{code(one.place)}, a row", "fact": f"what {code(one.place)} returns"}.get(
        one.what, code(one.place)
    )
    return where or "the table itself", code(one.old), code(one.new), one.gone_in


def tables_page(catalogue):
    """Every table and column of the results."""
    import congestree

    text = [
        "# Result tables\n",
        "A run directory holds `manifest.json` and one Parquet file for each table. In Python a table is an attribute of the run: "
        '`run.flows` (polars), `run.arrow("flows")`, `run.pandas("flows")`. Units are base units, stored in the metadata of each '
        'column: `run.units("flows")`, `run.meanings("flows")`.\n',
    ]
    runs = {case: congestree.run(scenario) for case, scenario in SOURCES.items()}
    probed = {probe for run in runs.values() for probe in run.scenario["measure"]["probes"]}
    if missing := {entry["name"] for entry in catalogue if entry["kind"] == "probe"} - probed:
        sys.exit(f"No scenario in SOURCES of tools/docpages/tables.py has these probes: {', '.join(sorted(missing))}.")
    probes = [entry for entry in catalogue if entry["kind"] == "probe"]
    rows = {
        one["name"]: f"With {one['with']}. {one['row']}" if one["with"] else one["row"]
        for entry in catalogue
        if entry["kind"] != "probe"
        for one in entry.get("tables", ())
    }
    rows |= {one["name"]: f"Probe {code(probe['name'])}. {one['row']}" for probe in probes for one in probe["tables"]}
    if missing := {name for run in runs.values() for name in run.tables} - set(rows):
        sys.exit(
            "UNPROBED of crates/fabric/src/observe/tables/mod.rs lacks these tables, which no probe records: "
            f"{', '.join(sorted(missing))}."
        )
    for name, row in rows.items():
        text += [f"## `{name}`\n", row + "\n"]
        rows_of = {case: columns_of(run, name) for case, run in runs.items() if name in run.tables}
        text += by_case(("column", "type", "unit", "meaning"), rows_of)
        if name == "summary":
            text += by_case(("name", "unit", "meaning"), {case: measures_of(run) for case, run in runs.items()})
    text += [
        "## The manifest\n",
        "`scenario` (resolved, every default written out), `notes` (on the scenario, as `congestree check` tells them: sentences about what works, and may not be what was meant), `congestree` and `engine_version`, `seed`, `undrawn` (by class with incasts, the hosts that could send and were drawn for none), `duration_s` (simulated), `wall_s`, `cpu_s` (processor time, with reading and checking the scenario), "
        "`events`, `packet_hops`, `link_packets` (packets of any kind that crossed a link), `parts` (of the network, run side by side), `peak_packets`, `peak_flows`, "
        "`bytes_per_packet` and `bytes_per_port` (memory, queues included), `peak_bytes` (memory of the process so far, or null), `fingerprint` (`trajectory`: over all transmissions, `results`: over all "
        "deliveries), `stopped` (why the run ended early, or null), `interrupted`, `hash` (of the resolved scenario; of a driven run also of its fingerprint), `machine`, "
        "`created`, and `tables` with their columns. `out_of_memory` is there only if the run was stopped because memory ran out: in a study it counts as not run. `driven` is there only if another program drove the simulation ([page](../howto/drive-a-simulation.md)): the number of injected `messages`, and the `changes` of the marking (`at`, in s, and `values`); such a run cannot be repeated from its scenario, and its `wall_s` and `cpu_s` include that program.\n",
        "## Older names { #older-names }\n",
        "Tables, columns and rows that have been renamed. Until the release in the last column, the older name still works, with a warning: for a table as an attribute or in "
        '`run.table`, `run.arrow` and `run.pieces`, for a column as `run.table("detections")["theirs"]` or among the `columns` of `run.arrow` '
        "and `run.pieces`, for a row of the summary in `run.value`, for what `congestree.trees.summary` returns in `[...]` and `get`. Files contain the names of the version that wrote them; runs stored by an older "
        "version are read under the present names.\n",
        table(
            ("table", "older", "now", "gone in"), [older(one) for one in renames.LIST if one not in renames.SCENARIO]
        ),
    ]
    return "\n".join(text)
