"""Goals are the numbers of the tables, under every requested condition."""

import json
import math
import statistics

import polars
import pytest

import congestree
from congestree import quantities, tune
from congestree.errors import AskedError, CongestreeError
from congestree.evaluation import goals
from congestree.evaluation.goals import Goal, Limit, take
from congestree.evaluation.goals.measured import MEASURES
from congestree.gallery import shipped
from congestree.runs.shorter import beginning
from congestree.tune import conditions, fresh
from congestree.tune.search.experiments import together

from .question import CROWD, ask

WEB = """
name = "web"
[topology.single-switch]
hosts = 4
[links]
rate = "10 Gbit/s"
[[traffic]]
name = "web: <b>"
from = "all"
pattern = "uniform"
flows = "by-message"
message = "16 KiB"
arrivals.poisson.load = 0.5
[measure]
duration = "400 us"
warm_up = "50 us"
probes = ["completions", "latency"]
"""


@pytest.fixture(scope="module")
def crowd():
    return congestree.run(CROWD)


@pytest.fixture(scope="module")
def web():
    return congestree.run(WEB)


def value(text, run):
    return Goal.read(text).take(run)


def test_rates_are_those_of_the_table_of_flows(crowd):
    flows = crowd.flows
    rates = flows.filter(flows["class"] == "crowd")["rate"].to_list()
    assert value("rate:crowd", crowd) == pytest.approx(sum(rates) / 2)
    assert value("total:crowd", crowd) == pytest.approx(sum(rates))
    assert value("slowest:crowd", crowd) == min(rates)
    assert value("fairness:crowd", crowd) == pytest.approx(congestree.measures.jain_index(rates))
    assert value("total", crowd) == pytest.approx(flows["rate"].sum())
    assert value("marks", crowd) == 0.0


