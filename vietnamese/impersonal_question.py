"""Questions about a matter itself, which speak neither of the writer nor of the bot: "Ai quyết định mức khen thưởng?"

A classifier with few examples of a school takes such a question for an act of talk with a word in common: "khen
thưởng" for praise, "xóa tên" for "xóa thông tin của mình". An act of talk speaks of the writer, of the bot or of the
talk itself, or it is no question.
"""

from __future__ import annotations

import re

from vietnamese.text import fold, words

FEWEST_WORDS = 4
"""Shorter questions are mostly about the last reply: "là sao?", "thế nào nữa?"."""

_HOW = re.compile(r"\b(?:như )?th(?:ế nào|e nao)\b")
_ASKING = frozenset(re.findall(r"\w+", "gì nào ai đâu mấy bao which what who whose when where why how"))
_ASKING_BARE = frozenset(map(fold, _ASKING - {"đâu"}))
"""Without "đâu": "dau" is "đầu", too."""

_POINTED_AT = re.compile(
    r"\b(?:this|these|those) (?!(?:is|was|do|does|mean|work|about|for|bot|chat|chatbot|page|app|thing|one)\b)\w+"
)
"""A thing of the school that is pointed at: "this major". "This" alone points back in the talk."""

_NEGATION = ("không", "khong", "ko", "k")
"""At the beginning: "không cần đâu", "không liên quan gì"."""

_OF_THE_TALK = frozenset(
    re.findall(
        r"\w+",
        """
        bạn bn bot chatbot ad admin adm shop page mày mi m bây cậu ông bà anh chị cô thầy
        mình mik mk em e tôi tui toi tớ t tao tau con cháu
        vậy thế đó đấy đây kia hả hở nhỉ chứ ơi nha nhé nữa cũng còn thêm hết rồi
        hỏi trả nói nãy nhắn hiểu chẳng chả chán trực đéo
        i me my mine you your u ur we us our this that it again else more
        """,
    )
)
"""Words for the writer and the bot, words that point back in the talk, and words about the talk."""

_OF_THE_TALK_BARE = frozenset(map(fold, _OF_THE_TALK))


def is_impersonal_question(text: str) -> bool:
    """Return whether `text` asks about a matter, and speaks neither of the writer, nor of the bot, nor of the talk."""
    found = words(_POINTED_AT.sub("matter", _HOW.sub("ai", text.lower())))
    if len(found) < FEWEST_WORDS or found[0] in _NEGATION:
        return False
    bare = text == fold(text)
    asking, of_the_talk = (_ASKING_BARE, _OF_THE_TALK_BARE) if bare else (_ASKING, _OF_THE_TALK)
    return not asking.isdisjoint(found) and of_the_talk.isdisjoint(found)
