"""A run, a study or a reproduced paper as one page that a colleague without congestree can read, and print.

    congestree.report.write("report.html", "runs/seen")     # a folder of a run, of a study, or of a reproduction
    congestree.report.write("report.html", run)             # a `Run` or a `Study`

The page has the question, network, settings, findings in sentences, up to five plots (those that matter most for these
results), tables, and how to repeat the run. Of a study it has a plot and a table of every measure that its sweep was
asked for, and of others that differ between its runs, up to five in all; the rest it names. It has no scripts and needs
no network; printing it in a browser gives a PDF.
"""

from pathlib import Path

from ..errors import AskedError, there_are
from ..gallery import shipped
from ..runs import arguments, writing
from ..runs.results import Run
from ..studies.study import Study
from .page import render

__all__ = ["html", "write"]

TUNED = "result.json"
REPORTED = ("manifest.json", "study.json", "claims.json")


def html(what):
    """The page as text.

    what: a `Run`, a `Study`, the folder of one or of a reproduction, or the name of a paper that was reproduced in
    runs/<paper>. Raises CongestreeError if there is nothing to report.
    """
    return render(_document(what))


def write(path, what):
    """Write the page to a file; `what` and the errors raised are as for `html`.

    path: of the file; CongestreeError if it cannot be written.
    """
    a_result = isinstance(path, (Run, Study))
    if a_result or (Path(arguments.path("path", path)).is_dir() and str(what).endswith((".html", ".htm"))):
        meant = f"a {type(path).__name__}" if a_result else f"the folder {path}"
        raise AskedError(
            f"The first argument of report.write is the file to write, and not {meant}; exchange the two arguments: "
            'report.write("report.html", what).'
        )
    file, text = arguments.path("path", path), html(what)
    writing.write_file(file, lambda temporary: temporary.write_text(text, encoding="utf-8"))
    return file if isinstance(path, str) else Path(file)


def folder_of(what):
    """The folder that a word on the command line means: itself, or where a paper of that name was reproduced."""
    folder = Path(arguments.path("the folder", what))
    if folder.is_dir():
        return folder
    name = str(what)
    if folder.is_file():
        raise AskedError(f"{name} is a file; name the folder of a finished run, of a study or of a reproduction.")
    if name in shipped.papers():
        for tried in (Path("runs") / name, Path("runs") / f"{name}-quick"):
            if (tried / "claims.json").exists():
                return tried
        raise AskedError(
            f"{name} has not been reproduced here: there is no runs/{name}/claims.json. Do that first: "
            f"congestree reproduce {name} --quick"
        )
    raise AskedError(
        f"There is no folder {name}, and no paper of that name in the gallery; {there_are(name, shipped.papers())}"
    )


def _document(what):
    from .of_paper import of_paper
    from .of_run import of_run
    from .of_study import of_study

    if isinstance(what, Run):
        return of_run(what)
    if isinstance(what, Study):
        return of_study(what)
    if not isinstance(what, (str, Path)):
        raise AskedError(
            f"A report is of a Run, of a Study or of the folder of one, and not of {type(what).__name__}; write one "
            "report for each."
        )
    folder = folder_of(what)
    if (folder / "manifest.json").exists():
        return of_run(Run.load(folder))
    if (folder / "study.json").exists():
        return of_study(Study.load(folder))
    if (folder / "claims.json").exists():
        return of_paper(folder)
    if (folder / TUNED).exists():
        one = next(iter(sorted((folder / "runs").glob("*"))), "those of another folder")
        raise AskedError(
            f"{folder} holds a tuning: its answer is {folder / TUNED}, with the pictures beside it. A report can "
            f"be made of one of its runs, such as {one}"
        )
    if inner := next((path.parent for path in sorted(folder.glob("*/*.json")) if path.name in REPORTED), None):
        raise AskedError(f"{folder} holds many folders of results; name one of them, such as {inner}")
    raise AskedError(
        f"{folder} holds no finished run, study or reproduction: there is no manifest.json, study.json or "
        f"claims.json in it. If it is a run, do it to its end: congestree run FILE --out {folder}; sweep and reproduce "
        "make the others."
    )
