"""The report of a reproduced paper: every figure next to the published values, every claim with its interval."""

import base64
import json
import re
from pathlib import Path

from .. import gallery
from ..errors import CongestreeError
from ..gallery import done, shipped
from ..gallery import published as inside
from ..gallery.published import NUMBER, interval
from ..gallery.shipped import texts_of
from ..gallery.statements import by_figure, published
from .page import Code, Document, Mark, Paragraph, Part, Picture, Sentences, Table, Verdict


def of_paper(folder):
    """The document of the folder of a reproduction."""
    folder = Path(folder)
    try:
        claims = json.loads((folder / "claims.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CongestreeError(f"{folder / 'claims.json'} cannot be read: {error}. Do the reproduction again.") from None
    if not isinstance(claims, list) or not all(map(is_row, claims)):
        raise CongestreeError(f"{folder / 'claims.json'} is not a list of judged claims: do the reproduction again.")
    pictures = {path.stem: path for path in sorted((folder / "figures").glob("*.png"))}
    paper, record = paper_of(claims, folder), done.read(folder)
    again = f"{what_was_done(record, paper)} --out {folder}\ncongestree report {folder}"
    return document(paper, claims, pictures, again, done.missing(record))


def what_was_done(record, paper):
    """The command that produced a folder, as far as its record tells it."""
    figures, quick = record.get("figures", []), record.get("quick", False)
    return f"congestree reproduce {'/'.join([paper, *filter(None, [','.join(figures)])])}{' --quick' * quick}"


def is_row(claim):
    """Whether something is a claim as `reproduce` writes it."""
    return (
        isinstance(claim, dict)
        and isinstance(claim.get("id"), str)
        and claim.get("verdict") in gallery.VERDICTS
        and "value" in claim
        and all(isinstance(claim.get(key) or "", str) for key in ("unit", "reason", "decides"))
    )


def paper_of(claims, folder):
    """The paper that has these claims."""
    known = {claim["id"] for claim in claims}
    for name in shipped.papers():
        if known & set(texts_of(name)):
            return name
    raise CongestreeError(
        f"{folder / 'claims.json'} has no claim of a paper in the gallery: do the reproduction again."
    )


def document(paper, claims, pictures, again, missing=""):
    """The document of some claims; pictures: {name of the figure: file}; again: the commands that make it again;
    missing: which of its runs are missing, in a sentence."""
    texts = texts_of(paper)
    about = gallery.describe(paper)
    counts = {word: sum(claim["verdict"] == word for claim in claims) for word in gallery.VERDICTS}
    said = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    drawn = [figure for figure in [*about["figures"], *pictures] if figure in pictures]
    groups, rest = by_figure(paper, claims, dict.fromkeys([*drawn, *about["figures"]]))
    asked, before, behind = readme(paper)
    if "--quick" in again:
        asked.append(Paragraph(gallery.papers.REDUCED.replace("Drawn from", "What follows is of")))
    if missing:
        asked.append(Paragraph(missing))
    parts = [
        Part("Question", asked),
        *before,
        Part("Findings", [Sentences(findings(claims, texts, said))]),
        *(
            Part(heading(figure), figure_blocks(paper, figure, mine, pictures, texts))
            for figure, mine in groups.items()
        ),
        Part("Other statements", [claims_table(rest, texts)] if rest else []),
        *behind,
        Part("How to run it again", [Code(again)]),
    ]
    return Document(f"{paper}: what was published, and what comes out here", f"{len(claims)} claims: {said}.", parts)


def readme(paper):
    """The content of its README: what the paper asks (blocks), results and remarks, and how it was read (parts)."""
    from .markdown import sections

    (_, first), *rest = sections((shipped.papers()[paper] / "README.md").read_text(encoding="utf-8"))
    asked = [block for block in first if not isinstance(block, Code)]
    short = [Part(*rest.pop(0))] if rest and rest[0][0] == "In short" else []
    if rest and re.fullmatch(r"What (is asked|the (paper asks|chapters say))", rest[0][0]):
        asked += rest.pop(0)[1]
    parts = [Part(name, blocks) for name, blocks in rest if name != "Files"]
    before = [part for part in parts if part.heading == "What the figures show"]
    return asked, [*short, *before], [part for part in parts if part not in before]


def heading(figure):
    """ "fig2a" as "Figure 2a"."""
    return re.sub(r"^fig(?=\d)", "Figure ", figure).replace("-", " ")


def findings(claims, texts, said):
    """The verdicts in a sentence, then every deviation with its reason."""
    found = [f"Of {len(claims)} claims, {said}."]
    for claim in claims:
        if claim["verdict"] == "not reproduced":
            where = texts.get(claim["id"], {}).get("where", "")
            found.append(
                f"Not reproduced: {claim['id']}{f' ({where})' if where else ''}. {claim.get('reason') or ''}".strip()
            )
    return found


def figure_blocks(paper, figure, claims, pictures, texts):
    """The picture, the published values inside its axes, and the claims about it."""
    blocks = []
    if figure in pictures:
        data = base64.b64encode(pictures[figure].read_bytes()).decode("ascii")
        told = f"{heading(figure)}, drawn from runs made here."
        words = f"{told} The claims beneath say what it shows beside what was published." if claims else told
        blocks.append(Picture(f"data:image/png;base64,{data}", told, words))
        if said := inside.in_words(paper, figure):
            blocks.append(Paragraph(said))
    if claims:
        blocks.append(claims_table(claims, texts))
    return blocks


def claims_table(claims, texts):
    """Statements next to the results; for a number, a line shows the accepted interval, the paper's value and ours."""
    rows = []
    metrics = [texts.get(claim["id"], {}).get("metric") for claim in claims]
    for claim, metric in zip(claims, metrics, strict=True):
        text = texts.get(claim["id"], {})
        what = f"{claim['id']}: {metric}" if metrics.count(metric) > 1 and metric else metric or claim["id"]
        here = f"{gallery.value_in_words(claim['value'], 4)} {claim.get('unit') or ''}".strip()
        said = published(claim, text, gallery.value_in_words)
        rows.append((what, said, here, mark_of(claim, text) or "", Verdict(claim["verdict"])))
    columns = ["what", "published", "here", "interval: accepted ▬, published |, here ●", "verdict"]
    if not any(row[3] for row in rows):
        return Table([*columns[:3], columns[4]], [(*row[:3], row[4]) for row in rows])
    return Table(columns, rows)


def mark_of(claim, text):
    """The mark of a claim whose value is one number, if there is anything to compare it with."""
    value, target = claim["value"], claim.get("target")
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    target = float(target) if isinstance(target, (int, float)) and not isinstance(target, bool) else None
    low, high = interval(text.get("accept", ""), target)
    if target is None and low is None and high is None:
        return None
    return Mark(float(value), target, low, high, spread(claim.get("reason") or "", value))


def spread(reason, value):
    """The spread of repetitions, as the reason gives it: "3 seeds, 0.1 to 0.2"; only if the value lies in it."""
    for low, high in re.findall(rf"(?:seeds|starts),? {NUMBER} to {NUMBER}", reason):
        if float(low) <= value <= float(high):
            return float(low), float(high)
    return None
