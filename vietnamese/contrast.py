"""What a message says it does not mean: "em hỏi bằng gốc chứ không phải thôi học"."""

from __future__ import annotations

import re

from vietnamese.patterns import either
from vietnamese.text import words

FEWEST_WORDS = 3
"""So many words must remain: "chứ không phải học bổng" alone puts something right."""

_PUT_ASIDE = re.compile(
    either(
        r"[ ,]+(?:chứ|chớ) (?:không|ko|k|kh|hông|hong|hổng|chẳng|đâu có) (?:phải|fải)(?: là)?(?: \w+){1,7}?"
        r"(?=(?: (?:ạ|nha|nhé|á|đâu|nè|ad))*\s*(?:[.,;!?\n]|$))"
    ),
    re.IGNORECASE,
)


def without_contrast(text: str) -> str:
    """Return `text` without what it says it does not mean; unchanged when too little would remain.

    "Được miễn mà không phải nộp" means it: only "chứ không phải" puts aside.
    """
    rest = _PUT_ASIDE.sub("", text)
    return rest if len(words(rest)) >= FEWEST_WORDS else text
