"""Names: a type has its own, what documents name exists, and what the code names is used."""

import json
import re
from collections import Counter, defaultdict

import pytest
from blocks import PAGES, ROOT, name, prose

DECLARED = re.compile(r"^(pub(?:\([^)]*\))? )?(?:struct|enum|type|trait) ([A-Z]\w*)", re.MULTILINE)
FORMAT = "crates/scenario/src/types"
"""The types of scenario files. One may be called like the part that it speaks of."""
ONE_THING = {
    "Diagnostic": "what is wrong, as far as each crate knows its place: field, part or line",
    "Diagnostics": "a list of them",
}
"""Names of one thing that several crates have, and the thing."""


def sources():
    """The Rust of all crates, without tests."""
    for path in sorted(ROOT.glob("crates/*/src/**/*.rs")):
        if path.name not in ("tests.rs", "small.rs"):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8").split("\n#[cfg(test)]\nmod ")[0]


def declared(texts):
    """Types that other files see: where each is declared."""
    found = defaultdict(list)
    for path, text in texts:
        for visible, type_name in DECLARED.findall(text):
            if visible:
                found[type_name].append(path)
    return found


def shared(found):
    """Names of several types, of which more than one is not of the format of scenarios."""
    return {
        type_name: paths
        for type_name, paths in found.items()
        if type_name not in ONE_THING and len([path for path in paths if not path.startswith(FORMAT)]) > 1
    }


def test_no_two_types_share_a_name():
    found = declared(sources())
    assert len(found) > 500
    assert shared(found) == {}


BARE = {"Kind", "Place", "Order"}
"""Names that `CONTRIBUTING.md` does not allow for types: kinds of what?"""


def test_no_type_is_called_kind_place_or_order():
    bare = [(path, found) for path, text in sources() for _, found in DECLARED.findall(text) if found in BARE]
    assert bare == []


def test_types_that_share_a_name_are_found():
    texts = [("a.rs", "pub struct Look {}\nstruct State;"), ("b.rs", "pub(super) enum Look {}\nstruct State;")]
    assert shared(declared([*texts, (f"{FORMAT}/c.rs", "pub struct Row {}"), ("d.rs", "pub type Row = u8;")])) == {
        "Look": ["a.rs", "b.rs"]
    }


SPEAK_OF_CODE = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/adr/*.md"))]
QUOTED = re.compile(r"`([^`\n]+)`")
COMMENT = re.compile(r"//[^\n]*|^ *#[^\n]*", re.MULTILINE)


def files():
    """All files of source folders, by path."""
    folders = ("crates", "python", "gallery", "reference", "tools", "tests", "viewer/src")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
    return ["/" + path.relative_to(ROOT).as_posix() for path in paths]


def missing(page_text, paths, code):
    """Files, folders, types and functions that a page names and that are not there."""
    words = set(re.findall(r"\w+", code))
    for said in sorted(set(QUOTED.findall(page_text)) - BARE):
        if re.fullmatch(r"[\w/]*\w\.(?:rs|py|ts)|[\w/]+/", said):
            found = any(path.endswith("/" + said.rstrip("/")) for path in paths)
        elif parts := re.fullmatch(r"([A-Z]\w*[a-z]\w*)(?:::(\w+))?(?:[<(].*)?", said):
            found = set(filter(None, parts.groups())) <= words
        else:
            continue
        if not found:
            yield said


@pytest.mark.parametrize("page", SPEAK_OF_CODE, ids=name)
def test_pages_about_the_code_name_what_is_there(page):
    texts = [path.read_text(encoding="utf-8") for path in [*ROOT.glob("crates/**/*.rs"), *ROOT.glob("python/**/*.py")]]
    assert list(missing(prose(page), files(), COMMENT.sub("", "\n".join(texts)))) == []


def test_a_name_that_is_not_there_is_found():
    page = "`Fabric::handle` is in `fabric.rs` of `run/`, not `lost.rs` of `link/`; nor `Fabric::act`, or `Hub<A>`."
    assert list(missing(page, ["/crates/fabric/src/fabric.rs", "/run"], "impl Fabric { fn handle() {} }")) == [
        "Fabric::act",
        "Hub<A>",
        "link/",
        "lost.rs",
    ]


STREAM = re.compile(r'(?:Rng::stream\((?:[\w.*]+), |\brng\()(?:&format!\()?"([a-z ]+?)(?: \{\w*\})*"')


def test_the_architecture_lists_all_random_streams():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    said = set(QUOTED.findall(text[text.index("Streams in use:") : text.index("A new user of chance")]))
    assert {stream for path, code in sources() if "/kernel/" not in path for stream in STREAM.findall(code)} == said


DEFINED = re.compile(r"^(?:def (\w+)|([A-Z_][A-Z_\d]*) = )", re.MULTILINE)
"""Functions and constants of a module that no decorator registers."""
CALLED_BY_TOOLS = re.compile(r"test_|pytest|on_")
"""Names that pytest and MkDocs look for."""


def unused(texts, elsewhere):
    """Functions and constants whose names occur only where they are defined."""
    counts = Counter(word for text in [*texts, elsewhere] for word in re.findall(r"\w+", text))
    for text in texts:
        for found in DEFINED.finditer(text):
            defined = found[1] or found[2]
            registered = text[: found.start()].rpartition("\n\n")[2].lstrip().startswith("@")
            if counts[defined] == 1 and not registered and not CALLED_BY_TOOLS.match(defined):
                yield defined


def test_no_function_or_constant_of_python_is_unused():
    folders = ("python", "gallery", "reference", "tools", "tests")
    texts = [path.read_text(encoding="utf-8") for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert list(unused(texts, "\n".join(page.read_text(encoding="utf-8") for page in PAGES))) == []


def test_what_is_unused_is_found():
    text = "HELD = 1\nLOST = 2\n\n\n@check\ndef registered():\n    return HELD\n\n\ndef alone():\n    return 3\n"
    assert list(unused([text], "")) == ["LOST", "alone"]


def keys(schema):
    """The keys of a schema, of all its tables."""
    if isinstance(schema, list):
        return {key for each in schema for key in keys(each)}
    if not isinstance(schema, dict):
        return set()
    return {*schema.get("properties", ()), *(key for each in schema.values() for key in keys(each))}


def test_no_make_target_or_tool_is_called_like_a_key_of_scenarios():
    """As `audit` and `faults` once were."""
    known = keys(json.loads((ROOT / "docs/reference/scenario.schema.json").read_text(encoding="utf-8")))
    assert {"audit", "faults", "deadlock_timeout"} <= known
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    tools = {path.stem for path in (ROOT / "tools").iterdir()}
    assert {"check", "night"} <= targets and {"night", "pages"} <= tools
    assert (targets | tools) & known == set()
