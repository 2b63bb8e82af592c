"""Random small scenarios over lossy links, with rates and retransmissions by EFL.

Networks, switches and traffic are those of `random_go_back`, without a window of adapters.
`PYTHONPATH=. python tests/twin/random/random_efl.py SEED` prints one.
"""

import json
import random
import sys

from random_go_back import random_lossy

OPTIONS = {
    "alpha": ["1 B", "1000 B", "20 kB"],
    "beta": [0.01, 0.3],
    "delay_probing": [False],
    "probe_alpha": [0.5, 1.0],
    "probe_beta": [1.0, 3.0],
    "prediction": ["none", "same-packets", "current-rate", "current-rate"],
    "prediction_intervals": [1, 2, 7],
    "rtt_min": ["2 us", "5 us"],
    "duplicates": [1, 3],
    "selective": [True],
}


def random_efl(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"efl {seed}")
    scenario = random_lossy(rng)
    scenario["adapters"].pop("window", None)
    efl = {name: rng.choice(values) for name, values in OPTIONS.items() if rng.random() < 0.4}
    efl["ack_every"] = every = rng.choice([1, 2, 3])
    efl["probe_packets"] = rng.choice([0, 2 * every, 3 * every, 4 * every])
    efl["start_rate"] = rng.choice(["500 Mbit/s", "2 Gbit/s", "2.3 Gbit/s"])
    efl["floor"] = rng.choice(["300 Mbit/s", "500 Mbit/s"])
    efl["timeout"] = rng.choice(["25 us", "60 us"])
    if rng.random() < 0.5 and every > 1:
        efl["ack_flush"] = rng.choice(["500 ns", "3 us", "9.1 us"])
        efl["probe_packets"] = rng.choice([0, 2, 5, 7])
    else:  # what an ACK answers has to be there in time
        efl["timeout"], efl["floor"] = "300 us", "500 Mbit/s"
    scenario["scheme"]["transport"] = {"efl": efl}
    for entry in scenario["traffic"]:
        if entry["arrivals"] == {"messages": {"count": 1}} and rng.random() < 0.5:
            entry["message"] = f"{rng.choice([9, 15, 24]) * int(scenario['adapters']['mtu'].split()[0]) + 1} B"
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_efl(int(sys.argv[1])), indent=1))
