"""The `congestree` command. It has a folder for each kind of task, with a file for one or a few commands:

    simulate    runs, many runs, searches, the gallery, speed
    see         results: in words, pictures, the browser, a report
    files       files of other tools, read and written

Heavy imports happen inside the commands.
"""

import os
import sys

from . import ending

ending.end_at_ctrl_c(sys.argv)  # until a command takes over

# A process that starts a daemon may have closed its streams: output is then discarded.
sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115 (for as long as the program runs)
sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115

# Commands open no window, and draw the same for everybody: a style that needs TeX, for instance, fails on names.
os.environ["MPLBACKEND"] = "agg"
os.environ.setdefault("MATPLOTLIBRC", os.devnull)

from . import beside  # noqa: E402

beside.foresee(sys.argv)  # before anything that takes time is loaded

import typer  # noqa: E402

from .. import reading  # noqa: E402
from . import console, doctor, look, refused  # noqa: E402
from .files import cc, fabric, goal, job  # noqa: E402
from .see import report, trees, view  # noqa: E402
from .simulate import bench, check, reproduce, run, serve, sweep, tune  # noqa: E402

app = typer.Typer(
    name="congestree",
    help="What congestion does to a lossless network, and what cures it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with: congestree list scenarios · congestree run FILE --plot · congestree reproduce hpl2002/fig2",
)

COMMANDS = {
    "run": run.run,
    "check": check.check,
    "cost": check.cost,
    "sweep": sweep.sweep,
    "tune": tune.tune,
    "explain": trees.explain,
    "plot": trees.plot,
    "view": view.view,
    "report": report.report,
    "reproduce": reproduce.reproduce,
    "import": fabric.import_,
    "export": fabric.export,
    "list": look.list_,
    "bench": bench.bench,
    "doctor": doctor.doctor,
    "schema": look.schema,
    "cc read": cc.read,
    "cc write": cc.write,
    "goal read": goal.read,
    "goal write": goal.write,
    "goal make": goal.make,
    "job info": job.info,
    "job make": job.make,
    "job report": job.report,
    "serve": serve.serve,
}
# Those that write or read folders of results.
WITH_RESULTS = {"run", "sweep", "tune", "explain", "plot", "view", "report", "reproduce", "export"}
GROUPS = {
    "cc": "Settings of real networks: of subnet managers (opensm.conf, ccmgr), adapters (mlx5) and switches (SONiC).",
    "goal": "Programs of applications: GOAL files, tables of operations, collectives.",
    "job": "Jobs of training and inference: execution traces (Chakra), and what held a job.",
}
_groups = {"": app}
for _name, _help in GROUPS.items():
    _groups[_name] = typer.Typer(help=_help, no_args_is_help=True, rich_markup_mode="rich")
    app.add_typer(_groups[_name], name=_name)
for _name, _command in COMMANDS.items():
    _group, _, _word = _name.rpartition(" ")
    _command = refused.in_text_folder(_command) if _name in WITH_RESULTS else _command
    _groups[_group].command(_word)(console.guarded(_command))


@app.callback(invoke_without_command=True)
def _options(
    version: bool = typer.Option(False, "--version", help="Print the version and exit.", is_eager=True),
):
    reading.keep_pipes()
    if version:
        from .. import __version__

        print(f"congestree {__version__}")
        raise typer.Exit


def main():
    """Run the command line."""
    ending.act_as_ctrl_c()
    console.encode()
    refused.refuse_words(sys.argv[1:])
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # the version and help, which no command prints
    except SystemExit as end:
        sys.exit(ending.code_of(end.code))
    except OSError as error:
        console.end_without_output(error)


if __name__ == "__main__":
    sys.exit(main())
