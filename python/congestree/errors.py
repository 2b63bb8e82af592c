"""Errors that are the user's to mend: whole sentences, shown without a traceback by the CLI."""

from ._engine import ScenarioError


class CongestreeError(Exception):
    """Something outside the scenario went wrong: a file, a folder, a name, an interruption."""

    exit_code = 1  # of the command line


__all__ = ["CongestreeError", "ScenarioError"]
