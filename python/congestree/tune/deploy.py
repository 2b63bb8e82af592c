"""The files to deploy for a setting: written, read back, and kept only if the content is what was simulated.

| kind | file | what is compared |
| --- | --- | --- |
| `opensm` | `opensm.conf` | registers, and every value of the scenario that was searched |
| `ccmgr` | `ccmgr.conf` | the same |
| `mlx5` | `mlx5.txt` | every value of the scenario that was searched |
| `sonic` | `config_db.json` | the same |
"""

import contextlib
import json
import re
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from .. import document
from ..errors import CongestreeError, ScenarioError
from ..formats import opensm, roce
from ..runs import running, store, writing
from .written import applied

FILES = {"opensm": "opensm.conf", "ccmgr": "ccmgr.conf", "mlx5": "mlx5.txt", "sonic": "config_db.json"}


@dataclass(frozen=True)
class Written:
    """A kind of file, its path (None if it was refused), why it was, remarks of the writer, and the conditions that it
    is for (none: all of them)."""

    form: str
    path: Path | None
    refused: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()

    def to_dict(self):
        """As JSON has it."""
        some = {"conditions": list(self.conditions)} if self.conditions else {}
        return {
            "kind": self.form,
            "file": self.path and str(self.path),
            "refused": list(self.refused),
            "notes": list(self.notes),
            **some,
        }


def write(scenario, values, folder, forms):
    """Write files of these kinds for a resolved scenario into a folder; answers a `Written` for each.

    values: {path: value} that were searched, which must come back the same.
    """
    return write_all({"": scenario}, values, folder, forms)


def write_all(scenarios, values, folder, forms):
    """The same for several resolved scenarios, {label of the condition: scenario}; answers a list of `Written`.

    A kind of file that is the same for all of them is written once. Otherwise, as headroom depends on the links, each
    has its own, in a folder with its label; a note says so.
    """
    folder = Path(folder)
    store.prepare(folder)
    done = []
    for form in forms:
        _remove(folder, FILES[form])
        found = {}  # text and what is wrong with it -> the conditions, remarks of the writer
        for label, scenario in scenarios.items():
            text, wrong, notes = _made(scenario, values, form)
            labels, remarks = found.setdefault((text, wrong), ([], []))
            labels.append(label)
            remarks += [note for note in notes if note not in remarks]
        names = _folders([labels[0] for labels, _ in found.values()])
        for (text, wrong), (labels, remarks) in found.items():
            several, path = len(found) > 1, None
            if not wrong:
                path = folder / (names[labels[0]] if several else "") / FILES[form]
                store.prepare(path.parent)
                writing.write_file(path, lambda temporary, text=text: temporary.write_text(text, encoding="utf-8"))
            if several:
                remarks.insert(0, f"this is for {', '.join(labels)}; the other conditions need other values")
            done.append(Written(form, path, wrong, tuple(remarks), tuple(labels) if several else ()))
    return done


def _remove(folder, name):
    """Remove files of this name of an earlier choice."""
    (folder / name).unlink(missing_ok=True)
    for path in folder.glob(f"*/{name}"):
        path.unlink()
        with contextlib.suppress(OSError):  # other files are in it
            path.parent.rmdir()


def _folders(labels):
    """Names of folders for labels, {label: name}: "pfc-incast, delay 5 us" is pfc-incast-delay-5-us."""
    found = {}
    for label in labels:
        name = re.sub(r"[^\w.+-]+", "-", label)[:80].strip("-.") or "condition"
        found[label] = name if name not in found.values() else f"{name}-{len(found) + 1}"
    return found


def _made(scenario, values, form):
    """The text of a file, what is wrong with it (then it is not to be written), and remarks of the writer."""
    try:
        text, notes = _text(scenario, form)
        return text, tuple(_differences(scenario, values, text, form)), notes
    except (CongestreeError, ScenarioError) as error:
        return "", (str(error).strip(),), []


def _text(scenario, form):
    if form in roce.FORMS:
        return roce.write(scenario, form)
    settings = opensm.files.convert(opensm.of_scenario(scenario), form)
    return opensm.write_text(settings, form), [str(note) for note in settings.notes]


