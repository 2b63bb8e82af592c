"""Every run of the page, by name. They are small: the quick version is the same."""

from ..common.names import repeated
from .scenario import SCHEMES, SPLIT_SEED, burst, victim


def runs(quick=False):
    """Named scenarios."""
    named = {}
    for scheme in SCHEMES:
        key = scheme.replace("-", "")
        repeated(named, "burst", 1, lambda rep, name: burst(scheme, name), by=key)  # noqa: B023 (called at once)
        repeated(named, "victim", 1, lambda rep, name: victim(scheme, name, SPLIT_SEED), by=key)  # noqa: B023
    repeated(named, "queued", 1, lambda rep, name: victim("alone", name, SPLIT_SEED, queued=True), by="alone")
    return named
