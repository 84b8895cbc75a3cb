"""Numbers, dates, times and codes: whether two mentions mean the same, and which ones may be taken for each other."""

from __future__ import annotations

import re

from rag.answer.comparable_text import ComparableText, Value, word_lists

_CLOCK = re.compile(r"\d{1,2}h\d{2}")


def is_said(value: Value, place: ComparableText) -> bool:
    """Return whether a place has the value, with the words around it that belong to it."""
    known = place.by_value.get(value.value, ())
    if not value.value[0].isdigit() or _CLOCK.fullmatch(value.value):
        return bool(known)
    if not known and value.value.count("/") == 1:
        # A day without its year, within the year that the passage names.
        return any(each.startswith(f"{value.value}/") for each in place.by_value)
    return any(_agree(value, one) for one in known)


def _agree(said: Value, known: Value) -> bool:
    """Return whether two mentions of one number may mean the same: "khóa 3" is not "khoản 3", "6 tuần" not "6 ngày"."""
    lists = word_lists()
    ways = {lists.directions.get(one.before, "") for one in (said, known)} - {""}
    if len(ways) > 1 or (said.rate and known.rate and said.rate != known.rate):
        return False
    if said.after in lists.measures | {"%"} and said.after == known.after:
        return True
    is_measured = said.after in lists.measures
    if said.before in lists.counted or known.before in lists.counted:
        return known.before == said.before or (is_measured and known.before == said.after)
    if known.after in lists.measures:
        return said.after == "" or said.after in lists.free
    if is_measured:
        is_same_lead = known.before == said.before and said.before not in lists.free
        return is_same_lead or known.before == said.after or known.after == "" or known.after in lists.free
    return True


def is_bound(value: Value) -> bool:
    """Return whether a value means nothing away from its place: a number or a grade, but no abbreviation."""
    return len(value.value) == 1 or any(map(str.isdigit, value.value))


def kind_of(value: Value) -> str | None:
    """Return what a value is, when two of its kind may be taken for each other; None for a number without a unit."""
    if value.value.count("/"):
        return "date"
    return value.after if value.value[0].isdigit() and value.after in word_lists().measures else None
