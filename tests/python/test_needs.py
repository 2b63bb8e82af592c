"""A scenario that needs too much is refused before it is built, with its needs; estimates are close to real needs."""

import json
import subprocess
import sys
import time

import pytest

import congestree
from congestree.errors import AskedError, ScenarioError
from congestree.runs import memory, running, store

HEAD = 'links.rate = "100 Gbit/s"\nmeasure.duration = "{duration}"\n'
UNIFORM = '[[traffic]]\nfrom = "all"\npattern = "uniform"\narrivals.poisson.load = 0.5\n'


def scenario(topology, duration="1 us", traffic=UNIFORM, more=""):
    return f"topology.{topology}\n" + HEAD.format(duration=duration) + more + "\n" + traffic


BOMBS = {
    "hosts": scenario("chain = { switches = 22000, hosts_per_switch = 1 }"),
    "tree": scenario("k-ary-n-tree = { k = 20, n = 3 }"),
    "flows": scenario("single-switch.hosts = 4000", more="adapters.window = 4"),
    "messages": scenario(
        "single-switch.hosts = 1000",
        traffic='[[traffic]]\nfrom = "all"\nto = "H1"\nmessage = "1 KiB"\n'
        'arrivals.incast = { senders = 900, count = 20000, every = "1 us" }\n',
    ),
    "operations": scenario(
        "single-switch.hosts = 2000", traffic='[[traffic]]\nfrom = "all"\nprogram.all-reduce-ring.bytes = "2 KiB"\n'
    ),
    "bins": scenario(
        "single-switch.hosts = 100", "100 us", more='measure.bin = "1 ns"\nmeasure.probes = ["flows", "ports"]'
    ),
    "looks": scenario(
        "single-switch.hosts = 100",
        "100 us",
        more='measure.sampling_interval = "1 ns"\nmeasure.probes = ["input-queues"]',
    ),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused_at_once_with_what_it_would_need(bomb):
    began = time.process_time()
    with pytest.raises(ScenarioError, match=r"would take about [\d.]+ .iB of memory, and the limit is 100 MiB") as told:
        congestree.check(BOMBS[bomb], limit_memory="100 MiB")
    assert time.process_time() - began < 10
    (complaint,) = told.value.complaints
    assert complaint["path"] and "--limit-memory" in complaint["remedy"]


HUGE = "9000000000 GB"
LARGE = {
    "traffic.0.message": scenario(
        "single-switch.hosts = 8", traffic=f'[[traffic]]\nfrom = "H2"\nto = "H1"\nmessage = "{HUGE}"\n'
    ),
    "traffic.0.sizes.cdf": scenario(
        "single-switch.hosts = 8",
        traffic=UNIFORM
        + f'sizes.cdf = [{{ size = "1 kB", share = 0.5 }}, {{ size = "{HUGE}", share = 1.0 }}]\nflows = "by-message"\n',
    ),
    "traffic.0.sizes.pareto.mean": scenario(
        "single-switch.hosts = 8",
        traffic=UNIFORM + f'sizes.pareto = {{ shape = 1.2, mean = "{HUGE}", most = "{HUGE}" }}\n',
    ),
    "traffic.0.program": scenario(
        "single-switch.hosts = 8", traffic=f'[[traffic]]\nfrom = "all"\nprogram.all-reduce-ring.bytes = "{HUGE}"\n'
    ),
    "adapters.mtu": scenario("single-switch.hosts = 8", more=f'adapters.mtu = "{HUGE}"'),
    "switches.buffer": scenario("single-switch.hosts = 8", more=f'switches.buffer = "{HUGE}"'),
}
"""A size that is too large, by its place."""


@pytest.mark.parametrize("place", LARGE)
def test_a_size_that_is_too_large_is_refused_at_once_with_its_place(place):
    began = time.process_time()
    with pytest.raises(ScenarioError) as told:
        congestree.check(LARGE[place], limit_memory="100 MiB")
    assert time.process_time() - began < 10
    about = [each for each in told.value.complaints if each["path"].startswith(place)]
    assert about and all(each["remedy"] for each in about)
    assert any("too large" in each["fact"] for each in about)


def test_nothing_is_built_that_does_not_fit(tmp_path):
    """The process that refuses stays small itself: 22,000 hosts on as many switches have 484 million routes."""
    code = (
        "import sys, congestree\nfrom congestree.runs import memory, running, store\n"
        "try:\n    congestree.check(sys.stdin.read(), limit_memory='300 MiB')\n"
        "except congestree.ScenarioError:\n    print(memory.resident())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=BOMBS["hosts"], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 300 << 20


BY_HOP = """
topology.single-switch.hosts = {hosts}
links = {{ rate = "100 Gbit/s", delay = "50 ns", lanes = 2, hop_lanes = "by-hop" }}
switches.buffer = "16 KiB"
traffic = [{{ from = "H1", to = "H2" }}]
measure.duration = "1 us"
"""


@pytest.mark.parametrize(("hosts", "is_refused", "most"), [(30_000, True, 200), (4_000, False, 75)])
def test_lanes_of_hops_that_do_not_fit_are_refused_before_they_are_built(hosts, is_refused, most):
    """By lane, and by port in and out, they take 1.7 GiB for 30,000 ports, and 31 MiB for 4,000: once, not twice."""
    code = (
        "import sys, congestree\n"
        "try:\n    congestree.check(sys.stdin.read(), limit_memory='1 GiB')\n"
        "except congestree.ScenarioError as error:\n    print(error.complaints[0]['path'])\n"
        "print(next(int(line.split()[1]) >> 10 for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    if sys.platform != "linux":
        pytest.skip("only Linux tells the peak of a process that is not its parent's")
    text = BY_HOP.format(hosts=hosts)
    done = subprocess.run([sys.executable, "-c", code], input=text, capture_output=True, text=True, check=True)
    *said, peak = done.stdout.split()
    assert said == (["links.hop_lanes"] if is_refused else []) and int(peak) < most


def cube(size, lanes):
    """Switches choose among all minimal paths of a cube of switches, which need three lanes by hop."""
    return {
        "topology": {"hyper-x": {"dimensions": [size, size, size]}},
        "links": {"rate": "100 Gbit/s", "delay": "50 ns", "lanes": lanes, "hop_lanes": "by-hop"},
        "scheme": {"route": "ecmp"},
        "traffic": [{"from": "h0", "to": "h1"}],
        "measure": {"duration": "1 us"},
    }


def test_with_a_lane_for_each_hop_a_large_network_whose_switches_choose_is_checked_in_seconds():
    """A search would take half a minute."""
    began = time.process_time()
    congestree.check(cube(14, lanes=3))
    assert time.process_time() - began < 15
    with pytest.raises(ScenarioError, match="when switches choose, packets can wait for each other in a cycle"):
        congestree.check(cube(3, lanes=2))


def test_check_warns_of_what_takes_long_or_much(congestree_cli, tmp_path):
    (tmp_path / "long.toml").write_text(scenario("k-ary-n-tree = { k = 6, n = 3 }", "10 s"))
    done = congestree_cli("check", "long.toml", "--limit-memory", "none")
    assert "A run takes about" in done.stderr and "one core" in done.stderr
    needs = json.loads(congestree_cli("check", "long.toml", "--json").stdout)["needs"]
    # 216 hosts, half of 100 Gbit/s each, packets of 2 KiB, paths of up to 6 links
    sent = 216 * 50e9 * 10 / 8 / 2048
    assert 5 * sent < needs["packet_hops"] < 6 * sent


def test_a_run_that_grows_beyond_its_limit_is_stopped_and_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "resident", lambda: 2 << 30)
    text = scenario("single-switch.hosts = 8", "100 ms")
    run = congestree.run(text, out=tmp_path / "run", limit_memory="1 GiB")
    assert run.stopped.startswith("at ") and "its limit of 1 GiB" in run.stopped and not run.interrupted
    assert "--limit-memory, limit_memory in Python" in run.stopped
    assert 0 < run.duration < 0.1
    assert congestree.Run.load(tmp_path / "run").stopped == run.stopped


def test_a_run_of_a_study_that_lacked_memory_is_no_finished_one(tmp_path, monkeypatch):
    """It continues when there is more memory: until then the study has no row of it."""
    text = scenario("single-switch.hosts = 8", "100 ms")
    with monkeypatch.context() as short:
        short.setattr(memory, "resident", lambda: 2 << 30)
        with pytest.raises(congestree.CongestreeError, match=r"its limit of 1 GiB\. Record less"):
            running.run_once(text, tmp_path / "run", limit_memory=1 << 30)
    assert not store.is_finished(tmp_path / "run")
    running.run_once(text, tmp_path / "run", limit_memory=1 << 40)  # whatever the tests before have left in memory
    assert store.is_finished(tmp_path / "run") and congestree.Run.load(tmp_path / "run").stopped is None


def test_a_sweep_takes_fewer_workers_where_all_would_not_fit(tmp_path, monkeypatch):
    from congestree.studies import pool, sweeping

    counts = []
    monkeypatch.setattr(pool, "default_workers", lambda: 8)
    monkeypatch.setattr(pool, "execute", lambda jobs, workers, **_: counts.append(workers) or pool.Progress(len(jobs)))
    monkeypatch.setattr(sweeping.Study, "save", lambda self: None)
    text = scenario("single-switch.hosts = 8")
    sweeping.sweep(text, over={"seed": [1, 2]}, out=tmp_path, limit_memory="300 MiB")
    sweeping.sweep(text, over={"seed": [1, 2]}, out=tmp_path, limit_memory="100 GiB")
    assert counts == [3, 8]


@pytest.mark.parametrize("name", ["inactive_file", "total_inactive_file"])
def test_copies_of_files_count_as_free_memory_of_a_container(tmp_path, name):
    """A container that had read many files had no memory left for a run."""
    most, now, facts = (tmp_path / file for file in ("max", "current", "stat"))
    most.write_text("10000000\n")
    now.write_text("9000000\n")
    group = (most, now, (facts, name))
    assert memory.available([group]) == 1_000_000
    facts.write_text(f"anon 100\nactive_file 7\n{name} 5000000\n{name}_more 3\n")
    assert memory.available([group]) == 6_000_000
    facts.write_text(f"{name}\n")
    assert memory.available([group]) == 1_000_000


@pytest.mark.parametrize("text", ["8 GiB", "8GiB", "8gib", "8388608 KiB", str(8 << 30)])
def test_sizes_of_memory_are_read_as_people_write_them(text):
    assert memory.parse(text) == 8 << 30


@pytest.mark.parametrize("text", ["", "much", "-1 GiB", "0", "0.5", "1e-1 B", "1e-10 GB", "1 GiBs", "nan"])
def test_what_is_no_size_is_told(text):
    """Less than a byte was a limit of 0 B."""
    with pytest.raises(AskedError, match='such as "8 GiB"'):
        memory.parse(text)


# Networks whose size is in different parts, all large enough to be visible next to the memory of the process.
SIZES = {
    "routes": scenario("k-ary-n-tree = { k = 14, n = 3 }", "100 ns"),
    "flows": scenario("single-switch.hosts = 600", "1 us", more="adapters.window = 4"),
    "queues that hold packets": scenario("single-switch.hosts = 6000", "200 ns"),
    "series": scenario(
        "single-switch.hosts = 200", "200 us", more='measure.bin = "40 ns"\nmeasure.probes = ["flows", "ports"]'
    ),
}


@pytest.mark.parametrize("part", SIZES)
def test_the_estimate_is_about_what_a_run_takes(part):
    code = (
        "import sys, congestree\ntext = sys.stdin.read()\nestimate = congestree.check(text)['needs']['memory']\n"
        "congestree.run(text)\n"
        "peak = next(int(line.split()[1]) << 10 for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print(estimate, peak)"
    )
    if sys.platform != "linux":
        pytest.skip("only Linux tells the peak of a process that is not its parent's")
    done = subprocess.run([sys.executable, "-c", code], input=SIZES[part], capture_output=True, text=True, check=True)
    estimate, peak = map(int, done.stdout.split())
    assert estimate / 2 < peak < estimate * 2, f"estimated {estimate >> 20} MiB, took {peak >> 20} MiB"


ONE = '[[traffic]]\nfrom = "H4"\nto = "H1"\n'
CROWDS = {
    "three from one host": ONE * 3,
    "small beside large": ONE + 'message = "64 B"\n' + '[[traffic]]\nfrom = "H2"\nto = "H3"\nmessage = "10 MB"\n',
    "three to one host": "".join(f'[[traffic]]\nfrom = "{host}"\nto = "H1"\n' for host in ("H4", "H2", "H3")),
}


@pytest.mark.parametrize("crowd", CROWDS)
def test_the_packet_hops_of_a_run_are_about_those_estimated(crowd):
    text = scenario("single-switch.hosts = 4", "20 us", CROWDS[crowd])
    estimate = congestree.check(text)["needs"]["packet_hops"]
    assert congestree.run(text).manifest["packet_hops"] == pytest.approx(estimate, rel=0.4)


JOB = """
topology.clos = {{ down = [16, 4], up = [4] }}
links.rate = "400 Gbit/s"
adapters.node = {{ hosts = 8, rate = "3600 Gbit/s" }}
traffic = [{{ from = "all", job.ranks = {ranks}, program.collective = {collective} }}]
measure = {{ duration = "20 ms", until_jobs_end = true }}
"""


@pytest.mark.parametrize(("algorithm", "ranks"), [("ring", 8), ("ring", 64), ("hierarchical", 64)])
def test_messages_inside_nodes_are_no_packet_hops(algorithm, ranks):
    """In one node none are, and of several nodes what goes between them."""
    collective = f'{{ operation = "all-reduce", bytes = "4 MiB", node = 8, algorithm = "{algorithm}" }}'
    text = JOB.format(ranks=ranks, collective=collective)
    estimate, run = congestree.check(text)["needs"]["packet_hops"], congestree.run(text)
    assert estimate == pytest.approx(run.manifest["packet_hops"], rel=0.1)
    assert (estimate == 0) == (ranks == 8)


def test_operations_of_a_collective_are_counted_by_its_algorithm():
    """Halves with 12 partners in turn; it was refused for the operations of a ring of 4,096 ranks."""
    collective = '{ operation = "all-reduce", algorithm = "halving-doubling", bytes = "1 MiB" }'
    text = (
        f'topology.single-switch.hosts = 4096\nlinks.rate = "100 Gbit/s"\nmeasure.duration = "1 ms"\n'
        f'traffic = [{{ from = "all", program.collective = {collective} }}]\n'
    )
    assert congestree.check(text)["facts"]["hosts"] == 4096


def test_requests_and_grants_are_packet_hops():
    """Of a rendezvous, a packet each for a message; smaller messages are not announced."""
    for bytes_, packets in [("2 kB", 3), ("500 B", 1), ("9 kB", 5)]:
        job = f'{{ from = "all", job.rendezvous = "1 kB", program.all-to-all.bytes = "{bytes_}" }}'
        text = (
            'topology.single-switch.hosts = 8\nlinks.rate = "100 Gbit/s"\nadapters.mtu = "4 KiB"\n'
            f'traffic = [{job}]\nmeasure = {{ duration = "1 ms", until_jobs_end = true }}\n'
        )
        hops = 8 * 7 * 2 * packets
        assert congestree.check(text)["needs"]["packet_hops"] == hops == congestree.run(text).manifest["packet_hops"]


MANY_PARTS = scenario("k-ary-n-tree = { k = 6, n = 3 }", "1 us")


def test_threads_whose_parts_do_not_fit_are_refused_and_as_many_as_fit_are_taken():
    needs = congestree.check(MANY_PARTS)["needs"]
    limit = needs["memory"] + 3 * needs["per_part"]
    with pytest.raises(ScenarioError, match="a run in 40 parts would take about") as told:
        congestree.run(MANY_PARTS, threads=40, limit_memory=limit)
    (complaint,) = told.value.complaints
    assert complaint["path"] == "run.threads" and "at most 4 of these threads" in complaint["remedy"]
    runs = [congestree.run(MANY_PARTS, threads=threads, limit_memory=limit) for threads in (4, 1, None)]
    assert len({run.fingerprint["results"] for run in runs}) == 1


def test_a_part_more_takes_no_more_than_is_estimated():
    if sys.platform != "linux":
        pytest.skip("only Linux tells the peak of a process that is not its parent's")
    text = scenario("k-ary-n-tree = { k = 14, n = 3 }", "100 ns")
    code = (
        "import sys\nfrom congestree import _engine\n"
        "_engine.run(sys.stdin.read(), 'toml', threads=1, parts=int(sys.argv[1]))\n"
        "print(next(int(line.split()[1]) << 10 for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code, parts], input=text, capture_output=True, text=True, check=True)
        for parts in ("1", "9")
    ]
    one, nine = (int(run.stdout) for run in runs)
    more, estimated = (nine - one) / 8, congestree.check(text)["needs"]["per_part"]
    assert estimated / 8 < more < estimated, f"estimated {estimated >> 20} MiB, took {more / 2**20:.1f} MiB"
