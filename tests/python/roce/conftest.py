"""Files of a SONiC switch."""

import copy
import json

import pytest

from .tables import CONFIG


@pytest.fixture
def written(tmp_path):
    """Writes CONFIG, changed by a function, or text, into a file."""

    def write(change=None, text=None, name="config_db.json"):
        config = copy.deepcopy(CONFIG)
        if change is not None:
            change(config)
        (tmp_path / name).write_text(json.dumps(config, indent=2) if text is None else text)
        return tmp_path / name

    return write
