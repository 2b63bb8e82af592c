"""Applications over a transport: the model carries the messages of a flow one by one, which adapters do not."""


def sentences(scenario):
    """What to know before such an application is compared with one without a transport; scenario: a resolved one."""
    transport = next(iter(scenario["scheme"]["transport"]), "none")
    names = [entry["name"] for entry in scenario["traffic"] if entry.get("program")]
    if transport == "none" or not names:
        return []
    return [
        f"{', '.join(names)}: over the transport {transport}, a message to a host begins only when the last packet "
        "of the message before has been acknowledged, so that each message takes a round trip longer than without a "
        "transport. Adapters do not wait for that: compare only schemes with a transport with each other, unless a "
        "message takes much longer than a round trip."
    ]
