"""A training job from a short description: a scenario to run, change, and keep.

    text = congestree.job_make.training(data=4, tensor=8, pipeline=4, layers=40, hidden=5120, sequence=2048,
                                        microbatches=8, teraflops=180)

The result is a scenario like any other. Its network is the smallest fat tree with full bisection that has a host for
each rank and links of `rate`; inside a node, `node` hosts are connected by links of `node_rate`. The job has as many
whole nodes as its ranks need.
"""

import textwrap
import warnings

from ..document import quoted
from ..errors import AskedError, Note, ScenarioError
from ..runs import memory, running

LINK_DELAY, SWITCH_DELAY = "500 ns", "300 ns"
"""Of the network that is written: 100 m of cable, and a switch of the NDR generation."""

_TEMPLATE = """\
# Made by `congestree job make`: training on {ranks} ranks,
# data {data}, tensor {tensor}, pipeline {pipeline}{experts}.
name = {name}
seed = 1

[topology.fat-tree]
radix = {radix}
layers = {switch_layers}

[links]
rate = {rate}
delay = "{link_delay}"
flow_control.byte-credits = {{}}

[switches]
buffer = "256 KiB"
forwarding_delay = "{switch_delay}"

[adapters]
mtu = "4 KiB"
header = "66 B"
{node}
[[traffic]]
name = "training"
from = {hosts}
job = {{ ranks = {ranks}, placement = {placement}, repeat = {iterations} }}

[traffic.program.training]
parallel = {{ data = {data}, tensor = {tensor}, pipeline = {pipeline}, expert = {expert} }}
model = {{ layers = {layers}, hidden = {hidden}, sequence = {sequence} }}
sequences = {sequences}
microbatches = {microbatches}
teraflops = {teraflops}
library = {{ channels = {channels}, node = {library_node} }}

[measure]
duration = "1000 s"
until_jobs_end = true
"""


def training(
    *,
    data=1,
    tensor=1,
    pipeline=1,
    expert=1,
    layers,
    hidden,
    sequence,
    sequences=1,
    microbatches=1,
    teraflops,
    iterations=1,
    node=1,
    node_rate="3600 Gbit/s",
    rate="400 Gbit/s",
    channels=1,
    placement="linear",
    name="training",
):
    """The text of a scenario (TOML) with one training job.

    A warning (`Note`) says so if a run would take more memory than this machine has free. Raises AskedError if the
    description makes no sense.

    data, tensor, pipeline, expert: degrees of parallelism: copies of the model; parts of each layer; pipeline stages;
    ranks among which the experts are divided.
    layers, hidden, sequence: the number of layers; the width of a layer; the tokens of a sequence.
    sequences, microbatches: sequences per microbatch, and microbatches per iteration, at each data rank.
    teraflops: the speed that a rank actually achieves, in 10^12 operations per second.
    iterations: the number of iterations.
    node, node_rate: hosts per node, and the rate of the links inside a node, a text.
    rate: the rate of the network's links, a text.
    channels: the number of parts into which a collective's data is divided, each of which proceeds independently.
    placement: how ranks are placed on hosts: "linear", "round-robin", "random" or "by-rail".
    name: of the scenario.
    """
    ranks = data * tensor * pipeline
    if ranks < 1:
        raise AskedError("There would be no rank: data, tensor and pipeline are at least 1.")
    if node < 1:
        raise AskedError("There would be no node: it has at least 1 host.")
    hosts = -(-ranks // node) * node
    radix, switch_layers, there = _tree(hosts)
    places = {"linear": '"linear"', "round-robin": '"round-robin"', "random": '"random"'}
    places["by-rail"] = f"{{ by-rail = {{ node = {node} }} }}"
    if placement not in places:
        raise AskedError(f'There is no placement "{placement}": there are {", ".join(places)}.')
    inside = f'\n[adapters.node]\nhosts = {node}\nrate = {quoted(node_rate)}\ndelay = "1 us"\n' if node > 1 else ""
    text = _TEMPLATE.format(
        ranks=ranks,
        experts=f", expert {expert}" if expert > 1 else "",
        radix=radix,
        switch_layers=switch_layers,
        link_delay=LINK_DELAY,
        switch_delay=SWITCH_DELAY,
        node=inside,
        placement=places[placement],
        hosts=_first(hosts) if node > 1 and placement in _OVER_ALL and hosts < there else '"all"',
        # Collectives take successive ranks for a node, and would send most between nodes where these are scattered.
        library_node=1 if placement in _OVER_ALL and hosts > node else node,
        **{"data": data, "tensor": tensor, "pipeline": pipeline, "expert": expert, "layers": layers},
        **{"hidden": hidden, "sequence": sequence, "sequences": sequences, "microbatches": microbatches},
        **{"teraflops": teraflops, "iterations": iterations, "rate": quoted(rate), "channels": channels},
        name=quoted(name),
    )
    try:
        running.check(text)
    except ScenarioError as error:
        if all(memory.is_exceeded(complaint) for complaint in error.complaints):
            # Another machine may have it: it is refused before its program is made, which would take as much here.
            facts = "; ".join(complaint["fact"] for complaint in error.complaints)
            warnings.warn(Note(f"this machine cannot run {name}: {facts}"), stacklevel=2)
            return text
        told = [(c["path"].partition(".training.")[2] or c["path"], c["fact"], c["remedy"]) for c in error.complaints]
        raise AskedError("\n\n".join("\n  ".join(complaint) for complaint in told)) from None
    return text


_OVER_ALL = ("random", "by-rail")
"""Placements that go over all hosts they may take, node after node or at random; others fill them from the first on."""


def _first(hosts):
    """The names of the first hosts, as a list in TOML."""
    names = ", ".join(f'"h{host}"' for host in range(hosts))
    return "[\n" + textwrap.indent(textwrap.fill(names, 110), "    ") + ",\n]"


def _tree(hosts):
    """Radix, layers and hosts of the smallest fat tree with at least this many hosts; of two layers if they suffice."""
    for layers, size in ((2, lambda r: r * r // 2), (3, lambda r: r**3 // 4)):
        for radix in range(4, 129, 2):
            if size(radix) >= hosts:
                return radix, layers, size(radix)
    raise AskedError(f"{hosts:,} hosts are too many for a fat tree of switches with 128 ports.")