def test_rates_of_sources_do_not_depend_on_how_many_flows_their_scheme_makes():
    """A source is one flow to all hosts, or has one for each: the same packets were fair or not, by the scheme."""
    pattern = [{"name": "web", "from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.3}}}]
    values = {"traffic": pattern, "measure.probes": [], "links.flow_control": "pfc"}
    one, several = (congestree.run(WEB, values=values | {"scheme.preset": name}) for name in ("none", "irn"))
    assert (len(one.flows), len(several.flows)) == (4, 12)
    rates = one.flows["rate"].to_list()
    of_several = several.flows.group_by("source", maintain_order=True).agg(polars.col("rate").sum())
    assert of_several["rate"].to_list() == pytest.approx(rates)
    assert 0 < min(rates) < max(rates)
    for run in (one, several):
        assert value("slowest:web", run) == pytest.approx(min(rates))
        assert value("fairness:web", run) == pytest.approx(congestree.measures.jain_index(rates))
        assert value("rate:web", run) == pytest.approx(sum(rates) / 4)
        assert value("total:web", run) == pytest.approx(sum(rates))


def test_a_host_that_sends_in_several_classes_is_one_source():
    """Its rates add up: each was a source of its own, of half the rate, so that equal hosts were not fair."""
    pairs = {"a": (["B_1", "B_2"], "A_5"), "b": (["B_1", "B_3"], "A_4")}
    run = congestree.run(
        {
            "topology": {"two-switch": {"local": 5, "remote": 5}},
            "links": {"rate": "8 Gbit/s"},
            "traffic": [{"name": name, "from": froms, "to": to} for name, (froms, to) in pairs.items()],
            "measure": {"duration": "1 ms", "warm_up": "100 us"},
        }
    )
    rates = run.flows.group_by("source").agg(polars.col("rate").sum())["rate"].to_list()
    assert len(run.flows) == 4 and len(rates) == 3
    for of in ("", ":a + b"):
        assert value(f"slowest{of}", run) == pytest.approx(min(rates))
        assert value(f"fairness{of}", run) == pytest.approx(congestree.measures.jain_index(rates))
        assert value(f"rate{of}", run) == pytest.approx(sum(rates) / 3)
    assert value("slowest:a", run) < 0.6 * value("slowest:a + b", run)


def test_use_of_the_root_is_of_what_the_host_can_take():
    """Three senders keep the root busy: the whole link, and the whole rate of a slow host."""
    assert value("use:H5", congestree.run(CROWD)) == pytest.approx(1.0, abs=0.02)
    slow = congestree.run(CROWD, values={"adapters.drain_rate": "4 Gbit/s", "adapters.receive_buffer": "16 KiB"})
    assert value("use:H5", slow) == pytest.approx(1.0, abs=0.05)
    assert value("use:S2->H5", slow) == pytest.approx(0.5, abs=0.03)


def test_use_of_a_switch_is_of_all_that_its_links_in_can_carry():
    """What hosts can take does not bound it: with slow hosts it was up to four times too high."""
    run = congestree.run(CROWD, values={"adapters.drain_rate": "4 Gbit/s", "adapters.receive_buffer": "16 KiB"})
    ports = [port for port in run.ports.to_dicts() if port["to"] == "S2"]
    carried = sum(port["utilisation"] * port["rate"] for port in ports)
    assert len(ports) > 1 and carried > 0
    assert value("use:S2", run) == pytest.approx(carried / sum(port["rate"] for port in ports))


def test_completions_count_from_the_warm_up_on(web):
    flows = web.completions.filter(web.completions["created"] >= 50e-6)
    assert 0 < len(flows) < len(web.completions)
    for name in ("fct", "slowdown"):
        assert value(f"{name}-mean", web) == pytest.approx(flows[name].mean())
        expected = congestree.measures.percentile(flows[name].to_numpy(), 99)
        assert value(f"{name}-p99:web: <b>", web) == pytest.approx(expected)
    assert value("latency-p99:web: <b>", web) == web.latency.filter(web.latency["kind"] == "network")["p99"][0]


@pytest.mark.parametrize("end", ["8 ms", "9 ms", "0.9 ms", "1.3 ms"])
def test_flows_that_start_as_the_warm_up_ends_count(end):
    """They were left out where the warm-up was not read as the float that the table has."""
    traffic = [{"name": "late", "from": ["H1", "H2"], "to": "H4", "flows": "by-message", "message": "16 KiB"}]
    traffic[0] |= {"start": end, "arrivals": {"messages": {"count": 1}}}
    measure = {"warm_up": end, "duration": "10 ms", "probes": ["completions"]}
    run = congestree.run(WEB, values={"traffic": traffic, "measure": measure})
    assert value("fct-mean:late", run) == pytest.approx(run.completions["fct"].mean()) and len(run.completions) == 2


def test_the_mean_latency_of_several_classes_is_that_of_their_packets():
    """A tenth of the packets is a tenth of the mean; of percentiles, which do not add up, the worst counts."""
    run = congestree.run(CROWD, values={"traffic.1.rate": "500 Mbit/s", "measure.probes": ["latency"]})
    rows = [row for row in run.latency.iter_rows(named=True) if row["kind"] == "network"]
    assert len(rows) == 2 and rows[0]["packets"] > 5 * rows[1]["packets"] > 0
    mean = sum(row["mean"] * row["packets"] for row in rows) / sum(row["packets"] for row in rows)
    assert min(row["mean"] for row in rows) < mean < max(row["mean"] for row in rows)
    assert value("latency-mean", run) == value("latency-mean:crowd + victim", run) == pytest.approx(mean)
    assert value("latency-mean:victim", run) == rows[1]["mean"]
    assert value("latency-p99", run) == max(row["p99"] for row in rows)


STARVED = """
name = "short and long"
topology.single-switch.hosts = 4
links.rate = "10 Gbit/s"
traffic = [
    { name = "short", from = "H1", to = "H2", flows = "by-message", message = "2 KiB", arrivals.poisson.load = 0.2 },
    { name = "long", from = "H3", to = "H4", flows = "by-message", message = "200 KiB", arrivals.poisson.load = 0.5 },
]
measure = { duration = "2 ms" }
"""


def test_what_has_not_finished_is_told_beside_the_goals_that_do_not_know_of_it(tmp_path):
    """A limit with which long flows never end shortens the tail of the others. The comparison reports this."""
    rates = ['traffic.1.rate=["10 Gbit/s", "100 Mbit/s"]']
    asked = tune.ask(STARVED, parameters=rates, goals="fct-p99")
    made = tune.tune(asked, out=tmp_path, evaluations=2, fresh_seeds=2, workers=1)
    assert made.chosen["setting"] == {"traffic.1.rate": "100 Mbit/s"}
    tail, finished = made.beside
    assert tail.change[0] < 0 and finished.label == "finished"
    assert finished.chosen[0] < 0.98 < 0.985 < finished.stock[0]
    kept = tune.ask(STARVED, parameters=rates, goals="fct-p99", limits=["finished >= 98.5 %"])
    made = tune.tune(kept, out=tmp_path / "kept", evaluations=2, fresh_seeds=0, workers=1)
    assert made.chosen["setting"] == {"traffic.1.rate": "10 Gbit/s"}


def test_the_share_that_has_finished_is_that_of_the_class_of_the_goal():
    """Of a hundred short flows all are done, of the long ones none: 98 % said nothing about the long ones."""
    run = congestree.run(STARVED, values={"traffic.1.rate": "10 Mbit/s", "measure.probes": ["completions"]})
    begun, done = run.value("flows_started"), run.value("flows_finished")
    assert value("finished", run) == done / begun > 0.97
    assert value("finished:long", run) == 0.0 and value("finished:short", run) > 0.99
    assert sum(run.flows["flows_started"]) == begun and sum(run.flows["flows_finished"]) == done
    finished = run.completions["class"].value_counts().rows()
    assert [(c, n) for c, n in finished if n] == [
        (row["class"], row["flows_finished"]) for row in run.flows.to_dicts() if row["flows_finished"]
    ]
    asked = [goals.Goal.read(text) for text in ("fct-p99:long", "slowdown-mean", "fct-mean:short")]
    assert [goal.label for goal in goals.told_beside(asked)] == ["finished:long", "finished", "finished:short"]


def test_messages_of_a_transport_count_from_when_they_are_made():
    """Fifteen messages to one host, made at once: the last byte of the last of them completes the incast."""
    run = congestree.run(shipped.scenario_path("uec-incast"), values={"measure.warm_up": "0 s"})
    sent = run.table("transfers")
    times = (sent["finished"] - sent["created"]).to_numpy()
    assert len(times) == 15
    assert value("message-mean", run) == pytest.approx(times.mean())
    assert value("message-p99:incast", run) == pytest.approx(congestree.measures.percentile(times, 99))
    with pytest.raises(CongestreeError, match="nothing to measure message-p99:nobody"):
        take("message-p99", "nobody", run)


def test_what_cannot_be_measured_is_said(crowd):
    with pytest.raises(CongestreeError, match="nothing to measure rate:nobody"):
        take("rate", "nobody", crowd)


def test_nothing_is_measured_by_a_run_that_ends_before_its_warm_up():
    """Its rate, its share of marks and its messages were 0, which a goal could choose, and pauses ended in a traceback.

    What is of the whole run it has, as the time of its job.
    """
    program = {"text": "num_ranks 2\nrank 0 {\na: send 9999b to 1\n}\nrank 1 {\na: recv 9999b from 0\n}\n"}
    once = {"flows": "by-message", "message": "1 KiB", "arrivals": {"messages": {"count": 1}}}
    traffic = [{"name": "job", "from": ["H1", "H5"], "program": program}, {"from": "H2", "to": "H5", **once}]
    found = {}
    for probe, more in {"completions": {}, "transfers": {"traffic.1.flows": "by-pair", "scheme.preset": "irn"}}.items():
        probes = [probe, "flows", "latency", "pauses", "ports"]
        measure = {"until_jobs_end": True, "duration": "1 ms", "warm_up": "100 us", "probes": probes}
        run = congestree.run(CROWD, values={"traffic": traffic, "measure": measure, "links.flow_control": "pfc"} | more)
        assert run.value("measured") == 0 and len(run.table(probe)) > 0
        there = {name: one for name, one in MEASURES.items() if set(one.probes) <= set(probes) and name != "summary"}
        found |= {name: one.take(run, "H5" if name == "use" else None) for name, one in there.items()}
    assert found.keys() == MEASURES.keys() - {"summary"}
    assert {name for name, number in found.items() if not math.isnan(number)} == {"job", "finished"}
    with pytest.raises(CongestreeError, match="nothing to measure arrived"):
        value("arrived", run)


def test_messages_that_have_not_arrived_are_told_beside_goals_that_do_not_know_of_them(tmp_path):
    """In half the time only the fastest of fifteen messages arrive, so that the latency of messages looks better."""
    incast = shipped.scenario_path("uec-incast")
    values = {"measure.warm_up": "0 s"}
    asked = tune.ask(
        incast, values=values, parameters=['measure.duration=["1 ms", "600 us"]'], goals=["message-p99:incast"]
    )
    made = tune.tune(asked, out=tmp_path, evaluations=2, fresh_seeds=3, workers=1)
    assert made.chosen["setting"] == {"measure.duration": "600 us"}
    tail, arrived = made.beside
    assert tail.better and arrived.label == "arrived:incast" and arrived.better is not True
    assert 0 < arrived.chosen[0] < 15 and arrived.stock[0] == 15
    kept = tune.ask(
        incast, values=values, parameters=asked.space.parameters, goals=["message-p99"], limits=["arrived >= 15"]
    )
    made = tune.tune(kept, out=tmp_path / "kept", evaluations=2, fresh_seeds=0, workers=1)
    assert made.chosen["setting"] == {"measure.duration": "1 ms"}
    assert goals.told_beside(kept.asked.values()) == []


def test_numbers_of_the_summary_have_their_units(crowd):
    units = {row["name"]: row["unit"] for row in crowd.table("summary").to_dicts() if row["unit"]}
    assert units == quantities.SUMMARY_UNITS
    assert Goal.read("min summary:blocked").in_words(3.43e-6) == "3.43 us"
    assert Limit.read("summary:blocked <= 3 us").bound == pytest.approx(3e-6)


def test_the_direction_can_be_turned_round():
    assert (Goal.read("rate:a").best, Goal.read("min rate:a").best) == ("max", "min")
    assert Goal.read("min summary:marked").unit == ""
    assert Goal.read("rate:a").better(2, 1) and Goal.read("slowdown-p99").better(1, 2)
    assert Goal.read("rate:a").more_is_better and not Goal.read("min rate:a").more_is_better
    assert Limit.read("rate:a >= 1 Gbit/s").more_is_better and not Limit.read("rate:a <= 1 Gbit/s").more_is_better


def test_limits_have_units():
    assert Limit.read("rate:a >= 10 Gbit/s").bound == 1e10
    assert Limit.read("latency-p99 <= 30 us").bound == pytest.approx(3e-5)
    assert Limit.read("pauses<=5%").bound == 0.05
    assert Limit.read("rate:a >= 10 Gbit/s").missed(9e9) == 1e9


def test_conditions_are_all_combinations_with_every_slow_link():
    found = ask(CROWD, vary={"links.delay": ["1 us", "2 us"]}, degrade=["S1->S2=4 Gbit/s"]).conditions
    assert [c.label for c in found] == [
        "delay 1 us", "delay 1 us, slow S1->S2=4 Gbit/s", "delay 2 us", "delay 2 us, slow S1->S2=4 Gbit/s",
    ]  # fmt: skip


def test_a_slow_link_is_slow_both_ways_and_nothing_else_changes():
    scenario, before, link = inner_link("windy-forest")
    after = congestree.network(conditions.degraded(scenario, f"{link['b']}->{link['a']}=1 Gbit/s"))
    same = ("hosts", "switches", "routes")
    assert [after[key] for key in same] == [before[key] for key in same]
    changed = [(x, y) for x, y in zip(before["links"], after["links"], strict=True) if x != y]
    assert [(x["a"], x["b"]) for x, _ in changed] == [(link["a"], link["b"])]
    assert changed[0][1]["rate"] == changed[0][1]["rate_back"] == 10**9


def test_one_of_parallel_links_is_named_as_tables_and_explain_name_it():
    """The second link of a spine to a leaf, seen from either end; without a number all of them."""
    pair = [{"a": "leaf", "port_a": a, "b": "spine", "port_b": b} for a, b in ((3, 1), (1, 3), (2, 2))]
    hosts = [{"a": "h", "b": "leaf", "port_b": 9}, {"a": "g", "b": "spine", "port_b": 9}]
    graph = {"hosts": ["h", "g"], "switches": ["leaf", "spine"], "links": hosts + pair}
    scenario = {"topology": {"graph": graph}, "links": {"rate": "8 Gbit/s"}, "traffic": [{"from": "h", "to": "g"}]}
    scenario = congestree.check(scenario | {"measure": {"duration": "1 us"}})["scenario"]
    for name, ports in {"leaf->spine (1)": [1], "spine->leaf (1)": [3], "leaf->spine": [1, 2, 3]}.items():
        after = congestree.network(conditions.degraded(scenario, f"{name}=1 Gbit/s"))["links"]
        assert sorted(link["port_a"] for link in after if link["rate"] == 10**9) == ports, name
    assert len(congestree.network(conditions.degraded(scenario, "leaf->spine (2)=down"))["links"]) == 4
    with pytest.raises(AskedError, match=r"There is no link 'leaf->spine \(4\)'"):
        conditions.degraded(scenario, "leaf->spine (4)=1 Gbit/s")


def test_where_ways_must_be_equal_a_link_is_down():
    scenario, before, link = inner_link("roce-incast")
    name = f"{link['a']}->{link['b']}"
    for route, switching in (("ecmp", "cut-through"), ("least-queue", "store-and-forward")):
        other = congestree.check(scenario, values={"scheme.route": route, "switches.switching": switching})["scenario"]
        with pytest.raises(AskedError, match=f"Write {name}=down"):
            conditions.degraded(other, f"{name}=1 Gbit/s")
    # To a hash links of different rates are the same, and whole packets may be sent over any.
    whole = congestree.check(scenario, values={"switches.switching": "store-and-forward"})["scenario"]
    slow = congestree.network(conditions.degraded(whole, f"{name}=1 Gbit/s"))
    assert sum(x["rate"] == 10**9 for x in slow["links"]) == 1
    after = congestree.network(conditions.degraded(scenario, f"{name}=down"))
    assert len(after["links"]) == len(before["links"]) - 1
    assert not any({x["a"], x["b"]} == {link["a"], link["b"]} for x in after["links"])


def inner_link(name):
    """A shipped scenario, its network, and a link between two switches of it."""
    scenario = congestree.check(shipped.scenario_path(name))["scenario"]
    network = congestree.network(scenario)
    hosts = set(network["hosts"])
    return scenario, network, next(x for x in network["links"] if not {x["a"], x["b"]} & hosts)


def test_the_network_written_out_carries_the_same_packets():
    """With the link at its own rate nothing is slow: the same packets at the same times."""
    scenario = congestree.check(CROWD)["scenario"]
    same = conditions.degraded(scenario, "S1->S2=16 Gbit/s")
    assert congestree.run(same).fingerprint == congestree.run(scenario).fingerprint


def test_the_beginning_of_a_run_is_the_same_packets_at_the_same_times():
    whole = congestree.check(WEB, values={"measure.probes": ["deliveries"]})["scenario"]
    part = beginning(whole, 0.3)
    all_rows, first = (congestree.run(scenario).deliveries for scenario in (whole, part))
    end = 0.3 * 400e6  # ps
    same = all_rows.filter(all_rows["time_ps"] < end)
    assert 0 < len(same) < len(all_rows)
    assert same.equals(first.filter(first["time_ps"] < end))


def test_the_worst_condition_counts_or_the_mean():
    question = ask(CROWD)
    for over, best, expected in (("mean", "max", 2.0), ("worst", "max", 1.0), ("worst", "min", 3.0)):
        asked = ask(CROWD, over=over) if over == "worst" else question
        assert together(asked, Goal("rate", None, best), [1.0, 2.0, 3.0]) == expected
    assert together(ask(CROWD, over="worst"), Limit("rate", None, "<=", 1.0), [1.0, 3.0]) == 3.0
    assert together(ask(CROWD, over="worst"), Limit("rate", None, ">=", 1.0), [1.0, 3.0]) == 1.0


def test_a_setting_must_do_well_everywhere(tmp_path):
    pytest.importorskip("optuna")
    question = ask(
        CROWD, goals=["rate:victim"], vary={"traffic.0.to": ["H5", "H6"]}, degrade=["S1->S2=4 Gbit/s"], over="worst"
    )
    made = tune.tune(question, out=tmp_path, evaluations=2, fresh_seeds=0, workers=1)
    for trial in made.trials:
        values = trial["conditions"]["rate:victim"]
        assert len(values) == 4
        assert trial["goals"]["rate:victim"] == min(values.values())
        assert not any(math.isnan(v) for v in values.values())


POISSON = CROWD.replace(', jitter = "2 us"', ", arrivals.poisson.load = 0.4").replace(
    'to = "H4" }', 'to = "H4", arrivals.poisson.load = 0.5 }'
)


def test_a_measure_that_is_goal_and_limit_counts_each_fresh_seed_once(tmp_path):
    """The mean and the interval next to stock are those of three runs, computed here from the runs themselves."""
    asked = tune.ask(
        POISSON, parameters=["adapters.window=1..3"], goals="rate:victim", limits=["rate:victim >= 1 Mbit/s"]
    )
    made = tune.tune(asked, out=tmp_path, evaluations=3, fresh_seeds=3, workers=1)
    (row,) = made.beside
    rates = {}
    for which, setting in (("stock", None), ("chosen", made.chosen["setting"])):
        scenarios = asked.runs(setting, fresh.seeds(asked, 3)).values()
        rates[which] = [congestree.run(scenario).class_rates()["victim"] for scenario in scenarios]
        mean, half = statistics.mean(rates[which]), 4.303 * statistics.stdev(rates[which]) / math.sqrt(3)
        assert getattr(row, which) == pytest.approx((mean, half))
        assert half > 0


@pytest.mark.parametrize(
    ("limits", "keeps"),
    [
        (["rate:crowd >= 0.5 Gbit/s", "rate:crowd <= 3 Gbit/s"], True),
        (["rate:crowd >= 0.5 Gbit/s", "rate:crowd <= 1.5 Gbit/s"], False),
    ],
)
def test_two_limits_of_one_measure_have_each_their_own_worst_condition(tmp_path, limits, keeps):
    """The crowd offers a tenth and a quarter of its links, 0.8 and 2 Gbit/s each."""
    asked = tune.ask(
        POISSON,
        parameters=["adapters.window=7..8"],
        goals="rate:victim",
        limits=limits,
        vary={"traffic.0.arrivals.poisson.load": [0.1, 0.25]},
        over="worst",
    )
    if not keeps:
        with pytest.raises(CongestreeError, match="keeps the limits"):
            tune.tune(asked, out=tmp_path, evaluations=2, fresh_seeds=0, workers=1)
        return
    made = tune.tune(asked, out=tmp_path, evaluations=2, fresh_seeds=2, workers=1)
    lowest, highest = made.chosen["limits"].values()
    assert (lowest, highest) == (min(x := made.chosen["conditions"]["rate:crowd"].values()), max(x))
    assert lowest < 1.5e9 < highest
    assert [row.label for row in made.beside] == ["rate:victim", "rate:crowd", "rate:crowd <="]
    assert made.evaluations["rate:crowd"].max() < made.evaluations["rate:crowd <="].min()


def test_one_fresh_seed_tells_no_difference(tmp_path, congestree_cli):
    (tmp_path / "crowd.toml").write_text(POISSON)
    words = ("tune", tmp_path / "crowd.toml", "--param", "adapters.window=1..3", "--goal", "rate:victim", "-n", 3)
    done = congestree_cli(*words, "--fresh", 1, "--out", tmp_path / "out")
    assert "On one fresh seed, which has no interval" in done.stdout
    assert "no difference to be sure of" in done.stdout and "better" not in done.stdout


def test_a_scenario_that_cannot_be_measured_as_it_stands_ends_no_search(tmp_path, congestree_cli):
    """At a tenth of the rate no long flow ends. The search finds the rate at which they do, and reports it."""
    (tmp_path / "never.toml").write_text(STARVED.replace("0.5 }", '0.5, rate = "10 Mbit/s" }'))
    words = ("tune", tmp_path / "never.toml", "--param", 'traffic.1.rate=["10 Mbit/s", "5 Gbit/s"]')
    words += ("--goal", "fct-p99:long", "-n", 2, "--fresh", 2, "--out", tmp_path / "out")
    done = congestree_cli(*words)
    assert done.returncode == 0, done.stderr
    assert "As it stands it could not be measured: as it is, seed 1000001: there is nothing" in done.stdout
    text = (tmp_path / "out" / "result.json").read_text()
    rows = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))["fresh seeds"]["beside"]
    assert [row["measure"] for row in rows] == ["fct-p99:long", "finished:long"]
    assert all(row["why"] and row["better"] is None for row in rows)
