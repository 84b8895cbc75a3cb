"""Plots as SVG text for a page: drawn by matplotlib's objects, without its global state and without a display.

Text stays text. Lines and letters take the colour of the page (`currentColor`), so that a plot is as readable on
a dark page as on a light one; curves have colours that can be told apart on both, also by the colour-blind
(after Okabe & Ito, 2008), and a dash pattern of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator, PercentFormatter

INK = "#010203"
"""Stands for the page's own colour while matplotlib draws; no curve has it."""

COLOURS = ("#2a86d1", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a")
DASHES = ("-", "--", "-.", ":")

NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))

WIDTH, HEIGHT = 7.2, 4.0
"""Inches; the page scales the drawing to its own width."""

LOWEST_CEILING = 0.1
"""The risk axis reaches at least this far: below it, one mistake would look like a cliff."""

Curve = Sequence[tuple[float, float]]


def risk_coverage(
    curves: Mapping[str, Curve],
    chosen: Mapping[str, tuple[float, float]] | None = None,
    target: float | None = None,
) -> str:
    """Draw the share of wrong answers (y) by the share of questions that are answered (x), both in 0..1.

    `curves` are points (coverage, risk) by name; `chosen` are the points that the thresholds in use stand for,
    by the same names; `target` is the risk that was asked for, drawn as a level line. Returns SVG.
    """
    figure, axes = _axes("share of questions answered", "share of answers that are wrong")
    ceiling = LOWEST_CEILING if target is None else max(LOWEST_CEILING, 1.5 * target)
    for number, (name, curve) in enumerate(curves.items()):
        colour = _colour(number)
        points = [(coverage, risk) for coverage, risk in curve if coverage > 0]
        if points:
            axes.plot(*zip(*points, strict=True), color=colour, linestyle=_dash(number), label=name)
            ceiling = max(ceiling, _settled_ceiling(points))
        if chosen is not None and name in chosen:
            coverage, risk = chosen[name]
            axes.plot([coverage], [risk], "o", color=colour, markersize=8, zorder=3, clip_on=False)
            ceiling = max(ceiling, 1.1 * risk)
    if target is not None:
        axes.axhline(target, color=INK, linestyle=":", linewidth=1.2)
        axes.annotate(
            f"asked for: {target:.0%}",
            (0.01, target),
            xycoords=("axes fraction", "data"),
            xytext=(0, 3),
            textcoords="offset points",
            color=INK,
        )
    axes.set_xlim(0, 1)
    axes.set_ylim(0, min(1.0, ceiling))
    _percent(axes)
    return _svg(figure, axes, "risk-coverage", legend=bool(curves))


def latency(milliseconds: Mapping[str, Sequence[float]]) -> str:
    """Draw the share of the questions answered within a time: x in milliseconds (logarithmic), y in 0..1.

    `milliseconds` are the times of single replies, by the name of what was measured. Returns SVG.
    """
    figure, axes = _axes("milliseconds", "share of questions answered within")
    for number, (name, times) in enumerate(milliseconds.items()):
        positive = sorted(time for time in times if time > 0)
        if positive:
            shares = [(place + 1) / len(positive) for place in range(len(positive))]
            axes.step(
                positive, shares, where="post", color=_colour(number), linestyle=_dash(number), label=name
            )
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    return _svg(figure, axes, "latency", legend=bool(milliseconds))


def _settled_ceiling(points: Curve) -> float:
    """Return the height of the axis without the first few answers: all wrong, they would flatten the rest."""
    settled = [risk for coverage, risk in points if coverage >= 0.05] or [risk for _, risk in points]
    return 1.15 * max(settled)


def _axes(x: str, y: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    figure.patch.set_alpha(0)
    axes = figure.add_subplot()
    axes.patch.set_alpha(0)
    axes.set_xlabel(x, color=INK)
    axes.set_ylabel(y, color=INK)
    axes.tick_params(colors=INK)
    axes.grid(visible=True, color=INK, alpha=0.15, linewidth=0.8)
    for side, spine in axes.spines.items():
        spine.set_color(INK)
        spine.set_visible(side in ("left", "bottom"))
    return figure, axes


def _percent(axes: Axes) -> None:
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _dash(number: int) -> str:
    return DASHES[number % len(DASHES)]


def _svg(figure: Figure, axes: Axes, salt: str, *, legend: bool) -> str:
    """`salt` makes the names inside one drawing differ from those of another on the same page."""
    if legend and axes.get_legend_handles_labels()[1]:
        axes.legend(frameon=False, labelcolor=INK)
    drawn = StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": salt, "svg.id": salt}):
        figure.savefig(drawn, format="svg", transparent=True, metadata=NO_METADATA)
    text = drawn.getvalue()
    return text[text.index("<svg") :].replace(INK, "currentColor").strip()
