"""The claims of the paper, judged: ``claims(results)`` gives one row a claim.

claims.toml has each claim and what is accepted; the modules of this folder compute the metrics. A claim is judged by
set III; values of the other readings are given in addition. A claim about a larger network than those that were run is
"not run".
"""

from ..paper import CLAIMS
from . import closer, fig7, gains, queues, rules, traces

MODULES = (closer, fig7, gains, queues, rules, traces)
"""Importing them registers their checks."""


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    rows = {row["id"]: row for row in CLAIMS.evaluate(results, only)}
    for id, text in CLAIMS.texts.items():
        if "full" in text and id not in rows and results and (only is None or id in only):
            rows[id] = {"id": id, "value": None, "unit": text.get("unit", ""), "target": text.get("target")}
            rows[id] |= {"verdict": "not run", "reason": text["full"]}
    return [rows[id] for id in CLAIMS.texts if id in rows]
