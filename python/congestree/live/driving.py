"""A simulation that a program drives: inject messages, advance time, look, change, go on.

    with congestree.Live("fabric.toml") as live:
        number = live.inject("h0", "h5", "1 MiB", at="3 us")
        live.schedule("10 us", "my own event")
        for notice in live.advance("1 ms"):
            print(notice.time, notice.kind, notice.what)

A scenario for it has an entry of traffic with `arrivals = "injected"`: its window, lane and service level are those of
the messages. Everything else that the scenario says happens besides. What is asked for one instant is done in the order
of (time, rank, sequence), after all else of that instant, so that a replay has the same fingerprint, whenever it was
asked for. A call that makes no sense (a time in the past, an unknown host, anything after close) raises `LiveError` and
changes nothing. Any thread may call it, one at a time. Ctrl-C ends `advance` and `drain` at once; what was delivered
until then is returned by the next call.
"""

import json
import math
import time
from numbers import Integral
from typing import NamedTuple

from .. import _engine, document, quantities
from ..errors import CongestreeError, ScenarioError
from ..runs import arguments, memory, running
from ..runs.writing import unbroken


class LiveError(CongestreeError):
    """A call that cannot be carried out, with its remedy.

    `notices` has what came about before a simulation came to a stop on the way (`drain`); otherwise nothing.
    """

    notices = ()


class Notice(NamedTuple):
    """An event that occurred: when (s), "delivered" or "due", and the number of the message or the external event.

    Of a delivered message also its data packets, how many of these arrived with a mark, and the number of its flow,
    which is its `number` in the table `completions`; otherwise these are None.
    """

    time: float
    kind: str
    what: object
    packets: int | None = None
    marked: int | None = None
    flow_number: int | None = None


