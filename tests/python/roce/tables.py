"""Tables of a SONiC switch, and a scenario for them."""

import congestree
from congestree import document
from congestree.formats import roce

PROFILE = "pg_lossless_100000_40m_profile"
POOL = "ingress_lossless_pool"
PORTS = ["Ethernet0", "Ethernet4", "Ethernet8"]
CONFIG = {
    "BUFFER_POOL": {
        "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "10000000"},
        "egress_lossless_pool": {"type": "egress", "mode": "static", "size": "10669696"},
        "egress_lossy_pool": {"type": "egress", "mode": "dynamic", "size": "10000000"},
    },
    "BUFFER_PROFILE": {
        PROFILE: {
            "pool": "ingress_lossless_pool",
            "size": "56320",
            "xon": "18432",
            "xoff": "37888",
            "dynamic_th": "-3",
        },
        "ingress_lossy_profile": {"pool": "[BUFFER_POOL|ingress_lossless_pool]", "size": "0", "dynamic_th": "3"},
        "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "0", "static_th": "10669696"},
        "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "0", "dynamic_th": "-1"},
    },
    "BUFFER_PG": {
        **{f"{port}|3-4": {"profile": f"[BUFFER_PROFILE|{PROFILE}]"} for port in PORTS},
        "Ethernet0,Ethernet4,Ethernet8|0": {"profile": "ingress_lossy_profile"},
    },
    "BUFFER_QUEUE": {
        **{f"{port}|3-4": {"profile": "egress_lossless_profile"} for port in PORTS},
        **{f"{port}|{queues}": {"profile": "egress_lossy_profile"} for port in PORTS for queues in ("0-2", "5-7")},
    },
    "CABLE_LENGTH": {"AZURE": dict.fromkeys(PORTS, "40m")},
    "PORT": {port: {"speed": "100000", "lanes": "1,2,3,4"} for port in PORTS},
    "PORT_QOS_MAP": {port: {"pfc_enable": "3,4"} for port in PORTS},
    "PFC_WD": {port: {"action": "forward", "detection_time": "100", "restoration_time": "300"} for port in PORTS},
}
BASE = """
name = "three hosts"

[topology.single-switch]
hosts = 3

[links]
rate = "10 Gbit/s"

[[traffic]]
from = ["H2", "H3"]
to = "H1"
service = 3

[measure]
duration = "200 us"
"""
# Rows in the shape of those that switches have; the first is one that SONiC ships for a 40 Gbit/s switch.
LOOKUP = """# PG lossless profiles.
# speed cable size xon xoff threshold xon_offset
40000\t5m\t19456\t19456\t24576\t0
100000\t40m\t18432\t18432\t37888\t-3\t2496
"""


def checked(sections):
    """BASE with these sections, as the engine understands it."""
    return congestree.check(roce.merged(document.parse(BASE, "toml"), sections))["scenario"]


def put(*keys_and_value):
    """A change of CONFIG: the value at these keys."""
    *keys, last, value = keys_and_value

    def change(config):
        for key in keys:
            config = config[key]
        if value is None:
            del config[last]
        else:
            config[last] = value

    return change
