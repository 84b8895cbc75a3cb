"""Whether letters could be a Vietnamese syllable when written without diacritics.

The spelling rules of quốc ngữ: k, gh, ngh before e, i, y and c, g, ng before the rest. What is no syllable is
an abbreviation, a foreign word or a typo; what is one may be an everyday word in disguise.
"""

from __future__ import annotations

import re

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
    """`folded` (see `vietnamese.text.fold`) could be read as one syllable."""
    return _SYLLABLE.fullmatch(folded) is not None
