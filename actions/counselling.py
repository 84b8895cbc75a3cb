"""Whom a student in trouble can turn to, as lines of a message."""

from __future__ import annotations

from rag.knowledge.catalog import Catalog


def contact(catalog: Catalog, language: str | None) -> str:
    """The `{contact}` of `utter_distress`, in Markdown, a line each; empty when the school has named nobody.

    `language` is the value of the slot; what has no English name or note is told as the school wrote it.
    """
    english = language == "en"
    lines = []
    for each in catalog.counselling:
        name, note = (
            (each.name_en or each.name, each.note_en or each.note) if english else (each.name, each.note)
        )
        lines.append(f"- 📞 **{name}**: {each.phone}" + (f" ({note})" if note else ""))
    return "\n".join(lines)
