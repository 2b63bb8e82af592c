"""What a run has recorded of flows, transfers and packets, in the tables that `congestree run` prints and reports have.

Flows and transfers are those that start after the warm-up, as in plots.
"""

from ...quantities import in_words, is_missing
from .. import transfers
from ..active import warm_up
from . import latency

SIZES = ("below 1 MB", "1 MB to 10 MB", "10 MB and more")
"""Names of the classes of sizes of `measures.EDGES`."""
NOT_FINISHED = "not by the end"
"""In place of the completion time of a job that had not finished when its run ended."""


def of_run(run):
    """The tables as (title, columns, rows); one without rows has a sentence as its title, that there is nothing yet."""
    found = []
    if "completions" in run.tables:
        found.append(_completions(run))
    if "transfers" in run.tables:
        found.append(_transfers(run))
    if "latency" in run.tables and (rows := latency.cells(run)):
        found.append((latency.TITLE, latency.COLUMNS, rows))
    return found


def values(run):
    """The same as numbers, by the name of the table of the run."""
    found = {}
    if "completions" in run.tables:
        found["completions"] = _by_size(run)
    if "transfers" in run.tables:
        found["transfers"] = transfers.by_class(run, after=warm_up(run))
    if "latency" in run.tables:
        found["latency"] = latency.rows(run)
    return found


def completions_of_jobs(run):
    """A pair for each application: "completion of" its name, and its completion time in words."""
    return [
        (f"completion of {name}", NOT_FINISHED if is_missing(time) else in_words(time, "s"))
        for name, time in run.job_completions().items()
    ]


def _by_size(run):
    return {value: run.by_size_class(value, after=warm_up(run)) for value in ("fct", "slowdown")}


def _completions(run):
    """Flows by size: how many finished, how long they took, and how much longer than on the idle fabric."""
    rows = [
        (
            name,
            f"{fct['flows']:,}",
            in_words(fct["mean"], "s"),
            *(f"{slow[p]:.3g}" for p in ("p50", "p95", "p99", "p999")),
        )
        for name, fct, slow in zip(SIZES, *_by_size(run).values(), strict=True)
        if fct["flows"]
    ]
    if not rows:
        return f"No flow has finished by the end of the run{_of_those(run)}.", (), []
    columns = ("size", ">flows", ">mean time", ">p50", ">p95", ">p99", ">p99.9")
    return f"Flows that have finished{_of_those(run)}, and their slowdown", columns, rows


def _transfers(run):
    """Messages that a transport has brought over, by class: how many, and how long they took."""
    rows = [
        (row["class"], f"{row['transfers']:,}", *(in_words(row[name], "s") for name in ("mean", "p50", "p95", "p99")))
        for row in transfers.by_class(run, after=warm_up(run))
    ]
    if not rows:
        return f"No transfer has arrived whole by the end of the run{_of_those(run)}.", (), []
    columns = ("class", ">transfers", ">mean time", ">p50", ">p95", ">p99")
    return f"Transfers that have arrived whole{_of_those(run)}, and their times", columns, rows


def _of_those(run):
    """Which flows or transfers are counted, if there is a warm-up."""
    return ", of those that started after the warm-up" if warm_up(run) > 0 else ""
