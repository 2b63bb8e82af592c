"""Tables of SONiC switches that are wrong: what is said of them, and that nothing but a sentence comes of any."""

import copy
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from congestree.formats import roce
from congestree.formats.roce import RoceError

from .tables import CONFIG, POOL, PROFILE, checked, put


def twice(config):
    put("BUFFER_PROFILE", "other", dict(config["BUFFER_PROFILE"][PROFILE]))(config)
    put("BUFFER_PG", "Ethernet0|3-4", {"profile": "other"})(config)


def other_share(config):
    other = config["BUFFER_PROFILE"]["egress_lossy_profile"] | {"dynamic_th": "1"}
    put("BUFFER_PROFILE", "other", other)(config)
    put("BUFFER_QUEUE", "Ethernet4|5-7", "profile", "other")(config)


WRONG = [
    (put("BUFFER_POOL", None), "there is no BUFFER_POOL in it"),
    (put("BUFFER_PROFILE", PROFILE, "pool", "lake"), "names 'lake', and BUFFER_POOL has no such entry"),
    (put("BUFFER_PROFILE", PROFILE, "pool", "egress_lossless_pool"), "which is no ingress pool"),
    (put("BUFFER_PROFILE", PROFILE, "xoff", "0"), "has an xoff of 0: no headroom"),
    (put("BUFFER_PROFILE", PROFILE, "xon", "94209"), "xon of 94209, which is more than its size and xoff"),
    (put("BUFFER_PROFILE", PROFILE, "dynamic_th", "11"), "has a dynamic_th of 11"),
    (put("BUFFER_PROFILE", PROFILE, "dynamic_th", None), "either a dynamic_th or a static_th, and has neither"),
    (put("BUFFER_PROFILE", PROFILE, "static_th", "9"), "either a dynamic_th or a static_th, and has both"),
    (put("BUFFER_PROFILE", PROFILE, "mode", "static"), "is 'static', and it has a dynamic_th"),
    (put("BUFFER_PROFILE", PROFILE, "xof", "9"), "'xof' is not a field of BUFFER_PROFILE"),
    (put("BUFFER_PROFILE", PROFILE, "size", None), "has no size"),
    (put("BUFFER_PROFILE", PROFILE, "size", "56 KB"), "size of BUFFER_PROFILE"),
    (put("BUFFER_PG", "Ethernet0|3-4", "profile", "NULL"), "has no profile of its own"),
    (put("BUFFER_PG", "Ethernet0|3-4", "profile", "none"), "BUFFER_PROFILE has no such entry"),
    (put("BUFFER_PG", "Ethernet0|4-3", {"profile": PROFILE}), "is no priority group"),
    (put("BUFFER_PG", "Ethernet0|9", {"profile": PROFILE}), "is no priority group"),
    (put("BUFFER_PG", "Ethernet0|5", {"profile": PROFILE}), "have different lossless priorities"),
    (put("BUFFER_PG", {"Ethernet0|0": {"profile": "ingress_lossy_profile"}}), "no priority group is lossless"),
    (put("BUFFER_POOL", "ingress_lossless_pool", "mode", "elastic"), "mode of BUFFER_POOL"),
    (put("BUFFER_POOL", "ingress_lossless_pool", "size", None), "has no size: the switch works it out"),
    (put("CABLE_LENGTH", "AZURE", "Ethernet4", "300m"), "is for one cable, and here it is for"),
    (put("CABLE_LENGTH", "AZURE", "Ethernet4", "long"), "'long' is not a cable length of Ethernet4"),
    (put("PORT", "Ethernet4", "speed", "40000"), "is for one speed, and here it is for"),
    (put("PORT_QOS_MAP", "Ethernet8", "pfc_enable", "3"), "Ethernet8 pauses the priorities 3 (pfc_enable)"),
    (put("PFC_WD", "Ethernet8", {"action": "drop"}), "PFC_WD does not say the same of all ports"),
    (put("PORT_QOS_MAP", {"Ethernet0,Ethernet4": {"pfc_enable": "3"}}), "Ethernet0 pauses the priorities 3"),
    (put("PFC_WD", "Ethernet0,Ethernet4", {"action": "drop"}), "PFC_WD says two things of Ethernet0"),
    (put("BUFFER_PROFILE", []), "BUFFER_PROFILE is not a table of entries"),
    (put("BUFFER_POOL", POOL, "xoff", "90000"), "has headroom of its own in its size"),
    (put("BUFFER_QUEUE", "Ethernet0|3-4", "profile", "egress"), "BUFFER_PROFILE has no such entry"),
    (put("BUFFER_QUEUE", "Ethernet0|3-4", {}), "BUFFER_PROFILE has no such entry"),
    (put("BUFFER_QUEUE", "Ethernet0|3-4", "weight", "1"), "'weight' is not a field of BUFFER_QUEUE"),
    (put("BUFFER_QUEUE", "Ethernet0|8", {"profile": "egress_lossy_profile"}), "'Ethernet0|8' is no queue"),
    (put("BUFFER_QUEUE", "Ethernet0|2-3", {"profile": "egress_lossy_profile"}), "queues that pause (3) and others"),
    (put("BUFFER_QUEUE", "Ethernet0|3", {"profile": "egress_lossy_profile"}), "a lossless queue would drop the rest"),
    (
        put("BUFFER_QUEUE", "Ethernet0|0-2", "profile", "egress_lossless_profile"),
        "and a lossy queue is bounded by a share",
    ),
    (put("BUFFER_QUEUE", "Ethernet0|0-2", "profile", PROFILE), "which is no egress pool"),
    (put("BUFFER_PROFILE", "egress_lossless_profile", "static_th", "9999999"), "may hold no more than 9999999 B"),
    (
        put("BUFFER_PROFILE", "egress_lossless_profile", "xoff", "1"),
        "has headroom (xoff), which queues have no use for",
    ),
    (put("BUFFER_PROFILE", "egress_lossy_profile", "dynamic_th", "9"), "has a dynamic_th of 9"),
    (put("BUFFER_PROFILE", "egress_lossy_profile", "dynamic_th", None), "and has neither"),
    (put("BUFFER_PROFILE", "egress_lossless_profile", {"pool": "egress_lossless_pool", "dynamic_th": "6"}), "2^6 of"),
    (other_share, "lossy queues have a dynamic_th of"),
    (twice, "there are 2 lossless profiles"),
]


