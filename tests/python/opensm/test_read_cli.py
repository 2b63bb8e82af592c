"""`congestree cc read` tells of the settings that it took, and refuses options that do not apply to them."""

import json
import tomllib

import pytest

from .settings import OPENSM

MLX5, SONIC = "rp_time_reset 300\n", '{"WRED_PROFILE": {}}'
LOOKUP = "100000 40m 18432 18432 37888 -3\n"
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


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        (MLX5, ("--profile", "nope"), "--profile does not apply to settings, which is a file of mlx5 adapters"),
        (MLX5, ("--sl", "0", "--at", "test-bed"), "--sl and --at do not apply"),
        (SONIC, ("--sl", "3", "--at", "test-bed"), "which is a file of a SONiC switch"),
        (LOOKUP, ("--at", "test-bed"), "which is a pg_profile_lookup.ini"),
        (OPENSM, ("--profile", "nope"), "which is a file of OpenSM"),
        ("enable TRUE\n", ("--form", "ccmgr", "--profile", "nope"), "which is a file of ccmgr"),
    ],
)
def test_options_that_do_not_apply_are_refused(read, text, options, says):
    assert says in read(text, *options, code=2).stderr


@pytest.mark.parametrize("text", [OPENSM, MLX5])
def test_json_beside_a_file_tells_where_it_was_written(read, tmp_path, text):
    (tmp_path / "own.toml").write_text('name = "mine"\n')
    options = ("--json", "--into", "own.toml", "--out", "merged.toml")
    told = json.loads(read(text, *options).stdout)
    merged = tomllib.loads((tmp_path / "merged.toml").read_text())
    assert merged["name"] == "mine" and merged["scheme"] == told["scheme"]
    assert told["name"] == "mine" and told["written"] == "merged.toml"
    assert tomllib.loads(read(text, *options[:3], "--out", "-").stdout) == merged
