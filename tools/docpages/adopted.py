"""What long runs gave, adopted from finished reproductions and benchmarks; the page of speed."""

# ruff: noqa: E501 (sentences for a page)

import json
import re
import shutil
import sys
import tomllib
from pathlib import Path

from .writing import table

DOCS = Path(__file__).parents[2] / "docs"
DATA = DOCS / "data"


NUMBERS = re.compile(r"\[\n\s+(?:(?:-?[0-9][0-9.e+-]*|null),?\s+)+\]")
"""A list of numbers, each on a line of its own."""


def adopted():
    """The adopted claims, judged by the ranges accepted now: {paper: list}."""
    from congestree.data.gallery.common.judge import again
    from congestree.gallery import shipped

    found = {}
    for paper, folder in shipped.papers().items():
        path = DATA / f"{paper}.json"
        if not path.exists():
            continue
        rows = {row["id"]: row for row in json.loads(path.read_text(encoding="utf-8"))}
        texts = tomllib.loads((folder / "claims.toml").read_text(encoding="utf-8"))
        found[paper] = [
            rows[id] | dict(zip(("verdict", "decides", "reason"), again(text, rows[id]), strict=True))
            for id, text in texts.items()
            if id in rows
        ]
    return found


def settled():
    """The files of adopted claims, with the verdicts by the ranges accepted now: {path: text}."""
    found = {}
    for paper, rows in adopted().items():
        path = DATA / f"{paper}.json"
        now = {row["id"]: row for row in rows}
        old = json.loads(path.read_text(encoding="utf-8"))
        found[path] = written([now.get(row["id"], row) for row in old])
    return found


def written(rows):
    """Claims in the form of their file: the repetitions of a value are on one line."""
    text = json.dumps(rows, indent=2, ensure_ascii=False)
    return NUMBERS.sub(lambda found: json.dumps(json.loads(found[0])), text) + "\n"


def figures(paper):
    """The figures that were adopted with the claims of a paper: {name: path}."""
    return {path.stem: path for path in sorted((DATA / "figures" / paper).glob("*.png"))}


def speed_page():
    """The last adopted benchmark."""
    text = [
        "# Speed\n",
        "This page shows how fast the engine is and how much memory it takes, for several kinds of networks. `make bench` prints the table:"
        " one core, medians of three runs. A packet-hop is one data packet crossing one link; ACKs do not count."
        " *Packet-hops/s* are per second of processor time, and with two threads per second of wall time."
        " *Packets/hop* counts packets of any kind per packet-hop: with ACKs or notifications on the way back, a packet-hop costs that many times as much.\n",
        "Rates vary with the other load of the machine; instruction counts, taken with callgrind, do not. *Check* is the time to read,"
        " check and plan the scenario. Each case runs on the event list that suits the size of its network; `congestree bench --agendas`"
        " runs both. *Two threads / one* is the speed-up by two threads, by wall time, from alternating runs."
        " [ADR 15](adr/0015-parts-and-windows.md) has this figure with crossbars, credits in messages, BFC, RCM and trees.\n",
        "```sh\nmake bench\npython tools/pages.py --adopt runs/bench.json\n```\n",
    ]
    path = DATA / "bench.json"
    if not path.exists():
        text.append("No measurement has been adopted yet.\n")
        return "\n".join(text)
    rows = []
    for r in json.loads(path.read_text(encoding="utf-8")):
        counted, faster = r.get("instructions_per_hop"), r.get("two_threads")
        rows.append(
            (
                r["name"],
                f"{r['packet_hops_per_s'] / 1e6:.2f} M",
                f"{r['packet_hops']:,}",
                r["simulated"],
                f"{r['check_s']:.2f}",
                f"{r['cpu_s']:.2f}",
                f"{r['packets_per_hop']:.2f}" if "packets_per_hop" in r else "-",
                f"{r['events_per_hop']:.2f}",
                f"{counted:,.0f}" if counted else "-",
                f"{r['peak_mib']:.0f}",
                f"{r['bytes_per_packet']:.0f}",
                f"{r['bytes_per_port']:.0f}",
                f"{faster:.2f}" if faster else "-",
                f"{r['two_threads_packet_hops_per_s'] / 1e6:.2f} M" if r.get("two_threads_packet_hops_per_s") else "-",
            )
        )
    columns = (
        "case",
        "packet-hops/s",
        "packet-hops",
        "simulated",
        "check s",
        "CPU s",
        "packets/hop",
        "events/hop",
        "instructions/hop",
        "peak MiB",
        "bytes/packet",
        "bytes/port",
        "two threads / one",
        "packet-hops/s, two threads",
    )
    text.append(table(columns, rows))
    return "\n".join(text)


def paper_of(claim):
    """The paper that has a claim."""
    from congestree.gallery import shipped

    for paper, folder in shipped.papers().items():
        if claim in tomllib.loads((folder / "claims.toml").read_text(encoding="utf-8")):
            return paper
    sys.exit(f"No paper of the gallery has the claim {claim}.")


def at_least(row, old):
    """Whether a row of a claim has every case of an older one, and as many numbers: repetitions, points of a sweep, schemes."""
    return row["verdict"] != "not run" and cases(old) <= cases(row) and numbers(row) >= numbers(old)


