"""The page of what `congestree tune` can search and aim at, as `congestree list` has it."""

from .writing import code, table

DIRECTIONS = {"max": "greatest", "min": "least", "": "as asked"}


def tuning_page():
    """Measures of runs, and the named spaces with their parameters."""
    from congestree.evaluation.goals.measured import MEASURES
    from congestree.tune.families import SPACES

    text = [
        "# Measures and spaces\n",
        "`congestree list measures` and `congestree list spaces NAME` print the same. "
        "[Let it tune](../howto/let-it-tune.md) shows their use.\n",
        "## Measures\n",
        "Goals and limits of `congestree tune`, and columns of sweeps (`--measure`, `Study.measure`). After a colon "
        "comes what a measure is about, such as a class of traffic (`rate:storage`); in brackets stands what may be "
        "left out, for all of them. Several with ` + ` between them count as one. `tune` adds the probe that a measure "
        "needs; for a sweep it must stand in `measure.probes`.\n",
        table(("measure", "unit", "best", "needs the probe", "meaning"), [_measure(*one) for one in MEASURES.items()]),
        "## Spaces\n",
        "Named sets of parameters with the values that registers or files of real networks hold (`--space`).\n",
    ]
    for space in SPACES.values():
        rows = [(code(p.name), p.in_words(), p.about) for p in space.parameters]
        text += [f"### `{space.name}`\n", f"{space.about[0].upper()}{space.about[1:]}.\n"]
        text.append(table(("parameter", "range", "meaning"), rows))
    return "\n".join(text)


def _measure(name, measure):
    of = f":{measure.of.upper()}" if measure.of else ""
    form = name + (of if measure.must or not of else f"[{of}]")
    return code(form), measure.unit, DIRECTIONS[measure.best], ", ".join(map(code, measure.probes)), measure.about
