"""Writes the pages of the documentation that follow from the program itself.

    python tools/pages.py                           # write them
    python tools/pages.py --check                   # say whether they are up to date
    python tools/pages.py --adopt runs/hpl2002 …    # take over claims.json (or bench.json) of finished runs first

| page | made from |
| --- | --- |
| docs/reference/scenario.md, parts.md, scenario.schema.json | the engine's catalogue and JSON Schema |
| docs/reference/cli.md | the command line itself |
| docs/reference/tables.md | the columns of a small run with all probes |
| docs/claims.md | docs/data/<paper>.json, adopted from `congestree reproduce` |
| docs/speed.md | docs/data/bench.json, adopted from `congestree bench` |
| docs/bibliography.md | docs/bibliography.bib |
"""

# ruff: noqa: E501 (sentences for a page)

import argparse
import inspect
import json
import re
import shutil
import sys
import tomllib
import typing
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
DATA = DOCS / "data"
MARK = "<!-- Made by tools/pages.py; do not edit. -->\n\n"

KINDS = {
    "topology": "Topologies",
    "routing": "Routing",
    "flow_control": "Flow control",
    "control": "Room for ACKs",
    "queues": "Queues of an input",
    "read_ports": "Read ports of an input",
    "arbiter": "Arbiters",
    "switching": "Switching",
    "preset": "Presets of schemes",
    "mark": "Marking policies",
    "feedback": "How a trigger becomes marks",
    "react": "Reactions",
    "route": "Choice of ways",
    "arrivals": "Arrivals",
    "pattern": "Destinations",
    "program": "Programs of applications",
    "placement": "Where ranks are",
    "send_end": "When a send has finished",
    "order": "Messages of an exchange",
    "probe": "Probes",
}
PLACES = {
    "topology": "topology",
    "routing": "routing",
    "flow_control": "links.flow_control",
    "control": "links.flow_control.….control",
    "queues": "switches.queues",
    "read_ports": "switches.read_ports",
    "arbiter": "switches.arbiter",
    "switching": "switches.switching",
    "preset": "scheme.preset",
    "mark": "scheme.mark",
    "feedback": "scheme.mark.input-triggered.feedback",
    "react": "scheme.react",
    "arrivals": "traffic.N.arrivals",
    "pattern": "traffic.N.pattern",
    "program": "traffic.N.program",
    "placement": "traffic.N.job.placement",
    "send_end": "traffic.N.job.send_end",
    "order": "traffic.N.program.….order",
    "probe": "measure.probes",
}
ROWS = {
    "flows": "A row for each flow: totals after the warm-up.",
    "ports": "A row for each direction of each link: totals after the warm-up.",
    "summary": "A row for each number that describes the run as a whole.",
    "jobs": "With a `program` in traffic. A row for each application.",
    "ranks": "With a `program` in traffic. A row for each rank of each application.",
    "flow_series": "Probe `flows`. A row for each flow and bin in which something happened.",
    "port_series": "Probe `ports`. A row for each direction of a link and bin.",
    "queues": "Probe `queues`. How long each input buffer held how many packets.",
    "events": "Probe `events`. A row for each trigger of a marking policy.",
    "fulls": "Probe `events`. A row for each instant at which a buffer became full.",
    "buffered": "Probe `events`. Which flows had how many packets waiting in a buffer that became full.",
    "marks": "Probe `events`. A row for each marked packet.",
    "congestion": "Probe `events`. A row for each time that an output enters or leaves the congestion state.",
    "latency": "Probe `latency`. Distributions by class of traffic.",
    "deliveries": "Probe `deliveries`. A row for each delivered data packet.",
    "output_queue_series": "Probe `output-queues`. A row for each output at which a packet ever waited, and bin.",
    "transfers": "Probe `transfers`. A row for each message that has arrived whole.",
    "completions": "Probe `completions`. A row for each flow by message that has finished, written while the run goes on.",
    "transport": "Probe `transport`. A row for each ACK or timeout of a transport.",
    "messages": "Probe `messages`. A row for each message of an application that was delivered.",
    "trees": "Probe `trees`. A row for each look at the fabric and congestion tree in it.",
    "tree_links": "Probe `trees`. A row for each span of time in which a link belonged to a tree in one way.",
    "tree_flows": "Probe `trees`. A row for each tree and flow that fed it or suffered from it; whole run.",
    "tree_losses": "Probe `trees`. A row for each flow that lost time to head-of-line blocking; whole run.",
}
LOSSY = """
[topology.dumbbell]
pairs = 2
[links]
rate = "10 Gbit/s"
flow_control = "none"
[switches]
output_queue = "20 kB"
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
probes = ["flows", "ports", "queues", "events", "latency", "deliveries", "messages", "trees"]
"""


