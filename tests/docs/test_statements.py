"""What pages say that were written by hand, held against the sources that they speak of."""

import re

from blocks import ROOT


def page(name):
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def test_the_order_within_an_instant_is_that_of_the_events():
    """Each kind by its number; kinds that share one share a line."""
    source = (ROOT / "crates/fabric/src/event.rs").read_text(encoding="utf-8")
    ranked = source.split("fn rank(self)")[1].split("kind << KIND")[0]
    kinds = {}
    for name, kind in re.findall(r"Event::(\w+)[^=]*=> \{?\s*\((\d+),", ranked):
        kinds.setdefault(int(kind), []).append(name)
    assert {name for names in kinds.values() for name in names} == set(
        re.findall(r"^    (\w+)(?: \{|,)", source.split("enum Event {")[1].split("\n}")[0], re.M)
    )
    listed = page("explanation/how-it-works").split("## The order within an instant")[1].split("\n\nDecisions")[0]
    lines = re.findall(r"^(\d+)\. (.*)", listed, re.M)
    assert {int(number) - 1: re.findall(r"`([A-Z]\w+)`", line) for number, line in lines} == kinds
