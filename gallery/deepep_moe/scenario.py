"""One fabric of 256 adapters; an exchange of experts on some of them, and disturbing traffic on others.

    servers 0 to EP/8 - 1    the exchange: 8 accelerators each, their links inside, 8 adapters
    servers 8 to 30          the disturbing traffic
    server 31, adapter 0     storage, or the receiver that is slow

Every value is a reading that the README lists. There is one set of them.
"""

from congestree.runs import running

PUBLISHED = {
    "dispatch": {8: 77, 16: 118, 32: 155, 64: 173, 128: 192, 256: 194},
    "combine": {8: 114, 16: 195, 32: 273, 64: 314, 128: 369, 256: 360},
}
"""DeepEP, low-latency kernels on H800 with ConnectX-7 of 400 Gbit/s: us, by operation and number of ranks."""
RANKS = tuple(PUBLISHED["dispatch"])
TOKENS, CHOSEN, EXPERTS = 128, 8, 256
SERVERS, RAILS = 32, 8
RATE, INSIDE = "400 Gbit/s", "1280 Gbit/s"
"""Of adapters, and of links inside a server: 160 GB/s, as DeepEP's page gives for the H800."""
STUDY_RANKS, STUDY_LAYERS = 64, 2
FIRST = STUDY_RANKS
"""The first host that has no rank of the study's exchange."""
STORAGE = f"h{(SERVERS - 1) * RAILS}"
WAYS = {"static": None, "adaptive": "least-queue"}


ROUNDS = 10
"""Exchanges of the table, one after the other without a barrier. DeepEP's test program makes 30."""


def row(name, ranks, control, ways, draw=1):
    """A row of the table: exchanges with the same experts each, until every rank has received its data."""
    scenario = exchange(name, ranks, control, ways) | {"seed": draw}
    scenario["traffic"][0]["job"]["repeat"] = ROUNDS
    scenario["measure"]["probes"] = ["messages"]
    return scenario


def exchange(name, ranks, control, ways, *, exponent=0, layers=1, others=(), slow=None):
    """An exchange of this many ranks. `exponent`: of Zipf's law for the popularity of experts; `others`: more entries
    of traffic; `slow`: the rate of the link to the storage host, if it differs from the others."""
    gate = {"experts": EXPERTS, "chosen": CHOSEN}
    gate = {"zipf": {**gate, "exponent": exponent}} if exponent else {"uniform": gate}
    scheme = {"preset": "ib-cc"} if control == "on" else {}
    if WAYS[ways]:
        scheme["route"] = WAYS[ways]
    return {
        "name": name,
        "seed": 1,
        **fabric(ways, slow),
        "links": {"rate": RATE, "delay": "100 ns", "flow_control": {"byte-credits": {"credit_delay": "0 ns"}}},
        "switches": {"buffer": "256 KiB", "forwarding_delay": "200 ns"},
        "adapters": {"mtu": "4 KiB", "header": "26 B", "node": {"hosts": RAILS, "rate": INSIDE}},
        "scheme": scheme,
        "traffic": [
            {
                "name": "moe",
                "from": "all",
                "job": {"ranks": ranks},
                "program": {"moe": {"tokens": TOKENS, "layers": layers, "gate": gate}},
            },
            *others,
        ],
        "measure": {"duration": "50 ms", "until_jobs_end": True},
    }


def fabric(ways, slow):
    """Leaves by rail, each with 32 links down and 32 up, to four spines of 64 ports."""
    clos = {"down": [SERVERS, RAILS], "up": [4], "bundle": [8], "rails": RAILS}
    if slow is None:
        return {"topology": {"clos": clos}}
    links = {"rate": RATE, "delay": "100 ns"}
    traffic = [{"from": "h0", "to": "h1"}]
    plain = {"topology": {"clos": clos}, "links": links, "traffic": traffic, "measure": {"duration": "1 us"}}
    network = running.network(running.check(plain)["scenario"])
    graph = {"hosts": network["hosts"], "switches": network["switches"], "links": []}
    hosts = set(graph["hosts"])
    for found in network["links"]:
        entry = {"a": found["a"], "b": found["b"]}
        entry |= {f"port_{end}": found[f"port_{end}"] for end in "ab" if found[end] not in hosts}
        if STORAGE in (found["a"], found["b"]):
            entry["rate" if found["b"] == STORAGE else "rate_back"] = slow
        graph["links"].append(entry)
    # Schemes that choose among shortest paths have no fixed routes.
    routing = {"ports": network["routes"]} if ways == "static" else "shortest-path"
    return {"topology": {"graph": graph}, "routing": routing}


def study(name, kind, much, control, ways):
    """The study's exchange, with this much of one kind of disturbance; without any: `quiet`."""
    more = {"quiet": quiet, "skew": skew, "tenant": tenant, "storage": storage, "slow": slow_receiver}[kind](much)
    return exchange(name, STUDY_RANKS, control, ways, layers=STUDY_LAYERS, **more)


def quiet(_):
    """Nothing."""
    return {}


def skew(exponent):
    """Some experts are more popular."""
    return {"exponent": exponent}


def tenant(load):
    """All other adapters send to each other at this share of their links, in messages of 64 KiB."""
    others = [f"h{host}" for host in range(FIRST, SERVERS * RAILS)]
    uniform = {"hot-spot": {"to": others, "fraction": 1.0}}
    entry = {"name": "tenant", "from": others, "pattern": uniform, "message": "64 KiB"}
    return {"others": [{**entry, "arrivals": {"poisson": {"load": load}}}]}


def storage(writers):
    """This many adapters, spread over servers and rails, write to one host as fast as they can."""
    free = (SERVERS - 1) * RAILS - FIRST
    named = [f"h{FIRST + k * free // writers}" for k in range(writers)]
    return {"others": [{"name": "storage", "from": named, "to": STORAGE}]}


def slow_receiver(gbps):
    """Four adapters send to a host whose link brings no more than this."""
    return {**storage(4), "slow": f"{gbps} Gbit/s"}
