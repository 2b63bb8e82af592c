"""Settings of RoCE networks as operators have them, read into a scenario and written from one.

| file | what is in it |
|------|---------------|
| `mlx5.py` | DCQCN parameters of mlx5 adapters: `cc_params`, sysfs and mlxconfig spellings |
| `sonic.py` | CONFIG_DB of SONiC switches: `wred.py` (marking), `buffers.py` (memory, pauses), `queues.py` (outputs) |
| `pg_lookup.py` | `pg_profile_lookup.ini` of SONiC switches: headroom by speed and cable |
| `lossless.py` | what SONiC's words for lossless memory mean here |
| `scenarios.py` | the same of a scenario's switches, for the writers |
| `model.py` | what goes wrong, and numbers in units |

Readers return (sections of a scenario, notes); writers take a resolved scenario and return text and notes.
"""

from ...errors import CongestreeError
from ...reading import read_bytes
from . import mlx5, pg_lookup, sonic
from .model import RoceError

FORMS = {"mlx5": mlx5, "sonic": sonic, "sonic-pg": pg_lookup}

__all__ = ["FORMS", "RoceError", "form_of", "merged", "mlx5", "pg_lookup", "read", "remarks", "sonic", "write"]


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


def write(scenario, form):
    """The text of a file with the settings of a resolved scenario, and notes."""
    return FORMS[form].write(scenario)


# The settings of switches that replace a memory that all ports share, and those only for links without flow control.
INPUTS = ("buffer", "lane_buffers")
LOSSY = ("output_queue", "output_queue_rate", "trim", "random_loss")


def merged(scenario, sections):
    """A scenario (a dict) with sections that were read in place of its own, without what conflicts with them."""
    found = dict(scenario)
    for key, value in sections.items():
        own = found.get(key)
        # A choice such as {"red": ...} replaces another choice; sections are merged.
        deeper = (
            isinstance(own, dict) and isinstance(value, dict) and key in ("links", "switches", "scheme", "adapters")
        )
        found[key] = {**own, **value} if deeper else value
    for key in _rivals(scenario, sections):
        del found["switches"][key]
    return found


def remarks(scenario, sections):
    """Notes on how sections that were read change a scenario (a dict)."""
    gone = ", ".join(f"switches.{key}" for key in _rivals(scenario, sections))
    notes = [f"left out of the scenario, since the file has other memory in its place: {gone}"] if gone else []
    return notes + _lossy_traffic(scenario, sections)


def _rivals(scenario, sections):
    """Keys of a scenario's switches that the sections replace by others."""
    own, switches = scenario.get("switches"), sections.get("switches", {})
    rivals = (
        *(INPUTS if "shared_memory" in switches else ()),
        *(LOSSY if "flow_control" in sections.get("links", {}) else ()),
    )
    return [key for key in own if key in rivals] if isinstance(own, dict) else []


def _lossy_traffic(scenario, sections):
    """A note on traffic that uses a lossy priority because nothing sets its priority."""
    links = sections.get("links", {})
    control = links.get("flow_control")
    lossless = control.get("pfc", {}).get("lossless") if isinstance(control, dict) else None
    entries = scenario.get("traffic")
    if not lossless or 0 in lossless or not isinstance(entries, list):
        return []
    silent = [
        entry.get("name", f"traffic{number}")
        for number, entry in enumerate(entries)
        if isinstance(entry, dict) and not {"service", "lane"} & set(entry)
    ]
    if not silent:
        return []
    names = ", ".join(map(str, silent[:5])) + (" ..." if len(silent) > 5 else "")
    return [
        f"traffic without a `service` ({names}) is in priority 0, which may lose packets: write service = {lossless[0]}"
    ]
