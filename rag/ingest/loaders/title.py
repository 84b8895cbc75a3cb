"""The title of a document without metadata: its first heading, or the subject under "QUYẾT ĐỊNH"."""

from __future__ import annotations

import re
from itertools import islice

from rag.ingest.cleaning import clean_line
from vietnamese.text import fold

MAX_TITLE_CHARS = 250
SEARCHED_LINES = 40

_HEADING = re.compile(r"#{1,6}\s+(.+?)\s*#*$")
_MARKS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`")
_KIND = re.compile(
    r"(?:quyet dinh|quy dinh|quy che|quy trinh|huong dan|thong bao|thong tu|noi quy|ke hoach|cong van|"
    r"nghi quyet|nghi dinh|chi thi|to trinh|de an)\W*"
)
_SUBJECT = re.compile(r"V/v\b", re.IGNORECASE)
_BODY = re.compile(r"(?:căn cứ|kính gửi|theo|xét|điều \d|chương [ivx\d]|\d+[.)]|[-*+|])", re.IGNORECASE)


def title_in(text: str) -> str | None:
    """Return the title in `text` (Markdown); None when it has none.

    Administrative documents have their kind on one line ("QUY ĐỊNH") and their subject on the next; both make the
    title. A letter has its subject behind "V/v".
    """
    lines = [line.strip() for line in islice(filter(str.strip, text.splitlines()), SEARCHED_LINES)]
    for index, line in enumerate(lines):
        heading = _HEADING.match(line)
        shown = _plain(heading[1] if heading else line)
        if _KIND.fullmatch(fold(shown)):
            return _with_subject(shown, lines[index + 1 :])
        if shown and (heading or _SUBJECT.match(shown)):
            return shown[:MAX_TITLE_CHARS]
    return None


def _with_subject(kind: str, following: list[str]) -> str:
    kind = kind.rstrip(" :.")
    subject = _plain(following[0].lstrip("# ")) if following else ""
    if not subject or len(kind) + len(subject) >= MAX_TITLE_CHARS or _BODY.match(subject):
        return kind
    return f"{kind} {subject}"


def _plain(line: str) -> str:
    return clean_line(_MARKS.sub("", line))
