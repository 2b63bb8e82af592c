"""What a fabric consists of, and what looks wrong with it: slow links, missing links, routes that could deadlock.

A link is *degraded* if it is slower than both of its ports could be (as far as the file says), or slower than more than
half of the links of the same kind (to hosts, or to switches) at one of its switches. A port is *missing* if its switch
has fewer links up, or down, than more than half of the switches of its level.
"""

from collections import Counter, defaultdict

from .rates import rate_text, word_of
from .scenario import usable_links


def report(fabric, network, rate):
    """Findings as plain values. `network` is the engine's view of the same fabric, with levels and credit loops;
    `rate` (bit/s) is that of links whose rate the file does not give."""
    links = usable_links(fabric)
    level_of = None
    if network["levels"] is not None:
        level_of = dict(zip(network["switches"], network["levels"], strict=True))
    speeds = Counter(min(link.a.rate or rate, link.b.rate or rate) for link in links)
    words = _words(links)
    loop = network["credit_loop"]
    return {
        "file": fabric.path,
        "format": fabric.form,
        "hosts": len(network["hosts"]),
        "switches": len(network["switches"]),
        "links": len(links),
        "levels": _levels(fabric, level_of) if level_of else None,
        "no_levels_because": network["no_levels_because"],
        "speeds": [{"rate": rate_text(r), "width_and_speed": words(r), "links": n} for r, n in speeds.most_common()],
        "degraded": _degraded(fabric, links, rate, words),
        "missing": _missing(fabric, level_of) if level_of else [],
        "unlinked": [n.name for n in fabric.nodes.values() if not n.ports],
        "credit_loop": [f"{a}->{b}" for a, b in loop] if loop else None,
        "notes": fabric.notes,
    }


def _words(links):
    """The width and speed that most of these links of a rate have in the file, or else the usual ones."""
    said = Counter((plug.rate, plug.word) for link in links for plug in (link.a, link.b) if plug.word)
    usual = {rate: word for (rate, word), _ in reversed(said.most_common())}
    return lambda rate: usual.get(rate) or word_of(rate)


def _degraded(fabric, links, rate, words):
    """Links slower than they should be, with the rate that they should have."""
    at_switch = defaultdict(list)
    for link in links:
        for plug in (link.a, link.b):
            if plug.node.is_switch:
                at_switch[plug.node.id, fabric.nodes[plug.peer].is_switch].append(link.rate() or rate)
    usual = {}
    for place, rates in at_switch.items():
        most, count = Counter(rates).most_common(1)[0]
        if len(rates) >= 3 and 2 * count > len(rates):
            usual[place] = most
    found = []
    for link in links:
        is_rate = link.rate() or rate
        wanted = []
        if (possible := link.possible()) and possible > is_rate:
            wanted.append((possible, "its ports could do"))
        for plug in (link.a, link.b):
            expected = usual.get((plug.node.id, fabric.nodes[plug.peer].is_switch), 0) if plug.node.is_switch else 0
            if expected > is_rate:
                wanted.append((expected, f"most links of {plug.node.name} have"))
        if wanted:
            expected, why = max(wanted, key=lambda w: w[0])
            is_, should = (_spoken(rate, words(rate)) for rate in (is_rate, expected))
            found.append({"link": _ends(link), "rate": is_, "expected": should, "because": why})
    return found


def _levels(fabric, level_of):
    """Per level: switches, their hosts, and their links up and down."""
    rows = []
    for level in range(max(level_of.values()) + 1):
        switches = [node for node in fabric.switches() if level_of[node.name] == level]
        counts = [_sides(fabric, node, level_of) for node in switches]
        row = {"level": level, "switches": len(switches)}
        for side in ("hosts", "down", "up"):
            values = [len(count[side]) for count in counts]
            row[side] = str(min(values)) if min(values) == max(values) else f"{min(values)} to {max(values)}"
        rows.append(row)
    return rows


def _sides(fabric, node, level_of):
    """The ports of a switch that lead to hosts, down, and up."""
    sides = {"hosts": [], "down": [], "up": []}
    for number, plug in sorted(node.ports.items()):
        peer = fabric.nodes[plug.peer]
        if not peer.is_switch:
            sides["hosts"].append(number)
        else:
            sides["up" if level_of[peer.name] > level_of[node.name] else "down"].append(number)
    return sides


def _missing(fabric, level_of):
    """Switches with fewer links of a kind than most of their level have."""
    found = []
    by_level = defaultdict(list)
    for node in fabric.switches():
        by_level[level_of[node.name]].append((node, _sides(fabric, node, level_of)))
    for level, members in sorted(by_level.items()):
        for side, words in (("hosts", "hosts"), ("down", "links down"), ("up", "links up")):
            usual, times = Counter(len(sides[side]) for _, sides in members).most_common(1)[0]
            if len(members) < 3 or 2 * times <= len(members):
                continue
            ports = Counter(tuple(sides[side]) for _, sides in members).most_common(1)[0][0]
            for node, sides in members:
                if len(sides[side]) < usual:
                    absent = [number for number in ports if number not in node.ports]
                    found.append(
                        {"switch": node.name, "level": level, "kind": words, "has": len(sides[side]), "usual": usual,
                         "ports": absent[: usual - len(sides[side])]}
                    )  # fmt: skip
    return found


def _ends(link):
    return f"{link.a.node.name} port {link.a.number} - {link.b.node.name} port {link.b.number}"


def _spoken(rate, word):
    return f"{rate_text(rate)} ({word})" if word else rate_text(rate)
