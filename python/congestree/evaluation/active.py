"""When the classes of traffic were active: mean rates are over all of the measured time, silence included. And whether
the run was active for longer than a bin, without which nothing is seen to change over time.
"""

from ..quantities import in_words, is_missing, seconds

# A class that could send for a larger share of the measured time than this has a mean rate that needs no comment.
MOST_OF_IT = 0.9
BINNED = (
    "flow_series", "class_series", "port_series", "buffer_series", "output_queue_series", "isolation_series",
    "region_flows", "hol_blocking",
)  # fmt: skip
"""Tables with a row for each bin."""


def warm_up(run):
    """The time from which a run measures (s)."""
    return seconds(run._scenario["measure"]["warm_up"])


def not_measured(run):
    """Why nothing was measured, as a sentence; "" if something was."""
    if run.value("measured") > 0:
        return ""
    end, begin = (in_words(time, "s") for time in (run.duration, warm_up(run)))
    if warm_up(run) == 0:
        return f"Nothing was measured: the run ended at {end}."
    return (
        f"Nothing was measured: the run ended at {end}, before its warm-up of {begin} did. Choose a shorter "
        "measure.warm_up."
    )


def partly(run):
    """Classes of traffic that sent for a part of the measured time only: {name: (from, to)} (s).

    That part is bounded by `start` and `stop` of the entry, or by the end of its job. Classes that sent nothing
    (`Run.silent_classes`), or nothing over the network, are not in it.
    """
    begin, end = warm_up(run), run.duration
    ends, found = _ends_of_jobs(run), {}
    sent = run.class_rates().keys() - set(run.silent_classes())
    for entry in run._scenario["traffic"]:
        name = entry["name"]
        stop = min(seconds(entry.get("stop", end)), ends.get(name, end))
        first, last = max(begin, seconds(entry.get("start", 0))), min(end, stop)
        if name in sent and 0 < last - first < MOST_OF_IT * (end - begin):
            found[name] = (first, last)
    return found


def _ends_of_jobs(run):
    """When the jobs that finished did (s), by name."""
    if "jobs" not in run.tables:
        return {}
    jobs = run.arrow("jobs", ["job", "finished"])
    both = zip(jobs["job"].to_pylist(), jobs["finished"].to_pylist(), strict=True)
    return {name: end for name, end in both if not is_missing(end)}


def _within_a_bin(run):
    """That tables over time have one bin, as the run ended within it: a job may take much less than it was given."""
    told, end = run._scenario["measure"]["bin"], run.duration
    if not 0 < end < seconds(told) * (1 - 1e-9) or not set(run.tables) & set(BINNED):
        return []
    return [
        f"The run ended at {in_words(end, 's')}, within its first bin of {told}, so that what was recorded over time "
        f'is one mean: write a shorter measure.bin, such as "{in_words(end / 100, "s")}".'
    ]


def sentences(run):
    """Which classes sent nothing, and which mean rates have silence in them; or that there are no rates, and why; and
    that there is only one bin.
    """
    if why := not_measured(run):
        return [why, *_within_a_bin(run)]
    since = " after the warm-up" if warm_up(run) > 0 else ""
    said = [f"Nothing of {name} was sent{since}." for name in run.silent_classes()]
    measured = in_words(max(0.0, run.duration - warm_up(run)), "s")
    said += [
        f"The mean rate of {name} is over all {measured} measured, but it sent only from {in_words(first, 's')} to "
        f"{in_words(last, 's')}."
        for name, (first, last) in partly(run).items()
    ]
    return said + _within_a_bin(run)
