"""Figures of results: by matplotlib where it is installed, otherwise by Picus."""
from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any, Union

from .arrays import numbers

if TYPE_CHECKING:
    from .result import Result

Panels = list[tuple[str, list[str]]]


class Figure:
    """A figure as ``picus plot`` draws it; a notebook shows it.

    :meth:`save` writes a PNG, an SVG or a PDF.
    """

    def __init__(self, result: Result, panels: Panels) -> None:
        from . import _figure

        units = result.units

        def symbol(name: str) -> str:
            return _figure.symbol(name, units[name])

        self._panels = [
            (
                symbol(x),
                symbol(ys[0]) if len(ys) == 1 else "",
                [
                    (
                        symbol(y) if len(ys) > 1 else "",
                        numbers(result[x]),
                        numbers(result[y]),
                    )
                    for y in ys
                ],
            )
            for x, ys in panels
        ]

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the figure; the ending of the path is .png, .svg or .pdf."""
        from . import _figure

        _figure.save(os.fspath(path), "", self._panels)

    savefig = save  # the name in matplotlib

    def _repr_svg_(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "figure.svg")
            self.save(path)
            with open(path, encoding="utf-8") as file:
                return file.read()

    def __repr__(self) -> str:
        return f"<picus.Figure of {len(self._panels)} panels>"


def draw(result: Result, panels: Panels, axes: Any) -> Any:
    """Draw panels of columns; a figure of matplotlib or of Picus."""
    for across, ups in panels:
        for name in (across, *ups):
            result[name]  # an unknown name is an error with a hint
    try:
        from matplotlib.figure import Figure as OfMatplotlib
    except ImportError:
        try:
            return Figure(result, panels)
        except ImportError:
            raise ImportError(
                "plot needs matplotlib, or a package that was built with Cairo; "
                ".view() and .to_numpy() do without them"
            ) from None
    if axes is None:
        size = (6.4, 2.4 * len(panels) + 1)
        try:
            from matplotlib import get_backend, pyplot

            figure: Any = pyplot.figure(figsize=size)
            if "inline" in get_backend():  # a notebook would show it twice
                pyplot.close(figure)
        except ImportError:
            figure = OfMatplotlib(figsize=size)
        count = len(panels)
        all_axes = [figure.add_subplot(count, 1, k + 1) for k in range(count)]
    else:
        figure, all_axes = axes.figure, [axes] * len(panels)
    units, labels = result.units, result.labels

    def caption(name: str) -> str:
        return labels[name] + (f" in {units[name]}" if units[name] else "")

    for one, (across, ups) in zip(all_axes, panels):
        for name in ups:
            one.plot(result[across], result[name], label=caption(name), linewidth=1)
        one.set_xlabel(caption(across))
        if len(ups) == 1:
            one.set_ylabel(caption(ups[0]))
        else:
            one.legend()
    figure.tight_layout()
    return figure
