"""What a scenario is promised to take holds for its traffic: jobs, hot spots, lists, many flows, backlogs."""

import json
import subprocess
import sys

import pytest

import congestree
from congestree import _engine

HEAD = 'links = { rate = "100 Gbit/s", delay = "50 ns" }\n'
TREE = "topology.fat-tree = { radix = 16, layers = 3 }\n" + HEAD

# Each scenario in a process of its own, forked so that it begins small.
MEASURE = """
import json, os, sys, time
import congestree

def line(name):
    return next(int(line.split()[1]) << 10 for line in open("/proc/self/status") if line.startswith(name))

for text in json.load(sys.stdin):
    sys.stdout.flush()
    if os.fork():
        os.wait()
        continue
    needs = congestree.check(text, limit_memory="none")["needs"]
    began = time.process_time()
    hops = congestree.run(text, threads=1, limit_memory="none").manifest["packet_hops"]
    used = time.process_time() - began
    print(json.dumps({"needs": needs, "peak": line("VmHWM"), "used": used, "hops": hops}))
    sys.stdout.flush()
    os._exit(0)
"""


def measured(*texts, cwd=None):
    """What each scenario is promised to take, and what it takes: memory (B), processor time (s), packet-hops."""
    if sys.platform != "linux":
        pytest.skip("only Linux tells the peak of a process that is not its parent's")
    asked = json.dumps(texts)
    done = subprocess.run(
        [sys.executable, "-c", MEASURE], input=asked, capture_output=True, text=True, check=True, cwd=cwd
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(texts), done.stderr
    return found


def test_the_packet_hops_of_a_job_are_those_of_all_its_ranks_and_not_of_neighbours():
    """Of 512 ranks that send to 511 others, every 511th send was counted: that of each to the next."""
    text = (
        TREE + 'traffic = [{ from = "all", job.ranks = 512, program.all-to-all.bytes = "1 KiB" }]\n'
        'measure = { duration = "10 ms", until_jobs_end = true }\n'
    )
    estimate = congestree.check(text)["needs"]["packet_hops"]
    assert congestree.run(text).manifest["packet_hops"] == pytest.approx(estimate, rel=0.1)


def hot(duration, more="", probes=()):
    traffic = f'pattern.hot-spot = {{ to = "h0", fraction = 0.9 }}\narrivals.poisson.load = 0.9\n{more}'
    measure = f'[measure]\nduration = "{duration}"\nprobes = {json.dumps(list(probes))}\n'
    return TREE + f'[[traffic]]\nfrom = "all"\nmessage = "2 KiB"\n{traffic}\n{measure}'


@pytest.mark.parametrize("duration", ["100 us", "1 ms", "5 ms"])
def test_packets_to_a_hot_host_are_as_many_as_its_link_carries(duration):
    """The others wait behind them. All that is offered was counted, up to 620 times too much."""
    text = hot(duration)
    estimate, run = congestree.check(text)["needs"]["packet_hops"], congestree.run(text).manifest["packet_hops"]
    assert run / 3 < estimate < run * 3


SMALL_TREE = "topology.fat-tree = { radix = 8, layers = 3 }\n" + HEAD.replace("50 ns", "1 us")


def small_then_large():
    """A small message of each host to the same one, and then a large one of each to a host of its own."""
    row = '{{ at = "{}", from = "h{}", to = "h{}", message = "{}" }}'.format
    rows = [row("0 us", host, 0, "1 kB") for host in range(1, 33)]
    rows += [row("1 us", host, host + 64, "1 MB") for host in range(1, 33)]
    return f'{SMALL_TREE}traffic = [{{ list = [{", ".join(rows)}] }}]\nmeasure.duration = "100 us"\n'


def incasts(message, load, duration, to='pattern = "uniform"'):
    traffic = f'from = "all"\n{to}\nmessage = "{message}"\narrivals.incast = {{ senders = 30, load = {load} }}'
    return f'{SMALL_TREE}[[traffic]]\n{traffic}\n[measure]\nduration = "{duration}"\n'


@pytest.mark.parametrize("load", [0.3, 0.7])
def test_packets_of_incasts_go_to_the_receivers_of_each(load):
    """All that a host sends was counted to the receiver of its first message, up to 24 times too little."""
    text = incasts("10 kB", load, "200 us")
    estimate, run = congestree.check(text)["needs"]["packet_hops"], congestree.run(text).manifest["packet_hops"]
    assert run / 1.5 < estimate < run * 1.5


def test_packets_of_a_list_go_to_the_receivers_of_each_message():
    text = small_then_large()
    estimate, run = congestree.check(text)["needs"]["packet_hops"], congestree.run(text).manifest["packet_hops"]
    assert run / 1.1 < estimate < run * 1.1


DRAWN = 'from = "{}"\n{}\nmessage = "10 kB"\narrivals.poisson.load = 0.5'
PATTERNS = {
    **{f"groups of {size}": (SMALL_TREE, "all", f"pattern.groups.size = {size}") for size in (2, 4, 8, 32)},
    **{
        f"{hosts} hosts": (f"topology.single-switch.hosts = {hosts}\n{HEAD}", "all", 'pattern = "uniform"')
        for hosts in (2, 37, 74, 107)
    },
    "one source": (SMALL_TREE, "h0", 'pattern = "uniform"'),
    "hot itself": (SMALL_TREE, "h0", 'pattern.hot-spot = { to = "h0", fraction = 1.0 }'),
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_receivers_are_drawn_among_the_others(pattern):
    """Hosts that were thought to send to themselves alone had no packet-hops."""
    network, sender, to = PATTERNS[pattern]
    text = f'{network}[[traffic]]\n{DRAWN.format(sender, to)}\n[measure]\nduration = "500 us"\n'
    estimate, run = congestree.check(text)["needs"]["packet_hops"], congestree.run(text).manifest["packet_hops"]
    assert run / 1.3 < estimate < run * 1.3


def test_messages_of_incasts_that_wait_take_memory():
    """Those to one host nearly all wait."""
    texts = [
        incasts("200 B", 2.0, "100 us", 'to = "h0"'),
        incasts("200 B", 2.0, "100 us"),
        incasts("200 B", 0.5, "100 us"),
    ]
    for found in measured(*texts):
        promised = found["needs"]["memory"]
        assert promised / 1.5 < found["peak"] < 1.2 * promised, (promised >> 20, found["peak"] >> 20)


def test_a_backlog_of_messages_with_flows_of_their_own_is_counted():
    (found,) = measured(hot("500 us", 'flows = "by-message"', ["completions"]))
    promised = found["needs"]["memory"]
    assert promised / 2 < found["peak"] < 1.5 * promised, (promised >> 20, found["peak"] >> 20)


LOSSLESS = ""
LOSSY = 'links.flow_control = "none"\nswitches.output_queue = "200 kB"\n'
PAIRS = (
    'topology.single-switch.hosts = 200\nlinks.rate = "100 Gbit/s"\nlinks.delay = "50 ns"\n{more}'
    'scheme.preset = "{preset}"\n[[traffic]]\nfrom = "all"\npattern = "uniform"\nmessage = "64 kB"\n'
    'arrivals.poisson.load = 0.5\n[measure]\nduration = "5 us"\n'
)
ONE = f'topology.single-switch.hosts = 2\n{HEAD}traffic = [{{ from = "H1", to = "H2" }}]\nmeasure.duration = "5 us"\n'


def pairs(preset):
    """A flow for each pair of hosts under a preset, over links that it can work with; none if it has no such flows."""
    for more in (LOSSLESS, LOSSY):
        text = PAIRS.format(preset=preset, more=more)
        try:
            return text if congestree.check(text)["facts"]["flows"] > 39_000 else None
        except congestree.ScenarioError:
            continue
    return None


def test_flows_take_what_is_promised_whatever_the_preset():
    """With a transport, or a reaction that differs from flow to flow, each took up to four times as much."""
    presets = [part["name"] for part in json.loads(_engine.catalogue()) if part["kind"] == "preset"]
    texts = {preset: text for preset in presets if (text := pairs(preset)) is not None}
    assert {"uec-nscc", "irn", "dcqcn-vendor", "swift", "hpcc", "ib-cc"} <= texts.keys()
    small, *large = measured(ONE, *texts.values())
    for preset, found in zip(texts, large, strict=True):
        promised, took = sum(found["needs"]["parts"].values()), found["peak"] - small["peak"]
        assert took < 1.3 * promised, f"{preset}: promised {promised >> 20} MiB, took {took >> 20} MiB"


def test_setting_up_flows_takes_time():
    text = PAIRS.format(preset="uec-nscc", more=LOSSY).replace("hosts = 200", "hosts = 600")
    (found,) = measured(text)
    assert found["used"] / 5 < found["needs"]["seconds"] < found["used"] * 5


def test_rows_of_tables_take_time():
    """Those of every series, of which only two were counted."""
    text = TREE + (
        'scheme.preset = "ccfit"\n[[traffic]]\nfrom = "all"\npattern.hot-spot = { to = "h0", fraction = 0.1 }\n'
        'arrivals.poisson.load = 0.5\n[measure]\nduration = "200 us"\nbin = "1 us"\nsampling_interval = "1 us"\n'
    )
    series = ["output-queues", "ports"]
    without, *each = (
        congestree.check(f"{text}probes = {json.dumps(['trees', *more])}\n")["needs"]["seconds"]
        for more in ([], *([probe] for probe in series))
    )
    assert all(seconds > without + 0.001 for seconds in each), (without, each)
    (found,) = measured(f"{text}probes = {json.dumps(['trees', 'isolation', *series])}\n")
    assert found["used"] / 5 < found["needs"]["seconds"] < found["used"] * 5


LIST = TREE + 'traffic = [{ list = "list.csv" }]\nmeasure.duration = "120 us"\n'


@pytest.fixture
def listed(tmp_path):
    """A scenario beside its list of 100,000 messages."""
    rows = (f"{n} ns, h{n * 7919 % 1024}, h{(n * 104729 + 1 + n // 1024) % 1024}, 1000 B" for n in range(100_000))
    rows = [row for row in rows if row.split(", ")[1] != row.split(", ")[2]]
    (tmp_path / "list.csv").write_text("at, from, to, message\n" + "\n".join(rows) + "\n")
    (tmp_path / "listed.toml").write_text(LIST)
    return tmp_path


def test_the_rows_of_a_written_list_are_counted(listed):
    (found,) = measured("listed.toml", cwd=listed)
    promised = found["needs"]["memory"]
    assert promised / 2 < found["peak"] < 1.3 * promised, (promised >> 20, found["peak"] >> 20)
    assert found["used"] / 5 < found["needs"]["seconds"] < found["used"] * 5


def test_a_list_that_does_not_fit_is_refused_before_its_rows_are_read(listed):
    code = (
        "import congestree\n"
        "try:\n    congestree.check('listed.toml', limit_memory='100 MiB')\n"
        "except congestree.ScenarioError as error:\n    print(error.complaints[0]['path'])\n"
        "print(next(int(line.split()[1]) >> 10 for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    if sys.platform != "linux":
        pytest.skip("only Linux tells the peak of a process that is not its parent's")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=listed)
    path, peak = done.stdout.split()
    assert path == "traffic.0.list" and int(peak) < 150
