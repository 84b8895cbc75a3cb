"""Labelled texts as fastText reads them: a line is `__label__TOPIC the text`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rag.errors import Problem, ProblemsError

PREFIX = "__label__"
MAX_BYTES = 50_000_000
"""A larger file is refused before it is read: nobody labels that much by hand."""


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text, its topic without the prefix, and the line (from 1) where it stands."""

    label: str
    text: str
    line: int


class LabelledLinesError(ProblemsError):
    """A file of labelled lines cannot be used as it is."""

    heading = "problems_in_labelled_lines"


def read_labelled_lines(path: Path) -> list[LabelledText]:
    """Return the texts of a UTF-8 file, in order. Blank lines are passed over.

    A label without a text is kept, with an empty text: published sets have such lines, and leaving them out of a
    test would flatter. Raises LabelledLinesError naming every bad line: no label first, a label with no name, more
    than one label, bytes that are not UTF-8; and when the file cannot be read or has no line at all.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise LabelledLinesError([Problem(str(path), f"is larger than {MAX_BYTES // 1_000_000} MB")])
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise LabelledLinesError([Problem(str(path), "there is no such file")]) from error
    except OSError as error:
        raise LabelledLinesError([Problem(str(path), f"cannot be read: {error.strerror}")]) from error
    texts, problems = [], []
    # Only line feeds end a line, as for fastText: `str.splitlines` would also break at characters inside a text.
    for number, raw in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        try:
            line = raw.decode("utf-8").strip()
        except UnicodeDecodeError as error:
            problems.append(
                Problem(
                    str(path), f"is not UTF-8 at byte {error.start + 1} of the line: save it as UTF-8", number
                )
            )
            continue
        if not line:
            continue
        tokens = line.split(maxsplit=1)
        label, text = tokens[0], tokens[1] if len(tokens) > 1 else ""
        if wrong := _wrong(label, text):
            problems.append(Problem(str(path), wrong, number))
        else:
            texts.append(LabelledText(label.removeprefix(PREFIX), text, number))
    if not texts and not problems:
        problems.append(Problem(str(path), f"has no line; a line is {PREFIX}TOPIC and the text"))
    if problems:
        raise LabelledLinesError(problems)
    return texts


def _wrong(label: str, text: str) -> str | None:
    if not label.startswith(PREFIX):
        return f"does not begin with a label; a line is {PREFIX}TOPIC and the text"
    if label == PREFIX:
        return f"the label has no name after {PREFIX}"
    if any(word.startswith(PREFIX) for word in text.split()):
        return "has more than one label; a text is about one topic: keep the one that it is mainly about"
    return None
