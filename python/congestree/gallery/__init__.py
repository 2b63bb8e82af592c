"""What is shipped and done again: the scenarios, and the papers of the gallery with their claims."""

from importlib import import_module

__all__ = ["papers", "shelf"]


def __getattr__(name):
    if name in __all__:
        return import_module(f".{name}", __name__)
    return getattr(import_module(".papers", __name__), name)
