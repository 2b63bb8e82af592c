"""The page of the Python interface: what `congestree.__all__` has, in the words of its docstrings."""

# ruff: noqa: E501 (sentences for a page)

import importlib
import inspect
import re

from .writing import code, table

INTRO = """# Python

Everything that `import congestree` gives, in the words of the code. Names are imported when first used, so that the import itself is
instant. What a scenario may hold is on [the page of scenario files](scenario.md), its parts on [that of parts](parts.md), what tables have on
[that of tables](tables.md).

```python
import congestree

run = congestree.run("hot-spot")
print(run.flows.select("class", "rate").head(3))
```
"""


def api_page():
    """One section for the top level, and one for each module."""
    import congestree

    modules = {name: value for name in congestree.__all__ if inspect.ismodule(value := getattr(congestree, name))}
    own = [name for name in congestree.__all__ if name not in modules and not name.startswith("__")]
    rows = [(f"[`{name}`](#{name.replace('_', '-').lower()})", first(value)) for name, value in modules.items()]
    text = [INTRO, table(("module", "about"), rows)]
    text.append("## congestree { #top }\n")
    for name in sorted(own, key=lambda name: (inspect.isclass(getattr(congestree, name)), name.lower())):
        text.append(entry(f"congestree.{name}", getattr(congestree, name)))
    for name, value in modules.items():
        text.append(f"## congestree.{name} {{ #{name.replace('_', '-').lower()} }}\n")
        text.append(prose(value) + "\n")
        if name == "scenario":
            text.append(classes_of_scenarios(value))
            continue
        text += [entry(f"congestree.{name}.{one}", each) for one, each in public(value).items()]
    return "\n".join(text)


def public(module):
    """The public names of a module, in its own order: {name: value}; plain values without a docstring are left out."""
    names = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]
    found = {}
    for name in names:
        value = getattr(module, name, None)
        if value is None:
            value = importlib.import_module(f"{module.__name__}.{name}")
        if inspect.isfunction(value) or inspect.isclass(value) or inspect.ismodule(value):
            found[name] = value
    return found


def entry(name, value):
    """A function, a class with what can be done with it, or a module in a line."""
    if inspect.ismodule(value):
        return f"### `{name}`\n\n{prose(value)}\n"
    word = "class " if inspect.isclass(value) else ""
    text = [f"### `{word}{name}{signature(value)}`\n", prose(value) + "\n"]
    if inspect.isclass(value):
        rows = []
        for member, each in members(value):
            shown_name = f"{member}{signature(each)}" if callable(each) else member
            rows.append((code(shown_name), whole(each)))
        if rows:
            text.append(table(("has", ""), rows))
    return "\n".join(text)


def members(kind):
    """Methods and properties of a class and of those that it is made of, which have a docstring: (name, value)."""
    found = {}
    for base in reversed([base for base in kind.__mro__ if base.__module__.startswith("congestree")]):
        for name, value in vars(base).items():
            bare = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            bare = getattr(bare, "func", bare)  # a property that is computed once
            if name.startswith("_") or not (callable(bare) or isinstance(bare, property)) or inspect.isclass(bare):
                continue
            if inspect.getdoc(bare):
                is_value = isinstance(value, property) or hasattr(value, "func")
                found[name] = value if is_value else bare
    return found.items()


def signature(value):
    """The arguments, or nothing if they cannot be determined."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    plain = [p.replace(annotation=p.empty) for p in found.parameters.values() if p.name not in ("self", "cls")]
    text = str(found.replace(parameters=plain, return_annotation=found.empty))
    return "(…)" if re.search(r" at 0x|<", text) else text


def prose(value):
    """A docstring as Markdown. Lines of `name: what it is` after an empty one are a list, up to the next empty one; an
    argument that begins within a line is one of it, too, and what is raised follows behind.
    """
    lines, items, session = [], [], False
    for line in [*(inspect.getdoc(value) or "").splitlines(), ""]:
        session = bool(line) and (session or line.startswith(">>>"))
        argument = re.fullmatch(r"([a-z_]\w*(?:, \w+)*): (.*)", line)
        if session:
            lines.append(f"    {line}")
        elif argument and (items or not lines or not lines[-1]):
            items.append([argument[1], argument[2]])
        elif items and line:
            items[-1][1] += f" {line.strip()}"
        else:
            lines += listed(items, arguments(value))
            items = []
            lines.append(line if line.startswith("    ") else shown(line))
    return "\n".join(lines).rstrip()


def listed(items, known):
    """The lines of a list of arguments, and of the exceptions."""
    lines, behind = [], ""
    for name, text in items:
        text, raises, rest = text.partition(" Raises ")
        behind += f"{' ' if behind else ''}Raises {rest}" if raises else ""
        found = [[name, ""]]
        for part in re.split(r"(?<=[.;]) (?=[a-z_]\w*(?:, \w+)*: )", text):
            inner = re.fullmatch(r"([a-z_]\w*(?:, \w+)*): (.*)", part)
            if inner and set(inner[1].split(", ")) <= known:
                found.append([inner[1], inner[2]])
            else:
                found[-1][1] += f" {part}"
        lines += [f"- `{name}`: {shown(text.strip().rstrip(';'))}" for name, text in found]
    return [*lines, "", behind] if behind else lines


def shown(text):
    """Text in which angle brackets that are no tags are escaped, except in code."""
    return "`".join(part if number % 2 else part.replace("<", "&lt;") for number, part in enumerate(text.split("`")))


def arguments(value):
    """The names of the arguments of a function, or of a class."""
    try:
        return set(inspect.signature(value).parameters)
    except (TypeError, ValueError):
        return set()


def first(value):
    """The first sentence of a docstring."""
    text = " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.;:])\s", text)[0].rstrip(":;")


def whole(value):
    """A docstring in a cell of a table: paragraphs below each other, every argument on a line of its own."""
    parts = []
    for line in prose(value).splitlines():
        if line.startswith("    "):
            continue
        line = line.removeprefix("- ") if (item := line.startswith("- ")) else line
        if item or not line or not parts or not parts[-1]:
            parts.append(line)
        else:
            parts[-1] += f" {line.strip()}"
    return "<br>".join(filter(None, parts))


def classes_of_scenarios(module):
    """Those made from the schema, by name."""
    names = sorted(public(module))
    return (
        f"The {len(names)} classes, of which `Scenario` is the whole; keys, defaults and meaning are those of "
        "[scenario files](scenario.md) and [parts](parts.md):\n\n" + ", ".join(f"`{name}`" for name in names) + ".\n"
    )
