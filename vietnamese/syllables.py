"""The spelling rules of Vietnamese syllables, with and without diacritics.

Quốc ngữ has k, gh, ngh before e, i, y and c, g, ng before the rest. Other letters are an abbreviation, a foreign word
or a typo; a syllable may be an everyday word without its diacritics.
"""

from __future__ import annotations

import re
import unicodedata

from vietnamese.text import fold, words

MOST_ABBREVIATIONS = 2
"""More of them in a message are a sentence in chat spelling."""

SYLLABLE = r"""
    (?: ngh(?=[ei]) | ng(?![ei]) | gh(?=[ei]) | gi(?=[aeou]) | g(?!e) | kh | k(?=[eiy]) | c(?![eiy]h?) | ch
      | nh | ph | qu | th | tr | [bdhlmnprstvx] )?
    (?: uye | uya | uyu | uou | uoi | ieu | yeu | oai | oay | oao | oeo | uay | uai
      | ai | ao | au | ay | eo | eu | ia | ie | iu | oa | oe | oi | oo | ua | ue | ui | uo | uu | uy | ye
      | [aeiouy] )
    (?: ch | nh | ng | [cmnpt] )?
    """
"""The spelling of a syllable, in `re.VERBOSE`."""

_SYLLABLE = re.compile(SYLLABLE, re.VERBOSE)


def is_syllable(folded: str) -> bool:
    """Return whether `folded` (see `vietnamese.text.fold`) could be one syllable."""
    return _SYLLABLE.fullmatch(folded) is not None


def is_abbreviation(text: str) -> bool:
    """Return whether `text` is one or two words of consonants alone: "đk", "dk hp"."""
    said = words(fold(text))
    return 0 < len(said) <= MOST_ABBREVIATIONS and all(
        w.isalpha() and not set(w) & set("aeiou") for w in said
    )


def is_spelled(word: str) -> bool:
    """Return whether `word` (lower case, NFC) is a syllable as quốc ngữ spells it, with its diacritics and its tone.

    The tone may stand on any vowel ("hoà", "hòa", "qúy"). A syllable that ends in a stop has the tone sắc or nặng:
    "hoc" and "chat" are none.
    """
    letters: list[str] = []
    tones: list[str] = []
    for char in unicodedata.normalize("NFD", word):
        (tones if char in _TONES else letters).append(char)
    found = _SPELLED.fullmatch(unicodedata.normalize("NFC", "".join(letters)))
    if found is None or len(tones) > 1:
        return False
    return found["stop"] is None or (len(tones) == 1 and tones[0] in _OF_STOPPED)


_TONES = frozenset("\u0300\u0301\u0303\u0309\u0323")
_OF_STOPPED = frozenset("\u0301\u0323")

_SPELLED = re.compile(
    r"""
    (?: (?: ngh | gh | k ) (?=[eêiy])
      | (?: ng | g | c ) (?![eêiy])
      | qu (?![uư]) | gi (?=[aăâeêoôơuư]) | (?: g (?=i(?![aăâeêoôơuư])) )
      | kh | ch | nh | ph | th | tr | [bdđhlmnprstvx] )?
    (?: (?: iê | yê | oă | oe | uyê | uô | ươ | uâ | uê | uy | oo | a | â | ă | oa | o | ô | ơ | u | ư | e | ê | i | y )
        (?: (?P<stop> [cpt] | (?<=[aêiy]) ch ) | m | n | (?<=[aêiy]) nh | (?<![êiy]) ng | (?<=[iy]ê) ng )
      | uơ | ươu | ươi | uôi | uya | uyu | iêu | yêu | oai | oay | oao | oeo | uây | uêu
      | ai | ao | au | ay | âu | ây | eo | êu | ia | iu | oa | oe | oi | ôi | ơi | ua | uê | uy | ui | ưa | ưi | ưu
      | [aeêioôơuưy] )
    """,
    re.VERBOSE,
)
