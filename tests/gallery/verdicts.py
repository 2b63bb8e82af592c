"""What every reproduced paper must have, whatever the results are.

A test file of a paper has a class that inherits from ``QuickVersion``, and defines only what is specific to the paper:
its name, the claims that are firm, the figures.
"""

import importlib
import json
import tomllib

from congestree import gallery
from congestree.gallery import shipped


def texts(paper):
    """The claims of a paper, by id."""
    return tomllib.loads((shipped.papers()[paper] / "claims.toml").read_text(encoding="utf-8"))


def module(paper, name):
    """A module of a paper's folder."""
    return importlib.import_module(f"congestree.data.gallery.{shipped.papers()[paper].name}.{name}")


def check_verdicts(claims, texts):
    """Every claim has a verdict of the kind that its text allows, a value if it was run, a reason if need be."""
    assert [claim["id"] for claim in claims] == list(texts)
    for claim in claims:
        id, verdict, text = claim["id"], claim["verdict"], texts[claim["id"]]
        assert set(claim) == set(gallery.CLAIM_KEYS), id
        external, untried = text["check"] == "external", "lacks" in text or "full" in text
        assert (verdict == "external") == external, id
        assert (verdict == "not run") == (untried and not external), id
        if verdict in ("not reproduced", "not run", "external"):
            assert claim["reason"], id
        if external:
            continue
        assert untried or claim["value"] is not None, id
        assert (verdict == "measured") == (bool(text.get("measure_only")) and not untried), id
        assert (claim["decides"] is None) == (verdict in ("measured", "not run")), id
        assert (verdict == "cannot fail here") <= ("cannot_fail" in text), id
        assert (verdict == "analytic") <= (text["check"] == "analytic"), id
        if verdict == "not reproduced":
            why = text.get("deviation", "outside the accepted range")
            assert claim["reason"].startswith(why.rstrip(".")), id


def not_holding(claims, texts, firm):
    """The firm claims that do not hold, with their verdicts.

    The quick versions have few seeds, so that intervals are wide: an undecided claim must hold for its means.
    """
    acceptance = importlib.import_module("congestree.data.gallery.common.acceptance")
    verdicts = {claim["id"]: claim["verdict"] for claim in claims}
    values = {claim["id"]: claim["value"] for claim in claims}

    def holds(id):
        if verdicts[id] == "undecided":
            return acceptance.judge(texts[id]["judge"], values[id]).holds
        return verdicts[id] in ("reproduced", "cannot fail here")

    return {id: verdicts[id] for id in firm if not holds(id)}


def check_pictures(figures):
    """Each is a picture."""
    assert figures
    for path in figures.values():
        assert path.read_bytes().startswith(b"\x89PNG"), path


class QuickVersion:
    """The quick version of one paper, made once a class (``made``)."""

    paper: str
    """The name for `congestree reproduce`."""
    firm = ()
    """What holds in the quick version, too."""
    analytic = ()
    """Closed forms that must be met."""
    figures = None
    """What the quick version can draw; all by default."""
    repeats = None
    """Another paper that has many of the same runs; if its tests come before, they are not run again."""
    part_of_full = True
    """Is every quick run one of the full ones, or a shorter one of its own?"""

    def test_every_claim_has_a_verdict_and_a_reason_where_it_needs_one(self, made):
        assert json.loads((made.folder / "claims.json").read_text(encoding="utf-8")) == made.claims
        check_verdicts(made.claims, texts(self.paper))

    def test_the_firm_claims_hold(self, made):
        verdicts = {claim["id"]: claim["verdict"] for claim in made.claims}
        assert self.firm, "a paper without firm claims would be tested in vain"
        assert not_holding(made.claims, texts(self.paper), self.firm) == {}
        assert {id: verdicts[id] for id in self.analytic if verdicts[id] != "analytic"} == {}

    def test_every_figure_is_drawn(self, made):
        every = set(module(self.paper, "figures").FIGURES)
        assert set(made.figures) == set(self.figures or every)
        assert set(made.missing) == every - set(made.figures)
        check_pictures(made.figures)
        assert made.misplaced == {}

    def test_every_run_carries_its_name_and_a_quick_one_is_one_of_the_full_ones(self):
        """Results and pictures can be traced back to the list of runs."""
        full, quick = (module(self.paper, "runs").runs(quick=quick) for quick in (False, True))
        assert all(scenario["name"] == name for runs in (full, quick) for name, scenario in runs.items())
        if self.part_of_full:
            assert all(full[name] == scenario for name, scenario in quick.items())
