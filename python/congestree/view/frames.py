"""The measurements of every link over time, at one sequence of instants: the frames that the page plays.

A frame is a sample of the fabric (probe `trees`), or of a run without samples (also one that ended before the first) a
bin of a series; the last bin ends with the run, and may be shorter. Of a series a frame shows the mean over the bins
that end after the frame before, or the bin that contains its instant if bins are longer; for a sample at t this is by
default just the bin that ends at t, and what comes after the last sample is not shown. If a run has more samples than
the page should contain, only every n-th is a frame; of two runs with the same instants, both have every n-th, so that
frames of one instant tell of the same span of time.
"""

from dataclasses import dataclass

import numpy as np

from ..columns import numbers
from ..errors import CongestreeError
from ..evaluation import trees
from ..quantities import seconds
from ..runs import arguments
from .limits import FEWEST_FRAMES, MOST_FRAMES

OVER_TIME = ("port_series", "buffer_series", "output_queue_series", "credit_series", "pauses", "marks")
"""Tables of links over time, one of which can be shown without samples."""
USUAL_FRAMES = 500
"""Frames, unless more are requested."""
MOST_VALUES = 25_000_000
"""Links times frames of one quantity, unless more frames are requested."""
ROUNDING = 1e-6
"""Instants that differ by less than this share of a bin are the same."""


@dataclass
class Quantity:
    """Something that every link has at every instant.

    id: one for each measurement, as the page compares what has the same id in two runs; values: ports x frames, in the
    unit, NaN where nothing was recorded; full: the value at the end of the colour scale (None: the largest).
    """

    id: str
    label: str
    meaning: str
    unit: str
    values: np.ndarray
    full: float | None = None


