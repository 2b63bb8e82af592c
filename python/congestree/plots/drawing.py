"""Congestion trees drawn on the fabric: hosts below, switches by levels above them, links in the colour of their tree.

    figure = congestree.drawing.draw_trees(run, at="3 ms")
    congestree.drawing.animate_trees(run, "trees.gif")

The level of a switch is its distance from the nearest one that has hosts. Links between switches of one level are
drawn as arcs. Needs the tables of the probe `trees`; without them everything here raises CongestreeError.

run: a `Run`.
ax: axes of matplotlib to draw into, by default those of a new figure.
"""

import subprocess
from collections import Counter, deque
from pathlib import Path

import numpy as np

from ..columns import by_flow, numbers
from ..errors import AskedError, CongestreeError
from ..evaluation import trees
from ..evaluation.links import told_apart
from ..evaluation.trees.facts import UNSAMPLED
from ..evaluation.trees.samples import by_sample
from ..quantities import in_words
from ..runs import arguments
from ..runs.results import a_run
from .style import COLOURS, alone, axes, draws_run, take_literally

MOST_FRAMES = 120
"""Frames of an animation, unless more are asked for."""
SLOWEST = 0.01
"""Samples per second of an animation, at least: a GIF shows none for longer than 655 s."""
NUMBERED = 6
"""Up to this number of trees, the legend says where the root of each is."""
NAMED = 40
"""Up to this number of nodes, each has its name written next to it."""
BESIDE = 5
"""Up to this number of letters names of hosts are written horizontally; longer ones are turned."""


class Fabric:
    """The links of the fabric and the position at which each device is drawn, from the table `ports` of a run."""

    def __init__(self, run):
        ports = run.arrow("ports")
        self.origin, self.end = ports["from"].to_pylist(), ports["to"].to_pylist()
        plain, met = ports["name"].to_pylist(), Counter()
        self.names, self.beside = told_apart(plain), []
        for name in plain:
            self.beside.append(met[name])
            met[name] += 1
        self.hosts = run.hosts
        self.switches = list(dict.fromkeys(self.origin[len(self.hosts) :]))
        self.levels = self._levels()
        self.place = self._places()

    def _neighbours(self):
        around = {node: [] for node in (*self.hosts, *self.switches)}
        for a, b in zip(self.origin, self.end, strict=True):
            around[a].append(b)
        return around

    def _levels(self):
        """Distance of each switch from the nearest one with hosts."""
        around, hosts = self._neighbours(), set(self.hosts)
        level = {switch: 0 for switch in self.switches if hosts & set(around[switch])}
        edge = deque(level)
        while edge:
            switch = edge.popleft()
            for other in around[switch]:
                if other not in hosts and other not in level:
                    level[other] = level[switch] + 1
                    edge.append(other)
        return {switch: level.get(switch, 0) for switch in self.switches}

    def _places(self):
        """{node: (x, y)}: hosts by their switch, every level spread evenly and in the order of the level below."""
        around, hosts = self._neighbours(), set(self.hosts)
        place, x = {}, 0.0
        for switch in self.switches:
            mine = [node for node in around[switch] if node in hosts]
            for host in mine:
                place[host] = (x, 0.0)
                x += 1.0
            x += 0.6 if mine else 0.0
        width = max(x - 0.6, 1.0)
        for height in range(max(self.levels.values(), default=0) + 1):
            level = [switch for switch in self.switches if self.levels[switch] == height]
            below = {s: np.mean([place[n][0] for n in around[s] if n in place] or [width / 2]) for s in level}
            level.sort(key=lambda switch: round(below[switch], 6))  # equal ones stay in the order of the fabric
            even = np.linspace(0, width, 2 * len(level) + 1)[1::2]
            for switch, spread in zip(level, even, strict=True):
                place[switch] = (below[switch] if height == 0 else spread, height + 1.0)
        return place

    def line(self, port, side=0.0):
        """Points from the sender to the receiver of a port, shifted right by `side` to separate the two directions.

        Of parallel links each is shifted by that much more than the one before.
        """
        (x0, y0), (x1, y1) = self.place[self.origin[port]], self.place[self.end[port]]
        along = np.linspace(0, 1, 25 if y0 == y1 else 2)
        bend = 0.25 * np.sin(np.pi * along) if y0 == y1 else 0.0
        length = np.hypot(x1 - x0, y1 - y0) or 1.0
        away = side * (1 + self.beside[port]) * np.array([y1 - y0, x0 - x1]) / length
        return x0 + (x1 - x0) * along + away[0], y0 + (y1 - y0) * along + bend + away[1]


