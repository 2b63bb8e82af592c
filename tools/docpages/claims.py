"""The page of all claims: adopted rows, judged by the ranges accepted now; short values first, details folded below."""

# ruff: noqa: E501 (sentences for a page)

import html
import tomllib
from collections import Counter
from dataclasses import dataclass

from .adopted import adopted
from .writing import cell, in_html, table

DECIDED = ("reproduced", "not reproduced")
AIM = 0.9
"""Of the decided claims."""
LABELS = {"measured": "measured; not judged"}
INTRO = """# Claims of the papers

This page lists the claims of each paper, what was measured here, and the reasons for differences. Every claim is judged by a formula over the measured numbers (`judge` in `gallery/<paper>/claims.toml`); no verdict is written in code. If a number has repetitions, its whole interval (Student's, 95 per cent) must be on the right side of the bound, not only its mean. If the bound has repetitions, too, their difference is taken seed by seed, and its interval decides: `2.1 - 2 = 0.1 ± 0.03 > 0`.

| verdict | meaning |
| --- | --- |
| reproduced | the value is in the range that was written down before the run |
| **not reproduced** | it is not; the reason is given below |
| undecided | the interval extends to both sides of the bound |
| cannot fail here | the value is in the range, but no other was possible, or chance gives one in 99 of 100 cases: no evidence |
| measured; not judged | there is a value, but no accepted range was written down |
| analytic | closed forms and rules, without a network |
| external | needs hardware or another program |
| not run | it needs a part that congestree does not have yet, which the reason names |

*Facts*: a statement that follows from another one, or repeats it, counts once (`same_as`). Shares *of decided facts* are the shares of facts that are reproduced among those decided.

```sh
make gallery PAPER=hpl2002                         # runs all of a paper; all: every paper, resumable
python tools/pages.py --adopt runs/hpl2002         # copies its claims to this page
python -m gallery.common.tried hpl2002             # tests causes of claims that are not reproduced
```

Texts after *Tested* report runs with one thing changed, by the last command or by one that the README of the paper names together with what was expected.
"""


@dataclass
class Claim:
    """One claim: its text, and its adopted row as judged now."""

    id: str
    text: dict
    row: dict

    @property
    def verdict(self):
        return self.row["verdict"]

    @property
    def here(self):
        """The number that decides, in words."""
        from congestree.gallery import value_in_words

        value = self.row["value"]
        if self.row["decides"]:
            unit = self.row["unit"] if not isinstance(value, dict | list) else ""
            return f"{self.row['decides']} {unit or ''}".strip()
        simple = value if not isinstance(value, dict | list) else None
        if simple is None:
            return "see below"
        return f"{value_in_words(simple)} {self.row['unit'] or ''}".strip() + self.ratio

    @property
    def ratio(self):
        """A measured number over the published one, where there is one: nothing else says how near it is."""
        value, target = self.row["value"], self.row["target"]
        numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (value, target))
        told = self.verdict == "measured" and numbers and target not in (0, 1)
        return f" ({value / target:.3g} × published)" if told else ""

    @property
    def published(self):
        from congestree.gallery import value_in_words

        return self.text.get("paper") or value_in_words(self.row["target"])

    @property
    def age(self):
        """What a row of an older run does not show."""
        if self.verdict not in (*DECIDED, "undecided", "cannot fail here") or self.text["check"] != "sim":
            return ""
        if "seeds" not in self.row:
            return "The run is older than stored repetitions: judged on means."
        return ""

    def details(self):
        """Everything about it, folded."""
        from congestree.gallery import value_in_words

        lines = [
            ("asked", self.text["metric"]),
            ("accepted", self.text.get("accept") or "nothing is written down; measured, not judged"),
            ("judged by", f"<code>{html.escape(self.text['judge'])}</code>" if "judge" in self.text else ""),
            ("differs from the specification", self.text.get("differs", "")),
            ("all values", f"{value_in_words(self.row['value'], 24)} {self.row['unit'] or ''}".strip()),
            ("remarks", self.row["reason"] or ""),
            ("tested cause", self.text.get("tested", "")),
            ("open", self.text.get("open", "")),
            ("the same fact as", self.text.get("same_as", "")),
            ("note", self.age),
        ]
        said = "".join(
            f"<li>{word}: {text if word == 'judged by' else in_html(text)}</li>" for word, text in lines if text
        )
        return f"<details><summary>{self.id}: {html.escape(self.here)}</summary><ul>{said}</ul></details>\n"


