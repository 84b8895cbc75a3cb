"""Questions about two things: what they say beside the names of these ("thực tập của k49 với k50 khác nhau gì")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from vietnamese.data_files import yaml_beside
from vietnamese.ellipsis import asks
from vietnamese.patterns import either
from vietnamese.stopwords import says_something
from vietnamese.text import words


def question_of_each(text: str) -> str | None:
    """Return a comparing question without its words of comparing, as it is asked for one thing; else None."""
    rest = _without("differ", text).strip(" ?.!")
    if rest == text.strip(" ?.!") or not any(map(says_something, words(rest))):
        return None
    return rest if asks(rest) else f"{rest} {_words('open')}"


def compares(text: str) -> bool:
    """Return whether a text has words of comparing: "khác nhau", "so với", "đắt hơn"."""
    return re.search(either(_words("compares")), text, re.IGNORECASE) is not None


def without_choice(text: str, kinds: Iterable[str]) -> str | None:
    """Return a question that chooses among `kinds` ("ngành nào đắt hơn") without these words; None for another."""
    rest = re.sub(_which(kinds), " ", text, flags=re.IGNORECASE)
    return " ".join(_without("more", rest).split()).strip(" ?.!") if rest != text else None


def with_the_compared(text: str, kind: str, names: Sequence[str]) -> str | None:
    """Return a question that points at `names` of a `kind` ("2 ngành này", "cái nào") with these; None for another."""
    each = [name if name.lower().startswith(kind) else f"{kind} {name}" for name in names]
    for pattern, link in ((either(_words("both").format(kinds=kind)), "and"), (_which(()), "or")):
        if found := re.search(pattern, text, re.IGNORECASE):
            return f"{text[: found.start()]}{f' {_words(link)} '.join(each)}{text[found.end() :]}"
    return None


def asks_which(text: str, names: Iterable[str]) -> bool:
    """Return whether a question asks for the one of a kind, with these `names`, itself: "khóa nào phải báo cáo"."""
    kinds = "|".join(re.escape(" ".join(words(name))) for name in names)
    pattern = either(_words("asks_which").format(kinds=kinds))
    return re.search(pattern, " ".join(words(text)), re.IGNORECASE) is not None


def in_superlative(text: str) -> str:
    """Return "rẻ nhất" for "rẻ hơn", which asks the same of two things."""
    most = _words("most").format(measure=r"\1")
    return re.sub(either(_words("more")), most, text, flags=re.IGNORECASE)


def another(kind: str, before: str, role: str, *, several: bool) -> str:
    """Return the text before a name without the words that lead to it, and "ngành khác" for a change's target."""
    before = _without("joined" if several else "from", before) if several or role == "origin" else before
    return f"{before} {_words('other').format(kind=kind)}" if role == "target" else before


def _which(kinds: Iterable[str]) -> str:
    return either(_words("which").format(kinds="".join(f"|{kind}" for kind in kinds)))


def _without(name: str, text: str) -> str:
    return re.sub(either(_words(name)), "", text, count=1, flags=re.IGNORECASE)


def _words(name: str) -> str:
    return str(yaml_beside(__file__, "comparison.yml")[name])
