"""A template writes its values as text, whatever they hold, and reports a missing one."""

from __future__ import annotations

import pytest
from jinja2 import TemplateNotFound, UndefinedError

from covan.report.html import TEMPLATES, percent, render


def test_a_template_that_lacks_a_value_is_told() -> None:
    with pytest.raises(UndefinedError):
        render("suite.html")


def test_only_templates_of_the_package_are_read() -> None:
    with pytest.raises(TemplateNotFound):
        render("../html.py")


def test_no_template_turns_escaping_off() -> None:
    for path in TEMPLATES.iterdir():
        text = path.read_text(encoding="utf-8")
        assert "|safe" not in text.replace(" ", "")
        assert "autoescape" not in text


def test_shares_are_read_in_percent() -> None:
    assert percent(0.8337) == "83.4\N{NO-BREAK SPACE}%"
