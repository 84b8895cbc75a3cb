"""The manager of URASys: it judges what the FAQ agent and the document agent found side by side, at most T times.

With each wording of the question it answers, asks back among the passages found, looks again in other words, or gives
up. The decision is a JSON object bound to a schema. Just Enough: no call is made that the decision before did not ask
for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rag.answer.generate import Asked, GeneratedAnswer, checked_answer, grounded_request, texts
from rag.language_model.exchange import Exchange
from rag.language_model.injection import addresses_model
from rag.language_model.types import ChatMessage, Completion
from rag.pipeline import GenerationRule
from rag.types import Passage

MAX_TEXT_CHARS = 2_000
MAX_QUERY_CHARS = 300
MOST_CHOICES = 5
ACTIONS = ("answer", "ask", "refine", "none")
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": list(ACTIONS)},
        "text": {"type": "string", "maxLength": MAX_TEXT_CHARS},
        "query": {"type": "string", "maxLength": MAX_QUERY_CHARS},
        "choices": {"type": "array", "items": {"type": "integer"}, "maxItems": MOST_CHOICES},
    },
    "required": ["action", "text", "query", "choices"],
    "additionalProperties": False,
}

SEARCHES = ("search_faq", "search_passages")


@dataclass(frozen=True, slots=True)
class _Judgement:
    action: str
    text: str
    query: str
    choices: tuple[int, ...]


class Manager:
    """Implements `rag.answer.generate.Answerer`."""

    def __init__(self, rule: GenerationRule) -> None:
        self._rule = rule

    def answer(
        self, asked: Asked, passages: Sequence[Passage], exchange: Exchange, temperature: float
    ) -> GeneratedAnswer:
        rule = self._rule
        question = asked.question.unmasked(asked.question.text)
        found = self._found(asked, question) or list(passages)
        tried = {question}
        for _ in range(rule.max_calls):
            judgement = self._judged(asked, found, exchange, temperature)
            if judgement is None or judgement.action == "none":
                return GeneratedAnswer(abstained=True)
            if judgement.action == "answer":
                said = Completion(judgement.text, 0, 0)
                return checked_answer(said, asked, found, rule)
            if judgement.action == "ask":
                numbers = [n for n in dict.fromkeys(judgement.choices) if 1 <= n <= len(found)]
                return GeneratedAnswer(choices=tuple(found[number - 1] for number in numbers))
            query = asked.question.unmasked(judgement.query)
            if not query or query in tried:
                break
            tried.add(query)
            found = self._found(asked, query) or found
        return GeneratedAnswer(abstained=True)

    def _found(self, asked: Asked, query: str) -> list[Passage]:
        """Return what both agents find, in turn: the best of each first."""
        several = [list(asked.searches[name](query)) for name in SEARCHES if name in asked.searches]
        longest = max(map(len, several), default=0)
        in_turn = [some[place] for place in range(longest) for some in several if place < len(some)]
        return [passage for passage in in_turn if not addresses_model(passage.text)][: self._rule.passages]

    def _judged(
        self, asked: Asked, found: Sequence[Passage], exchange: Exchange, temperature: float
    ) -> _Judgement | None:
        """Return the model's judgement; None for a reply that the schema does not allow."""
        request = grounded_request(asked, found, self._rule, temperature)
        system, user = request.messages
        system = ChatMessage("system", f"{system.content}\n{texts()[asked.language]['manager']}")
        completion = exchange.ask(replace(request, messages=(system, user), schema=SCHEMA), "manager")
        try:
            said = json.loads(completion.text)
        except ValueError:
            return None
        if not isinstance(said, dict) or said.get("action") not in ACTIONS:
            return None
        text, query, choices = said.get("text", ""), said.get("query", ""), said.get("choices", [])
        if not isinstance(text, str) or not isinstance(query, str) or not isinstance(choices, list):
            return None
        numbers = tuple(number for number in choices if isinstance(number, int))
        return _Judgement(said["action"], text[:MAX_TEXT_CHARS], query[:MAX_QUERY_CHARS], numbers)
