"""What the claims of the comparison of all schemes, and its README, say about its adopted results.

`test_schemes.py` holds the result in a paragraph (`summary.toml`) against them.
"""


def sentences(of):
    def incast(case, name):
        return of(f"every-{case}", f"'incast'['{name}']")

    ccfit, ecocc = (100 * incast(f"credits-{scheme}", "victim") for scheme in ("ccfit", "ecocc"))
    vendor, hpcc, power = (incast(f"pfc-{scheme}", "queued") for scheme in ("dcqcn-vendor", "hpcc", "power"))
    filled = [incast(f"pfc-{scheme}", "hot link") for scheme in ("hpcc", "power", "dcqcn-vendor")]
    return {
        "README.md": [f"of their links instead of {ccfit:.0f} and {ecocc:.0f} (over credits;"],
        "claims.toml": [
            f"so that switches hold only {incast('pfc-dcqcn', 'queued'):.1f} packets on average. With HPCC and PowerTCP they hold "
            f"{hpcc:.1f} and {power:.1f}, at {filled[0]:.2f} and {filled[1]:.2f} of the link. With the timers that adapters use, DCQCN fills "
            f"{filled[2]:.2f} of the link and switches hold {vendor:.0f}",
            f"switches hold {vendor:.1f} packets with DCQCN, more than with HPCC and PowerTCP ({hpcc:.1f} and {power:.1f})",
            f"and so do pauses ({incast('pfc-rcm', 'pauses'):.0f} frames per millisecond)",
            f"With a timer of 8 us they still have {ccfit / 100:.2f}",
        ],
    }
