"""Links that failed in a run, in words: what failed, what was lost, and which flows stopped (table `faults`)."""

from collections import Counter

from ..quantities import in_words
from .active import warm_up
from .links import told_apart

FEW = 5
BETWEEN = "; "
"""Stands between the names of hosts, which may contain blanks."""


def rows(run):
    """A mapping for each failure, in the order in which they began; none if no link could fail."""
    return run.arrow("faults").to_pylist() if "faults" in run.tables else []


def sentences(run):
    """The sentences about them; none if no link failed."""
    failures = _together(rows(run), _parallel(run))
    if not failures:
        return []
    said = [_failure(failure, run) for failure in failures[:FEW]]
    if len(failures) > FEW:
        rest = failures[FEW:]
        lost = sum(map(_lost, rest))
        since = _since(rest, run)
        said.append(f"{len(rest)} more failures cost {lost:,} packet{'' if lost == 1 else 's'}{since}.")
    for_good = _cut_off(failure for failure in failures if _lasts(failure, run))
    for_a_time = _cut_off(failures) - for_good
    if for_a_time:
        said.append(f"Cut off for a time: {_few(sorted(for_a_time))}.")
    if for_good:
        said.append(f"Cut off until the end of the run: {_few(sorted(for_good))}.")
    flows = run.arrow("flows", ["name", "stopped"])
    stopped = [name for name, is_so in zip(*(flows[c].to_pylist() for c in ("name", "stopped")), strict=True) if is_so]
    if stopped:
        said.append(f"Nothing comes in of {_few(stopped)} since a link went down last, though packets wait.")
    return said


def of_ports(run):
    """The same failures for drawings: the numbers of the `ports` of both directions, `begin` and `end` (s), and whether
    the link was `down` or only slower."""
    ends = run.arrow("ports", ["from", "to"]).to_pydict()
    ways = [zip(ends["from"], ends["to"], strict=True), zip(ends["to"], ends["from"], strict=True)]
    # Of parallel links that of the same rank is the other direction, unless their printed port numbers cross.
    number = [{name: i for i, name in enumerate(told_apart([f"{a}<->{b}" for a, b in way]))} for way in ways]
    return [
        {
            "ports": [names[failure["link"]] for names in number if failure["link"] in names],
            "begin": failure["started"],
            "end": failure["finished"],
            "down": not failure["rate"],
        }
        for failure in rows(run)
    ]


def _parallel(run):
    """Of each link, by its name in the table: "A<->B" without a number, and how many links of this name there are."""
    ports = run.arrow("ports", ["from", "to"]).to_pydict()
    plain = [f"{a}<->{b}" for a, b in zip(ports["from"], ports["to"], strict=True)]
    several = Counter(plain)
    return {name: (ends, several[ends]) for name, ends in zip(told_apart(plain), plain, strict=True)}


def _together(failures, parallel):
    """Failures with those of parallel links that fail at the same time as one; `links` says of how many."""
    found = {}
    for failure in failures:
        ends, count = parallel[failure["link"]]
        key = ends, *(failure[what] for what in ("started", "finished", "rate"))
        if key not in found:
            found[key] = {**failure, "links": 1, "of": count, "ends": ends}
            continue
        one = found[key]
        one["links"] += 1
        one |= {what: one[what] + failure[what] for what in ("on_the_wire", "discarded")}
        one["cut_off"] = BETWEEN.join(filter(None, [one["cut_off"], failure["cut_off"]]))
    return list(found.values())


def _lasts(failure, run):
    """Whether the link did not come up again before the run ended."""
    return failure["finished"] >= run.duration


def _cut_off(failures):
    """The hosts that they cut off."""
    return {host for failure in failures for host in failure["cut_off"].split(BETWEEN) if host}


def _lost(failure):
    return failure["on_the_wire"] + failure["discarded"]


def _since(failures, run):
    """That their packets count from the start of the run, where most other numbers count after the warm-up."""
    counts_earlier = any(failure["started"] < warm_up(run) and _lost(failure) for failure in failures)
    return " (during the warm-up, too)" if counts_earlier else ""


def _failure(failure, run):
    """One failure."""
    count = failure["links"]
    many = count > 1
    which = f"All {count} links" if count == failure["of"] else f"{count} of {failure['of']} links"
    link = f"{which} {failure['ends']}" if many else failure["link"]
    state = "carried only" if failure["rate"] else "were down" if many else "was down"
    state += f" {in_words(failure['rate'], 'bit/s')}{' each' if many else ''}" if failure["rate"] else ""
    end = "the end of the run" if _lasts(failure, run) else in_words(failure["finished"], "s")
    said = f"{link} {state} from {in_words(failure['started'], 's')} to {end}"
    if failure["rate"]:
        return said + "."
    said += f"; {_packets(failure['on_the_wire'])} on the wire"
    if failure["discarded"]:
        said += f", and {_packets(failure['discarded'], ' that waited for it')} dropped"
    return f"{said}{_since([failure], run)}."


def _packets(count, which=""):
    return f"1 packet{which} was" if count == 1 else f"{count:,} packets{which} were"


def _few(names):
    """Names, the first few of them."""
    more = f" and {len(names) - FEW:,} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more
