"""Small questions: two hosts send to a third, and a fourth shares their path; a run takes milliseconds."""

from congestree import tune

CROWD = """
name = "two to one"
topology = { test-bed = {} }
links = { rate = "8 Gbit/s", delay = "10 ns" }
traffic = [
    { name = "crowd", from = ["H1", "H2"], to = "H5", jitter = "2 us" },
    { name = "victim", from = "H3", to = "H4" },
]
measure = { duration = "200 us", warm_up = "40 us" }
"""
EVERY = 24  # settings of the small question


def ask(scenario, **changes):
    """A question about the window of the crowd's packets."""
    options = {
        "parameters": ["adapters.window=1..8", 'adapters.mtu=["512 B", "1 KiB", "2 KiB"]'],
        "goals": ["rate:victim", "total:crowd"],
        "batch": 3,
    }
    options |= changes
    return tune.ask(scenario, **options)
