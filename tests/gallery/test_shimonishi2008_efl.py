"""EFL, the quick version: every claim has a verdict, the firm ones hold, every figure is drawn."""

from verdicts import QuickVersion


class TestEfl(QuickVersion):
    paper = "shimonishi2008-efl"
    firm = (
        "efl-fig6-lag-one-rtt",
        "efl-fig6-predicted-peak",
        "efl-fig7-plain-13ms",
        "efl-fig8-proposed-fast",
        "efl-fig8-initial-4g",
        "efl-fig8-sum-18",
        "efl-fig8-converge",
        "efl-fig7-oscillation",
        "efl-fig9-reaction-100",
        "efl-fig9-half",
        "efl-s2-header",
        "efl-s3-rttp-signs",
        "efl-s3-loss-halves",
        "efl-s2-go-back-n",
        "efl-s3-overestimate",
        "efl-s4-ramp-plain-vs-probe",
    )
    """What holds without the load of the on-off runs, which are shorter here."""
    analytic = ("efl-s3-probe-bytes",)
    part_of_full = False
