"""What the facts about trees mean, in sentences."""

from ...quantities import in_words
from . import held
from .facts import FEW, UNSAMPLED, summary
from .held import percent


def explain(run, facts=None):
    """The trees of `run` in a few sentences, as a list. Raises CongestreeError if it has no records of trees.

    facts: the result of `summary`, if it is there already.
    """
    facts = summary(run) if facts is None else facts
    if not facts["samples"]:
        return [UNSAMPLED, *_held_back(facts)]
    if not facts["trees"]:
        return [*_none(run, facts), *_sufferers(facts), *_held_back(facts)]
    roots = facts["roots"]
    said = []
    if len(facts["trees"]) > 1:
        said.append(_forest(facts))
    for life in roots[:FEW]:
        said += _life(life, facts)
    if len(roots) > FEW:
        rest = roots[FEW:]
        most, trees = max(life["links"] + life["held_links"] for life in rest), sum(life["trees"] for life in rest)
        others = "tree was smaller or lived shorter; it held at most"
        if trees > 1:
            places = f", at {_many(len(rest), 'place')}," if trees > len(rest) else ""
            others = f"{trees} trees{places} were smaller or lived shorter; none of them held more than"
        said.append(f"The other {others} {_many(most, 'link')}.")
    return [*said, _distance(facts), *_sufferers(facts), *_held_back(facts)]


def sentences(facts, most=None):
    """Sentences about the worst `most` trees: {number of the tree: sentences}. facts: the result of `summary`."""
    return {life["tree"]: _life(life, facts) for life in facts["trees"][:most]}


def _none(run, facts):
    """That there was no tree, and what held links if something did."""
    if (run.stopped or "").startswith("deadlock"):
        return ["No congestion tree was seen: what waits in a cycle has no root."]
    others = " by a congested one" if facts["suffering"] or run.value("blocked") > 0 else ""
    said = f"There was no congestion tree: no link was held{others} in {facts['samples']} samples, one every "
    return [f"{said}{in_words(facts['every_s'], 's')}.", *filter(None, [held.sentence(run)])]


MOSTLY = 0.9
"""From this share of its samples on, a slow host is the cause of a tree."""
_LIMITS = {
    "drain_rate": ("{host} takes packets too slowly", "{host} took packets too slowly"),
    "receive_buffer": (
        "the receive buffer of {host} ({size}) is too small for the round trip of the link",
        "{host} had no room in its receive buffer ({size}), too small for the round trip of the link",
    ),
    None: ("", ""),
    "pauses": ("{host} pauses it though it has room", "{host} paused it though it had room"),
}
"""Why a host holds the link to it, and in the past tense."""
_KINDS = {
    "silent": "The forest is silent: roots and branches stay.",
    "windy": "The forest is windy: the largest root stays, its branches change.",
    "moving": "The forest is moving: the roots change place.",
}


MOST_LOST = 0.5
"""Of flows that lost a larger share of their packets, this is told in place of the trees that held them."""


def _forest(facts):
    places = len({(life["root"], life["lane"]) for life in facts["trees"]})
    return (
        f"There were {len(facts['trees'])} congestion trees at {_many(places, 'place')}, up to "
        f"{facts['most_at_a_time']} at a time, in {facts['congested']:.0%} of the samples. {_KINDS[facts['kind']]}"
    )


def _distance(facts):
    """How exact the times of trees are."""
    every, which = in_words(facts["every_s"], "s"), "trees" if len(facts["trees"]) > 1 else "the tree"
    return f"The run was sampled every {every}: {which} may have begun, and ended, up to so much earlier than told."


