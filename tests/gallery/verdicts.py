"""What every reproduced paper must give, whatever comes out."""


def check_verdicts(made, claims):
    """Every claim has a verdict, a value unless only others can measure it, and a reason where it needs one."""
    assert [claim["id"] for claim in made.claims] == list(claims)
    for claim in made.claims:
        text = claims[claim["id"]]
        assert (claim["verdict"] == "external") == (text["check"] == "external"), claim["id"]
        assert (claim["verdict"] == "measured") == bool(text.get("measure_only")), claim["id"]
        if claim["verdict"] in ("not reproduced", "external"):
            assert claim["reason"], claim["id"]
        if claim["verdict"] != "external":
            assert claim["value"] is not None, claim["id"]
