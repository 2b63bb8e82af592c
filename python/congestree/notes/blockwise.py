"""Applications over a transport that sends block by block: each of its messages costs a round trip."""

from .parts import chosen, declared


def sentences(scenario):
    """What to know before such an application is compared with one without a transport; scenario: a resolved one."""
    transport, _ = chosen(scenario["scheme"]["transport"])
    names = [entry["name"] for entry in scenario["traffic"] if entry.get("program")]
    follows_on = declared("transport", "follows_on")
    if transport == "none" or follows_on[transport] or not names:
        return []
    others = ", ".join(sorted(name for name, follows in follows_on.items() if follows))
    return [
        f"{', '.join(names)}: over the transport {transport}, a message to a host begins only when the last packet "
        "of the message before has been acknowledged, so that each message takes a round trip longer than with "
        f"{others} or no transport. Compare them only if a message takes much longer than a round trip."
    ]
