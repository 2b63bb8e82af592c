"""The engine against its twin where switches drop or trim, and hash the entropy of packets (Ultra Ethernet).

By hand: `PYTHONPATH=. python tests/twin/test_twin_trimming.py 0 500`.
"""

from comparing import SEEDS, by_hand, check_reached, check_seeds, in_chunks, of_outputs, of_senders
from random_trimming import DROPS, random_trimming, trims

ALL = SEEDS * DROPS // (DROPS - 1)
"""As many as it takes for SEEDS of them to trim, and to hash: 120 for 100."""


def trims_and_hashes(seed, fabric) -> bool:
    """Every scenario for trimming trims, and chooses among paths by the entropy."""
    if not trims(seed):
        return True
    return fabric.ways.hashed > 0 and any(each["trimmed"] for each in of_outputs(fabric, "bounded"))


@in_chunks(ALL)
def test_switches_trim_and_hash_as_their_twin_does(seeds):
    check_seeds(random_trimming, seeds, trims_and_hashes)


def test_at_least_a_hundred_scenarios_trim_and_hash():
    assert sum(map(trims, range(ALL))) >= SEEDS


def test_the_random_scenarios_reach_what_they_are_about():
    """Packets are trimmed, the one that comes or another, dropped, and sent again."""
    what = ("dropped", "trimmed", "in the place of another", "resent", "timeouts")
    check_reached(
        random_trimming,
        lambda fabric: [*of_senders(fabric), *of_outputs(fabric, "bounded")],
        dict.fromkeys(what, 10),
    )


if __name__ == "__main__":
    by_hand(random_trimming)
