"""What the texts of RCM say about its adopted results."""

from . import half

LOADS = ("0.6", "0.8", "1.0")
HELD = '"victim\'s packets held as harmful"'
FREED = "'the same, no control at roots'"
ALONE_ABSORBS = "'alone' < 0.6 * 'dcqcn'"


def sentences(of):
    return {"README.md": [*short(of), *deviates(of)], "claims.toml": [*small(of), *applications(of)]}


def longer(of):
    """How much longer enterprise and data-mining flows take than with DCQCN alone, per cent; and without control at
    roots."""
    without = "'no control at roots, {0}'[0] / 'no control at roots, {0}'[1]"
    return (
        *(of("rcm-fig9-m2", f"-100 * '{sizes}'") for sizes in ("enterprise", "data-mining")),
        *(of("rcm-fig9-avg-fct", f"100 * ({without.format(sizes)} - 1)") for sizes in ("enterprise", "data-mining")),
    )


def elephants(of):
    ratio = of("rcm-fig9-elephants", "'enterprise'")
    return f"elephants {100 * (ratio.low - 1):.0f} to {100 * (ratio.high - 1):.0f} per cent"


def gained(of, id, number):
    """A number at each of three loads."""
    return [of(id, number.format(load=load)) for load in LOADS]


def short(of):
    least, _, most = gained(of, "rcm-fig8-m3", "100 * 'load {load}'")
    hot = gained(of, "rcm-fig8-m2", "100 * ('load {load}'[0] / 'load {load}'[1] - 1)")
    return [
        f"enterprise flows take {longer(of)[0]:.1f} per cent longer than with DCQCN alone, and {elephants(of)}",
        f"delivers {least:.0f} to {most:.0f} per cent more than DCQCN, of the traffic to hot hosts "
        f"{hot[0]:.0f} to {hot[2]:.0f}",
    ]


def deviates(of):
    enterprise, mining, faster, as_long = longer(of)
    all_of_it = gained(of, "rcm-fig8-m3", "100 * 'load {load}'")
    hot = gained(of, "rcm-fig8-m2", "100 * ('load {load}'[0] / 'load {load}'[1] - 1)")
    later = gained(of, "rcm-fig8-m4", "100 * ('all'['load {load}'][0] / 'all'['load {load}'][1] - 1)")
    alone = [
        of("rcm-s3.4-m1", f"'background, RCC and SAR'['load {load}']") / (1 + of("rcm-fig8-m1", f"'load {load}'"))
        + of("rcm-fig8-m2", f"'load {load}'[1]")
        for load in LOADS
    ]
    window, always = (of("rcm-s2-e2e-loop-slow", f"'{name}'") for name in ("window", "always"))
    victim, of_both = (of("rcm-fig7-rcm-victim-50", f"'{name}, second ms'[0]") for name in ("dcqcn", "rcm"))
    delivered = of.noted("rcm-fig9-avg-fct", r"delivered with DCQCN: enterprise (\d+)%, data-mining (\d+)%")
    return [
        f"Measured over 2 µs (`window`) it comes after {window:.1f} µs, counted all the time (`always`) after "
        f"{always:.2f} µs",
        f"{100 * of('rcm-s3.1-region', HELD):.0f} per cent of its packets are held there, "
        f"{100 * of('rcm-s3.1-region', FREED):.1f} per cent without control at roots",
        f"the victim has {victim:.0f} with DCQCN alone and {of_both.low:.0f} to {of_both.high:.0f} with RCM as well",
        "delivers {:.1f}, {:.1f} and {:.1f} % more** traffic than DCQCN".format(*all_of_it),
        "of that to the hot hosts {:.1f}, {:.1f} and {:.1f} % more".format(*hot),
        f"they take {later[2]:.0f} to {later[0]:.0f} % longer on average, {min(one.low for one in later):.0f} to "
        f"{max(one.high for one in later):.0f} % depending on the seed",
        "hosts receive {:.0f}, {:.0f} and {:.0f} % with DCQCN".format(*(100 * share for share in alone)),
        f"Enterprise flows take {enterprise:.1f} ± {half(enterprise):.1f} % longer than with DCQCN alone, data-mining "
        f"flows {mining:.1f} ± {half(mining):.1f} %",
        f"(`sarnoroot`) enterprise flows take {-faster:.1f} ± {half(faster):.1f} % less, and data-mining flows as long, "
        f"{as_long:.1f} ± {half(as_long):.1f} %",
        "hosts receive {} % of their links with enterprise sizes and {} % with those of data mining".format(*delivered),
    ]


