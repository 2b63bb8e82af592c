"""Every run of the page, by name. The quick version has one seed, a smaller tree, one load, and shorter runs there."""

from ..common.names import repeated
from .fabric import BESIDE, CAPPED, LOADS, LONG, application, hot_spots
from .scenario import LASTING, SMALL, SPLITS, burst, lasting, victim

COMPARED = ("dcqcn", "rcm", "sar")
"""Schemes on the whole tree."""
OFTEN = (*COMPARED, "sarnoroot")
"""Those with more seeds in figure 9."""
SIZES = ("enterprise", "data-mining")


SEEDS, BURSTS, SETTLED, APPLICATIONS = 3, 10, 8, 6
"""Repetitions: of most runs; of figure 6, which takes no time; of figure 7 until hosts have settled, if judged; of
figure 9 with the schemes that are judged, and without control at roots."""


def runs(quick=False):
    """Named scenarios."""
    named, splits = {}, list(SPLITS)

    def add(family, build, count=SEEDS, **parameters):
        repeated(named, family, 1 if quick else count, build, **parameters)

    for scheme in SMALL:
        key = scheme.replace("-", "")
        add("burst", lambda rep, name: burst(scheme, name, 1 + rep), BURSTS, by=key)  # noqa: B023 (called at once)
        add("victim", lambda rep, name: victim(scheme, name, splits[rep]), by=key)  # noqa: B023
    for scheme in LASTING:
        key = scheme.replace("-", "")
        many = SETTLED if scheme in ("rcm", "dcqcn") else SEEDS
        add("lasting", lambda rep, name: lasting(scheme, name, splits[rep], quick), many, by=key)  # noqa: B023
    add("outputs", lambda rep, name: victim("rcm", name, splits[rep], sampled_queues="output-queues"), by="rcm")
    for scheme in COMPARED:
        for load in LOADS[:1] if quick else LOADS:
            add("hot", lambda rep, name: hot_spots(scheme, load, name, 1 + rep, quick), by=scheme, load=load)  # noqa: B023
    for family, schemes in (("app", COMPARED), ("app", BESIDE), ("capped", CAPPED)):
        for scheme in schemes:
            for sizes in SIZES[:1] if quick and family == "capped" else SIZES:
                key, cut = sizes.replace("-", ""), family == "capped"
                many = APPLICATIONS if family == "app" and scheme in OFTEN else SEEDS
                add(
                    family,
                    lambda rep, name: application(scheme, sizes, name, 1 + rep, quick, cut),  # noqa: B023
                    many,
                    by=scheme,
                    sizes=key,
                )
    for scheme in () if quick else CAPPED:
        add(
            "long",
            lambda rep, name: application(scheme, "enterprise", name, 1 + rep, duration=LONG),  # noqa: B023
            APPLICATIONS,
            by=scheme,
            sizes="enterprise",
        )
    return named
