"""Generated pages are up to date."""

import json
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from types import SimpleNamespace

import pytest
import typer
import yaml
from blocks import ROOT

import congestree
from congestree import _engine
from congestree.cli import COMMANDS, app
from congestree.errors import CongestreeError
from congestree.evaluation.goals.measured import MEASURES
from congestree.gallery import shipped
from congestree.runs import results
from congestree.tune.families import SPACES

JUDGED = ("reproduced", "not reproduced", "undecided", "cannot fail here", "analytic")


def test_generated_pages_are_up_to_date():
    done = subprocess.run(
        [sys.executable, ROOT / "tools/pages.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_menu_of_the_site_has_every_page_and_no_other():
    """What `mkdocs build --strict` checks, without MkDocs."""
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    menu = re.findall(r"^ +- (?:.*: )?(\S+\.md)$", config.split("\nnav:\n")[1], re.M)
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert sorted(menu) == sorted(pages)


def test_the_search_of_the_site_finds_functions_by_their_names():
    """The usual separator leaves `congestree.plots.plot_lines(study,` one word."""
    (search,) = (one["search"] for one in yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["plugins"])
    headings = re.findall(r"^### `(.*)`$", (ROOT / "docs/reference/api.md").read_text(encoding="utf-8"), re.M)
    words = {word for heading in headings for word in re.split(search["separator"], heading)}
    assert {"plot_lines", "plot_slowdown", "queueing_delay", "Run", "0.0"} <= words


def test_no_list_of_claims_shows_a_backtick():
    """In an element of HTML they stay what they are."""
    page = (ROOT / "docs/claims.md").read_text(encoding="utf-8")
    items = re.findall(r"<li>(.*?)</li>", page)
    assert len(items) > 1000 and not [item for item in items if "`" in item]
    assert "<li>remarks: <code>congestree cost</code>, cells by lines</li>" in page


def test_whoever_lacks_a_table_is_told_its_probe():
    page = (ROOT / "docs/reference/tables.md").read_text(encoding="utf-8")
    probes = dict(re.findall(r"^## `(\w+)`\n\nProbe `([\w-]+)`", page, re.M))
    assert probes == {
        made["name"]: entry["name"]
        for entry in json.loads(_engine.catalogue())
        if entry["kind"] == "probe"
        for made in entry["tables"]
    }
    run = results.Run({}, {"flows": None})
    for table, probe in probes.items():
        with pytest.raises(CongestreeError, match=f'"{table}": add the probe "{probe}"'):
            run.table(table)


def test_whoever_lacks_any_table_of_the_page_is_told_what_would_make_it():
    page = (ROOT / "docs/reference/tables.md").read_text(encoding="utf-8")
    tables = re.findall(r"^## `(\w+)`$", page, re.M)
    plain = congestree.run(
        {
            "topology": {"single-switch": {"hosts": 2}},
            "links": {"rate": "8 Gbit/s"},
            "traffic": [{"from": "H1", "to": "H2"}],
            "measure": {"duration": "1 us"},
        }
    )
    lacking = [table for table in tables if table not in plain.tables]
    assert {"jobs", "ranks", "steps", "faults", "latency"} <= set(lacking) and len(lacking) == len(tables) - 3
    for table in lacking:
        with pytest.raises(CongestreeError, match=f'no table "{table}": (add the probe "|give the scenario )'):
            plain.arrow(table)
    with pytest.raises(CongestreeError, match=r'no table "faults": give the scenario links\.faults\.$'):
        plain.arrow("faults")


def test_every_key_of_a_scenario_stands_on_a_page():
    """The author of a scenario need not guess any key: tables and lists within parts are there, too."""
    pages = [(ROOT / f"docs/reference/{name}.md").read_text(encoding="utf-8") for name in ("scenario", "parts")]
    keys = set(re.findall(r"^\| `([^`]+)` \|", "\n".join(pages), re.M))
    schema = json.loads((ROOT / "docs/reference/scenario.schema.json").read_text(encoding="utf-8"))
    tables = [schema, *(node for node in schema["$defs"].values() if "properties" in node)]
    assert not {key for table in tables for key in table["properties"]} - keys
    storm = pages[1].split("### `links.flow_control.pfc.storms.N`")[1].split("###")[0]
    assert "| `host` | text | required |" in storm and "| `stop` | length of time |  |" in storm
    assert "In a scenario: ." not in pages[1]


def test_every_column_and_row_that_the_engine_writes_stands_on_the_page_of_tables():
    """By the names in its sources: what only some networks have, such as packets out of order, is soon forgotten."""
    page = (ROOT / "docs/reference/tables.md").read_text(encoding="utf-8")
    named = re.compile(r'Column::\w+\(\s*"(\w+)"|\(\s*"(\w+)",\s*[^"()]*(?:\([^()]*\))?[^"()]*,\s*"[^"]*",\s*"[^"]+"')
    names = {}
    for path in (*(ROOT / "crates/fabric/src").rglob("*.rs"), *(ROOT / "crates/probes/src").rglob("*.rs")):
        if path.parent.name != "live":  # tables for who drives a simulation
            source = path.read_text(encoding="utf-8").split("#[cfg(test)]")[0]
            names |= {found[1] or found[2]: path for found in named.finditer(source)}
    assert len(names) > 150 and {"reorder_extent", "flow_stops", "joined"} <= set(names)
    assert not {name: path for name, path in names.items() if f"`{name}`" not in page}


KINDS = {"string": "text", "bool": "yes or no"}
"""Of types of columns; all others are numbers."""
OF_TWO_KINDS = {
    "event": "number of an event; in `pauses` and `transport`: what happened",
    "from": "host of a message, node of a link, or beginning of a time",
    "to": "host of a message, node of a link, or end of a time",
    "marked": "how many packets; in `deliveries`: whether this one",
    "stopped": "whether a flow; in `injection_audit`: how many packets",
}
"""Columns that are of different kinds in different tables, and why."""


def columns_of_tables():
    """The columns on the page of tables: (name, type, unit)."""
    page = (ROOT / "docs/reference/tables.md").read_text(encoding="utf-8")
    for table in re.findall(r"^\| column \| type \| unit .*\n\|.*\n((?:\|.*\n)+)", page, re.M):
        for row in table.splitlines():
            name, kind, unit = (cell.strip(" `") for cell in row.split("|")[1:4])
            yield name, kind, unit


def test_a_column_is_text_or_a_number_whatever_the_table():
    """`port` is the id of a port everywhere, `output` the name of a link with its id in `output_port`."""
    kinds = {}
    for name, kind, _ in columns_of_tables():
        kinds.setdefault(name, set()).add(KINDS.get(kind, "number"))
    assert len(kinds) > 150 and kinds["port"] == {"number"}
    assert {name for name, found in kinds.items() if len(found) > 1} == set(OF_TWO_KINDS)


def test_a_column_in_picoseconds_says_so_in_its_name():
    """Times are in s, but those that must be exact."""
    found = {(name, kind) for name, kind, unit in columns_of_tables() if unit == "ps"}
    assert found and {name for name, _ in found} == {name for name, *_ in columns_of_tables() if name.endswith("_ps")}
    assert {kind for _, kind in found} == {"uint64"}


def test_examples_of_the_command_line_are_whole():
    page = (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8")
    for block in re.findall(r"```sh\n(.*?)```", page, re.S):
        assert not block.endswith("\\\n"), block
    assert "--sequence 2048 \\\n    --microbatches 8" in page


def test_options_of_the_command_line_have_all_their_forms_values_and_defaults():
    page = (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8").replace("\\|", "|")
    for name in COMMANDS:
        rows = page.split(f"## `congestree {name}`\n")[1].split("\n## ")[0].splitlines()
        command = typer.main.get_command(app)
        for word in name.split():
            command = command.commands[word]
        for option in (parameter for parameter in command.params if parameter.param_type_name == "option"):
            (row,) = (row for row in rows if re.match(rf"\| `{option.opts[0]}[ `]", row))
            default = getattr(option.default, "value", option.default)  # of an enum: its word
            said = [f"`{form}" for form in (*option.opts, *option.secondary_opts)]
            said += ["|".join(getattr(option.type, "choices", ())), "[required]" if option.required else ""]
            if default is not None and default is not False:  # 0 is one
                typed = option.opts[0] if default is True else default
                said.append(f"[default: {typed}]" if option.show_default else "[default: ")  # or in words
            assert not [words for words in said if words not in row], (name, row)
    assert "| `--bench`, `--no-bench` |" in page and "| `[CALLS]` |" in page


def test_all_measures_and_parameters_of_spaces_stand_on_a_page():
    page = (ROOT / "docs/reference/tuning.md").read_text(encoding="utf-8")
    measures = set(re.findall(r"^\| `([\w-]+)", page.split("## Spaces")[0], re.M))
    assert measures == set(MEASURES)
    for name, space in SPACES.items():
        rows = page.split(f"### `{name}`\n")[1].split("\n### ")[0]
        assert re.findall(r"^\| `(.*?)` \|", rows, re.M) == [parameter.name for parameter in space.parameters]


def test_the_bibliography_names_each_author_and_has_no_tex():
    """In the source names may stand on several lines, letters have accents of TeX, and some entries have no venue."""
    page = (ROOT / "docs/bibliography.md").read_text(encoding="utf-8")
    entries = re.findall(r"^\*\*\[\w+\]\*\* (.*?): \*.*\.$", page, re.M)
    assert len(entries) == page.count("**[") and not [authors for authors in entries if " and " in authors]
    assert "\\" not in page and "*. ," not in page
    assert "; Yehonatan Liron; Jitendra Padhye; " in page and "José Flich" in page


@pytest.fixture
def site(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return runpy.run_path(str(ROOT / "tools/site.py"))


def test_the_site_shows_every_adopted_paper_as_a_report(site):
    papers = site["adopted"]()
    assert papers
    for paper, claims in papers.items():
        page = site["report_of"](paper, claims)
        assert f"{len(claims)} claims" in page and "<script" not in page
        assert f"congestree reproduce {paper}" in page
    assert "published 0.15" in site["report_of"]("hpl2002", papers["hpl2002"])


def test_the_claims_lead_to_these_pages(site):
    text = (ROOT / "docs/claims.md").read_text(encoding="utf-8")
    page = SimpleNamespace(file=SimpleNamespace(src_uri="claims.md"))
    led = re.findall(r"\(gallery/(\S+)\.html\)", site["on_page_markdown"](text, page, None, None))
    assert led == list(site["adopted"]())


def test_figures_are_adopted_with_the_claims(site, tmp_path, monkeypatch):
    from docpages import adopted

    monkeypatch.setattr(adopted, "DATA", tmp_path / "data")
    made = tmp_path / "runs/hpl2002"
    (made / "figures").mkdir(parents=True)
    (made / "claims.json").write_text((ROOT / "docs/data/hpl2002.json").read_text(encoding="utf-8"))
    shutil.copyfile(ROOT / "docs/data/figures/hpl2002/fig2a.png", made / "figures/fig2a.png")
    adopted.adopt(made)
    assert list(adopted.figures("hpl2002")) == ["fig2a"]
    assert "data:image/png;base64," in site["report_of"]("hpl2002", adopted.adopted()["hpl2002"])


def test_what_a_reproduction_has_not_run_stays_as_it_was_adopted(site, tmp_path, monkeypatch):
    from docpages import adopted

    monkeypatch.setattr(adopted, "DATA", tmp_path / "data")
    rows = json.loads((ROOT / "docs/data/hpl2002.json").read_text(encoding="utf-8"))[:2]
    earlier = [{**row, "seeds": None} for row in rows]  # of one run each: judged by the value
    later = [{**earlier[0], "value": None, "verdict": "not run"}, {**earlier[1], "value": 0.5}]
    for claims in (earlier, later):
        (tmp_path / "claims.json").write_text(json.dumps(claims), encoding="utf-8")
        adopted.adopt(tmp_path)
    stored = json.loads((tmp_path / "data" / "hpl2002.json").read_text(encoding="utf-8"))
    assert stored == [earlier[0], later[1]]
    # Wherever they are shown, they are judged by the current criterion: 0.27 <= x <= 0.36.
    assert [row["verdict"] for row in adopted.adopted()["hpl2002"]] == ["reproduced", "not reproduced"]


def test_every_decided_row_has_the_comparison_that_decides(site):
    """By the numbers that are stored: none keeps the verdict of a run that lacks one."""
    for rows in site["adopted"]().values():
        assert [row["id"] for row in rows if (row["verdict"] in JUDGED) != bool(row["decides"])] == []


def test_rows_about_the_same_runs_have_the_same_numbers(site):
    """The statement of section 7 of HPL-2002-4 once had older and fewer runs of Figure 7 than the figure has."""
    rows = {row["id"]: row for row in site["adopted"]()["hpl2002"]}
    overall, figure = rows["hpl2002-s7-overall"], rows["hpl2002-fig7-root-order"]
    for key in ("value", "seeds"):
        assert overall[key]["root, static"] == figure[key]


def test_reasons_on_the_page_are_those_of_today(site):
    """Not those of the texts at the time of the run: the remark on the value of a row is kept separately."""
    from congestree.data.gallery.common.judge import reason

    for paper, rows in site["adopted"]().items():
        texts = tomllib.loads((shipped.papers()[paper] / "claims.toml").read_text(encoding="utf-8"))
        for row in rows:
            assert "note" in row, row["id"]
            text = texts[row["id"]]
            said = text.get("straddles") or reason(text, row["verdict"], "")
            assert row["reason"].startswith(said.rstrip(".")), row["id"]


def test_what_did_not_come_out_has_a_tested_cause_or_an_open_question(monkeypatch):
    """Or states the fact of a claim that has one."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from docpages import claims

    found = [claim for paper in claims.papers() for claim in paper.claims]
    told = {claim.id for claim in found if {"tested", "open"} & set(claim.text)}
    missing = [claim for claim in found if claim.verdict in ("not reproduced", "undecided")]
    assert missing and [claim.id for claim in missing if not {claim.id, claim.text.get("same_as")} & told] == []


def test_the_page_of_claims_says_whether_the_aim_is_met():
    text = (ROOT / "docs/claims.md").read_text(encoding="utf-8")
    (met,) = re.findall(r"The aim was that 90% .* It is (met|not met): (?:\d+ of \d+ \((\d+)%\))", text)
    assert (met[0] == "met") == (int(met[1]) >= 90)


def test_the_aim_counts_the_papers_of_the_specification_alone(site):
    """Answer keys, closed forms and our own expectations would add to what is reproduced of the papers."""
    from docpages import claims

    specified = json.loads((ROOT / "tests/gallery/specification.json").read_text(encoding="utf-8"))
    found = claims.papers()
    assert [p.name for p in found if p.specified] == [
        p.name for p in found if {claim.id for claim in p.claims} & set(specified)
    ]
    ours, others = ([p.counts() for p in group] for group in claims.grouped(found))
    assert len(ours) == 11 and len(others) == 8
    text = (ROOT / "docs/claims.md").read_text(encoding="utf-8")
    for name, group in zip(claims.GROUPS, (ours, others), strict=True):
        reproduced, failed = (sum(counts[word] for counts in group) for word in claims.DECIDED)
        assert f"| {name} | {reproduced} of {reproduced + failed} (" in text
    reproduced, failed = (sum(counts[word] for counts in ours) for word in claims.DECIDED)
    assert f"met: {reproduced} of {reproduced + failed} (" in text


def test_the_speed_on_the_page_to_decide_is_that_of_the_page_of_speeds():
    """In millions, cases l and m: with an ACK for every packet, and without."""
    rates = {
        row["name"]: row["packet_hops_per_s"] / 1e6 for row in json.loads((ROOT / "docs/data/bench.json").read_text())
    }
    with_acks, without = (rates[name] for name in ("l-permutation-1024-acks", "m-permutation-1024"))
    page = (ROOT / "docs/decide.md").read_text(encoding="utf-8")
    assert f"{with_acks:.0f} M with an ACK for every packet, {without:.0f} M without" in page