def small(of):
    """Figures 6 and 7."""
    loop = "rcm-s2-e2e-loop-slow"
    rcm, end_to_end, window, always = (of(loop, part) for part in ("'rcm'", "0.5 * 'dcqcn'", "'window'", "'always'"))
    burst = of("rcm-fig6-burst-cut-25", "'always'")
    incast = of("rcm-fig6-incast-12.5", "mean('always')")
    during, after = (
        [of("rcm-fig6-incast-recover", f"'window, {when}'[{flow}]") for flow in range(4)]
        for when in ("during", "after")
    )
    lost, bound = (of("rcm-fig6-rcm-absorbs", part) for part in ("'alone'", "0.6 * 'dcqcn'"))
    return [
        f"Measured over 2 us it comes after {window:.1f} us, but then it slows down the incast",
        f"the burst has {burst:.0f} in [162, 170] us, and each of the four incast flows {incast:.1f} in [152, 160])",
        f"the four incast flows have {min(after):.0f} to {max(after):.0f} within 20 us of the end of the burst (listed "
        f"with this claim: window), but only {min(during):.0f} to {max(during):.0f} during the burst",
        f"RCM loses {lost:.1f}, where less than {bound:.1f} +- {half(bound):.1f} is accepted: nearer by far, but "
        f"{of.judged('rcm-fig6-rcm-absorbs', ALONE_ABSORBS)}",
        f"It holds by a small margin: {rcm:.1f} against {end_to_end:.2f} +- {half(end_to_end):.2f} in ten seeds",
        f"Measured over 2 us it comes after {window:.1f} us (listed with this claim: window)",
        f"the first smaller window comes after {always:.2f} us (always)",
        f"{100 * of('rcm-s3.1-region', HELD):.0f} per cent of its packets wait for that",
        f"Without control at roots {100 * of('rcm-s3.1-region', FREED):.1f} per cent of the victim's packets are held, "
        f"which is {of.judged('rcm-s3.1-region', f'{FREED} < 0.05')}",
    ]


def applications(of):
    """Figure 9."""
    enterprise, mining, faster, as_long = longer(of)
    ratios = [of("rcm-fig9-elephants", f"'{sizes}'") for sizes in ("enterprise", "data-mining")]
    (of_long,) = of.noted("rcm-fig9-elephants", r"in 60 ms: enterprise (\d+)%")
    (of_mining,) = of.noted("rcm-fig9-elephants", r"delivered with DCQCN: enterprise \d+%, data-mining (\d+)%")
    counts = of.noted("rcm-fig9-elephants", r"(\d+) enterprise flows, (\d+) data-mining")
    return [
        f"enterprise flows take {enterprise:.1f} +- {half(enterprise):.1f} per cent longer than with DCQCN alone, and "
        f"data-mining flows {mining:.1f} +- {half(mining):.1f}",
        f"enterprise flows are {-faster:.1f} +- {half(faster):.1f} per cent faster than with DCQCN alone, in each of six "
        f"seeds; data-mining flows take as long as with DCQCN alone ({as_long:.1f} +- {half(as_long):.1f})",
        f"{elephants(of).replace('elephants', 'elephants take')} longer under RCM",
        f"In six of them {int(counts[0]):,} enterprise elephants finish under both schemes: {ratios[0]:.3f} +- "
        f"{half(ratios[0]):.3f}, above the bound; the {counts[1]} of data mining are within it, {ratios[1]:.3f} +- "
        f"{half(ratios[1]):.3f}",
        f"receive {of_long} per cent of their link rate with enterprise sizes and {of_mining} with data-mining sizes",
    ]
