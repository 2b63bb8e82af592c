"""Totals of a run: rates of classes of traffic and of their sources, completions of applications, a row of a study."""


def class_rates(run):
    """Mean rate of the sources of each class (bit/s): see `Run.class_rates`."""
    return {name: sum(of.values()) / len(of) for name, of in source_rates(run).items() if of}


def source_rates(run):
    """The rates that `class_rates` are the means of, by class and source: {class: {host: bit/s}}."""
    rates = {}
    for (name, source), rate in _sums(run, "rate", "class", "source").items():
        rates.setdefault(name, {})[source] = rate
    for name, hosts in run.undrawn().items():
        rates.setdefault(name, {}).update(dict.fromkeys(hosts, 0.0))
    return rates


def silent_classes(run):
    """Classes that sent nothing after the warm-up: see `Run.silent_classes`."""
    sent = _sums(run, "sent", "class")
    return [entry["name"] for entry in run._scenario["traffic"] if not sent.get((entry["name"],), "program" in entry)]


def job_completions(run):
    """Completion time of each application (s); nan if it did not finish."""
    if "jobs" not in run.tables:
        return {}
    jobs = run.arrow("jobs", ["job", "completion"])
    return dict(zip(jobs["job"].to_pylist(), jobs["completion"].to_pylist(), strict=True))


def row(run):
    """The run as one row of a study: the summary, rates of classes, completions, and how it was made."""
    summary = run.arrow("summary")
    found = dict(zip(summary["name"].to_pylist(), summary["value"].to_pylist(), strict=True))
    found |= {f"rate.{name}": rate for name, rate in class_rates(run).items()}
    found |= {f"completion.{name}": time for name, time in job_completions(run).items()}
    return found | {key: run.manifest[key] for key in ("wall_s", "packet_hops", "stopped")}


def _sums(run, column, *keys):
    """Sums of a column of the table `flows` over the rows with the same words in others, by these, as they come."""
    sums = {}
    for piece in run.pieces("flows", [*keys, column]):
        words = zip(*(piece[key].to_pylist() for key in keys), strict=True)
        for of, value in zip(words, piece[column].to_pylist(), strict=True):
            sums[of] = sums.get(of, 0) + value
    return sums
