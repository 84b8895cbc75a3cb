"""Texts that give orders to a language model. They are not sent: the student gets the reply as it is without one.

This list is the first of three layers and cannot be complete. Fences mark passages and questions as data, and the
verifier lets through only what a passage says, whatever the model was talked into.
"""

from __future__ import annotations

import re
from functools import cache

from vietnamese.data_files import yaml_beside
from vietnamese.text import fold, words

_MARKUP = re.compile(
    r"<\|?/?(?:im_start|im_end|system|assistant|user|inst|start_of_turn|end_of_turn|s)\b|\[/?INST\]|<</?SYS",
    re.I,
)


def addresses_model(text: str) -> bool:
    """Return whether a text gives orders to a language model, or imitates the marks of a chat."""
    if _MARKUP.search(text):
        return True
    said = f" {' '.join(words(fold(text)))} "
    for phrase in _phrases("harmless"):
        said = said.replace(phrase, " ")
    return any(phrase in said for phrase in _phrases("phrases")) or bool(_spoken_to().search(said))


@cache
def _phrases(kind: str) -> tuple[str, ...]:
    """Return the phrases of a list of the file, as words are compared."""
    return tuple(
        f" {' '.join(words(fold(phrase)))} " for phrase in yaml_beside(__file__, "injection.yml")[kind]
    )


@cache
def _spoken_to() -> re.Pattern[str]:
    """Return a pattern of a model's name beside the words that make it the one who is spoken to."""
    before, names, behind = (
        "|".join(re.escape(phrase.strip()) for phrase in _phrases(kind))
        for kind in ("before_name", "names", "behind_name")
    )
    return re.compile(rf" (?:(?:{before}) (?:{names})|(?:{names}) (?:{behind})) ")
