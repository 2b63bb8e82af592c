"""Timers that expire before an ACK can be back on the idle path of a flow are told and no others; runs show what is
told."""

import pytest

import congestree


def far(transport, delay, message="1 MiB", count=2):
    """Messages that are sent alone."""
    return {
        "topology": {"single-switch": {"hosts": 2}},
        "links": {"rate": "100 Gbit/s", "delay": delay, "lanes": 2, "flow_control": "none"},
        "switches": {"output_queue": "4 MB"},
        "traffic": [
            {"from": "H1", "to": "H2", "message": message, "arrivals": {"messages": {"count": count, "every": "3 ms"}}}
        ],
        "measure": {"duration": "9 ms"},
        "scheme": {"transport": {transport: {}}},
    }


TIMERS = [
    ("uet", "20 us", "1 MiB", None),
    ("uet", "26 us", "1 MiB", "timeout"),
    ("uet", "30 us", "1 MiB", "timeout"),
    ("irn", "24 us", "2 KiB", None),
    ("irn", "26 us", "1 MiB", None),
    ("irn", "26 us", "2 KiB", "timeout_low"),
    ("irn", "90 us", "1 MiB", "timeout_high"),
    ("go-back-n", "200 us", "1 MiB", None),
    ("go-back-n", "260 us", "1 MiB", "timeout"),
    ("new-reno", "260 us", "1 MiB", None),
]


@pytest.mark.parametrize(("transport", "delay", "message", "key"), TIMERS)
def test_a_timer_that_expires_before_an_answer_is_told_and_does_expire(transport, delay, message, key):
    found = far(transport, delay, message)
    notes, run = congestree.check(found)["notes"], congestree.run(found)
    assert (run.flows["timeouts"][0] > 0) == (key is not None)
    if key is None:
        assert notes == []
        return
    (note,) = notes
    trip = "1.04 ms" if delay == "260 us" else f"{4 * int(delay.split()[0])} us"
    repeats = "may repeat" if key == "timeout_low" else "repeats"
    assert note.startswith(f"H1->H2 {repeats} packets that are not lost") and f"takes {trip} on its idle path" in note
    assert note.endswith(f"Make scheme.transport.{transport}.{key} several times {trip}.")


def test_the_longest_of_several_paths_is_told_once():
    found = far("uet", "1 us")
    hosts = ["near", "far", "farther", "to"]
    delays = ["1 us", "60 us", "90 us", "1 us"]
    found["topology"] = {
        "graph": {
            "hosts": hosts,
            "switches": ["S"],
            "links": [{"a": host, "b": "S", "delay": delay} for host, delay in zip(hosts, delays, strict=True)],
        }
    }
    found["traffic"] = [
        {"from": ["near", "far", "farther"], "to": "to", "message": "64 KiB", "arrivals": {"poisson": {"load": 0.1}}}
    ]
    (note,) = congestree.check(found)["notes"]
    assert note.startswith("farther->to ") and "(another flow is repeated likewise, and not more)" in note


RARE = {"ack_every": 16, "timeout": "100 us"}


def short_path(scheme, **more):
    """A flow that always has something to send, on a path of 27 packets in flight."""
    return {
        "topology": {"single-switch": {"hosts": 2}},
        "links": {"rate": "100 Gbit/s", "delay": "1 us"},
        "traffic": [{"from": "H1", "to": "H2"}],
        "measure": {"duration": "1 ms"},
        "scheme": scheme,
        **more,
    }


def the_note(found):
    (note,) = [note for note in congestree.check(found)["notes"] if "repeats packets" in note]
    return note


def slow(transport, rate="100 Mbit/s", **entry):
    """A flow to which little is allowed."""
    found = short_path({"preset": "none", "transport": transport}, measure={"duration": "20 ms"})
    found["traffic"] = [{"from": "H1", "to": "H2", "rate": rate, **entry}]
    return found


LOW = {"poisson": {"load": 0.0005}}
SMALL = [{"size": "0 B", "share": 0}, {"size": "6 kB", "share": 1}]


