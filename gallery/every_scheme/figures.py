"""The figure of the page: for each scheme, what victims have against how long short messages take."""

FIGURES = {}