class Live:
    """A simulation under way. Times are texts with a unit ("3 us") or seconds; sizes are texts or bytes.

    scenario, values, seed, limit_memory: as for `congestree.run`; the scenario must have a traffic entry with
    `arrivals = "injected"`.

    `hosts` and `entries` are the names of the hosts and of the traffic entries, in the order of their numbers. `notes`
    are sentences about what works, and may not be what was meant, such as values without effect. A call
    that makes no sense (an invalid scenario included) raises LiveError, which is a CongestreeError, and changes
    nothing; so does a call while another thread's call is under way. A file that cannot be read raises CongestreeError.

    What the scenario records (`measure.probes`) is in the `Run` that `finish` returns.
    """

    def __init__(self, scenario, *, values=None, seed=None, limit_memory="free"):
        values = {**arguments.by_path(values, LiveError), **({} if seed is None else {"seed": seed})}
        self._events, self._names = {}, 0
        self._injected, self._changes = 0, []
        self._begun = time.process_time()
        self._call(self._open, scenario, values, limit_memory)

    def _open(self, scenario, values, limit_memory):
        self._source = running.as_text(scenario, values)  # what becomes of a file later does not matter
        self._engine = _engine.Live.open(*self._source, memory.limit_of(limit_memory))
        hosts, entries, self._injected_entries, self._end = self._engine.facts()
        self.hosts, self.entries = tuple(hosts), tuple(entries)
        self._host = {name: number for number, name in enumerate(hosts)}
        self._entry = {name: number for number, name in enumerate(entries)}
        resolved, notes = self._engine.scenario()
        self.notes = tuple(_notes(json.loads(resolved), hosts, notes))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if not self.closed:
            self.close()

    def _ask(self, verb, *args):
        """Calls the engine, unless it is closed."""
        if self._engine is None:
            raise LiveError("The simulation is closed: open another one.")
        return self._call(getattr(self._engine, verb), *args)

    def _call(self, function, *args):
        try:
            return function(*args)
        except ScenarioError as error:  # its lines are for people already
            raise LiveError(str(error).rstrip()) from None
        except ValueError as error:
            raise _refused(str(error)) from None
        except OverflowError:
            raise LiveError("A number is too large or negative: correct it.") from None

    def _ps(self, time):
        return self._ask("now") if time is None else _ps(time)

    def _number(self, what, known, names):
        if isinstance(what, Integral) and not isinstance(what, bool):
            return int(what)
        if not isinstance(what, str) or what not in known:
            raise LiveError(f'There is no {names} "{what}".')
        return known[what]

    @property
    def now(self):
        """The current simulated time, in s."""
        return self._ask("now") / 1e12

    @property
    def end(self):
        """The end of the scenario, in s; nothing can be scheduled after it."""
        return self._end / 1e12

    @property
    def closed(self):
        """Whether it has ended (`close`, `finish`)."""
        return self._engine is None

    @property
    def open_messages(self):
        """The number of messages that are injected and not yet delivered."""
        return self._ask("open_messages")

    @property
    def fingerprints(self):
        """Fingerprints of all transmissions and of all deliveries so far."""
        return self._ask("fingerprints")

    def inject(self, source, destination, size, *, at=None, rank=None, entry=None):
        """Give a message to its source host, now or later; returns the number under which notices report it.

        It is the number of the call, counted from 1 over all calls of `inject` and `schedule`.

        source, destination: hosts by name or number.
        size: the size of the message, a text such as "1 MiB" or bytes.
        at: the time, a text or s; by default now.
        rank: orders the requests for one instant; by default the number of the source.
        entry: the traffic entry; by default the only one whose arrivals are injected.
        """
        from_ = self._number(source, self._host, "host")
        to = self._number(destination, self._host, "host")
        class_ = self._default_entry() if entry is None else self._number(entry, self._entry, "entry of traffic")
        at, rank = self._ps(at), from_ if rank is None else _rank(rank)
        number = self._ask("inject", at, rank, class_, from_, to, _bytes(size))
        self._injected += 1
        return number

    def _default_entry(self):
        if len(self._injected_entries) != 1:
            raise LiveError("Several entries take injected messages: name one with entry=.")
        return self._injected_entries[0]

    def schedule(self, at, what, *, rank=0):
        """Let `advance` stop at a time with a notice that contains `what`.

        at: when, a text or s. rank: orders the requests for one instant.
        """
        number = self._names = self._names + 1
        self._ask("schedule", _ps(at), _rank(rank), number)
        self._events[number] = what

    def advance(self, until=None):
        """Advance to the next notice, at most until a time (by default the end); returns notices, perhaps none.

        until: a text or s. A notice has `time` (s), `kind` ("delivered" or "due") and `what`: the number of the
        message, or what `schedule` was given. Of a delivered message it also has its data `packets`, how many of them
        arrived `marked`, and the `flow_number`: the `number` of the message in the table `completions`.
        """
        limit = self._end if until is None else _ps(until)
        return [self._notice(*notice) for notice in self._ask("advance", limit)]

    def drain(self):
        """Advance until nothing is left to do, or to the end; returns all notices. Other threads run meanwhile.

        Ctrl-C (KeyboardInterrupt) ends it at once; the next call returns the notices from before and goes on.
        If the simulation stops on the way (packets wait for each other in a cycle), the error contains the notices.
        """
        notices, refusal = self._ask("drain")
        told = [self._notice(*notice) for notice in notices]
        if refusal is not None:
            error = _refused(refusal)
            error.notices = told
            raise error
        return told

    def _notice(self, at, kind, what, counts):
        return Notice(at / 1e12, kind, self._events.pop(what) if kind == "due" else what, *(counts or ()))

    def observe(self):
        """Totals so far: a dict with the tables `flows` and `ports` as polars frames.

        Their columns are those of the result tables with these names, as far as they are known before the end; `units`
        and `meanings` describe them. Totals count from `measure.warm_up`: before it, counts are 0 and rates nan.
        `ports` also has the present state. `waiting`: bytes (B) of data packets in its switch that wait for the
        output; 0 for a host's own port (what waits in a host is what was injected there and not yet sent). `held`:
        whether packets wait for the link and flow control lets none of them start.
        """
        from ..runs import frames, parquet

        polars = frames.library()
        return {name: polars.from_arrow(parquet.arrow_table(columns)) for name, columns in self._ask("observe")}

    def units(self, name):
        """The unit of each column of a table of `observe` ("" for names and counts); name: "flows" or "ports"."""
        return {column: facts["unit"] for column, facts in self._columns(name).items()}

    def meanings(self, name):
        """The meaning of each column of a table of `observe`; name: "flows" or "ports"."""
        return {column: facts["meaning"] for column, facts in self._columns(name).items()}

    def _columns(self, name):
        tables = dict(self._ask("observe"))
        if name not in tables:
            raise LiveError(f"There is no table {name!r}: there are {', '.join(tables)}.")
        return tables[name]

    def change(self, values):
        """Change marking parameters from now on: `values` maps dotted paths below scheme.mark to new values."""
        values = arguments.by_path(values, LiveError)
        wrong = [path for path in values if not path.startswith("scheme.mark.")]
        if wrong:
            raise LiveError(f"{wrong[0]} cannot change while a simulation is open: only what is below scheme.mark can.")
        changed = running.overlaid(self._source, values)
        self._ask("change", *changed)
        self._source = changed
        self._changes.append({"at": self.now, "values": json.loads(document.to_json(values))})

    def close(self):
        """End the simulation: a dict with the fingerprints `trajectory` and `results`, `packet_hops` and `events`."""
        return counts(json.loads(self._end_engine().meta()))

    def finish(self, out=None):
        """End the simulation and return its results, a `Run` as of `congestree.run`: totals, and what probes recorded.

        out: a folder to write the results to, under the same rules as for `congestree.run`. One that cannot be used
        raises CongestreeError, and the simulation stays open.

        What is recorded is in memory until then. The manifest has the scenario as it was loaded, and as `driven` the
        number of injected `messages` and the `changes` of the marking ("at" (s) and "values"): such a run cannot be
        repeated from its scenario.
        """
        if out is None:
            return self._run()
        self._ask("now")  # if it is closed, no folder is made
        with running.folder_of_a_run(out) as folder, unbroken():
            run = self._run()
            run.save(folder)
        return run

    def _run(self):
        driven = {"messages": self._injected, "changes": self._changes}
        return running.wrapped(self._end_engine(), self._begun, {"driven": driven})

    def _end_engine(self):
        output = self._ask("close")
        self._engine = None
        return output


