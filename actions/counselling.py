"""Whom a student in trouble can turn to, as lines of a message."""

from __future__ import annotations

from rag.knowledge.catalog import Catalog, Counselling


def contact(catalog: Catalog, language: str | None) -> str:
    """The `{contact}` of `utter_distress`, in Markdown, a line each; the school's own phone when it has named nobody.

    `language` is the value of the slot; what has no English name or note is told as the school wrote it.
    """
    return "\n".join(_line(each, english=language == "en") for each in _all(catalog) if each.phone)


def first(catalog: Catalog, language: str | None) -> str:
    """The `{counselling}` of `utter_grumble`, in Markdown: who comes first of those, in a few words."""
    named = _all(catalog)[0]
    return ", ".join(filter(None, (f"**{_name(named, english=language == 'en')}**", named.phone)))


def _all(catalog: Catalog) -> tuple[Counselling, ...]:
    school = catalog.school
    return catalog.counselling or (Counselling(name=school.name, name_en=school.name_en, phone=school.phone),)


def _name(named: Counselling, *, english: bool) -> str:
    return named.name_en if english and named.name_en else named.name


def _line(named: Counselling, *, english: bool) -> str:
    name = _name(named, english=english)
    note = named.note_en if english and named.note_en else named.note
    return f"- 📞 **{name}**: {named.phone}" + (f" ({note})" if note else "")
