"""What the texts of the tuner's page say about its adopted results."""

from . import half

GRIDS = {"testbed": "test bed", "forest72": "72 hosts", "forest648": "648 hosts"}


def sentences(of):
    shorter, give = of.noted("tune-websearch-random", r"differs from .* by -([\d.]+)% ± ([\d.]+)%")
    tails = [of("tune-websearch-random", f"'{name}'") for name in ("dcqcn-vendor", "dcqcn-paper", "random", "tpe")]
    vendor, paper = of("tune-websearch-vendor"), of("tune-websearch-paper")
    return {
        "README.md": [
            *near(of),
            f"its choice has a {-100 * vendor:.0f} % shorter tail than DCQCN's vendor preset",
            "| " + " | ".join(f"{tail:.2f}" for tail in tails) + " |",
            f"by more than 10 %; it is {-100 * vendor:.0f} % ± {100 * half(vendor):.0f} %, seed by seed",
            f"not about 10 % but {-100 * paper:.0f} % ± {100 * half(paper):.0f} %",
            f"the tuner's tail is {shorter} % ± {give} % shorter",
        ]
    }


def near(of):
    """How many settings of a grid are near its best, and when the five searches had one."""
    said, latest = [], []
    for part, grid in GRIDS.items():
        for goal in ("victim", "root", "fairness"):
            after, count, every = of.noted(
                f"tune-{part}-{goal}", r"near after ([\d, ]+) evaluations;.*? (\d+) of (\d+) settings"
            )
            numbers = sorted(map(int, after.split(", ")))
            latest += numbers
            said.append(f"{int(count):,} of {int(every):,} | {', '.join(map(str, numbers))} |")
        said.append(f"| {grid} |")
    runs = [int(of.noted(f"tune-{part}-victim", r"(\d+) runs say")[0]) for part in ("forest72", "forest648")]
    return [
        *said,
        f"setting after at most {max(latest)} of 100 evaluations",
        f"{runs[0]:,} runs gave the results of all 2,808 settings on 72 hosts, and {runs[1]:,} on 648",
    ]
