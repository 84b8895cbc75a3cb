"""Rules over the clauses of regulations, as `rules.yml` writes them: references, changes, units, amounts, deadlines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import cache

from rag.graph.types import FoundBy
from rag.ingest.graph.statements import MOST_STATEMENTS, Statement
from rag.types import Passage
from vietnamese.data_files import yaml_beside
from vietnamese.text import NO_ABBREVIATION

_SENTENCE_END = re.compile(rf"(?<=[.!?;\n]){NO_ABBREVIATION}\s+")
_LABEL = re.compile(r"\d{1,3}|[a-zđ](?![a-zà-ỹđ])")
_ARTICLE_OF = re.compile(r"Điều \d+")
_UPPER = f"[{''.join(char for char in map(chr, range(0x1F00)) if char.isupper())}]"
MOST_CHARS = 20_000
"""The longest passage that is read."""


class RuleExtractor:
    """Reads a passage by the rules of `rules.yml`."""

    name = "rules"
    version = "6"
    found_by = FoundBy.RULE

    def extract(self, passage: Passage) -> Sequence[Statement]:
        text = passage.text[:MOST_CHARS]
        found: dict[Statement, None] = {}
        for reader in (
            _references,
            _documents,
            _changes,
            _issuers,
            _units,
            _amounts,
            _deadlines,
            _thresholds,
        ):
            found |= dict.fromkeys(reader(passage, text))
        return list(found)[:MOST_STATEMENTS]


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCE_END.split(text) if sentence.strip()]


def _references(passage: Passage, text: str) -> Iterator[Statement]:
    """Yield the places that a clause refers to."""
    rules = _rules()
    for sentence in _sentences(text):
        for match in rules.place.finditer(sentence):
            if match.start() == 0 and match["article"].lower() != "này" and not match["clause"]:
                continue  # the heading of the article itself
            named = rules.of_document.search(sentence[match.end() :])
            name = named["name"].strip() if named and not rules.this_document.search(named["name"]) else ""
            article = _own_article(passage) if match["article"].lower() == "này" else match["article"]
            if article is None:
                continue
            clauses = match["clause"] or match["clause_behind"]
            points = match["point"] or match["point_behind"]
            if match["article"].lower() == "này" and not clauses:
                continue  # "theo Điều này": the reader stands in it
            quote = sentence[match.start() : match.end() + (named.end() if name and named else 0)]
            yield from _places(rules, article, clauses, points, quote, name)
        for match in rules.place_beside.finditer(sentence):
            if (article := _own_article(passage)) is not None:
                yield from _places(rules, article, match["clause"], match["point"], match[0], "")


def _places(
    rules: _Rules, article: str, clauses: str | None, points: str | None, quote: str, name: str
) -> Iterator[Statement]:
    for clause in _LABEL.findall(clauses or "") or [""]:
        for point in _LABEL.findall(points or "") or [""]:
            parts = [rules.article.format(number=article)]
            parts += [rules.clause.format(number=clause)] if clause else []
            parts += [rules.point.format(letter=point)] if point else []
            properties = {"document": name} if name else {}
            yield Statement("refers_to", ", ".join(parts), quote, object_type="Clause", properties=properties)


def _own_article(passage: Passage) -> str | None:
    found = _ARTICLE_OF.match(passage.locator)
    return found[0].removeprefix("Điều ") if found else None


def _documents(_: Passage, text: str) -> Iterator[Statement]:
    """Yield the whole documents that a clause refers to."""
    rules = _rules()
    for sentence in _sentences(text):
        for match in rules.document.finditer(sentence):
            name = rules.ends_document.sub("", match["name"]).strip()
            yield Statement("refers_to", name, match[0], object_type="Document")


def _changes(_: Passage, text: str) -> Iterator[Statement]:
    """Yield the documents that a document replaces or amends."""
    rules = _rules()
    for sentence in _sentences(text):
        for relation, pattern in (("supersedes", rules.supersedes), ("amends", rules.amends)):
            for match in pattern.finditer(sentence):
                day = rules.day.match(sentence[match.end() :].lstrip(" ,"))
                issued = f"{day['year']}-{int(day['month']):02}-{int(day['day']):02}" if day else ""
                properties = {"number": match["number"]} | ({"issued": issued} if issued else {})
                yield Statement(
                    relation, match["number"], match[0], subject_type="document", object_type="Document",
                    properties=properties,
                )  # fmt: skip


def _issuers(_: Passage, text: str) -> Iterator[Statement]:
    for match in _rules().issued_by.finditer(text):
        yield Statement("issued_by", match["issuer"], match[0], subject_type="document")


def _units(_: Passage, text: str) -> Iterator[Statement]:
    """Yield the units that are responsible for what a clause says."""
    for sentence in _sentences(text):
        for pattern in _rules().responsible:
            for match in pattern.finditer(sentence):
                yield Statement("responsible_for", "", match[0], match["unit"], "", "Clause")


def _amounts(_: Passage, text: str) -> Iterator[Statement]:
    rules = _rules()
    for sentence in _sentences(text):
        if not rules.paying.search(sentence):
            continue
        for match in rules.amount.finditer(sentence):
            unit = (match["unit"] or "").strip(" /")
            properties = {"amount": f"{match['amount']} đồng", "unit": unit, "about": sentence.strip()[:300]}
            yield Statement("costs", match[0], match[0], object_type="Fee", properties=properties)


def _deadlines(_: Passage, text: str) -> Iterator[Statement]:
    for sentence in _sentences(text):
        if not _rules().to_do.search(sentence):
            continue
        for match in _rules().due.finditer(sentence):
            day, month, year = (int(part) for part in re.findall(r"\d+", match["date"]))
            with suppress(ValueError):
                written = date(year, month, day).isoformat()
                said = {"date": written, "of": sentence.strip()[:300]}
                yield Statement("due_on", written, match[0], object_type="Deadline", properties=said)


def _thresholds(_: Passage, text: str) -> Iterator[Statement]:
    """Yield the least and the most values that a clause sets."""
    rules = _rules()
    for sentence in _sentences(text):
        for match in rules.threshold.finditer(sentence):
            said = (match["way"] or match["word"]).lower()
            properties = {
                "comparison": rules.comparisons[said],
                "value": (match["bound"] or match["value"]).replace(",", "."),
                "unit": match["bound_unit"] or match["unit"] or "",
                "about": sentence.strip()[:300],
            }
            yield Statement("requires", match[0], match[0], object_type="Threshold", properties=properties)


@dataclass(frozen=True, slots=True)
class _Rules:
    place: re.Pattern[str]
    place_beside: re.Pattern[str]
    of_document: re.Pattern[str]
    this_document: re.Pattern[str]
    document: re.Pattern[str]
    ends_document: re.Pattern[str]
    supersedes: re.Pattern[str]
    amends: re.Pattern[str]
    day: re.Pattern[str]
    issued_by: re.Pattern[str]
    responsible: tuple[re.Pattern[str], ...]
    amount: re.Pattern[str]
    paying: re.Pattern[str]
    due: re.Pattern[str]
    to_do: re.Pattern[str]
    threshold: re.Pattern[str]
    comparisons: Mapping[str, str]
    article: str
    clause: str
    point: str


@cache
def _rules() -> _Rules:
    data = yaml_beside(__file__, "rules.yml")

    def pattern(text: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
        for name in ("numbers", "letters", "number", "unit", "does", "ends_unit", "measure"):
            text = text.replace(f"{{{name}}}", data[name])
        return re.compile(text.replace("{upper}", _UPPER), flags)

    return _Rules(
        place=pattern(data["place"], re.IGNORECASE),
        place_beside=pattern(data["place_beside"], re.IGNORECASE),
        of_document=pattern(data["of_document"]),
        this_document=pattern(data["this_document"]),
        document=pattern(data["document"]),
        ends_document=pattern(data["ends_document"]),
        supersedes=pattern(data["supersedes"], re.IGNORECASE),
        amends=pattern(data["amends"], re.IGNORECASE),
        day=pattern(data["day"]),
        issued_by=pattern(data["issued_by"], re.IGNORECASE),
        responsible=tuple(map(pattern, data["responsible"])),
        amount=pattern(data["amount"]),
        paying=pattern(data["paying"], re.IGNORECASE),
        due=pattern(data["due"], re.IGNORECASE),
        to_do=pattern(data["to_do"], re.IGNORECASE),
        threshold=pattern(data["threshold"], re.IGNORECASE),
        comparisons=dict(data["comparisons"]),
        article=data["article"],
        clause=data["clause"],
        point=data["point"],
    )


def document_number(text: str) -> str | None:
    """Return the number of a document that a text names: "743/QĐ-ĐHABC"."""
    found = re.search(yaml_beside(__file__, "rules.yml")["number"], text)
    return found["number"] if found else None


def year_of_name(name: str) -> tuple[str, int] | None:
    """Split "Quy chế đào tạo năm 2025" into the name without its year, and the year; None without one."""
    found = re.search(yaml_beside(__file__, "rules.yml")["of_year"], name)
    return (name[: found.start()], int(found["year"])) if found else None


def row_locator(code: str) -> str:
    """Return how a row of a course table is cited."""
    locator: str = yaml_beside(__file__, "rules.yml")["table_row"]
    return locator.format(code=code)


def directory_title(school: str) -> str:
    """Return how the catalogue and the entities of a school are cited."""
    title: str = yaml_beside(__file__, "rules.yml")["directory"]
    return title.format(school=school)
