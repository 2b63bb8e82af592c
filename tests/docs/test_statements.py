"""What pages say that were written by hand, held against the sources that they speak of."""

import importlib
import json
import re
import tomllib
from pathlib import Path

import pytest
import sentences
from blocks import ROOT, blocks

import congestree
from congestree.benchmark import cases
from congestree.gallery import shipped
from congestree.runs import memory


def page(name):
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def test_the_order_within_an_instant_is_that_of_the_events():
    """Each kind by its number; kinds that share one share a line."""
    source = (ROOT / "crates/fabric/src/event.rs").read_text(encoding="utf-8")
    ranked = source.split("fn rank(self)")[1].split("kind << KIND")[0]
    kinds = {}
    for name, kind in re.findall(r"Event::(\w+)[^=]*=> \{?\s*\((\d+),", ranked):
        kinds.setdefault(int(kind), []).append(name)
    assert {name for names in kinds.values() for name in names} == set(
        re.findall(r"^    (\w+)(?: \{|,)", source.split("enum Event {")[1].split("\n}")[0], re.M)
    )
    listed = page("explanation/how-it-works").split("## The order within an instant")[1].split("\n\nDecisions")[0]
    lines = re.findall(r"^(\d+)\. (.*)", listed, re.M)
    assert {int(number) - 1: re.findall(r"`([A-Z]\w+)`", line) for number, line in lines} == kinds


def rows(text):
    """The cells of the first table of a text, row by row, without its head."""
    lines = re.search(r"(?:^\|.*\n)+", text, re.M)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


TELEMETRY = [row[0].strip("`") for row in rows(page("howto/telemetry"))]


@pytest.mark.parametrize("preset", TELEMETRY)
def test_schemes_by_telemetry_or_delay_need_acks_but_not_for_every_packet(preset):
    values = {"scheme.preset": preset, "adapters.acks": {"every": 4, "flush": "10 us"}}
    congestree.check("hpcc-incast", values=values)
    with pytest.raises(congestree.ScenarioError, match="this reaction needs every ACK"):
        congestree.check("hpcc-incast", values={**values, "scheme.notify": {"cnp": {}}})
    said = page("howto/telemetry")
    assert "one for every packet, unless `adapters.acks`" in said and "an ACK for every packet" not in said


def test_without_gradient_the_current_of_power_tcp_is_what_the_output_sends():
    """As in the preset: no page may say that it is the arrival rate."""
    scheme = congestree.check("hpcc-incast", values={"scheme.preset": "power-tcp"})["scenario"]["scheme"]
    assert scheme["react"]["power-tcp"]["gradient"] is False
    for name in ("howto/telemetry", "explanation/how-it-works"):
        (said,) = re.findall(r"power: (?:the )?(.*)", page(name))
        assert said.startswith("rate ") and "arrival" not in said


def test_the_comparison_counts_the_cases_of_the_benchmark():
    said = page("compare")
    assert f"for {len(cases.CASES)} cases" in said.replace("\n", " ")
    numbers = {9: "nine", 10: "ten", 11: "eleven"}
    assert f"{numbers[len(cases.PARALLEL)]} of them also with two threads" in said.replace("\n", " ")


def test_the_comparison_says_how_much_slower_its_own_table_has_larger_networks():
    said = page("compare")
    slower = []
    for _, _, _, small, large, _ in rows(said):
        rates = [re.match(r"[\d.]+", cell) for cell in (small, large)]
        slower += [float(rates[0][0]) / float(rates[1][0])] if all(rates) else []
    assert len(slower) > 6
    assert f"by {min(slower):.1f} to {max(slower):.1f} times" in said


def test_queue_pairs_exceed_the_fixed_cost_law_by_as_much_as_the_page_says():
    """In its own example; its law is B = S / (T0 / Q + S / C)."""
    path = ROOT / "docs/howto/hosts-as-they-are.md"
    (example,) = (tomllib.loads(block.text) for block in blocks(path) if block.title == "messages.toml")
    example["adapters"]["queue_depth"] = 1
    above = []
    for pairs, bits in ((4, 8 * 64 * 1024), (16, 8 * 4 * 1024)):
        values = {"traffic.0.queue_pairs": pairs, "traffic.0.message": f"{bits // 8} B"}
        rate = congestree.run(example, values=values).class_rates()["one"]
        above.append(100 * (rate * (8e-6 / pairs + bits / 400e9) / bits - 1))
    said = " ".join(page("howto/hosts-as-they-are").split())
    assert f"by {above[0]:.0f} % with four messages of 64 KiB, and by {above[1]:.0f} % with 16 messages" in said


