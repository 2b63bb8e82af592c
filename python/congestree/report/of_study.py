"""The report of a study: what was varied, and its effect on the measures, with intervals over the seeds."""

import json
import re

import numpy as np

from .. import plots
from ..errors import CongestreeError
from ..quantities import in_words, is_missing
from ..studies.points import ends
from . import again
from .of_run import network, question, settings
from .page import Document, Paragraph, Part, Sentences, Table
from .pictures import MOST, picture

MOST_LINES = 6
"""Lines of a plot; each has an interval around it."""
MOST_NETWORKS = 8
"""Networks that are told one by one."""
NETWORK = ("topology", "links")
"""Sections of a scenario that say what its network is."""


def of_study(study):
    """The document of a `Study`."""
    if not len(study):
        raise CongestreeError(
            f"The study in {study.folder} is empty: it has no points. Run it with: congestree sweep FILE"
        )
    runs = list(study)
    finished = [run for run in runs if run is not None]
    if not finished:
        raise CongestreeError(
            f"No run of the study in {study.folder} is finished yet, so there is nothing to report: the command that "
            "began it goes on with it."
        )
    first, scenarios = finished[0], [run._scenario for run in finished]
    values = measures_of(study)
    shown = values[: max(MOST, len(study.measures))]
    over = study.averaged([])
    swept = "; ".join(f"{path}: {few(study, path)}" for path in study.axes)
    long = [Paragraph(f"{path} {number} is {value}.") for path, number, value in study.in_full()]
    name = first._scenario.get("name") or study.folder.name
    return Document(
        f"{name}: a study",
        f"{len(finished):,} of {len(study):,} runs finished, over {', '.join(study.axes) or 'nothing'}.",
        [
            Part("Question", [Paragraph(question(first._scenario, over)), Paragraph(f"What varies: {swept}."), *long]),
            Part("Network", networks(study, runs)),
            Part("Findings", [Sentences(findings(study, over, values))]),
            Part("Plots", pictures(study, over, shown)),
            Part("Numbers", tables(study, over, shown, values[len(shown) :]) if over else [every(study, values)]),
            Part("Settings", [settings(first._scenario, again.differing(scenarios))]),
            Part("How to run it again", again.of_study(study, scenarios)),
        ],
    )


def networks(study, runs):
    """The network of the runs (of each point one, or None), or each network with its points.

    Of more than a few networks: what they differ in, and the first.
    """
    seen, told = {}, []  # told: of each finished run what was set, and the sentence on its network
    for point, run in zip(study.points, runs, strict=True):
        if run is not None:
            key = json.dumps([run._scenario.get(section) for section in NETWORK])
            seen[key] = seen.get(key) or network(run)
            told.append((point["values"], seen[key]))
    sentences = dict.fromkeys(sentence for _, sentence in told)
    if len(sentences) == 1:
        return [Paragraph(*sentences)]
    paths = _deciding(study, told)
    points = {sentence: {} for sentence in sentences}
    for values, sentence in told:
        points[sentence][study.label({path: values[path] for path in paths if path in values})] = None
    said = [f"{some(list(labels))}: {sentence}" for sentence, labels in points.items()]
    if len(said) > MOST_NETWORKS:
        over = ", ".join(paths)
        return [Paragraph(f"{len(said):,} networks, which differ in {over}; the first is that of {said[0]}")]
    return [Sentences(said)]


def _deciding(study, told):
    """The settings on which the network of a run depends; those of a network are left out last."""
    paths = sorted(study.settings, key=lambda path: path.partition(".")[0] in NETWORK)
    for path in list(paths):
        rest = [other for other in paths if other != path]
        found = {(json.dumps([values.get(other) for other in rest]), sentence) for values, sentence in told}
        if len({key for key, _ in found}) == len(found):
            paths = rest
    return [path for path in study.axes if path in paths]


def some(labels, most=3):
    """A list of points, of which the first are named."""
    more = f" and {len(labels) - most:,} more" if len(labels) > most else ""
    return "; ".join(labels[:most]) + more


def few(study, path, most=8):
    """The values of a path, of which the first are named."""
    words = [str(study.short(path, kind)) for kind in study.axes[path]]
    return ", ".join(words[:most]) + (f", … ({len(words)})" if len(words) > most else "")


def measures_of(study):
    """Measures that were asked for, and others that differ between the runs, those of classes first; if there are
    none, those of all classes.

    Jain's index of the summary is left out where runs have different numbers of flows: a scheme that has one for each
    destination of a source would be compared with one that has one for all.
    """
    columns = study.runs.columns
    of_classes = [c for c in columns if c.startswith(("rate.", "completion."))]
    order = of_classes + [c for c in ("accepted_load", "jain_index", "blocked", "marked", "dropped") if c in columns]
    found = [c for c in order if differs(study.runs[c].to_list())]
    if "jain_index" in found and len({run._shape("flows")[0] for run in study if run is not None}) > 1:
        found.remove("jain_index")
    found = [*study.measures, *found]
    return found or of_classes or order[:1]


def differs(values):
    """Not all are the same, or some are missing."""
    there = [value for value in values if not is_missing(value)]
    return len(set(there)) > 1 or 0 < len(there) < len(values)


def told(study, value, number):
    """A value of a measure, in the unit that reads best."""
    unit = study.unit(value)
    if unit or is_missing(number):
        return in_words(number, unit)
    return f"{number:,.0f}" if number >= 1e4 else f"{number:.4g}"


def label(study, over, row):
    named = zip(ends(over), over, strict=True)
    return ", ".join(f"{end.replace('_', ' ')} {study.short(path, row[path])}" for end, path in named)


