"""The watchdog of outputs that are paused for too long (that of SONiC switches).

When a pause has lasted for `detection_time` and packets wait, it is taken for a storm. From then on the output ignores
it: waiting packets are dropped, or sent nevertheless. Every `restoration_time` the watchdog checks whether the pause
has been ended or has expired; if so, the output behaves normally again. While the link is down nobody can end a pause:
its time counts anew when the link is up.
"""

from dataclasses import dataclass

from reference.links.link import DETECT, PAUSE, RESTORE
from reference.quantities import given, span


@dataclass
class WatchdogRule:
    """The rule."""

    detect: int
    restore: int
    drops: bool


def read_watchdog(parameters: dict | None) -> WatchdogRule | None:
    """The settings of the watchdog in a scenario."""
    if parameters is None:
        return None
    return WatchdogRule(
        detect=span(given(parameters, "detection_time", "200 ms")),
        restore=span(given(parameters, "restoration_time", "200 ms")),
        drops=given(parameters, "action", "drop") == "drop",
    )


class Watchdog:
    """The watchdog of the wire out of one port of a switch."""

    def __init__(self, rule: WatchdogRule, wire, queued):
        self.rule = rule
        self.wire = wire
        self.queued = queued  # bytes that wait for the wire in a lane
        self.ignored: set[int] = set()  # lanes in which pauses are ignored
        self.look_at: dict = {}  # by lane

    def drops(self, lane: int) -> bool:
        """Whether packets that wait in this lane are to be dropped."""
        return self.rule.drops and lane in self.ignored

    def look_later(self, lane: int, after: int, due: int, action) -> None:
        """Check a lane again later."""
        fabric = self.wire.fabric
        self.look_at[lane] = fabric.now + after
        fabric.at(self.look_at[lane], PAUSE, (self.wire.sender_port, due, lane), self.wire.sender, action, lane)

    def paused(self, lane: int) -> None:
        """A pause begins."""
        self.look_later(lane, self.rule.detect, DETECT, self.detect)

    def link_is_up(self) -> None:
        """Pauses count from now on."""
        for lane in self.wire.paused:
            self.paused(lane)

    def goes_on(self, lane: int) -> None:
        """A pause has ended."""
        self.look_at[lane] = None

    def detect(self, lane: int) -> None:
        """A pause has lasted long (unless it has ended, and the event belongs to another one)."""
        if self.look_at[lane] != self.wire.fabric.now or self.wire.down:
            return
        if self.queued(lane) == 0:
            return self.look_later(lane, self.rule.detect, DETECT, self.detect)
        self.wire.go_on(lane)
        self.ignored.add(lane)
        self.look_later(lane, self.rule.restore, RESTORE, self.restore)

    def restore(self, lane: int) -> None:
        """Check whether the storm has ended."""
        if self.look_at[lane] != self.wire.fabric.now:
            return
        if lane in self.wire.asserted:
            return self.look_later(lane, self.rule.restore, RESTORE, self.restore)
        self.ignored.discard(lane)
        self.look_at[lane] = None