def test_the_default_of_limit_memory_is_a_share_of_the_free_memory():
    assert memory.SHARE == 0.9
    options = re.findall(r"`--limit-memory SIZE`.*", page("reference/cli"))
    assert options and all("[default: nine tenths of the free memory]" in option for option in options)


def taken(schema):
    """The words that each key of a scenario takes, by the schema: {path: words}; entries of lists are `N`."""
    found, seen = {}, set()

    def visit(node, path):
        while "$ref" in node:
            name = node["$ref"].rpartition("/")[2]
            if (path, name) in seen:
                return
            seen.add((path, name))
            node = schema["$defs"][name]
        for branch in (*node.get("oneOf", ()), *node.get("anyOf", ())):
            found.setdefault(path, set()).update(branch.get("required", ()), filter(None, [branch.get("const")]))
            visit({key: value for key, value in branch.items() if key != "required"}, path)
        if "items" in node:
            visit(node["items"], f"{path}.N")
        for key, value in node.get("properties", {}).items():
            visit(value, f"{path}.{key}".lstrip("."))

    visit(schema, "")
    return found


def test_every_part_is_a_value_of_the_keys_beside_it():
    """Keys of one name that take different parts, such as `order`, have sections of their own."""
    words = taken(json.loads((ROOT / "docs/reference/scenario.schema.json").read_text(encoding="utf-8")))
    sections = page("reference/parts").split("\n## ")[1:-1]
    assert len(sections) > 60
    for section in sections:
        title, said = section.split("\n\n")[:2]
        values = {row[0].strip("`") for row in rows(section)} if "\n### " not in section else set()
        values |= set(re.findall(r"^### `([\w-]+)`", section, re.M))
        for place in re.findall(r"`([^`]+)`", said):
            pattern = re.compile(re.escape(place).replace("…", r"[\w.-]+") + r"(\.N)?")
            accepted = [found for path, found in words.items() if pattern.fullmatch(path)]
            assert any(values <= found for found in accepted), (title, place, values)


def test_every_entry_of_a_manifest_stands_on_the_page_of_tables(tmp_path):
    congestree.run("hpcc-incast", values={"measure.duration": "10 us"}).save(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    said = page("reference/tables").split("## The manifest")[1].split("\n## ")[0]
    assert set(manifest) <= set(re.findall(r"`(\w+)`", said))
    assert "out_of_memory" not in manifest


@pytest.mark.parametrize("paper", sorted(path.stem for path in Path(sentences.__file__).parent.glob("[a-z]*.py")))
def test_numbers_of_the_adopted_results_are_in_the_texts_of_a_paper(paper):
    """Its README and its claims say what the runs gave that were adopted last."""
    told = importlib.import_module(f"sentences.{paper}").sentences(sentences.Adopted(paper.replace("_", "-")))
    lost = {file: sentences.lost(ROOT / "gallery" / paper / file, said) for file, said in told.items()}
    assert {file: said for file, said in lost.items() if said} == {}


RUNS = re.compile(r"congestree reproduce ([\w-]+)( --quick)? +#.*?(\d[\d,]*) (?:short )?runs")
COUNTED = [
    said for page in sorted((ROOT / "gallery").glob("*/README.md")) for said in RUNS.findall(page.read_text("utf-8"))
]


@pytest.mark.parametrize(("paper", "quick", "said"), COUNTED)
def test_a_paper_has_as_many_runs_as_its_page_says(paper, quick, said):
    """As `congestree reproduce` counts them: equal scenarios, whatever their names, are one run."""
    runs = shipped.module(paper, "runs").runs(quick=bool(quick))
    different = {json.dumps(scenario | {"name": ""}, sort_keys=True) for scenario in runs.values()}
    assert f"{len(different):,}" == said


NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)
FAILED = re.compile(
    r"(\w+) (?:statements are not reproduced|expectations did not hold)|Not reproduced are (\w+) statements"
)
OPEN = re.compile(r"\b(\w+) are undecided")


@pytest.mark.parametrize("paper", [paper for paper in shipped.papers() if sentences.data(paper).exists()])
def test_a_page_counts_the_verdicts_of_the_adopted_results(paper):
    """Where it says at its top how many statements are not reproduced, or undecided."""
    page = (shipped.papers()[paper] / "README.md").read_text(encoding="utf-8")
    short = " ".join(page.partition("## In short")[2].split("\n## ")[0].split())
    adopted = sentences.Adopted(paper)
    for pattern, verdict in ((FAILED, "not reproduced"), (OPEN, "undecided")):
        for found in pattern.finditer(short):
            word = next(filter(None, found.groups())).lower()
            assert word not in NUMBERS or NUMBERS.index(word) == adopted.count(verdict), found[0]
