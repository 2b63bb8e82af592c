"""Chapter 2 up to section 2.3.1: networks, how congestion grows in them, what queues and routes change."""

from ..common.judge import Finding
from .measures import buffer_levels, diameter, hot_share, hypercube, link_shares, mesh
from .paper import check
from .runs import MESH_LOAD, QUEUES, REST_LOAD

H1 = "H1->S1"
SLOTS = 15
"""Full packets that a buffer of 32 KiB holds: 33 credits of 64 B each."""
WORDS = {"single": "one FIFO", "voq": "VOQsw", "net": "VOQnet", "hfdi": "HFDI"}


@check("thesis-fig2.4b-third")
def thirds(study):
    value = link_shares(study.views("tree24")[0])
    return Finding(value)


@check("thesis-fig2.4c-m1")
def cold(study):
    return Finding(link_shares(study.views("cold", "single")[0])["cold"], note="one FIFO an input")


@check("thesis-fig2.4d-growth")
def growth(study):
    levels, blocked = buffer_levels(study.views("cold", "single")[0], H1)
    full = levels.get(SLOTS, 0.0)
    promised = full + levels.get(SLOTS - 1, 0.0)
    value = {"no room for another packet": promised, "15 of 15 packets": full, "back-pressure at H1": blocked}
    note = "with 14 packets in it, the room of the last is promised to a packet that is on its way"
    return Finding(value, note=note)


@check("thesis-s2.2-contributors-not-helped")
def bottleneck(study):
    value = {WORDS[queues]: hot_share(study.views("cold", queues)[0]) for queues in QUEUES}
    return Finding(value)


@check("thesis-s2.3.1-hfdi-limit")
def too_many_trees(study):
    """One set-aside queue a port, and one or two trees through a port."""
    value = {f"{n} trees" if n > 1 else "1 tree": link_shares(study.views("aside", n)[0])["victim"] for n in (1, 2)}
    return Finding(value, note="of the victim's link; one set-aside queue a port")


@check("thesis-s2.3.1-cfq-lifecycle")
def aside_and_back(study):
    """Three of four inputs with traffic hold packets for the root. A bin of 50 us drains all that waits for it."""
    table = study.views("lines")[0].run.isolation_series
    table = table.filter(table["place"] == "switches")
    start, most = table["time"].to_numpy(), table["most_queues"].to_numpy()
    inside, after = (start > 0.99e-3) & (start < 1.99e-3), start > 2.04e-3
    value = {"most during the burst": int(most[inside].max()), "50 us after it": int(most[after].max())}
    value |= {"least during the burst": int(most[inside].min()), "before it": int(most[start < 0.99e-3].max())}
    return Finding(value, note="set-aside queues; three inputs feed the root, a fourth sends elsewhere")


@check("thesis-fig2.2-links")
def direct_networks(_study):
    cube, grid = hypercube(4), mesh(4, 4)
    value = [len(cube), len(grid), diameter(cube) - 1, diameter(grid) - 1]
    return Finding(value, note=f"{len(cube) / len(grid) - 1:.0%} more links")


@check("thesis-fig2.3-fattree")
def fat_tree(study):
    nodes = {str(node) for node in study.views("fattree")[0].run.ports["from"]}
    roots = [node for node in nodes if node.startswith("s2_")]
    hosts = [node for node in nodes if node.startswith("h")]
    value = [len(roots), len(nodes) - len(roots) - len(hosts), len(hosts)]
    return Finding(value, note="nodes that send, in a run")


def slots(view):
    """When the packets of figure 2.6 were in, and how long each took, in times of a packet: {name: (time, taken)}."""
    length = 2074 * 500  # ps on a link of 16 Gbit/s
    names = list(view.run.flows["class"])
    rows = view.run.deliveries.iter_rows(named=True)
    return {
        str(names[row["flow"]]): (row["time_ps"] / length, (row["time_ps"] - row["injected_ps"]) / length)
        for row in rows
    }


@check("thesis-fig2.6-low-order")
def low_order(study):
    fifo, voq = slots(study.views("order", "single")[0]), slots(study.views("order", "voq")[0])
    ahead = {"red": "green", "purple": "last"}
    value = {
        colour: {
            "VOQsw": voq[colour][1],
            "FIFO": fifo[colour][1],
            "FIFO, after the packet ahead": fifo[colour][0] - fifo[before][0],
        }
        for colour, before in ahead.items()
    }
    return Finding(value, note="in packet times; 1.1 is the way through an idle switch")


@check("thesis-s2.3.1-m1")
def switch_queues(study):
    levels, _ = buffer_levels(study.views("cold", "voq")[0], H1)
    full = levels.get(SLOTS, 0.0) + levels.get(SLOTS - 1, 0.0)
    note = f"queues an output keep flows apart in a switch, but share its buffer: H1's is full {full:.0%} of the time"
    return Finding(link_shares(study.views("cold", "voq")[0])["cold"], note=note)


@check("thesis-s2.3.1-voqnet")
def net_queues(study):
    share = link_shares(study.views("cold", "net")[0])["cold"]
    return Finding(share, note="a lane with its own buffer and credits for each destination")


@check("thesis-fig2.7-m1")
def routes(study):
    value = {}
    for word in ("fixed", "spread"):
        view = study.views("routes", word)[0]
        span = view.run.duration * 0.8
        ports = [port for name, port in view.ports.items() if name.startswith("s")]
        held = [port for port in ports if port["blocked"] > 0.1 * span and not port["to"].startswith("h")]
        busiest = [port["name"] for port in ports if port["utilisation"] > 0.95 and port["blocked"] < 0.05 * span]
        rest = view.run.flows.filter(view.run.flows["class"] == "rest")
        value[word] = {
            "full and not held back": ", ".join(sorted(busiest)),
            "links held back": len(held),
            "uniform traffic, of what was offered": rest["rate"].mean() / 16e9 / REST_LOAD,
            "hot traffic, of its link": link_shares(view)["hot"],
        }
    return Finding(value, note="links between switches that flow control held for more than a tenth of the time")


@check("thesis-s2.1.4-lossless")
def lossless(study):
    value = {}
    for word in ("byte-credits", "packet-slots"):
        flows = study.views("stop", word)[0].run.flows
        value[word] = int(flows["sent"].sum() - flows["packets"].sum())
    note = "sent less delivered after the sources have stopped, with credits and with slots"
    return Finding(value, note=note)


@check("thesis-s2.1.2-full-mesh")
def full_mesh(study):
    view = study.views("mesh")[0]
    rest = view.run.flows.filter(view.run.flows["class"] != "hot")
    delivered, sent = int(rest["packets"].sum()), int(rest["sent"].sum())
    offered = MESH_LOAD * 7 * 16e9
    value = {"delivered / sent": delivered / sent, "delivered / offered": rest["rate"].sum() / offered}
    hot = link_shares(view)["hot"]
    note = f"the overloaded receiver's link is used to {hot:.0%}; offered varies, it is Poisson traffic"
    return Finding(value, note=note)
