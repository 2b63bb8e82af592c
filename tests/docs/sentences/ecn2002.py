"""What the texts of the companion of HPL-2002-4 say about its adopted results."""


def sentences(of):
    shares, used = of("ecn2002-fig3d", "'remote / local'"), of("ecn2002-fig3b-order", "'inter-switch utilisation'")
    blocked, victim = (of("ecn2002-s3-proactive", f"'{what}'") for what in ("blocked", "victim, locals paced too"))
    fairer = of("ecn2002-fig3b-order", "'local share, naive' - 'local share, input-triggered'")
    ratios = [of("ecn2002-fig4b-m1", f"'threshold 8'['{slots}']").mean for slots in (6, 8, 10, 12, 14, 16, 20)]
    return {
        "README.md": [
            f"the victim gets {100 * of('ecn2002-fig2-victim'):.0f} % of the inter-switch link",
            f"no blocking | blocked {100 * blocked:.0f} %",
            f"the victim then gets {victim:.2f} by the phases",
            f"high (> 0.85) | {used:.2f} |",
            f"about 1 | {shares:.2f} |",
            f"From 6 slots on the ratio is {min(ratios):.1f} to {max(ratios):.1f}",
        ],
        "claims.toml": [
            f"It is fairer than naive by {fairer:.2f}",
            f"the inter-switch link is used to {used:.2f} instead of 0.85",
            f"The root link is used to {of('ecn2002-fig3d', repr('root utilisation')):.2f}",
        ],
    }
