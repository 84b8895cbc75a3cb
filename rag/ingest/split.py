"""Split a document into passages along the structure that Vietnamese regulations have.

The units are Phần / Chương / Mục / Điều / khoản / điểm / gạch đầu dòng, in Markdown headings, bold lines or plain text.
A passage is a clause that can be cited by a locator: a whole khoản when it is short, otherwise a run of its điểm behind
the sentence that leads in. A table row becomes a statement with its column headings. A heading is context, never a
passage.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import zip_longest
from typing import Any

from rag.types import TABLE_ROW, Document, Passage
from vietnamese.text import NO_ABBREVIATION

MAX_WORDS = 110
"""The longest passage: about one embedding window, and a screenful on a phone."""

WHOLE_ARTICLE_WORDS = 60
"""An article shorter than this is one passage: its clauses mean little apart."""

WHOLE_TABLE_WORDS = 80
"""A table shorter than this is read as a whole: its rows answer "which kinds are there" as well as "which one"."""

MAX_LEAD_WORDS = 60
"""The longest sentence that leads in to a list and is repeated with each of its parts."""

MAX_TITLE_WORDS = 25
MAX_PART_WORDS = 20

MAX_CLAUSE_TITLE_WORDS = 12
"""The longest text above the points of a clause that counts as its title, if it is no sentence."""


class Level(IntEnum):
    DOCUMENT = 0
    PART = 1
    CHAPTER = 2
    SECTION = 3
    ARTICLE = 4
    HEADED_CLAUSE = 5
    CLAUSE = 6
    SUBCLAUSE = 7
    POINT = 8
    BULLET = 9
    SUBBULLET = 10
    TEXT = 11
    ROW = 12


@dataclass
class Node:
    """A unit of the document: `label` is its place ("Điều 4"), `text` its own words, verbatim.

    `depth` is the depth of a Markdown heading, 0 for other units. `line` is its first line in the text, from 0.
    """

    level: Level
    text: str
    label: str = ""
    heading: bool = False
    depth: int = 0
    context: tuple[str, ...] = ()
    children: list[Node] = field(default_factory=list)
    line: int = 0

    def words(self) -> int:
        return len(self.text.split()) + sum(child.words() for child in self.children)

    def lines(self) -> Iterator[str]:
        if self.text:
            yield self.text
        for child in self.children:
            yield from child.lines()


_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_TABLE_ROW = re.compile(r"^\s*\|(.*)\|\s*$")
_TABLE_RULE = re.compile(r"^\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$")
_CHAPTER = re.compile(r"^(chương|phần)\s+([ivxlc]+|\d+)\b[.:]?\s*(.*)$", re.IGNORECASE)
_APPENDIX = re.compile(r"^(phụ lục)(?:\s+([ivxlc]+|\d+))?\b[.:]?\s*(.*)$", re.IGNORECASE)
_SECTION = re.compile(r"^(mục)\s+([ivxlc]+|\d+)\b[.:]?\s*(.*)$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:điều)\s+(\d+[a-zđ]?)\s*[.:]\s*(.*)$", re.IGNORECASE)
_CLAUSE = re.compile(r"^(\d{1,2})[.)/]\s+(?=\S)")
_SUBCLAUSE = re.compile(r"^(\d{1,2}(?:\.\d{1,2})+)[.)]?\s+(?=\S)")
_POINT = re.compile(r"^([a-zđ]{1,2})[.)]\s+(?=\S)")
_BULLET = re.compile(r"^[-–*•●]\s+(?=\S)")
_SUBBULLET = re.compile(r"^[+◦▪]\s+(?=\S)")
_INLINE_MARK = re.compile(r"\*\*|__|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)")
_SENTENCE_END = re.compile(rf"(?<=[.;!?]){NO_ABBREVIATION}\s+(?=[A-ZÀ-ỸĐ(\"“+-])")
_RANK_COLUMN = frozenset({"stt", "tt", "#", "số tt", "no", "no."})


def plain(line: str) -> str:
    """Return a line without Markdown emphasis."""
    return _INLINE_MARK.sub("", line).replace("<br>", "; ").replace("<br/>", "; ").strip()


def split(document: Document) -> list[Passage]:
    """Return the passages of a document in reading order; empty when it has headings only."""
    return [passage for passage, _ in placed_passages(document)]


def placed_passages(document: Document) -> list[tuple[Passage, int]]:
    """Return the passages as by `split`, each with the line of the document's text, from 0, that it begins on."""
    root = _parse(document.text)
    drafts = list(_section(root, ()))
    repeated = _repeated_labels(drafts)
    passages = []
    for order, draft in enumerate(drafts):
        locator = draft.locator
        if draft.part and draft.labels[:1] and draft.labels[0] in repeated:
            locator = f"{locator} ({draft.part})"
        passage = Passage(
            id=f"{document.meta.id}#{order}",
            text=draft.text,
            document_id=document.meta.id,
            title=document.meta.title,
            locator=locator,
            topic=document.meta.topic,
            applies_to=document.meta.applies_to,
            effective_from=document.meta.effective_from,
            effective_to=document.meta.effective_to,
            context=draft.context,
            number=document.meta.number,
            url=document.meta.url,
            order=order,
            parent=f"{document.meta.id}#{draft.parent}",
            meta=_meta_at(draft.line, document.marks),
            course=document.meta.course,
        )
        passages.append((passage, draft.line))
    return passages