@pytest.mark.parametrize(
    ("parts", "entry"),
    [
        ({"timeout": "100 us"}, {}),
        ({**RARE, "ack_flush": "10 us"}, {}),
        ({**RARE, "timeout": "3 ms"}, {}),
        # The last packet of a message is answered at once.
        (RARE, {"message": "2 KiB", "arrivals": {"poisson": {"load": 0.001}}}),
        # So it is with those of several packets, as long as the largest one has few.
        ({**RARE, "timeout": "3 ms"}, {"message": "16 KiB", "arrivals": {"poisson": {"load": 0.001}}}),
        ({**RARE, "timeout": "600 us"}, {"sizes": {"cdf": SMALL}, "arrivals": LOW}),
    ],
    ids=str,
)
def test_acks_in_time_for_a_slow_flow_are_not_told(parts, entry):
    found = slow({"go-back-n": parts}, **entry)
    assert congestree.check(found)["notes"] == []
    assert congestree.run(found).flows["timeouts"][0] == 0


def test_acks_that_wait_for_the_packets_of_a_slow_flow_are_told_if_a_timer_expires_before():
    found = slow({"go-back-n": RARE})
    note = the_note(found)
    assert "takes 2.49 ms on its idle path, 2.48 ms of which it waits for more" in note
    part = "scheme.transport.go-back-n"
    assert note.endswith(f"Make {part}.timeout several times 2.49 ms, or {part}.ack_every smaller.")
    assert congestree.run(found).flows["timeouts"][0] > 0


def test_acks_that_wait_for_the_rest_of_a_long_message_are_told():
    """Its window of 3 packets is used up long before 16 are there."""
    parts = {"go-back-n": {"ack_every": 16, "ack_flush": "30 us", "timeout": "32 us"}}
    found = short_path({"preset": "dctcp", "react": {"dctcp": {"largest_window": 3}}, "transport": parts})
    note = the_note(found)
    assert "30 us of which it waits for more to be answered (scheme.transport.go-back-n.ack_every)" in note
    assert congestree.run(found).flows["resent"][0] > 0


@pytest.mark.parametrize(("rate", "late"), [("1 Gbit/s", True), ("2 Gbit/s", False)])
def test_acks_that_wait_for_the_bytes_of_a_slow_host_are_told_if_a_timer_expires_before(rate, late):
    """Over uet, of whose ACKs nothing was said."""
    found = short_path({"preset": "uec-nscc"}, adapters={"injection_rate": rate})
    found["measure"]["duration"] = "10 ms"
    notes = [note for note in congestree.check(found)["notes"] if "repeats packets" in note]
    assert (congestree.run(found).flows["resent"][0] > 0, len(notes)) == (late, late)
    assert not notes or notes[0].endswith("several times 120 us, or scheme.transport.uet.ack_after smaller.")


def test_of_short_messages_that_may_be_few_it_is_said_that_they_may_be_repeated():
    """Of these 30 are in flight."""
    found = short_path({"transport": "irn"}, links={"rate": "10 Gbit/s", "delay": "30 us"})
    found["traffic"][0] |= {"message": "500 B", "arrivals": {"poisson": {"load": 0.1}}}
    (note,) = [note for note in congestree.check(found)["notes"] if "packets that are not lost" in note]
    assert note.startswith("H1->H2 may repeat packets that are not lost while fewer than 3 are in flight")


@pytest.mark.parametrize(
    ("more", "is_told"),
    [
        ({"adapters": {"window": 2}}, True),
        ({"scheme": {"react": {"swift": {"max_window": 2}}}}, True),
        # The ACK is in before a packet may be sent again.
        ({"adapters": {"injection_rate": "2 Gbit/s"}}, False),
        ({"adapters": {"window": 30}}, False),
    ],
    ids=str,
)
def test_the_timer_of_few_packets_is_told_of_flows_that_never_have_more(more, is_told):
    irn = {"preset": "irn", "transport": {"irn": {"timeout_low": "4 us", "timeout_high": "320 us"}}}
    found = short_path({**irn, **more.get("scheme", {})}, **{k: v for k, v in more.items() if k != "scheme"})
    notes = [note for note in congestree.check(found)["notes"] if "while fewer than 3 are in flight" in note]
    assert (congestree.run(found).flows["resent"][0] > 0, len(notes)) == (is_told, is_told)
