"""Random small scenarios in which congested flows are set aside, and links or switches have another rule besides.

Links damage frames and send them again, credits come back in messages, queues have memory of their own, or outputs mark
by what waits for them. `PYTHONPATH=. python tests/twin/random/random_beside.py SEED` prints one.
"""

import json
import random
import sys

from random_checked import random_checked
from random_infiniband import random_fecn
from random_isolation import isolated
from random_messages import random_messages
from random_scenarios import random_scenario


def random_beside(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"beside {seed}")
    scenario = isolated(rng, [random_checked, random_messages, random_scenario])
    links, switches = scenario["links"], scenario["switches"]
    flow_control = links["flow_control"]
    voq, scheme = switches["queues"] == "voq", scenario["scheme"]
    messages = "messages" in flow_control.get("byte-credits", {})
    if "errors" in links or "retry" in links or messages:
        for key in ("crossbar", "output_packets"):
            switches.pop(key, None)
    if "errors" in links:
        links.setdefault("retry", {})
    by_fill = "packet-slots" not in flow_control and voq and "mark" not in scheme and rng.random() < 0.5
    if by_fill:
        scheme["preset"] = "none"
    plain = "mark" not in scheme and scheme["preset"] in ("none", "fbicm", "hfdi")
    if "pfc" not in flow_control and voq and plain and not messages and rng.random() < 0.5:
        switches["memory"] = rng.choice(["reserved", {"damq": {}}])
        if "packet-slots" in flow_control:
            switches["buffer"] = f"{rng.choice([20, 40])} packets"
            switches.pop("lane_buffers", None)
    if by_fill:
        packet = sum(int(scenario["adapters"][key].split()[0]) for key in ("mtu", "header"))
        scheme["mark"] = {"fecn": random_fecn(rng, True, 9, packet)}
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_beside(int(sys.argv[1])), indent=1))