def _meta_at(line: int, marks: Sequence[tuple[int, Mapping[str, Any]]]) -> Mapping[str, Any]:
    """Return the loader's metadata of a line: that of the last mark at or above it."""
    above = bisect_right(marks, line, key=lambda mark: mark[0])
    return marks[above - 1][1] if above else {}


@dataclass(frozen=True)
class _Draft:
    text: str
    labels: tuple[str, ...]
    context: tuple[str, ...]
    part: str
    parent: str
    line: int

    @property
    def locator(self) -> str:
        return ", ".join(self.labels)


def _repeated_labels(drafts: Sequence[_Draft]) -> set[str]:
    """Return the first labels of several parts: a decision and its attached regulation both have a Điều 1."""
    parts: dict[str, set[str]] = {}
    for draft in drafts:
        if draft.labels:
            parts.setdefault(draft.labels[0], set()).add(draft.part)
    return {label for label, found in parts.items() if len(found) > 1}


def _parse(text: str) -> Node:
    root = Node(Level.DOCUMENT, "")
    stack = [root]
    table: _Table | None = None
    lines = text.split("\n")
    for number, raw in enumerate(lines):
        if row := _TABLE_ROW.match(raw):
            if _TABLE_RULE.match(raw):
                continue
            cells = [plain(cell) for cell in re.split(r"(?<!\\)\|", row.group(1))]
            if table is None:
                ruled = number + 1 < len(lines) and bool(_TABLE_RULE.match(lines[number + 1]))
                table = _Table(cells if ruled else [""] * len(cells))
                if ruled:
                    continue
            if statement := table.read(cells):
                statement.line = number
                stack[-1].children.append(statement)
            continue
        table = None
        node = _classify(raw)
        if node is None:
            continue
        node = _placed(node, stack)
        for begun in (node, *node.children):
            begun.line = number
        if node.level is Level.TEXT and _continues(stack[-1], node.text):
            stack[-1].text = f"{stack[-1].text} {node.text}"
            continue
        if node.level is Level.TEXT:
            while stack[-1].level >= Level.POINT:
                stack.pop()
            stack[-1].children.append(node)
            continue
        while stack[-1].level >= node.level:
            stack.pop()
        stack[-1].children.append(node)
        stack.append(node)
    return root


def _placed(node: Node, above: Sequence[Node]) -> Node:
    """Return a node with its level by its place: a heading may belong to an article, capitals be a title."""
    if node.level is Level.ARTICLE and any(_holds(outer, node) for outer in above):
        node.level = Level.HEADED_CLAUSE
    elif _is_title(node) and all(outer.level < Level.ARTICLE for outer in above):
        return Node(Level.PART, node.text, heading=True)
    return node


def _holds(article: Node, node: Node) -> bool:
    """Return whether a numbered heading is inside an article: "### 1. Đối tượng" under "## Điều 5. Miễn giảm"."""
    return article.level is Level.ARTICLE and 0 < article.depth < node.depth


def _is_title(node: Node) -> bool:
    """Return whether a plain line is a title: a few words in capitals, no sentence."""
    return (
        node.level is Level.TEXT
        and node.text.isupper()
        and len(node.text.split()) <= MAX_PART_WORDS
        and node.text[-1] not in ".;"
    )


def _continues(previous: Node, text: str) -> bool:
    """Return whether a plain line is the rest of a hard-wrapped one."""
    return (
        previous.level > Level.ARTICLE
        and not previous.heading
        and not previous.children
        and bool(previous.text)
        and previous.text[-1] not in '.;:!?”"»)'
        and text[:1].islower()
    )


def _classify(raw: str) -> Node | None:
    """Return the unit that a line begins; None for a line without a word."""
    line = raw.strip()
    depth = 0
    if match := _HEADING.match(line):
        depth, line = len(match.group(1)), match.group(2)
    line = plain(line)
    if not any(char.isalnum() for char in line):
        return None
    if match := _ARTICLE.match(line):
        return _article(line, match, depth)
    if named := _named_part(line, heading=depth > 0):
        return named
    return _heading(line, depth) if depth else _item(line)


