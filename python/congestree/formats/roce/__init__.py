"""Settings of RoCE networks as operators have them, read into a scenario and written from one.

| file | what is in it |
|------|---------------|
| `mlx5.py` | DCQCN parameters of mlx5 adapters: `cc_params`, sysfs and mlxconfig spellings |
| `sonic.py` | CONFIG_DB of SONiC switches: `wred.py` (marking), `buffers.py` (memory, pauses), `queues.py` (outputs) |
| `pg_lookup.py` | `pg_profile_lookup.ini` of SONiC switches: headroom by speed and cable |
| `lossless.py` | what SONiC's words for lossless memory mean here |
| `ports.py` | the ports of a scenario's switches, for the writers |
| `scenarios.py` | their memory and pauses |
| `merging.py` | what was read in a scenario that has settings of its own |
| `model.py` | what goes wrong, and numbers in units |

Readers return (sections of a scenario, notes); writers take a resolved scenario and return text and notes.
"""

from ...errors import CongestreeError
from ...reading import read_bytes
from . import mlx5, pg_lookup, sonic
from .merging import merged, remarks
from .model import RoceError
from .ports import Ports
from .scenarios import FOR_RATE, at_rate, is_lossless, lossy_lanes

FORMS = {"mlx5": mlx5, "sonic": sonic, "sonic-pg": pg_lookup}

__all__ = [
    "FORMS",
    "FOR_RATE",
    "Ports",
    "RoceError",
    "at_rate",
    "form_of",
    "is_lossless",
    "lossy_lanes",
    "merged",
    "mlx5",
    "pg_lookup",
    "read",
    "remarks",
    "sonic",
    "write",
]


def form_of(path):
    """Which of FORMS a file is, by its contents; None for anything else."""
    try:
        text = read_bytes(path).decode("utf-8-sig", errors="replace")
    except CongestreeError:
        return None
    if text.lstrip().startswith("{"):
        return "sonic"
    if pg_lookup.is_known(text):
        return "sonic-pg"
    return "mlx5" if mlx5.is_known(text) else None


def read(path, form=None, **options):
    """Read settings into sections of a scenario; the form is recognised if it is not given."""
    form = form or form_of(path)
    if form not in FORMS:
        remedy = (
            "an mlx5 file has lines such as rp_time_reset 300, a SONiC file is JSON with WRED_PROFILE or BUFFER_PROFILE"
            " or has lines of speed, cable, size, xon, xoff and threshold"
        )
        raise RoceError(path, None, "these are not settings that are known", remedy)
    return FORMS[form].read(path, **options)


def write(scenario, form, **options):
    """The text of a file with the settings of a resolved scenario, and notes.

    options: `switch` of "sonic", the name of the switch whose file it is.
    """
    return FORMS[form].write(scenario, **options)
