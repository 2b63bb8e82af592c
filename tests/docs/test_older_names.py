"""Sentences of the documents have keys by the names that they have now. (Examples: `test_examples.py`.)"""

import json
import re

from blocks import PAGES, ROOT, name

from congestree._renamed import RENAMED

SCHEMA = json.loads((ROOT / "docs/reference/scenario.schema.json").read_text(encoding="utf-8"))


def tables(node):
    """The names of the keys of every table that a scenario can have."""
    if isinstance(node, list):
        return [keys for inner in node for keys in tables(inner)]
    if not isinstance(node, dict):
        return []
    own = [set(node["properties"])] if isinstance(node.get("properties"), dict) else []
    return own + [keys for inner in node.values() for keys in tables(inner)]


TABLES = tables(SCHEMA)
OLDER = [
    (place.rpartition(".")[2], old, new.rpartition(".")[2]) for kind, place, old, new, _ in RENAMED if kind == "key"
]
BESIDE = {new: set().union(*(keys for keys in TABLES if new in keys and old not in keys)) for _, old, new in OLDER}
"""By a key's present name, the keys of its table."""


def older_keys(text):
    """Code in a line of prose that names a key as it was called before: behind its table (`acks.after`), or beside
    another key of this table, as an older name may mean something else elsewhere."""
    code = set(re.findall(r"`([^`]+)`", text))
    ends = {".".join(one.split(".")[-2:]) for one in code}
    return [old for parent, old, new in OLDER if f"{parent}.{old}" in ends or (old in code and code & BESIDE[new])]


def test_keys_in_sentences_have_their_present_names():
    assert older_keys("an ACK for every `every` packets, or `after` a time") == ["after"]
    assert older_keys("`adapters.acks.after`") == ["after"]
    for page in PAGES:
        if page.parts[-2] in ("howto", "tutorials", "explanation"):
            for line in page.read_text(encoding="utf-8").splitlines():
                assert older_keys(line) == [], f"{name(page)}: {line}"
