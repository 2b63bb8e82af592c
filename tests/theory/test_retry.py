"""Links that send again what they have damaged, against go-back-N.

A frame takes t on the link; its NACK is received L after it began: the frame itself, the delay there, the NACK, which
waits for no packet here, and the delay back. Frames that were begun meanwhile are sent again too. So a damaged frame
costs L, and any other t. With P the share of damaged frames the link carries

    C t (1 - P) / (t (1 - P) + L P) = C (1 - P) / (1 + P (N - 1)),    N = L / t

(Bertsekas and Gallager: Data Networks, section 2.4; N is not rounded, because the replay begins when the frame on the
link has left, on average half a frame later, and the damaged one counts whole.) If a frame that is sent again is
damaged again, the receiver says nothing more (UEC 1.0 section 5.1), and the replay timer ends the silence.
"""

import pytest
from fabrics import column, latencies, run, scenario

FRAME = 1_000_000  # ps: 1,000 bytes at 8 Gbit/s
DELAY = 20_000_000
WORD = 8_000


def one_link(errors: dict | None, retry: dict | None, duration: str, **entry) -> dict:
    """One host sends to another over a switch; frames are as long as 1 us, links as 20 us."""
    links = {}
    if errors is not None:
        links["errors"] = errors
    if retry is not None:
        links["retry"] = retry
    return scenario(
        {"single-switch": {"hosts": 2}},
        [{"from": "H1", "to": "H2", **entry}],
        duration,
        delay="20 us",
        links=links,
        switches={"buffer": "1 MB", "forwarding_delay": "0 ns"},
    )


@pytest.mark.parametrize("frames", [1, 10, 25])
def test_a_replay_buffer_bounds_what_is_on_the_link(frames):
    """This many frames in the time from the start of the first until its ACK is received."""
    loop = FRAME + 2 * DELAY + WORD
    result = run(one_link(None, {"frames": frames, "spacing": "0 B"}, "20 ms"))
    rate = column(result, "flows", "packets")[0] / 20_000
    assert rate == pytest.approx(frames * FRAME / loop, rel=0.01)


def test_without_errors_retry_costs_nothing_but_its_words():
    packets = [
        column(run(one_link(None, retry, "20 ms")), "flows", "packets")[0] for retry in (None, {"bytes": "1 MB"})
    ]
    # The far end of each of two links waits for whole frames: two frames later.
    assert packets[0] - packets[1] == 1


def test_who_sees_nothing_of_a_frame_waits_for_the_timer_exactly():
    """One packet, and nothing behind it: every loss costs one timer, and the path is that of whole frames."""
    lone = {"message": "980 B", "arrivals": {"messages": {"count": 400, "every": "2 ms"}}}
    errors = {"packets": 0.2, "unseen": 1.0}
    result = run(one_link(errors, {"timeout": "100 us"}, "1 s", **lone) | {"measure": deliveries("1 s")})
    times = latencies(result)["H1->H2"]
    plain = 2 * (FRAME + DELAY)
    late = {(time - plain) // 100_000_000 for time in times}
    assert all((time - plain) % 100_000_000 == 0 for time in times), sorted(set(times))[:5]
    assert len(times) == 400 and {0, 1, 2} <= late


def deliveries(duration: str) -> dict:
    """The deliveries, with a row for every packet."""
    return {"duration": duration, "audit": True, "probes": ["deliveries"]}


@pytest.mark.parametrize("share", [1e-3, 4e-3, 1e-2])
def test_goodput_follows_go_back_n(share):
    """Both links have the same error rate: their buffer is hardly ever empty or full, so they carry what one does."""
    loop = FRAME + 2 * DELAY + WORD
    n = loop / FRAME
    result = run(one_link({"packets": share}, {"bytes": "1 MB", "frames": 1000, "spacing": "0 B"}, "400 ms"))
    rate = column(result, "flows", "packets")[0] / 400_000
    # A replayed frame that is damaged again costs a timer, twice the longest loop; it is one of N + 1 in P.
    timer = 2 * (2 * DELAY + FRAME + FRAME + WORD)
    again = share * timer / FRAME
    law = (1 - share) / (1 + share * (n - 1 + again))
    assert rate == pytest.approx(law, rel=0.05)


def test_what_is_sent_again_is_part_of_the_utilisation_but_not_of_the_bytes():
    """Both loaded links are always busy, half of the time with frames that they have sent before."""
    result = run(
        scenario(
            {"single-switch": {"hosts": 2}},
            [{"from": "H1", "to": "H2"}],
            "100 us",
            rate="100 Gbit/s",
            delay="10 ns",
            links={"errors": {"packets": 0.2}, "retry": {}},
        )
    )
    loaded = column(result, "ports", "packets") > 0
    frames, again, used = (column(result, "ports", name)[loaded] for name in ("packets", "replayed", "utilisation"))
    assert len(used) == 2 and used == pytest.approx((frames + again) / 1250)
    assert min(used) > 0.95 and max(frames / 1250) < 0.65
