"""What the texts of CCFIT say about its adopted results."""

from . import half

LOSS = "p5-s1-hol-immediate"


def sentences(of):
    similar = of("p5-fig7a-similar", "'set b, [8, 10] ms'")
    dip, late = (of("p5-fig7a-ith-dip", f"'{what}, set b'") for what in ("ith/ccfit", "ith/ccfit in [8, 10] ms"))
    doubled = [of("p5-fig8a-voqnet-max", f"'{trees} trees, twice the memory: voqnet/fbicm'") for trees in (1, 4, 6)]
    ccfit, ith = (of(LOSS, f"'{scheme}, whole ms, set b'") for scheme in ("ccfit", "ith"))
    early = [of(LOSS, f"'{scheme}, set c'") for scheme in ("ccfit", "ith")]
    behind = [
        of("p5-fig8-m1", f"'set {one}, {trees} trees'") for one in ("a", "b", "c", "d", "iii") for trees in (4, 6)
    ]
    released = of("p5-s3b-release-fast", "'ccfit, set a: us' / 'fbicm: us'")
    assert [round(100 * (1 - share.mean)) for share in (max(behind), min(behind))] == [1, 4] and released.mean >= 1
    ahead = [100 * (share.mean - 1) for share in (doubled[0], doubled[2])]
    return {
        "README.md": [
            f"in about {of('p5-fig8b-m1', repr('mean of them in [1, 2] ms')):.0f} of 320 inputs",
            "with set A no more quickly than with FBICM",
        ],
        "claims.toml": [
            f"they differ by {100 * similar:.1f} per cent in [8, 10] ms (listed with this claim)",
            f"the three schemes differ by {100 * similar:.1f} per cent, which is {of.judged('p5-fig7a-similar', repr('set b, [8, 10] ms') + ' <= 0.08')}",
            f"ITh is {100 * (1 - dip.mean):.0f} per cent below CCFIT in [4, 6] ms",
            f"In [8, 10] ms ITh is {100 * (late.mean - 1):.0f} per cent above CCFIT",
            f"VOQnet is {ahead[0]:.0f} to {ahead[1]:.0f} per cent ahead of the best of the others",
            f"CCFIT loses {ccfit:.3f} ± {half(ccfit):.3f} of the uniform traffic and ITh {ith:.2f} ± {half(ith):.2f} (ten draws), which is "
            f"{whole(of, 'whole ms, set b')}",
            f"the losses in the first 100 us are {early[0]:.3f} and {early[1]:.2f}, which is {whole(of, 'set c')} as well",
        ],
    }


def whole(of, when):
    """The claim's formula, for other runs or another time."""
    return of.judged(LOSS, of.texts[LOSS]["judge"].replace("set b", when))
