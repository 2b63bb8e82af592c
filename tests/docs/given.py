"""What examples of a page suppose that the reader has: files of his own, by page.

Most of them are shown on other pages, or lie among the data of other tests.
"""

import shutil

from blocks import ROOT, blocks, name

# A leaf-spine fabric with a place for its scheme, and two kinds of traffic, to be tuned.
FABRIC = """
name = "a fabric of my own"
[topology.graph]
hosts = ["n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"]
switches = ["leaf1", "leaf2", "spine1", "spine2"]
links = [
  {{ a = "n1", b = "leaf1" }}, {{ a = "n2", b = "leaf1" }}, {{ a = "n3", b = "leaf1" }}, {{ a = "n4", b = "leaf1" }},
  {{ a = "n5", b = "leaf2" }}, {{ a = "n6", b = "leaf2" }}, {{ a = "n7", b = "leaf2" }}, {{ a = "n8", b = "leaf2" }},
  {{ a = "leaf1", b = "spine1" }}, {{ a = "leaf1", b = "spine2" }},
  {{ a = "leaf2", b = "spine1" }}, {{ a = "leaf2", b = "spine2" }},
]
[links]
rate = "100 Gbit/s"
delay = "20 ns"
{links}
[switches]
{switches}
[scheme]
preset = "{preset}"
[[traffic]]
name = "storage"
from = ["n1", "n2", "n3"]
to = "n8"
[[traffic]]
name = "rest"
from = "all"
pattern = "uniform"
flows = "by-message"
message = "20 kB"
arrivals.poisson = {{ load = 0.2 }}
[measure]
duration = "200 us"
probes = ["flows", "latency"]
"""
INFINIBAND = FABRIC.format(links="", switches='buffer = "64 KiB"', preset="ib-cc")
ROCE = (
    FABRIC.format(
        links="lanes = 8\nservice_lanes = [0, 1, 2, 3, 4, 5, 6, 7]\nflow_control.pfc.lossless = [3, 4]",
        switches='shared_memory.size = "2 MB"',
        preset="dcqcn-vendor",
    )
    .replace('name = "storage"', 'name = "storage"\nservice = 3')
    .replace('name = "rest"', 'name = "rest"\nservice = 3')
    .replace('["flows", "latency"]', '["completions"]')
)


PERMUTATION = "Nodes 8\nConnections 8\n" + "".join(
    f"{host}->{(host + 3) % 8} id {host + 1} start 0 size 2000000\n" for host in range(8)
)


def shown(page, title):
    """The text of a file that another page shows."""
    return next(block.text for block in blocks(ROOT / page) if block.title == title)


def give(page, folder, forking):
    """Put the files that a page presupposes into the folder in which its examples run."""
    (folder / "scenarios").symlink_to(ROOT / "scenarios")
    shutil.copytree(ROOT / "tests/data/chakra/all_reduce_4", folder / "traces")
    if name(page) == "docs/reference/cli.md":
        _for_the_command_line(folder, forking)


def _for_the_command_line(folder, forking):
    howto = "docs/howto/"
    texts = {
        "my-network.toml": INFINIBAND.replace('preset = "ib-cc"', ""),
        "my-fabric.toml": INFINIBAND,
        "my-roce-fabric.toml": ROCE,
        "calls.jsonl": shown(howto + "drive-a-simulation.md", "calls.jsonl"),
        "live.toml": shown(howto + "drive-a-simulation.md", "live.toml"),
        "topology.txt": shown(howto + "flow-completion-times.md", "topology.txt"),
        "flow.txt": shown(howto + "flow-completion-times.md", "flow.txt"),
        "config.txt": "CC_MODE 1\nPACKET_PAYLOAD_SIZE 1000\nSIMULATOR_STOP_TIME 0.01\n",
        "mix/config.txt": "TOPOLOGY_FILE mix/topology.txt\nFLOW_FILE mix/flow.txt\nCC_MODE 1\n",
        "permutation.cm": PERMUTATION,
        "trace.goal": shown(howto + "run-an-application.md", "pair.goal"),
        "sweep.vef": shown(howto + "run-an-application.md", "answer.vef"),
        "training.toml": shown(howto + "run-an-application.md", "sum.toml").replace('"sum"', '"all-reduce"'),
        "two-jobs.toml": shown(howto + "from-a-job-to-an-answer.md", "traced.toml"),
        "config_db.json": shown(howto + "roce.md", "config_db.json"),
    }
    for path, text in texts.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    data = {
        "fabric.txt": "python/fabrics/cluster.txt",
        "opensm-lfts.dump": "python/fabrics/cluster-lfts.dump",
        "cluster.topo": "python/fabrics/cluster.topo",
        "cluster.yaml": "data/infragraph/clos-2tier-4-servers.yaml",
        "trace.0.et": "data/chakra/all_reduce_4/all_reduce.0.et",
    }
    for path, source in data.items():
        shutil.copyfile(ROOT / "tests" / source, folder / path)
    for part in ("topology.txt", "flow.txt"):
        shutil.copyfile(folder / part, folder / "mix" / part)
    for command in (
        "cc write my-fabric.toml --out opensm.conf",
        "cc write my-fabric.toml --form ccmgr --out ccmgr.conf",
    ):
        made = forking.run(["-m", "congestree", *command.split()], folder)
        assert made.returncode == 0, made.stderr
