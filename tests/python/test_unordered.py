"""Over a transport that delivers in any order, a message waits for its own packets alone; else for those before it."""

import polars
import pytest

import congestree

LOST = 0.01
SWITCH = {
    "topology": {"single-switch": {"hosts": 3}},
    "switches": {"output_queue": "60 kB", "arbiter": "fifo", "random_loss": LOST, "switching": "store-and-forward"},
}
TREE = {
    "topology": {"k-ary-n-tree": {"k": 2, "n": 2}},
    "switches": {"output_queue": "60 kB", "random_loss": LOST, "switching": "store-and-forward"},
}
MTU = 4086


def run(delivery, probes, traffic, network=SWITCH, **options):
    return congestree.run(
        network
        | {
            "links": {"rate": "100 Gbit/s", "delay": "500 ns", "flow_control": "none"},
            "adapters": {"mtu": f"{MTU} B", "header": "64 B", "ack": "64 B"},
            "scheme": {"transport": {"uet": {"delivery": delivery, "timeout": "50 us"}}},
            "traffic": [traffic],
            "measure": {"duration": "2 ms", "probes": probes},
        },
        **options,
    )


def messages(packets=1, count=600):
    size = {"message": f"{packets * MTU} B", "arrivals": {"messages": {"count": count}}}
    return {"name": "messages", "from": "H1", "to": "H3"} | size


def arrivals(told, packets=1):
    """When the last packet of each message of a flow arrived, by its number from 0, in ps."""
    packet = polars.col("sequence") // packets
    return told.deliveries.group_by(packet).agg(polars.col("time_ps").max()).sort("sequence")["time_ps"].to_list()


def in_ps(column):
    return [round(time * 1e12) for time in column]


def running_max(times):
    return polars.Series(times).cum_max().to_list()


@pytest.mark.parametrize("packets", [1, 3])
def test_a_message_is_finished_when_its_own_packets_are_in(packets):
    told = run("unordered", ["transfers", "deliveries"], messages(packets))
    came = arrivals(told, packets)
    assert in_ps(told.transfers.sort("number")["finished"]) == came
    assert came != running_max(came)
    assert told.transfers["number"].is_duplicated().sum() == 0


def test_ordered_messages_wait_for_those_before_them():
    told = run("ordered", ["transfers", "deliveries"], messages())
    came = arrivals(told)
    assert in_ps(told.transfers.sort("number")["finished"]) == running_max(came) != came


@pytest.mark.parametrize("delivery", ["unordered", "ordered"])
def test_finished_messages_are_the_same_in_several_parts(delivery):
    entry = {"name": "all", "from": "all", "pattern": "permutation", "arrivals": {"messages": {"count": 200}}}
    one, two = (
        run(delivery, ["transfers"], entry | {"message": "5 kB"}, TREE, threads=threads).transfers for threads in (1, 2)
    )
    assert one.equals(two)
    late = one.sort("flow", "number").filter(polars.col("finished") < polars.col("finished").cum_max().over("flow"))
    assert (late.height > 20) == (delivery == "unordered")


def program(count, tag, posted=None):
    """One rank sends messages to the other, which takes them all at once."""
    sends = [f"s{i}: send {MTU}b to 1 tag {tag(i)}" for i in range(count)]
    receives = [f"r{i}: recv {MTU}b from 0 tag {(posted or tag)(i)}" for i in range(count)]
    return "\n".join(["num_ranks 2", "rank 0 {", *sends, "}", "rank 1 {", *receives, "}"])


def job(delivery, text, probes=("messages", "deliveries")):
    return run(delivery, [*probes], {"name": "job", "from": ["H1", "H3"], "program": {"text": text}})


def test_messages_of_a_job_overtake_each_other():
    text = program(300, tag=lambda i: i)
    told = {delivery: job(delivery, text) for delivery in ("unordered", "ordered")}
    for delivery, done in told.items():
        came = arrivals(done)
        delivered = in_ps(done.messages.sort("tag")["delivered"])
        assert delivered == (came if delivery == "unordered" else running_max(came)), delivery
    assert told["unordered"].messages["delivered"].mean() < told["ordered"].messages["delivered"].mean()


@pytest.mark.parametrize("posted", [None, lambda i: -1], ids=["the same tag", "any tag"])
def test_messages_that_a_receive_could_take_for_each_other_keep_their_order(posted):
    """As MPI demands: a receive with any tag, or of several with one tag the first, has the first message."""
    text = program(300, tag=(lambda i: 7) if posted is None else (lambda i: i), posted=posted)
    done = job("unordered", text)
    assert in_ps(done.messages["delivered"]) == running_max(arrivals(done))
    if posted is not None:
        assert done.messages["tag"].is_sorted()
