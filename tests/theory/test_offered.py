"""What sources make is the load that was declared, whatever arrivals and sizes: counted on a link never full."""

import numpy as np
import pytest

import congestree

RATE, MTU, HEADER = 100e9, 1000, 48
LOAD = 0.4
ARRIVALS = {"poisson": {"poisson": {"load": LOAD}}, "steady": {"steady": {"load": LOAD}}}
SIZES = {
    "one packet": ({"message": f"{MTU} B"}, MTU),
    "many packets": ({"message": "50 kB"}, 50_000),
    "uneven": ({"message": "2500 B"}, 2_500),
}


def offered(arrivals, size, duration_us=4_000):
    """A source and a sink that takes everything: shares of the link that are made and delivered, and messages made."""
    run = congestree.run(
        {
            "topology": {"single-switch": {"hosts": 2}},
            "links": {"rate": "100 Gbit/s"},
            "adapters": {"mtu": f"{MTU} B", "header": f"{HEADER} B"},
            "traffic": [{"name": "all", "from": "H1", "to": "H2", "arrivals": arrivals, **size}],
            "measure": {"duration": f"{duration_us} us"},
        }
    )
    return float(run.flows["bytes"].sum()) * 8 / (duration_us * 1e-6) / RATE


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("arrivals", ARRIVALS)
def test_what_is_delivered_on_an_idle_path_is_the_load_that_was_declared(arrivals, size):
    """Header and payload count. Poisson arrivals of n messages differ from their mean by 1/sqrt(n): four of these."""
    more, payload = SIZES[size]
    wire = payload + HEADER * int(np.ceil(payload / MTU))
    messages = LOAD * RATE / 8 * 4e-3 / wire
    slack = 4 / np.sqrt(messages) if arrivals == "poisson" else 1.5 / messages
    assert offered(ARRIVALS[arrivals], more) == pytest.approx(LOAD, rel=slack + 0.001)


CDF = [(0.5, 1_000), (0.9, 20_000), (1.0, 200_000)]
"""Share of the messages up to a size, B."""


def mean_of_table():
    """Straight lines between the rows; the first row is a size of its own."""
    (share, first), *rest = CDF
    mean, before, size = share * first, share, first
    for share, larger in rest:
        mean += (share - before) * (size + larger) / 2
        before, size = share, larger
    return mean


def many(duration_ms, traffic, probes=()):
    """Sixteen hosts in pairs."""
    return congestree.run(
        {
            "topology": {"single-switch": {"hosts": 16}},
            "links": {"rate": "100 Gbit/s"},
            "adapters": {"mtu": f"{MTU} B", "header": f"{HEADER} B"},
            "traffic": [{"from": "all", "pattern": {"shift": {"by": 8}}, **traffic}],
            "measure": {"duration": f"{duration_ms} ms", "probes": list(probes)},
        }
    )


def test_messages_that_are_flows_with_sizes_of_a_table_offer_the_load_that_was_declared():
    """Messages made in 40 ms, counted; a sum of n random sizes differs by their deviation over sqrt(n)."""
    table = [{"size": f"{size} B", "share": share} for share, size in CDF]
    run = many(
        40,
        {"flows": "by-message", "sizes": {"cdf": table}, "arrivals": {"poisson": {"load": LOAD}}},
        ["completions"],
    )
    sizes = run.completions["size"].to_numpy()
    slack = 4 * np.sqrt(1 + (sizes.std() / sizes.mean()) ** 2) / np.sqrt(len(sizes))
    wire = sizes + HEADER * np.ceil(sizes / MTU)
    assert sizes.mean() == pytest.approx(mean_of_table(), rel=slack)
    assert wire.sum() * 8 / 40e-3 / (16 * RATE) == pytest.approx(LOAD, rel=slack + 0.01)


@pytest.mark.parametrize(("on", "off"), [(100, 100), (50, 150)])
def test_sources_that_are_on_and_off_offer_the_share_of_the_time_that_they_are_on(on, off):
    """A greedy source that is on has the link. A period of both has a deviation of sqrt(on^2 + off^2)."""
    duration = 40
    run = many(duration, {"arrivals": {"on-off": {"on": f"{on} us", "off": f"{off} us"}}})
    share = float(run.flows["bytes"].sum()) * 8 / (duration * 1e-3) / (16 * RATE)
    periods = 16 * duration * 1000 / (on + off)
    assert share == pytest.approx(on / (on + off), abs=4 / np.sqrt(periods) * np.sqrt(2) * on * off / (on + off) ** 2)


@pytest.fixture(scope="module")
def incasts():
    """Incasts of four of twelve hosts with Poisson arrivals, to any host: the run, and when each begins."""
    run = congestree.run(
        {
            "topology": {"single-switch": {"hosts": 12}},
            "links": {"rate": "100 Gbit/s"},
            "adapters": {"mtu": f"{MTU} B", "header": f"{HEADER} B"},
            "traffic": [
                {
                    "from": "all",
                    "pattern": "uniform",
                    "message": "10 kB",
                    "start": "1 us",
                    "arrivals": {"incast": {"senders": 4, "load": 0.05}},
                }
            ],
            "measure": {"duration": "20 ms", "probes": ["completions"]},
        }
    )
    starts, senders = np.unique(run.completions["created"].to_numpy(), return_counts=True)
    return run, starts, senders


def test_incasts_with_poisson_arrivals_offer_the_load_that_was_declared(incasts):
    """Four messages of 10,480 B each time, of 12 links: a mean gap of 41,920 B times 8 over 60 Gbit/s, 5.59 us."""
    run, starts, _ = incasts
    slack = 4 / np.sqrt(len(starts))
    assert float(run.flows["bytes"].sum()) * 8 / 20e-3 / (12 * RATE) == pytest.approx(0.05, rel=slack + 0.001)
    assert len(starts) == pytest.approx(20e-3 / 5.589e-6, rel=slack)


def test_the_gaps_of_poisson_incasts_are_exponential(incasts):
    """From the start on; deviation as large as the mean, and a share of 1/e above it. Senders begin together."""
    _, starts, senders = incasts
    gaps = np.diff(np.concatenate([[1e-6], starts]))
    assert gaps.std() / gaps.mean() == pytest.approx(1, abs=4 / np.sqrt(len(gaps)) * np.sqrt(2))
    for times in (0.1, 0.5, 1, 2):
        share = np.exp(-times)
        assert np.mean(gaps > times * gaps.mean()) == pytest.approx(share, abs=4 * np.sqrt(share / len(gaps)))
    assert (senders[:-3] == 4).all()
