"""What the cases change in their presets, and which presets have no case: for the page of all schemes.

The changes follow from the schemes themselves: each is resolved, as is its preset alone, in a network in which both
are valid. Reasons are in the README.
"""

from .schemes import BUFFER, SCHEMES

LEFT_OUT = {
    "naive, input-triggered, input-output-triggered, output-triggered": "The policies of HP Labs. "
    "`hpl2002` and `ecn2002` compare them, in the networks of their papers.",
    "dcqcn-paper-window, dcqcn-vendor-window": "DCQCN with a limit of unacknowledged data. `hpcc2019` runs it "
    "with one (`DCQCN+w`).",
    "ith, ib-ith": "IB CC with the thresholds of Gran's Papers V and VI. `escudero2011-ccfit` and `escudero2013-ecocc` "
    "compare them with CCFIT and EcoCC.",
    "efl-bw-probe, efl-plain": "EFL without some of its mechanisms. `shimonishi2008-efl` compares all three.",
}
"""Presets without a case, and why."""


def resolved(scheme):
    """A scheme with all its defaults, over the first kind of links over which it is valid."""
    import congestree

    for links in ("pfc", "byte-credits", "none"):
        room = {"output_queue": f"{BUFFER} KiB"} if links == "none" else {"buffer": f"{BUFFER} KiB"}
        try:
            found = congestree.check(
                {
                    "topology": {"single-switch": {"hosts": 2}},
                    "links": {"rate": "10 Gbit/s", "flow_control": links, "lanes": 2},
                    "switches": room,
                    "adapters": {"mtu": "192 B"},
                    "traffic": [{"from": "H1", "to": "H2"}],
                    "scheme": scheme,
                    "measure": {"duration": "1 us"},
                }
            )
        except congestree.ScenarioError as error:
            refused = error
        else:
            return found["scenario"]["scheme"]
    raise refused


def changed(name):
    """What a scheme changes in its preset: {part: {key: (value in the preset, value here)}}; None is no value.

    A part in place of another is written as {"transport": {"": ("none", "irn")}}.
    """
    scheme = SCHEMES[name]["scheme"]
    before, now = resolved({"preset": scheme.get("preset", "none")}), resolved(scheme)
    found = {}
    for section in now:
        old, new = parts(before.get(section, "none")), parts(now[section])
        if section == "preset" or old == new:
            continue
        if old.keys() != new.keys():
            found[section] = {"": ("".join(old), "".join(new))}
            continue
        for part, keys in new.items():
            was = old[part]
            differ = {key: (was.get(key), keys.get(key)) for key in keys | was if was.get(key) != keys.get(key)}
            found[f"{section}.{part}"] = differ
    return found


def parts(chosen):
    """A choice of a scenario as {name: its keys}."""
    return {key: value or {} for key, value in chosen.items()} if isinstance(chosen, dict) else {str(chosen): {}}


def all_changes():
    """Every change, with the labels of the schemes that have it: [(labels, part, {key: (preset, here)})]."""
    found = {}
    for name, scheme in SCHEMES.items():
        for part, keys in changed(name).items():
            found.setdefault((part, str(keys)), (part, keys, {}))[2][scheme["label"]] = None
    return [(list(labels), part, keys) for part, keys, labels in found.values()]
