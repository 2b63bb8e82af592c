"""Tuning: search for settings that meet goals under many conditions, and write the files to deploy.

    from congestree import tune

    question = tune.ask("tune.toml", space="ib-cc", goals=["rate:victim", "use:H5"], seeds=[1, 2])
    made = tune.tune(question, out="runs/tuning", evaluations=100)
    made.front                       # settings that no other beats in every goal (the Pareto front)
    made.chosen                      # one of them
    made.beside                      # it and the scenario as it stands, on fresh seeds
    made.files                       # opensm.conf and the like

| file | holds |
| --- | --- |
| `space.py` | parameters and ranges; `families/` the spaces that have a name |
| `written.py` | scenarios as they are written, with other values |
| `conditions.py` | scenarios, what varies in them, slow links |
| `question.py` | all of these together, and whether two questions are the same |
| `search/` | the search by Optuna; `tuning.py` its results |
| `fresh.py` | the chosen setting against the stock one on fresh seeds; `deploy.py` files; `pictures.py` plots |

Goals and limits are in `evaluation/goals`, since a sweep has measures, too.

Optuna is an extra, `pip install 'congestree[tune]'`.
"""

from importlib import import_module

_HOMES = {
    "Goal": ".evaluation.goals",
    "Limit": ".evaluation.goals",
    "MEASURES": ".evaluation.goals.measured",
    "Parameter": "space",
    "Question": "question",
    "SPACES": "families",
    "Space": "space",
    "Tuning": "tuning",
    "ask": "asking",
    "tune": "asking",
}

__all__ = [*_HOMES]


def __getattr__(name):
    if name in _HOMES:
        return getattr(import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module 'congestree.tune' has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
