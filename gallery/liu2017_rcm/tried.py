"""Changes tried for the claims that are not reproduced: ``python -m gallery.common.tried liu2017-rcm``.

The number of flows that an output remembers as harmful (OQ-R02), and the time over which it measures windows (OQ-R03).
"""

from functools import partial

from ..common.tried import Change


def paced(scenario, **more):
    """Other keys of RCM, where a scenario has it."""
    scheme = scenario["scheme"]
    if "schedule" not in scheme:
        return scenario
    return scenario | {"scheme": scheme | {"schedule": {"rcm": scheme["schedule"]["rcm"] | more}}}


def level(scenario, **more):
    """A scenario with switches whose crossbar is as fast as the links: nothing waits at outputs, all at inputs."""
    switches = {key: value for key, value in scenario["switches"].items() if key != "output_buffer"}
    return paced(scenario, **more) | {"switches": switches}


FIGURE_6 = (
    "rcm-fig6-burst-first-50",
    "rcm-fig6-incast-12.5",
    "rcm-fig6-burst-cut-25",
    "rcm-fig6-incast-recover",
    "rcm-fig6-rcm-absorbs",
)
WINDOWS = (
    ("", "", {}),
    ("-window", ", and windows are measured over 2 us, not 10", {"least_window": "2 us"}),
    ("-always", ", and windows are counted all the time", {"windows_measured": "always"}),
    (
        "-short",
        ", and windows are counted all the time, over 2 us",
        {"windows_measured": "always", "least_window": "2 us"},
    ),
)
LOOKS = (
    ("memory", "", {}),
    ("looks", ", and each look is written over the oldest", {"flow_entries": "one-a-sample"}),
)
TRIED = [
    Change(
        f"{name}-{flows}{word}",
        f"an output remembers {flows} {'flow' if flows == 1 else 'flows'} as harmful, not 16{written}{said}",
        FIGURE_6,
        ("burst_by-",),
        partial(paced, flows=flows, **how, **more),
    )
    for name, written, how in LOOKS
    for flows in (1, 2, 4)
    for word, said, more in WINDOWS[:3]
]
TRIED += [
    Change(
        "short-looks-2",
        "an output remembers the flows of the last two looks, and windows are counted all the time, over 2 us",
        FIGURE_6,
        ("burst_by-",),
        partial(paced, flows=2, **LOOKS[1][2], **WINDOWS[3][2]),
    )
]
TRIED += [
    Change(
        f"level{name}{word}",
        f"nothing waits at outputs{of}{said}",
        FIGURE_6,
        ("burst_by-",),
        partial(level, **how, **more),
    )
    for name, of, how in (
        ("", "", {}),
        ("-looks-2", ", an output remembers the flows of the last two looks", {"flows": 2} | LOOKS[1][2]),
    )
    for word, said, more in WINDOWS
]
