"""Words of asking and of politeness, which carry no matter of a question."""

from __future__ import annotations

from vietnamese.text import fold, words

STOPWORDS = frozenset(
    words(
        "là gì như thế nào bao nhiêu có không được thì của cho và các những trong khi với theo về ở để này đó ai đâu "
        "hay hoặc sẽ đã đang bị ạ vậy nhỉ em mình bạn ơi cần phải mà nếu một mỗi dạ vâng nhé"
    )
)

_OTHER_WORDS = frozenset(words("thi"))
"""Words of asking that without diacritics may be telling words: "thi" is "thì", or an exam."""

_BARE_STOPWORDS = frozenset(map(fold, STOPWORDS)) - _OTHER_WORDS


def says_something(token: str) -> bool:
    """Return whether `token`, compared by its bare letters, is more than a word of asking."""
    return token not in STOPWORDS and fold(token) not in _BARE_STOPWORDS
