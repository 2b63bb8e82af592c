"""When the classes of traffic were active: mean rates are over all of the measured time, silence included."""

from ..quantities import in_words, seconds

# A class that could send for a larger share of the measured time than this has a mean rate that needs no comment.
MOST_OF_IT = 0.9


def warm_up(run):
    """The time from which a run measures (s)."""
    return seconds(run.scenario["measure"]["warm_up"])


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

    That part is bounded by `start` and `stop` of the entry, or by the end of its job. Classes that sent nothing are
    not in it (`Run.silent_classes`).
    """
    begin, end = warm_up(run), run.duration
    ends, silent, found = _ends_of_jobs(run), run.silent_classes(), {}
    for entry in run.scenario["traffic"]:
        name = entry["name"]
        stop = min(seconds(entry.get("stop", end)), ends.get(name, end))
        first, last = max(begin, seconds(entry.get("start", 0))), min(end, stop)
        if name not in silent and 0 < last - first < MOST_OF_IT * (end - begin):
            found[name] = (first, last)
    return found


def _ends_of_jobs(run):
    """When the jobs that finished did (s), by name."""
    if "jobs" not in run.tables:
        return {}
    jobs = run.arrow("jobs", ["job", "finished"])
    both = zip(jobs["job"].to_pylist(), jobs["finished"].to_pylist(), strict=True)
    return {name: end for name, end in both if end is not None and end == end}


def sentences(run):
    """Which mean rates have silence in them; or that there are none, and why."""
    if why := not_measured(run):
        return [why]
    measured = in_words(max(0.0, run.duration - warm_up(run)), "s")
    return [
        f"The mean rate of {name} is over all {measured} measured, but it sent only from {in_words(first, 's')} to "
        f"{in_words(last, 's')}."
        for name, (first, last) in partly(run).items()
    ]