def count_hosts(run):
    """The number of hosts in the network of a run; their ports come first."""
    return len(a_run("count_hosts", run).hosts)


def moment(run, at=None):
    """The time (s) of the sample nearest to `at` ("3 ms" or s); by default the one in which trees hold most links.

    Raises CongestreeError if `at` is not a time within the run.
    """
    trees.require(a_run("moment", run))
    times = trees.sample_times(run)
    if not times:
        raise CongestreeError(UNSAMPLED)
    if at is not None:
        wanted = arguments.span("at", at)
        if wanted > run.duration * (1 + 1e-9):
            raise AskedError(f"There is nothing at {at}: the run lasts {in_words(run.duration, 's')}.")
        return min(times, key=lambda time: abs(time - wanted))
    number, held = by_sample(run)
    return times[int(np.where(number > 0, held, -1).argmax()) if number.any() else -1]


@draws_run
def draw_trees(run, at=None, ax=None):
    """A figure of the fabric and its congestion trees at one instant.

    A link held by a tree has the colour of the tree; it is dashed if only victims wait for it. A star is a root. Hosts
    that feed a tree are filled, hosts of victims have a cross. `at` is a time such as "3 ms", or s: the sample
    nearest to it is shown, by default the one in which trees hold most links. Needs the probe `trees`.
    """
    at = moment(run, at)
    fabric = Fabric(run)
    width = max(6.0, min(14.0, 0.28 * len(fabric.hosts) + 3))
    figure, ax = axes(ax, figsize=(width, 1.6 + 1.3 * (max(fabric.levels.values(), default=0) + 1)))
    _draw(ax, fabric, _State(run), at)
    return figure


class _State:
    """The tables of the trees, prepared for one instant after the other."""

    def __init__(self, run):
        self.run = run
        self.name = run._scenario.get("name") or ""
        self.links = {key: numbers(column) for key, column in _columns(run, "tree_links")}
        self.trees = {key: numbers(column) for key, column in _columns(run, "trees")}
        self.flows = {key: numbers(column) for key, column in _columns(run, "tree_flows")}
        self.sources = by_flow(run, "source")
        self.held = dict(zip(trees.sample_times(run), by_sample(run)[1].tolist(), strict=True))

    def at(self, time):
        """Trees, links and flows of a sample: lists of dicts."""
        trees = _rows(self.trees, np.isclose(self.trees["time"], time, rtol=1e-9, atol=0))
        here = (self.links["from"] <= time * (1 + 1e-9)) & (self.links["to"] > time * (1 + 1e-9))
        end = np.isclose(self.links["to"], time) & np.isclose(time, self.run.duration)
        links = _rows(self.links, (here | end) & np.isin(self.links["tree"], [tree["tree"] for tree in trees]))
        alive = (self.flows["first"] <= time * (1 + 1e-9)) & (self.flows["last"] >= time * (1 - 1e-9))
        return trees, links, _rows(self.flows, alive)


def _columns(run, table):
    arrow = run.arrow(table)
    return zip(arrow.column_names, arrow.columns, strict=True)


def _rows(columns, chosen):
    keys = list(columns)
    return [dict(zip(keys, row, strict=True)) for row in zip(*(columns[key][chosen] for key in keys), strict=True)]


