"""Text as it must be before Rasa or the embedder sees it. The same rules as `rag.text`, which Rasa's process cannot import."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from pathlib import Path
from typing import List, Tuple

MAX_MESSAGE_CHARS = 2_000
"""Longer than anything a student types, short enough to embed at once."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_BLANK = re.compile(r"[^\S\n]+")


def clean(text: str, limit: int) -> str:
    """`text` as NFKC without surrogates, control and bidirectional characters, at most `limit` characters long.

    The limit holds before and after NFKC: U+FDFA alone becomes eighteen characters, which overflows a buffer of the
    embedder when it does the normalising itself.
    """
    text = _CONTROL.sub("", _SURROGATE.sub("", text[: 4 * limit]))
    return _BLANK.sub(" ", unicodedata.normalize("NFKC", text)).strip()[:limit].rstrip()


def fold(text: str) -> Tuple[str, List[int]]:
    """Lower case without diacritics, and for each of its characters the offset in `text` where it came from.

    Works on text in any normal form, so that an entity's offsets are true even for text that no channel has cleaned.
    """
    folded: List[str] = []
    offsets: List[int] = []
    for offset, char in enumerate(text):
        for part in unicodedata.normalize("NFKD", char):
            if unicodedata.combining(part):
                continue
            lower = part.lower()
            folded.append("d" if lower == "đ" else lower if len(lower) == 1 else part)
            offsets.append(offset)
    return "".join(folded), offsets


def rules_fingerprint() -> str:
    """A hash of this file: lets Rasa's training cache see when the rules have changed."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
