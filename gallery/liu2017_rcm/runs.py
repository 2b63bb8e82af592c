"""Every run of the page, by name. They are small: the quick version is the same."""

from ..common.names import single
from .scenario import SCHEMES, SPLIT_SEED, burst, victim


def runs(quick=False):
    """Named scenarios."""
    named = {}
    for scheme in SCHEMES:
        key = scheme.replace("-", "")
        single(named, "burst", lambda name: burst(scheme, name), by=key)  # noqa: B023 (called at once)
        single(named, "victim", lambda name: victim(scheme, name, SPLIT_SEED), by=key)  # noqa: B023
    single(named, "queued", lambda name: victim("alone", name, SPLIT_SEED, queued=True), by="alone")
    return named
