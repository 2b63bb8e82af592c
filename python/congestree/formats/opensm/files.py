"""The two forms of file that configure congestion control: OpenSM's own options, and those of the ccmgr plug-in.

Both have a name and a value on a line and comments after `#`. They differ in what a zero means (off for OpenSM, "derive
it" for ccmgr), in the unit of the packet size (64 B, and bytes), and in whether service levels can differ. So the form
must be known: it follows from the names, or the caller gives it.

OpenSM continues after an invalid line: unknown names are logged, values are cut to their field. Here such lines are
complaints.
"""

from ... import reading
from ...errors import AskedError, nearest, there_are
from ...runs import arguments
from ...runs.writing import write_file
from . import grammar, options
from .grammar import Misread
from .notes import Note, SettingsError, refuse
from .options import CCMGR, OPENSM
from .registers import MOST_ENTRIES, SERVICE_LEVELS, Manager, Settings, Source

FORMS = ("opensm", "ccmgr")

# OpenSM reads with fgets into 1023 bytes: 1022 characters and the line's end among them (osm_subn_parse_conf_file).
LONGEST_LINE = 1022

# Options of OpenSM for the newer, programmable congestion control of NVIDIA, which has nothing to do with this one.
NEWER = ("mlnx_congestion_control", "congestion_control_policy_file", "ppcc_algo_dir")


def read(path, form=None):
    """The settings in a file.

    path: of the file. form: "opensm" or "ccmgr"; by default recognised by the names in the file.

    Raises SettingsError with every invalid line, CongestreeError if the file cannot be read or there is no such form.
    """
    form, path = _known(form), arguments.path("path", path)
    return read_text(reading.read_text(path, exact=True), form, path)


def read_text(text, form=None, name="the settings"):
    """The settings in a text; `name` is what complaints call it. `form` and the errors raised are as for `read`."""
    form, text = _known(form), arguments.text("opensm.read_text", text)
    lines = list(_lines(_without_mark(text, name), name))
    form = form or _form_of(lines, name)
    refuse(_others(lines, form))
    reader = _Reader(OPENSM if form == "opensm" else CCMGR, form)
    for line in lines:
        reader.take(line)
    refuse(reader.complaints)
    try:
        settings = options.settings_of(reader.values, form)
    except SettingsError as error:
        raise SettingsError(Note(name, c.fact, c.remedy) for c in error.complaints) from None
    return settings.replace(notes=tuple(reader.remarks) + tuple(options.traps(settings, name)))


def _known(form):
    """The name of a form, or None if none is given. Raises AskedError if there is none of that name."""
    if form is not None and form not in FORMS:
        raise AskedError(f"There is no form {form!r:.40}; {there_are(form, FORMS)}")
    return form


def _without_mark(text, name):
    """A text without the byte order mark of some editors. Neither program skips one: they lose the first option."""
    if not text.startswith("\ufeff"):
        return text
    text = text.removeprefix("\ufeff")
    first = _Line(f"{name}:1", text.partition("\n")[0])
    if first.name:
        fact = f"a byte order mark stands before {grammar.shown(first.name)}, which is then read as another name"
        raise SettingsError([Note(first.place, fact, "Save the file without it (as UTF-8, not UTF-8 with BOM)")])
    return text


class _Line:
    """A line with something on it: where it is, how long, the name and the value."""

    def __init__(self, place, text):
        said = text.partition("#")[0].strip()
        self.place, self.length = place, len(text.encode())
        parts = said.split(None, 1)
        self.name, self.value = (*parts, "", "")[:2]
        if len(self.value) > 1 and self.value[0] == self.value[-1] and self.value[0] in "\"'":
            self.value = self.value[1:-1].strip()


def _lines(text, name):
    for number, said in enumerate(text.split("\n"), start=1):
        line = _Line(f"{name}:{number}", said)
        if line.name or line.length > LONGEST_LINE:
            yield line


