"""Files of other tools where a scenario or a fabric is expected: what they are, and which command reads them."""

import re
from pathlib import Path

HEAD = 1 << 16
"""Bytes of a file that are examined."""
KINDS = (
    (r"^(Switch|Ca|Hca|Rt)\s+\d+\s+\"|^(switchguid|vendid|caguid)=", "a fabric", "congestree import {} -o fabric.toml"),
    (r"^\s*(congestion_control|cc_\w+)\s+\S", "settings of a subnet manager", "congestree cc read {}"),
    (
        r"\"(BUFFER_POOL|BUFFER_PROFILE|WRED_PROFILE|PORT_QOS_MAP|DEVICE_METADATA)\"\s*:",
        "the configuration of a SONiC switch",
        "congestree cc read {} --into SCENARIO",
    ),
    (r"^\s*num_ranks\s+\d", "a GOAL file", "congestree goal read {}"),
    (r"^Nodes\s+\d+\s*$|^\d+->\d+ .*\bsize \d", "a connection matrix of htsim", "congestree import {} --into SCENARIO"),
)


def told(path):
    """(what a file is, the command that reads it) if it is one of another tool, else None."""
    try:
        if not Path(path).is_file() or str(path).endswith(".toml"):
            return None
        with open(path, "rb") as file:
            text = file.read(HEAD).decode("utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return None
    for pattern, what, command in KINDS:
        if re.search(pattern, text, re.M):
            return what, command.format(path)
    return None
