"""Settings of RoCE networks as operators have them, read into a scheme and written from one.

| file | what is in it |
|------|---------------|
| `mlx5.py` | DCQCN parameters of mlx5 adapters: `cc_params`, sysfs and mlxconfig spellings |
| `sonic.py` | marking of SONiC switches: WRED_PROFILE of CONFIG_DB |
| `model.py` | what goes wrong, and numbers in units |

Readers return (sections of a scenario, notes); writers take a resolved scenario and return text and notes.
"""

from pathlib import Path

from . import mlx5, sonic
from .model import SettingsError

FORMS = ("mlx5", "sonic")

__all__ = ["FORMS", "SettingsError", "form_of", "mlx5", "read", "sonic", "write"]


def form_of(path):
    """Which of FORMS a file is, by its contents; None for anything else."""
    try:
        text = Path(path).read_bytes().decode("utf-8", errors="replace")
    except (OSError, ValueError):
        return None
    if text.lstrip().startswith("{"):
        return "sonic"
    return "mlx5" if mlx5.is_known(text) else None


def read(path, form=None, **options):
    """Read settings into sections of a scenario; the form is recognised if it is not given."""
    form = form or form_of(path)
    if form not in FORMS:
        remedy = "an mlx5 file has lines such as rp_time_reset 300, a SONiC file is JSON with WRED_PROFILE"
        raise SettingsError(path, None, "these are no settings that are known", remedy)
    return {"mlx5": mlx5, "sonic": sonic}[form].read(path, **options)


def write(scenario, form):
    """The text of a file with the settings of a resolved scenario, and notes."""
    return {"mlx5": mlx5, "sonic": sonic}[form].write(scenario)
