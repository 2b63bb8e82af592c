"""The files to deploy for a setting: written, read back, and kept only if the content is what was simulated.

| kind | file | what is compared |
| --- | --- | --- |
| `opensm` | `opensm.conf` | registers, and every value of the scenario that was searched |
| `ccmgr` | `ccmgr.conf` | the same |
| `mlx5` | `mlx5.txt` | every value of the scenario that was searched |
| `sonic` | `config_db.json`; `config_db-leaf0.json` and so on if switches have other ports than others | the same |
"""

import contextlib
import json
import re
import tempfile
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
    """A kind of file, its path (None if it was refused), why it was, remarks of the writer, and the conditions and the
    switches that it is for (none: all of them)."""

    form: str
    path: Path | None
    refused: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()

    def to_dict(self):
        """As JSON has it."""
        parts = {"conditions": list(self.conditions), "switches": list(self.switches)}
        return {
            "kind": self.form,
            "file": self.path and str(self.path),
            "refused": list(self.refused),
            "notes": list(self.notes),
            **{name: part for name, part in parts.items() if part},
        }


def write(scenario, values, folder, forms):
    """Write files of these kinds for a resolved scenario into a folder; answers a `Written` for each.

    values: {path: value} that were searched, which must come back the same.
    """
    return write_all({"": scenario}, values, folder, forms)


def write_all(scenarios, values, folder, forms):
    """The same for several resolved scenarios, {label of the condition: scenario}; answers a list of `Written`.

    A kind of file that is the same for all of them is written once. Otherwise, as headroom depends on the links, each
    has its own, in a folder with its label; a note says so. Switches with ports of other speeds or cables have files of
    their own, with the name of the first of them.
    """
    folder = Path(folder)
    store.prepare(folder)
    done = []
    for form in forms:
        _remove(folder, FILES[form])
        found = {}  # switch, text and what is wrong with it -> the conditions, the switches, remarks of the writer
        for label, scenario in scenarios.items():
            made = _made(scenario, values, form)
            for (text, wrong), (alike, notes) in made.items():
                alike = alike if len(made) > 1 else []
                key = (alike[0] if alike else None, text, wrong)
                labels, switches, remarks = found.setdefault(key, ([], [], []))
                labels.append(label)
                switches += [name for name in alike if name not in switches]
                remarks += [note for note in notes if note not in remarks]
        folders = _names(labels[0] for labels, _, _ in found.values())
        of_switch = _names(switch for switch, _, _ in found if switch)
        for (switch, text, wrong), (labels, switches, remarks) in found.items():
            several, path = len(labels) < len(scenarios), None
            if not wrong:
                path = folder / (folders[labels[0]] if several else "") / FILES[form]
                path = path.with_stem(f"{path.stem}-{of_switch[switch]}") if switch else path
                store.prepare(path.parent)
                writing.write_file(path, lambda temporary, text=text: temporary.write_text(text, encoding="utf-8"))
            if switches:
                remarks.insert(0, f"this is for {_few(switches)}; other switches have other ports")
            if several:
                remarks.insert(0, f"this is for {', '.join(labels)}; the other conditions need other values")
            done.append(Written(form, path, wrong, tuple(remarks), tuple(labels) if several else (), tuple(switches)))
    return done


def _remove(folder, name):
    """Remove files of this name of an earlier choice."""
    stem, suffix = Path(name).stem, Path(name).suffix
    for pattern in (name, f"{stem}-*{suffix}", f"*/{name}", f"*/{stem}-*{suffix}"):
        for path in folder.glob(pattern):
            path.unlink()
            if path.parent != folder:
                with contextlib.suppress(OSError):  # other files are in it
                    path.parent.rmdir()


def _names(labels):
    """Names of files and folders for labels, {label: name}: "pfc-incast, delay 5 us" is pfc-incast-delay-5-us."""
    found = {}
    for label in dict.fromkeys(labels):
        name = re.sub(r"[^\w.+-]+", "-", label)[:80].strip("-.") or "condition"
        found[label] = name if name not in found.values() else f"{name}-{len(found) + 1}"
    return found


def _few(switches):
    """Switches in words, of many the first and the last."""
    if len(switches) < 4:
        return ", ".join(switches)
    return f"{switches[0]}, {switches[1]}, ..., {switches[-1]} ({len(switches)} switches)"


def _made(scenario, values, form):
    """Files of a kind for a scenario: text, what is wrong with it (then it is not to be written) -> its switches,
    remarks of the writer."""
    if form != "sonic":
        text, wrong, notes = _made_for(scenario, values, form, None)
        return {(text, wrong): ([None], notes)}
    found, ports = {}, roce.Ports(scenario)
    for first, alike in ports.kinds().items():
        text, wrong, notes = _made_for(scenario, values, form, first)
        switches, remarks = found.setdefault((text, wrong), ([], []))
        switches += alike
        remarks += [note for note in notes if note not in remarks]
        if roce.is_lossless(scenario) and (others := ports.in_other_order(alike)):
            remarks.append(f"ports of {', '.join(others)} are in another order: write their files with `cc write`")
    return found


def _made_for(scenario, values, form, switch):
    """The same for a switch, or for all of them: text, what is wrong, remarks."""
    try:
        text, notes = _text(scenario, form, switch)
        return text, tuple(_differences(scenario, values, text, form, switch)), notes
    except (CongestreeError, ScenarioError) as error:
        return "", (str(error).strip(),), []


def _text(scenario, form, switch):
    if form in roce.FORMS:
        return roce.write(scenario, form, **({"switch": switch} if switch else {}))
    settings = opensm.files.convert(opensm.of_scenario(scenario), form)
    return opensm.write_text(settings, form), [str(note) for note in settings.notes]


def _differences(scenario, values, text, form, switch):
    """What differs after the text is read back, in sentences."""
    if form in roce.FORMS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / FILES[form]
            path.write_text(text, encoding="utf-8")
            if form == "mlx5":
                readings = [roce.read(path, form)[0]]
            else:
                chosen = [(name,) for name in _profiles(text)] or [()]
                ports = [len(roce.Ports(scenario, switch).ports)]
                readings = [roce.read(path, form, profiles=names, ports=ports)[0] for names in chosen]
    else:
        settings = opensm.read_text(text, form)
        asked = opensm.files.convert(opensm.of_scenario(scenario), form)
        if settings != asked:
            return ["the registers that are read back are not those that were written"]
        scheme, _ = settings.to_scheme()
        readings = [{"scheme": scheme}]
    searched = [place for path in values if _concerns(path, form) for place in _compared(path, values[path])]
    if not roce.lossy_lanes(scenario):  # then it has no effect, and no file has it
        searched = [path for path in searched if path != LOSSY]
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


LOSSY = "switches.shared_memory.lossy_alpha"
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
