"""Transfers and queueing delay on links that lose packets, in numbers.

A transfer is a message that has arrived completely (probe `transfers`); its time is the time from its first bit sent
to its last byte received. The probe `output-queues` records the queues in which packets are dropped.

run: a `Run`.
classes: names of traffic classes, by default all.
after: transfers that start before this time (s), or a text such as "1 ms", are left out.

All functions raise CongestreeError if the run lacks the probe, or has no such class or link.
"""

import numpy as np

from ..columns import numbers
from ..errors import CongestreeError
from ..quantities import seconds
from ..runs import arguments
from ..runs.results import a_run
from . import measures
from .chosen import chosen, chosen_ports
from .links import told_apart


def transfer_times(run, classes=None, after=0.0):
    """{class: (bytes, seconds)} of the transfers that start at `after` or later."""
    a_run("transfer_times", run)
    after = arguments.span("after", after)
    table = run.arrow("transfers", ["class", "bytes", "started", "finished"])
    kinds = np.array(table["class"].to_pylist(), dtype=object)
    size, started, finished = (numbers(table[name]) for name in ("bytes", "started", "finished"))
    found = {}
    for name in chosen("class of traffic", run.arrow("flows")["class"].to_pylist(), classes):
        mine = (kinds == name) & (started >= after)
        found[name] = size[mine], finished[mine] - started[mine]
    return found


def by_class(run, classes=None, after=0.0):
    """Rows of class, transfers, and the mean, median, 95th and 99th percentile of their times (s).

    A list of dicts with the keys class, transfers, mean, p50, p95, p99; classes without a transfer are left out.
    """
    rows = []
    for name, (_, times) in transfer_times(run, classes, after).items():
        if len(times):
            spread = {f"p{share}": measures.percentile(times, share) for share in (50, 95, 99)}
            rows.append({"class": name, "transfers": len(times), "mean": float(times.mean()), **spread})
    return rows


def queueing_delay(run, output):
    """The queueing delay at an output such as "A->B": the middles of the bins (s), and the mean in each (s).

    The last bin ends with the run, and may be shorter.
    Of parallel links one must be named: "A->B (2)" is the second; otherwise CongestreeError is raised.
    """
    ports = a_run("queueing_delay", run).arrow("ports")
    names = ports["name"].to_pylist()
    port, *others = chosen_ports(run, names, None, [output])
    if others:
        called = " or ".join(told_apart(names)[i] for i in (port, *others))
        raise CongestreeError(f"Several links are called {output}; say which: {called}.")
    rate = ports["rate"][port].as_py()
    table = run.arrow("output_queue_series", ["time", "port", "mean"])
    mine = numbers(table["port"]) == port
    time, mean = numbers(table["time"])[mine], numbers(table["mean"])[mine]
    ends = np.minimum(time + seconds(run._scenario["measure"]["bin"]), run.duration)
    return (time + ends) / 2, 8 * mean / rate
