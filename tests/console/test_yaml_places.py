"""Values changed at their place: nothing else of a text changes."""

from __future__ import annotations

from typing import Any

import pytest

from console.yaml_places import (
    comment_at,
    read,
    with_comment,
    with_item,
    with_items,
    with_values,
    without_field,
    without_item,
)
from console.yaml_text import YamlTextError


@pytest.mark.parametrize(
    ("text", "path", "fields", "expected"),
    [
        ("a: 1  # một\nb: 2\n", (), {"a": "3"}, 'a: "3"  # một\nb: 2\n'),
        ('a: "x"\n', (), {"a": 'y "z"'}, 'a: "y \\"z\\""\n'),
        ("a: x\nc: z\n", (), {"a": "x", "b": "y"}, "a: x\nb: y\nc: z\n"),
        ("a:\nb: 2\n", (), {"a": "x"}, "a: x\nb: 2\n"),
        ("a: |\n  dài\n  hơn\nb: 2\n", (), {"a": "ngắn"}, 'a: "ngắn"\nb: 2\n'),
        ("a: x\nb: y # bỏ\n# giữ\nc: z\n", (), {"b": ""}, "a: x\n# giữ\nc: z\n"),
        ("- {a: x, b: y}\n", (0,), {"a": ""}, "- {b: y}\n"),
        ("- {a: x, b: y}\n", (0,), {"b": ""}, "- {a: x}\n"),
        ("- {a: x}\n", (0,), {"b": ["c", "d: e"]}, '- {a: x, b: [c, "d: e"]}\n'),
        ("a: {}\n", ("a",), {"b": "c"}, "a: {b: c}\n"),
        ("a: [x,\n    y]\n", (), {"a": ["x", "y", "z"]}, "a: [x,\n    y, z]\n"),
        ("a: [x, y]\n", (), {"a": ["y"]}, "a: [y]\n"),
        ("a: x\n", (), {"a": ["x", "y"]}, "a: [x, y]\n"),
        ("a: x\n", (), {"a": ["x"]}, "a: x\n"),
        ("a:\n  - x # một\n  - y # hai\n", (), {"a": ["y", "z"]}, "a:\n  - y # hai\n  - z\n"),
        ("a: {b: {c: d}}  # ghi\n", ("a", "b"), {"c": "e"}, "a: {b: {c: e}}  # ghi\n"),
        ("a: x\r\nb: y\r\n", (), {"a": "z"}, "a: z\r\nb: y\r\n"),
        ("# đầu\n", (), {"a": {"b": "c"}}, "# đầu\na: {b: c}\n"),
    ],
)
def test_fields_of_a_mapping(text: str, path: tuple[Any, ...], fields: dict[str, Any], expected: str) -> None:
    if '"3"' in expected:
        # Read as text by Covan, and as a number by others: a new value is never one by accident.
        assert read(expected)["a"] == "3"
    assert with_values(text, path, fields) == expected


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("- id: a  # một\n- id: b\n  name: Bê\n\n# c\n- id: c\n", (1,), "- id: a  # một\n\n# c\n- id: c\n"),
        ("- id: a\n- id: b\n", (0,), "- id: b\n"),
        ("- id: a\n- {id: b}", (1,), "- id: a\n"),
        ("x:\n  - {id: a}  # một\ny: z\n", ("x", 0), "x:\n  []  # một\ny: z\n"),
        ("x: [{id: a}, {id: b}]\n", ("x", 0), "x: [{id: b}]\n"),
        ("x: [{id: a}, {id: b}]\n", ("x", 1), "x: [{id: a}]\n"),
        ("x: [{id: a}]\n", ("x", 0), "x: []\n"),
    ],
)
def test_an_item_is_taken_away(text: str, path: tuple[Any, ...], expected: str) -> None:
    assert without_item(text, path) == expected


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("a: x # một\nb: y\n", ("a",), "b: y\n"),
        ("a:\n  b: x\n  # giữ\n  c: y\n", ("a", "b"), "a:\n  # giữ\n  c: y\n"),
        ("a: {b: {c: x}}\nd: y\n", ("a", "b", "c"), "d: y\n"),
        ("a: {b: x, c: y}\n", ("a", "b"), "a: {c: y}\n"),
        ("# đầu\na:\n  b: x\n", ("a", "b"), "# đầu\n"),
        ("{a: x}\n", ("a",), "{}\n"),
    ],
)
def test_a_field_is_taken_away(text: str, path: tuple[Any, ...], expected: str) -> None:
    assert without_field(text, path) == expected


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("", (), "- id: b\n  name: Bê\n"),
        ("# Đầu\n- id: a\n  name: A\n", (), "# Đầu\n- id: a\n  name: A\n- id: b\n  name: Bê\n"),
        ("- {id: a}  # một\n", (), "- {id: a}  # một\n- {id: b, name: Bê}\n"),
        ("x:\n  - id: a\n\ny: 1\n", ("x",), "x:\n  - id: a\n  - id: b\n    name: Bê\n\ny: 1\n"),
        ("x: []\n", ("x",), "x: [{id: b, name: Bê}]\n"),
        ("y: 1", ("x",), "y: 1\nx:\n  - {id: b, name: Bê}\n"),
    ],
)
def test_items_of_a_list(text: str, path: tuple[Any, ...], expected: str) -> None:
    assert with_item(text, path, {"id": "b", "name": "Bê", "none": ""}) == expected


@pytest.mark.parametrize(
    ("text", "path", "fields"),
    [
        ("a: [", (), {"a": "b"}),
        ("- a\n", (0,), {"a": "b"}),
        ("a: x\n", (), {"a": ""}),
    ],
)
def test_what_cannot_be_changed_says_so(text: str, path: tuple[Any, ...], fields: dict[str, Any]) -> None:
    with pytest.raises(YamlTextError):
        with_values(text, path, fields)


def test_comments_are_told_from_values() -> None:
    text = "a: \"x # y\"  # z\nb: c#d\nc: 'e' # f"

    assert [comment_at(text, line) for line in (1, 2, 3)] == ["z", "", "f"]


@pytest.mark.parametrize(
    ("text", "comment", "expected"),
    [
        ('a: "x # y"\n', "z", 'a: "x # y"  # z\n'),
        ('a: "x # y" # cũ # hơn\n', "z", 'a: "x # y"  # z\n'),
        ("a: x  # cũ\r\nb: y\r\n", "", "a: x\r\nb: y\r\n"),
    ],
)
def test_a_comment_is_changed(text: str, comment: str, expected: str) -> None:
    assert with_comment(text, 1, comment) == expected


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("majors:\n  - {id: a}\n# end\n", ("majors",)),
        ("majors:\n  - id: a\n    name: A\n\nx: 1\n", ("majors",)),
        ("majors: [{id: a}]\n", ("majors",)),
        ("majors: []\n", ("majors",)),
        ("x: 1\n", ("majors",)),
        ("- {id: a}\n", ()),
        ("# nothing yet\n", ()),
    ],
)
def test_several_items_are_written_as_one_after_the_other(text: str, path: tuple[str, ...]) -> None:
    items = [{"id": "b", "name": "Bê"}, {"id": "c", "aliases": ["c1", "c2"]}]

    assert with_items(text, path, items) == with_item(with_item(text, path, items[0]), path, items[1])
    assert with_items(text, path, []) == text
