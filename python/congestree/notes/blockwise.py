"""Applications over a transport that sends block by block: each of its messages costs a round trip."""

BLOCKWISE = {"efl", "new-reno"}
"""Transports that begin a message only when the one before is acknowledged, as the paper of EFL has it."""


def sentences(scenario):
    """What to know before such an application is compared with one without a transport; scenario: a resolved one."""
    transport = next(iter(scenario["scheme"]["transport"]), "none")
    names = [entry["name"] for entry in scenario["traffic"] if entry.get("program")]
    if transport not in BLOCKWISE or not names:
        return []
    return [
        f"{', '.join(names)}: over the transport {transport}, a message to a host begins only when the last packet "
        "of the message before has been acknowledged, so that each message takes a round trip longer than with "
        "go-back-n, irn, uet or no transport. Compare them only if a message takes much longer than a round trip."
    ]
