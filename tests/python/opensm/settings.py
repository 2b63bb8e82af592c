"""Random settings that registers can hold, and a file of each form."""

from hypothesis import strategies as st

from congestree.formats.opensm import Code, Manager, Settings, Source

# Made up; the shape of the example in OpenSM's own file.
OPENSM = """
# a comment
guid 0x0002c90300001234
congestion_control TRUE
cc_key 0x00000000000000ff
cc_sw_cong_setting_control_map 0x15
cc_sw_cong_setting_victim_mask 0x0000001ffffffffe
cc_sw_cong_setting_threshold 0xB
cc_sw_cong_setting_packet_size 8     # 512 B
cc_sw_cong_setting_marking_rate 6
cc_ca_cong_setting_port_control 0x0001
cc_ca_cong_setting_control_map 0x0002
cc_ca_cong_setting_ccti_timer 1 75
cc_ca_cong_setting_ccti_increase 1 2
cc_cct "0:0,1:1, 1:2,1:3,0:2"
"""

CCMGR = """
enable TRUE
threshold 0xe
marking_rate 0xa
packet_size 0x200
port_control 0
ca_control_map 0xffff
ccti_increase 1
trigger_threshold 2
ccti_timer 150
cct 1,2,0x4003
"""


def upto(most):
    """Integers from 0, its ends more often than by chance."""
    return st.one_of(st.sampled_from([0, most]), st.integers(0, most))


codes = st.builds(Code, upto(3), upto(2**14 - 1))
sources = st.builds(Source, upto(2**16 - 1), upto(255), upto(255), upto(255))
opensm = st.builds(
    Settings,
    enabled=st.booleans(),
    control_map=upto(2**32 - 1),
    victim_mask=upto(2**255 - 1),
    credit_mask=upto(2**255 - 1),
    threshold=upto(15),
    packet_size=upto(255),
    starvation_threshold=upto(15),
    starvation_delay=codes,
    marking_rate=upto(2**16 - 1),
    port_control=upto(2**16 - 1),
    source_map=upto(2**16 - 1),
    sources=st.lists(sources, min_size=16, max_size=16).map(tuple),
    table=st.lists(codes, max_size=120).map(tuple),  # 120 entries fit on a line whatever they are
    key=upto(2**64 - 1),
    outstanding=upto(2**32 - 1),
)
managed_sources = st.builds(Source, st.one_of(st.none(), st.integers(1, 2**16 - 1)), upto(255), upto(255), upto(255))
ccmgr = st.builds(
    Settings,
    enabled=st.booleans(),
    control_map=st.just(0b10100),
    threshold=upto(15),
    packet_size=upto(255),
    marking_rate=upto(2**16 - 1),
    port_control=upto(2**16 - 1),
    source_map=upto(2**16 - 1),
    sources=managed_sources.map(lambda source: (source,) * 16),
    table=st.one_of(st.none(), st.lists(codes, min_size=127, max_size=127).map(lambda entries: (Code(0, 0), *entries))),
    manager=st.builds(Manager, upto(48 * 1024), upto(2**32 - 1), upto(2**32 - 1), upto(2**32 - 1)),
)
