"""Packets that a transport sent again although none was lost."""

from ..document import chosen
from .losses import timeouts

# A smaller share of repetitions needs no comment; packets lost before the warm-up may be among them.
FEW = 0.01


def sentences(run):
    """How many there were, and why; nothing if packets were lost, or could be by links that fail or damage them."""
    counts = dict(zip(*(run.arrow("summary")[c].to_pylist() for c in ("name", "value")), strict=True))
    again, links = counts.get("resent", 0), run._scenario["links"]
    losses = sum(counts.get(name, 0) for name in ("dropped", "damaged"))
    if losses or links.get("faults") or links.get("errors") or again <= FEW * counts["sent"]:
        return []
    transport, _ = chosen(run._scenario["scheme"]["transport"])
    said = f"{again:,.0f} of {counts['sent']:,.0f} packets were sent again, but none was lost: "
    causes = []
    if counts.get("timeouts"):
        times = [f"{key} ({time})" for key, time in timeouts(run).items()]
        causes.append(f"their ACKs came after the timeout. Make {' and '.join(times)} longer than packets wait.")
    if counts.get("nacks") or not causes:
        causes.append(
            f"packets overtook each other, and {transport} takes the missing ones for lost. Give each flow one path "
            "(scheme.route), or take a transport that accepts any order."
        )
    return [said + " Besides, ".join(causes)]
