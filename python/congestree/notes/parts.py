"""Parts of a scheme: what a scenario has chosen, and what they declare in the engine's catalogue.

Notes know parts by what these declare, never by their names: a new one needs no line here.
"""

import functools
import json

from ..document import chosen

__all__ = ["chosen", "declared"]


@functools.cache
def declared(kind, key):
    """{name: what it declares under this key} of all parts of a kind, such as "transport" and its `follows_on`."""
    from .. import _engine

    parts = json.loads(_engine.catalogue())
    return {part["name"]: part[key] for part in parts if part["kind"] == kind}
