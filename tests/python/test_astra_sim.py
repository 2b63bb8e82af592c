"""The adapter for astra-sim, as docs/howto/c-and-astra-sim.md describes it: equal to a job of the same traces."""

import gzip
import re
import shutil
import struct
import sys

import pytest

import congestree

from .capi import HEAD, MARKS, ROOT, call, steps
from .test_traces import COLL, COMP, LOAD, METADATA, RECV, SEND, field, node, trace, varint

pytestmark = MARKS
RING = ROOT / "tests/data/chakra/ring_8"


def replay(installed, *traces):
    return call(installed / "astra-sim/replay", installed / "live.toml", "injected", *traces)


def written(folder, *ranks):
    """A trace for each rank, made of its nodes."""
    paths = [folder / f"t.{rank}.et" for rank in range(len(ranks))]
    for path, nodes in zip(paths, ranks, strict=True):
        path.write_bytes(trace(*nodes))
    return paths


def finished(done):
    assert done.returncode == 0, done.stderr
    return [int(ns) for ns in re.findall(r"rank \d finished at (\d+) ns", done.stdout)]


def test_a_replay_through_astra_sims_calls_takes_the_time_of_the_job(installed, tmp_path):
    """The same traces once through sim_send, sim_recv and sim_schedule, and once as a job."""
    paths = []
    for packed in sorted(RING.iterdir()):
        path = tmp_path / packed.name.removesuffix(".gz")
        path.write_bytes(gzip.decompress(packed.read_bytes()))
        paths.append(path)
    outputs = [replay(installed, *paths) for _ in range(2)]
    assert outputs[0].stdout == outputs[1].stdout and "fingerprints" in outputs[0].stdout
    listed = ", ".join(f'"{path}"' for path in paths)
    job = f'[[traffic]]\nname = "job"\nfrom = "all"\njob.send_end = "delivered"\nprogram.chakra.traces = [{listed}]\n'
    run = congestree.run(HEAD + job + '[measure]\nduration = "100 ms"\nuntil_jobs_end = true\n')
    ends = finished(outputs[0])
    # A computation starts at a whole ns, and so does what is told of the end; no path has more than 7 computations.
    assert len(ends) == 8 and 0 <= max(ends) - run.jobs["completion"][0] * 1e9 < 7 + 1


def test_traces_are_replayed_as_the_page_says(installed, tmp_path):
    (tmp_path / "integrations").mkdir()
    (tmp_path / "integrations/astra-sim").symlink_to(installed / "astra-sim")
    shutil.copy(installed / "live.toml", tmp_path)
    send = node(0, kind=SEND, comm_size=3000, comm_src=0, comm_dst=1)
    receive = node(0, kind=RECV, comm_size=3000, comm_src=0, comm_dst=1)
    for rank, path in enumerate(written(tmp_path, [send], [receive])):
        path.rename(tmp_path / f"trace.{rank}.et")
    ends = finished(call("sh", "-e", "-c", steps("make -C integrations", installed), cwd=tmp_path))
    assert len(ends) == 2 and 0 < ends[0] <= ends[1]


def test_receives_take_bytes_and_not_messages(installed, tmp_path):
    """Two sends of 3,000 B meet receives of 1,000, 4,000 and 1,000 B, the last of which comes long after."""
    sends = [node(i, kind=SEND, comm_size=3000, comm_src=0, comm_dst=1) for i in range(2)]
    receives = [
        node(0, kind=RECV, comm_size=1000, comm_src=0, comm_dst=1),
        node(1, kind=RECV, comm_size=4000, comm_src=0, comm_dst=1, deps=[0]),
        node(2, kind=COMP, duration=50, deps=[1]),
        node(3, kind=RECV, comm_size=1000, comm_src=0, comm_dst=1, deps=[2]),
    ]
    ends = finished(replay(installed, *written(tmp_path, sends, receives)))
    assert ends[1] == ends[0] + 50_000


def test_what_needs_no_network_is_carried_out_without_it(installed, tmp_path):
    own = [
        node(0, kind=SEND, comm_size=3000, comm_src=0, comm_dst=0),
        node(1, kind=RECV, comm_size=3000, comm_src=0, comm_dst=0),
        node(3, kind=COMP, duration=2, deps=[0, 1]),
    ]
    assert finished(replay(installed, *written(tmp_path, own))) == [2000]


