"""Documents name only what exists: paths, links, citations, crates; invariants that can be read off sources hold."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from blocks import PAGES, ROOT, blocks, name, prose

# Made by commands, or invented for an example.
MADE = ("runs/", ".venv", "site", "target", "my-", "/", "docs/data/<", "gallery/<")
TOP = {p.name for p in ROOT.iterdir()}
SOURCES = [
    p
    for folder in ("crates", "python", "gallery", "reference", "scenarios", "tools")
    for p in ROOT.glob(f"{folder}/**/*")
]
TEXTS = [p for p in SOURCES if p.suffix in (".rs", ".py", ".toml", ".md") and "__pycache__" not in p.parts]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_paths_exist(page):
    invented = {b.title for p in PAGES for b in blocks(p) if b.title}
    for path in re.findall(r"`([\w./<>*-]+)`", prose(page)):
        first = path.split("/")[0]
        is_path = ("/" in path and first in TOP) or (path in TOP)
        if not is_path or path.startswith(MADE) or path in invented:
            continue
        assert any(ROOT.glob(path.rstrip("/"))), f"{name(page)} names {path}, which does not exist"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"[a-z]+:", link) or link.startswith("#"):
            continue
        target, _, anchor = link.partition("#")
        file = (page.parent / target).resolve()
        assert file.exists(), f"{name(page)} links to {link}, which does not exist"
        if page.is_relative_to(ROOT / "docs"):
            assert file.is_relative_to(ROOT / "docs"), f"{name(page)} links to {link}, which is not part of the site"
        if anchor:
            text = file.read_text(encoding="utf-8")
            headings = {
                re.sub(r"[^\w -]", "", h.lower()).strip().replace(" ", "-")
                for h in re.findall(r"^#+ (.*)$", text, re.M)
            }
            assert anchor in headings or f"#{anchor} }}" in text, (
                f"{name(page)} links to {link}, a heading that does not exist"
            )


def test_the_site_has_every_picture_that_its_pages_show():
    """What `exclude_docs` leaves out is missing in the site without a word; of its lines the last that fits counts."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    rules = re.search(r"^exclude_docs: \|\n((?:  .*\n)+)", text, re.M)[1].split()
    for page in (p for p in PAGES if p.is_relative_to(ROOT / "docs")):
        for link in re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", prose(page)):
            shown = (page.parent / link).resolve().relative_to(ROOT / "docs")
            for place in [*reversed(shown.parents[:-1]), shown]:
                same_depth = [rule for rule in rules if rule.strip("/").count("/") == len(place.parts) - 1]
                fitting = [rule for rule in same_depth if place.match(rule.strip("!/"))]
                assert not fitting or fitting[-1][0] == "!", f"{name(page)} shows {link}, which the site leaves out"


def test_every_citation_is_in_the_bibliography():
    known = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs/bibliography.bib").read_text(encoding="utf-8"), re.M))
    for path in {*PAGES, *TEXTS}:
        cited = re.findall(r"\[([a-z]+(?:19|20)\d\d[a-z]*)\](?!\()", path.read_text(encoding="utf-8"))
        papers = {p.name for p in (ROOT / "gallery").iterdir()}
        for key in set(cited) - papers:
            assert key in known, f"{path.relative_to(ROOT)} cites [{key}]"


def test_crates_use_whom_the_architecture_says():
    text = next(b.text for b in blocks(ROOT / "ARCHITECTURE.md") if b.text.startswith("units      -"))
    said = {line.split()[0]: set(line.split()[1:]) - {"-"} for line in text.splitlines()}
    found = {}
    for manifest in sorted(ROOT.glob("crates/*/Cargo.toml")):
        crate = tomllib.loads(manifest.read_text())
        names = (n.removeprefix("congestree-") for n in crate.get("dependencies", {}) if n.startswith("congestree-"))
        found[manifest.parent.name] = set(names)
    assert found == said


def code_of(folder):
    """The Rust of a folder without comments and without tests."""
    for path in (path for path in (ROOT / folder).rglob("*.rs") if path.name != "tests.rs"):
        text = path.read_text(encoding="utf-8").split("#[cfg(test)]")[0]
        yield path, re.sub(r"//[^\n]*", "", text)


def test_the_kernel_knows_no_network_noun():
    for path, text in code_of("crates/kernel/src"):
        found = re.findall(r"(?i)\b\w*(?:packet|switch|router|credit|congest(?!ree)|buffer)\w*\b", text)
        assert not found, f"{path.name}: {found}"


def test_the_fabric_reads_no_files_and_parses_no_text():
    for path, text in code_of("crates/fabric/src"):
        assert not re.search(r"std::(?:fs|io|env)|serde|\.parse\(", text), path.name


PART = re.compile(r"^        (\w+) = (\w+)::(\w+)\((\w+)\),", re.MULTILINE)
"""A line of a role's list: `Variant = file::Type(Params),`."""


def names_of_parts():
    """Names by which the code could know a scheme: variants, files and types; the empty part of a role is no scheme."""
    lists = "".join(text for _, text in code_of("crates/schemes/src") if "parts! {" in text)
    parts = [found for found in PART.findall(lists) if found[0] != "None"]
    assert len(parts) > 40, parts
    variants, files, types, params = map(set, zip(*parts, strict=True))
    return variants | {"Cnp", "Rcm", "Rccc", "Nscc"}, files | {"rcm", "rccc", "nscc"}, types | (params - {"NoParams"})


def test_the_fabric_knows_no_scheme_by_its_name():
    variants, files, types = names_of_parts()
    as_variant = rf"(?:Params|Any\w+)::(?:{'|'.join(variants)})\b"
    as_module = rf"\b(?:{'|'.join(files)})::"
    as_type = rf"\b(?:{'|'.join(types)})\b"
    for path, text in code_of("crates/fabric/src"):
        for known in (as_variant, as_module, as_type):
            assert not re.search(known, text), f"{path}: {re.search(known, text)[0]}"


