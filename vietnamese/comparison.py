"""Questions about two things: what they say beside the names of these ("thực tập của k49 với k50 khác nhau gì")."""

from __future__ import annotations

import re

from vietnamese.data_files import yaml_beside
from vietnamese.ellipsis import asks
from vietnamese.patterns import either
from vietnamese.stopwords import says_something
from vietnamese.text import words


def question_of_each(text: str) -> str | None:
    """Return a comparing question without its words of comparing, as it is asked for one thing; else None."""
    rest = _without("differ", text).strip(" ?.!")
    if rest == text.strip(" ?.!") or not any(map(says_something, words(rest))):
        return None
    return rest if asks(rest) else f"{rest} {yaml_beside(__file__, 'comparison.yml')['open']}"


def another(kind: str, before: str, role: str, *, several: bool) -> str:
    """Return the text before a name without the words that lead to it, and "ngành khác" for a change's target."""
    before = _without("joined" if several else "from", before) if several or role == "origin" else before
    return (
        f"{before} {yaml_beside(__file__, 'comparison.yml')['other'].format(kind=kind)}"
        if role == "target"
        else before
    )


def _without(name: str, text: str) -> str:
    pattern = either(yaml_beside(__file__, "comparison.yml")[name])
    return re.sub(pattern, "", text, count=1, flags=re.IGNORECASE)
