"""One reply to a message that asks several things: each question with its own answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rag.types import DecisionKind, Reply


def several(whole: Reply, replies: Sequence[Reply]) -> Reply:
    """The replies to the questions of a message as one; `whole` is what the message in one piece would get.

    The text has every question that is answered with its answer, the confidence is that of the least sure one; what
    is asked back or unknown stands in `parts`. When no part is answered, or all have the same answer, the message is
    taken as one.
    """
    answered = [reply for reply in replies if reply.decision.kind is DecisionKind.ANSWER]
    one_answer = len(answered) == len(replies) and len({reply.answer_id for reply in answered}) == 1
    if not answered or one_answer:
        return whole
    return replace(
        answered[0],
        text="\n\n".join(f"{reply.question}\n{reply.text}" for reply in answered),
        citations=tuple(dict.fromkeys(citation for reply in answered for citation in reply.citations)),
        confidence=min(reply.confidence for reply in answered),
        question=whole.question,
        parts=tuple(replies),
    )
