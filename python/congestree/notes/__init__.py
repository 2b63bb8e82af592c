"""Notes on a scenario: sentences about what works, and may not be what was meant."""

from . import blockwise, too_late, without_effect


def of_scenario(scenario, hosts, engine_notes, groups):
    """All notes on a resolved scenario.

    hosts: the number of hosts of its network. engine_notes: those that follow from the plan of a run, which only the
    engine has. groups: answers the hosts of every group of the network by its name, which takes long.
    """
    return [
        *engine_notes,
        *too_late.sentences(scenario, hosts, groups),
        *without_effect.sentences(scenario),
        *blockwise.sentences(scenario),
    ]
