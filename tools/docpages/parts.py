"""The pages about scenario files: every key, and everything that a scenario can name, from the engine's catalogue."""

# ruff: noqa: E501 (sentences for a page)

import json
import sys

from congestree import renames

from .writing import code, table

KINDS = {
    "topology": "Topologies",
    "arrangement": "Arrangements of global links",
    "routing": "Routing",
    "flow_control": "Flow control",
    "control": "Buffer for control packets",
    "queues": "Queues of an input",
    "read_ports": "Read ports of an input buffer",
    "arbiter": "Arbiters",
    "switching": "Switching",
    "preset": "Presets of schemes",
    "mark": "Marking policies",
    "signal": "Signal of PowerTCP",
    "model": "Algorithm of TIMELY",
    "feedback": "How a trigger becomes marks",
    "react": "Reactions",
    "schedule": "Schedules",
    "route": "Choice of paths",
    "knows": "What a switch knows about a path",
    "congestion_control": "Congestion control (Ultra Ethernet)",
    "delivery": "Order of delivery (Ultra Ethernet)",
    "paths": "Choice of paths by the sender (Ultra Ethernet)",
    "victim": "Which packet is trimmed",
    "arrivals": "Arrivals",
    "pattern": "Destinations",
    "program": "Programs of applications",
    "operation": "Collective operations",
    "algorithm": "Algorithms of collective operations",
    "protocol": "Protocols of collective operations",
    "placement": "Placement of ranks",
    "copies": "Where copies of tokens go",
    "gate": "Which experts tokens go to",
    "phase": "Phase of the tokens",
    "send_end": "When a send is complete",
    "order": "Order of the messages of an exchange",
    "order-chakra": "Which dependencies of traces are respected",
    "lane_arbiter": "Arbiters of lanes",
    "destination_lanes": "Lanes by destination",
    "hop_lanes": "Lanes by hop",
    "reroute": "Routes that follow failing links",
    "threshold": "Thresholds of priority flow control",
    "counts": "What is compared with the threshold",
    "pause_duration": "How long a pause lasts",
    "losses": "Losses for lack of headroom",
    "action": "What the watchdog does",
    "memory": "How queues share a buffer",
    "matching": "When inputs and outputs are matched",
    "isolate": "Isolation",
    "suspect": "Which destination is considered congested",
    "stop_at": "When the first stop is sent",
    "notices": "How notices travel",
    "root_release": "When the line of a root is released",
    "fill": "Which fill is compared with the threshold",
    "victim_mask": "Which outputs enter the congestion state without credits",
    "choice": "Which packets are marked",
    "choice-spray": "Which path a packet takes",
    "choice-flowlet": "Which path a flowlet takes",
    "notify": "How marks are returned",
    "timer_runs": "Whether a BECN restarts the timer",
    "per": "Whose index a notification raises",
    "table": "Congestion control tables",
    "alpha_grows": "When alpha of DCQCN grows",
    "sampled_queues": "Queues that RCM samples",
    "flow_sampling": "Packets that RCM samples for their flow",
    "flow_entries": "How RCM records a flow",
    "pacing": "How RCM paces harmful flows",
    "windows_measured": "When RCM measures windows",
    "clamp_target": "When the target rate is cut",
    "window": "Window in addition to a rate",
    "transport": "Transports",
    "prediction": "Predicted round-trip times",
    "after": "Where a gap begins",
    "flows": "What a flow is",
    "sizes": "Sizes of messages",
    "probe": "Probes",
}
"""Kinds of parts, in the order of the page. Where keys of one name take different parts, as `order` does, all but the
first have the name of the part that has the key, too."""
PLACES = {
    "topology": "topology",
    "routing": "routing",
    "probe": "measure.probes",
    "action": "links.flow_control.pfc.watchdog.action",
    "protocol": "traffic.N.program.….protocol",
}
"""Keys that are not in the catalogue."""
REMARKS = {
    "preset": "A preset is a set of parts. A part that a scenario writes replaces the preset's whole: values of it that are left out are its "
    "defaults, which stand below, not those of the preset. `congestree check` and `congestree run` name those that differ.\n",
}
"""What there is to say of a kind as a whole."""
SECTIONS = {"traffic": "traffic.N", "traffic.job": "traffic.N.job"}
"""Names of sections as paths."""
FORMATS = {"size": "size", "rate": "rate", "duration": "length of time"}
"""Texts with a unit."""
JSON_TYPES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "array": "list",
    "object": "table",
}


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
        "A scenario is a TOML or JSON file; both have the same keys. Unknown keys are errors. A quantity is a string with a unit: "
        '`"20 Gbit/s"` or `"1 GB/s"`, `"2 KiB"`, `"1.5 us"`, `"4 packets"`. A choice is either a name, which selects it with its '
        'defaults, or a table of that name with its parameters: `react = "lipd"`, or `[scheme.react.lipd]`. The page '
        "[parts](parts.md) describes all choices, and [at its end](parts.md#inside) the keys of nested tables and lists.\n",
        "An editor that supports JSON Schema can complete and check keys with [the schema](scenario.schema.json); "
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
        "Dotted paths and the values to try. There is a run for each combination of values. Entries of a list count from 0 "
        "or go by their names: "
        '`"traffic.0.arrivals.poisson.load" = [0.2, 0.4]`, `seed = [1, 2, 3]`.\n',
    ]
    rows = [(code(older), code(today), one.gone_in) for one in renames.SCENARIO for older, today in [written(one)]]
    text += [
        "## Older names { #older-names }\n",
        "Keys and values that have been renamed. The older name still works, with a notice, until the release in the last column.\n",
        table(("older", "now", "gone in"), rows),
    ]
    return "\n".join(text)


