"""Help with studying that a language model writes: the summary of a chapter, and further exercises.

The model gets the passages of the chapter and nothing of the student's. A summary is verified like every generated
answer (`rag.answer.verify`). In an exercise, a sentence that states something must be said by the passage that it
cites; one that asks must be about it: no number, code or name of its own, half of its telling words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any

from rag.answer.cited_sentences import CitedSentence, cited_sentences
from rag.answer.generate import (
    MAX_ANSWER_CHARS,
    GeneratedAnswer,
    fence_of,
    fenced,
    is_abstention,
    place_of,
    texts,
    verified_answer,
)
from rag.answer.study_answers import cite_in_material
from rag.answer.verify import Evidence, Unsupported, evidence_of, invented, shared_words, unsupported
from rag.language_model.exchange import Exchange
from rag.language_model.injection import addresses_model
from rag.language_model.types import ChatMessage, ChatRequest
from rag.pipeline import GenerationRule
from rag.query.same_words import folded_words
from rag.query.study_request import StudyKind
from rag.types import Citation, DroppedSentence, Passage
from vietnamese.data_files import yaml_beside
from vietnamese.text import clean, words

MOST_EXERCISES = 3
"""The most exercises that a model writes for an answer."""

LEAST_SHARED = 0.5
"""The share of the telling words of a question that its passage must have."""


def summary_of(
    passages: Sequence[Passage], exchange: Exchange, rule: GenerationRule, temperature: float
) -> GeneratedAnswer:
    """Return a summary of a chapter. Raises ModelUnavailableError."""
    request = study_request_of(StudyKind.SUMMARY, passages, rule, temperature)
    completion = exchange.ask(request, "summary")
    said = clean(completion.text, MAX_ANSWER_CHARS)
    if is_abstention(said):
        return GeneratedAnswer(abstained=True)
    sentences = cited_sentences(said)
    if not completion.is_whole:
        # The limit of tokens has cut the last one off.
        sentences = sentences[:-1]
    summary = verified_answer(sentences, passages, "vi", rule.least_supported, cite_in_material)
    if summary.text and not summary.dropped and completion.is_whole:
        exchange.keep(request, completion)
    return summary


def further_exercises(
    passages: Sequence[Passage],
    known: Sequence[str],
    cited: int,
    exchange: Exchange,
    rule: GenerationRule,
    temperature: float,
) -> GeneratedAnswer:
    """Return exercises about a chapter, numbered, without those in the words of a `known` one.

    The answer has `cited` citations before those of these exercises. Raises ModelUnavailableError.
    """
    request = study_request_of(StudyKind.EXERCISES, passages, rule, temperature)
    completion = exchange.ask(request, "exercises")
    said = clean(completion.text, MAX_ANSWER_CHARS)
    if is_abstention(said):
        return GeneratedAnswer(abstained=True)
    sentences = cited_sentences(said)
    if not completion.is_whole:
        last = sentences[-1].line if sentences else 0
        sentences = [sentence for sentence in sentences if sentence.line != last]
    seen = {folded_words(text) for text in known}
    kept: list[tuple[str, tuple[int, ...]]] = []
    dropped: list[DroppedSentence] = []
    evidence = cache(lambda number: evidence_of(passages[number - 1]))
    for _, group in groupby(sentences, key=lambda sentence: sentence.line):
        exercise = list(group)
        text = " ".join(sentence.text for sentence in exercise)
        numbers = tuple(dict.fromkeys(number for sentence in exercise for number in sentence.cites))
        reason = _fault(exercise, [evidence(n) for n in numbers if 1 <= n <= len(passages)], numbers)
        if reason is not None:
            dropped.append(DroppedSentence(text, reason.value))
        elif (key := folded_words(text)) not in seen and len(kept) < MOST_EXERCISES:
            seen.add(key)
            kept.append((text, numbers))
    if not kept:
        return GeneratedAnswer(dropped=tuple(dropped))
    if not dropped and completion.is_whole:
        exchange.keep(request, completion)
    order = list(dict.fromkeys(number for _, numbers in kept for number in numbers))
    lines = (
        f"{place}. {text} " + "".join(f"[{cited + order.index(number) + 1}]" for number in numbers)
        for place, (text, numbers) in enumerate(kept, 1)
    )
    citations: tuple[Citation, ...] = tuple(cite_in_material(passages[number - 1]) for number in order)
    return GeneratedAnswer("\n".join(lines), citations, supported=len(kept), dropped=tuple(dropped))


def evidence_in(passages: Sequence[Passage], rule: GenerationRule) -> list[Passage]:
    """Return the first passages of a chapter that may be sent, as many as the rule has room for."""
    chosen, room = list[Passage](), rule.max_words
    for passage in passages:
        size = len(words(passage.text))
        if chosen and size > room:
            break
        if not addresses_model(passage.text):
            chosen.append(passage)
            room -= size
    return chosen


def study_request_of(
    kind: StudyKind, passages: Sequence[Passage], rule: GenerationRule, temperature: float
) -> ChatRequest:
    """Return the request for a summary of `passages`, or for exercises about them."""
    said, frame = _texts(), texts()["vi"]
    fence = fence_of([passage.text for passage in passages])
    blocks = [
        fenced(frame["passage"].format(number=number, place=place_of(passage)), passage.text, fence)
        for number, passage in enumerate(passages, 1)
    ]
    system = said[kind].format(fence=fence, abstention=texts()["abstention"], count=MOST_EXERCISES)
    user = "\n\n".join([*blocks, said[f"ask_{kind}"].format(count=MOST_EXERCISES)])
    messages = (ChatMessage("system", system), ChatMessage("user", user))
    return ChatRequest(messages, rule.max_tokens, temperature)


def _fault(
    exercise: Sequence[CitedSentence], cited: Sequence[Evidence], numbers: Sequence[int]
) -> Unsupported | None:
    """Return why an exercise is not shown; None when it is."""
    if not numbers:
        return Unsupported.NO_CITATION
    if len(cited) < len(numbers):
        return Unsupported.UNKNOWN_PASSAGE
    if not any(_asks(sentence.text) for sentence in exercise) or addresses_model(_joined(exercise)):
        # It is no exercise.
        return Unsupported.WORDS
    for sentence in exercise:
        if not _asks(sentence.text):
            fault = unsupported(sentence.text, cited)
        elif all(invented(sentence.text, one) is not None for one in cited):
            fault = invented(sentence.text, cited[0])
        else:
            shared = max(shared_words(sentence.text, one) for one in cited)
            fault = None if shared >= LEAST_SHARED else Unsupported.WORDS
        if fault is not None:
            return fault
    return None


def _joined(exercise: Sequence[CitedSentence]) -> str:
    return " ".join(sentence.text for sentence in exercise)


def _asks(sentence: str) -> bool:
    """Return whether a sentence asks, or sets a task."""
    begins = " ".join(words(sentence))
    return sentence.endswith("?") or any(f"{begins} ".startswith(f"{task} ") for task in _tasks())


@cache
def _tasks() -> tuple[str, ...]:
    return tuple(" ".join(words(task)) for task in _texts()["tasks"].split(","))


def _texts() -> Mapping[str, Any]:
    data: Mapping[str, Any] = yaml_beside(__file__, "study_generation.yml")
    return data
