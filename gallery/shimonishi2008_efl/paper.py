"""The list of claims that the check modules fill, and checks that are done for every draw of starts."""

from pathlib import Path

import numpy as np

from ..common.judge import Claims, Finding
from ..common.study import Missing, Sample
from .runs import START_DRAWS
from .study import Draw, Study

CLAIMS = Claims(Path(__file__).parent, Study)
check = CLAIMS.check


def drawn(*ids):
    """Registers a check that is given a `Draw`, and is done for every draw of which its runs are there.

    The conditions of a flow that joins depend on the phase in which the rates of the others oscillate.
    """

    def register(function):
        @check(*ids)
        def of_all(study):
            found = [function(Draw(study, 0))]
            for number in range(1, START_DRAWS):
                try:
                    found.append(function(Draw(study, number)))
                except Missing:
                    break
            note = found[0].note
            if len(found) > 1:
                note = f"{len(found)} draws of starts" + (f"; the first: {note}" if note else "")
            return Finding(together([each.value for each in found]), note=note)

        return function

    return register


def together(values):
    """The values of all draws, number by number."""
    first = values[0]
    if len(values) == 1:
        return first
    if isinstance(first, dict):
        return {key: together([value[key] for value in values]) for key in first}
    if isinstance(first, list | tuple | np.ndarray):
        return [together(list(parts)) for parts in zip(*values, strict=True)]
    return None if any(value is None for value in values) else Sample(values)