@pytest.mark.parametrize(("change", "fact"), WRONG, ids=[fact[:40] for _, fact in WRONG])
def test_tables_that_are_wrong_are_refused_with_place_and_remedy(written, change, fact):
    path = written(change)
    with pytest.raises(RoceError) as caught:
        roce.read(path)
    place, said, remedy = str(caught.value).split("\n")
    assert place.startswith(str(path)) and fact in said and len(remedy.strip()) > 5


def test_the_place_is_the_line_of_the_entry(written):
    path = written(put("BUFFER_PROFILE", PROFILE, "xof", "9"))
    with pytest.raises(RoceError) as caught:
        roce.read(path)
    assert '"xof"' in path.read_text().splitlines()[caught.value.line - 1]


WRONG_ROWS = [
    ("100000 5m 1 1", "has 4 columns"),
    ("100000 5m 1 1 1 0 0 0", "has 8 columns"),
    ("100000 5m 1 1 0 0", "has an xoff of 0"),
    ("100000 5m 1 1 -1 0", "'-1' is no xoff"),
    ("100000 5m 1 1 1 9", "'9' is no threshold"),
    ("100000 5m 1 1 1 -11", "'-11' is no threshold"),
    ("100000 5m 1 1 1 1e5", "'1e5' is no threshold"),
    ("100000 5m 1 1 1 100000\n100000 40m 1 1 1 0", "bytes in some lines, and an exponent in others"),
    ("100000 5m 1 1 1 1000 1001", "xon_offset of pg_lossless_100000_5m_profile is more than its static_th"),
    ("100000 5m 1 1 1 0\n100000 5ft 1 1 1 0", "'5ft' is not a cable length"),
    ("0 5m 1 1 1 0", "'0' is no speed"),
    ("100000 5m 1 1 1 0\n100000 5m 1 1 1 0", "stands in line 1 already"),
    ("100000 5m 1 3 1 0", "which is more than its size and xoff together"),
    ("# nothing\n", "there is no profile in it"),
]


@pytest.mark.parametrize(("text", "fact"), WRONG_ROWS, ids=[fact for _, fact in WRONG_ROWS])
def test_rows_that_are_wrong_are_refused_with_place_and_remedy(written, text, fact):
    path = written(text=text, name="pg_profile_lookup.ini")
    with pytest.raises(RoceError) as caught:
        roce.read(path, "sonic-pg")
    place, said, remedy = str(caught.value).split("\n")
    assert place.startswith(str(path)) and fact in said and len(remedy.strip()) > 5


def test_what_sonic_has_no_word_for_is_refused():
    with pytest.raises(RoceError, match="no memory that the ports of a switch share"):
        roce.write(checked({}), "sonic-pg")
    pfc = {"links": {"lanes": 9, "flow_control": {"pfc": {}}}, "switches": {"shared_memory": {"size": "9 MB"}}}
    with pytest.raises(RoceError, match="lane 8 pauses, and there are 8 priorities"):
        roce.write(checked(pfc), "sonic")
    few = {"links": {"flow_control": {"pfc": {"threshold": {"static": {"xoff": "63 B"}}}}}}
    with pytest.raises(RoceError, match="a threshold of 63 B is less than a frame"):
        roce.write(checked(few | {"switches": pfc["switches"]}), "sonic-pg")


WORDS = st.one_of(
    st.sampled_from(["", "NULL", "3-4", "-3", "0", "5m", "ingress", PROFILE, "[BUFFER_PROFILE|", "99999999999999"]),
    st.text(max_size=8),
)


@st.composite
def spoilt(draw):
    """CONFIG with some entries changed, taken out or put in."""
    config = copy.deepcopy(CONFIG)
    for _ in range(draw(st.integers(1, 4))):
        place = config
        while True:
            key = draw(st.sampled_from(sorted(place))) if place else draw(WORDS)
            if isinstance(place.get(key), dict) and draw(st.booleans()):
                place = place[key]
                continue
            new = draw(st.one_of(WORDS, st.integers(-9, 9), st.none(), st.just({}), st.just([])))
            if draw(st.booleans()):
                place[draw(WORDS)] = new
            elif draw(st.booleans()):
                place.pop(key, None)
            else:
                place[key] = new
            break
    return config


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(spoilt())
def test_no_tables_whatever_give_more_than_a_sentence(tmp_path, config):
    path = tmp_path / "config_db.json"
    path.write_text(json.dumps(config))
    try:
        sections, _ = roce.read(path, "sonic")
        assert "shared_memory" in sections["switches"]
    except RoceError as error:
        assert str(error).count("\n") >= 2


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.one_of(WORDS, st.integers(0, 200_000).map(str)), max_size=8).map(" ".join), max_size=4))
def test_no_rows_whatever_give_more_than_a_sentence(tmp_path, lines):
    path = tmp_path / "pg_profile_lookup.ini"
    path.write_bytes("\n".join(lines).encode("utf-8", errors="replace"))
    try:
        roce.read(path, "sonic-pg")
    except RoceError as error:
        assert str(error).count("\n") >= 2
