"""Table entries have the bits of the wire format, and mean the rates of the standard."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from congestree.formats.opensm import Code, SettingsError, encode, llnl, slowest_share

from .settings import codes


@pytest.mark.parametrize(
    ("shift", "multiplier", "word"),
    [(0, 0, 0), (1, 3, 0x4003), (3, 16383, 0xFFFF), (0, 16383, 0x3FFF), (2, 1, 0x8001), (3, 0, 0xC000)],
)
def test_the_shift_is_in_the_upper_two_bits(shift, multiplier, word):
    assert Code(shift, multiplier).word == word
    assert Code.from_word(word) == Code(shift, multiplier)


def test_one_colon_three_keeps_two_fifths_of_the_line():
    assert Code(1, 3).share == Fraction(2, 5)
    assert Code(1, 3).delay(1_000_000) == 1_500_000


@pytest.mark.parametrize(("shift", "multiplier"), [(4, 0), (-1, 0), (0, 16384), (0, -1), (7, 99999)])
def test_what_the_bits_cannot_hold_is_refused(shift, multiplier):
    with pytest.raises(SettingsError, match="0 to"):
        Code(shift, multiplier)


@pytest.mark.parametrize("word", [-1, 0x10000])
def test_a_word_has_sixteen_bits(word):
    with pytest.raises(SettingsError):
        Code.from_word(word)


@given(codes)
def test_words_and_entries_are_the_same_thing(code):
    assert Code.from_word(code.word) == code
    assert 0 <= code.word <= 0xFFFF


@given(codes, st.integers(8, 10**8))
def test_a_delay_that_an_entry_has_is_met_exactly(code, packet_time):
    assert encode(code.delay(packet_time), packet_time).delay(packet_time) == code.delay(packet_time)


@given(st.integers(0, 10**9), st.integers(1000, 10**7))
def test_no_entry_is_nearer_than_the_one_chosen(delay, packet_time):
    if delay > packet_time * 16383:
        return
    chosen = abs(encode(delay, packet_time).delay(packet_time) - delay)
    for shift in range(4):
        unit = packet_time >> shift
        for multiplier in (delay // unit, delay // unit + 1):
            if multiplier <= 16383:
                assert chosen <= abs(unit * multiplier - delay)


def test_a_delay_beyond_the_longest_entry_is_refused():
    longest = 1_037_000 * 16383
    assert encode(longest, 1_037_000) == Code(0, 16383)
    with pytest.raises(SettingsError, match="longer than the longest entry"):
        encode(longest + 1_037_000, 1_037_000)


def test_the_four_tables_of_llnl_differ_fifteenfold_in_how_hard_they_throttle():
    slowest = {name: slowest_share(llnl.table(name)) for name in llnl.TABLES}
    assert slowest == {
        "vendor/0.218": Fraction(1, 58),
        "vendor/0.408": Fraction(1, 31),
        "simula/0.218": Fraction(8, 54),
        "simula/0.408": Fraction(8, 32),
    }
    in_percent = {name: f"{float(share):.1%}" for name, share in slowest.items()}
    assert in_percent == {
        "vendor/0.218": "1.7%",
        "vendor/0.408": "3.2%",
        "simula/0.218": "14.8%",
        "simula/0.408": "25.0%",
    }
    assert 14 < max(slowest.values()) / min(slowest.values()) < 15


def test_the_plot_of_the_tables_shows_each_with_its_slowest_rate():
    figure = llnl.plot_tables()
    lines = figure.axes[0].get_lines()
    assert [line.get_label() for line in lines] == [
        "vendor/0.218: down to 1.7%",
        "vendor/0.408: down to 3.2%",
        "simula/0.218: down to 14.8%",
        "simula/0.408: down to 25.0%",
    ]
    assert min(lines[0].get_ydata()) == pytest.approx(1 / 58)
