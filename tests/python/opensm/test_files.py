"""Files of both forms are read exactly or refused with a place and a remedy; whatever is in them, nothing breaks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from congestree.errors import CongestreeError
from congestree.formats.opensm import Code, Manager, Settings, SettingsError, Source, read, read_text, write, write_text

from .settings import CCMGR, OPENSM, ccmgr, opensm


def notes_of(text, form=None):
    return [str(note) for note in read_text(text, form, "f").notes]


def complaints_of(text, form=None):
    with pytest.raises(SettingsError) as caught:
        read_text(text, form, "f")
    return [str(complaint) for complaint in caught.value.complaints]


def test_an_opensm_file_is_read_exactly():
    found = read_text(OPENSM)
    assert found == Settings(
        enabled=True,
        control_map=0x15,
        victim_mask=sum(1 << port for port in range(1, 37)),
        threshold=11,
        packet_size=8,
        marking_rate=6,
        port_control=1,
        source_map=2,
        sources=(Source(), Source(timer=75, increase=2), *[Source()] * 14),
        table=(Code(0, 0), Code(1, 1), Code(1, 2), Code(1, 3), Code(0, 2)),
        key=255,
    )
    assert found.notes == ()
    assert found.limit == 4


def test_a_ccmgr_file_is_read_exactly():
    found = read_text(CCMGR)
    assert found == Settings(
        enabled=True,
        control_map=0x14,
        threshold=14,
        packet_size=8,  # 0x200 bytes
        marking_rate=10,
        source_map=0xFFFF,
        sources=(Source(timer=150, increase=1, trigger=2),) * 16,
        table=(Code(0, 0), Code(0, 1), Code(0, 2), *[Code(1, 3)] * 125),
        manager=Manager(),
    )


def test_a_ccmgr_file_is_not_taken_for_one_of_opensm_in_which_control_is_off():
    (complaint,) = complaints_of(CCMGR, "opensm")
    assert complaint.startswith("f:2: enable is an option of ccmgr") and complaint.endswith("Say --form ccmgr.")
    assert read_text("log_flags 0x03\n", "opensm").enabled is False


def test_zeros_are_off_for_opensm_and_derived_for_ccmgr():
    off = read_text("congestion_control TRUE\ncc_cct (null)\n")
    derived = read_text("enable TRUE\ncct 0\nccti_timer 0\n")
    assert (off.table, off.sources[0].timer) == ((), 0)
    assert (derived.table, derived.sources[0].timer) == (None, None)
    assert derived.limit == 127


def test_the_form_is_told_from_the_names_or_by_the_caller():
    assert read_text("cc_key 0\n").form == "opensm"
    assert read_text("marking_rate 3\n").form == "ccmgr"
    assert read_text("", "opensm") == Settings()
    assert read_text("", "ccmgr").marking_rate == 10
    assert "Keep one kind" in complaints_of("cc_key 1\nmarking_rate 3\n")[0]
    (said,) = complaints_of("sm_priority 3\n")
    assert "nothing in this file" in said and "mlx5" in said and "SONiC" in said


@given(opensm)
@settings(max_examples=60)
def test_what_is_written_for_opensm_is_read_back(values):
    assert read_text(write_text(values)) == values


@given(ccmgr)
@settings(max_examples=60)
def test_what_is_written_for_ccmgr_is_read_back(values):
    assert read_text(write_text(values)) == values


# Each option of a number with the largest value that its register holds.
NUMBERS = {
    "cc_key": 2**64 - 1,
    "cc_max_outstanding_mads": 2**32 - 1,
    "cc_sw_cong_setting_control_map": 2**32 - 1,
    "cc_sw_cong_setting_threshold": 15,
    "cc_sw_cong_setting_packet_size": 255,
    "cc_sw_cong_setting_credit_starvation_threshold": 15,
    "cc_sw_cong_setting_marking_rate": 65535,
    "cc_ca_cong_setting_port_control": 65535,
    "cc_ca_cong_setting_control_map": 65535,
    "cc_ca_cong_setting_ccti_timer 3": 65535,
    "cc_ca_cong_setting_ccti_increase 15": 255,
    "cc_ca_cong_setting_trigger_threshold 0": 255,
    "cc_ca_cong_setting_ccti_min 7": 255,
    "threshold": 15,
    "num_hosts": 48 * 1024,
    "marking_rate": 65535,
    "packet_size": 0x3FC0,
    "port_control": 65535,
    "ca_control_map": 65535,
    "ccti_increase": 255,
    "trigger_threshold": 255,
    "ccti_min": 255,
    "ccti_timer": 65535,
    "cct": 65535,
}


@pytest.mark.parametrize(("option", "most"), NUMBERS.items(), ids=NUMBERS)
def test_numbers_end_where_their_register_does(option, most):
    read_text(f"{option} {most}\n")
    read_text(f"{option} 0x{most:X}\n")
    assert complaints_of(f"\n{option} {most + 1}\n")[0].startswith("f:2: ")
    assert "not a number" in complaints_of(f"{option} -1\n")[0]
    assert "not a number" in complaints_of(f"{option} {most}x\n")[0]


@pytest.mark.parametrize(
    ("line", "fact", "remedy"),
    [
        ("cc_cct 4:1", "shift is 4", "0 to 3"),
        ("cc_cct 0:16384", "multiplier is 16384", "0 to 16383"),
        ("cc_cct 0:0,3", "not a table entry", "1:3"),
        ("cc_cct " + ",".join(["0:0"] * 129), "129 entries", "Keep 128"),
        ("cc_sw_cong_setting_credit_starvation_return_delay 9:1", "shift is 9", "0 to 3"),
        ("cc_sw_cong_setting_victim_mask 0x" + "f" * 64, "bit 255", "Clear it"),
        ("cc_sw_cong_setting_victim_mask 0x" + "0" * 65, "65 digits", "at most 64"),
        ("cc_sw_cong_setting_victim_mask ports", "not hexadecimal", "0x"),
        ("cc_ca_cong_setting_ccti_timer 75", "75", "service level before the value"),
        ("cc_ca_cong_setting_ccti_timer 16 75", "service level is 16", "0 to 15"),
        ("cc_ca_cong_setting_ccti_timer 1 75 3", "1 75 3", "service level before"),
        ("cc_key", "no value", "delete the line"),
        ("congestion_control true", "takes as FALSE", "capitals"),
        ("congestion_control 1", "takes as FALSE", "capitals"),
        ("cc_sw_cong_setting_treshold 3", "would be ignored", '"cc_sw_cong_setting_threshold"'),
        ("cc_foo 3", "would be ignored", ""),
        ("congestion_contrl TRUE\ncc_key 1", "would be ignored", '"congestion_control"'),
        ("marking_rat 3\nthreshold 2", "would be ignored", '"marking_rate"'),
        ("treshold 3", "no option", '"threshold"'),
        ("cc_sw_cong_setting_threshold 09", "octal", "Drop the zero"),
    ],
)
def test_what_opensm_would_misread_is_refused_with_place_fact_and_remedy(line, fact, remedy):
    said = complaints_of(f"# a comment\n{line}\n")[0]
    assert said.startswith("f:2: ")
    assert fact in said
    assert remedy in said


def test_all_complaints_come_at_once():
    said = complaints_of("cc_key -1\ncc_cct 9:9\ncc_sw_cong_setting_threshold 16\n")
    assert [line[:4] for line in said] == ["f:1:", "f:2:", "f:3:"]


def test_a_table_ends_where_opensm_stops_reading_its_line():
    fits = ",".join(["3:16383"] * 126 + ["3:163"])  # 126 x 8 + 5 = 1013 characters
    assert len(fits) == 1013
    assert len(read_text(f"cc_cct {fits}00\n").table) == 127
    assert "1015" in complaints_of(f"cc_cct {fits}:00,\n".replace(":00,", "00,0:0"))[0]


def test_a_table_too_long_for_its_line_is_not_written():
    with pytest.raises(SettingsError, match=r"1023 characters, and OpenSM reads 1015"):
        write_text(Settings(table=(Code(3, 16383),) * 128))
    assert len(read_text(write_text(Settings(table=(Code(3, 16383),) * 127))).table) == 127


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("congestion_control FALSE\ncc_sw_cong_setting_threshold 3", "nothing of this is set up"),
        ("congestion_control TRUE\ncc_sw_cong_setting_threshold 3", "bit 2 of the control map"),
        ("congestion_control TRUE\ncc_sw_cong_setting_packet_size 3", "bit 2 of the control map"),
        ("congestion_control TRUE\ncc_sw_cong_setting_victim_mask 0x6", "bit 0 of the control map"),
        ("congestion_control TRUE\ncc_sw_cong_setting_credit_mask 0x6", "bit 1 of the control map"),
        ("congestion_control TRUE\ncc_sw_cong_setting_credit_starvation_threshold 1", "bit 3 of the control map"),
        ("congestion_control TRUE\ncc_sw_cong_setting_marking_rate 6", "bit 4 of the control map"),
        ("congestion_control TRUE\ncc_sw_cong_setting_control_map 0x3f", "bits that mean nothing"),
        ("congestion_control TRUE\ncc_ca_cong_setting_ccti_timer 2 9", "service level 2 has no effect"),
        ("congestion_control TRUE\ncc_cct 0:0", "CCTI_Limit is 0"),
        ("cc_key 1\ncc_key 2", "was set at f:1 too"),
        ("cc_key 010", "octal because of its leading zero: 8"),
        ("cc_sw_cong_setting_control_map 1\ncc_sw_cong_setting_victim_mask 36", "hexadecimal although"),
        ("cc_key 1\nmlnx_congestion_control 2", "another mechanism"),
        ("cc_key 1\nevent_plugin_name ccmgr", "overrides"),
        ("cc_key 1\n#" + "x" * 1100, "Break it"),
    ],
)
def test_what_is_read_but_does_not_do_what_it_looks_like_is_noted(text, says):
    assert any(says in note for note in notes_of(text)), notes_of(text)


def test_a_clean_file_has_no_notes():
    assert notes_of(OPENSM) == notes_of(CCMGR) == []


def test_other_options_of_opensm_are_none_of_our_business():
    others = "m_key 0x0\nsm_priority 3\nrouting_engine ftree,minhop\nlog_file /var/log/opensm.log\nqos FALSE\nlmc 0\n"
    assert notes_of(others + OPENSM) == []


def test_a_form_that_cannot_say_something_refuses_it():
    table = (Code(0, 0), Code(0, 1))
    one = Settings(source_map=3, sources=(Source(timer=1),) * 16, table=table)
    for values, says in (
        ({"sources": (Source(timer=1), Source(timer=2), *[Source()] * 14)}, "service levels differ"),
        ({"sources": (Source(),) * 16}, "timer is 0"),
        ({"table": (Code(0, 1), Code(0, 2))}, "begins with 0:1"),
        ({"table": (Code(0, 0),)}, "1 entries"),
    ):
        with pytest.raises(SettingsError, match=says):
            write_text(one.replace(**values), "ccmgr")
    assert read_text(write_text(one, "ccmgr")).table == (Code(0, 0), *[Code(0, 1)] * 127)
    with pytest.raises(SettingsError, match="derives the table"):
        write_text(read_text("enable TRUE\n"), "opensm")


@pytest.mark.parametrize(("size", "held"), [("0x210", 512), ("0x3f", 0)])
def test_a_packet_size_that_the_register_cannot_hold_is_told(size, held):
    text = f"enable TRUE\npacket_size {size}\n"
    assert 64 * read_text(text).packet_size == held
    (note,) = notes_of(text)
    assert note.startswith(f"f:2: packet_size: {int(size, 16)} is no multiple of 64: the register holds {held} B.")
    assert notes_of("enable TRUE\npacket_size 0x200\n") == []


def test_files_that_cannot_be_read_are_sentences(tmp_path):
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00cc_key")
    for path, says in ((tmp_path / "none", "no file"), (tmp_path, "folder"), (tmp_path / "binary", "UTF-8")):
        with pytest.raises(CongestreeError, match=says):
            read(path)
    write(tmp_path / "cc.conf", read_text(OPENSM))
    assert read(tmp_path / "cc.conf") == read_text(OPENSM)
    with pytest.raises(CongestreeError, match="cannot be written"):
        write(tmp_path / "none" / "cc.conf", Settings())


def swallow(text, form=None):
    """Read a text; the only allowed error is a sentence."""
    try:
        found = read_text(text, form)
        found.to_scheme()
        assert read_text(write_text(found), found.form) == found.replace(notes=())
    except CongestreeError as error:
        assert str(error).strip()


@given(st.text(max_size=300), st.sampled_from([None, "opensm", "ccmgr"]))
@settings(max_examples=200)
def test_random_text_never_breaks_the_reader(text, form):
    swallow(text, form)


pieces = st.one_of(
    st.sampled_from(sorted({word for text in (OPENSM, CCMGR) for word in text.split()})),
    st.sampled_from(
        ["\n", " ", "\t", "#", ":", ",", "0x", "-1", "08", "99999999999999999999", "\x00", "\r\n", "(null)"]
    ),
    st.text(max_size=4),
)


@given(st.lists(pieces, max_size=60).map(" ".join))
@settings(max_examples=200)
def test_pieces_of_files_in_any_order_never_break_the_reader(text):
    swallow(text)


@given(st.sampled_from([OPENSM, CCMGR]), st.data())
@settings(max_examples=300)
def test_mutated_files_never_break_the_reader(text, data):
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text)))
        upto = min(len(text), at + data.draw(st.integers(0, 12)))
        text = text[:at] + data.draw(pieces) + text[upto:]
    swallow(text)


@given(st.binary(max_size=200))
@settings(max_examples=100)
def test_random_bytes_never_break_the_reader(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "bytes.conf"
    path.write_bytes(data)
    try:
        read(path)
    except CongestreeError as error:
        assert str(error).strip()


@pytest.mark.parametrize("form", ["OpenSM", "x", "", 5, ["opensm"]], ids=str)
@pytest.mark.parametrize(
    "call",
    [
        lambda path, form: read(path, form),
        lambda path, form: read_text(OPENSM, form),
        lambda path, form: write(path, read_text(OPENSM), form),
        lambda path, form: write_text(read_text(OPENSM), form),
    ],
    ids=["read", "read_text", "write", "write_text"],
)
def test_a_form_that_there_is_not_is_refused(tmp_path, call, form):
    """It was taken for one of the two: an opensm.conf had what only ccmgr can hold."""
    path = tmp_path / "opensm.conf"
    path.write_text(OPENSM, encoding="utf-8")
    with pytest.raises(CongestreeError, match=r"^There is no form .*; (did you mean \"opensm\"|there are: opens)"):
        call(path, form)
    assert path.read_text(encoding="utf-8") == OPENSM
