"""Plots are SVG that a page can hold: well-formed, in the page's own colours, fetching nothing."""

from __future__ import annotations

from xml.etree import ElementTree

import matplotlib as mpl
import pytest

from covan.report.plots import COLOURS, INK, latency, risk_coverage

SVG = "{http://www.w3.org/2000/svg}"
CURVES = {"covan": [(0.2, 0.0), (0.5, 0.1), (0.8, 0.2)], "urag": [(0.3, 0.2), (0.4, 0.3)]}


def words(svg: str) -> list[str]:
    return [text for node in ElementTree.fromstring(svg).iter(f"{SVG}text") for text in node.itertext()]


def ticks(svg: str) -> list[str]:
    return [word for word in words(svg) if word.endswith("%")]


def test_curves_are_named_and_have_colours_of_their_own() -> None:
    svg = risk_coverage(CURVES)

    assert {"covan", "urag", "share of questions answered"} <= set(words(svg))
    assert COLOURS[0] in svg
    assert COLOURS[1] in svg
    assert COLOURS[2] not in svg


def test_the_risk_asked_for_is_drawn() -> None:
    assert "asked for: 5%" in words(risk_coverage(CURVES, target=0.05))
    assert not [word for word in words(risk_coverage(CURVES)) if word.startswith("asked")]


def test_chosen_points_are_drawn_where_there_is_a_curve() -> None:
    bare, marked = risk_coverage(CURVES), risk_coverage(CURVES, {"covan": (0.5, 0.1), "other": (0.1, 0.1)})

    assert marked.count("<use ") == bare.count("<use ") + 1


def test_lines_and_letters_take_the_colour_of_the_page() -> None:
    svg = risk_coverage(CURVES, target=0.1)

    assert "currentColor" in svg
    assert INK not in svg
    assert "#000000" not in svg


@pytest.mark.parametrize(
    "svg", [risk_coverage(CURVES), latency({"covan": [10.0, 20.0]})], ids=["risk", "latency"]
)
def test_a_plot_is_well_formed_and_fetches_nothing(svg: str) -> None:
    root = ElementTree.fromstring(svg)

    assert svg.startswith("<svg")
    assert root.get("viewBox")
    for node in root.iter():
        for name, value in node.attrib.items():
            if name.endswith("href"):
                assert value.startswith("#")


def test_names_stay_text() -> None:
    assert "<b>&" in words(risk_coverage({"<b>&": [(0.5, 0.1)]}))


@pytest.mark.parametrize("curves", [{}, {"silent": []}, {"one": [(1.0, 0.0)]}, {"all wrong": [(1.0, 1.0)]}])
def test_little_to_draw_is_drawn(curves: dict[str, list[tuple[float, float]]]) -> None:
    assert ticks(risk_coverage(curves))


@pytest.mark.parametrize("times", [{}, {"covan": []}, {"covan": [0.0]}, {"covan": [5.0]}, {"a": [1, 1000]}])
def test_few_times_are_drawn(times: dict[str, list[float]]) -> None:
    assert "100%" in ticks(latency(times))


def test_the_first_answers_alone_do_not_flatten_the_rest() -> None:
    """The surest answer of all may be wrong: a risk of 100 % at a coverage of one question."""
    svg = risk_coverage({"covan": [(0.01, 1.0), (0.5, 0.05), (0.9, 0.08)]})

    assert "100%" not in ticks(svg)[6:]


def test_the_same_is_drawn_the_same_and_settings_are_left_alone() -> None:
    before = dict(mpl.rcParams)

    assert risk_coverage(CURVES) == risk_coverage(CURVES)
    assert dict(mpl.rcParams) == before
