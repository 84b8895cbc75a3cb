"""Questions as they are typed on a keyboard without Vietnamese: no marks, "đ" as "d", capitals as they were."""

from __future__ import annotations

from unicodedata import combining, normalize

_CROSSED = str.maketrans("đĐ", "dD")


def without_diacritics(text: str) -> str:
    bare = "".join(char for char in normalize("NFD", text) if not combining(char))
    return normalize("NFC", bare).translate(_CROSSED)