def test_nobody_hears_of_a_message_of_no_bytes_before_it_is_sent(installed, tmp_path):
    """It takes a packet with one byte, as in a job."""
    late = [node(0, kind=COMP, duration=5), node(1, SEND, [0], comm_size=0, comm_src=0, comm_dst=1)]
    paths = written(tmp_path, late, [node(0, kind=RECV, comm_size=0, comm_src=0, comm_dst=1)])
    ends = finished(replay(installed, *paths))
    job = f'[[traffic]]\nname = "job"\nfrom = "all"\nprogram.chakra.traces = ["{tmp_path}"]\n'
    run = congestree.run(HEAD + job + '[measure]\nduration = "100 ms"\nuntil_jobs_end = true\n')
    assert ends[1] > 5000 and ends[1] == pytest.approx(run.jobs["completion"][0] * 1e9, abs=1)


@pytest.mark.parametrize(
    ("nodes", "ns"),
    [
        ([node(0, COMP, duration=5), node(1, LOAD, duration=5)], 5000),
        ([node(0, COMP, duration=5), node(1, COMP, duration=5, is_cpu_op=1)], 5000),
        ([node(0, COMP, duration=5), node(1, COMP, duration=5, is_cpu_op=0)], 10000),
        ([node(0, METADATA, duration=5)], 0),
    ],
    ids=["memory", "host", "one processor", "metadata"],
)
def test_a_replay_has_the_processors_of_a_job(installed, tmp_path, nodes, ns):
    assert finished(replay(installed, *written(tmp_path, nodes))) == [ns]
    job = f'[[traffic]]\nname = "job"\nfrom = "all"\nprogram.chakra.traces = ["{tmp_path}"]\n'
    run = congestree.run(HEAD + job + '[measure]\nduration = "100 ms"\nuntil_jobs_end = true\n')
    assert run.jobs["completion"][0] * 1e9 == pytest.approx(ns)


def attribute(name, number, wire, value):
    """An attribute with a value in this field, as its bytes."""
    return field(10, field(1, name.encode()) + varint(number << 3 | wire) + value)


def test_numbers_of_all_kinds_are_read_alike(installed, tmp_path):
    """Others than varints were passed over, so that a message had one byte."""
    size = 1_000_000
    kinds = {
        "uint64": (13, 0, varint(size)),
        "sint32": (15, 0, varint(2 * size)),
        "fixed32": (19, 5, struct.pack("<I", size)),
        "fixed64": (21, 1, struct.pack("<Q", size)),
        "sfixed32": (23, 5, struct.pack("<i", size)),
        "sfixed64": (25, 1, struct.pack("<q", size)),
        "string": (29, 2, varint(7) + b"1000000"),
    }
    ends = {}
    for name, kind in kinds.items():
        sends, receives = (
            node(0, what, comm_src=0, comm_dst=1) + attribute("comm_size", *kind) for what in (SEND, RECV)
        )
        ends[name] = finished(replay(installed, *written(tmp_path, [sends], [receives])))
    assert len({tuple(times) for times in ends.values()}) == 1, ends
    assert ends["string"][1] > size * 8 / 100  # ns


def test_a_rank_or_size_that_is_no_whole_number_is_told(installed, tmp_path):
    double = attribute("comm_size", 3, 1, struct.pack("<d", 1e6))
    (path,) = written(tmp_path, [node(1, SEND, comm_src=0, comm_dst=1) + double])
    assert "comm_size is no whole number" in replay(installed, path).stderr
    (path,) = written(tmp_path, [node(1, SEND, comm_size=9, comm_src=0, comm_dst=1, comm_tag=2**32 + 1)])
    assert "node 1 has the tag 4294967297" in replay(installed, path).stderr


def test_what_cannot_be_replayed_is_told(installed, tmp_path):
    (path,) = written(tmp_path, [node(1, kind=RECV, comm_size=10, comm_src=1, comm_dst=0)])
    done = replay(installed, path)
    assert done.returncode == 1 and "rank 0 waits for ever: 1 of its nodes" in done.stderr
    cut = tmp_path / "cut.et"
    cut.write_bytes(path.read_bytes()[:-3])
    done = replay(installed, cut)
    assert done.returncode == 1 and "cut.et, after 0 nodes: the trace is cut" in done.stderr
    (path,) = written(tmp_path, [node(4, kind=COLL, comm_size=10)])
    assert "node 4 is of kind 7" in replay(installed, path).stderr
    (path,) = written(tmp_path, [node(4, kind=SEND, comm_size=10, comm_src=0, comm_dst=99)])
    assert "there is no host 99" in replay(installed, path).stderr


DECLARED = ROOT / "integrations/astra-sim/declared"


