"""`congestree cc read` tells of the settings that it took."""

import pytest

from .settings import OPENSM

TWO_LEVELS = """
congestion_control TRUE
cc_sw_cong_setting_control_map 0x15
cc_sw_cong_setting_threshold 0xf
cc_ca_cong_setting_control_map 0x0006
cc_ca_cong_setting_ccti_timer 1 150
cc_ca_cong_setting_ccti_increase 1 1
cc_ca_cong_setting_ccti_timer 2 20
cc_ca_cong_setting_ccti_increase 2 4
cc_cct 0:0,1:1,1:2
"""


@pytest.fixture
def read(tmp_path, congestree_cli):
    """Reads a file with a text by `congestree cc read`."""

    def run(text, *options, **expected):
        (tmp_path / "settings").write_text(text)
        return congestree_cli("cc", "read", "settings", *options, **expected)

    return run


def rows(said):
    return {" ".join(words[:4]): " ".join(words[4:]) for line in said.splitlines() if len(words := line.split()) > 4}


def test_the_table_is_of_the_service_level_that_is_read(read):
    done = read(TWO_LEVELS, "--sl", "2")
    assert 'timer = "20.48 us"' in done.stdout
    assert rows(done.stderr)["timer of level 2"] == "20 x 1.024 us"
    assert "of level" not in read(OPENSM).stderr
