"""The page of all schemes: the two tables, the figure and what had been expected, from the adopted runs."""

# ruff: noqa: E501 (sentences for a page)

import tomllib
from collections import Counter

from adopted import adopted
from writing import cell, table

PAPER = "every-scheme"
WORDS = "claims", "summary"
INTRO = """# All schemes compared

Every scheme of the house on one fabric, with the same two kinds of traffic, over every kind of link on which it makes sense: credits (InfiniBand), pauses (PFC), and links that drop or trim what finds no room.

![What victims of the incast have of their link against the time of victims' messages in the exchange, a point a scheme](data/figures/every-scheme/victims.png)

*Left and high is good.* Fabric, traffic and what a scheme needs of links and switches: `gallery/every_scheme/README.md`. Presets are as they come; nothing was tuned.

Over links that drop, who has no transport of its own is repaired by IRN: selective repeat within a window, which its paper and HPCC's name for RoCE without pauses. BFC, RCM, FBICM, CCFIT, HFDI, EcoCC, ICI and 802.1Qcz have no row there, because what they do is decide whom flow control holds; nor have TCD and PCN, which ask whom it holds: links that drop hold nobody, and such a scenario is refused.

**What it says.** {teaches}

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

Eight hosts send to one as fast as they may; three victims share links with them on the way to idle hosts.

- *victims*: their goodput, of a link; 74 % is what max-min fairness leaves on one way (Ultra Ethernet takes all four). *99 % FCT*: of short messages (one packet) beside the victims, from their making until they are in.
- *hot link*: how much of it is used. *far senders' part* of it: 75 % are fair. *Jain*: index of fairness among the eight.
- *pauses*: pause frames on all links. *links held*: how many flow control holds while a packet waits, on the mean.
- *dropped*: or trimmed, of the packets sent. *notices*: marks, and notices of switches to switches, for each packet delivered.
- *packets in switches*: mean over time, in full packets, of all lanes together.
""",
    "exchange": """## An exchange of experts with victims

A job on twelve hosts sends tokens to experts, some more popular than others, and back, layer after layer; four hosts of somebody else want 40 % of a link each.

- *victims*: what they got of what they wanted. *99 % FCT*: of the messages of the exchange. *exchange*: how long all of it took (60: it was not over then). *victims' 99 %*: time of their messages' packets from the making of the message.
""",
}
LINKS = {"credits": "credits", "pfc": "pauses", "drop": "drop", "trim": "trim"}


def shown(name, value):
    """A number as its column has it."""
    if value is None or value != value:
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
    return "\n".join([*text, *expectations(rows, texts)])


def expectations(rows, texts):
    """What was written down before the runs, and what came out."""
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
        f"Written down and committed before the runs: {counts['reproduced']} of {len(judged)} came out, {counts['undecided']} are undecided. Seeds: {' to '.join(map(str, seeds[:: max(len(seeds) - 1, 1)]))}; where there are several, the interval of 95 per cent must be on the right side.\n",
        table(("traffic", "expected", "the number that decides", "verdict", "why"), lines),
    ]


def why(said, verdict):
    """The reason of a claim that did not come out, with what is open."""
    if verdict == "reproduced":
        return ""
    wide = "The interval reaches to both sides of the bound." if verdict == "undecided" else ""
    return " ".join(
        filter(None, (wide, said.get("deviation", ""), f"*Open*: {said['open']}" if "open" in said else ""))
    )


def repetitions(row):
    """How many seeds stand behind the numbers of a row."""
    return {len(each or [0]) for each in (row.get("seeds") or {"": None}).values()}
