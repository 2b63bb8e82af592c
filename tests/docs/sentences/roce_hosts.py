"""What the texts of the limits of adapters say about its runs and adopted results."""

from congestree.gallery import shipped


def sentences(of):
    seeds = shipped.module("roce-hosts", "runs").SEEDS
    step, ramp = ([of(f"dcqcn-four{marks}", f"'{which}'") for which in ("least", "most")] for marks in ("", "-ramp"))
    joins = of("dcqcn-joins-ramp")
    above = [100 * (of("fixed-cost-step", f"'16'['{size}']").mean - 1) for size in (4, 256)]
    (apart,), (one,) = (of.noted(id, r"([\d.]+) GB/s here") for id in ("fixed-cost-64", "fixed-cost-64-one"))
    return {
        "README.md": [
            f"# DCQCN with {seeds} seeds",
            f"over {len(step[0].values)} seeds the slowest has {step[0]:.1f} Gbit/s and the fastest {step[1]:.1f}",
            f"{ramp[0]:.1f} to {ramp[1]:.1f} Gbit/s, and {joins.low:.0f} to {joins.high:.0f} ms until",
            f"by {above[0]:.0f} % with 16 messages of a packet each and by {above[1]:.1f} % at 256 KiB",
            f"between the {apart} of queue pairs in step and the {one} of one queue pair",
        ],
        "claims.toml": [f"with the ramp for a tenth of a second {ramp[0]:.1f} and {ramp[1]:.1f}"],
    }
