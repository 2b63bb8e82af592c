"""InfraGraph descriptions (`infragraph.py` says what they are), written of any network."""

import json
from collections import Counter

from .model import FabricError
from .rates import delay_text, rate_text

WAYS = ("", "_back")


def text(network, source="the scenario"):
    """An InfraGraph file (JSON, which is YAML) of a scenario's network, as `congestree.network` gives it.

    Every host is an instance of a device with one nic, every switch one of a device with as many ports as it has links.
    Raises FabricError if a link has another rate or delay on its way back, which the format cannot say; `source` is
    what the message calls the scenario.
    """
    for link in network["links"]:
        if (link["rate"], link["delay"]) != (link["rate_back"], link["delay_back"]):
            there, back = (f"{rate_text(link[f'rate{way}'])}, {delay_text(link[f'delay{way}'])}" for way in WAYS)
            fact = f"the link from {link['a']} to {link['b']} differs by direction: {there}, and {back} on the way back"
            raise FabricError(
                source, None, fact, "an InfraGraph file has one rate and one latency for both: give it one"
            )
    sizes = Counter(link[end] for link in network["links"] for end in ("a", "b"))
    hosts = {name: f"host[{number}]" for number, name in enumerate(network["hosts"])}
    by_size = {}
    for name in network["switches"]:
        by_size.setdefault(max(sizes[name], 1), []).append(name)
    switches = {name: f"switch{size}[{number}]" for size, names in by_size.items() for number, name in enumerate(names)}
    where = hosts | switches
    kinds_of_link = sorted({(link["rate"], link["delay"]) for link in network["links"]})
    at = {kind: number for number, kind in enumerate(kinds_of_link)}
    kinds = [(f"switch{size}", size, len(names)) for size, names in by_size.items()]
    ports = Counter()

    def end(name):
        component = "nic" if name in hosts else f"port[{ports[name]}]"
        ports[name] += 1
        return {"instance": where[name], "component": component}

    devices = [{"name": "host", "components": [{"name": "nic", "count": 1, "choice": "nic"}]}]
    # The ports of a switch are joined by what switches.
    for name, size, _ in kinds:
        components = [
            {"name": "asic", "count": 1, "choice": "switch"},
            {"name": "port", "count": size, "choice": "port"},
        ]
        inside = {"scheme": "many2many", "link": "ic", "ep1": {"component": "asic"}, "ep2": {"component": "port"}}
        devices.append({"name": name, "components": components, "links": [{"name": "ic"}], "edges": [inside]})
    bandwidth = "gigabits_per_second"

    def physical(rate, delay):
        return {
            "bandwidth": {"choice": bandwidth, bandwidth: rate / 10**9},
            "latency": {"choice": "ns", "ns": delay / 10**3},
        }

    tree = {
        "name": network.get("name") or "fabric",
        "devices": devices,
        "instances": [{"name": "host", "device": "host", "count": len(hosts)}]
        + [{"name": name, "device": name, "count": count} for name, _, count in kinds],
        "links": [{"name": f"link{number}", "physical": physical(*kind)} for kind, number in at.items()],
        "edges": [
            {
                "scheme": "one2one",
                "link": f"link{at[link['rate'], link['delay']]}",
                "ep1": end(link["a"]),
                "ep2": end(link["b"]),
            }
            for link in network["links"]
        ],
    }
    return json.dumps(tree, indent=1) + "\n"