def table(head, rows):
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    lines += ["| " + " | ".join(cell(c) for c in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def cell(value):
    """Text for a table cell."""
    text = re.sub(r"<(?=[a-z])", "&lt;", str(value))
    return re.sub(r"(?<!\\)\|", r"\\|", text).replace("\n", " ").strip()


def code(value):
    """A value as code, or nothing."""
    if value is None or value == "":
        return ""
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value))  # a choice with its defaults
    return f"`{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}`"


def parameters(entry):
    """The parameters of a part or section as a table."""
    rows = []
    for p in entry["parameters"]:
        default = "required" if p["required"] else code(p["default"])
        kind = " \\| ".join(code(word) for word in p["type"].split(" | ")) if " | " in p["type"] else p["type"]
        rows.append((code(p["name"]), kind, default, p["meaning"]))
    return table(("key", "value", "default", "meaning"), rows)


def scenario_page(catalogue, schema):
    """Every key of a scenario file."""
    sections = {e["name"]: e for e in catalogue if e["kind"] == "section"}
    text = [
        "# Scenario files\n",
        "TOML for people, JSON for programs; the same keys. Unknown keys are errors. A quantity is a text with its unit: "
        '`"20 Gbit/s"` or `"1 GB/s"`, `"2 KiB"`, `"1.5 us"`, `"4 packets"`. A choice is a bare name, which means its defaults, or '
        'a table under its name: `react = "lipd"`, or `[scheme.react.lipd]` with its keys. See [parts](parts.md) for all '
        "choices.\n",
        "An editor that knows JSON Schema can complete and check keys with [the schema](scenario.schema.json); "
        "`congestree schema` prints it.\n",
        "## Top level\n",
    ]
    required = schema.get("required", [])
    rows = []
    for name, node in schema["properties"].items():
        default = "required" if name in required else code(node.get("default") if name not in sections else "")
        rows.append((code(name), default, node.get("description", "")))
    text.append(table(("key", "default", "meaning"), rows))
    order = ["links", "switches", "adapters", "scheme", "traffic", "measure"]
    for name in [*order, *(n for n in sections if n not in order)]:
        bracket = f"[[{name}]]" if name == "traffic" else f"[{name}]"
        text += [f"## `{bracket}`\n", sections[name]["summary"] + "\n", parameters(sections[name])]
    text += [
        "## `[sweep]`\n",
        "Dotted paths and the values to try; the runs are the product of all lists. Entries of a list count from 0: "
        '`"traffic.0.arrivals.poisson.load" = [0.2, 0.4]`, `seed = [1, 2, 3]`.\n',
    ]
    return "\n".join(text)


def parts_page(catalogue):
    """Everything that a scenario can name."""
    text = ["# Parts\n", "What a scenario can name, and the parameters of each. `congestree list` prints the same.\n"]
    kinds = list(dict.fromkeys([*KINDS, *(e["kind"] for e in catalogue)]))
    for kind in kinds:
        entries = {e["name"]: e for e in catalogue if e["kind"] == kind}
        if kind == "section" or not entries:
            continue
        text.append(f"## {KINDS.get(kind, kind)} {{ #{kind.replace('_', '-')} }}\n")
        if kind in PLACES:
            text.append(f"In a scenario: `{PLACES[kind]}`.\n")
        if any(e["parameters"] for e in entries.values()):
            for e in entries.values():
                text += [f"### `{e['name']}` {{ #{kind.replace('_', '-')}-{e['name']} }}\n", e["summary"] + "\n"]
                if e["parameters"]:
                    text.append(parameters(e))
        else:
            text.append(table(("name", "what it is"), [(code(e["name"]), e["summary"]) for e in entries.values()]))
    return "\n".join(text)


def cli_page():
    """Every command with its arguments and options, read off the functions behind them."""
    from congestree.cli import COMMANDS, app

    text = ["# Command line\n", plain(app.info.help) + "\n"]
    for name, function in COMMANDS.items():
        about, _, examples = plain(inspect.getdoc(function)).partition("Example")
        text += [f"## `congestree {name}`\n", about.strip() + "\n"]
        rows = [option(p) for p in inspect.signature(function, eval_str=True).parameters.values()]
        text.append(table(("argument or option", "meaning"), rows))
        lines = [line.strip() for line in examples.splitlines() if line.strip().startswith("congestree")]
        if lines:
            text.append("```sh\n" + "\n".join(lines) + "\n```\n")
    text.append(
        "Exit codes: 0 all is well; 1 a run was stopped or failed; 2 the scenario or the command is wrong; 130 Ctrl-C.\n"
    )
    return "\n".join(text)


