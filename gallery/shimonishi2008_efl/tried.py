"""What was tried of the claims that do not come out: ``python -m gallery.common.tried shimonishi2008-efl``."""

from ..common.tried import Change


def later(scenario):
    """The four flows that join three do so at 21 ms, not at 20."""
    traffic = [entry | {"start": "21 ms"} if entry["start"] == "20 ms" else entry for entry in scenario["traffic"]]
    return scenario | {"traffic": traffic}


TRIED = [
    Change(
        "join",
        "four flows join at 21 ms, not at 20",
        ("efl-s5-two-stage",),
        ("steps_bwprobe", "steps_nprobe", "moment_"),
        later,
    ),
]
