"""Answers from the graph, by the templates of `graph_answers.yml`: a sentence, a list or a table, with sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from rag.answer.curated import CuratedAnswers
from rag.graph.store import Found
from rag.graph.types import Node, Provenance, Table, local_id
from rag.retrieve.graph_findings import Finding
from rag.types import Citation, Passage, Source
from vietnamese.data_files import yaml_beside
from vietnamese.language_detection import Language

MOST_CITED = 5
"""The most sources of an answer."""

LONGEST_QUOTE = 600
"""The longest quotation of a clause, in characters."""

MOST_MAJORS = 15
"""A course of more majors than these is one of all majors."""

MOST_QUOTED = 2
"""The most clauses that a deadline is quoted with."""

LONGEST_SENTENCE = 4
"""So many names stand in a sentence; more are a list."""

DETAILS: Mapping[str, tuple[str, ...]] = {
    "School": ("phone", "email", "website", "hours"),
    "Person": ("room", "phone", "email", "hours"),
    "Office": ("location", "room", "phone", "email", "hours"),
    "Department": ("location", "room", "phone", "email", "hours"),
    "Book": ("author", "publisher", "year"),
    "Deadline": (),
    "Document": ("number",),
}
"""The properties that are told of what is found, by its type."""


_SENTENCE_END = re.compile(r"(?<=[.;])\s+")


@dataclass(frozen=True, slots=True)
class GraphAnswers:
    """Says what was found in a graph."""

    curated: CuratedAnswers
    passages: Mapping[str, Sequence[Passage]]
    tables: Mapping[str, Table]
    document_title: Callable[[str], str]

    def say(self, findings: Sequence[Finding], language: Language) -> str:
        """Return the answer in Markdown."""
        return "\n\n".join(text for finding in findings if (text := self._said(finding, language)).strip())

    def citations(self, findings: Sequence[Finding]) -> tuple[Citation, ...]:
        """Return the sources of the answer, each once: of what is found, else of what was asked about."""
        cited: dict[tuple[str, str], Citation] = {}
        for finding in findings:
            for subject in finding.subjects:
                rows = finding.rows.get(subject.id, ())
                said = [(row.by or row.node.provenance, row.node) for row in rows]
                if not said or finding.pattern.stated_property:
                    said = [(subject.provenance, subject), *said]
                if finding.pattern.id.startswith("clause_"):
                    said = [(subject.provenance, subject), *((row.node.provenance, row.node) for row in rows)]
                for place, node in said:
                    citation = self._cited(place, node)
                    cited.setdefault((citation.document_id, citation.locator), citation)
        return tuple(cited.values())[:MOST_CITED]

    def _cited(self, place: Provenance, node: Node) -> Citation:
        found = self.curated.cited([Source(place.document, place.locator)])
        if found:
            return found[0]
        table = self.tables.get(place.document)
        title = table.title if table else place.document
        number, url = (table.number, table.url) if table else (None, None)
        return Citation(place.document, title, place.locator, label(node), url, number)

    # --- each kind of answer --------------------------------------------------------------------------------------

    def _said(self, finding: Finding, language: Language) -> str:
        answer = finding.pattern.answer
        if answer == "course_between":
            return self._between(finding, language)
        if answer == "documents_for_student":
            return self._for_student(finding, language)
        return "\n\n".join(self._about(finding, subject, language) for subject in finding.subjects)

    def _about(self, finding: Finding, subject: Node, language: Language) -> str:
        pattern, rows = finding.pattern, finding.rows.get(subject.id, ())
        name = self._title(subject, language)
        if pattern.stated_property:
            value = self._value(finding, subject, rows, language)
            text = _template(pattern.answer, language).format(subject=name, value=value)
            if rows and pattern.stated_property == "text":
                found = self._listed(rows, language, always_list=True)
                text = f"{text}\n\n{_template('clause_references', language).format(found=found)}"
            return self._with_clauses(text, [subject])
        if not rows:
            return self._nothing(finding, subject, language)
        if pattern.answer in ("prerequisites", "opens"):
            return self._chain(pattern.answer, name, rows, language)
        if pattern.id == "major_courses":
            return self._plan(finding, name, rows, language)
        answer = pattern.answer
        if answer == "course_majors" and len(rows) > MOST_MAJORS:
            answer = "course_majors_all"
        found = self._listed(rows, language)
        own = f"“{self._quote(subject)}”" if subject.type == "Clause" else ""
        text = _template(answer, language).format(subject=name, found=found, own=own, count=len(rows))
        text = text.rstrip(" .")
        how = subject.properties.get("about") if pattern.id == "form_office" else None
        if how:
            return f"{text}.\n\n{_template('form_about', language).format(value=how)}"
        text = text if "\n" in text else f"{text}."
        return self._with_clauses(text, [row.node for row in rows])

    def _with_clauses(self, text: str, nodes: Sequence[Node]) -> str:
        """Return an answer with the clauses that the deadlines among `nodes` stand in."""
        found = [clause for node in nodes if node.type == "Deadline" for clause in self._clauses_of_day(node)]
        return "\n>\n> ".join([f"{text}\n\n> {found[0]}", *found[1:MOST_QUOTED]]) if found else text

    def _nothing(self, finding: Finding, subject: Node, language: Language) -> str:
        """Return what is said when nothing was found, which is an answer too."""
        ended = subject.provenance.effective_to
        if finding.pattern.id == "document_superseded" and ended is not None:
            return _template("document_ended", language).format(
                subject=self._title(subject, language), value=_day(ended.isoformat())
            )
        return _template(finding.pattern.empty, language).format(subject=self._title(subject, language))

    def _chain(self, answer: str, name: str, rows: Sequence[Found], language: Language) -> str:
        """Return the direct courses, and behind them those of further steps."""
        direct = [row for row in rows if row.steps <= 1]
        deeper = [row for row in rows if row.steps > 1]
        text = _template(answer, language).format(subject=name, found=_named(direct, language))
        if deeper:
            further = _template(f"{answer}_deeper", language).format(
                found=_named(deeper, language), count=len(rows)
            )
            text = f"{text} {further}"
        return text

    def _plan(self, finding: Finding, name: str, rows: Sequence[Found], language: Language) -> str:
        """Return the courses of a semester as a table."""
        columns = ("code", "name", "credits")
        titles = [_text("columns", column, language) for column in columns]
        lines = [f"| {' | '.join(titles)} |", f"|{'---|' * len(columns)}"]
        total = 0.0
        for row in sorted(rows, key=lambda row: str(row.node.properties.get("code", ""))):
            own = row.node.properties
            course = found_label(row.node, language, with_code=False)
            lines.append(f"| {own.get('code', '')} | {course} | {own.get('credits', '')} |")
            total += float(own.get("credits") or 0)
        head = _template("major_courses", language).format(subject=name, semester=finding.asked["semester"])
        foot = _phrase("total", language).format(credits=f"{total:g}")
        return "\n".join([head, "", *lines, "", foot])

    def _between(self, finding: Finding, language: Language) -> str:
        one, other = finding.subjects[0], finding.second
        assert other is not None
        for first, second in ((one, other), (other, one)):
            if rows := finding.rows.get(first.id):
                answer = "between_first" if rows[0].steps <= 1 else "between_far"
                return _template(answer, language).format(
                    first=label(first, language), second=label(second, language)
                )
        answer = "between_together" if finding.rows.get("together") else "between_none"
        return _template(answer, language).format(first=label(one, language), second=label(other, language))

    def _for_student(self, finding: Finding, language: Language) -> str:
        names = _phrase("join", language).join(node.name for node in finding.subjects)
        rows = finding.rows[finding.subjects[0].id]
        found = self._listed(rows, language, always_list=True)
        return _template(finding.pattern.answer, language).format(subject=names, found=found)

    def _listed(self, rows: Sequence[Found], language: Language, always_list: bool = False) -> str:
        """Return what was found: in a sentence when it is little, else as a list with details."""
        lines = [self._line(row, language) for row in rows]
        plain = all(line == found_label(row.node, language) for line, row in zip(lines, rows, strict=True))
        if plain and len(lines) <= LONGEST_SENTENCE and not always_list:
            return _phrase("join", language).join(lines)
        if len(lines) == 1 and not always_list and "\n" not in lines[0]:
            return lines[0]
        return "\n\n" + "\n".join(f"- {line}" for line in lines)

    def _line(self, row: Found, language: Language) -> str:
        node = row.node
        if node.type == "Clause":
            text = self._quote(node)
            return f"{self._title(node, language)}" + (f": “{text}”" if text else "")
        if node.type == "Deadline":
            return f"{node.name}: **{self._deadline(node)}**"
        if node.type == "Fee":
            return f"{node.name}: **{_amount(node, language)}**"
        role = str(node.properties.get("role", "")) if node.type == "Person" else ""
        name = f"{node.name}, {role}" if role else found_label(node, language)
        details = self._details(node, DETAILS.get(node.type, ()), language)
        return f"{name}" + (f" ({details})" if details else "")

    def _details(self, node: Node, wanted: Iterable[str], language: Language) -> str:
        said = []
        own = dict(node.properties)
        if own.get("location") and str(own.get("room", "")) in str(own["location"]):
            own.pop("room", None)
        for key in wanted:
            if own.get(key) not in (None, ""):
                said.append(_text("details", key, language).format(value=own[key]))
        return "; ".join(said)

    def _value(self, finding: Finding, subject: Node, rows: Sequence[Found], language: Language) -> str:
        """Return the property of a subject that a pattern tells."""
        own, wanted = subject.properties, finding.pattern.stated_property
        ways: Mapping[str, Callable[[], str]] = {
            "contact": lambda: self._contact(subject, rows, language),
            "semester": lambda: _semester(own["semester"], language),
            "fee": lambda: (
                "; ".join(_amount(row.node, language) for row in rows if "fee" not in own)
                or _money(own["fee"], language)
            ),
            "amount": lambda: _amount(subject, language),
            "days": lambda: _number_of_days(own["days"], language),
            "date": lambda: self._deadline(subject),
            "place": lambda: ", ".join(str(own[key]) for key in ("campus", "address") if own.get(key)),
            "address": lambda: _addresses(subject, [row.node for row in rows]),
            "author": lambda: self._details(subject, DETAILS["Book"], language),
            "for": lambda: str(own.get("for") or own.get("about")),
            "issued": lambda: self._issued(subject, rows, language),
            "text": lambda: f"“{self._quote(subject)}”",
        }
        if (way := ways.get(wanted)) is not None:
            return way()
        value = own[wanted]
        return f"{value:g}" if isinstance(value, float) else str(value)

    def _contact(self, subject: Node, rows: Sequence[Found], language: Language) -> str:
        details = self._details(subject, DETAILS.get(subject.type, ()), language)
        buildings = [row.node.name for row in rows if row.node.name.lower() not in details.lower()]
        if not buildings:
            return details
        named = _text("details", "building", language).format(value=", ".join(buildings))
        return "; ".join(filter(None, (details, named)))

    def _issued(self, subject: Node, rows: Sequence[Found], language: Language) -> str:
        own = dict(subject.properties)
        if rows:
            own["issuer"] = ", ".join(row.node.name for row in rows)
        for key, day in (
            ("issued", own.get("issued")),
            ("begins", subject.provenance.effective_from),
            ("ends", subject.provenance.effective_to),
        ):
            if day:
                own[key] = _day(str(day))
        said = [
            _text("details", key, language).format(value=own[key])
            for key in ("number", "issuer", "issued", "begins", "ends")
            if own.get(key)
        ]
        return "; ".join(said)

    def _title(self, node: Node, language: Language) -> str:
        if node.type != "Clause":
            return label(node, language)
        document, _, locator = local_id(node.id).partition("#")
        return f"{locator} ({self.document_title(document)})"

    def _clauses_of_day(self, deadline: Node) -> list[str]:
        """Return the clauses at a deadline's place that name its day, verbatim; of a long one the sentences that do."""
        place = deadline.provenance
        day = _date_of(deadline.properties.get("date"))
        if day is None:
            return []
        found: list[str] = []
        for passage in self.passages.get(place.document, ()):
            if passage.locator != place.locator and not passage.locator.startswith(f"{place.locator}, "):
                continue
            text = " ".join(passage.text.split())
            if len(text) <= LONGEST_QUOTE:
                found += [text] if _names_day(text, day) else []
            else:
                found += [sentence for sentence in _SENTENCE_END.split(text) if _names_day(sentence, day)]
        return list(dict.fromkeys(found))

    def _quote(self, clause: Node) -> str:
        """Return the text of a clause, shortened at the end of a line."""
        document, _, locator = local_id(clause.id).partition("#")
        at = [p for p in self.passages.get(document, ()) if p.locator == locator]
        at = at or [p for p in self.passages.get(document, ()) if p.locator.startswith(f"{locator}, ")]
        heading = at[0].context[-1] if at and at[0].locator != locator and at[0].context else ""
        text = " ".join(" ".join([heading, *(p.text for p in at)]).split())
        if len(text) <= LONGEST_QUOTE:
            return text
        return f"{text[:LONGEST_QUOTE].rsplit(' ', 1)[0]} …"

    def _deadline(self, node: Node) -> str:
        own = node.properties
        days = [_day(str(own[key])) for key in ("from", "date", "until") if own.get(key)]
        time = f" ({own['time']})" if own.get("time") else ""
        return " – ".join(dict.fromkeys(days)) + time


