"""The conditions under which a setting is tried: every scenario, with every value of the varied parameters, with every
degraded link, for every seed. A condition is one of these combinations without its seed; the value of a setting under
a condition is the mean over the seeds.
"""

import itertools
from dataclasses import dataclass, field
from functools import cached_property

from .. import quantities
from ..errors import AskedError, ScenarioError, there_are
from ..evaluation import links
from ..quantities import exactly
from ..runs import running
from ..studies.points import ends
from .written import Written

REWIRING = ("topology", "routing", "links")
"""Sections that change the network, of which a slow link is one."""


@dataclass(frozen=True)
class Condition:
    """A scenario as written, and what distinguishes it from others: label, values at dotted paths, a slow link."""

    label: str
    written: Written = field(repr=False)
    values: dict = field(default_factory=dict)
    slow: str | None = None

    def put(self, setting):
        """The scenario as written under this condition with a setting, {path: value}; raises ScenarioError."""
        values = {**self.values, **setting}
        if self.slow is None:
            return self.written.put(values)
        if any(path.partition(".")[0] in REWIRING for path in setting):
            return self.written.put({**values, **self._rewired(values)})
        return self.written.put({**values, **self._slowed})

    @cached_property
    def _slowed(self):
        return self._rewired(self.values)

    def _rewired(self, values):
        """The network with the slow link, {path: value}."""
        slow = degraded(self.written.put(values).resolved(), self.slow)
        return {"topology": slow["topology"], "routing": slow["routing"]}


def conditions(scenarios, vary=None, degrade=()):
    """The conditions of scenarios (a list of (name, `Written`)); raises AskedError, ScenarioError.

    vary: {path: list of values}, all combinations of them. degrade: texts LINK=RATE; each makes one more condition, in
    which this link has that rate.
    """
    found = []
    axes = {path: list(values) for path, values in (vary or {}).items()}
    for path, values in axes.items():
        if not values:
            raise AskedError(f"{path} varies, and has no values: write {path}=[a, b].")
    for name, written in scenarios:
        for point in itertools.product(*axes.values()):
            values = dict(zip(axes, point, strict=True))
            words = [name] if len(scenarios) > 1 else []
            words += [f"{end} {value}" for end, value in zip(ends(axes), point, strict=True)]
            found.append(Condition(", ".join(words) or "as it is", written, values))
            for text in degrade:
                found.append(Condition(", ".join([*words, f"slow {text}"]), written, values, text))
    labels = [condition.label for condition in found]
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise AskedError(f"Two conditions are the same ({twice}): give each scenario and value once.")
    return found


def degraded(scenario, text):
    """A resolved scenario with one link slow, in both directions; everything else, routes too, is unchanged.

    Of parallel links all are, or the one whose number is given, as tables have it: "S1->S2 (2)=10 Gbit/s".
    "down" instead of a rate removes the link; routes are then the shortest paths. Most switches that choose among
    several paths need equally fast ones, so that a link there can only be down: AskedError says so.
    """
    link, equals, rate = str(text).rpartition("=")
    a, arrow, b = link.strip().partition("->")
    if not (equals and arrow and a and b):
        raise AskedError(f"{text!r} names no slow link: write it as S1->S2=10 Gbit/s, or S1->S2=down.")
    down = rate.strip() == "down"
    try:
        slow = 1 if down else round(quantities.bits_per_second(rate.strip()))
    except ValueError as error:
        raise AskedError(f"{text!r} has no rate: {error}.") from None
    network = running.network(scenario)
    slowed = _links(network, link)
    if not slowed:
        there = [f"{found['a']}->{found['b']}" for found in network["links"]]
        raise AskedError(f"There is no link {link.strip()!r} in it; {there_are(link.strip(), there)}")
    graph = {"hosts": network["hosts"], "switches": network["switches"], "links": []}
    hosts = set(network["hosts"])
    for found in network["links"]:
        if down and found in slowed:
            continue
        rates = (slow, slow) if found in slowed else (found["rate"], found["rate_back"])
        entry = {"a": found["a"], "b": found["b"], "rate": exactly(rates[0], "bit/s")}
        entry |= {"rate_back": exactly(rates[1], "bit/s")}
        entry |= {key: exactly(found[key], "ps") for key in ("delay", "delay_back")}
        entry |= {f"port_{end}": found[f"port_{end}"] for end in "ab" if found[end] not in hosts}
        graph["links"].append(entry)
    groups = {"groups": network["groups"]} if network["groups"] else {}
    changed = {**scenario, "topology": {"graph": graph | groups}}
    # Switches that choose among shortest paths take no routes that are written out.
    for routing in ("shortest-path",) if down else ({"ports": network["routes"]}, "shortest-path"):
        try:
            return running.check({**changed, "routing": routing})["scenario"]
        except ScenarioError as error:
            about = [complaint["fact"] for complaint in error.complaints if complaint["path"] == "scheme.route"]
            if not about:
                raise
    if "different rates" in about[0] and not down:
        raise AskedError(
            f"{text!r}: switches choose among paths here, so rates must be equal. Write {link.strip()}=down instead."
        )
    raise AskedError(f"{text!r} cannot be tried with this scheme.route: {about[0]}. Leave out the slow link.")


def _links(network, name):
    """The links that a name means; blanks around its arrow do not count."""
    a, arrow, b = (part.strip() for part in name.partition("->"))
    names, those = links.of_network(network)
    return [those[i] for i in links.meant(a + arrow + b, names)]