def option(parameter):
    """A parameter of a command: how it is written, and what it means."""
    kind, info = typing.get_args(parameter.annotation)[:2]
    kinds = [t for t in typing.get_args(kind) or (kind,) if t is not type(None)]
    word = getattr(kinds[0], "__name__", "value").lower().replace("str", "text").replace("int", "number")
    if type(info).__name__ == "ArgumentInfo":
        return code(info.metavar or parameter.name.upper()), plain(info.help)
    said = [d for d in (info.default, *(info.param_decls or ())) if isinstance(d, str) and d.startswith("--")]
    flag = said[0] if said else f"--{parameter.name.replace('_', '-')}"
    return code(flag if bool in kinds else f"{flag} {info.metavar or word.upper()}"), plain(info.help)


def plain(text):
    """Help text without rich's markup."""
    text = re.sub(r"(?<!\\)\[/?(bold|dim|italic)\]", "", text or "")
    return text.replace("\\[", "[")


def columns_of(run, name):
    """The columns of a table of a run, as rows of a table about them."""
    units, meanings = run.units(name), run.meanings(name)
    return [(code(f.name), str(f.type), units[f.name], meanings[f.name]) for f in run.arrow(name).schema]


def tables_page():
    """Every table and column of the results."""
    import congestree

    run, lossy, finite = (congestree.run(text) for text in (PROBED, LOSSY, FINITE))
    text = [
        "# Result tables\n",
        "A run directory holds `manifest.json` and one Parquet file for each table. In Python a table is an attribute of the run: "
        '`run.flows` (polars), `run.arrow("flows")`, `run.pandas("flows")`. Units are base units and stand in the metadata of each '
        'column: `run.units("flows")`, `run.meanings("flows")`.\n',
    ]
    both = list(dict.fromkeys([*run.tables, *lossy.tables, *finite.tables]))
    for name in [*(n for n in ROWS if n in both), *(n for n in both if n not in ROWS)]:
        source = next(source for source in (run, lossy, finite) if name in source.tables)
        rows = columns_of(source, name)
        text += [f"## `{name}`\n", ROWS.get(name, "") + "\n", table(("column", "type", "unit", "meaning"), rows)]
        if source is run and name in lossy.tables and (more := [r for r in columns_of(lossy, name) if r not in rows]):
            text += ["On links that lose, or with a transport:\n", table(("column", "type", "unit", "meaning"), more)]
        if name == "summary":
            values = zip(*(finite.arrow(name)[c].to_pylist() for c in ("name", "unit", "meaning")), strict=True)
            text.append(table(("name", "unit", "meaning"), [(code(n), u, m) for n, u, m in values]))
    text += [
        "## The manifest\n",
        "`scenario` (resolved, every default written out), `congestree` and `engine_version`, `seed`, `duration_s`, `wall_s`, "
        "`events`, `packet_hops`, `peak_packets`, `peak_flows`, `fingerprint` (`trajectory`: of every transmission, `results`: of every "
        "delivery), `stopped` (why the run ended early, or null), `interrupted`, `hash` (of the resolved scenario), `machine`, "
        "`created`, and a list of the tables with their columns.\n",
    ]
    return "\n".join(text)


def claims_page():
    """The claims of all papers, as adopted."""
    from congestree.gallery import value_in_words

    text = [
        "# Claims of the papers\n",
        "What a paper says, what came out here, and why where it differs. *Reproduced*: our value is within the accepted range. "
        "*Not reproduced*: it is not, and the reason is given. *Measured*: the paper gives no value to compare. *Analytic*: computed "
        "without a network. *External*: it needs hardware or another tool. *Not run*: it needs a part that congestree does not have yet. How open questions were read stands in the `README.md` of each folder of `gallery`.\n",
        "```sh\nmake gallery PAPER=hpl2002                         # runs all of a paper\n"
        "python tools/pages.py --adopt runs/hpl2002         # takes its claims over to this page\n```\n",
    ]
    files = sorted(p for p in DATA.glob("*.json") if p.name != "bench.json")
    if not files:
        text.append(
            "No full reproduction has been adopted yet. `make demo` prints the claims about figures 2 and 3 of HPL-2002-4.\n"
        )
    for path in files:
        claims = json.loads(path.read_text(encoding="utf-8"))
        counts = {}
        for c in claims:
            counts[c["verdict"]] = counts.get(c["verdict"], 0) + 1
        text += [f"## {path.stem}\n", f"{len(claims)} claims: {', '.join(f'{n} {v}' for v, n in counts.items())}.\n"]
        rows = []
        for c in claims:
            here = f"{value_in_words(c['value'])} {c['unit'] or ''}".strip()
            verdict = f"**{c['verdict']}**" if c["verdict"] == "not reproduced" else c["verdict"]
            rows.append((c["id"], value_in_words(c["target"]), here, verdict, c["reason"] or ""))
        text.append(table(("claim", "paper", "here", "verdict", "reason"), rows))
    return "\n".join(text)


