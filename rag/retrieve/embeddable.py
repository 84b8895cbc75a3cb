"""The one place that text passes before a model embeds it."""

from __future__ import annotations

from vietnamese.text import clean

MAX_EMBEDDED_CHARS = 4_000
"""Longer text is cut: the model would window and average it without limit."""


def embeddable(text: str) -> str:
    """What every embedder is given instead of `text`: some code points crash a model (see `vietnamese.text.clean`)."""
    return clean(text, MAX_EMBEDDED_CHARS) or " "