def _life(life, facts):
    """A tree in a sentence or two, or all trees of a root."""
    until = "to the end" if life["died_s"] is None else f"to {in_words(life['died_s'], 's')}"
    where = f"Congestion sat at {life['root']}" + (f" (lane {life['lane']})" if facts["lanes"] > 1 else "")
    host = {"host": life["to"], "size": facts["receive_buffer"]}
    holds, held_it = (said.format(**host) for said in _LIMITS[life["host_limit"]])
    why = f", because {holds}" if life["slow_host"] > MOSTLY else ""
    size = f"a tree {_many(life['depth'], 'link')} deep" if life["depth"] else "a root that held no contributor"
    if life["trees"] > 1:
        share = percent(life["seen_s"] / (facts["every_s"] * facts["samples"]))
        until += f", on and off ({life['trees']} trees, in {share} of the samples)"
        size = f"up to {_many(life['depth'], 'link')} deep" if life["depth"] else "without a contributor that was held"
    said = f"{where}{why}, from {in_words(life['born_s'], 's')} {until}: {size}, "
    carry = "carries" if life["held_links"] == 1 else "carry"
    more = f", {life['held_links']:,} more that {carry} only victim traffic," if life["held_links"] else ""
    said += (
        f"{_many(life['links'], 'link')} held by it{more} and {in_words(life['bytes'], 'B')} waiting for it at most."
    )
    for other in life["other_lanes"]:
        classes = f" ({', '.join(other['classes'][:FEW])})" if other["classes"] else ""
        said += f" Lane {other['lane']}{classes} took {percent(other['share'])} of this link in the measured time."
    kind = " (windy: they come and go)" if life["kind"] == "windy" else ""
    causes = f"It was fed by {_groups(life['contributors'])}{kind}"
    if 0 < life["slow_host"] <= MOSTLY:
        causes = f"In {percent(life['slow_host'])} of these samples {held_it}. {causes}"
    if not life["victims"]:
        return [said, causes + "; it held nobody else."]
    return [said, causes + f", and held {_groups(life['victims'])}, which did not use it."]


def _sufferers(facts):
    """Who lost how much."""
    sentences = []
    for row in facts["suffering"][:FEW]:
        lost, many = row["lost_s"], max(row["inside_s"], row["between_s"]) / 4
        was, it, mean = ("was", "it", "") if row["flows"] == 1 else ("were", "they", " on average")
        ways = {
            "inside_s": "behind packets of others inside a switch",
            "between_s": f"by congestion trees to which {it} did not contribute",
        }
        where = " or ".join(ways[kind] for kind in sorted(ways, key=lambda kind: -row[kind]) if row[kind] >= many)
        who, got = _flows(row["class"], row["flows"], row["sources"]), in_words(row["rate_bit_s"], "bit/s")
        if row["dropped"] > MOST_LOST:
            their = "its" if row["flows"] == 1 else "their"
            sentences.append(f"{who} got {got}{mean}: {percent(row['dropped'])} of {their} packets were dropped.")
            continue
        said = f"{who} {was} held up for {in_words(lost, 's')}{mean} ({percent(lost / facts['duration_s'])} of the run)"
        said += f" {where}. {it.capitalize()} got {got}{mean}."
        sentences.append(said)
    rest = facts["suffering"][FEW:]
    if rest:
        sentences.append(f"So did flows of {_many(len(rest), 'more class', 'more classes')}, less.")
    if facts["trees"] and not facts["suffering"]:
        sentences.append("No flow was held up by a tree to which it did not contribute.")
    return sentences


def _held_back(facts):
    """The classes that rate control held back and their rates: the cost of a cure appears next to its effect."""
    return [
        f"Control left {_flows(row['class'], row['flows'], row['sources'])} {percent(row['share'])} of "
        f"{'its' if row['flows'] == 1 else 'their'} full rate on average."
        for row in (facts["limited"] or [])[:FEW]
    ]


def _groups(groups):
    said = [_flows(name, group["flows"], group["sources"]) for name, group in list(groups.items())[:FEW]]
    more = sum(group["flows"] for group in list(groups.values())[FEW:])
    said += [_many(more, "other flow")] if more else []
    return said[0] if len(said) == 1 else ", ".join(said[:-1]) + " and " + said[-1] if said else "nobody that was seen"


def _flows(name, count, sources):
    """A class by the number of its flows and where they come from."""
    named = ", ".join(sources) + (", …" if count > len(sources) else "")
    return f"{name} ({_many(count, 'flow')}, from {named})"


def _many(count, one, many=None):
    return f"{count:,} {one if count == 1 else many or one + 's'}"
