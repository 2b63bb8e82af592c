"""Names of runs: a family, its parameters, the repetition, as in ``fig5_thr-8_buf-4_r0``."""


def name(family, rep=0, **parameters):
    """The name of one run."""
    return "_".join([family, *(f"{key}-{value}" for key, value in parameters.items()), f"r{rep}"])


def parse(text):
    """Family, parameters (numbers where they look like numbers), repetition."""
    family, *middle, last = text.split("_")
    return family, {key: number(value) for key, value in (part.split("-", 1) for part in middle)}, int(last[1:])


def number(text):
    """The number that a text represents, or the text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def single(runs, family, build, **parameters):
    """Adds a run that is not repeated: ``build(name)`` is its scenario."""
    repeated(runs, family, 1, lambda rep, name: build(name), **parameters)


def repeated(runs, family, repetitions, build, **parameters):
    """Adds the repetitions of one run: ``build(rep)`` is its scenario."""
    for rep in range(repetitions):
        label = name(family, rep, **parameters)
        runs[label] = build(rep=rep, name=label)
