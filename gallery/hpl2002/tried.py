"""What was tried of the claims that do not come out: ``python -m gallery.common.tried hpl2002``."""

from ..common.tried import Change


def wider(scenario):
    """The victim alone has a window of two packets, so that it need not wait for each ACK."""
    traffic = [entry | {"window": 2} if entry["name"] == "victim" else entry for entry in scenario["traffic"]]
    return scenario | {"traffic": traffic}


TRIED = [
    Change(
        "victim-window",
        "the victim has a window of two",
        (
            "hpl2002-fig2b-bypass-artefact",
            "hpl2002-fig4b-no-spreading",
            "hpl2002-fig4d-root-high",
            "hpl2002-fig7-lipd-root",
            "hpl2002-fig7-lipd-fimd-interswitch",
        ),
        ("fig2b", "fig4b", "fig4d", "fig7_fn-lipd_rates-continuous", "fig7_fn-fimd_rates-continuous"),
        wider,
    ),
]
