"""The C interface and the adapter for astra-sim: built, run, and equal to a job of the same traces."""

import gzip
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import congestree

from .test_traces import COLL, COMP, RECV, SEND, node, trace

ROOT = Path(__file__).parents[2]
RING = ROOT / "tests/data/chakra/ring_8"
PAGE = ROOT / "docs/howto/c-and-astra-sim.md"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not all(map(shutil.which, ("cargo", "cc", "c++", "make"))), reason="needs compilers"),
]

HEAD = """
[topology.single-switch]
hosts = 8
[links]
rate = "100 Gbit/s"
delay = "100 ns"
flow_control.byte-credits = {}
[switches]
buffer = "256 KiB"
forwarding_delay = "200 ns"
[adapters]
mtu = "4 KiB"
header = "64 B"
"""
SCENARIO = f"""{HEAD}
[[traffic]]
name = "injected"
from = "all"
arrivals = "injected"
[measure]
duration = "100 ms"
"""


def call(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=1800, **more)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Library, header and driver, built and installed."""
    prefix = tmp_path_factory.mktemp("prefix")
    # In the profile in which `make test` builds the Rust tests, so that nothing is built twice.
    profile = os.environ.get("RUST_PROFILE", "dev")
    as_tests = f"CAPI=--profile {profile}"
    folder = "CAPI_FOLDER=" + {"dev": "debug"}.get(profile, profile)
    made = call("make", "capi", f"PREFIX={prefix}", as_tests, folder, cwd=ROOT)
    assert made.returncode == 0, made.stderr
    sources = shutil.copytree(ROOT / "integrations/astra-sim", prefix / "astra-sim")
    made = call("make", f"PREFIX={prefix}", "CXXFLAGS=-O0", cwd=sources)
    assert made.returncode == 0, made.stderr
    (prefix / "live.toml").write_text(SCENARIO)
    return prefix


def compiled(prefix, name, text):
    """A program of strict C99."""
    source = prefix / name
    source.write_text(text)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{prefix}/include", f"-L{prefix}/lib"]
    done = call("cc", *flags, f"-Wl,-rpath,{prefix}/lib", source, "-lcongestree", "-o", source.with_suffix(""))
    assert done.returncode == 0, done.stderr
    return source.with_suffix("")


def steps(begin, installed):
    """The commands of a block of the page that begins like this, for what is installed here."""
    text = re.search(rf"```sh\n({re.escape(begin)}.*?)```", PAGE.read_text(), re.S)[1]
    return text.replace(".../congestree", str(ROOT)).replace("$HOME/.local", str(installed))


def test_the_program_of_the_page_runs(installed):
    text = re.search(r'```c title="pair.c"\n(.*?)```', PAGE.read_text(), re.S)[1]
    program = compiled(installed, "pair.c", text)
    program.unlink()
    done = call("sh", "-e", "-c", steps("cc pair.c", installed), cwd=installed)
    assert done.returncode == 0, done.stderr
    wire = (2**20 + 64 * 256) * 8 / 100e9
    at = int(re.fullmatch(r"message 1 delivered at (\d+) ps\n", done.stdout)[1])
    assert at == pytest.approx((3e-6 + wire + 400e-9) * 1e12, rel=0.01)
    assert "cannot be read" in call(program, installed / "nothing.toml").stderr


BAD = r"""
#include <stdio.h>
#include <string.h>
#include <congestree.h>
static void say(int answer) {
  char reason[2000];
  congestree_error(reason, sizeof reason);
  printf("%d %s\n", answer, answer ? reason : "");
}
int main(int count, char **words) {
  uint64_t s = 0, t = 0, n = 0;
  size_t waiting = 0;
  uint32_t host;
  uint16_t entry;
  char small[6];
  congestree_notice notice;
  if (count != 2) return 2;
  say(congestree_open(NULL, UINT64_MAX, &s));
  say(congestree_open(words[1], UINT64_MAX, NULL));
  say(congestree_open(words[1], 1000, &s));
  say(congestree_open_text("no scenario", UINT64_MAX, &s));
  say(congestree_open_text("\xff", UINT64_MAX, &s));
  say(congestree_advance(99, 0, &waiting));
  say(congestree_open(words[1], UINT64_MAX, &s));
  say(congestree_open(words[1], UINT64_MAX, &t));
  say(congestree_host(s, "nobody", &host));
  say(congestree_entry(s, NULL, &entry));
  say(congestree_inject(s, 0, 0, 0, 0, 9, 1, &n));
  say(congestree_inject(s, 0, 0, 0, 3, 3, 1, &n));
  say(congestree_inject(s, 0, 0, 0, 0, 1, 0, &n));
  say(congestree_inject(s, 0, 0, 0, 0, 1, UINT64_MAX, &n));
  say(congestree_inject(s, 0, 0, 0, 0, 1, 1, NULL));
  say(congestree_inject(s, 0, 0, 7, 0, 1, 1, &n));
  say(congestree_advance(s, UINT64_MAX, &waiting));
  say(congestree_schedule(s, 2000, 0, 5));
  say(congestree_advance(s, 3000, &waiting));
  say(congestree_fetch(s, NULL));
  say(congestree_fetch(s, &notice));
  if (waiting != 1 || notice.kind != CONGESTREE_DUE || notice.what != 5 || notice.at != 2000) return 3;
  say(congestree_schedule(s, 1999, 0, 6));
  if (congestree_error(small, sizeof small) < sizeof small || strlen(small) != 5 || strcmp(small, "1.999")) return 4;
  say(congestree_fetch(s, &notice));
  say(congestree_close(s, NULL));
  say(congestree_close(s, NULL));
  say(congestree_fetch(s, &notice));
  say(congestree_drain(t, &waiting));
  return notice.kind == CONGESTREE_NONE && waiting == 0 ? congestree_close(t, NULL) : 1;
}
"""
TOLD = """1 text is missing
1 no place for the result
4 memory
4 scenario:1:4
1 not in UTF-8
2 no open simulation 99
0
0
1 no host "nobody"
1 text is missing
5 no host 9
5 send to itself
5 a message of 0 B
5 a message of 18446744073709551615 B
1 no place for the result
5 sends no injected messages
5 end of the scenario
0
0
1 no place
0
5 in the past
0
0
2 no open simulation
2 no open simulation
0""".splitlines()


def test_bad_calls_from_c_are_refused(installed):
    done = call(compiled(installed, "bad.c", BAD), installed / "live.toml")
    told = re.split(r"^(?=\d )", done.stdout, flags=re.M)[1:]
    assert len(told) == len(TOLD), done.stdout
    for line, expected in zip(told, TOLD, strict=True):
        code, _, part = expected.partition(" ")
        assert line.startswith(f"{code} ") and part in line, done.stdout
    assert done.returncode == 0, done.stderr


AT_EXIT = r"""
#include <stdio.h>
#include <stdlib.h>
#include <congestree.h>
static uint64_t s;
static void late(void) {
  char reason[100];
  printf("%d ", congestree_close(s, NULL));
  printf("%d ", congestree_close(s, NULL));
  congestree_error(reason, sizeof reason);
}
int main(int count, char **words) {
  if (count != 2 || congestree_open("/nowhere", 0, &s) != CONGESTREE_SCENARIO) return 1;
  if (congestree_open(words[1], UINT64_MAX, &s) != CONGESTREE_OK) return 2;
  return atexit(late);
}
"""


def test_a_refusal_while_the_program_ends_does_not_abort_it(installed):
    """The data of a thread is gone by then, and with it the place for the reason."""
    done = call(compiled(installed, "at_exit.c", AT_EXIT), installed / "live.toml")
    assert (done.returncode, done.stdout) == (0, "0 2 "), done.stderr


LOOKS = r"""
#include <stdio.h>
#include <string.h>
#include <congestree.h>
int main(int count, char **words) {
  uint64_t s = 0, n = 0, now = 0;
  size_t rows = 0, length = 0, some = 0, waiting = 0;
  double bytes[64], two[2] = {-1, -1};
  char name[20];
  if (count != 3 || congestree_open(words[1], UINT64_MAX, &s) != CONGESTREE_OK) return 1;
  for (uint32_t from = 0; from < 3; from++)
    if (congestree_inject(s, 0, 0, 0, from, 7, 100000, &n) != CONGESTREE_OK) return 2;
  if (congestree_drain(s, &waiting) != CONGESTREE_OK || congestree_now(s, &now) != CONGESTREE_OK) return 3;
  if (congestree_observe(s, "ports.bytes", NULL, 0, &rows) != CONGESTREE_OK || rows > 64) return 4;
  if (congestree_observe(s, "ports.bytes", bytes, 64, &some) != CONGESTREE_OK || some != rows) return 5;
  if (congestree_observe(s, "ports.bytes", two, 1, &some) != CONGESTREE_OK) return 6;
  if (two[0] != bytes[0] || two[1] != -1) return 6;
  for (size_t row = 0; row < rows; row++) {
    if (congestree_observe_name(s, "ports.name", row, name, sizeof name, &length) != CONGESTREE_OK) return 7;
    if (bytes[row] > 0) printf("%s %.0f\n", name, bytes[row]);
  }
  if (congestree_observe(s, "ports.name", bytes, 64, &some) != CONGESTREE_ARGUMENT) return 8;
  if (congestree_observe_name(s, "ports.name", 0, name, 3, &length) != CONGESTREE_OK || strlen(name) != 2) return 9;
  if (congestree_change(s, words[2]) != CONGESTREE_REFUSED) return 10;
  if (congestree_change(s, "?") != CONGESTREE_SCENARIO) return 11;
  printf("%llu\n", (unsigned long long)now);
  return congestree_close(s, NULL);
}
"""


def test_c_sees_what_is_counted_and_changes_the_marking_alone(installed):
    other = SCENARIO + '[scheme]\npreset = "ib-cc"\n'
    done = call(compiled(installed, "looks.c", LOOKS), installed / "live.toml", other)
    assert done.returncode == 0, done.stderr
    *ports, now = done.stdout.splitlines()
    sent = dict(line.split() for line in ports)
    (last,) = (int(count) for name, count in sent.items() if name.endswith("->H8"))
    assert last >= 300_000 and last == sum(int(n) for name, n in sent.items() if name[:4] in ("H1->", "H2->", "H3->"))
    assert 24e-6 < int(now) / 1e12 < 50e-6


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
    # Times are passed in whole ns, of which a trace of 7 computations and 28 messages has a few.
    assert len(ends) == 8 and max(ends) == pytest.approx(run.jobs["completion"][0] * 1e9, abs=100)


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
