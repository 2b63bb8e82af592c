"""Steady sources that are polled: they make their messages late, so that none waits behind a throttled one."""


class Polling:
    """The polled sources of a host."""

    def __init__(self, host):
        self.host = host
        self.sources = []
        self.latest = {}  # by source: the flow of its latest message
        self.takes_turns = None  # whether they take part in the turns of their host: not known yet
        self.counts = {"joined": 0, "not joined": 0}

    def join_turns(self) -> None:
        """The host chooses a flow. If its polled sources take turns, each with a message due makes it.

        It does not if its latest message may still be sent, were there room for it.
        """
        host = self.host
        if not self.sources or not host.is_free() or (host.control and host.control_that_fits() is not None):
            return
        if self.takes_turns is None:
            self.takes_turns = self.beside_others() or self.differ_in_lanes()
        if not self.takes_turns:
            return
        for source in self.sources:
            while not self.offers(source) and source.wants_to_make():
                self.make(source)
                self.counts["joined" if self.offers(source) else "not joined"] += 1

    def beside_others(self) -> bool:
        """Whether the host has flows that none of its polled sources feeds."""
        return any(flow.source not in self.sources for flow in self.host.flows)

    def differ_in_lanes(self) -> bool:
        """Whether lanes have an order, and sources are in different ones."""
        in_order = self.host.schedule is not None or self.host.lane_turn is not None
        return in_order and len({frozenset(source.all_lanes()) for source in self.sources}) > 1

    def offers(self, source) -> bool:
        """Whether the latest message of a source may be sent, if there is room for it."""
        return source in self.latest and self.host.may_send(self.latest[source])

    def make(self, source) -> None:
        """A source makes the message that is due."""
        self.latest[source] = source.asked_to_make()

    def ask(self) -> bool:
        """A source whose message is due makes it, if there is such a source; of several one is drawn by their rates.
        Sources in a lane in which a packet already waits for credit are not asked: their packets would only join it. A
        source whose lane is not known before it has drawn is asked as long as there is another lane that it may draw.
        """
        host = self.host
        if not host.is_free():
            return False
        held = {flow.lane for flow in host.flows if host.may_send(flow)} | {packet.lane for packet in host.control}
        willing = [source for source in self.sources if source.lanes() - held and source.wants_to_make()]
        if willing:
            self.make(self.draw(willing))
        return bool(willing)

    def draw(self, sources):
        """One of several sources, each as likely as its share of their rates; random numbers are those of the first."""
        if len(sources) == 1:
            return sources[0]
        left = sources[0].arrival_rng.unit() * sum(source.steady_rate() for source in sources)
        for source in sources:
            left -= source.steady_rate()
            if left < 0:
                break
        return source
