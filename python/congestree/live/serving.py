"""`congestree serve`: a live simulation for any program, over standard input and output.

Each input line is a JSON object with a `call` and its arguments; each output line is its answer: `{"ok": ...}`, or
`{"error": ...}`, which leaves everything unchanged. If the simulation stopped during the call, `notices` has the
notices until then. An `id` is returned with the answer.

    {"call": "open", "scenario": "fabric.toml"}         -> hosts, entries, end, notes
    {"call": "inject", "from": "h0", "to": "h1", "bytes": 4096, "at": "3 us", "rank": 0}     -> number
    {"call": "schedule", "at": "5 us", "what": 17}
    {"call": "advance", "until": "1 ms"}                -> now, notices
    {"call": "drain"}                                   -> now, notices
    {"call": "observe", "table": "ports"}               -> rows
    {"call": "change", "values": {"scheme.mark.red.max": "200 KiB"}}
    {"call": "close", "out": "runs/driven"}             -> trajectory, results, packet_hops, events

`out` is a folder for the results, with what the probes of the scenario recorded; without it they are not written.
"""

import json
import math

from ..errors import CongestreeError
from ..quantities import is_missing
from .driving import Live, counts

_ARGUMENTS = {
    "open": ({"scenario"}, {"values", "seed"}),
    "inject": ({"from", "to", "bytes"}, {"at", "rank", "entry"}),
    "schedule": ({"at", "what"}, {"rank"}),
    "advance": (set(), {"until"}),
    "drain": (set(), set()),
    "observe": ({"table"}, set()),
    "change": ({"values"}, set()),
    "close": (set(), {"out"}),
}
LONGEST = 1 << 28
"""The longest line that is read (bytes)."""


def serve(lines, write):
    """Answers every line; `write` takes an answer as text with its line break."""
    session = _Session()
    for line in lines:
        if line.strip():
            write(json.dumps(session.answer(line), allow_nan=False, default=str) + "\n")


class _Session:
    def __init__(self):
        self.live = None

    def answer(self, line):
        request = {}
        try:
            if len(line) > LONGEST:
                raise CongestreeError(f"A line has more than {LONGEST:,} characters: write shorter ones.")
            request = self._read(line)  # first of all, so that whatever is wrong with it is answered with its id
            self._check(request)
            return {**_id(request), "ok": self._do(request)}
        except CongestreeError as error:
            before = _as_objects(getattr(error, "notices", ()))
            return {**_id(request), "error": str(error), **({"notices": before} if before else {})}
        except RecursionError:
            return {"error": "The line is nested too deeply: write plain objects."}

    def _read(self, line):
        try:
            return json.loads(line, parse_constant=_no_number, parse_float=_number)
        except ValueError as error:
            raise CongestreeError(f"The line is not JSON ({error}): write one object a line.") from None

    def _check(self, request):
        call = request.get("call") if isinstance(request, dict) else None
        if not isinstance(call, str) or call not in _ARGUMENTS:
            raise CongestreeError(f'There is no such call: give "call", one of {", ".join(_ARGUMENTS)}.')
        needed, possible = _ARGUMENTS[request["call"]]
        given = set(request) - {"call", "id"}
        for name in sorted(needed - given):
            raise CongestreeError(f"{request['call']} needs {name}: give it.")
        for name in sorted(given - needed - possible):
            known = ", ".join(sorted(needed | possible)) or "nothing"
            raise CongestreeError(f'{request["call"]} knows no "{name}": it takes {known}.')

    def _do(self, request):
        arguments = {key: value for key, value in request.items() if key not in ("call", "id")}
        if request["call"] == "open":
            return self._open(**arguments)
        if self.live is None:
            raise CongestreeError("No simulation is open: open one first.")
        return getattr(self, "_" + request["call"])(arguments)

    def _open(self, scenario, values=None, seed=None):
        if self.live is not None:
            raise CongestreeError("A simulation is open already: close it first.")
        live = Live(scenario, values=values, seed=seed)
        self.live = live
        return {"hosts": live.hosts, "entries": live.entries, "end": live.end, "notes": live.notes}

    def _inject(self, arguments):
        source, destination, size = (arguments.pop(key) for key in ("from", "to", "bytes"))
        return {"number": self.live.inject(source, destination, size, **arguments)}

    def _schedule(self, arguments):
        at, what = arguments.pop("at"), arguments.pop("what")
        self.live.schedule(at, what, **arguments)
        return {}

    def _advance(self, arguments):
        return self._told(self.live.advance(**arguments))

    def _drain(self, _):
        return self._told(self.live.drain())

    def _told(self, notices):
        return {"now": self.live.now, "notices": _as_objects(notices)}

    def _observe(self, arguments):
        tables = self.live.observe()
        table = arguments["table"]
        if not isinstance(table, str) or table not in tables:
            raise CongestreeError(f"There is no table {table!r}: there are {', '.join(tables)}.")
        rows = tables[table].to_dicts()
        return {"rows": [{key: None if is_missing(value) else value for key, value in row.items()} for row in rows]}

    def _change(self, arguments):
        self.live.change(arguments["values"])
        return {}

    def _close(self, arguments):
        try:
            return counts(self.live.finish(**arguments).manifest) if arguments else self.live.close()
        finally:
            if self.live.closed:  # also if its results could not be written to the end
                self.live = None


def _as_objects(notices):
    """Notices as objects, each with the fields that it has; `what` may be null."""
    return [{k: v for k, v in notice._asdict().items() if v is not None or k == "what"} for notice in notices]


def _no_number(word):
    """NaN and Infinity, which Python reads, and no other program."""
    raise ValueError(f"{word} is not a number")


def _number(text):
    """A number that has not become infinity by being too large."""
    return float(text) if math.isfinite(float(text)) else _no_number(text)


def _id(request):
    return {"id": request["id"]} if isinstance(request, dict) and "id" in request else {}
