"""The figures of our plots: without a window, and shown where they are the result of a cell of a notebook."""

import io

from matplotlib import figure
from matplotlib.backends.backend_agg import FigureCanvasAgg


class Figure(figure.Figure):
    """A figure of matplotlib, made with its options, that belongs to no window."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        FigureCanvasAgg(self)

    def _repr_png_(self):
        """The picture, for IPython: matplotlib itself shows only figures of pyplot, or after %matplotlib."""
        buffer = io.BytesIO()
        self.savefig(buffer, format="png")
        return buffer.getvalue()
