"""Plots of `congestree run --plot`, drawn by other processes, which load the plotting library during the run.

Loading takes most of the time of a small run with plots. So the first process is started before this one has loaded
anything; it loads, waits for the folder of the finished run, and draws, with others if there are several plots. If it
fails in any way, `drawn` returns None, and the plots are drawn by this process.
"""

import gc
import json
import os
import sys

from . import ending

STARTED = []
"""(pipe to write the folder to, pipe to read the answer from, process) of the process that draws."""


def foresee(arguments):
    """Start the process that draws, if the command line asks for plots of a run."""
    if not ending.is_command(arguments) or arguments[1:2] != ["run"] or "--plot" not in arguments:
        return
    if not hasattr(os, "fork") or {"-h", "--help"} & set(arguments):
        return
    pipes = []
    try:
        pipes += os.pipe()
        pipes += os.pipe()
        process = os.fork()
    except OSError:  # too many processes or open files
        for end in pipes:
            os.close(end)
        return
    hear, tell, answers, answer = pipes
    if process:
        os.close(hear)
        os.close(answer)
        STARTED.append((tell, answers, process))
        return
    try:
        os.close(tell)
        os.close(answers)
        _serve(hear, answer)
    finally:
        os._exit(0)


def drawn(folder):
    """The paths of the plots of a run in a folder, or None: then they are not drawn."""
    if not STARTED:
        return None
    tell, answers, process = STARTED.pop()
    try:
        with os.fdopen(tell, "w") as pipe:
            pipe.write(str(folder))
        with os.fdopen(answers) as pipe:
            return json.loads(pipe.read())
    except (OSError, ValueError):
        return None
    finally:
        os.waitpid(process, 0)


def _serve(hear, answer):
    """Load, wait for a folder, draw, and answer with the paths."""
    gc.disable()  # it does not live long enough to gain by it
    # Threads of a numerical library would not survive a fork, and nothing here multiplies matrices.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    for said in (1, 2):  # errors are reported by the process that draws then
        os.dup2(os.open(os.devnull, os.O_WRONLY), said)
    _load()
    with os.fdopen(hear) as pipe:
        folder = pipe.read()
    if not folder:
        return
    from ..plots import draw, wanted_of
    from ..runs.results import Run

    wanted = wanted_of(Run.load(folder))
    names = list(wanted)
    shares = min(len(names), os.cpu_count() or 1)
    others = []
    for share in range(1, shares):
        process = os.fork()
        if not process:
            done = False
            try:
                draw(Run.load(folder), {name: wanted[name] for name in names[share::shares]}, f"{folder}/plots")
                done = True
            finally:
                os._exit(0 if done else 1)
        others.append(process)
    paths = draw(Run.load(folder), {name: wanted[name] for name in names[::shares]}, f"{folder}/plots")
    if all(os.waitpid(process, 0)[1] == 0 for process in others):
        folder = paths[0].parent
        with os.fdopen(answer, "w") as pipe:
            json.dump([str(folder / f"{name}.png") for name in names], pipe)


def _load():
    """What draws, without what only serves who draws by hand: texts of help made for every class, axes in space."""
    from types import ModuleType

    space = ModuleType("mpl_toolkits.mplot3d")
    space.Axes3D = type("Axes3D", (), {"name": "3d"})
    sys.modules.setdefault(space.__name__, space)
    from matplotlib import artist

    artist.kwdoc = lambda _: ""
    artist.Artist._update_set_signature_and_docstring = classmethod(lambda _: None)
    import matplotlib.backends.backend_agg
    import matplotlib.figure  # noqa: F401
    import pyarrow.parquet  # noqa: F401

    from .. import plots  # noqa: F401
