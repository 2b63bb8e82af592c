"""Programs of applications in forms of others: schedules of LogGOPSim as it reads them (binary GOAL), and VEF traces.

text = programs.as_goal(data, "sweep.vef", made)     # GOAL as text, for the engine; None: it is neither
"""

import codecs

from . import binary_goal, vef, vef_program

__all__ = ["as_goal", "binary_goal", "vef"]


def as_goal(data, name, made):
    """A file's bytes as GOAL text, or None if they are in none of these forms.

    name: for messages. made: makes the operations of a collective (see `vef_program.goal`). Raises CongestreeError with
    place, fact and remedy if they are, and make no sense.
    """
    if binary_goal.is_one(data):
        return binary_goal.read(data, name)
    data = data.removeprefix(codecs.BOM_UTF8)
    if vef.is_one(data):
        return vef_program.goal(vef.read(data, name), name, made)
    return None
