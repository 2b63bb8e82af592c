"""`congestree cc read` and `congestree cc write`: settings of subnet managers, adapters and switches, in and out."""

import sys
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from .. import console
from ..options import AsJson, File, Values, read_values
from . import applies

# In place of all but the topology of a scenario, where it alone matters: other parts of it may be compatible only with
# the settings that are being read.
BESIDE_TOPOLOGY = {
    "links": {"rate": "1 Gbit/s"},
    "switches": {},
    "adapters": {},
    "scheme": {"preset": "none"},
    "traffic": [{"from": "all", "pattern": "uniform"}],
    "measure": {"duration": "1 us"},
    "allow_credit_loops": True,  # lanes would prevent them, and are settings of links
}


class Form(StrEnum):
    """A form of file."""

    opensm = "opensm"
    ccmgr = "ccmgr"
    mlx5 = "mlx5"
    sonic = "sonic"
    sonic_pg = "sonic-pg"


def read(
    file: Annotated[
        Path,
        typer.Argument(
            help="An opensm.conf, the options of the ccmgr plug-in, cc_params of mlx5, a config_db.json or a "
            "pg_profile_lookup.ini of SONiC.",
            metavar="FILE",
        ),
    ],
    form: Annotated[Form | None, typer.Option(help="The format of the file.  \\[default: by its contents]")] = None,
    sl: Annotated[int | None, typer.Option(help="The service level to use, if they differ.", min=0, max=15)] = None,
    at: Annotated[
        str | None, typer.Option(metavar="SCENARIO", help="Show delays as times, at the packet time of this scenario.")
    ] = None,
    profile: Annotated[
        list[str] | None,
        typer.Option(help="The WRED profile or lossless buffer profile to use, if there are several. Repeatable."),
    ] = None,
    into: Annotated[
        Path | None,
        typer.Option(
            metavar="SCENARIO", help="Print this scenario with the settings in it, instead of the settings alone."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="File to write instead of stdout.")
    ] = None,
    as_json: AsJson = False,
):
    """Read settings of a real network and print them as sections of a scenario.

    The sections (\\[scheme], and \\[links] and \\[switches] of buffers) go to stdout, so that they can be redirected
    into a file; a table of the InfiniBand registers, and notes on settings that are not what they seem, go to
    stderr. An option that does not apply to the file is refused.

    [bold]Examples[/bold]

      congestree cc read opensm.conf

      congestree cc read ccmgr.conf --form ccmgr --at test-bed > scheme.toml

      grep . /sys/kernel/debug/mlx5/*/cc_params/* > nic.txt; congestree cc read nic.txt

      congestree cc read config_db.json --into my-roce-fabric.toml --out study.toml
    """
    from ...formats import opensm, roce

    given = {"sl": sl, "at": at, "profile": profile}
    known = form.value if form else roce.form_of(file)
    if known in roce.FORMS:
        applies.check(file, known, given)
        options = {} if known == "mlx5" else {"profiles": profile or ()}
        if known == "sonic":  # it alone has a pool that ports share
            options["ports"] = _ports(into)
        _give(*roce.read(file, known, **options), known, into, out, as_json)
        return
    with _mistakes():
        settings = opensm.read(file, form and form.value)
        applies.check(file, settings.form, given)
        scheme, notes = settings.to_scheme(sl)
        packet_time = _packet_time(at) if at else None
    notes = [str(note) for note in (*settings.notes, *notes)]
    show = partial(_show, settings, file, sl, packet_time)
    _give({"scheme": scheme}, notes, settings.form, into, out, as_json, show)


def write(
    file: File,
    form: Annotated[Form, typer.Option(help="The form of file.")] = Form.opensm,
    switch: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The switch to write (sonic).  \\[default: the first with most ports]"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="File to write instead of stdout.")
    ] = None,
    values: Values = None,
):
    """Write a scenario as settings of a subnet manager, of adapters, or of switches.

    Values that registers cannot hold are rounded, with a warning that says by how much; values that they would turn
    into something else are refused. Headroom of SONiC switches is what every link needs at its rate and length, if the
    scenario gives none.

    [bold]Examples[/bold]

      congestree cc write my-fabric.toml --out cc.conf

      congestree cc write my-fabric.toml --form ccmgr --set scheme.mark.fecn.threshold=9

      congestree cc write study.toml --form sonic --out config_db.json

      congestree cc write study.toml --form sonic --switch leaf1 --out leaf1.json
    """
    from ...errors import AskedError
    from ...formats import opensm, roce
    from ...formats.opensm.files import convert
    from ...gallery.shipped import scenario_path
    from ...runs import running

    if switch is not None and form is not Form.sonic:
        raise AskedError(f"--switch is for --form sonic, and {form.value} is for the whole network: leave it out.")
    if form.value in roce.FORMS:
        options = {} if switch is None else {"switch": switch}
        scenario = running.check(scenario_path(file), values=read_values(values))["scenario"]
        text, notes = roce.write(scenario, form.value, **options)
        console.give(text, out or "-")
        _warn(notes)
        return
    with _mistakes():
        settings = convert(opensm.of_scenario(scenario_path(file), values=read_values(values)), form.value)
        console.give(opensm.write_text(settings, form.value), out or "-")
    _warn(settings.notes)