@dataclass
class Paper:
    """A paper of the gallery with its adopted claims."""

    name: str
    summary: dict
    claims: list

    @property
    def specified(self):
        """Whether its claims are those of a paper that the specification has, made by others before any run."""
        return self.summary.get("specified", False)

    def counts(self, facts=False):
        return Counter(c.verdict for c in self.claims if not (facts and self.repeats(c)))

    def repeats(self, claim):
        """Whether another claim on the page states this fact already, with the same verdict."""
        first = EVERY.get(claim.text.get("same_as"))
        return first is not None and first.verdict == claim.verdict

    def section(self):
        counts = self.counts()
        rows = [(c.id, c.text["where"], c.published, c.here, mark(c.verdict)) for c in self.claims]
        text = [
            f"## {self.name}\n",
            f"**What it says.** {self.summary['says']}\n",
            f"**Verdicts.** {', '.join(f'{n} {LABELS.get(v, v)}' for v, n in counts.most_common())}. One set of parameters: `{self.summary['parameters']}`; how open questions were read is in `gallery/{self.name.replace('-', '_')}/README.md`.\n",
            *self.failures(),
            f"**What it teaches.** {self.summary['teaches']}\n",
            table(("claim", "where", "paper", "the number that decides", "verdict"), rows),
            f"<details><summary>All values and remarks of {self.name}</summary>\n",
            *(c.details() for c in self.claims),
            "</details>\n",
        ]
        return "\n".join(text)

    def failures(self):
        """Claims that are not reproduced, or undecided: each fact once."""
        found = [c for c in self.claims if c.verdict in ("not reproduced", "undecided")]
        if not found:
            return []
        lines = ["**Not reproduced, or undecided.**\n"]
        for c in found:
            why = f"as {c.text['same_as']}" if self.repeats(c) else c.row["reason"]
            for key in () if self.repeats(c) else ("tested", "open"):
                if (said := c.text.get(key, "").rstrip(".")) and said in why:
                    why = why.replace(said, f"*{key.capitalize()}*: {said}", 1)
                elif said:
                    why = f"{why.rstrip('.')}. *{key.capitalize()}*: {said}"
            lines.append(f"- {c.id} ({c.text['where']}), {c.verdict}: {cell(why)}")
        return [*lines, ""]


EVERY = {}
"""All adopted claims by id."""


def mark(verdict):
    return f"**{verdict}**" if verdict == "not reproduced" else LABELS.get(verdict, verdict)


def papers():
    """All papers of which a reproduction was adopted."""
    from congestree.gallery import shipped

    found = []
    for name, rows in adopted().items():
        folder = shipped.papers()[name]
        texts, summary = (
            tomllib.loads((folder / f"{word}.toml").read_text(encoding="utf-8")) for word in ("claims", "summary")
        )
        found.append(Paper(name, summary, [Claim(row["id"], texts[row["id"]], row) for row in rows]))
    EVERY.update({claim.id: claim for paper in found for claim in paper.claims})
    return found


def total(found):
    """The counts of several papers together: of claims, and of facts."""
    each, facts = Counter(), Counter()
    for paper in found:
        each.update(paper.counts())
        facts.update(paper.counts(facts=True))
    return each, facts


def grouped(found):
    """The papers of the specification, and the other galleries."""
    return [paper for paper in found if paper.specified], [paper for paper in found if not paper.specified]


def aim(found):
    """The aim, and how far it is met."""
    specified, others = grouped(found)
    (each, facts), (more, further) = map(total, (specified, others))
    met = all(reached(counts) >= AIM for counts in (each, facts))
    above = sum(reached(paper.counts()) >= AIM for paper in specified)
    missing = [
        c
        for paper in found
        for c in paper.claims
        if c.verdict in ("not reproduced", "undecided") and not paper.repeats(c)
    ]
    tested, left = (sum(key in c.text for c in missing) for key in ("tested", "open"))
    both = sum({"tested", "open"} <= set(c.text) for c in missing)
    return (
        f"The aim was that {AIM:.0%} of the decided claims of the papers in the specification are reproduced, with nothing fitted. "
        f"It is {'met' if met else 'not met'}: {share(each)} of claims are, and {share(facts)} of facts; {above} of these {len(specified)} papers reach it by themselves. "
        f"The other {len(others)} galleries compare the engine with published results and answer keys, with closed forms, and with what we expected of it ourselves. "
        f"They have a sum of their own, which says nothing of the papers: {share(more)} of claims, and {share(further)} of facts. Of the {len(missing)} facts of both "
        f"that are not reproduced or undecided, {tested} were run again with one thing changed to find the cause (*Tested*), {left} "
        f"have an open question (*Open*), {both} of them both. The text says so if a test explains only a part of the claim, or nothing of it.\n"
    )


def reached(counts):
    """Reproduced of decided."""
    decided = sum(counts[word] for word in DECIDED)
    return counts["reproduced"] / decided if decided else 1.0


def share(counts):
    """Reproduced of decided, in words."""
    decided = sum(counts[word] for word in DECIDED)
    return f"{counts['reproduced']} of {decided} ({counts['reproduced'] / decided:.0%})" if decided else "–"


GROUPS = "**papers of the specification**", "**other galleries**"


def overview(found):
    """All papers in a table, facts once, in two groups, each with its sum."""
    words = ("undecided", "cannot fail here", "measured", "analytic", "external", "not run")
    rows = []
    for name, group in zip(GROUPS, grouped(found), strict=True):
        for paper in group:
            each, facts = paper.counts(), paper.counts(facts=True)
            link = f"[{paper.name}](#{paper.name})"
            rows.append((link, share(each), share(facts), *(each[word] or "" for word in words)))
        each, facts = total(group)
        rows.append((name, share(each), share(facts), *(each[word] for word in words)))
    return table(
        ("paper", "reproduced, of decided", "of decided facts", *(LABELS.get(word, word) for word in words)), rows
    )


def claims_page():
    """The claims of all papers, as adopted."""
    found = papers()
    if not found:
        return (
            INTRO
            + "\nNo full reproduction has been adopted yet. `make demo` prints the claims about figures 2 and 3 of HPL-2002-4.\n"
        )
    return "\n".join([INTRO, aim(found), overview(found), *(paper.section() for paper in found)])
