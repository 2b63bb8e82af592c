"""The page of the command line: every command as it is carried out, read off click's description of it."""

import inspect

from .writing import code, plain, table

WORDS = {"integer": "NUMBER", "integer range": "NUMBER", "float": "NUMBER", "path": "PATH", "text": "TEXT"}
"""What stands for a value, by click's name of its type."""


def cli_page():
    """Every command with its arguments and options."""
    import typer

    from congestree.cli import COMMANDS, app

    root = typer.main.get_command(app)
    text = ["# Command line\n", plain(app.info.help) + "\n"]
    for name, function in COMMANDS.items():
        about, _, examples = plain(inspect.getdoc(function)).partition("Example")
        text += [f"## `congestree {name}`\n", about.strip() + "\n"]
        text.append(table(("argument or option", "meaning"), [_row(parameter) for parameter in _of(root, name).params]))
        lines = _example_lines(examples)
        if lines:
            text.append("```sh\n" + "\n".join(lines) + "\n```\n")
    text.append(
        "Exit codes: 0 all is well; 1 something could not be done: a run was stopped or failed, a file could not be "
        "read or written; 2 the scenario or the command is wrong, or a file or folder that it names does not exist or "
        "is none that it takes; 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP (both act as Ctrl-C: what is finished is kept).\n"
    )
    return "\n".join(text)


def _of(group, name):
    """The command of this name, which may be one of a group (`cc read`)."""
    for word in name.split():
        group = group.commands[word]
    return group


def _row(parameter):
    """A parameter of a command: its forms, and its meaning with its default unless that says it in words."""
    help_text = plain(parameter.help)
    if parameter.param_type_name == "argument":
        return code(_argument(parameter)), help_text
    is_flag = getattr(parameter, "is_flag", False)
    first = parameter.opts[0] if is_flag else f"{parameter.opts[0]} {_value(parameter)}"
    forms = [first, *parameter.opts[1:], *parameter.secondary_opts]
    if parameter.required:
        help_text += "  [required]"
    elif (default := _default(parameter)) and "[default: " not in help_text:
        help_text += f"  [default: {default}]"
    return ", ".join(map(code, forms)), help_text


def _argument(parameter):
    """Brackets say that it may be left out."""
    word = parameter.metavar or _choices(parameter) or parameter.name.upper()
    return word if parameter.required or word.startswith("[") else f"[{word}]"


def _value(parameter):
    return parameter.metavar or _choices(parameter) or WORDS[parameter.type.name]


def _choices(parameter):
    return "|".join(getattr(parameter.type, "choices", ()))


def _default(parameter):
    """A default as it would be typed; empty if there is none, and for switches that are off."""
    default = getattr(parameter.default, "value", parameter.default)  # of an enum: its word
    if default is True:
        return parameter.opts[0]
    return "" if default is None or default is False else str(default)


def _example_lines(examples):
    """The commands among the examples of a help text; one that ends with a backslash continues in the next line."""
    lines, goes_on = [], False
    for line in map(str.strip, examples.splitlines()):
        if goes_on or line.startswith("congestree"):
            lines.append(f"    {line}" if goes_on else line)
            goes_on = line.endswith("\\")
    return lines