def _draw(ax, fabric, state, at):
    """One picture into empty axes."""
    from matplotlib.collections import LineCollection

    nodes = len(fabric.hosts) + len(fabric.switches)
    small = min(1.0, (60 / nodes) ** 0.5)
    trees_now, links, flows = state.at(at)
    every = [np.column_stack(fabric.line(port)) for port in range(len(fabric.names)) if _first(fabric, port)]
    ax.add_collection(LineCollection(every, colors="#d5d5d5", linewidths=max(0.3, 0.9 * small), zorder=1))
    for link in links:
        x, y = fabric.line(int(link["port"]), side=0.05)
        style = {"lw": 2.4 * small + 0.4} if link["carries"] else {"lw": 1.2 * small + 0.4, "ls": (0, (2, 1.5))}
        ax.plot(x, y, color=_colour(link["tree"]), zorder=3, **style)
    for tree in trees_now:
        x, y = fabric.line(int(tree["root"]), side=0.05)
        ax.plot(x, y, color=_colour(tree["tree"]), lw=3.4 * small + 0.6, zorder=4)
        ax.plot(x[-1], y[-1], "*", color=_colour(tree["tree"]), ms=6 + 9 * small, mec="black", mew=0.6, zorder=7)
    _nodes(ax, fabric, state, flows, {tree["tree"] for tree in trees_now}, small)
    counted = (len(trees_now), "tree"), (state.held[at], "link")
    some = (f"{count} {what}{'' if count == 1 else 's'}" for count, what in counted)
    what = f"{', '.join(some)} held" if trees_now else "no tree"
    ax.set_title(f"{state.name + ': ' if state.name else ''}{what} at {in_words(at, 's')}")
    _legend(ax, trees_now, fabric.names)
    xs = [x for x, _ in fabric.place.values()]
    ax.set_xlim(min(xs) - 0.8, max(xs) + 0.8)
    below = 0.55 + (0.06 * _longest(fabric) if _upright(fabric) else 0)
    ax.set_ylim(-below, max(y for _, y in fabric.place.values()) + 0.45)
    ax.set_axis_off()


def _first(fabric, port):
    """Each two-way link once."""
    return fabric.origin[port] < fabric.end[port] or fabric.end[port] not in fabric.place


def _nodes(ax, fabric, state, flows, living, small):
    feeding = {
        state.sources[row["flow"]]: row["tree"]
        for row in flows
        if row["role"] == "contributor" and row["tree"] in living
    }
    held = {state.sources[row["flow"]] for row in flows if row["role"] == "victim" and row["tree"] in living}

    def mark(nodes, sign, **look):
        """All nodes of one look at once: thousands of them one by one would take half a minute."""
        if nodes:
            ax.plot(*zip(*(fabric.place[node] for node in nodes), strict=True), sign, **look)

    faces = {host: _colour(feeding[host]) if host in feeding else "white" for host in fabric.hosts}
    for face in dict.fromkeys(faces.values()):
        alike = [host for host in fabric.hosts if faces[host] == face]
        mark(alike, "o", ms=1.5 + 4.5 * small, mfc=face, mec="#555555", mew=0.6, zorder=5)
    mark(
        [host for host in fabric.hosts if host in held],
        "x",
        ms=3 + 5 * small,
        color="black",
        mew=0.8 + 0.6 * small,
        zorder=6,
    )
    mark(fabric.switches, "s", ms=3 + 8 * small, mfc="white", mec="#333333", mew=0.8, zorder=5)
    if len(fabric.place) <= NAMED:
        for node, (x, y) in fabric.place.items():
            host = y == 0
            ax.annotate(
                node,
                (x, y),
                xytext=(0, -9) if host else (8, 8),
                textcoords="offset points",
                ha="center" if host else "left",
                va="top" if host else "center",
                rotation=90 if host and _upright(fabric) else 0,
                fontsize=7.5,
            )


def _upright(fabric):
    """Whether the names of hosts are vertical, since they would overlap otherwise."""
    return len(fabric.place) <= NAMED and _longest(fabric) > BESIDE


def _longest(fabric):
    return max(map(len, fabric.hosts), default=0)