def _form_of(lines, name):
    """The form that the names in a file speak for."""
    ours, theirs = ([line for line in lines if line.name in known] for known in (OPENSM, CCMGR))
    if ours and theirs:
        fact = f"{ours[0].name} ({ours[0].place}) is an option of OpenSM, {theirs[0].name} ({theirs[0].place}) of ccmgr"
        raise SettingsError([Note(name, fact, "Keep one kind, or say --form opensm or --form ccmgr")])
    if ours or theirs:
        return "opensm" if ours else "ccmgr"
    if any(line.name.startswith("cc_") for line in lines):
        return "opensm"
    for line in lines:
        if near := nearest(line.name, OPENSM, 0.8) or nearest(line.name, CCMGR, 0.8):
            fact = f"there is no option {grammar.shown(line.name)}"
            raise SettingsError([Note(line.place, fact, f'Did you mean "{near}"')])
    forms = "cc_ options (opensm.conf), options of the ccmgr plug-in, cc_params of mlx5, or settings of SONiC"
    remedy = f"Name a file with {forms}, or say which with --form"
    raise SettingsError([Note(name, "nothing in this file is about congestion control", remedy)])


def _others(lines, form):
    """A ccmgr file contains no option that OpenSM knows: read as a file of OpenSM it would mean that control is off."""
    if form == "opensm" and not any(line.name.startswith("cc_") or line.name in OPENSM for line in lines):
        for line in lines:
            if line.name in CCMGR:
                fact = f"{line.name} is an option of ccmgr, and none of OpenSM's options of congestion control is here"
                return [Note(line.place, fact, "Say --form ccmgr")]
    return []


class _Reader:
    """Takes lines, collects values, complaints and remarks."""

    def __init__(self, known, form):
        self.known, self.form = known, form
        self.values = {}  # name, or name and service level -> (value, place)
        self.complaints, self.remarks = [], []

    def take(self, line):
        option = self.known.get(line.name)
        if option is None:
            self._unknown(line)
            return
        if self.form == "opensm" and line.length > LONGEST_LINE:
            room = LONGEST_LINE - len(line.name) - 1
            fact = f"{line.name}: this line has {line.length} characters, and OpenSM ends the value after {room}"
            self._complain(line, fact, "Shorten the value: fewer entries, or smaller multipliers")
            return
        if line.value == "":
            self._complain(line, f"{line.name} has no value, which OpenSM takes as 0", "Write one, or delete the line")
            return
        remarks = []
        try:
            key, value = option.read(line.value, remarks)
        except Misread as misread:
            self._complain(line, f"{line.name}: {misread.fact}", misread.remedy)
            return
        self.remarks += [Note(line.place, f"{line.name}: {fact}", remedy) for fact, remedy in remarks]
        if key in self.values:
            before = self.values[key][1]
            self.remarks.append(
                Note(line.place, f"{line.name} was set at {before} too; this one counts", "Delete the other")
            )
        self.values[key] = (value, line.place)

    def _complain(self, line, fact, remedy):
        self.complaints.append(Note(line.place, fact, remedy))

    def _unknown(self, line):
        if line.length > LONGEST_LINE and self.form == "opensm":
            fact = f"this line has {line.length} characters; OpenSM takes what is after {LONGEST_LINE} for another line"
            self.remarks.append(Note(line.place, fact, "Break it"))
        if not line.name:
            return
        other = CCMGR if self.form == "opensm" else OPENSM
        if line.name in NEWER:
            fact = f"{line.name} is about NVIDIA's programmable congestion control, another mechanism; it is not read"
            self.remarks.append(Note(line.place, fact))
        elif self.form == "opensm" and line.name == "event_plugin_name" and "ccmgr" in line.value:
            fact = "OpenSM loads the ccmgr plug-in, which overrides what is here"
            self.remarks.append(Note(line.place, fact, "Read the file after --conf_file in event_plugin_options too"))
        elif self.form == "ccmgr" or line.name.startswith("cc_"):
            near = nearest(line.name, self.known, 0.6)
            remedy = f'Did you mean "{near}"' if near else "Delete it; `congestree cc write` shows all names"
            whose = "an option of OpenSM, not of ccmgr" if self.form == "ccmgr" and line.name in other else "unknown"
            fact = f"the option {grammar.shown(line.name)} is {whose}, and would be ignored without a word"
            self._complain(line, fact, remedy)
        elif near := nearest(line.name, self.known, 0.88):
            fact = f"the option {grammar.shown(line.name)} is unknown, and would be ignored without a word"
            self._complain(line, fact, f'Did you mean "{near}"')


