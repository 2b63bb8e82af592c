"""InfiniBand congestion control as subnet managers configure it, and as a scheme of a scenario.

    settings = opensm.read("opensm.conf")           # or a file of the ccmgr plug-in
    scheme, notes = settings.to_scheme()            # what goes under [scheme] in a scenario
    settings = opensm.of_scenario("my.toml")        # and back; settings.notes say what was rounded
    opensm.write("opensm.conf", settings)

| file | holds |
| --- | --- |
| `codes.py` | one entry of a congestion control table: encoding, share of the line rate, rounding of a delay |
| `registers.py` | the values that the registers can hold, with their ranges |
| `grammar.py` | the words of a file parsed as numbers, masks and tables |
| `files.py` | reading and writing the two forms of file |
| `schemes.py` | translating registers into a scheme, and a scheme into registers |
| `scenarios.py` | what a translation needs to know of a scenario: packet time, buffer, ports towards hosts |
| `llnl.py` | the public tuning grid of LLNL and its four tables |

Sources: OpenSM (opensm/osm_subnet.c, osm_congestion_control.c, include/iba/ib_types.h), the user manual of Mellanox's
Congestion Control Manager, the manual page of ibccconfig.
"""

from .codes import Code, encode, slowest_share
from .files import read, read_text, write, write_text
from .notes import Note, SettingsError
from .registers import Manager, Settings, Source
from .scenarios import of_scenario

__all__ = [
    "Code",
    "Manager",
    "Note",
    "Settings",
    "SettingsError",
    "Source",
    "encode",
    "of_scenario",
    "read",
    "read_text",
    "slowest_share",
    "write",
    "write_text",
]