def _article(line: str, match: re.Match[str], depth: int) -> Node:
    label, rest = f"Điều {match.group(1)}", match.group(2)
    is_title = depth or not rest or (len(rest.split()) <= MAX_TITLE_WORDS and rest[-1] not in ".;:")
    if is_title:
        return Node(Level.ARTICLE, line, label, heading=True, depth=depth)
    # "Điều 2. Quyết định này có hiệu lực ...": the article is one sentence, not a title.
    return Node(Level.ARTICLE, label, label, heading=True, children=[Node(Level.TEXT, rest)])


def _named_part(line: str, heading: bool) -> Node | None:
    """Return the chapter, appendix or section of a line; None for a sentence that merely begins with its name."""
    if not heading and len(line.split()) > MAX_PART_WORDS:
        return None
    for pattern, level in ((_CHAPTER, Level.CHAPTER), (_APPENDIX, Level.PART), (_SECTION, Level.SECTION)):
        if match := pattern.match(line):
            number = f" {match.group(2).upper()}" if match.group(2) else ""
            return Node(level, line, f"{match.group(1).capitalize()}{number}", heading=True)
    return None


def _heading(line: str, depth: int) -> Node:
    """Return the unit of a Markdown heading: an article when numbered, else a part or section."""
    if match := _SUBCLAUSE.match(line) or _CLAUSE.match(line):
        return Node(Level.ARTICLE, line, f"mục {match.group(1)}", heading=True, depth=depth)
    return Node(Level.PART if depth <= 2 else Level.SECTION, line, heading=True)


_ITEMS = (
    (_SUBCLAUSE, Level.SUBCLAUSE, "khoản "),
    (_CLAUSE, Level.CLAUSE, "khoản "),
    (_POINT, Level.POINT, "điểm "),
    (_BULLET, Level.BULLET, ""),
    (_SUBBULLET, Level.SUBBULLET, ""),
)


def _item(line: str) -> Node:
    """Return the clause, point, bullet or plain text of a line."""
    for pattern, level, name in _ITEMS:
        if match := pattern.match(line):
            return Node(level, line, f"{name}{match.group(1)}" if name else "")
    return Node(Level.TEXT, line)


class _Table:
    """Reads rows as statements; a row with a single filled cell is a heading for the rows below it."""

    def __init__(self, columns: list[str]) -> None:
        self.columns = columns
        self.rows = 0
        self.headings: list[tuple[int, str]] = []

    def read(self, cells: list[str]) -> Node | None:
        columns = zip_longest(self.columns, cells, fillvalue="")
        filled = [(name, cell) for name, cell in columns if cell and cell not in "-–"]
        stated = [(name, cell) for name, cell in filled if name.lower() not in _RANK_COLUMN]
        if not stated:
            return None
        depth = _row_depth(stated[0][1])
        self.headings = [(level, text) for level, text in self.headings if level < depth]
        subject = _BULLET.sub("", _SUBBULLET.sub("", stated[0][1]))
        if len(stated) == 1 and len(self.columns) > 1:
            self.headings.append((depth, subject))
            if depth < _ROW_ITEM or subject.endswith(":"):
                return None
        self.rows += 1
        statement = "; ".join(
            f"{name}: {cell}" if name else cell for name, cell in [(stated[0][0], subject), *stated[1:]]
        )
        context = tuple(text for level, text in self.headings if level < depth)
        return Node(Level.ROW, statement, f"{TABLE_ROW} {self.rows}", context=context)


_ROW_ITEM = 3


def _row_depth(cell: str) -> int:
    for depth, pattern in enumerate((_ARTICLE, _CLAUSE, _POINT, _BULLET, _SUBBULLET)):
        if pattern.match(cell):
            return depth
    return 5


def _section(node: Node, above: tuple[Node, ...]) -> Iterator[_Draft]:
    """Yield the passages of a unit with a title: an article, a chapter, the whole document."""
    if node.level is not Level.DOCUMENT:
        above = (*above, node)
    body = [child for child in node.children if child.level > Level.ARTICLE and not child.heading]
    if body and not _has_long_table(body) and sum(child.words() for child in body) <= WHOLE_ARTICLE_WORDS:
        text = "\n".join(line for child in body for line in child.lines())
        yield _draft(text, above, (), line=body[0].line)
    else:
        yield from _clauses(body, above)
    for child in node.children:
        if child.level <= Level.ARTICLE or child.heading:
            yield from _section(child, above)