def speed_page():
    """The last adopted benchmark."""
    text = [
        "# Speed\n",
        "Printed by `make bench`: one core, medians of five runs. A packet-hop is one data packet crossing one link; ACKs do not count.\n",
        "A row without a suffix runs on the event list that is chosen by the size of the network; `-wheel` and `-heap` force one."
        " The machine was shared with other work, so that rates wander from row to row; instruction counts do not.\n",
        "```sh\nmake bench\npython tools/pages.py --adopt runs/bench.json\n```\n",
    ]
    path = DATA / "bench.json"
    if not path.exists():
        text.append("No measurement has been adopted yet.\n")
        return "\n".join(text)
    rows = []
    for r in json.loads(path.read_text(encoding="utf-8")):
        counted = r.get("instructions_per_hop")
        rows.append(
            (
                r["name"],
                f"{r['packet_hops_per_s'] / 1e6:.2f} M",
                f"{r['packet_hops']:,}",
                f"{r['events_per_hop']:.2f}",
                f"{counted:,.0f}" if counted else "-",
                f"{r['peak_mib']:.0f}",
            )
        )
    text.append(table(("case", "packet-hops/s", "packet-hops", "events/hop", "instructions/hop", "peak MiB"), rows))
    return "\n".join(text)


def bibliography_page():
    """The cited papers."""
    source = (DOCS / "bibliography.bib").read_text(encoding="utf-8")
    text = ["# Bibliography\n"]
    for key, body in re.findall(r"@\w+\{(\w+),(.*?)\n\}", source, re.S):
        f = {k: re.sub(r"[{}]", "", v) for k, v in re.findall(r"(\w+)\s*=\s*\{(.*?)\}(?:,\n|,?\s*$)", body, re.S)}
        where = (
            f.get("journal") or f.get("booktitle") or " ".join(filter(None, (f.get("institution"), f.get("number"))))
        )
        more = ", ".join(
            filter(
                None,
                (f.get("volume") and f"vol. {f['volume']}", f.get("pages") and f"pp. {f['pages']}".replace("--", "-")),
            )
        )
        authors = "; ".join(" ".join(reversed(a.split(", "))) for a in f["author"].split(" and "))
        line = f"{authors}: *{f['title']}*. {where}{', ' + more if more else ''}, {f['year']}."
        text.append(f"**[{key}]** {line}{' ' + f['note'] + '.' if 'note' in f else ''}\n")
    return "\n".join(text)


def pages():
    """All generated pages: {path: text}."""
    from congestree import _engine

    catalogue, schema = json.loads(_engine.catalogue()), json.loads(_engine.schema())
    made = {
        "reference/scenario.md": scenario_page(catalogue, schema),
        "reference/parts.md": parts_page(catalogue),
        "reference/cli.md": cli_page(),
        "reference/tables.md": tables_page(),
        "claims.md": claims_page(),
        "speed.md": speed_page(),
        "bibliography.md": bibliography_page(),
    }
    made = {name: MARK + text.rstrip() for name, text in made.items()}
    made["reference/scenario.schema.json"] = json.dumps(schema, indent=2, ensure_ascii=False)
    return {DOCS / name: text + "\n" for name, text in made.items()}


def paper_of(claim):
    """The paper that has a claim."""
    from congestree import shelf

    for paper, folder in shelf.papers().items():
        if claim in tomllib.loads((folder / "claims.toml").read_text(encoding="utf-8")):
            return paper
    sys.exit(f"No paper of the gallery has the claim {claim}.")


def adopt(source):
    """Copy claims.json of a reproduction, or a benchmark, to docs/data."""
    source = Path(source)
    DATA.mkdir(exist_ok=True)
    if source.is_dir():
        claims = json.loads((source / "claims.json").read_text(encoding="utf-8"))
        shutil.copyfile(source / "claims.json", DATA / f"{paper_of(claims[0]['id'])}.json")
    else:
        shutil.copyfile(source, DATA / "bench.json")


def main():
    """Write the pages or check them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="only say whether the pages are up to date")
    parser.add_argument(
        "--adopt", nargs="+", default=[], metavar="RUNS", help="folders of reproductions, or a bench.json"
    )
    options = parser.parse_args()
    for source in options.adopt:
        adopt(source)
    stale = [
        (path, text) for path, text in pages().items() if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if options.check and stale:
        names = ", ".join(str(path.relative_to(ROOT)) for path, _ in stale)
        sys.exit(f"Out of date: {names}. Run `python tools/pages.py` and commit the result.")
    for path, text in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")
    if not stale:
        print("all pages are up to date")


if __name__ == "__main__":
    main()