def _notes(scenario, hosts, engine_notes):
    """Notes on a resolved scenario that a program drives; hosts: the names of its hosts."""
    said = running.notes_on(scenario, hosts, engine_notes)
    threads = (scenario.get("run") or {}).get("threads") or 1
    if threads > 1:
        said.append(f"run.threads = {threads} has no effect: one core works on a driven simulation; leave it out.")
    return said


def counts(manifest):
    """What `close` tells of a simulation with this manifest."""
    told = {kind: manifest["fingerprint"][kind] for kind in ("trajectory", "results")}
    return {**told, "packet_hops": manifest["packet_hops"], "events": manifest["events"]}


def _refused(text):
    """The error of a refusal, which has fact and remedy on two lines."""
    fact, _, remedy = text.partition("\n")
    return LiveError(f"{fact[:1].upper()}{fact[1:]}: {remedy}.")


def _rank(number):
    """A number that orders the requests for one instant."""
    if not isinstance(number, Integral) or isinstance(number, bool):
        raise LiveError(f"{number!r} is not a rank: give a whole number.")
    return int(number)


def _ps(time):
    """A time in ps: a text with a unit, or seconds."""
    try:
        return round(quantities.seconds(time) * 1e12)
    except (ValueError, OverflowError):
        raise LiveError(f'{time!r} is no time: give a text with a unit, such as "3 us", or seconds.') from None


def _bytes(size):
    """A size in bytes: a text with a unit, or a number."""
    try:
        value = quantities.size(size)
        number = round(value)
    except (ValueError, OverflowError):
        raise LiveError(f'{size!r} is no size: give a text with a unit, such as "1 MiB", or bytes.') from None
    if not math.isclose(value, number):  # such as 2.01 * 1000, which is 2009.9999999999998
        raise LiveError(f"{size!r} is no whole number of bytes: round it.")
    return number