def written(one):
    """An older name and the current one, as scenarios write them."""
    if one.what == "key":
        return f"{one.place}.{one.old}", f"{one.place}.{one.new}"
    place = one.place.removesuffix(".*")
    brackets = "[{}]" if place != one.place else "{}"
    return tuple(f"{place} = {brackets.format(json.dumps(word))}" for word in (one.old, one.new))


def keys_of(catalogue, kind):
    """The keys that take parts of a kind, those whose values are names of it: (where the key is, their names)."""
    names = {entry["name"] for entry in catalogue if entry["kind"] == kind}
    for entry in catalogue:
        for key in entry["parameters"]:
            words = frozenset(key["type"].split(" | ")) - {"whole number", "true or false"}
            if key["name"] == kind and words and words <= names:
                yield entry, words


def alternatives(catalogue, kind):
    """The parts of a kind, as often as there are keys of its name that take different ones: {name in KINDS: parts}."""
    entries = [entry for entry in catalogue if entry["kind"] == kind]
    keys = {}
    for entry, words in keys_of(catalogue, kind):
        keys.setdefault(words, entry["name"])
    if len(keys) < 2:
        return {kind: entries}
    # The catalogue has the parts that a key takes one after the other.
    windows = [entries[at : at + len(words)] for words in keys for at in range(len(entries))]
    parts = {words: next(w for w in windows if {e["name"] for e in w} == words) for words in keys}
    return {f"{kind}-{keys[words]}" if i else kind: found for i, (words, found) in enumerate(parts.items())}


def places(catalogue, kind, names=None):
    """The keys of a scenario that take a part of a kind; `names`: only those that take just these."""
    if kind in PLACES:
        return [PLACES[kind]]
    found = {}
    for entry, words in keys_of(catalogue, kind):
        if names in (None, words):
            found.setdefault(entry["kind"], []).append(entry["name"])
    paths = [f"{SECTIONS.get(name, name)}.{kind}" for name in found.pop("section", [])]
    for parent, parts in found.items():
        parts = ["…"] if names is None and len(parts) > 1 else parts
        paths += [f"{place}.{part}.{kind}" for part in parts for place in places(catalogue, parent)]
    return paths


