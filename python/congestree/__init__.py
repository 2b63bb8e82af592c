"""congestree: what congestion does to a lossless network, and what cures it.

Describe a network, its traffic and a congestion management scheme as a
`Scenario` (or a TOML file), `run` it, and read tables with units:

    import congestree

    scenario = congestree.load("hot-spot")
    result = congestree.run(scenario)
    print(result.flows)
    congestree.plots.plot_rates(result).savefig("rates.png")

Names are imported when first used, so that `import congestree` is instant.
"""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec

__version__ = "0.1.0"

TYPE_CHECKING = False  # that of `typing`, which this module need not import: programs that check types know the name
if TYPE_CHECKING:  # what `__getattr__` finds
    from . import gallery as gallery
    from . import plots as plots
    from . import quantities as quantities
    from . import report as report
    from . import scenario as scenario
    from . import tune as tune
    from . import view as view
    from .applications import job_make as job_make
    from .applications import job_report as job_report
    from .applications import jobs as jobs
    from .errors import CongestreeError as CongestreeError
    from .errors import ScenarioError as ScenarioError
    from .evaluation import measures as measures
    from .evaluation import trees as trees
    from .formats import opensm as opensm
    from .formats import traces as traces
    from .live.driving import Live as Live
    from .plots import drawing as drawing
    from .plots import transports as transports
    from .runs.results import Run as Run
    from .runs.running import check as check
    from .runs.running import network as network
    from .runs.running import run as run
    from .scenario import Scenario as Scenario
    from .studies.study import Study as Study
    from .studies.sweeping import sweep as sweep

_HOMES = {
    "CongestreeError": "errors",
    "Live": "live.driving",
    "ScenarioError": "errors",
    "Run": "runs.results",
    "check": "runs.running",
    "network": "runs.running",
    "run": "runs.running",
    "Scenario": "scenario",
    "Study": "studies.study",
    "sweep": "studies.sweeping",
}
_MODULES = {
    "drawing": "plots.drawing",
    "gallery": "gallery",
    "job_make": "applications.job_make",
    "job_report": "applications.job_report",
    "jobs": "applications.jobs",
    "measures": "evaluation.measures",
    "opensm": "formats.opensm",
    "plots": "plots",
    "quantities": "quantities",
    "report": "report",
    "scenario": "scenario",
    "traces": "formats.traces",
    "transports": "plots.transports",
    "trees": "evaluation.trees",
    "tune": "tune",
    "view": "view",
}

__all__ = ["__version__", "load", *_HOMES, *_MODULES]


def load(path):
    """Read a scenario from a TOML or JSON file (the same as `Scenario.load`).

    path: of the file, or the name of a shipped scenario ("hot-spot"). Raises CongestreeError if it cannot be read,
    ScenarioError with all complaints if it is no scenario.
    """
    return import_module(".scenario", __name__).Scenario.load(path)


def __getattr__(name):
    if name in _HOMES:
        return getattr(import_module(f".{_HOMES[name]}", __name__), name)
    if name in _MODULES:
        return import_module(f".{_MODULES[name]}", __name__)
    raise AttributeError(f"module 'congestree' has no attribute {name!r}")


def __dir__():
    return sorted(__all__)


class _Shorter:
    """Imports modules by the names of `_MODULES`: `import congestree.measures` is the module that the attribute is."""

    @staticmethod
    def find_spec(name, path=None, target=None):  # noqa: ARG004 (Python's names)
        package, _, inner = name.partition(".")
        short, *further = inner.split(".")
        if package != __name__ or _MODULES.get(short, short) == short:
            return None
        return ModuleSpec(name, _Shorter, origin=".".join([__name__, _MODULES[short], *further]))

    @staticmethod
    def create_module(spec):  # noqa: ARG004 (the same)
        return None

    @staticmethod
    def exec_module(module):
        sys.modules[module.__name__] = import_module(module.__spec__.origin)


sys.meta_path.insert(0, _Shorter)
