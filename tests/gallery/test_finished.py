"""What is finished of a paper can be judged without running the rest."""

from congestree import gallery


def test_nothing_runs_and_what_is_finished_is_judged(tmp_path):
    nothing = gallery.reproduce("hpl2002", ["fig6"], out=tmp_path, quick=True, finished=True)
    assert (nothing.resumed, list((tmp_path / "runs").glob("*"))) == (0, [])
    some = gallery.reproduce("hpl2002", ["fig6"], out=tmp_path, quick=True)
    all_of_it = gallery.reproduce("hpl2002", out=tmp_path, quick=True, finished=True)
    assert all_of_it.resumed == some.runs < all_of_it.runs
    judged = {claim["id"]: claim for claim in all_of_it.claims}
    assert len(some.claims) > len(nothing.claims)
    assert all(judged[claim["id"]] == claim for claim in some.claims)
    assert "fig2a" in all_of_it.missing
    assert "fig6" in all_of_it.figures