@pytest.mark.skipif(not shutil.which("cmake"), reason="needs cmake")
def test_the_front_end_is_built_as_the_page_says_and_runs(installed, tmp_path):
    """In a tree arranged like astra-sim's, whose log includes headers that its library does not export."""
    tree = shutil.copytree(ROOT / "tests/data/astra_sim", tmp_path / "tree")
    shutil.copytree(DECLARED / "astra-sim", tree / "astra-sim")
    shutil.copytree(DECLARED / "remote_memory_backend", tree / "extern/remote_memory_backend")
    for helper in ("spdlog_setup/conf.h", "spdlog/include/spdlog/spdlog.h"):
        (tree / "extern/helper" / helper).parent.mkdir(parents=True)
        (tree / "extern/helper" / helper).touch()
    log = tree / "astra-sim/common/Logging.hh"
    log.write_text(log.read_text().replace("<string>", '<string>\n#include "spdlog_setup/conf.h"', 1))
    (tree / "astra-sim/network_frontend").mkdir()
    done = call("sh", "-e", "-c", steps("cp -r ", installed), cwd=tree)
    assert done.returncode == 0, done.stdout + done.stderr
    program = tree / "build/astra_congestree/build/AstraSim_Congestree/AstraSim_Congestree"
    run = [program, installed / "live.toml", "injected", "work", "system", "memory", "empty"]
    done = call(*run, "2:50", "4")
    at = int(re.match(r"all ranks have finished at (\d+) ns\nfingerprints", done.stdout)[1])
    assert at == pytest.approx(((2**20 + 64 * 256) * 8 / 100e9 + 400e-9) * 1e9, rel=0.01), done.stderr
    done = call(*run, "9")
    assert done.returncode == 1 and "9 ranks do not fit on 8 hosts" in done.stderr


def test_a_run_that_ends_too_early_is_told_from_one_in_which_a_rank_waits_for_ever(installed, tmp_path):
    """The sender was blamed where only measure.duration was too short."""
    short = tmp_path / "short.toml"
    short.write_text((installed / "live.toml").read_text().replace('duration = "100 ms"', 'duration = "10 us"'))
    send = node(0, kind=SEND, comm_size=10**6, comm_src=0, comm_dst=1)
    paths = written(tmp_path, [send], [node(0, kind=RECV, comm_size=10**6, comm_src=0, comm_dst=1)])
    done = call(installed / "astra-sim/replay", short, "injected", *paths)
    assert done.returncode == 1 and "for ever" not in done.stderr
    assert "ended at 10000 ns with 1 message under way: raise measure.duration" in done.stderr
    assert "rank 1 had not finished: 1 of its nodes were left" in done.stderr


TAGS = r"""
#include <sys/resource.h>
#include <cstdio>
#include "congestree_network.hh"
using congestree::CongestreeNetwork;
static CongestreeNetwork* sender;
static CongestreeNetwork* receiver;
static int tag = 0, open = 0, last = 0;
static void next();
static long most() { rusage used; getrusage(RUSAGE_SELF, &used); return used.ru_maxrss; }
static void done(void*) {
  if (--open > 0) return;
  if (tag == last / 4 || tag == last) std::printf("%ld\n", most());
  if (tag < last) return next();
  sender->sim_notify_finished();
  receiver->sim_notify_finished();
}
static void next() {
  ++tag;
  open = 2;
  receiver->sim_recv(nullptr, 64, 0, 0, tag, nullptr, done, nullptr);
  sender->sim_send(nullptr, 64, 0, 1, tag, nullptr, done, nullptr);
}
int main(int, char** words) {
  congestree::EventLoop loop(words[1], "injected");
  CongestreeNetwork one(0, loop), other(1, loop);
  sender = &one, receiver = &other, last = std::stoi(words[2]);
  next();
  return loop.run(2) ? 0 : 1;
}
"""


def test_tags_that_are_used_once_take_no_memory_in_the_end(installed):
    folder = installed / "astra-sim"
    (folder / "tags.cc").write_text(TAGS)
    flags = ["-std=c++17", "-I.", "-Ideclared", f"-I{installed}/include", f"-L{installed}/lib"]
    sources = ["tags.cc", "congestree_network.cc", "-lcongestree", f"-Wl,-rpath,{installed}/lib"]
    made = call("c++", *flags, *sources, "-o", "tags", cwd=folder)
    assert made.returncode == 0, made.stderr
    done = call(folder / "tags", installed / "live.toml", 80_000)
    assert done.returncode == 0, done.stderr
    early, late = (int(line) / (1024 if sys.platform == "darwin" else 1) for line in done.stdout.split())
    assert late - early < 20_000, "KiB of 60,000 tags; the adapter alone kept 780 B of each"
