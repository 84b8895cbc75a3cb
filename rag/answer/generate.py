"""Grounded answers: a language model words an answer from numbered passages, and the verifier checks each sentence.

Register another answerer under `answerers` (`rag.registry`) to word answers in another way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Protocol

from rag.answer.citation import cite
from rag.answer.cited_sentences import CitedSentence, cited_sentences
from rag.answer.verify import evidence_of, unsupported
from rag.language_model.exchange import Exchange
from rag.language_model.masking import Masked
from rag.language_model.types import ChatMessage, ChatRequest, Completion
from rag.pipeline import GenerationRule
from rag.types import Citation, DroppedSentence, Passage
from vietnamese.data_files import yaml_beside
from vietnamese.language_detection import Language
from vietnamese.stopwords import says_something
from vietnamese.text import MAX_QUESTION_CHARS, clean, words

MAX_ANSWER_CHARS = 4_000
REWRITTEN_TOKENS = 100


Search = Callable[[str], Sequence[Passage]]
"""Finds passages for a query, those that hold for this student today."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The question to answer, without what is personal, and the language of the answer.

    `searches` are the tools of an agent by name.
    """

    question: Masked
    language: Language
    searches: Mapping[str, Search] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GeneratedAnswer:
    """A generated answer, with each number in brackets that of one of its citations, from 1.

    `choices` are passages to ask back about, when the question has several meanings.
    `text` is empty when the model abstained or when too little of its answer was supported. `supported`
    counts the sentences that the verifier let through, `dropped` are the others.
    """

    text: str = ""
    citations: tuple[Citation, ...] = ()
    abstained: bool = False
    choices: tuple[Passage, ...] = ()
    supported: int = 0
    dropped: tuple[DroppedSentence, ...] = ()


class Answerer(Protocol):
    """Words answers from passages. The class is called with its rule."""

    def answer(
        self, asked: Asked, passages: Sequence[Passage], exchange: Exchange, temperature: float
    ) -> GeneratedAnswer:
        """Return an answer from `passages`. Raises ModelUnavailableError."""
        ...


class GroundedAnswers:
    """Implements `Answerer`: one call, then the verifier."""

    def __init__(self, rule: GenerationRule) -> None:
        self._rule = rule

    def answer(
        self, asked: Asked, passages: Sequence[Passage], exchange: Exchange, temperature: float
    ) -> GeneratedAnswer:
        request = grounded_request(asked, passages, self._rule, temperature)
        completion = exchange.ask(request, "answer")
        generated = checked_answer(completion, asked, passages, self._rule)
        # A kept reply says what the passages say, or nothing: no words of the student's.
        if generated.abstained:
            exchange.keep(request, replace(completion, text=texts()["abstention"]))
        elif generated.text and not generated.dropped and completion.is_whole:
            exchange.keep(request, completion)
        return generated


def checked_answer(
    completion: Completion, asked: Asked, passages: Sequence[Passage], rule: GenerationRule
) -> GeneratedAnswer:
    """Return what the verifier lets through of a model's reply from numbered `passages`."""
    said = clean(completion.text, MAX_ANSWER_CHARS)
    if is_abstention(said):
        return GeneratedAnswer(abstained=True)
    sentences = cited_sentences(asked.question.unmasked(said))
    if not completion.is_whole:
        # The limit of tokens has cut the last one off.
        sentences = sentences[:-1]
    return verified_answer(sentences, passages, asked.language, rule.least_supported)


def is_abstention(said: str) -> bool:
    """Return whether the model says that the passages do not answer."""
    abstention = texts()["abstention"]
    return not said or said.strip(" .*\"'[]").upper().startswith(abstention)


def verified_answer(
    sentences: Sequence[CitedSentence],
    passages: Sequence[Passage],
    language: Language,
    least: float,
    cites: Callable[[Passage], Citation] = cite,
) -> GeneratedAnswer:
    """Return the supported sentences as an answer; without text when their share of words is below `least`.

    The first sentence answers the question: without it, there is no answer. `cites` returns the citation of a passage.
    """
    evidence = cache(lambda number: evidence_of(passages[number - 1]))
    kept: list[CitedSentence] = []
    dropped: list[DroppedSentence] = []
    for sentence in sentences:
        known = [evidence(number) for number in sentence.cites if 1 <= number <= len(passages)]
        reason = unsupported(sentence.text, known if len(known) == len(sentence.cites) else ())
        if reason is None:
            kept.append(sentence)
        else:
            dropped.append(DroppedSentence(sentence.text, reason.value))
    size = sum(len(words(sentence.text)) for sentence in sentences)
    share = sum(len(words(sentence.text)) for sentence in kept) / size if size else 0.0
    if not kept or kept[0] is not sentences[0] or share < least:
        return GeneratedAnswer(supported=len(kept), dropped=tuple(dropped))
    order = list(dict.fromkeys(number for sentence in kept for number in sentence.cites))
    said = texts()[language]["disclaimer"]
    return GeneratedAnswer(
        text=f"{_written(kept, order)}\n\n{said}",
        citations=tuple(cites(passages[number - 1]) for number in order),
        supported=len(kept),
        dropped=tuple(dropped),
    )


