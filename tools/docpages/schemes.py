"""The page of all schemes: the two tables, the figure and what had been expected, from the adopted runs."""

# ruff: noqa: E501 (sentences for a page)

import tomllib
from collections import Counter

from congestree.quantities import is_missing

from .adopted import adopted
from .writing import cell, code, table

PAPER = "every-scheme"
WORDS = "claims", "summary"
INTRO = """# All schemes compared

This page compares all schemes on one fabric, under the same two kinds of traffic, over every kind of link on which a scheme makes sense: credits (InfiniBand), pauses (PFC), and links that drop or trim packets when queues are full.

![What victims of the incast have of their link against the time of victims' messages in the exchange, a point a scheme](data/figures/every-scheme/victims.png)

*Upper left is good.* `gallery/every_scheme/README.md` describes the fabric, the traffic, and what each scheme needs of links and switches. Presets have their default values, except for [the keys listed below](#presets), which follow rules that are the same for all; nothing was tuned. [Some presets](#left-out) have no row.

Over links that drop, schemes without a transport of their own run over IRN: selective repeat within a window, which its paper and HPCC's propose for RoCE without pauses. DCQCN runs over go-back-N as well, as RoCE adapters do. BFC, RCM, FBICM, CCFIT, HFDI, EcoCC, ICI and 802.1Qcz have no row there, because they control which packets flow control holds; nor have TCD and PCN, which detect what flow control holds. Lossy links have no flow control, and such scenarios are refused.

**The result.** {teaches}

```sh
congestree reproduce every-scheme             # {runs} runs, about 20 minutes of one core
congestree reproduce every-scheme --quick     # short runs, one seed
python tools/pages.py --adopt runs/every-scheme
```
"""
PER_CENT = ("victim", "hot link", "far part", "dropped", "resent")
HEADS = {
    "victim": "victims",
    "tail": "99 % FCT, µs",
    "hot link": "hot link",
    "far part": "far senders' part",
    "Jain": "Jain",
    "job": "exchange, ms",
    "victim's tail": "victims' 99 %, µs",
    "pauses": "pauses/ms",
    "held": "links held",
    "dropped": "dropped",
    "resent": "sent again",
    "queued": "packets in switches",
    "notices": "notices/packet",
}
TABLES = {
    "incast": """## An incast with victims

Eight hosts send to one as fast as they can; three victims share links with them on the way to idle hosts.

- *victims*: their goodput as a share of a link; max-min fairness gives them 74 % on a single path (Ultra Ethernet uses all four). *99 % FCT*: completion time of short messages (one packet) sent beside the victims, from creation to arrival.
- *hot link*: its utilisation. *far senders' part*: their share of it; 75 % is fair. *Jain*: fairness index among the eight.
- *pauses*: pause frames on all links. *links held*: mean number of links that flow control holds while a packet waits.
- *dropped*: share of sent packets that were dropped or trimmed. *notices*: marks, and notices between switches, per delivered packet.
- *packets in switches*: mean over time, in full packets, of all lanes together.
""",
    "exchange": """## An exchange of experts with victims

A job on twelve hosts sends tokens to experts, some more popular than others, and back, layer after layer; four hosts of another tenant offer 40 % of a link each.

- *victims*: the share of their offered load that was delivered. *99 % FCT*: of the messages of the exchange. *exchange*: its total time (60: it was not finished then). *victims' 99 %*: time of the packets of their messages from the creation of the message.
""",
}
LINKS = {"credits": "credits", "pfc": "pauses", "drop": "drop", "trim": "trim"}


def shown(name, value):
    """A number as its column has it."""
    if is_missing(value):
        return "–"
    if name in PER_CENT:
        return f"{value * 100:.0f} %" if value == 0 or value >= 0.095 else f"{value * 100:.2g} %"
    if name == "Jain":
        return f"{value:.2f}"
    return f"{value:.0f}" if value == 0 or value >= 99.5 else f"{value:.2g}" if value < 10 else f"{value:.3g}"


