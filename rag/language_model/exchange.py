"""The calls of a model for one message of a student: limited in number and time, paid from the budget, and recorded."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from rag.language_model.circuit_breaker import CircuitBreaker
from rag.language_model.ledger import Ledger, request_key
from rag.language_model.openai_chat import CHARS_PER_TOKEN
from rag.language_model.types import (
    ChatRequest,
    Completion,
    LanguageModel,
    ModelCall,
    ModelFailure,
    ModelUnavailableError,
)

logger = logging.getLogger(__name__)

OK = "ok"

_OF_THE_SERVER = frozenset({ModelFailure.TIMEOUT, ModelFailure.UNREACHABLE, ModelFailure.REFUSED})
"""Failures that open the circuit."""


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """A model with all that its calls go through. `timeout_s` is for all calls of a message together.

    `words_documents`: the model may word the answers of documents. `writes_study`: it may summarize chapters of study
    materials and write exercises. `fallback`: it may answer alone, with a warning,
    when nothing published answers. `keeps_everything`: every reply is kept, for benchmarks that go on where they were;
    else those alone that `Exchange.keep` is given, since a reply may repeat words of a student, who may erase them.
    """

    model: LanguageModel
    ledger: Ledger
    breaker: CircuitBreaker
    timeout_s: float
    temperature: float = 0.0
    words_documents: bool = True
    writes_study: bool = True
    fallback: bool = False
    keeps_everything: bool = False

    def exchange(self, most_calls: int, timeout_s: float | None = None) -> Exchange:
        """Return the calls for one message: `most_calls`, within `timeout_s` seconds (the model's own when None)."""
        return Exchange(self, most_calls, self.timeout_s if timeout_s is None else timeout_s)


class Exchange:
    """The calls for one message; `calls` records each, failed ones too. For one thread."""

    def __init__(
        self,
        access: ModelAccess,
        most_calls: int,
        timeout_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._access = access
        self._most_calls = most_calls
        self._clock = clock
        self._ends = clock() + timeout_s
        self.calls: list[ModelCall] = []
        self._reported = 0

    def unreported(self) -> tuple[ModelCall, ...]:
        """Return the calls since the last time, for the trace of one reply."""
        calls = tuple(self.calls[self._reported :])
        self._reported = len(self.calls)
        return calls

    @property
    def left_s(self) -> float:
        """The seconds that are left."""
        return self._ends - self._clock()

    def ask(self, request: ChatRequest, purpose: str) -> Completion:
        """Return the model's reply, kept or new. Raises ModelUnavailableError."""
        start = self._clock()
        model = self._access.model.name
        try:
            completion, cost, cached = self._asked(request)
        except ModelUnavailableError as error:
            latency = 1000 * (self._clock() - start)
            self.calls.append(ModelCall(purpose, model, error.failure.value, latency_ms=latency))
            logger.warning("The language model was not used (%s): %s", purpose, error)
            raise
        used = (0, 0) if cached else (completion.prompt_tokens, completion.completion_tokens)
        latency = 1000 * (self._clock() - start)
        self.calls.append(ModelCall(purpose, model, OK, *used, cost, latency, cached))
        return completion

    def _asked(self, request: ChatRequest) -> tuple[Completion, float, bool]:
        access = self._access
        model, ledger = access.model, access.ledger
        key = request_key(model.name, request)
        if not request.tools and (kept := ledger.reply(model.name, key)) is not None:
            return kept, 0.0, True
        if sum(not call.cached for call in self.calls) >= self._most_calls:
            raise ModelUnavailableError(ModelFailure.CALLS_USED_UP)
        if self.left_s <= 0:
            raise ModelUnavailableError(ModelFailure.TIMEOUT)
        if not access.breaker.admits():
            raise ModelUnavailableError(ModelFailure.CIRCUIT_OPEN)
        most = round(request.chars / CHARS_PER_TOKEN), request.max_tokens
        reservation = ledger.reserve(*most)
        start = self._clock()
        try:
            completion = model.complete(request, self.left_s)
        except ModelUnavailableError as error:
            # A server goes on with a request that nobody waits for any more, and charges for it.
            used = most if error.failure is ModelFailure.TIMEOUT else (0, 0)
            ledger.settle(reservation, model.name, used, 1000 * (self._clock() - start), failed=True)
            if error.failure in _OF_THE_SERVER:
                access.breaker.failed()
            raise
        access.breaker.succeeded()
        used = completion.prompt_tokens, completion.completion_tokens
        cost = ledger.settle(reservation, model.name, used, 1000 * (self._clock() - start))
        if access.keeps_everything:
            ledger.keep(key, completion)
        return completion, cost, False

    def keep(self, request: ChatRequest, completion: Completion) -> None:
        """Keep a reply for the same request. The caller answers for it that the reply has no words of the student."""
        with suppress(ModelUnavailableError):
            self._access.ledger.keep(request_key(self._access.model.name, request), completion)
