"""Students' names for a regulation: "quy chế đào tạo", "nội quy ktx", "quyết định 655", "655/QĐ-ĐHX".

A name without a year means the version in force. A name that two documents share otherwise is no name of either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rag.types import Document, DocumentMeta
from school.name_patterns import DOCUMENT_CUES, named_forms
from school.surface_forms import SurfaceForm
from vietnamese.data_files import yaml_beside
from vietnamese.text import fold

_NUMBER = re.compile(r"(\d+)\s*/\s*(?:\d{4}\s*/\s*)?([^\W\d_]+(?:-[^\W\d_]+)*)")
_FEWEST_WORDS = 2
"""The words ("nội quy" has two) beyond which a name is specific enough for one document."""


def _wording() -> Mapping[str, Any]:
    wording: Mapping[str, Any] = yaml_beside(__file__, "document_names.yml")
    return wording


def document_forms(
    documents: Sequence[Document], aliases: Mapping[str, tuple[str, ...]]
) -> list[SurfaceForm]:
    """Return the surface forms of the documents' names; `aliases` are further names by document id."""
    metas = [document.meta for document in documents]
    forms: list[SurfaceForm] = []
    for document_id, names in document_names(metas, aliases).items():
        forms += named_forms("document", document_id, names, DOCUMENT_CUES)
    return [*forms, *_numbers(metas)]


def document_names(
    metas: Sequence[DocumentMeta], aliases: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return the names of each document by its id; no name belongs to two documents."""
    replaced = {old for meta in metas for old in meta.supersedes}
    claims: dict[str, dict[str, str]] = {}
    for meta in metas:
        # A document out of force is asked for by its year.
        old = meta.id in replaced or meta.effective_to is not None
        for name in _called(meta, aliases.get(meta.id, ()), versions=old or bool(meta.supersedes), dated=old):
            claims.setdefault(fold(name), {})[meta.id] = name
    names: dict[str, list[str]] = {}
    for claim in claims.values():
        if len(claim) == 1:
            [(document_id, name)] = claim.items()
            names.setdefault(document_id, []).append(name)
    return {document_id: tuple(listed) for document_id, listed in names.items()}


def _called(meta: DocumentMeta, aliases: Sequence[str], *, versions: bool, dated: bool) -> Iterator[str]:
    """Yield the names of a document: with its years when there are other `versions`, only so when `dated`."""
    short = dict.fromkeys(name for title in (*_shorts(meta.title), *aliases) for name in _about(title))
    years = {day.year for day in (meta.issued, meta.effective_from) if day is not None}
    for name in short:
        has_year = re.search(r"20\d\d", name) is not None
        if has_year or not dated or name in aliases:
            yield name
        if versions and not has_year:
            yield from (f"{name} {form}" for year in years for form in (f"{year}", f"năm {year}"))


def _shorts(title: str) -> list[str]:
    """Return a regulation's title, and it without each of its tails; empty for another title."""
    title = " ".join(title.lower().split())
    if not any(title.startswith(f"{lead} ") for lead in _wording()["leads"]):
        return []
    found = [title]
    for _ in range(len(_wording()["tails"])):
        for tail in _wording()["tails"]:
            match = re.search(rf"\s*{tail}\s*$", fold(title))
            if match and len(title[: match.start()].split()) > _FEWEST_WORDS:
                title = title[: match.start()]
                found.append(title)
    return [name for name in dict.fromkeys(found) if "(" not in name]


def _about(name: str) -> Iterator[str]:
    """Yield a name with and without "về": "quy định về bảo lưu" and "quy định bảo lưu"."""
    name = name.lower()
    lead = next((lead for lead in _wording()["leads"] if name.startswith(f"{lead} ")), None)
    if lead is None:
        yield name
        return
    about = _wording()["about"]
    rest = name.removeprefix(f"{lead} ").removeprefix(f"{about} ")
    yield f"{lead} {rest}"
    yield f"{lead} {about} {rest}"


def _numbers(metas: Sequence[DocumentMeta]) -> Iterator[SurfaceForm]:
    """Yield the forms of cited numbers; a number of two documents needs the year of issue behind it."""
    called = _wording()["numbered"]
    parsed = {meta.id: match for meta in metas if meta.number and (match := _NUMBER.match(fold(meta.number)))}
    for meta in metas:
        if meta.id not in parsed:
            continue
        number, kind = parsed[meta.id].groups()
        shared = [other for other in metas if other.id in parsed and parsed[other.id][1] == number]
        first, _, rest = kind.partition("-")
        of_kind = rf"{re.escape(first)}(?:[ -]{{0,2}}{re.escape(rest) or '(?!)'})?"
        written = rf"{number} ?/ ?(?:20\d\d ?/ ?)?{of_kind}\b(?!-\w)"
        cited = rf"{called}(?: so)? {number}\b(?! ?[-/.,]?\d)"
        year = ""
        if len(shared) > 1:
            if meta.issued is None or any(
                o.issued and o.issued.year == meta.issued.year for o in shared if o != meta
            ):
                continue
            year = rf"(?:,? (?:ngay [\d/.\-]+ ?|ngay \d+ )?(?:thang \d+ )?nam |[-/.\d ]*){meta.issued.year}\b"
        yield SurfaceForm(rf"\b(?:{called} (?:so )?)?{written}{year}", "document", meta.id, number)
        yield SurfaceForm(rf"\b{cited}{year}", "document", meta.id, number)
