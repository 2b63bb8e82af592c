"""The transports by their names in a scenario, and the interface between a host and either end of a flow.

A rule gives both `ends` of a flow. The sending end has what is `due`, packets on their way (`flight`), whether what is
due `fills` a gap, the packets known to have `arrived`, and `counts` of losses by how they were found. The receiving
end says whether a packet is useful, what is answered, and whether messages count as received in their order
(`ordered`).
"""

from reference.quantities import choice
from reference.transports.efl import EflRule
from reference.transports.go_back_n import GoBackRule
from reference.transports.irn import IrnRule
from reference.transports.new_reno import RenoRule
from reference.transports.ultra.rule import UltraRule

TRANSPORTS = {"uet": UltraRule, "irn": IrnRule, "go-back-n": GoBackRule, "new-reno": RenoRule, "efl": EflRule}


def read_transport(scheme: dict):
    """What repairs losses, if anything does."""
    kind, parameters = choice(scheme["transport"])
    return None if kind == "none" else TRANSPORTS[kind].read(parameters)
