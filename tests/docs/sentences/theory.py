"""What the page of closed forms says about its runs and adopted results."""

from congestree.gallery import shipped

NUMBERS = {3: "three", 6: "six", 9: "nine"}


def sentences(of):
    seeds = shipped.module("theory", "runs").SEEDS
    longest = of("theory-peer-incast", "'1023 to 1, both'")
    return {
        "README.md": [
            f"here are {NUMBERS[len(longest.values)]} seeds",
            f"one seed in place of {NUMBERS[seeds['switch']]}, {NUMBERS[seeds['queue']]} or {NUMBERS[seeds['peer']]}",
            f"the furthest that one ({100 * (longest.mean - 1):.1f} per cent)",
        ]
    }
