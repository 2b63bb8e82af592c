"""What the texts of HPL-2002-4 say about its adopted results."""

from . import half

FIG7 = "hpl2002-fig7-lipd-root"


def sentences(of):
    shares, loaded = of("hpl2002-fig4d-equal"), of("hpl2002-s5-marks-per-event", "'remote, as loaded'")
    marks, blocked = of("hpl2002-s5-marks-per-event", "'remote'"), of("hpl2002-s3-proactive-rate", "'blocked'")
    limited = of("hpl2002-fig2b-bypass-artefact", "'root, limit 4'")
    discrete = "hpl2002-fig7-discrete-equals-continuous"
    stuck = of(discrete, "'lipd, inter-switch'['2']")
    short = [of(discrete, f"-1 * 'aimd, inter-switch'['{slots}']").mean for slots in (3, 4, 5, 6, 8, 10)]
    overall = "hpl2002-s7-overall"
    static = {name: of(overall, f"'root, static'['{name}'][5]") for name in ("fimd", "aimd")}
    behind = static["aimd"] - static["fimd"]
    between = f"{of(FIG7, repr('inter-switch') + '[4]'):.2f} to {of(FIG7, repr('inter-switch') + '[10]'):.3f}"
    return {
        "README.md": [
            f"The link between the switches is used to {between} under LIPD, not 0.85",
            f"no blocking | blocked {100 * blocked:.0f} %",
            f"root only: {limited:.3f} with",
            f"> 0.85 | {between} |",
            f"about 1 | {shares:.2f} |",
            f"3 to 4.2 | {marks:.1f} |",
            f"as loaded it is {loaded:.1f}",
            f"5 slots: FIMD {static['fimd']:.3f}, AIMD {static['aimd']:.3f}",
            f"by {behind:.4f} ± {half(behind):.4f} at five slots",
        ],
        "claims.toml": [
            f"in each of {(behind.values > 0).sum()} starts",
            f"the inter-switch link stays at {between} instead of 0.85",
            f"the limit costs it {100 * (1 - limited.mean):.1f} per cent",
            f"it is {loaded:.2f} remote packets per event",
            f"instead of {-stuck.mean:.3f}, and AIMD by at most 0.025 instead of {max(short):.3f}",
            f"the link is short by more than 0.05 in {(stuck.values < -0.05).sum()} of {len(stuck.values)} starts",
            f"the link is short by {min(short):.2f} to {max(short):.2f} from 3 slots on",
        ],
    }