def schemes_page():
    """The page, or where to begin if nothing was adopted."""
    from congestree.data.gallery.every_scheme.runs import runs
    from congestree.data.gallery.every_scheme.schemes import CASES
    from congestree.gallery import shipped

    rows = {row["id"]: row for row in adopted().get(PAPER, [])}
    folder = shipped.papers()[PAPER]
    texts, summary = (tomllib.loads((folder / f"{word}.toml").read_text(encoding="utf-8")) for word in WORDS)
    text = [INTRO.format(runs=len(runs()), teaches=summary["teaches"])]
    for kind, about in TABLES.items():
        found = [
            (links, scheme["label"], rows[f"every-{case}"]["value"][kind])
            for case, (links, scheme) in CASES.items()
            if f"every-{case}" in rows
        ]
        names = list(found[0][2]) if found else []
        lines = [(LINKS[links], label, *(shown(n, values[n]) for n in names)) for links, label, values in found]
        text += [about, table(("links", "scheme", *(HEADS[n] for n in names)), lines)]
    return "\n".join([*text, *presets(), *expectations(rows, texts)])


def presets():
    """What the cases change in their presets, and which presets have no case."""
    from congestree.data.gallery.every_scheme.presets import LEFT_OUT, all_changes

    lines = [
        (
            "; ".join(labels),
            code(part),
            "; ".join(
                f"{code(key)} {value(here)}, not {value(preset)}".strip() for key, (preset, here) in keys.items()
            ),
        )
        for labels, part, keys in all_changes()
    ]
    return [
        "## What is changed in the presets { #presets }\n",
        "Reasons are in `gallery/every_scheme/README.md`. A threshold without `for_rate` holds at any rate.\n",
        table(("schemes", "part of `scheme`", "changed"), lines),
        "## Presets that are left out { #left-out }\n",
        table(("preset", "why"), [(", ".join(map(code, names.split(", "))), why) for names, why in LEFT_OUT.items()]),
    ]


def value(one):
    """A value of a key, as the list of changes has it."""
    return "absent" if one is None else code(str(one).lower() if isinstance(one, bool) else str(one))


def expectations(rows, texts):
    """The expectations that were written down before the runs, with their outcomes."""
    judged = [(id, said) for id, said in texts.items() if "judge" in said and id in rows]
    lines = [
        (
            said["column"][0],
            f"{cell(said['metric'].split(', by links')[0])}: {said['accept']}",
            rows[id]["decides"] or "",
            rows[id]["verdict"] if rows[id]["verdict"] == "reproduced" else f"**{rows[id]['verdict']}**",
            why(said, rows[id]["verdict"]),
        )
        for id, said in judged
    ]
    seeds = sorted({count for id, _ in judged for count in repetitions(rows[id])})
    counts = Counter(rows[id]["verdict"] for id, _ in judged)
    return [
        "## What was expected\n",
        f"Expectations were written down and committed before the runs: {counts['reproduced']} of {len(judged)} came out, {counts['undecided']} are undecided. Seeds: {' to '.join(map(str, seeds[:: max(len(seeds) - 1, 1)]))}; if there are several, the whole 95 per cent interval must be on the right side of the bound.\n",
        table(("traffic", "expected", "the number that decides", "verdict", "why"), lines),
    ]


def why(said, verdict):
    """The reason of a claim that is not reproduced, and the open question."""
    if verdict == "reproduced":
        return ""
    wide = "The interval reaches to both sides of the bound." if verdict == "undecided" else ""
    return " ".join(
        filter(None, (wide, said.get("deviation", ""), f"*Open*: {said['open']}" if "open" in said else ""))
    )


def repetitions(row):
    """The number of seeds behind the numbers of a row."""
    return {len(each or [0]) for each in (row.get("seeds") or {"": None}).values()}
