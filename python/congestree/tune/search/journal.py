"""A study on disk: Optuna's journal of it, opened, checked and mended; one command at a time."""

import contextlib
import os
from pathlib import Path

from ...errors import CongestreeError
from ...runs import locking
from ...runs.writing import unbroken, writing
from ..question import QUESTION

JOURNAL, NAME = "journal.log", "tuning"


def library():
    """Optuna, or a sentence if it is not there."""
    try:
        import optuna
    except ImportError:
        raise CongestreeError(
            "Tuning needs Optuna, which is not installed here: pip install 'congestree[tune]'."
        ) from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna


def open_study(folder, question=None):
    """The Optuna study in a folder; made if a question comes with it.

    Raises CongestreeError if there is none, if it answers another question, or if the journal cannot be written.
    """
    optuna = library()
    folder = Path(folder)
    directions = None
    if question is not None:
        if (folder / JOURNAL).exists() and not (folder / QUESTION).exists():
            raise CongestreeError(f"{folder} has a {JOURNAL} and no {QUESTION}: name another folder with --out.")
        question.write_down(folder)
        directions = directions_of(question)
    elif not (folder / JOURNAL).exists():
        raise CongestreeError(f"{folder} holds no tuning: there is no {JOURNAL} in it.")
    try:
        journal = _journal(optuna, folder / JOURNAL)
        storage = optuna.storages.JournalStorage(journal)
        if directions is None:
            return optuna.load_study(study_name=NAME, storage=storage)
        study = optuna.create_study(study_name=NAME, storage=storage, directions=directions, load_if_exists=True)
        trials = study.get_trials(deepcopy=False)
    except CongestreeError:
        raise
    except Exception as error:  # whatever Optuna makes of a damaged line
        raise CongestreeError(f"{folder / JOURNAL} cannot be read: {str(error).rstrip('.')}.") from None
    for trial in trials:
        if "setting" in trial.user_attrs and not _is_sound(question, trial):
            raise CongestreeError(
                f"{folder / JOURNAL} is damaged: evaluation {trial.number} does not match its record. Search again "
                "with another --out."
            )
    return study


def _is_sound(question, trial):
    """Whether the record of an evaluation is complete; one that was cut off may lack its end."""
    said = trial.user_attrs
    asked = {
        "goals": [goal.label for goal in question.goals],
        "limits": [question.name_of(limit) for limit in question.limits],
    }
    known = {parameter.name for parameter in question.space.parameters}
    forms = {"batch": int, "setting": dict, "conditions": dict, "why": str, "early": bool}
    return (
        all(isinstance(said[key], form) for key, form in forms.items() if key in said)
        and "batch" in said
        and set(said["setting"]) == known
        and all(_are_numbers(said[key], names) for key, names in asked.items() if key in said)
        and _are_numbers(said.get("beginning", {}), ())
        and ("goals" not in said or "limits" in said or bool(said.get("early")) or not trial.state.is_finished())
    )


def _are_numbers(values, names):
    """A number by each of these names, and nothing but numbers."""
    if not isinstance(values, dict) or not set(names) <= set(values):
        return False
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values.values())


def _journal(optuna, path):
    """The journal, with entries that Ctrl-C cannot interrupt: if a lock is interrupted while it is being taken, it
    fails with an error of its own, and one that is left behind would block the next command."""

    class Journal(optuna.storages.journal.JournalFileBackend):
        def append_logs(self, logs):
            with unbroken(), writing(path):
                super().append_logs(logs)

    with writing(path):
        return Journal(str(path))


def directions_of(question):
    """Which direction of the goals of a question is better, in Optuna's terms."""
    return ["maximize" if goal.best == "max" else "minimize" for goal in question.goals]


def is_good(question, trial):
    """Finished, with all its goals, and within the limits."""
    said = trial.user_attrs
    if "why" in said or "goals" not in said:
        return False
    return keeps_limits(question, said)


def keeps_limits(question, said):
    """Whether what a trial says of its limits keeps all of them; of one given up early it is that of the beginning."""
    limits = said.get("limits", {})
    return all(
        name in limits and limit.missed(limits[name]) <= 0
        for name, limit in ((question.name_of(limit), limit) for limit in question.limits)
    )


@contextlib.contextmanager
def alone(folder):
    """Only one command at a time works on a study; what a killed command has left behind is repaired first."""
    with locking.alone(folder):
        _mend(Path(folder) / JOURNAL)
        yield


def _mend(journal):
    """Remove what a killed process has left behind: its lock, and half a line at the end."""
    journal.with_name(journal.name + ".lock").unlink(missing_ok=True)
    if journal.exists():
        text = journal.read_bytes()
        if whole := text[: text.rfind(b"\n") + 1]:
            if whole != text:
                os.truncate(journal, len(whole))
        else:
            journal.unlink()
