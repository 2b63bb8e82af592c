"""Why a tail is outside what was accepted, by run; said after the runs, never before."""

COLLISIONS = (
    "With one path a flow, the last flow is that of the worst collision of hashes, and hashes are drawn anew here: one "
    "draw beside another"
)
WHY = {
    "r2353": COLLISIONS,
    "r2380": COLLISIONS,
    "r2395": COLLISIONS,
    "r2308": "The last flow is one that goes over slow links for longest; which entropies lead there is drawn anew. "
    "That this is all of it has not been shown",
}

TESTED = {
    "r2308": "Five other seeds of hashes and coins: 308.1 to 341.8 us, all inside",
    "r2353": "Five other seeds of hashes and coins: 1,001.5 to 1,216.5 us, on both sides of the key",
    "r2380": "Five other seeds of hashes and coins: 1,066.7 to 1,325.3 us; with this one the key lies among the six",
    "r2395": "Five seeds of hashes and coins: 892.0 to 1,178.5 us; the first, which judged alone before, is as the key",
}
"""What other draws gave (`draws.py`; of r2395 those of its row)."""


def why(run):
    """A sentence, or that there is none."""
    return WHY.get(run, "outside the accepted range; the cause has not been found")
