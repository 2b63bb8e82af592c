"""Settings of RoCE adapters and switches as schemes, and back."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import congestree
from congestree.formats import roce
from congestree.formats.roce import RoceError, mlx5

FOLDER = "/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/"
NIC = """/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/rp_time_reset:300
/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/rp_ai_rate:40
/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/rp_clamp_tgt_rate_ati:1
/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/np_cnp_prio:6
"""
BASE = """
[topology.single-switch]
hosts = 3
[links]
rate = "100 Gbit/s"
[scheme]
preset = "dcqcn-vendor"
[[traffic]]
from = ["H2", "H3"]
to = "H1"
[measure]
duration = "10 us"
"""


def test_all_spellings_are_the_same_parameter():
    for name in ("rpg_ai_rate", "rp_ai_rate", "RPG_AI_RATE_P1"):
        assert mlx5.sysfs_name(name) == "rpg_ai_rate"
    assert mlx5.sysfs_name("rp_clamp_tgt_rate_ati") == "clamp_tgt_rate_after_time_inc"
    assert mlx5.sysfs_name("speed") is None


def test_adapter_settings_become_a_scheme_that_runs_and_come_back(tmp_path):
    (tmp_path / "nic.txt").write_text(NIC)
    sections, notes = roce.read(tmp_path / "nic.txt")
    dcqcn = sections["scheme"]["react"]["dcqcn"]
    assert (dcqcn["additive"], dcqcn["increase_timer"], dcqcn["clamp_target"]) == (
        "40 Mbit/s",
        "300 us",
        "after-increase",
    )
    assert dcqcn["gain"] == 5 / 1024 and "max_rate" not in dcqcn
    assert "rpg_hai_rate 50" in notes[0] and "rpg_ai_rate" not in notes[0]
    scenario = congestree.check(BASE, values={"scheme": sections["scheme"]})["scenario"]
    text, notes = roce.write(scenario, "mlx5")
    assert notes == []
    written = dict(line.split() for line in text.splitlines())
    expected = {name: str(parameter.default) for name, parameter in mlx5.PARAMETERS.items()} | {"rpg_ai_rate": "40"}
    assert written == expected


PRESETS = ["dcqcn-paper", "dcqcn-paper-window", "dcqcn-vendor", "dcqcn-vendor-window", "tcd-dcqcn", "qcz-dcqcn", "ici"]


@pytest.mark.parametrize("preset", PRESETS)
def test_what_adapters_have_no_parameter_for_is_told(tmp_path, preset):
    """Every value that is read back as another one has a note, but for rates, which are those of the links."""
    values = {"scheme.preset": preset, "scheme.notify": {"cnp": {"interval": "50 us", "delay": "7 us", "size": "80 B"}}}
    scenario = congestree.check(BASE, values=values)["scenario"]
    text, notes = roce.write(scenario, "mlx5")
    (tmp_path / "nic.txt").write_text(text)
    scheme = roce.read(tmp_path / "nic.txt")[0]["scheme"]
    back = congestree.check(BASE, values={"scheme": scheme})["scenario"]["scheme"]
    told = set()
    for part, kind in (("react", "dcqcn"), ("notify", "cnp")):
        there = scenario["scheme"][part][kind]
        differ = {key for key in there if there[key] != back[part][kind].get(key)}
        missing = [key for key in differ if not any(f"scheme.{part}.{kind}.{key}" in note for note in notes)]
        assert set(missing) <= {"additive", "hyper", "for_rate"}
        told |= differ
    assert {"delay", "size"} <= told and ("alpha_grows" in told) == ("vendor" not in preset)
    assert ("window" in told) == ("window" in preset)
    values["scheme.notify"] = "ack"
    _, notes = roce.write(congestree.check(BASE, values=values)["scenario"], "mlx5")
    assert any("scheme.notify is left out" in note for note in notes)


def test_wred_profiles_become_a_marker_and_come_back(tmp_path):
    fields = {"ecn": "ecn_all", "green_min_threshold": "1048576", "green_max_threshold": "2097152"}
    profile = {"WRED_PROFILE": {"AZURE_LOSSLESS": {**fields, "green_drop_probability": "5"}}, "PORT": {}}
    path = tmp_path / "config_db.json"
    path.write_text(json.dumps(profile))
    sections, notes = roce.read(path)
    assert sections["scheme"]["mark"]["red"] == {"min": "1048576 B", "max": "2097152 B", "probability": 0.05}
    assert "PORT" in notes[0]
    scenario = congestree.check(BASE, values={"scheme.mark": sections["scheme"]["mark"]})["scenario"]
    text, notes = roce.write(scenario, "sonic")
    back = json.loads(text)["WRED_PROFILE"]["AZURE_LOSSLESS"]
    assert back == {**fields, "green_drop_probability": "5", "wred_green_enable": "true"}
    assert len(notes) == 1 and '"Ethernet0|3": {"wred_profile": "AZURE_LOSSLESS"}' in notes[0]


def test_thresholds_of_marks_may_differ_from_those_of_drops(tmp_path):
    """Each of the three fields of ECN holds if it is there, and that of drops if not."""
    fields = {"ecn": "ecn_all", "wred_green_enable": "true", "wred_red_enable": "false", "red_min_threshold": "1"}
    drops = {"green_min_threshold": "1048576", "green_max_threshold": "2097152", "green_drop_probability": "5"}
    marks = {"ecn_green_min_threshold": "100000", "ecn_green_max_threshold": "400000"}
    marks |= {"ecn_green_mark_probability": "20"}
    path = tmp_path / "config_db.json"
    for missing, there, expected in (
        ([], drops, {"min": "100000 B", "max": "400000 B", "probability": 0.2}),
        ([], {}, {"min": "100000 B", "max": "400000 B", "probability": 0.2}),
        (["ecn_green_max_threshold"], drops, {"min": "100000 B", "max": "2097152 B", "probability": 0.2}),
        (["ecn_green_mark_probability"], drops, {"min": "100000 B", "max": "400000 B", "probability": 0.05}),
    ):
        given = {**fields, **there, **{field: value for field, value in marks.items() if field not in missing}}
        path.write_text(json.dumps({"WRED_PROFILE": {"AZURE_LOSSLESS": given}}))
        assert roce.read(path)[0]["scheme"]["mark"]["red"] == expected


def test_commands_read_and_write_them(tmp_path, congestree_cli):
    (tmp_path / "nic.txt").write_text(NIC)
    (tmp_path / "base.toml").write_text(BASE)
    assert 'additive = "40 Mbit/s"' in congestree_cli("cc", "read", "nic.txt").stdout
    assert "rpg_threshold 1" in congestree_cli("cc", "write", "base.toml", "--form", "mlx5").stdout
    assert "WRED_PROFILE" in congestree_cli("cc", "write", "base.toml", "--form", "sonic").stdout


RANGES = {
    "dce_tcp_g": (0, 1023),
    "dce_tcp_rtt": (1, 131_071),
    "initial_alpha_value": (0, 1023),
    "rate_to_set_on_first_cnp": (0, 2_147_483_647),
    "rpg_min_dec_fac": (1, 100),
    "rpg_min_rate": (1, 2_147_483_647),
    "rpg_max_rate": (0, 2_147_483_647),
    "rpg_gd": (0, 15),
    "rate_reduce_monitor_period": (0, 2_147_483_647),
    "clamp_tgt_rate": (0, 1),
    "clamp_tgt_rate_after_time_inc": (0, 1),
    "rpg_time_reset": (1, 2_147_483_647),
    "rpg_byte_reset": (0, 2_147_483_647),
    "rpg_threshold": (0, 31),
    "rpg_ai_rate": (1, 2_147_483_647),
    "rpg_hai_rate": (1, 2_147_483_647),
    "min_time_between_cnps": (0, 4095),
    "roce_cc_prio_mask": (0, 255),
}


def test_every_parameter_has_a_range():
    assert set(RANGES) == set(mlx5.READ)


@pytest.mark.parametrize(("name", "least", "most"), [(name, *ends) for name, ends in RANGES.items()], ids=RANGES)
def test_a_parameter_is_read_from_its_least_to_its_greatest_value(name, least, most):
    for value in (least, most):
        assert mlx5._value("nic.txt", 1, name, str(value)) == value
    for value in (least - 1, most + 1):
        with pytest.raises(RoceError, match=rf"{value}' is not .*\s+write a whole number from {least} to {most}\b"):
            mlx5._value("nic.txt", 1, name, str(value))


def test_devices_and_ports_that_agree_are_read_as_one(tmp_path):
    path = tmp_path / "nic.txt"
    path.write_text(NIC)
    one = roce.read(path)
    silent = "".join(f"{FOLDER}rtt_resp_dscp{end}:{value}\n" for end, value in (("", 0), ("_valid", 1)))
    path.write_text(NIC + silent + NIC.replace("00.0", "00.1").replace("prio:6", "prio:5"))
    assert roce.read(path) == one
    path.write_text("RPG_AI_RATE_P1 40\nRPG_AI_RATE_P2 40\nRPG_TIME_RESET_P1 300\nclamp_tgt_rate_ati 1\n")
    assert roce.read(path) == one


def test_what_mlxconfig_prints_is_read(tmp_path):
    path = tmp_path / "nic.txt"
    path.write_text("CLAMP_TGT_RATE_P1 0\nCLAMP_TGT_RATE_AFTER_TIME_INC_P1 1\nRPG_AI_RATE_P1 7\n")
    plain = roce.read(path)
    path.write_text(
        "  CLAMP_TGT_RATE_P1                   False(0)\n  CLAMP_TGT_RATE_AFTER_TIME_INC_P1    True(1)\n"
        "  RPG_AI_RATE_P1                      7\n  ROCE_CC_PRIO_MASK_P1                255\n"
        "  ROCE_CC_ALGORITHM_P1                ECN(0)\n"
    )
    assert roce.form_of(path) == "mlx5" and roce.read(path) == plain


QUERY = """
Device #1:
----------

