"""One reply to a message with several questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rag.answer.cards import as_many_as_fit
from rag.types import CALCULATOR_SOURCE, FAQ_SOURCE, DecisionKind, Reply


def combined_reply(whole: Reply, replies: Sequence[Reply]) -> Reply:
    """Return the replies to the questions of a message as one reply; `whole` is the reply to the undivided message.

    The text has every answered question with its answer; the confidence is the lowest of these. Other replies stand in
    `parts`. The decision is to answer when any part is answered, else to ask back. `whole` is returned when no part is
    answered or asked back, when it is an answer and all have the same one, or when an FAQ entry or a calculator answers
    the whole with more confidence than any part has: some entries are written for two questions, and values may stand
    apart from the question.
    """
    answered = [reply for reply in replies if reply.decision.kind is DecisionKind.ANSWER]
    one_answer = len(answered) == len(replies) and len({_given(reply) for reply in answered}) == 1
    surest = max((reply.confidence for reply in answered), default=0.0)
    for_both = (
        whole.source in (FAQ_SOURCE, CALCULATOR_SOURCE)
        and whole.decision.kind is DecisionKind.ANSWER
        and whole.confidence > surest
    )
    if one_answer and whole.decision.kind is not DecisionKind.ANSWER:
        # The message has one answer, though its words together leave open which one.
        return replace(answered[0], question=whole.question)
    if one_answer or for_both:
        return whole
    # "Làm lại ở đâu và bao nhiêu tiền" has one answer, which is given once.
    different: dict[tuple[str | int, str], Reply] = {}
    for number, reply in enumerate(replies):
        different.setdefault(_given(reply) if reply.answer_id else (number, ""), reply)
    replies = tuple(different.values())
    answered = [reply for reply in replies if reply.decision.kind is DecisionKind.ANSWER]
    if not answered:
        asked_back = [reply for reply in replies if reply.decision.kind is DecisionKind.CLARIFY]
        return replace(asked_back[0], question=whole.question, parts=tuple(replies)) if asked_back else whole
    return replace(
        answered[0],
        text="\n\n".join(f"{reply.question}\n{reply.text}" for reply in answered),
        citations=tuple(dict.fromkeys(citation for reply in answered for citation in reply.citations)),
        cards=as_many_as_fit(card for reply in answered for card in reply.cards),
        confidence=min(reply.confidence for reply in answered),
        question=whole.question,
        parts=tuple(replies),
    )


def _given(reply: Reply) -> tuple[str, str]:
    """Return what a reply gives: a rule may be applied with one result for one major, and another for another."""
    return reply.answer_id or "", reply.text
