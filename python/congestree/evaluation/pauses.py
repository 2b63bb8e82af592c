"""Pauses of a run: pause storms, what a watchdog did about them (table `pauses`), and the ports that were paused most
(table `pause_counters`).

A port is that of the sender: A->B is paused by B. Of parallel links each has its number: "A->B (2)".
"""

import numpy as np

from .. import document
from ..quantities import in_words, seconds
from . import losses
from .links import told_apart
from .quantiles import within

FEW = 3
MOST = 10
"""Lanes of ports that are told in tables and drawings, at most."""
ACTS = {"drop": "it dropped what was to go there", "forward": "it sent on in spite of the pause"}
"""What a watchdog does until a storm has ended, by its action."""


def most_paused(run):
    """A mapping for each port and lane that was paused after the warm-up, the longest first.

    `port`; `lane`; `pauses`, the frames received; `paused`, the time (s); `storms`, the interventions of the watchdog.
    Raises CongestreeError without the probe `pauses`.
    """
    columns = ["port", "lane", "rx_pause", "rx_pause_duration", "storms"]
    names, table = _names(run), run.arrow("pause_counters", columns)
    found = [
        {"port": names[port], "lane": lane, "pauses": pauses, "paused": paused, "storms": storms}
        for port, lane, pauses, paused, storms in zip(*(table[name].to_pylist() for name in columns), strict=True)
        if pauses or paused > 0 or storms
    ]
    return sorted(found, key=lambda row: -row["paused"])


def watchdog(run):
    """A mapping for each port and lane at which a watchdog acted in the whole run, the first one first.

    `port`; `lane`; `by`, the node that paused it; `started` (s); `finished`, when it last ended its intervention, or
    None if it acted to the end of the run; `times` that it acted. Without the probe `pauses` nothing is known of it.
    """
    if "pauses" not in run.tables or not (pfc(run) or {}).get("watchdog"):
        return []
    names, ends, found = _names(run), run.arrow("ports", ["to"])["to"].to_pylist(), {}
    columns = ["time_ps", "port", "lane", "event"]
    for piece in run.pieces("pauses", columns):
        for row in np.flatnonzero(within(piece["event"], ("storm", "restored"))).tolist():
            time, port, lane, event = (piece[column][row].as_py() for column in columns)
            new = {"port": names[port], "lane": lane, "by": ends[port], "started": time * 1e-12, "times": 0}
            one = found.setdefault((port, lane), new)
            if event == "storm":
                one |= {"finished": None, "times": one["times"] + 1}
            else:
                one["finished"] = time * 1e-12
    return list(found.values())


def sentences(run):
    """The sentences about storms and the watchdog; none without."""
    settings, acted = pfc(run) or {}, watchdog(run)
    storms = [storm for storm in settings.get("storms") or [] if seconds(storm["start"]) < run.duration]
    said = [_storm(storm, run) for storm in storms[:FEW]]
    if len(storms) > FEW:
        more = len(storms) - FEW
        said.append(f"There {'was' if more == 1 else 'were'} {more:,} more such storm{'s' * (more > 1)}.")
    if not (guard := settings.get("watchdog")):
        return said
    said += [_intervention(row, guard, run) for row in acted[:FEW]]
    if len(acted) > FEW:
        said.append(f"It also acted at {len(acted) - FEW:,} more, each a lane of a port.")
    if "pauses" not in run.tables and guard["action"] == "drop" and losses.rows(run):
        said.append(
            f"The watchdog drops what waits for a port that is paused for longer than {guard['detection_time']}: what "
            'was lost may be of that. The probe "pauses" records where and when it acts.'
        )
    return said


def pfc(run):
    """The settings of pauses of a run; None with another flow control."""
    return document.get(run._scenario, "links.flow_control.pfc")


def of_lane(lane, run):
    """What follows the name of a port where links have several lanes."""
    return f" (lane {lane})" if run._scenario["links"]["lanes"] > 1 else ""


def _storm(storm, run):
    """A storm that the scenario asks for."""
    stop = storm.get("stop")
    until = f"to {stop}" if stop and seconds(stop) < run.duration else "to the end"
    return (
        f"{storm['host']} paused its switch{of_lane(storm['lane'], run)} from {storm['start']} {until} although it had "
        "room, as the scenario says (links.flow_control.pfc.storms)."
    )


def _intervention(row, guard, run):
    """What the watchdog did at a port."""
    until = "to the end" if row["finished"] is None else f"to {in_words(row['finished'], 's')}"
    times = f", {row['times']:,} times" if row["times"] > 1 else ""
    return (
        f"The watchdog acted at {row['port']}{of_lane(row['lane'], run)} from {in_words(row['started'], 's')} {until}"
        f"{times}: {row['by']} paused it for longer than {guard['detection_time']}, and {ACTS[guard['action']]}."
    )


def _names(run):
    return told_apart(run.arrow("ports", ["name"])["name"].to_pylist())
