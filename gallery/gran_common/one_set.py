"""Papers I to III describe one test bed, and each is read by itself. Here is one set for the three: that of Paper III.

| | Paper I | Paper II | Paper III, and the one set |
| --- | --- | --- | --- |
| host bus, payload | 13.33 Gbit/s out, 13.43 in | 13.0 out, 13.3 in | 13.0 out, 13.3 in |
| fill compared with the threshold | any one queue | one switch: any one queue; two switches: the sum | any one queue |
| two thresholds, gap | two packets' payload | 1.25 of them; for the sum three | two packets' payload |

Runs with the one set are additional to the judged ones, in families that begin with PREFIX; only runs that differ are
repeated. One threshold, in Paper II, is the same in both: it has no gap.
"""

import copy

from ..common.judge import Finding, judged, verdict
from ..common.study import Missing
from .scenario import MTU, WIRE

PREFIX = "one-"
BUS = {
    "inject": f"{round(13.0e9 * WIRE / MTU)} bit/s",
    "drain": f"{round(13.3e9 * WIRE / MTU)} bit/s",
}
"""The host bus that Paper III measures: 13.0 Gbit/s of payload out, 13.3 in (section V.A; OQ-I16)."""


def with_one_set(study):
    """A study in which runs with the one set replace those with a paper's own."""
    one = copy.copy(study)
    changed = {
        (key[0].removeprefix(PREFIX), *key[1:]): views
        for key, views in study.table.items()
        if key[0].startswith(PREFIX)
    }
    if not changed:
        raise Missing(PREFIX)
    one.table = {key: views for key, views in study.table.items() if not key[0].startswith(PREFIX)} | changed
    return one, changed


def under_one_set(study, claims):
    """The judged claims whose runs the one set changes: verdict, and what decides."""
    one, changed = with_one_set(study)
    touched = {key[0] for key in changed}
    asked = set()
    views = one.views
    one.views = lambda *key: (asked.add(key[0]), views(*key))[1]
    value = {}
    for id, text in claims.texts.items():
        if "judge" not in text or text["check"] in ("analytic", "external") or id not in claims.checks:
            continue
        asked.clear()
        try:
            found = judged(text, claims.checks[id](one).value)
        except Missing:
            continue
        if asked & touched:
            value[id] = f"{verdict(text, found)}: {found.decides}" if found.decides else verdict(text, found)
    return Finding(value, note="verdicts with the set of Paper III; of claims that rest on what it changes")
