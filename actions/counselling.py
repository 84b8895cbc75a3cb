"""Whom a student in trouble can turn to, as lines of a message."""

from __future__ import annotations

from rag.knowledge.catalog import Catalog, Counselling


def contact(catalog: Catalog, language: str | None) -> str:
    """The `{contact}` of `utter_distress`, in Markdown, a line each; the school's own phone when it has named nobody.

    `language` is the value of the slot; what has no English name or note is told as the school wrote it.
    """
    school = catalog.school
    named = catalog.counselling or (
        Counselling(name=school.name, name_en=school.name_en, phone=school.phone),
    )
    return "\n".join(_line(each, english=language == "en") for each in named if each.phone)


def _line(named: Counselling, *, english: bool) -> str:
    name = named.name_en if english and named.name_en else named.name
    note = named.note_en if english and named.note_en else named.note
    return f"- 📞 **{name}**: {named.phone}" + (f" ({note})" if note else "")
