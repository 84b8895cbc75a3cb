"""Pages from the templates beside this file. Whatever a template is given is escaped unless it is `Markup`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, **values: object) -> str:
    """Return the page that `templates/TEMPLATE` makes of `values`.

    A drawing of `covan.report.plots` goes in as `markupsafe.Markup(svg)`; nothing else should. Raises
    jinja2.UndefinedError when the template needs a value that is not given.
    """
    return _environment().get_template(template).render(**values)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    return environment


def percent(share: float) -> str:
    """Return a share in 0..1 as people read it: "83.4 %"."""
    return f"{100 * share:.1f}\N{NO-BREAK SPACE}%"
