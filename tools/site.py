"""What the site has besides its Markdown: every adopted paper of the gallery as `congestree report` shows it.

A hook of MkDocs (mkdocs.yml). The pages exist in the site alone; they are made from docs/data while it is built.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # MkDocs loads this file by its path

from docpages.adopted import adopted, figures

FOLDER = "gallery"


def report_of(paper, claims):
    """The page of a paper: its figures next to the published ones, each claim with a mark in its interval."""
    from congestree.report.of_paper import document
    from congestree.report.page import render

    return render(document(paper, claims, figures(paper), f"congestree reproduce {paper}\ncongestree report {paper}"))


def on_files(files, config):
    """Adds a page for each paper."""
    from mkdocs.structure.files import File

    for paper, claims in adopted().items():
        files.append(File.generated(config, f"{FOLDER}/{paper}.html", content=report_of(paper, claims)))
    return files


def on_page_markdown(markdown, page, config, files):  # noqa: ARG001 (MkDocs gives them by name)
    """Leads from the claims of a paper to its page."""
    if page.file.src_uri != "claims.md":
        return markdown
    return re.sub(r"^## (\S+)$", rf"\g<0>\n\n[With figures and intervals]({FOLDER}/\1.html)", markdown, flags=re.M)