def label(node: Node, language: Language = "vi") -> str:
    """Return the name of a thing that was asked about as answers write it: a course with its code."""
    name, code = _name(node, language), str(node.properties.get("code", ""))
    return f"{name} ({code})" if node.type == "Course" and code else name


def found_label(node: Node, language: Language, with_code: bool = True) -> str:
    """Return the name of what was found: behind an English one the Vietnamese one, which the school's papers use."""
    name = _name(node, language)
    code = str(node.properties.get("code", "")) if with_code and node.type == "Course" else ""
    beside = ", ".join(each for each in (node.name if name != node.name else "", code) if each)
    return f"{name} ({beside})" if beside else name


def _name(node: Node, language: Language) -> str:
    """Return the name of a node; for English the English one, where it has one."""
    return node.name if language == "vi" else str(node.properties.get("name_en") or node.name)


def _addresses(subject: Node, campuses: Sequence[Node]) -> str:
    """Return the address of each campus as a list; the subject's own where there is no campus with one."""
    found = [(each.name, each.properties.get("address")) for each in campuses]
    lines = [f"- **{name}**: {address}" for name, address in found if address]
    return "\n\n" + "\n".join(lines) if lines else f"{subject.properties['address']}."


def _semester(value: object, language: Language) -> str:
    semester = int(float(str(value)))
    return _phrase("year", language).format(semester=semester, year=(semester + 1) // 2)


def _named(rows: Sequence[Found], language: Language) -> str:
    return _phrase("join", language).join(found_label(row.node, language) for row in rows)


def _amount(node: Node, language: Language) -> str:
    said = _money(node.properties.get("amount", ""), language)
    unit = str(node.properties.get("unit", "")).strip()
    if not unit or unit.lower() in said.lower() or unit.lower() in ("đồng", "vnd", "vnđ"):
        return said
    return f"{said}/{unit.strip(' /')}"


def _money(value: object, language: Language) -> str:
    """Return an amount with its unit: "80000" is "80.000 đồng"; a text stays as it is."""
    text = str(value).strip()
    if re.fullmatch(r"0+", text):
        return _phrase("free", language)
    if re.fullmatch(r"\d+(?:\.0)?", text):
        return _phrase("amount", language).format(value=f"{int(float(text)):,}".replace(",", "."))
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+", text):
        return _phrase("amount", language).format(value=text)
    return text


def _number_of_days(value: object, language: Language) -> str:
    text = str(value).strip()
    return str(_phrase("days", language).format(value=text)) if re.fullmatch(r"\d+", text) else text


def _day(text: str) -> str:
    day = _date_of(text)
    return text if day is None else f"{day:%d/%m/%Y}"


def _date_of(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        return None


def _names_day(text: str, day: date) -> bool:
    """Return whether a text names a day: "15/10/2026", "ngày 15 tháng 10", "trước ngày 16/10/2026"."""
    behind = day + timedelta(days=1)
    return any(
        re.search(
            rf"{before}(?<![\d/])0?{each.day}"
            rf"(?:/0?{each.month}(?:/{each.year})?| tháng 0?{each.month}(?: năm {each.year})?)(?![\d/])",
            text,
        )
        for each, before in ((day, ""), (behind, r"trước (?:ngày )?"))
    )


def _phrase(key: str, language: Language) -> str:
    text: str = _data()[key][language]
    return text


def _template(answer: str, language: Language) -> str:
    text: str = _data()["answers"][answer][language]
    return text


def _text(part: str, key: str, language: Language) -> str:
    text: str = _data()[part][key][language]
    return text


def _data() -> Any:
    return yaml_beside(__file__, "graph_answers.yml")