def convert(settings, form):
    """The settings as a form of file can express them; changes are in `.notes`. Refuses what cannot be expressed."""
    return _as_opensm(settings) if form == "opensm" else _as_ccmgr(settings)


def write_text(settings, form=None):
    """The settings as text in one form ("opensm" or "ccmgr"; by default the one they belong to).

    Raises SettingsError for settings that this form cannot express, CongestreeError if there is no such form.
    """
    remedy = "give what opensm.read or opensm.of_scenario returns"
    form = _known(form) or arguments.instance("opensm.write_text", settings, Settings, remedy).form
    settings = convert(settings, form)
    if form == "ccmgr":
        return options.ccmgr_text(settings)
    text = options.opensm_text(settings)
    longest = max(text.splitlines(), key=len)
    if len(longest) > LONGEST_LINE:
        name = longest.split()[0]
        has, may = (length - len(name) - 1 for length in (len(longest), LONGEST_LINE))
        fact = f"{name} would have {has} characters, and OpenSM reads {may}"
        raise SettingsError([Note("", fact, "Use fewer entries or multipliers with fewer digits, or the ccmgr form")])
    return text


def write(path, settings, form=None):
    """Write the settings to a file atomically. `form` and the errors raised are as for `write_text`.

    path: of the file; CongestreeError if it cannot be written.
    """
    path, text = arguments.path("path", path), write_text(settings, form)
    write_file(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def _as_opensm(settings):
    """Settings of ccmgr in the form that OpenSM needs."""
    if not settings.manager:
        return settings
    missing = []
    if settings.table is None:
        missing.append(Note("", "ccmgr derives the table itself", "OpenSM needs its entries: set `cct`"))
    if any(settings.sources[level].timer is None for level in settings.levels):
        missing.append(Note("", "ccmgr derives the timer itself", "OpenSM needs its value: set `ccti_timer`"))
    refuse(missing)
    sources = tuple(Source() if s.timer is None else s for s in settings.sources)
    note = Note("", "ccmgr sets a victim mask that its manual does not name", f"Set {options.SWITCH}victim_mask")
    return settings.replace(manager=None, sources=sources, notes=(*settings.notes, note))


def _as_ccmgr(settings):
    """Settings that ccmgr can hold: one source for all service levels, a table of 128 that begins with 0."""
    if settings.manager and settings.table is None:
        return settings
    source = settings.sources[settings.levels[0] if settings.levels else 0]
    table, wrong, notes = settings.table, [], list(settings.notes)
    if any(settings.sources[level] != source for level in settings.levels):
        wrong.append(Note("", "service levels differ", "ccmgr has one setting for all: use the opensm form"))
    if source.timer == 0:
        wrong.append(Note("", "the timer is 0", "ccmgr takes 0 for derive it: set one of at least 1.024 us"))
    if len(table) < 2:
        fact = f"the table has {len(table)} entries"
        wrong.append(Note("", fact, "ccmgr fills the table with its last value: give two or more"))
    elif table[0].word != 0:
        wrong.append(Note("", f"the table begins with {table[0]}", "ccmgr keeps the first entry at 0:0: begin with it"))
    refuse(wrong)
    if len(table) < MOST_ENTRIES:
        fact = f"ccmgr fills the table: CCTI_Limit becomes {MOST_ENTRIES - 1} instead of {len(table) - 1}"
        notes.append(Note("", fact, "Sources then stay longer at the slowest rate; the opensm form keeps the limit"))
    if not settings.manager:
        unsaid = [name for name in ("victim_mask", "credit_mask", "starvation_threshold") if getattr(settings, name)]
        if unsaid:
            notes.append(
                Note("", f"ccmgr has no option for {' and '.join(unsaid).replace('_', ' ')}", "It sets its own")
            )
    return Settings(
        enabled=settings.enabled,
        control_map=options.CCMGR_CONTROL_MAP,
        threshold=settings.threshold,
        packet_size=settings.packet_size,
        marking_rate=settings.marking_rate,
        port_control=settings.port_control,
        source_map=settings.source_map,
        sources=(source,) * SERVICE_LEVELS,
        table=table + table[-1:] * (MOST_ENTRIES - len(table)),
        manager=settings.manager or Manager(),
        notes=tuple(notes),
    )
