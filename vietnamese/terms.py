"""The terms of an academic year that a text names: "học kỳ 1", "hk2", "kỳ hè", "summer term"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.patterns import any_of
from vietnamese.text import fold


@lru_cache(maxsize=16_384)
def terms_named(text: str) -> frozenset[str]:
    """Return the terms that `text` names, as `terms.yml` calls them; empty for a text about any term."""
    folded = fold(text).lower()
    lists = yaml_beside(__file__, "terms.yml")
    found = {term for term, pattern in lists["named"].items() if re.search(pattern, folded)}
    listed, one, term_of = _numbered()
    return frozenset(
        found.union(term_of[one_of] for some in listed.findall(folded) for one_of in one.findall(some))
    )


@lru_cache(maxsize=1)
def _numbered() -> tuple[re.Pattern[str], re.Pattern[str], Mapping[str, str]]:
    """Return the patterns of a list of terms and of the number of one, and the terms by their numbers."""
    lists = yaml_beside(__file__, "terms.yml")
    term_of = {way: term for term, ways in lists["terms"].items() for way in ways}
    number = rf"(?:{any_of(term_of)})\b{lists['amounts']}"
    one = rf"(?:{lists['word']} ?)?(?:thu )?{number}"
    listed = rf"\b{lists['word']} ?((?:thu )?{number}(?:{lists['joined']} ?{one})*)"
    return re.compile(listed), re.compile(rf"\b({any_of(term_of)})\b"), term_of