def _differences(scenario, values, text, form):
    """What differs after the text is read back, in sentences."""
    if form in roce.FORMS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / FILES[form]
            path.write_text(text, encoding="utf-8")
            if form == "mlx5":
                readings = [roce.read(path, form)[0]]
            else:
                chosen = [(name,) for name in _profiles(text)] or [()]
                readings = [roce.read(path, form, profiles=names, ports=_ports(scenario))[0] for names in chosen]
    else:
        settings = opensm.read_text(text, form)
        asked = opensm.files.convert(opensm.of_scenario(scenario), form)
        if settings != asked:
            return ["the registers that are read back are not those that were written"]
        scheme, _ = settings.to_scheme()
        readings = [{"scheme": scheme}]
    searched = [place for path in values if _concerns(path, form) for place in _compared(path, values[path])]
    wrong = [line for sections in readings for line in _wrong(scenario, searched, sections, form)]
    return list(dict.fromkeys(wrong))


def _compared(path, value):
    """The paths to compare for one that was searched: in place of a rate that others are for, those others."""
    parent, _, key = path.rpartition(".")
    if key == "for_rate" and value is not None and parent in roce.FOR_RATE:
        return [f"{parent}.{other}" for other in roce.FOR_RATE[parent]]
    return [path]


def _wrong(scenario, searched, sections, form):
    """What differs in sections that were read back: of ports of their rate, and for these."""
    rate = document.get(sections, "links.rate") or document.get(sections, "scheme.mark.red.for_rate")
    if rate:
        scenario = running.check(roce.at_rate(scenario, rate))["scenario"]
        sections = roce.at_rate(sections, rate)
    read = _leaves(sections)
    if form == "sonic":  # marking as well as memory: what was not searched may be rounded, or of other links
        read = {path: value for path, value in read.items() if any(document.meet(path, one) for one in searched)}
    # The searched values come from the file alone.
    back = running.check(applied(scenario, {**dict.fromkeys(searched), **read}))["scenario"]
    return [
        f"{path} was {_shown(document.get(scenario, path))}, and is read back as {_shown(document.get(back, path))}"
        for path in searched
        if document.get(scenario, path) != document.get(back, path)
    ]


def _profiles(text):
    """The lossless buffer profiles of a CONFIG_DB, or those of marks if it has no buffers, if there are several."""
    tables = json.loads(text)
    names = {entry["profile"] for entry in tables.get("BUFFER_PG", {}).values()}
    found = [name for name in sorted(names) if "xoff" in tables["BUFFER_PROFILE"][name]]
    found = found if names else [*tables.get("WRED_PROFILE", {})]
    return found if len(found) > 1 else []


# The part of a scenario that a kind of file contains. Other searched values are for another file, or for no file.
ABOUT = {
    "opensm": ("scheme.mark.fecn", "scheme.react.cct"),
    "ccmgr": ("scheme.mark.fecn", "scheme.react.cct"),
    "mlx5": ("scheme.react.dcqcn", "scheme.notify.cnp.interval"),
    "sonic": ("scheme.mark.red", "links.flow_control.pfc.threshold", "switches.shared_memory"),
}


def _concerns(path, form):
    return any(document.is_within(path, part) for part in ABOUT[form])


def uncovered(values, forms):
    """Searched paths that none of these kinds of file holds."""
    return [path for path in values if not any(_concerns(path, form) for form in forms)]


def _leaves(sections, before=""):
    """Sections as {dotted path: value}."""
    found = {}
    for key, value in sections.items():
        path = f"{before}{key}"
        if isinstance(value, dict) and value and not _is_whole(path):
            found |= _leaves(value, f"{path}.")
        else:
            found[path] = value
    return found


def _is_whole(path):
    """A table, a mask or a threshold is one value."""
    return path.endswith((".table", ".victim_mask", ".threshold")) and not path.endswith("fecn.threshold")


def _shown(value):
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) < 60 else f"{text[:57]}…"


def _ports(scenario):
    """The most ports that a switch has."""
    network = running.network(scenario, routes=False)
    ports = Counter(link[end] for link in network["links"] for end in "ab")
    return max((ports[switch] for switch in network["switches"]), default=None)
