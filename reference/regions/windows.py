"""Control (RCC): harmful flows leave an output by windows.

The bytes sent in a time T are measured from when congestion is known, or counted all the time: W bytes, of which W_c
belong to harmful flows. What is counted all the time is what has left in the last `least_window`, and T is the time
since the first of it left; if it left at fewer than four instants, it is measured from when congestion is known. Then
windows follow each other. In each, harmful flows may send W_c (1 - F_b/128), where W_c is what they were allowed in
the previous window and F_b the highest degree reported in it; the packet that reaches this limit is still sent. The
window ends with the packet that completes W, or T after it began, before everything else that happens at that instant.
If no degree was reported in it, control ends.
"""

from reference.regions.rule import RegionRule

WINDOW = 0.4  # the rank of the end of a window: before everything else at its time
LEAST = 1500.0  # bytes that harmful flows may send in any window
ENOUGH = 4  # instants at which packets must have left for a count


class Windows:
    """The windows of one output. `state` is none, "measuring" or "pacing"."""

    def __init__(self, rule: RegionRule, switch, port: int):
        self.rule, self.switch, self.fabric, self.port = rule, switch, switch.fabric, port
        self.state: str | None = None
        self.begun = 0  # windows so far
        self.history: list[tuple] = []  # of each: its start, number, bytes, time, and the bytes allowed now and before
        self.counts = dict.fromkeys(("measured", "counted", "full", "over", "ended", "held"), 0)
        self.sent: list[tuple] = []  # packets that have left: when, bytes, flow of data

    # ---- measuring ----------------------------------------------------------------------------------------------

    def tells(self, degree: int, waiting: set) -> None:
        """The output is congested to this degree, or its region is; these harmful flows wait for it."""
        if self.state is None:
            self.state, self.first = "measuring", self.fabric.now
            self.begins_to_measure(waiting)
            self.degree = degree
        else:
            self.degree = max(self.degree, degree)

    def begins_to_measure(self, waiting: set) -> None:
        """W is measured from now on until these flows have sent."""
        self.since, self.missing = self.fabric.now, set(waiting)
        self.total = self.harmful = 0

    def stop(self) -> None:
        """The control ends."""
        self.state = None

    def counted(self, flows) -> tuple[int, int, int] | None:
        """What was sent recently, in which time, and by harmful flows, if they have sent and there is a rate."""
        lately = [sent for sent in self.sent if self.fabric.now - sent[0] < self.rule.least_window]
        if len({time for time, _, _ in lately}) < ENOUGH:
            return None
        theirs = sum(size for _, size, flow in lately if flow is not None and flow in flows)
        took = self.fabric.now - lately[0][0]
        return (sum(size for _, size, _ in lately), took, theirs) if theirs else None

    # ---- windows ------------------------------------------------------------------------------------------------

    def begin(self, length: int, lasts: int, before: float, degree: int) -> None:
        """A window begins, with these bytes and this length; harmful flows had this many bytes before."""
        self.state, self.begun = "pacing", self.begun + 1
        self.length, self.lasts = length, lasts
        self.share = max(before * (1.0 - degree / 128.0), LEAST)
        self.total = self.harmful = self.degree = 0
        self.history.append((self.fabric.now, self.begun, length, lasts, self.share, before))
        self.fabric.at(self.fabric.now + lasts, WINDOW, self.port, self.switch, self.is_over, self.begun)

    def is_over(self, number: int) -> None:
        """The time of a window is over, unless it was full before."""
        if self.state == "pacing" and self.begun == number:
            self.counts["over"] += 1
            self.end()

    def end(self) -> None:
        """The next window begins if a degree was reported in this one."""
        if self.degree == 0:
            self.counts["ended"] += 1
            self.stop()
        else:
            self.begin(self.length, self.lasts, self.share, self.degree)

    def leaves(self, size: int, flow: int | None, flows) -> None:
        """A packet of this size leaves; of that flow, if it is data."""
        harmful = flow is not None and flow in flows
        if self.state is None:
            return
        self.total += size
        self.harmful += size if harmful else 0
        if self.state == "pacing":
            if self.total >= self.length:
                self.counts["full"] += 1
                self.end()
            return
        self.missing = {other for other in self.missing if other in flows and other != flow}
        now, least = self.fabric.now, self.rule.least_window
        all_have = not self.missing and self.harmful > 0
        if now - self.since >= least and (all_have or now - self.first >= 10 * least):
            self.counts["measured"] += 1
            self.begin(self.total, now - self.since, float(self.harmful), self.degree)

    def holds(self) -> bool:
        """Whether harmful flows have used their share."""
        return self.state == "pacing" and self.harmful >= self.share
