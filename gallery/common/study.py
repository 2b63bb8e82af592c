"""Results by name, and numbers with their spread over repetitions."""

import numpy as np

from .names import parse


class Missing(LookupError):
    """A run that is not among the results; claims that need it are left out."""


class Sample:
    """One number from every repetition of a run, the first first, none left out: the places of two samples are paired.

    Arithmetic is by repetition; its order is that of the mean.
    """

    def __init__(self, values):
        self.values = np.array([value for value in values], dtype=float)

    def _with(self, other, operation):
        mine = self.values
        if isinstance(other, Sample):
            mine, other = common(mine, other.values)
        elif not isinstance(other, int | float | np.number):
            return NotImplemented
        return type(self)(operation(mine, other))

    __array_ufunc__ = None  # NumPy's numbers leave arithmetic with a sample to it

    def __neg__(self):
        return self * -1

    def __add__(self, other):
        return self._with(other, np.add)

    def __mul__(self, other):
        return self._with(other, np.multiply)

    def __sub__(self, other):
        return self._with(other, np.subtract)

    def __rsub__(self, other):
        return self._with(other, lambda mine, its: its - mine)

    def __truediv__(self, other):
        return self._with(other, np.divide)

    def __rtruediv__(self, other):
        return self._with(other, lambda mine, its: its / mine)

    __radd__, __rmul__ = __add__, __mul__

    def each(self, function):
        """A function of every repetition."""
        return type(self)(function(self.values))

    def __lt__(self, other):
        return self.mean < float(other)

    def __gt__(self, other):
        return self.mean > float(other)

    def __format__(self, spec):
        return format(self.mean, spec)

    @property
    def mean(self):
        return float(self.values.mean())

    def __float__(self):
        return self.mean

    @property
    def low(self):
        return float(self.values.min())

    @property
    def high(self):
        return float(self.values.max())

    def spread(self):
        """The repetitions in words."""
        if len(self.values) == 1:
            return "one run"
        return f"{len(self.values)} seeds, {self.low:.4g} to {self.high:.4g}"


def common(one, other):
    """The first repetitions, as many as both have; a single run goes with every repetition."""
    count = len(one) if len(other) == 1 else len(other) if len(one) == 1 else min(len(one), len(other))
    return one[:count], other[:count]


def in_order(found, key, first=0):
    """The repetitions of a run, given by number; Missing if there are none, or if one before the last is missing."""
    if not found or set(found) != set(range(first, first + len(found))):
        raise Missing(key)
    return [found[number] for number in sorted(found)]


class Study:
    """All results of a paper. The `view` defines what is read from one run."""

    view = None
    """Class that reads one run."""
    sample_of = Sample
    """Class of numbers with a spread."""

    def __init__(self, results):
        self.table = {}
        for label, run in results.items():
            family, parameters, rep = parse(label)
            self.table.setdefault((family, *parameters.values()), {})[rep] = self.view(run)

    def views(self, *key):
        """The repetitions of one run, in their order.

        Missing if there is a later one but not an earlier one: its place would be that of another repetition.
        """
        return in_order(self.table.get(key, {}), key)

    def sample(self, key, measure):
        """A measure of every repetition of a run."""
        key = key if isinstance(key, tuple) else (key,)
        return self.sample_of([measure(view) for view in self.views(*key)])

    def axis(self, family, position):
        """Values that a parameter of a family takes."""
        values = {key[position + 1] for key in self.table if key[0] == family}
        if not values:
            raise Missing(family)
        return sorted(values, key=lambda value: (isinstance(value, str), value))

    def curve(self, family, before, axis, measure):
        """Samples along the last parameter of a family: {x: Sample}."""
        found = {x: self.sample((family, *before, x), measure) for x in axis if (family, *before, x) in self.table}
        if not found:
            raise Missing((family, *before))
        return found


def spearman(x, y):
    """Rank correlation, ties at their mean rank; to twelve digits, as 0.8 is 0.7999999999999999 in binary sums."""

    def ranks(values):
        values = np.asarray(values, dtype=float)
        return np.array([(values < v).sum() + ((values == v).sum() + 1) / 2 for v in values])

    a, b = ranks(x), ranks(y)
    if a.std() == 0 or b.std() == 0:
        return 0.0
    return round(float(np.corrcoef(a, b)[0, 1]), 12)