def _clauses(nodes: Sequence[Node], above: tuple[Node, ...]) -> Iterator[_Draft]:
    """Yield the passages of sibling units: clauses one by one, loose paragraphs packed, each behind its lead."""
    lead, led, lead_line = "", True, 0
    pack: list[Node] = []
    long_table = _has_long_table(nodes)
    for node in nodes:
        row = node.level is Level.ROW
        loose = (row and not long_table) or node.level in (
            Level.TEXT,
            Level.BULLET,
            Level.SUBBULLET,
            Level.POINT,
        )
        if pack and (not loose or sum(n.words() for n in pack) + node.words() > MAX_WORDS):
            yield from _packed(pack, lead, above)
            pack = []
        if row and long_table:
            yield _draft(node.text, above, (node,), extra=(*((lead,) if lead else ()), *node.context))
        elif (
            loose
            and not node.children
            and node.text.endswith(":")
            and len(node.text.split()) <= MAX_LEAD_WORDS
        ):
            if pack:
                yield from _packed(pack, lead, above)
                pack = []
            if not led:
                yield _draft(lead, above, (), line=lead_line)
            lead, led, lead_line = node.text, False, node.line
            continue
        elif loose and node.words() <= MAX_WORDS:
            pack.append(node)
        else:
            yield from _clause(node, above, lead)
        led = True
    if pack:
        yield from _packed(pack, lead, above)
    elif not led:
        yield _draft(lead, above, (), line=lead_line)


def _has_long_table(nodes: Sequence[Node]) -> bool:
    return sum(node.words() for node in nodes if node.level is Level.ROW) > WHOLE_TABLE_WORDS


def _packed(pack: Sequence[Node], lead: str, above: tuple[Node, ...]) -> Iterator[_Draft]:
    text = "\n".join(line for node in pack for line in node.lines())
    yield _draft(f"{lead}\n{text}" if lead else text, above, _span(pack), line=pack[0].line)


def _span(pack: Sequence[Node]) -> tuple[Node, ...]:
    labelled = [node for node in pack if node.label and node.level is not Level.ROW]
    if not labelled:
        return ()
    first, last = labelled[0], labelled[-1]
    if first is last:
        return (first,)
    return (Node(first.level, "", f"{first.label}–{last.label.rsplit(' ', 1)[-1]}"),)


def _clause(node: Node, above: tuple[Node, ...], lead: str) -> Iterator[_Draft]:
    if node.words() <= MAX_WORDS and not _has_long_table(node.children):
        extra = (lead,) if lead else ()
        yield _draft("\n".join(node.lines()), above, (node,), extra=extra)
        return
    if not node.children:
        for piece in _sentences(node.text):
            yield _draft(piece, above, (node,), extra=(lead,) if lead else ())
        return
    leads_in = node.text.endswith(":") and len(node.text.split()) <= MAX_LEAD_WORDS
    is_title = len(node.text.split()) <= MAX_CLAUSE_TITLE_WORDS and node.text[-1] not in ".;"
    if not leads_in and not is_title:
        for piece in _sentences(node.text):
            yield _draft(piece, above, (node,))
    inner = Node(Level.TEXT, node.text, line=node.line)
    yield from _clauses([inner, *node.children] if leads_in else node.children, (*above, node))


def _sentences(text: str) -> Iterator[str]:
    """Yield pieces of at most MAX_WORDS words, cut at the ends of sentences where possible."""
    piece: list[str] = []
    count = 0
    for sentence in _SENTENCE_END.split(text):
        size = len(sentence.split())
        if piece and count + size > MAX_WORDS:
            yield " ".join(piece)
            piece, count = [], 0
        tokens = sentence.split()
        while len(tokens) > 2 * MAX_WORDS:
            yield " ".join(tokens[:MAX_WORDS])
            tokens = tokens[MAX_WORDS:]
        piece.append(" ".join(tokens))
        count += len(tokens)
    if piece:
        yield " ".join(piece)


def _draft(
    text: str,
    above: tuple[Node, ...],
    own: tuple[Node, ...],
    extra: tuple[str, ...] = (),
    line: int | None = None,
) -> _Draft:
    """Return a passage of `own` below `above`; without `line`, it begins with the last of these units."""
    chain = (*above, *own)
    articles = [node for node in chain if node.level >= Level.ARTICLE and node.label]
    places = articles or [node for node in chain if node.label][-1:]
    appendix = [node for node in chain if node.level is Level.PART and node.label]
    labels = tuple(node.label for node in ([*appendix, *places] if articles else places))
    if not labels:
        headings = [node.text for node in above if node.heading]
        labels = (headings[-1],) if headings else ()
    part = next((node.text for node in reversed(above) if node.level is Level.PART), "")
    context = tuple(node.text for node in above if node.text) + extra
    outer = next((node for node in reversed(above) if node.level <= Level.ARTICLE), None)
    parent = "" if outer is None else f"{part[:40]}/{outer.label or outer.text[:60]}"
    begins = line if line is not None else chain[-1].line if chain else 0
    return _Draft(text, labels, context, part, parent, begins)