def _written(sentences: Sequence[CitedSentence], order: Sequence[int]) -> str:
    lines: list[str] = []
    before: int | None = None
    for sentence in sentences:
        marks = "".join(f"[{order.index(number) + 1}]" for number in sentence.cites)
        body, end = sentence.text, ""
        if body[-1] in ".!?:":
            body, end = body[:-1], body[-1]
        text = f"{body} {marks}{end}"
        if sentence.line == before:
            lines[-1] += f" {text}"
        else:
            lines.append(f"{sentence.bullet} {text}" if sentence.bullet else text)
        before = sentence.line
    return "\n".join(lines)


def grounded_request(
    asked: Asked, passages: Sequence[Passage], rule: GenerationRule, temperature: float
) -> ChatRequest:
    """Return the request: instructions, then passages and question as fenced data.

    The code of the fences is a hash of all that they hold, so that no text can hold it itself.
    """
    said: Mapping[str, str] = texts()[asked.language]
    fence = fence_of([asked.question.text, *(passage.text for passage in passages)])
    blocks = [
        fenced(said["passage"].format(number=number, place=place_of(passage)), passage.text, fence)
        for number, passage in enumerate(passages, 1)
    ]
    blocks.append(fenced(said["question"], asked.question.text, fence))
    system = said["system"].format(fence=fence, abstention=texts()["abstention"])
    user = "\n\n".join([*blocks, said["ask"]])
    messages = (ChatMessage("system", system), ChatMessage("user", user))
    return ChatRequest(messages, rule.max_tokens, temperature)


def fallback_answer(asked: Asked, rule: GenerationRule, exchange: Exchange, temperature: float) -> str:
    """Return what the model says without any source, under a warning; empty when it abstains or gives any detail.

    The fallback of URAG (arXiv:2501.16276). Raises ModelUnavailableError.
    """
    said: Mapping[str, str] = texts()[asked.language]
    fence = fence_of([asked.question.text])
    system = said["fallback_system"].format(fence=fence, abstention=texts()["abstention"])
    messages = (
        ChatMessage("system", system),
        ChatMessage("user", fenced(said["question"], asked.question.text, fence)),
    )
    completion = exchange.ask(ChatRequest(messages, rule.max_tokens, temperature), "fallback")
    text = clean(completion.text, MAX_ANSWER_CHARS)
    has_details = (
        any(map(str.isdigit, text)) or "@" in text or "://" in text or "www." in text or fence in text
    )
    if is_abstention(text) or has_details or not completion.is_whole:
        return ""
    return f"{text}\n\n{said['fallback_disclaimer']}"


def standalone_question(asked: Asked, earlier: Sequence[str], exchange: Exchange) -> str:
    """Return the question rewritten to stand alone; empty when the model adds words of its own.

    `earlier` are the masked questions before it, the latest first. Raises ModelUnavailableError.
    """
    said: Mapping[str, str] = texts()[asked.language]
    fence = fence_of([asked.question.text, *earlier])
    blocks = [
        fenced(said["earlier"], "\n".join(earlier), fence),
        fenced(said["question"], asked.question.text, fence),
    ]
    messages = (
        ChatMessage("system", said["rewrite_system"].format(fence=fence)),
        ChatMessage("user", "\n\n".join(blocks)),
    )
    completion = exchange.ask(ChatRequest(messages, REWRITTEN_TOKENS), "rewrite")
    text = clean(completion.text, MAX_QUESTION_CHARS).strip(" \"'")
    given = {word for each in (asked.question.text, *earlier) for word in words(each)}
    is_own = all(word in given or not says_something(word) for word in words(text))
    return asked.question.unmasked(text) if completion.is_whole and "\n" not in text and is_own else ""


def fence_of(parts: Sequence[str]) -> str:
    """Return a code for fences around `parts`."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def texts() -> Mapping[str, Any]:
    """Return the prompts and disclaimers (`generate.yml`)."""
    data: Mapping[str, Any] = yaml_beside(__file__, "generate.yml")
    return data


def fenced(heading: str, text: str, fence: str) -> str:
    """Return a text between fences, under its heading."""
    return f"{heading}\n<{fence}>\n{text}\n</{fence}>"


def place_of(passage: Passage) -> str:
    """Return title and locator of a passage."""
    return ", ".join(part for part in (passage.title, passage.locator) if part)
