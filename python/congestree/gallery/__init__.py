"""The shipped and reproduced material: the scenarios, and the papers of the gallery with their claims."""

from importlib import import_module

__all__ = ["papers", "shipped"]


def __getattr__(name):
    if name == "shelf":
        from .. import renames

        renames.notice("congestree.gallery.shelf is an older name: write congestree.gallery.shipped")
        name = "shipped"
    if name in __all__:
        return import_module(f".{name}", __name__)
    return getattr(import_module(".papers", __name__), name)