def findings(study, over, values):
    """Where each measure is largest and smallest."""
    said = []
    if missing := sum(run is None for run in study):
        said.append(f"{missing} of the {len(study)} runs are not finished; they are left out.")
    if study.refused:
        why = next(iter(study.refused.values())).partition("\n")[0]
        said.append(f"Left out because they make no sense: {len(study.refused)} more of the grid; the first: {why}.")
    if early := sum(stopped is not None for stopped in study.runs["stopped"].to_list()):
        said.append(f"{early} of the runs ended before their time; they count with what they had measured by then.")
    for value in values if over else []:
        every = list(study.mean(value, by=over).iter_rows(named=True))
        rows = [row for row in every if row["mean"] == row["mean"]]
        if missing := sum(row["missing"] for row in every):
            of = missing + sum(row["runs"] for row in every)
            others = " Its means are over the others." if missing < of else ""
            said.append(f"{missing} of {of} runs have no {value}: {_why_missing(study, value)}.{others}")
        if len(rows) < 2:
            continue
        best, least = max(row["mean"] for row in rows), min(row["mean"] for row in rows)
        high, low = told(study, value, best), told(study, value, least)
        if high == low:
            said.append(f"{value} is the same at all points: {high}.")
            continue
        highest, lowest = (points(study, over, rows, value, mean) for mean in (best, least))
        ends = [min(rows, key=lambda row, mean=mean: abs(row["mean"] - mean)) for mean in (best, least)]
        sure = " The 95 % intervals of the two overlap." if overlap(*ends) else ""
        said.append(f"{value} is highest at {highest}: {high}; and lowest at {lowest}: {low}.{sure}")
    return said + ([] if over else over_seeds(study, values))


def _why_missing(study, value):
    """Why runs lack a measure: an application may go on when they end; others count from the end of the warm-up."""
    if re.match(r"(completion\.|job\b)", value):
        return "not by their end"
    why = "they have no such host, link, number or class, or nothing of it was delivered"
    if re.match(r"(fct|slowdown|message)\b", value):
        why = "none that started after the warm-up had finished by the end"
    runs = study.runs.unique("hash")  # each once, as its means count them
    lacking = [(found, time) for found, time in runs[value, "measured"].iter_rows() if is_missing(found)]
    # A number that is not in a summary at all has another reason.
    early = sum(found is not None and time <= 0 for found, time in lacking if not value.startswith("summary:"))
    if early == len(lacking):
        return "they ended before their warm-up"
    return f"{early} of them ended before their warm-up; the others: {why}" if early else why


def over_seeds(study, values):
    """Where nothing but seeds varies: what each measure is, and between what."""
    said = []
    for value in values:
        column = np.array(study.runs[value].to_list(), dtype=float)
        if np.isnan(column).all():
            continue
        (row,) = study.mean(value, by=[]).iter_rows(named=True)
        sure = f" ± {told(study, value, row['interval'])} (95 %)" if row["interval"] == row["interval"] else ""
        three = (np.nanmin(column), np.nanmax(column), row["mean"])
        least, most, mean = (told(study, value, float(number)) for number in three)
        said.append(f"{value}: {least} to {most}, mean {mean}{sure} over {row['runs']} runs.")
    return said


def points(study, over, rows, value, mean):
    """Where a measure has this mean: a point, the first of several, and how many more may be as good."""
    same = [row for row in rows if told(study, value, row["mean"]) == told(study, value, mean)]
    first = min(same, key=lambda row: abs(row["mean"] - mean))
    more = [f"{len(same) - 1} more alike"] if len(same) > 1 else []
    if near := sum(overlap(row, first) for row in rows if row not in same):
        more.append(f"{near} more whose 95 % interval overlaps with its own")
    return label(study, over, first) + (f" (and {', and '.join(more)})" if more else "")


def overlap(one, other):
    """Whether the intervals of two means have something in common, if both have one."""
    return abs(one["mean"] - other["mean"]) <= one["interval"] + other["interval"]


def pictures(study, over, values):
    """Each measure that a run has against what varies: lines with intervals for all other settings, or, if that would
    be too many lines, a heat map of the two settings with most values."""
    if not over:
        return []
    found = []
    x, *rest = sorted(over, key=lambda path: -len(study.axes[path]))
    lines = len({tuple(str(point["values"][path]) for path in rest) for point in study.points})
    for value in values:
        if study.mean(value, by=over)["mean"].is_nan().all():
            continue  # the findings say so
        if lines > MOST_LINES:
            figure = plots.plot_heat(study, x, rest[0], value)
        else:
            figure = plots.plot_lines(study, x, value, by=rest)
        by = rest[0] if lines > MOST_LINES else " and ".join(rest)
        found.append(picture(figure, f"{value} against {x}" + (f" by {by}." if by else ".")))
    return found


def tables(study, over, shown, left):
    """A table of each measure that is shown, and the names of those that are left."""
    found = [numbers(study, over, value) for value in shown]
    return found + ([Paragraph(f"Not shown: {', '.join(left)}, which are in runs.parquet.")] if left else [])


def numbers(study, over, value):
    """A measure at every point, mean and interval."""
    rows = [
        (
            *(study.short(path, row[path]) for path in over),
            told(study, value, row["mean"]),
            told(study, value, row["interval"]),
            f"{row['runs']} (and {row['missing']} without)" if row["missing"] else row["runs"],
        )
        for row in study.mean(value, by=over).iter_rows(named=True)
    ]
    return Table([*over, ">mean", ">± (95 %)", ">runs"], rows, value)


def every(study, values):
    """Without axes but the seed: every run."""
    runs = study.runs.iter_rows(named=True)
    rows = [(row["hash"], *(told(study, value, row[value]) for value in values)) for row in runs]
    return Table(["run", *(f">{value}" for value in values)], rows)
