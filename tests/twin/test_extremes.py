"""Extreme numbers in scenarios are refused or understood: no sum overflows, nothing is divided by zero, nothing hangs.

Overflows are found only by an engine with the checks of a debug build, as CI has it. By hand, for every number of all
scenarios: `PYTHONPATH=. python tests/twin/test_extremes.py`.
"""

import json
import re
import sys
import time
from pathlib import Path

import pytest
from generators import GENERATORS

SCENARIOS = Path(__file__).parents[2] / "scenarios"
NUMBER = re.compile(r'"(\d[\d.]*) ([A-Za-zµ/]+)"|(?<=[=:] )(\d[\d.]*)(?=[\s,}\]])')
"""A quantity with its unit, or a bare number."""
EXTREMES = "18446744073709551615", "18446744073709551614", "9223372036854775807", "1000000000000", "1", "0"
MOST = 10.0
"""Seconds that one may take."""


def extreme_ones(text: str, first: int, every: int):
    """Copies of a scenario, each with one number made extreme: from the first on, every so many of all of them."""
    changes = [(found, number) for found in NUMBER.finditer(text) for number in EXTREMES]
    for found, number in changes[first::every]:
        put = f'"{number} {found[2]}"' if found[1] else number
        yield text[: found.start()] + put + text[found.end() :]


def check(text: str, form: str) -> None:
    """The scenario is refused with diagnostics, or it is read and can begin to run."""
    engine = pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    began = time.monotonic()
    try:
        engine.check(text, form)
        engine.run(text, form, on_progress=lambda *_: False)
    except engine.ScenarioError:
        pass
    except BaseException as error:  # the engine's panics are not exceptions of the usual kind
        raise AssertionError(f"{type(error).__name__}: {error}\n{text}") from None
    assert time.monotonic() - began < MOST, text


def shipped() -> dict[str, str]:
    """Texts of scenarios in files, but for the longest."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(SCENARIOS.glob("*.toml"))}
    return {name: text for name, text in texts.items() if len(text) < 20_000}


@pytest.mark.parametrize("name", GENERATORS)
def test_extreme_numbers_in_random_scenarios_are_refused_or_understood(name):
    number = [*GENERATORS].index(name)
    for text in extreme_ones(json.dumps(GENERATORS[name](number)), number, 5):
        check(text, "json")


@pytest.mark.parametrize("name", shipped())
def test_extreme_numbers_in_shipped_scenarios_are_refused_or_understood(name):
    for text in extreme_ones(shipped()[name], len(name), 5):
        check(text, "toml")


def by_hand(seeds: int) -> None:
    """Every number of all scenarios."""
    for text in shipped().values():
        for extreme in extreme_ones(text, 0, 1):
            check(extreme, "toml")
    for name, draw in GENERATORS.items():
        print(name, flush=True)
        for seed in range(seeds):
            for extreme in extreme_ones(json.dumps(draw(seed)), 0, 1):
                check(extreme, "json")


if __name__ == "__main__":
    by_hand(int(sys.argv[1]) if sys.argv[1:] else 3)
