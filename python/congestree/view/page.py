"""The page around the packed data: one file without a link to anything outside.

The page forbids itself the network and any script but its own, by a policy that contains the hash of that script: even
a name in a scenario that looks like a script cannot run.
"""

import base64
import hashlib
import html as escaping
import re
from pathlib import Path

from ..errors import CongestreeError, visible

BUNDLE = Path(__file__).parent / "static" / "viewer.js"
"""Built from `viewer` by `make viewer` (and `make setup`); not checked in."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-{digest}'; \
style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'">
<meta name="generator" content="congestree">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>html, body {{ margin: 0; height: 100%; font-family: system-ui, sans-serif; }}
.plain {{ max-width: 46em; margin: 2em auto; padding: 0 1em; line-height: 1.5; }}</style>
</head>
<body>
<div id="congestree-view"><div class="plain"><h1>{title}</h1>
{sentences}
</div></div>
<script type="application/octet-stream" id="congestree-data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def bundle():
    """The program of the page. Raises CongestreeError if it has not been built."""
    try:
        return BUNDLE.read_text(encoding="utf-8")
    except OSError:
        raise CongestreeError(
            "The browser part of the viewer is missing from this installation: build it with `make viewer` in "
            "the checkout, then `pip install .` again if the package was installed from there."
        ) from None


def compose(script, data, title, sentences):
    """One page as text.

    script: of the viewer; data: what `packing.Packer.pack` made; title: plain text; sentences: for those whose browser
    draws nothing.
    """
    script = re.sub(r"</(script)", r"<\\/\1", script, flags=re.I).replace("<!--", "<\\!--")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    said = "\n".join(f"<p>{as_html(sentence)}</p>" for sentence in sentences)
    return PAGE.format(digest=digest, title=as_html(title), sentences=said, data=data, script=script)


def as_html(text):
    """Plain text in a page: nothing in it is taken for markup, and control characters can be seen."""
    return escaping.escape(visible(text))
