"""Programs of applications in forms of others: schedules of LogGOPSim as it reads them (binary GOAL), and VEF traces.

found = programs.as_goal(data, "sweep.vef", made)    # GOAL as text, for the engine, and lengths; None: it is neither
"""

import codecs

from . import binary_goal, vef, vef_program

__all__ = ["as_goal", "binary_goal", "vef"]


def as_goal(data, name, made):
    """A file's bytes as GOAL text, and the lengths of its operations (s); None if they are in none of these forms.

    The lengths are in the order of the text, or None if the text has them.

    name: for messages. made: makes the operations of a collective (see `vef_program.goal`). Raises CongestreeError with
    place, fact and remedy if they are, and make no sense.
    """
    if binary_goal.is_one(data):
        return binary_goal.read(data, name), None
    data = data.removeprefix(codecs.BOM_UTF8)
    if vef.is_one(data):
        return vef_program.goal(vef.read(data, name), name, made)
    return None
