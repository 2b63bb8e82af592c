"""Every file of the fuzzers' corpora, and a few changes to each, end in a result or in a message.

`make fuzz` continues with the guidance of coverage.
"""

import importlib.util
import random
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PIECES = [
    b'"',
    b"[",
    b"]",
    b"{",
    b"}",
    b"=",
    b"0.5",
    b"-1",
    b"1e400",
    b"9" * 40,
    b"\x00",
    b"\xff",
    b"\n",
    b",",
    b"null",
    b"[[]]",
]
CHANGES = 40
NUMBER = re.compile(rb"(?<![\w.])\d+(?:\.\d+)?|(?<=[A-Za-z])\d+")
EXTREMES = [
    b"0",
    b"-1",
    b"65536",
    b"4294967295",
    b"9223372036854775807",
    b"18446744073709551615",
    b"1" + b"0" * 40,
    b"1e400",
]


@pytest.fixture(scope="module")
def fuzz():
    spec = importlib.util.spec_from_file_location("fuzz", ROOT / "tools/fuzz.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def changed(data, dice):
    """A file with a few bytes cut, doubled or replaced."""
    data = bytearray(data)
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(data) + 1)
        to = min(at + dice.randrange(20), len(data))
        kind = dice.randrange(4)
        if kind == 0:
            del data[at:to]
        elif kind == 1:
            data[at:at] = data[at:to]
        elif kind == 2 and at < len(data):
            data[at] ^= 1 << dice.randrange(8)
        else:
            data[at : dice.choice([at, to])] = dice.choice(PIECES)
    return bytes(data)


def with_an_extreme(data, dice):
    """A file with one of its numbers replaced, if it has any."""
    numbers = [*NUMBER.finditer(data)]
    if not numbers:
        return data
    found = dice.choice(numbers)
    return data[: found.start()] + dice.choice(EXTREMES) + data[found.end() :]


@pytest.mark.parametrize("change", [changed, with_an_extreme])
@pytest.mark.parametrize("target", sorted(path.name for path in (ROOT / "fuzz/corpus").iterdir()))
def test_whatever_a_file_holds(fuzz, target, change, tmp_path):
    files = sorted((fuzz.CORPUS / target).iterdir())
    assert any(fuzz.one(target, file.read_bytes(), tmp_path) for file in files), "no file of the corpus is read"
    dice = random.Random(f"fuzz {target}")
    for number in range(CHANGES):
        data = change(files[number % len(files)].read_bytes(), dice)
        try:
            fuzz.one(target, data, tmp_path)
        except Exception as error:
            raise AssertionError(f"{data!r} ends in {type(error).__name__}: {error}") from error


def test_every_target_has_a_corpus(fuzz):
    assert set(fuzz.TARGETS) == {path.name for path in fuzz.CORPUS.iterdir()}


@pytest.mark.parametrize("value", ["0.5", "0", "true", '"x"', "[1]", '""'])
def test_a_number_where_a_table_belongs_is_a_complaint(value, tmp_path):
    """Was a bare TypeError of the Python classes."""
    import congestree

    path = tmp_path / "s.toml"
    path.write_text(
        'topology.single-switch.hosts = 4\nlinks.rate = "8 Gbit/s"\nmeasure.duration = "1 us"\n'
        f'[[traffic]]\nfrom = "all"\npattern = "uniform"\narrivals.poisson = {value}\n'
    )
    with pytest.raises(congestree.ScenarioError, match=r"arrivals\.poisson"):
        congestree.Scenario.load(path)
