"""Changes tried for the claims that are not reproduced: ``python -m gallery.common.tried deepep-moe``."""

from ..common.tried import Change


def fifo(scenario):
    """Outputs serve packets in the order in which they came, whatever input they came by."""
    return scenario | {"switches": scenario["switches"] | {"arbiter": {"fifo": {}}}}


def longer(scenario):
    """The exchange has ten times as long to end."""
    return scenario | {"measure": scenario["measure"] | {"duration": "500 ms"}}


TRIED = [
    Change("fifo", "FIFO outputs", ("deepep-dispatch-16", "deepep-static"), ("table_control-off",), fifo),
    Change(
        "longer",
        "500 ms to end, not 50",
        ("safe-storage-adaptive",),
        ("study_kind-storage", "study_kind-quiet"),
        longer,
    ),
]
