"""A run over tasks: one call each, within a limit, kept at once, so that a killed run goes on where it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from rag.enrichment.checks import UnreadableReplyError
from rag.enrichment.tasks import Task
from rag.ingest.generated_texts import GeneratedTexts
from rag.language_model.exchange import ModelAccess
from rag.language_model.ledger import Budget
from rag.language_model.openai_chat import CHARS_PER_TOKEN
from rag.language_model.types import ModelFailure, ModelUnavailableError

MOST_FAILURES = 3
"""Failures in a row that end a run: the server is gone, or cannot do what is asked."""

_FINAL = frozenset({ModelFailure.BUDGET, ModelFailure.LEDGER, ModelFailure.CIRCUIT_OPEN})
"""Failures that the next task would meet, too."""


class Stopped(StrEnum):
    """Reasons, beside those of `ModelFailure`, why a run ends before its last task."""

    BY_HAND = "by_hand"
    LIMIT = "limit"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Needed:
    """The most that tasks may need: tokens of prompts by their length, of replies by their limit."""

    calls: int
    prompt_tokens: int
    completion_tokens: int

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def price(self, budget: Budget) -> float:
        """Return the price in the currency of the budget's prices."""
        return budget.price(self.prompt_tokens, self.completion_tokens)


@dataclass(frozen=True, slots=True)
class Limit:
    """The most tokens and money of one run; 0: no limit but the day's budget."""

    tokens: int = 0
    cost: float = 0.0


@dataclass(slots=True)
class Outcome:
    """What a run has done so far. `refused` counts texts by the reason of the checks; `stopped`: why it ended early."""

    done: int = 0
    written: int = 0
    failed: int = 0
    tokens: int = 0
    cost: float = 0.0
    refused: Counter[str] = field(default_factory=Counter)
    stopped: Stopped | ModelFailure | None = None


def needed_by(tasks: Iterable[Task]) -> Needed:
    """Return the most that the tasks need, without a call."""
    calls = prompt = completion = 0
    for task in tasks:
        calls += 1
        prompt += round(task.request.chars / CHARS_PER_TOKEN)
        completion += task.request.max_tokens
    return Needed(calls, prompt, completion)


def enrich(
    tasks: Sequence[Task],
    access: ModelAccess,
    kept: GeneratedTexts,
    outcome: Outcome,
    limit: Limit,
    timeout_s: float,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Iterator[Task]:
    """Yield each task when it is done, failed or was done before; write what happened into `outcome`.

    Replies that cannot be read and failed calls are left for the next run. Raises IndexUnusableError when texts cannot
    be kept.
    """
    in_a_row = 0
    for task in tasks:
        if kept.has(task.key):
            # Another run has written it meanwhile.
            yield task
            continue
        if not _fits(task, outcome, limit, access.ledger.budget):
            outcome.stopped = Stopped.LIMIT
            return
        failure = _done(task, access, kept, outcome, timeout_s, now())
        in_a_row = 0 if failure is None else in_a_row + 1
        if failure in _FINAL or in_a_row >= MOST_FAILURES:
            outcome.stopped = failure
            return
        yield task


def _fits(task: Task, outcome: Outcome, limit: Limit, budget: Budget) -> bool:
    needed = needed_by([task])
    is_in_tokens = not limit.tokens or outcome.tokens + needed.tokens <= limit.tokens
    return is_in_tokens and (not limit.cost or outcome.cost + needed.price(budget) <= limit.cost)


def _done(
    task: Task, access: ModelAccess, kept: GeneratedTexts, outcome: Outcome, timeout_s: float, now: datetime
) -> Stopped | ModelFailure | None:
    """Do one task; return why it failed, None when its texts are kept."""
    exchange = access.exchange(1, timeout_s)
    try:
        completion = exchange.ask(task.request, f"enrich {task.kind.value}")
        checked = task.check(completion.text)
    except ModelUnavailableError as error:
        outcome.failed += 1
        if error.failure is ModelFailure.TIMEOUT:
            # The server may go on with it, and charge for it.
            needed = needed_by([task])
            outcome.tokens += needed.tokens
            outcome.cost += needed.price(access.ledger.budget)
        return error.failure
    except UnreadableReplyError:
        outcome.failed += 1
        return Stopped.UNREADABLE
    finally:
        outcome.tokens += sum(call.prompt_tokens + call.completion_tokens for call in exchange.calls)
        outcome.cost += sum(call.cost for call in exchange.calls)
    kept.keep(task.key, task.kind, task.source, checked.texts, len(checked.refused), access.model.name, now)
    outcome.done += 1
    outcome.written += len(checked.texts)
    outcome.refused.update(each.why for each in checked.refused)
    return None
