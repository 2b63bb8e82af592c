"""Signals that end a command: batch systems send SIGTERM at the limit of time, terminals that close send SIGHUP.

Both act as Ctrl-C, so that what is finished is kept, unfinished runs are stopped where they are (also those on a
cluster), and partial results are written. Only the exit code differs: 143 for SIGTERM, 129 for SIGHUP.
"""

import contextlib
import signal

INTERRUPTED = 130
"""The exit code of a command that was stopped by Ctrl-C."""
_received = []


def act_as_ctrl_c():
    """From now on these signals act as Ctrl-C, unless they are ignored, as SIGHUP is under nohup."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            with contextlib.suppress(ValueError):  # not in the main thread
                signal.signal(number, _stop)


def code_of(code):
    """The exit code that says which signal ended the command."""
    return 128 + _received[0] if _received and code == INTERRUPTED else code


def _stop(number, frame):
    _received.append(number)
    ctrl_c = signal.getsignal(signal.SIGINT)
    if not callable(ctrl_c):  # it is ignored, as in commands that a shell script starts in the background
        raise KeyboardInterrupt
    ctrl_c(signal.SIGINT, frame)
