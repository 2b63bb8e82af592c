"""A run in the browser: its fabric, its congestion trees and its links over time, in one self-contained file.

    congestree.view.write("seen.html", run)                     # a page that works from disk, without a network
    congestree.view.write("both.html", run, controlled)         # two runs of one network with one slider
    congestree.view.widget(run)                                 # the same in a Jupyter or marimo notebook

The page is drawn from the tables `ports`, `port_series`, `buffer_series`, `output_queue_series`, `input_queue_series`,
`credit_series`, `pauses`, `marks`, `congestion`, the tables of the probe `trees`, `flows` and `flow_series`, as far as
the run has them.
"""

import functools
from pathlib import Path

from ..errors import CongestreeError
from ..runs import arguments, writing
from .page import bundle, compose

__all__ = ["gather", "html", "widget", "write"]


def gather(runs, most=None, on_progress=None):
    """The contents of the page: (packed data, title, sentences); see `gathering.py`.

    runs: one `Run`, or two of the same network. most, on_progress, and the errors raised: as `frames` and the rest of
    `html`.
    """
    from .gathering import gather as gathered  # numpy and more, which `congestree doctor` does without

    return gathered(runs, most, on_progress)


def html(run, other=None, *, frames=None, on_progress=None):
    """The page as text.

    run, other: `Run`s; two runs are shown side by side, and must be of the same network.
    frames: the largest number of instants shown, a whole number from 2 to 20,000; by default 500, or fewer on fabrics
    of more than 50,000 ports.
    on_progress: called with shares from 0 to 1.

    Raises CongestreeError if a run has recorded nothing over time, if the networks differ, if `frames` is another
    number, or if the bundle of the viewer is missing.
    """
    runs = [run] if other is None else [run, other]
    script = bundle()
    return compose(script, *gather(runs, frames, on_progress))


def write(path, run, other=None, *, frames=None, on_progress=None):
    """Write the page to a file, and return its path; run, other, frames, on_progress and errors: as for `html`.

    path: of the file; CongestreeError if it cannot be written.
    """
    file, text = arguments.path("path", path), html(run, other, frames=frames, on_progress=on_progress)
    writing.write_file(file, lambda temporary: temporary.write_text(text, encoding="utf-8"))
    return file if isinstance(path, str) else Path(file)


def widget(run, other=None, *, frames=None, height=640):
    """A run as a widget for notebooks: Jupyter, marimo and whatever else takes `anywidget`.

    run, other, frames: as for `html`. height: the height in pixels.

    The trait `state` is the state of the view as text (instant, colours, selection), and may be set. Raises
    CongestreeError as `html` does, or if the package anywidget is not installed.
    """
    bundle()
    runs = [run] if other is None else [run, other]
    text = gather(runs, frames)[0]
    return _widget_class()(data=text, height=height)


@functools.cache
def _widget_class():
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise CongestreeError(
            "The package anywidget is not installed; install it with: pip install anywidget"
        ) from None
    from .page import BUNDLE

    class View(anywidget.AnyWidget):
        """A run of congestree in a notebook."""

        _esm = BUNDLE
        data = traitlets.Unicode("").tag(sync=True)
        state = traitlets.Unicode("").tag(sync=True)
        height = traitlets.Int(640).tag(sync=True)

    return View