def inside(catalogue, schema):
    """What tables and lists within parts and sections hold, which have no entry in the catalogue: {their places: node}.

    A table that several keys hold is there once, with all its places.
    """
    known = {SECTIONS.get(e["name"], e["name"]) for e in catalogue if e["kind"] == "section"}
    found, seen = {}, set()

    def visit(node, path, name, chosen=False):
        name = node.get("$ref", name)
        while "$ref" in node:
            node = schema["$defs"][node["$ref"].rpartition("/")[2]]
        if (path, name) in seen:
            return
        seen.add((path, name))
        for branch in node.get("oneOf", ()):
            for word, part in branch.get("properties", {}).items():
                visit(part, f"{path}.{word}", None, chosen=True)
        if "oneOf" in node:
            return
        if "anyOf" in node and name:
            found.setdefault(name, (node, []))[1].append(path)
        rows = [branch for branch in node.get("anyOf", ()) if "items" in branch] or [node]
        for items in (row["items"] for row in rows if "items" in row):
            visit(items, f"{path}.N", None)
        if "properties" in node:
            if name and not chosen and path not in known:
                found.setdefault(name, (node, []))[1].append(path)
            for key, value in node["properties"].items():
                visit(value, f"{path}.{key}".lstrip("."), None)

    visit({**schema, "description": ""}, "", None)
    return {", ".join(code(place) for place in places): node for node, places in found.values()}


def value_of(node, schema):
    """The type of a key, by its schema, in the words of the other tables."""
    node = {**schema["$defs"].get(node.get("$ref", "").rpartition("/")[2], {}), **node}
    if "oneOf" in node:
        words = [
            word for branch in node["oneOf"] for word in (branch.get("const"), *branch.get("required", ())) if word
        ]
        return " \\| ".join(code(word) for word in dict.fromkeys(words))
    if "anyOf" in node:
        return " or ".join(dict.fromkeys(value_of(branch, schema) for branch in node["anyOf"]))
    return FORMATS.get(node.get("format")) or JSON_TYPES.get(node.get("type"), "")


def inside_section(catalogue, schema):
    """The last section of the page of parts: keys of tables and entries of lists within parts."""
    text = [
        "## Tables and lists within them { #inside }\n",
        "The keys of nested tables and of the entries of lists (N counts from 0). They are written in brackets, as in "
        '`storms = [{ host = "h3", start = "20 us" }]`, or under a heading of their own.\n',
    ]
    for where, node in inside(catalogue, schema).items():
        text += [f"### {where}\n", node["description"] + "\n"]
        if "anyOf" in node:
            text.append(table(("value", "meaning"), [(value_of(b, schema), b["description"]) for b in node["anyOf"]]))
            continue
        required, rows = node.get("required", ()), []
        for key, value in node["properties"].items():
            default = "required" if key in required else code(value.get("default"))
            rows.append((code(key), value_of(value, schema), default, value.get("description", "")))
        text.append(table(("key", "value", "default", "meaning"), rows))
    return text


def parts_page(catalogue, schema):
    """Everything that a scenario can name."""
    text = [
        "# Parts\n",
        "All parts that a scenario can choose, with their parameters. `congestree list parts NAME` prints those of one. Nested tables and lists "
        "are described [at the end](#inside).\n",
    ]
    kinds = [kind for kind in dict.fromkeys(entry["kind"] for entry in catalogue) if kind != "section"]
    sections = {kind: alternatives(catalogue, kind) for kind in kinds}
    if unknown := {name for parts in sections.values() for name in parts} - set(KINDS):
        sys.exit(
            f"These kinds of parts have no heading in KINDS of tools/docpages/parts.py: {', '.join(sorted(unknown))}."
        )
    for name, heading in KINDS.items():
        kind, parts = next((kind, found[name]) for kind, found in sections.items() if name in found)
        entries = {e["name"]: e for e in parts}
        taken = places(catalogue, kind, frozenset(entries) if len(sections[kind]) > 1 else None)
        text.append(f"## {heading} {{ #{name.replace('_', '-')} }}\n")
        text.append(f"In a scenario: {', '.join(code(place) for place in taken)}.\n")
        if name in REMARKS:
            text.append(REMARKS[name])
        if any(e["parameters"] for e in entries.values()):
            for e in entries.values():
                text += [f"### `{e['name']}` {{ #{name.replace('_', '-')}-{e['name']} }}\n", e["summary"] + "\n"]
                if e["parameters"]:
                    text.append(parameters(e))
        else:
            text.append(table(("name", "what it is"), [(code(e["name"]), e["summary"]) for e in entries.values()]))
    text += inside_section(catalogue, schema)
    return "\n".join(text)