def _legend(ax, trees_now, names):
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], color=_colour(tree["tree"]), lw=3, label=f"{names[tree['root']]}, {tree['depth']} deep")
        for tree in trees_now[:NUMBERED]
    ]
    if len(trees_now) > NUMBERED:
        marks.append(Line2D([], [], ls="", label=f"and {len(trees_now) - NUMBERED:,} more"))
    if trees_now:
        marks += [
            Line2D([], [], color="#555555", lw=1.4, ls=(0, (2, 1.5)), label="held, victims only"),
            Line2D([], [], marker="o", ls="", mfc="#555555", mec="#555555", ms=5, label="host that feeds a tree"),
            Line2D([], [], marker="x", ls="", color="black", ms=6, label="host of a victim"),
        ]
        ax.legend(handles=marks, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)


def _colour(tree):
    return COLOURS[int(tree) % len(COLOURS)]


@draws_run
def animate_trees(run, path, frames=MOST_FRAMES, fps=8, on_progress=None):
    """The trees over time as an animation: a GIF, or an MP4 if ffmpeg is installed. Returns the path.

    path: ends in .gif or .mp4. frames: the largest number of samples shown, spread evenly over the run. fps:
    samples shown per second. on_progress: called with the share of them that has been drawn. Raises CongestreeError
    for any other ending, for .mp4 without ffmpeg, for too few `frames` or `fps`, or if the run took no samples.
    """
    from matplotlib import animation

    trees.require(run)
    frames, fps = arguments.count("frames", frames), arguments.number("fps", fps, SLOWEST)
    path = Path(arguments.path("path", path))
    arguments.function("on_progress", on_progress)
    writers = {".gif": "pillow", ".mp4": "ffmpeg"}
    if path.suffix not in writers:
        raise CongestreeError(f"{path.name} should end in .gif or .mp4, which says what kind of animation it is.")
    if not animation.writers.is_available(writers[path.suffix]):
        raise CongestreeError("For .mp4 the program ffmpeg must be installed; .gif works without.")
    times = trees.sample_times(run)
    if not times:
        raise CongestreeError(UNSAMPLED)
    chosen = [times[i] for i in np.unique(np.linspace(0, len(times) - 1, min(frames, len(times))).round().astype(int))]
    fabric, state = Fabric(run), _State(run)
    width = max(7.0, min(12.0, 0.28 * len(fabric.hosts) + 4))
    figure, ax = axes(figsize=(width, 1.6 + 1.3 * (max(fabric.levels.values(), default=0) + 1)))
    writer = animation.writers[writers[path.suffix]](fps=fps)
    figure.set_layout_engine("none")
    ax.set_position([0.02, 0.04, 0.72, 0.84])
    from ..runs.writing import write_file

    def write(temporary):
        named = temporary.with_suffix(path.suffix)
        try:
            with writer.saving(figure, str(named), dpi=110):
                for number, time in enumerate(chosen):
                    if on_progress is not None:
                        on_progress(number / len(chosen))
                    ax.clear()
                    _draw(ax, fabric, state, time)
                    take_literally(ax)
                    writer.grab_frame()
            named.replace(temporary)
        except subprocess.CalledProcessError:
            raise CongestreeError(f"ffmpeg could not make {path.name}; .gif works without it.") from None
        finally:
            named.unlink(missing_ok=True)

    write_file(path, write)
    return path


@draws_run
def plot_trees(run, ax=None):
    """The number of trees over time, and the number of links that they hold."""
    trees.require(run)
    times, (number, links) = np.array(trees.sample_times(run)), by_sample(run)
    from ..quantities import scale_for

    figure, ax = axes(ax)
    factor, unit = scale_for("s", run.duration)
    ax.plot(times * factor, links, color=COLOURS[1], label="links held", **alone(links))
    ax.plot(times * factor, number, color=COLOURS[0], label="trees", **alone(number))
    name = run._scenario.get("name")
    ax.set(xlabel=f"time ({unit})", ylabel="number", title=f"{name}: congestion trees" if name else "congestion trees")
    ax.set_xlim(0, run.duration * factor)
    ax.set_ylim(0, max(1.0, 1.05 * max(links.max(initial=0), number.max(initial=0))))
    ax.yaxis.get_major_locator().set_params(integer=True)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure
