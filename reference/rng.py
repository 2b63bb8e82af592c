"""Named streams of random numbers, exact on every machine (SplitMix64).

A stream belongs to (seed, name, index), for example the "arrivals" of source 3; streams do not depend on one another,
so adding a source does not change the numbers of the others.
"""

import math

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """The finaliser of SplitMix64: scrambles a 64-bit word reversibly."""
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 & WORD
    z ^= z >> 27
    z = z * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def fnv1a64(name: str) -> int:
    """The FNV-1a hash of a name."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001B3 & WORD
    return value


class Rng:
    """One stream."""

    def __init__(self, seed: int, name: str, index: int):
        self.state = mix(mix(seed) ^ mix(fnv1a64(name)) ^ mix(index + GOLDEN & WORD))

    def next(self) -> int:
        """The next 64 random bits."""
        self.state = self.state + GOLDEN & WORD
        return mix(self.state)

    def unit(self) -> float:
        """Uniform in [0, 1), with 53 random bits."""
        return (self.next() >> 11) * 2.0**-53

    def below(self, n: int) -> int:
        """Uniform in 0 .. n-1."""
        return self.next() * n >> 64

    def exponential(self, mean: int) -> int:
        """An exponential time with this mean, in whole picoseconds, never zero."""
        return max(1, math.floor(mean * -math.log(1.0 - self.unit()) + 0.5))


def shuffle(items: list, rng: Rng) -> list:
    """A list in random order (Fisher and Yates)."""
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        other = rng.below(last + 1)
        items[last], items[other] = items[other], items[last]
    return items
