"""What the texts of the comparison with HPCC's figures say about its scenarios and adopted results."""

import math

import numpy as np

from congestree.gallery import shipped

SIZES = ("6.7kb", "50kb", "200kb", "1mb", "30mb")
INT, PINT, TIMELY = "HPCC-INT", "HPCC-PINT", "TIMELY+w"


def sentences(of):
    near = f"mean is within {nearest(of)} % of a bound, and its interval includes the bound"
    return {
        "README.md": [
            packets(),
            *rows(of),
            f"the mean lies within {nearest(of)} % of a bound, and its interval includes the bound",
        ],
        "claims.toml": [f"their {near}", *order(of)],
        "summary.toml": [range_of_timely(of)],
    }


def packets():
    """Of each scheme, as its scenario has them."""
    scenario = shipped.module("hpcc2019", "scenario")
    adapters = {scheme: scenario.common("web", 1, scheme)["adapters"] for scheme in scenario.SCHEMES}
    acks = {scheme: int(found["ack"].split()[0]) for scheme, found in adapters.items()}
    more = {scheme: int(found["header"].split()[0]) - scenario.HEADER for scheme, found in adapters.items()}
    (usual,) = {size for scheme, size in acks.items() if scheme != INT}
    assert [scheme for scheme, size in more.items() if size == 0] == ["DCQCN+w", "DCTCP"]
    return (
        f"{scenario.PAYLOAD:,} B of payload and {scenario.HEADER} B of headers, ACKs of {usual} B, with HPCC-INT {acks[INT]} B "
        f"({acks[INT] - more[INT]} and {more[INT]} of telemetry); data packets have {more[INT]} B more with HPCC-INT, "
        f"{more[TIMELY]} B with TIMELY and {more[PINT]} B with PINT"
    )


def claim(scheme, size):
    return f"hpcc2019-{scheme.lower()}-50-{size}"


def rows(of):
    """The table of slowdowns: three digits, the published value in brackets."""
    said = []
    for scheme in (INT, PINT, "DCQCN+w", TIMELY, "DCTCP"):
        cells = [(of(claim(scheme, size)), of.texts[claim(scheme, size)]["target"]) for size in SIZES]
        said.append(f"| {scheme} | " + " | ".join(f"{here:#.3g} ({there:g})" for here, there in cells) + " |")
    return said


def nearest(of):
    """How near to a bound all means are that the page calls near, per cent."""
    expect = shipped.module("hpcc2019", "expect")
    ids = [f"hpcc2019-{scheme}-50-{size}" for scheme, sizes in expect.UNSETTLED.items() for size in sizes]
    undecided = {id for id, row in of.rows.items() if row["verdict"] == "undecided"}
    assert undecided == {*ids, "hpcc2019-timely+w-50-6.7kb", "hpcc2019-order-50-30mb"}
    gaps = []
    for id in ids:
        low, high = (float(bound) for bound in of.texts[id]["accept"].split(" to "))
        gaps.append(min(abs(of(id).mean / bound - 1) for bound in (low, high)))
    return math.ceil(100 * max(gaps))


def order(of):
    """How often the order of 30 MB is the published one."""
    rates = {
        scheme: of("hpcc2019-order-50-30mb", f"'{scheme}'").values for scheme in (INT, PINT, "DCQCN+w", TIMELY, "DCTCP")
    }
    above = rates[TIMELY] - rates[PINT]
    published = (
        (np.maximum(rates["DCTCP"], rates["DCQCN+w"]) < rates[TIMELY]) & (above < 0) & (rates[TIMELY] < rates[INT])
    )
    assert (published.sum(), len(published)) == (5, 7) and (published == (above < 0)).all()
    return [
        f"in the others TIMELY is above HPCC-PINT by {above[above > 0].min():.3f} to {above.max():.2f}. The means of the two are "
        f"{rates[TIMELY].mean():.2f} and {rates[PINT].mean():.2f}",
        f"DCTCP has {of(claim('DCTCP', '6.7kb')):.2f}, and TIMELY {of(claim(TIMELY, '6.7kb')):.2f}",
    ]


def range_of_timely(of):
    found = of(claim(TIMELY, "1mb"))
    return f"flows of 1 MB with TIMELY is between {found.low:.1f} and {found.high:.1f} in seven draws"
