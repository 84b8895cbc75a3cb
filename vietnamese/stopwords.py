"""Words of asking, and of politeness: every question has them, and none is about them."""

from __future__ import annotations

from vietnamese.text import fold, words

STOPWORDS = frozenset(
    # Two lines of words are easier to read and to add to than sixty quoted strings.
    words(
        "là gì như thế nào bao nhiêu có không được thì của cho và các những trong khi với theo về ở để này đó ai đâu "
        "hay hoặc sẽ đã đang bị ạ vậy nhỉ em mình bạn ơi cần phải mà nếu một mỗi dạ vâng nhé"
    )
)
"""Words of asking: they say what kind of answer is wanted, not what it is about."""

_OTHER_WORDS = frozenset(words("thi"))
"""Without its diacritics a word of asking may be a word that says much: "thi" is "thì", or an exam."""

_BARE_STOPWORDS = frozenset(map(fold, STOPWORDS)) - _OTHER_WORDS


def says_something(token: str) -> bool:
    """Whether a word that is compared by its bare letters is more than a word of asking."""
    return token not in STOPWORDS and fold(token) not in _BARE_STOPWORDS