class Frames:
    """The instants that are shown, and how bins are assigned to them.

    times: in s; all: the instants, in s, of which these are some; samples: the number of the sample (from 0) that each
    frame shows, empty if the run has no samples. most: frames at most, a whole number within the limits of `limits.py`
    (others raise AskedError); step: one in so many instants is a frame, or fewer if those are too many.
    """

    def __init__(self, run, most=None, step=1):
        if most is not None:
            most = arguments.count("frames", most, FEWEST_FRAMES, MOST_FRAMES)
        self.run = run
        self.bin = seconds(run._scenario["measure"]["bin"])
        samples = trees.sample_times(run) if "trees" in run.tables else []
        self.sampled = bool(samples)
        instants = samples or (self._bins() if any(table in run.tables for table in OVER_TIME) else [])
        if not instants:
            what = (
                "first sample: make measure.sampling_interval shorter"
                if "trees" in run.tables
                else "first bin: make it run longer"
            )
            raise CongestreeError(f"There is nothing to view: the run ended before its {what}.")
        ports = run.arrow("ports", ["port"]).num_rows
        self.most = max(50, min(USUAL_FRAMES, MOST_VALUES // max(ports, 1))) if most is None else most
        self.step = max(step, -(-len(instants) // self.most))
        chosen = np.arange(self.step - 1, len(instants), self.step)
        if not len(chosen) or chosen[-1] != len(instants) - 1:
            chosen = np.append(chosen, len(instants) - 1)
        self.all = np.array(instants)
        self.samples = chosen if self.sampled else np.array([], dtype=int)
        self.times = self.all[chosen]
        self.first, self.last = self._spans()

    def _bins(self):
        """Where the bins end; the last one ends with the run."""
        bins = self.run.duration / self.bin
        whole = int(bins + ROUNDING)
        ends = [self.bin * k for k in range(1, whole + 1)]
        return [*ends, self.run.duration] if bins - whole > ROUNDING else ends

    def _spans(self):
        """The first bin and the one after the last that each frame shows."""
        last = np.maximum(np.ceil(self.times / self.bin - ROUNDING).astype(int), 1)
        first = np.minimum(np.concatenate([[0], last[:-1]]), last - 1)
        return first, last

    def of_time(self, times):
        """The frame that an instant falls to: the first that is not before it; the number of frames if none is."""
        return np.searchsorted(self.times * (1 + 1e-9), times)

    def lengths(self, bins):
        """How long bins are, by their numbers: the run ends with the last of them, which may be shorter."""
        return np.clip(self.run.duration - np.asarray(bins) * self.bin, self.bin * 1e-9, self.bin)

    def per_second(self, times, amounts, least=0.0):
        """Amounts in the bins that begin at these instants, divided by the length of the bin. A last one shorter than
        `least` of a full bin is divided by that length: whole packets in a very short time would give any rate."""
        lengths = np.maximum(self.lengths(np.rint(np.asarray(times) / self.bin)), least * self.bin)
        return np.asarray(amounts, dtype=float) / lengths

    def spread(self, rows, times, values, count):
        """A long table (a row, the start of a bin, a mean over the bin) as rows x frames: means over bins."""
        bins = np.rint(np.asarray(times) / self.bin).astype(int)
        rows, parts = np.asarray(rows), np.asarray(values, dtype=float) * self.lengths(bins) / self.bin
        sums = _sums(rows, np.searchsorted(self.last, bins, side="right"), parts, (count, len(self.times)))
        again = np.flatnonzero(self.first[1:] < self.last[:-1]) + 1  # frames in the last bin of the frame before
        if len(again):
            shown, of = np.unique(self.first[again], return_inverse=True)
            column = np.where(np.isin(bins, shown), np.searchsorted(shown, bins), len(shown))
            sums[:, again] = _sums(rows, column, parts, (count, len(shown)))[:, of]
        return sums / (self.last - self.first - 1 + self.lengths(self.last - 1) / self.bin)

    def counted(self, rows, times, count, weights=None):
        """Events (a row, an instant) as rows x frames: how many since the frame before."""
        sums = np.zeros((count, len(self.times)))
        frame = self.of_time(np.asarray(times))
        inside = frame < len(self.times)
        added = 1.0 if weights is None else np.asarray(weights, dtype=float)[inside]
        np.add.at(sums, (np.asarray(rows)[inside], frame[inside]), added)
        return sums


def of_runs(runs, most=None):
    """The frames of each of one or two runs, at most `most`; with one step if one run has the instants of the other,
    unless that leaves too few."""
    found = [Frames(run, most) for run in runs]
    step = max(frames.step for frames in found)
    least = min(len(frames.all) for frames in found)
    first, last = (frames.all[: least - 1] for frames in (found[0], found[-1]))  # the end may cut the last bin short
    if least // step < FEWEST_FRAMES or not np.allclose(first, last, rtol=1e-9, atol=0):
        return found
    return [frames if frames.step == step else Frames(frames.run, most, step) for frames in found]


def _sums(rows, columns, amounts, shape):
    """Amounts added up by row and column; those of columns behind the last are left out."""
    sums = np.zeros(shape)
    inside = columns < shape[1]
    np.add.at(sums, (rows[inside], columns[inside]), amounts[inside])
    return sums


def quantities(run, frames, ports):
    """Everything that the run has recorded of its links over time."""
    found = [quantity for make in _MAKERS for quantity in make(run, frames, ports)]
    return sorted(found, key=lambda quantity: _ORDER.index(quantity.id))


def _columns(run, table, *names):
    arrow = run.arrow(table, list(names))
    return [numbers(arrow[name]) for name in names]


def _port_series(run, frames, ports):
    """What is carried, waits and is held, from one reading of the longest table."""
    if "port_series" not in run.tables:
        return
    time, port, carried, held, blocked = _columns(run, "port_series", "time", "port", "bytes", "held", "blocked")
    rate = numbers(run.arrow("ports", ["rate"])["rate"]).astype(float)
    values = frames.spread(port, time, frames.per_second(time, carried), ports) * 8 / rate[:, None]
    yield Quantity("use", "use", "share of the link's rate that is carried", "%", 100 * values, 100.0)
    values = frames.spread(port, time, held, ports)
    yield Quantity("held", "queue behind", "mean packets in the input buffer at the far end", "packets", values)
    values = 100 * frames.spread(port, time, frames.per_second(time, blocked), ports)
    yield Quantity("blocked", "time held", "share of time that flow control held the link", "%", values, 100.0)


def _buffer(run, frames, ports):
    meaning = "mean of what the input buffer at the far end holds"
    yield from _mean_of(run, frames, ports, "buffer_series", ("buffer", "buffer behind", meaning))


def _output_queue(run, frames, ports):
    named = ("output-queue", "output queue", "mean of what waits for the link")
    yield from _mean_of(run, frames, ports, "output_queue_series", named)


def _mean_of(run, frames, ports, table, named):
    """The column `mean` of a table, in B; named: id, label and meaning."""
    if table not in run.tables:
        return
    time, port, mean = _columns(run, table, "time", "port", "mean")
    yield Quantity(*named, "B", frames.spread(port, time, mean, ports))


def _waiting(run, frames, ports):
    if "input_queue_series" not in run.tables or not frames.sampled:
        return
    time, output, waits = _columns(run, "input_queue_series", "time", "output_port", "bytes")
    at = frames.of_time(time * (1 - 1e-9))
    seen = (at < len(frames.times)) & np.isclose(frames.times[np.minimum(at, len(frames.times) - 1)], time, rtol=1e-9)
    values = np.zeros((ports, len(frames.times)))
    np.add.at(values, (output[seen], at[seen]), waits[seen].astype(float))
    yield Quantity("waiting", "waiting for it", "what waits at the inputs of the switch for this link", "B", values)


def _paused(run, frames, ports):
    """The share of time in which a lane of a link was told to pause, from its frames."""
    if "pauses" not in run.tables:
        return
    time, port, lane, what = _columns(run, "pauses", "time_ps", "port", "lane", "event")
    edges = np.concatenate([[0.0], frames.times])
    values = np.zeros((ports, len(frames.times)))
    since, asked, ignored = {}, {}, {}
    for at, number, of, word in zip((time * 1e-12).tolist(), port.tolist(), lane.tolist(), what, strict=True):
        lanes, but = asked.setdefault(number, set()), ignored.setdefault(number, set())
        # From the intervention of the watchdog until its end, the port ignores pauses of that lane.
        acts = {"pause": lanes.add, "resume": lanes.discard, "storm": but.add, "restored": but.discard}
        acts["expired"] = lanes.discard
        acts[word](of)
        if lanes - but:
            since.setdefault(number, at)
        elif number in since:
            _fill(values[number], edges, since.pop(number), at)
    for number, start in since.items():
        _fill(values[number], edges, start, edges[-1])
    values = 100 * values / np.diff(edges)
    yield Quantity("paused", "time paused", "share of time that a lane of the link was paused", "%", values, 100.0)


def _fill(row, edges, start, end):
    """Adds the part of each frame that lies between two instants."""
    first, last = np.searchsorted(edges, start, "right") - 1, np.searchsorted(edges, end, "left")
    for frame in range(max(first, 0), min(last, len(row))):
        row[frame] += max(0.0, min(end, edges[frame + 1]) - max(start, edges[frame]))


def _by_output(run, table):
    """Rows of a table of events at outputs, as (port, time, credit)."""
    if "output_port" in run.units(table):
        return _columns(run, table, "output_port", "time", "credit")
    # Runs of before 0.1.0 have names only, which links side by side share.
    output, time, credit = _columns(run, table, "output", "time", "credit")
    number = {name: i for i, name in enumerate(run.arrow("ports", ["name"])["name"].to_pylist())}
    known = np.array([name in number for name in output], dtype=bool)
    return np.array([number[name] for name in output[known]], dtype=int), time[known], credit[known]


def _marks(run, frames, ports):
    if "marks" not in run.tables:
        return
    port, time, _ = _by_output(run, "marks")
    # A rate, as frames of two runs that are compared may be unequally long.
    values = frames.counted(port, time, ports) / (np.diff(frames.times, prepend=0.0) * 1e6)
    meaning = "packets marked at this output a microsecond, since the frame before"
    yield Quantity("marks", "marks", meaning, "packets/us", values)


def _credits(run, frames, ports):
    if "credit_series" not in run.tables:
        return
    time, port, credit = _columns(run, "credit_series", "time", "port", "credit")
    values = _mean(frames, port, time * (1 - 1e-9), ports, credit)
    yield Quantity("credits", "credit", "mean of what flow control let the lanes of the link send", "B", values)


def _credits_at_marks(run, frames, ports):
    tables = [table for table in ("marks", "congestion") if table in run.tables]
    if not tables:
        return
    parts = [_by_output(run, table) for table in tables]
    port, time, credit = (np.concatenate([part[i] for part in parts]) for i in range(3))
    known = ~np.isnan(credit.astype(float))
    if not known.any():
        return
    values = _mean(frames, port[known], time[known], ports, credit[known])
    meaning = "mean credit of this output when it marked or changed its state"
    yield Quantity("credits-at-marks", "credit at marks", meaning, "B", values)


def _mean(frames, port, time, ports, values):
    """The mean of the recorded values of each port since the frame before; NaN if there is none."""
    total, times = frames.counted(port, time, ports, values), frames.counted(port, time, ports)
    return np.divide(total, times, out=np.full_like(total, np.nan), where=times > 0)


_MAKERS = (_port_series, _buffer, _output_queue, _waiting, _paused, _marks, _credits, _credits_at_marks)
"""What makes the quantities of one table each; none of a run that has not recorded it."""
_ORDER = (
    "use", "held", "buffer", "output-queue", "waiting", "blocked", "paused", "marks", "credits", "credits-at-marks",
)  # fmt: skip
"""The ids of quantities, in the order in which the page offers them."""
