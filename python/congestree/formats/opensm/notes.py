"""Errors in settings, and remarks on them: place, fact, remedy."""

from dataclasses import dataclass

from ...errors import CongestreeError


@dataclass(frozen=True)
class Note:
    """One remark: where (`place`: a file and line, or a key), what is wrong (`fact`), what to do (`remedy`)."""

    place: str
    fact: str
    remedy: str = ""

    def __str__(self):
        text = ": ".join(filter(None, (self.place, self.fact)))
        return f"{text}. {self.remedy}." if self.remedy else f"{text}."


class SettingsError(CongestreeError):
    """Settings cannot be read or written (a CongestreeError); `.complaints` has a `Note` for every reason."""

    def __init__(self, complaints):
        self.complaints = list(complaints)
        super().__init__("\n".join(map(str, self.complaints)))


def refuse(complaints):
    """Raise one error for all complaints, if there are any."""
    if complaints:
        raise SettingsError(complaints)
