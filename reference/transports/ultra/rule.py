"""The settings of Ultra Ethernet in a scenario, and the parts that they describe."""

from collections.abc import Callable
from dataclasses import dataclass

from reference.network.idle import idle_round_trip
from reference.quantities import given, size, span
from reference.transports.ultra.nscc import NsccRule, read_nscc
from reference.transports.ultra.paths import read_paths
from reference.transports.ultra.rccc import Granter, RcccRule, read_rccc
from reference.transports.ultra.receiver import Receiver
from reference.transports.ultra.sender import Sender


@dataclass
class UltraRule:
    """The settings of Ultra Ethernet in a scenario."""

    ordered: bool  # messages of a flow count as received in their order
    paths: Callable  # makes those of a flow
    ack_after: int
    timeout: int
    control_lane: int | None
    nscc: NsccRule | None
    rccc: RcccRule | None
    round_trip: int | None  # else that of the flow's path
    most_window: float

    @classmethod
    def read(cls, parameters: dict):
        """Read the settings of a scenario."""
        control = given(parameters, "congestion_control", "nscc")
        round_trip = parameters.get("round_trip")
        return cls(
            ordered=given(parameters, "delivery", "unordered") == "ordered",
            paths=read_paths(given(parameters, "paths", "mixed")),
            ack_after=size(given(parameters, "ack_after", "16384 B")),
            timeout=span(given(parameters, "timeout", "100 us")),
            control_lane=parameters.get("control_lane"),
            nscc=read_nscc(given(parameters, "nscc", {})) if control in ("nscc", "both") else None,
            rccc=read_rccc(given(parameters, "rccc", {})) if control in ("rccc", "both") else None,
            round_trip=None if round_trip is None else span(round_trip),
            most_window=given(parameters, "most_window", 1.5),
        )

    def ends(self, flow) -> tuple:
        """Both ends of a flow."""
        return Sender(flow, self, flow.source.setup.seed), Receiver(self)

    def granter(self, host, sources: list[int]) -> Granter | None:
        """The credit that a host grants to its senders."""
        if self.rccc is None:
            return None
        trips = [idle_round_trip(host.fabric, source, host.number) for source in sources]
        round_trip = self.round_trip or max(trips, default=0)
        window = self.most_window * (host.upstream.rate / 8.0 * (round_trip / 1e12))
        return Granter(self.rccc, host, round_trip, int(window))