def cases(row):
    """What the numbers of a row are of: schemes, networks, points; nothing where it has a single one."""
    return set(row["value"]) if isinstance(row["value"], dict) else set()


def numbers(row):
    """How many numbers there are in the repetitions of a row, or in its value if it has none."""

    def count(what):
        if isinstance(what, dict):
            what = list(what.values())
        return sum(map(count, what)) if isinstance(what, list) else isinstance(what, int | float)

    return count(row.get("seeds")) or count(row["value"])


def adopt(source):
    """Take claims and figures of a reproduction, or a benchmark, over to docs/data.

    A claim that this reproduction has not run, or that is not of the figures that it drew, keeps the row that it has; so
    does one whose row is of more runs than the new one, or of a case that the new one lacks. A figure about such a claim
    stays, too.
    """
    from congestree.gallery.statements import by_figure

    source = Path(source)
    DATA.mkdir(exist_ok=True)
    if source.is_dir():
        claims = json.loads((source / "claims.json").read_text(encoding="utf-8"))
        paper = paper_of(claims[0]["id"])
        path = DATA / f"{paper}.json"
        rows = {row["id"]: row for row in json.loads(path.read_text(encoding="utf-8"))} if path.exists() else {}
        kept = [row for row in claims if row["id"] in rows and not at_least(row, rows[row["id"]])]
        rows |= {row["id"]: row for row in claims if row not in kept}
        path.write_text(written(list(rows.values())), encoding="utf-8")
        if fuller := [row["id"] for row in kept if row["verdict"] != "not run"]:
            print(f"kept, as they are of more runs or cases: {', '.join(fuller)}")
        drawn = {path.stem: path for path in sorted((source / "figures").glob("*.png"))}
        about, _ = by_figure(paper, [{"id": claim} for claim in fuller], drawn)
        for figure in (path for name, path in drawn.items() if not about[name] or name not in figures(paper)):
            (DATA / "figures" / paper).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(figure, DATA / "figures" / paper / figure.name)
        letter(paper)
    else:
        shutil.copyfile(source, DATA / "bench.json")


def adopt_cases(source):
    """Take over the cases that a reproduction has of claims by case (networks, schemes, points); all others stay as they are.

    For runs of one network or scheme more often than before. A case of fewer numbers than the old one is not taken.
    """
    claims = json.loads((Path(source) / "claims.json").read_text(encoding="utf-8"))
    paper = paper_of(claims[0]["id"])
    path = DATA / f"{paper}.json"
    rows = {row["id"]: row for row in json.loads(path.read_text(encoding="utf-8"))}
    for row in claims:
        old = rows.get(row["id"], {"value": None})
        known = cases(row) & cases(old) if row["verdict"] != "not run" else set()
        if taken := sorted(case for case in known if as_many(row, old, case)):
            rows[row["id"]] = joined(row, old, taken)
            print(f"{row['id']}: {', '.join(taken)}")
    path.write_text(written(list(rows.values())), encoding="utf-8")
    letter(paper)


def of_case(row, case):
    """The part of a row that is of one case."""
    return {"value": row["value"][case], "seeds": (row.get("seeds") or {}).get(case)}


def as_many(row, old, case):
    """Whether a row has as many numbers of a case as an older one, or more."""
    return numbers(of_case(row, case)) >= numbers(of_case(old, case))


def joined(row, old, taken):
    """An older row with these cases of a newer one."""
    values = {case: (row if case in taken else old)["value"][case] for case in old["value"]}
    seeds = {case: of_case(row if case in taken else old, case)["seeds"] for case in old["value"]}
    return old | {"value": values, "seeds": seeds if any(seeds.values()) else None}


def adopt_figures(source):
    """Take over the figures of a reproduction that the site does not have yet, and no claim: of the reduced version,
    say."""
    source = Path(source)
    paper = paper_of(json.loads((source / "claims.json").read_text(encoding="utf-8"))[0]["id"])
    (DATA / "figures" / paper).mkdir(parents=True, exist_ok=True)
    for path in sorted((source / "figures").glob("*.png")):
        if path.stem not in figures(paper):
            shutil.copyfile(path, DATA / "figures" / paper / path.name)
            print(f"adopted {path.name} of {paper}")
    letter(paper)


def letter(paper):
    """Write the adopted claims below the adopted figures of a paper; figures made from claims alone are drawn anew."""
    from congestree.gallery import papers, statements

    rows, drawings = adopted()[paper], papers.module(paper, "figures")
    told, _ = statements.by_figure(paper, rows, dict.fromkeys(papers.describe(paper)["figures"]))
    for name in getattr(drawings, "OF_CLAIMS", ()):
        (DATA / "figures" / paper).mkdir(parents=True, exist_ok=True)
        drawing = drawings.FIGURES[name](papers.Results({}, claims=rows))
        statements.save(drawing, DATA / "figures" / paper / f"{name}.png", [])
    for name, path in figures(paper).items():
        if statements.beneath(path):
            statements.letter(path, lambda width, reduced, name=name: told_of(paper, name, told[name], width, reduced))


def told_of(paper, figure, claims, width, reduced):
    """The lines beneath an adopted figure."""
    from congestree.gallery import papers

    return papers.beneath(paper, figure, claims, width, papers.OTHERS if reduced else "")
