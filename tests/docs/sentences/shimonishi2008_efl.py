"""What the texts of EFL say about its adopted results."""

import numpy as np

from . import half

LEAD = "efl-s5-prediction-earlier"
ROUND_TRIPS = "by one or two round trips, {:.1f} ± {:.1f} on average of 16 draws"


def sentences(of):
    return {"README.md": readme(of), "claims.toml": [*deviations(of), *undecided(of)]}


def readme(of):
    peak, rise = (of(LEAD, f"'at {when}'") for when in ("the peak", "half rise"))
    predicted, measured, literal, as_measured = (
        of("efl-fig6-catch-up", f"'{what}'")
        for what in (
            *("predicted", "measured"),
            *("predicted, eq. (4) read literally", "measured, eq. (4) read literally"),
        )
    )
    probe, proposed = (of("efl-fig9-reaction-200", f"'{scheme}'") for scheme in ("bwprobe", "proposed"))
    short, plain, fills = (
        of("efl-fig10-half-of-bwprobe"),
        of("efl-fig10-plain-short", "'3 kB'"),
        of("efl-fig7-plain-13ms", "'sends at 95 % of the link'"),
    )
    assert 2 <= rise.values[rise.values > 1.5].mean() <= 2.1 and rise.values[rise.values < 1.5].mean() <= 1.1
    return [
        f"leads it by {peak:.1f} round trips at the peak",
        f"The prediction leads {ROUND_TRIPS.format(rise, half(rise))}, while the queue grows, but by {peak:.1f} at its peak",
        f"{predicted:.0f} and {measured:.0f} us of error over 16 draws of starts. With equation (4) read literally it is: "
        f"{literal:.0f} and {as_measured:.0f}",
        f"BW probe reacts to two more flows after {probe:.0f} us, not 200; Proposed after {proposed:.0f} us",
        f"Very short transfers take {short:.2f} of the time with BW probe",
        f"Blocks of 3 kB take {plain:.2f} times as long with Plain as with Proposed",
        f"here it takes {fills:.1f} ms",
    ]


def deviations(of):
    rise = of(LEAD, "'at half rise'")
    further = of("efl-fig6-catch-up", "'predicted' - 'measured'")
    plain = of("efl-fig10-plain-short", "'3 kB'")
    longest = of("efl-fig11-p95-proposed")
    ratio, tcp = of("efl-abstract-10x-tcp"), of("efl-fig10-tcp-long")
    return [
        f"At half the rise it leads {ROUND_TRIPS.format(rise, half(rise))}",
        f"In {(further.values > 0).sum()} of 16 draws of start times it is further off, by {further:.1f} us on average",
        f"{(plain.values > 1.5).sum()} of 16 seeds are above 1.5",
        f"{(longest.values < 1.3).sum()} of {len(longest.values)} seeds are below 1.3 ms, and half of all are below {np.median(longest.values):.2f}",
        f"on average, it is {longest.high:.1f}",
        f"{(ratio.values > 5).sum()} of {len(ratio.values)} seeds are above 5",
        f"instead of {tcp:.3f} ± {half(tcp):.3f} (16 seeds)",
    ]


def undecided(of):
    queue, probe = (of("efl-s4-tcp-queue", f"'{scheme}'['mean queueing delay, us']") for scheme in ("tcp", "bwprobe"))
    tcp, proposed = (of("efl-s4-tcp-queue", f"'{scheme}'['packets lost']") for scheme in ("tcp", "proposed"))
    none = [f"{(lost.values == 0).sum()} of {len(lost.values)}" for lost in (proposed, tcp)]
    assert round(tcp.mean / proposed.mean) == 3
    return [
        f"The statement about delay holds ({queue:.0f} us, BW probe {probe:.0f}). Losses of TCP are three times those of Proposed on "
        f"average, not ten: {none[0]} seeds lose no packet with Proposed and {none[1]} none with TCP, and one seed loses {1e5 * proposed.high:.0f} in 100,000 with Proposed",
    ]
