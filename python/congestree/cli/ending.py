"""Signals that end a command: batch systems send SIGTERM at the limit of time, terminals that close send SIGHUP.

Both act as Ctrl-C, so that what is finished is kept, unfinished runs are stopped where they are (also those on a
cluster), and partial results are written. Only the exit code differs: 143 for SIGTERM, 129 for SIGHUP. Of several
within seconds, as some systems send them, the first counts: another would end the writing of what it is to keep.
"""

import contextlib
import os
import signal
import time

INTERRUPTED = 130
"""The exit code of a command that was stopped by Ctrl-C."""
PATIENCE = 3.0
"""Seconds after a signal in which others mean the same."""
_received = []
"""(signal, when it took effect), the first one first."""


def is_command(arguments):
    """Whether this program is the `congestree` command; `arguments` are those of the program, with its name."""
    program = arguments[0] if arguments else ""
    # Other packages have a __main__.py, too: pytest, for instance.
    ours = os.path.join(os.path.dirname(os.path.dirname(__file__)), "__main__.py")
    return os.path.basename(program).removesuffix(".exe") == "congestree" or program == ours


def end_at_ctrl_c(arguments):
    """Have Ctrl-C end the command at once while it is still loading: an import would end in a traceback.

    A program that only imports the command line is left alone, and so is Ctrl-C if it is ignored.
    """
    if is_command(arguments) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with contextlib.suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGINT, _end)


def restore_ctrl_c():
    """From now on Ctrl-C is an exception, of which the command makes a sentence."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, _stop)


def _end(_number, _frame):
    os.write(2, b"Interrupted.\n")
    os._exit(code_of(INTERRUPTED))


def act_as_ctrl_c():
    """From now on these signals act as Ctrl-C, unless they are ignored, as SIGHUP is under nohup."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            with contextlib.suppress(ValueError):  # not in the main thread
                signal.signal(number, _stop)


def code_of(code):
    """The exit code that says which signal ended the command."""
    return 128 + _received[0][0] if _received and code == INTERRUPTED else code


def _stop(number, frame):
    now = time.monotonic()
    if _received and now - _received[-1][1] < PATIENCE:
        return
    _received.append((number, now))
    if signal.getsignal(signal.SIGINT) is _end:
        _end(number, frame)
    raise KeyboardInterrupt
