"""What the texts of the comparison with DeepEP say about its adopted results."""


def sentences(of):
    static = {op: of.value("deepep-static")[op] for op in ("dispatch", "combine")}
    means = [float(number) for by_ranks in static.values() for number in by_ranks.values()]
    draws = [draw for by_ranks in static.values() for number in by_ranks.values() for draw in number.values]
    slow = [float(of.value("deepep-control")[f"{op}, {ways}"][ranks]) for op, ways, ranks in SLOWED]
    few, many = (static["dispatch"][ranks].values for ranks in ("16", "64"))
    return {
        "README.md": [
            f"On the mean of the draws static and adaptive routes differ by {100 * away(means):.0f} % at most, in single "
            f"draws by up to {100 * away(draws):.0f} %",
            f"makes rows of more than 8 ranks {min(slow):.2f} to {max(slow):.1f} times as long",
        ],
        "claims.toml": [
            f"static routes are {100 * (max(few) - 1):.0f} per cent slower in one of five draws and "
            f"{100 * (1 - min(few)):.0f} per cent faster in another, in that of 64 ranks {100 * (1 - min(many)):.0f} per "
            "cent faster in one",
        ],
    }


SLOWED = [
    (operation, ways, ranks)
    for operation in ("dispatch", "combine")
    for ways in ("static", "adaptive")
    for ranks in ("16", "32", "64", "128", "256")
]


def away(ratios):
    """The furthest from 1."""
    return max(abs(ratio - 1) for ratio in ratios)
