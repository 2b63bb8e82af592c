"""The material shipped with the package: scenarios and the gallery, found by name.

In a checkout `congestree/data` links to the folders of the repository; an installed
package has copies there.
"""

import functools
import importlib
import tomllib
from pathlib import Path

from ..errors import AskedError, there_are
from ..formats import foreign
from ..runs import arguments

DATA = Path(__file__).parent.parent / "data"


def scenarios():
    """The shipped scenarios: {name: path}."""
    return {path.stem: path for path in sorted((DATA / "scenarios").glob("*.toml"))}


def papers():
    """The papers of the gallery: {name: folder}. A folder is a Python package, so it has `_` for `-`."""
    return {path.parent.name.replace("_", "-"): path.parent for path in sorted((DATA / "gallery").glob("*/runs.py"))}


def scenario_path(name):
    """The path of a scenario file, or of a shipped scenario by its name, which only a file of the same name hides."""
    path = Path(arguments.path("the scenario", name))
    named = "" if path.suffix or "/" in str(name) else str(name)
    if named in scenarios() and not path.is_file():  # a folder may hold the results of the scenario
        return scenarios()[named]
    if found := foreign.told(path):
        what, command = found
        raise AskedError(f"{path} holds {what}, not a scenario: read it with {command}")
    if (path / "manifest.json").is_file():
        raise AskedError(
            f"{path} is the folder of a run, not a scenario: congestree report {path} shows the run with its scenario, "
            "and congestree.Run.load opens it in Python"
        )
    if path.suffix == ".toml" and path.stem in scenarios() and not path.exists():
        raise AskedError(f"There is no file {path}; the shipped scenario of this name is {path.stem}, without ending")
    if path.exists() or not named:
        return path
    known = there_are(name, scenarios())
    raise AskedError(f"There is no file {name}, and no shipped scenario of that name; {known}")


def describe_scenario(path):
    """Name and description of a shipped scenario."""
    document = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    return document.get("name", ""), document.get("description", "")


def module(paper, name):
    """A module of a paper's folder, or None if it has none of that name."""
    if paper not in papers():
        raise AskedError(f'There is no paper "{paper}" in the gallery; {there_are(paper, papers())}')
    folder = papers()[paper].name
    try:
        return importlib.import_module(f"congestree.data.gallery.{folder}.{name}")
    except ModuleNotFoundError as error:
        if error.name and error.name.endswith(f"{folder}.{name}"):
            return None
        raise


def texts_of(paper):
    """The texts of a paper about its claims, not to be changed; see claims.toml in its folder."""
    path = papers()[paper] / "claims.toml"
    return _parsed(path.read_text(encoding="utf-8")) if path.exists() else {}


@functools.cache
def _parsed(text):
    """A TOML document. A paper asks for its texts with every figure, and they are long."""
    return tomllib.loads(text)