class _mistakes:
    """Settings that are wrong end with exit code 2, as wrong scenarios do."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        from ...formats.opensm import SettingsError

        if isinstance(error, SettingsError):
            console.say_error(str(error))
            sys.exit(2)


def _give(sections, notes, form, into, out, as_json, show=lambda: None):
    """Sections as TOML or JSON, alone or in a scenario, on stdout or into a file; for people with a table and notes."""
    from ... import document
    from ...formats import roce
    from ...gallery.shipped import scenario_path

    remarks = []
    if into is not None:
        path = scenario_path(into)
        scenario = document.parse(*document.read_text(path), str(path))
        topology = _topology_of_file(path, scenario) if "links" in sections else None
        remarks = roce.remarks(scenario, sections, topology)
        sections = roce.merged(scenario, sections, topology)
    as_json = as_json and not console.is_stdout(out)
    if as_json:
        console.print_json({**sections, "form": form, "notes": [*remarks, *notes], "written": out and str(out)})
    if not as_json or out is not None:
        console.give(document.to_toml(sections), out or "-", quiet=as_json)
    if not as_json:
        _warn(remarks)
        show()
        _warn(notes)


def _ports(into):
    """How many ports each switch of a scenario has."""
    if into is None:
        return ()
    from ...gallery.shipped import scenario_path
    from ...runs import running

    network = running.network(scenario_path(into), values=BESIDE_TOPOLOGY, routes=False)
    ends = [link[end] for link in network["links"] for end in "ab"]
    return list(map(ends.count, network["switches"]))


def _topology_of_file(path, scenario):
    """The topology of a scenario that names a file for it, as it is in that file; None if it names none."""
    from ... import document
    from ...runs import running

    if document.get(scenario, "topology.file") is None:
        return None
    return running.check(path, values=BESIDE_TOPOLOGY)["scenario"]["topology"]


def _packet_time(scenario):
    from ...formats.opensm.scenarios import packet_time
    from ...gallery.shipped import scenario_path
    from ...runs import running

    return packet_time(running.check(scenario_path(scenario))["scenario"], instead="leave out --at")


def _warn(notes):
    for note in notes:
        console.say_error(f"note: {note}")


def _show(settings, file, level, packet_time):
    """The meaning of the registers, of a service level if they differ, for people, on stderr."""
    from ...formats.opensm import slowest_share

    of_level = "" if level is None else f" of level {level}"
    source = settings.sources[(settings.levels or [0])[0] if level is None else level]
    rows = [
        ("threshold", settings.threshold),
        ("packet size", f"{64 * settings.packet_size} B"),
        ("marking rate", settings.marking_rate),
        (f"timer{of_level}", "derived" if source.timer is None else f"{source.timer} x 1.024 us"),
        (f"increase{of_level}", source.increase),
        (f"lowest index{of_level}", source.min),
        ("index per", "service level" if settings.port_control & 1 else "queue pair"),
        ("service levels", ", ".join(map(str, settings.levels)) or "none"),
    ]
    if settings.table:
        slowest = float(slowest_share(settings.table))
        rows += [("entries", len(settings.table)), ("slowest rate", f"{slowest:.1%} of the line")]
        if packet_time:
            longest = max(code.delay(packet_time) for code in settings.table)
            rows.append(("longest delay", f"{longest / 1e6:.4g} us after a packet of {packet_time / 1e6:.4g} us"))
    console.table(f"{file} ({settings.form})", ("register", ">value"), rows, to=console.err)
    if settings.table:
        entries = [
            (i, code, f"0x{code.word:04X}", f"{float(code.share):.1%}", _delay(code, packet_time))
            for i, code in enumerate(settings.table)
            if i in _worth_showing(len(settings.table))
        ]
        columns = (">index", ">entry", ">word", ">rate", ">delay" if packet_time else "")
        console.table("Table", columns, entries, to=console.err)


def _delay(code, packet_time):
    return f"{code.delay(packet_time) / 1e6:.4g} us" if packet_time else ""


def _worth_showing(count):
    """Some sixteen indices of a table, the first and the last among them."""
    step = max(1, (count - 1) // 15)
    return {*range(0, count, step), count - 1}