ROLES = {
    "marking": (r"(?:Any)?Marker", {"control/marking"}),
    "reaction": (r"AnyReaction|ReactionPoint", {"control", "host", "observe"}),
    "notification": (r"Pacer", {"control", "host/messages"}),
    "path choice": (r"(?:Any)?Router", {"switch/routes"}),
    "transport": (r"(?:Any)?Transport", {"host", "host/converse", "observe/tables", "observe/waits"}),
    "receiver of a transport": (r"AnyReceiver", {"host"}),
    "grants of a transport": (r"(?:Any)?Grants", {"host/answers"}),
    "isolation by tree": (r"cam|mirror", {"control", "control/isolation", "host/staging", "observe"}),
    "isolation by flow": (r"flow_queues", {"control/isolation", "plan", "switch/queues/by_flow"}),
    "regional control": (r"regional", {"control/region", "plan"}),
    "telemetry": (r"UtilisationMeter|HopRecord", {"control"}),
}
"""Folders of the fabric that name a part of a role or what it answers: where the question of that role arises."""


def folders_that_import(names):
    """The folders of the fabric in which one of these names of `congestree_schemes` is imported."""
    root = ROOT / "crates/fabric/src"
    for path, text in code_of("crates/fabric/src"):
        imports = " ".join(re.findall(r"^use congestree_schemes::([^;]+);", text, re.M))
        if re.search(rf"\b(?:{names})\b", imports):
            yield path.parent.relative_to(root).as_posix()


@pytest.mark.parametrize("role", ROLES)
def test_a_role_is_named_where_its_question_arises(role):
    names, folders = ROLES[role]
    assert set(folders_that_import(names)) == folders


def test_schemes_never_schedule():
    # `schedule` is also the name of a role: who may use an output now.
    acts = r"\.schedule|fn schedule|\bschedule\(|Agenda|PacketId|congestree_(?:fabric|kernel|wire)"
    for path, text in code_of("crates/schemes/src"):
        assert not re.search(acts, text), path.name


def test_unsafe_code_is_in_one_module():
    assert tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["lints"]["rust"]["unsafe_code"] == "forbid"
    for manifest in ROOT.glob("crates/*/Cargo.toml"):
        lints = tomllib.loads(manifest.read_text())["lints"]
        border = manifest.parent.name == "capi" and lints["rust"]["unsafe_code"] == "deny"
        assert border or lints["workspace"] is True, manifest
    allowing = [path for path, text in code_of("crates") if re.search(r"(?:allow|expect)\(unsafe_code", text)]
    assert allowing == [ROOT / "crates/capi/src/border.rs"]


def test_the_twin_stands_alone():
    import sys

    for path in (ROOT / "reference").glob("*.py"):
        for module in re.findall(r"^(?:from|import) (\w+)", path.read_text(encoding="utf-8"), re.M):
            assert module == "reference" or module in sys.stdlib_module_names, f"{path.name} imports {module}"


def test_the_architecture_page_stays_short():
    assert len((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()) <= 300


def said_in(heading, following=None):
    """The words in code in a part of the code map of the architecture, which begins with this heading."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return words_in_code(text[text.index(heading) : following and text.index(following)])


def words_in_code(text):
    return {word for code in re.findall(r"`([^`\n]+)`", text) for word in re.findall(r"\w+", code)}


def children(folder):
    """Modules and folders of a folder that are under version control, by name."""
    listed = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    below = [Path(line).relative_to(folder).parts for line in listed.splitlines()]
    names = {parts[0] for parts in below if len(parts) > 1 or parts[0].endswith((".rs", ".py"))}
    return {name.partition(".")[0] for name in names} - {"lib", "__init__", "__main__"}


FOLDERS_OF_THE_FABRIC = sorted(path.name for path in (ROOT / "crates/fabric/src").iterdir() if path.is_dir())


@pytest.mark.parametrize("folder", FOLDERS_OF_THE_FABRIC)
def test_the_row_of_a_folder_of_the_fabric_names_all_its_modules(folder):
    if not (ROOT / ".git").exists():
        pytest.skip("what belongs to the tree is known by Git")
    row = re.search(rf"^  \| `{folder}/` \| .*", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.M)
    assert children(f"crates/fabric/src/{folder}") - {"mod"} - words_in_code(row[0]) == set()


GENERATED_OR_LINKS = {"scenario", "data", "static"}


def test_the_architecture_names_everything_that_one_finds_in_the_tree():
    if not (ROOT / ".git").exists():
        pytest.skip("what belongs to the tree is known by Git")
    assert {name for name in children(".") if name} <= said_in("## Code map")
    assert children("crates/fabric/src") <= said_in("`crates/fabric`\n", "`crates/scenario`\n")
    assert children("crates/scenario/src") <= said_in("`crates/scenario`\n", "`crates/python`\n")
    home, said = "python/congestree", said_in("`python/congestree`\n", "`viewer`\n")
    assert children(home) - said == set()
    for folder in children(home) - GENERATED_OR_LINKS:
        if (ROOT / home / folder).is_dir():
            assert children(f"{home}/{folder}") - said - GENERATED_OR_LINKS == set(), folder


def test_contributing_says_where_every_list_of_parts_is():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Adding things")[2]
    lists = [path.relative_to(ROOT).as_posix() for path, code in code_of("crates/schemes/src") if "\nparts! {" in code]
    assert len(lists) >= 7
    assert [path for path in [*lists, "crates/schemes/src/presets.rs"] if f"`{path}`" not in text] == []
