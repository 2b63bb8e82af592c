"""Where packets were lost or trimmed in a run, in words (column `dropped` of the table `ports`), and whether the run
was too short for them to be sent again.
"""

import pyarrow.compute as pc

from ..document import chosen
from ..quantities import in_words, seconds
from .active import warm_up
from .links import told_apart

FEW = 3


def rows(run):
    """A mapping for each output with losses, `port` and `dropped`, the most first; none where nothing can be lost.

    Of parallel links each has its number, as in the sentences about trees: "A->B (2)".
    Packets count after the warm-up, ACKs included; those of links that failed are among them.
    """
    ports = run.arrow("ports")
    if "dropped" not in ports.column_names:
        return []
    found = zip(told_apart(ports["name"].to_pylist()), ports["dropped"].to_pylist(), strict=True)
    return sorted(({"port": name, "dropped": count} for name, count in found if count), key=lambda r: -r["dropped"])


def sentences(run):
    """The sentence about them; none without losses."""
    found = rows(run)
    if not found:
        return []
    total, what = sum(row["dropped"] for row in found), or_trimmed("lost", run)
    since = f"After the warm-up of {in_words(warm_up(run), 's')}, " if warm_up(run) > 0 else ""
    said = since + (f"1 packet was {what}" if total == 1 else f"{total:,} packets were {what}")
    if len(found) == 1:
        return [f"{said} at {found[0]['port']}."]
    places, others = [f"{row['dropped']:,} at {row['port']}" for row in found[:FEW]], found[FEW:]
    if others:
        where = "another" if len(others) == 1 else f"{len(others):,} others"
        places.append(f"{sum(row['dropped'] for row in others):,} at {where}")
    return [f"{said} at {len(found):,} outputs: {', '.join(places[:-1])} and {places[-1]}."]


def or_trimmed(what, run):
    """What became of packets that count as dropped, such as "lost", which trimmed ones do, too, where switches trim."""
    return f"{what} or trimmed" if run._scenario["switches"].get("trim") else what


def timeouts(run):
    """The timeouts of the run's transport, in words, by their keys in the scenario."""
    transport, settings = chosen(run._scenario["scheme"]["transport"])
    return {f"scheme.transport.{transport}.{key}": settings[key] for key in settings if "timeout" in key}


def too_short(run):
    """The sentence about flows whose lost packets wait for a timeout, if the run is no longer than that."""
    longer = {key: time for key, time in timeouts(run).items() if seconds(time) >= run.duration}
    if not longer or "dropped" not in run.arrow("summary")["name"].to_pylist():
        return []
    pieces = run.pieces("flows", ["dropped", "resent"])
    count = sum(pc.sum(pc.greater(piece["dropped"], piece["resent"])).as_py() or 0 for piece in pieces)
    if not count:
        return []
    named = " and ".join(f"{key} ({time})" for key, time in longer.items())
    return [
        f"{count:,} {'flow' if count == 1 else 'flows'} had lost packets that were not sent again before the end: the "
        f"run of {in_words(run.duration, 's')} is no longer than {named}. Make measure.duration longer, to see such "
        "losses repaired."
    ]
