"""Writes the pages of the documentation that follow from the program itself.

    python tools/pages.py                           # write them
    python tools/pages.py --check                   # say whether they are up to date
    python tools/pages.py --adopt runs/hpl2002 …    # take over claims.json (or bench.json) of finished runs first
    python tools/pages.py --cases runs/some …       # take over single cases, where these runs have as many numbers
    python tools/pages.py --figures runs/quick …    # take over figures that the site has none of, and no claims

| page | made from |
| --- | --- |
| docs/reference/scenario.md, parts.md, scenario.schema.json | the engine's catalogue and JSON Schema |
| docs/reference/cli.md | the command line itself |
| docs/reference/api.md | the docstrings of `congestree` |
| docs/reference/tables.md | the columns of a small run with all probes |
| docs/reference/tuning.md | the measures and spaces of `congestree tune` |
| docs/claims.md | docs/data/<paper>.json, adopted from `congestree reproduce` |
| docs/schemes.md | the same, of every-scheme |
| docs/data/<paper>.json | itself, judged by what is accepted now |
| docs/speed.md | docs/data/bench.json, adopted from `congestree bench` |
| docs/trust.md, docs/reference/installing.md | docs/data/trust, from `make night`, `mishaps`, `fuzz` and others |
| docs/bibliography.md | docs/bibliography.bib |
"""

import argparse
import json
import sys

from docpages.adopted import DOCS, adopt, adopt_cases, adopt_figures, settled, speed_page
from docpages.api import api_page
from docpages.bibliography import bibliography_page
from docpages.claims import claims_page
from docpages.cli import cli_page
from docpages.parts import parts_page, scenario_page
from docpages.schemes import schemes_page
from docpages.tables import tables_page
from docpages.trust import installing_page, trust_page
from docpages.tuning import tuning_page

ROOT = DOCS.parent
MARK = "<!-- Made by tools/pages.py; do not edit. -->\n\n"


def pages():
    """All generated pages, and the verdicts in stored data: {path: text}."""
    from congestree import _engine

    catalogue, schema = json.loads(_engine.catalogue()), json.loads(_engine.schema())
    made = {
        "reference/scenario.md": scenario_page(catalogue, schema),
        "reference/parts.md": parts_page(catalogue, schema),
        "reference/cli.md": cli_page(),
        "reference/api.md": api_page(),
        "reference/tables.md": tables_page(catalogue),
        "reference/tuning.md": tuning_page(),
        "claims.md": claims_page(),
        "schemes.md": schemes_page(),
        "speed.md": speed_page(),
        "trust.md": trust_page(),
        "reference/installing.md": installing_page(),
        "bibliography.md": bibliography_page(),
    }
    made = {name: MARK + text.rstrip() for name, text in made.items()}
    made["reference/scenario.schema.json"] = json.dumps(schema, indent=2, ensure_ascii=False)
    return {DOCS / name: text + "\n" for name, text in made.items()} | settled()


def main():
    """Write the pages or check them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="only say whether the pages are up to date")
    parser.add_argument(
        "--adopt", nargs="+", default=[], metavar="RUNS", help="folders of reproductions, or a bench.json"
    )
    parser.add_argument(
        "--figures", nargs="+", default=[], metavar="RUNS", help="the same, but only figures that the site has none of"
    )
    parser.add_argument(
        "--cases",
        nargs="+",
        default=[],
        metavar="RUNS",
        help="the same, but single cases (networks, schemes) of claims, and leave the others as they are",
    )
    options = parser.parse_args()
    for source in options.adopt:
        adopt(source)
    for source in options.cases:
        adopt_cases(source)
    for source in options.figures:
        adopt_figures(source)
    stale = [
        (path, text) for path, text in pages().items() if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if options.check and stale:
        names = ", ".join(str(path.relative_to(ROOT)) for path, _ in stale)
        sys.exit(f"Out of date: {names}. Run `python tools/pages.py` and commit the result.")
    for path, text in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")
    if not stale:
        print("all pages are up to date")


if __name__ == "__main__":
    main()
