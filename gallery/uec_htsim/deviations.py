"""Why a tail is outside what was accepted, by run; said after the runs, never before."""

WHY = {}


def why(run):
    """A sentence, or that there is none."""
    return WHY.get(run, "outside the accepted range; the cause has not been found")