Device type:        ConnectX6
Name:               MCX653106A-HDA_Ax
Description:        ConnectX-6 VPI adapter card; HDR IB (200Gb/s) and 200GbE; dual-port QSFP56; PCIe4.0 x16
Device:             /dev/mst/mt4123_pciconf0

Configurations:                                          Next Boot
        MEMIC_SIZE_LIMIT                            _256KB(1)
        PCI_DOWNSTREAM_PORT_OWNER                   Array[0..15]
        ROCE_CC_PRIO_MASK_P1                        255
        CLAMP_TGT_RATE_AFTER_TIME_INC_P1            True(1)
        CLAMP_TGT_RATE_P1                           False(0)
        RPG_AI_RATE_P1                              7
        ROCE_RTT_RESP_DSCP_MODE_P1                  DEVICE_DEFAULT(0)
        EXP_ROM_UEFI_x86_ENABLE                     True(1)
        SAFE_MODE_THRESHOLD                         10
"""


def test_the_whole_output_of_mlxconfig_is_read(tmp_path):
    """Also with three values in a row, and of several adapters: with one call, or with one for each."""
    path = tmp_path / "nic.txt"
    path.write_text("RPG_AI_RATE_P1 7\n")
    plain, notes = roce.read(path)
    three = QUERY.replace("Next Boot", "Default   Current   Next Boot").replace(
        "RPG_AI_RATE_P1  ", "RPG_AI_RATE_P1  5  5  "
    )
    three = (
        three.replace("        RPG_AI", "*       RPG_AI")
        + "The '*' shows parameters with next value different from others\n"
    )
    for text in (QUERY, three, QUERY + QUERY, QUERY + QUERY.replace("#1", "#2")):
        path.write_text(text)
        assert roce.form_of(path) == "mlx5"
        sections, told = roce.read(path)
        assert sections == plain and told[0].startswith("of mlxconfig the values from the next boot on are read")
        assert len(told) == len(notes) + 1
    path.write_text(QUERY + QUERY.replace("P1                              7", "P1                              8"))
    with pytest.raises(RoceError, match="rpg_ai_rate is 7 at device 1 port 1 and 8 at device 2 port 1"):
        roce.read(path)


def test_priorities_without_control_are_told(tmp_path):
    folder = "/sys/class/net/eth0/ecn/"
    path = tmp_path / "nic.txt"
    path.write_text(f"{folder}roce_rp/rpg_ai_rate:7\n")
    plain, notes = roce.read(path)
    lines = [f"{folder}roce_{end}/enable/{of}\n" for end in ("rp", "np") for of in ("3:1", "5:0")]
    path.write_text("".join([*lines, path.read_text()]))
    sections, told = roce.read(path)
    assert sections == plain and all(note in told for note in notes)
    assert {note.partition(":")[0] for note in told if note not in notes} == {
        "roce_rp/enable is 0 for priority 5, so that adapters do not react to CNPs there",
        "roce_np/enable is 0 for priority 5, so that adapters send no CNPs there",
    }


@pytest.mark.parametrize(("mask", "off"), [(0, "0, 1, 2, 3, 4, 5, 6, 7"), (8, "0, 1, 2, 4, 5, 6, 7"), (255, "")])
def test_priorities_that_a_mask_leaves_out_are_told(tmp_path, mask, off):
    """A mask of 0 turns DCQCN off, and the scheme was read without a word."""
    path = tmp_path / "nic.txt"
    path.write_text("RPG_AI_RATE_P1 7\n")
    plain, notes = roce.read(path)
    path.write_text(f"RPG_AI_RATE_P1 7\nROCE_CC_PRIO_MASK_P1 {mask}\nROCE_CC_PRIO_MASK_P2 {mask}\n")
    sections, told = roce.read(path)
    assert sections == plain
    assert [note.partition(":")[0] for note in told if note not in notes] == [
        f"roce_cc_prio_mask is 0 for priority {off}, so that adapters neither send CNPs nor react to them there"
    ] * bool(off)


WRONG = [
    ("ROCE_CC_PRIO_MASK_P1 255\nROCE_CC_PRIO_MASK_P2 8\n", "roce_cc_prio_mask is 255 at port 1 and 8 at port 2"),
    ("ROCE_CC_PRIO_MASK_P1 256\n", "'256' is not a value of roce_cc_prio_mask"),
    ("rp_speed 4\n", "is not a known parameter"),
    (
        "/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/rp_of_a_kernel_that_is_newer:1\nrp_ai_rate 1\n",
        "'rp_of_a_kernel_that_is_newer' is not a known",
    ),
    (NIC + NIC.replace("00.0", "00.1").replace(":40", ":50"), "is 40 at 0000:3b:00.0 and 50 at 0000:3b:00.1"),
    (
        "/sys/class/net/eth0/ecn/roce_rp/rpg_ai_rate:5\n/sys/class/net/eth1/ecn/roce_rp/rpg_ai_rate:7\n",
        "rpg_ai_rate is 5 at eth0 and 7 at eth1",
    ),
    ("RPG_AI_RATE_P1 5\nRPG_AI_RATE_P2 7\n", "rpg_ai_rate is 5 at port 1 and 7 at port 2"),
    ("rp_ai_rate 0\n", "'0' is not a value of rpg_ai_rate"),
    ("rp_ai_rate 5\nrpg_ai_rate 5\n", "rpg_ai_rate is given twice"),
    ("rp_gd 10\n", "rpg_gd 10 makes cuts other than by alpha/2"),
    ("rp_clamp_tgt_rate_ati 0\n", "a cut never lowers the target rate"),
    ("np_cnp_dscp 48\n", "there is no parameter in it"),
    ('{"WRED_PROFILE": {}}', "there is no WRED_PROFILE in it"),
    ('{"WRED_PROFILE": {"A": {"ecn": "ecn_none"}}}', "does not mark green packets"),
    ('{"WRED_PROFILE": {"A": {"ecn": "ecn_all"}}}', "A has no green_min_threshold"),
    (
        '{"WRED_PROFILE": {"A": {"ecn": "ecn_all", "green_min_threshold": "1", "green_max_threshold": "2", '
        '"green_drop_probability": "0"}}}',
        "green_drop_probability of A is 0, so that it marks no packet",
    ),
    ('{"WRED_PROFILE": {"A": {}, "B": {}}}', "there are 2 WRED profiles"),
    (
        '{"WRED_PROFILE": {"A": {"ecn": "ecn_all", "green_min_threshold": "1", "green_max_threshold": "2", '
        '"green_drop_probabilty": "5"}}}',
        "'green_drop_probabilty' is not a field of A",
    ),
    (
        '{"WRED_PROFILE": {"A": {"ecn": "ecn_all", "green_min_threshold": "1", "green_max_threshold": "2", '
        '"ecn_green_min_threshold": "3"}}}',
        "fall (ecn_green_min_threshold, green_max_threshold)",
    ),
    ('{"WRED_PROFILE": ', "this is not JSON"),
]


@pytest.mark.parametrize(("text", "fact"), WRONG, ids=[fact[:30] for _, fact in WRONG])
def test_what_is_wrong_is_said_with_place_and_remedy(tmp_path, text, fact):
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(RoceError) as caught:
        roce.read(path, None if roce.form_of(path) else "mlx5")
    place, said, remedy = str(caught.value).split("\n")
    assert place.startswith(str(path)) and fact in said and len(remedy.strip()) > 5


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["mlx5", "sonic"]),
    st.one_of(st.text(max_size=60), st.sampled_from(['{"WRED_PROFILE": 3}', "[]", "1"])),
)
def test_no_file_whatever_gives_more_than_a_sentence(tmp_path, form, text):
    path = tmp_path / "file"
    path.write_bytes(text.encode("utf-8", errors="replace"))
    try:
        roce.read(path, form)
    except RoceError as error:
        assert str(error).count("\n") >= 2
