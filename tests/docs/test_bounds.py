"""What the engine's code keeps to, so that it can be read a piece at a time: small structs, functions and folders."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINE = ["fabric", "kernel", "probes", "schemes", "topology", "traffic", "units", "wire"]
FIELDS, LINES, FILES = 20, 60, 12
FIELD = re.compile(r"^\s+(?:pub(?:\([^)]*\))? )?\w+: ", re.MULTILINE)
STRUCT = re.compile(r"struct (\w+)[^;{(]*\{\n(.*?)\n\}", re.DOTALL)
FUNCTION = re.compile(r"^(\s*)(?:pub(?:\([^)]*\))? )?(?:const )?(?:unsafe )?fn (\w+)")


def sources():
    """All files of the engine but tests."""
    for crate in ENGINE:
        for path in (ROOT / "crates" / crate / "src").rglob("*.rs"):
            if path.name not in ("tests.rs", "small.rs") and "tests" not in path.parts:
                yield path, path.read_text(encoding="utf-8").split("\n#[cfg(test)]\nmod tests {")[0]


def long_functions(text):
    """Functions over the bound, as rustfmt lays them out: the closing brace stands where `fn` begins."""
    lines = text.splitlines()
    for first, line in enumerate(lines):
        found = FUNCTION.match(line)
        if found is None or line.endswith((";", "}")):
            continue
        last = next(n for n in range(first, len(lines)) if lines[n] in (f"{found[1]}}}", f"{found[1]}}};"))
        if last - first + 1 > LINES:
            yield found[2], last - first + 1


def test_no_struct_has_more_fields_than_one_can_keep_in_mind():
    large = {
        name: count
        for _, text in sources()
        for name, body in STRUCT.findall(text)
        if (count := len(FIELD.findall(body))) > FIELDS
    }
    assert large == {}


def test_no_function_is_longer_than_a_page():
    assert [(path.name, *found) for path, text in sources() for found in long_functions(text)] == []


@pytest.mark.parametrize("crate", ENGINE)
def test_no_folder_has_more_files_than_one_can_look_over(crate):
    folders = [path for path in (ROOT / "crates" / crate / "src").rglob("*") if path.is_dir()]
    assert {path.name: n for path in folders if (n := len(list(path.glob("*.rs")))) > FILES} == {}


def test_what_is_too_long_is_found():
    body = "    let x = 1;\n" * LINES
    assert list(long_functions(f"pub fn long() {{\n{body}}}\n\nfn short() {{\n    1\n}}\n")) == [("long", LINES + 2)]
