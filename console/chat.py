"""The chat's reply to a message that an advisor tries in the console: `covan` hands in the chat's own code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from rag.engine import Engine
from rag.types import Reply
from school.reading import Reading


@dataclass(frozen=True, slots=True)
class Heard:
    """A message as the chat takes it.

    `reply` is the engine's; None for a message that the chat replies to without asking it, with `said`: one of the
    wordings that it chooses from. `intent` is what decides so.
    """

    reading: Reading
    intent: str
    reply: Reply | None
    said: Sequence[str] = ()


class Chat(Protocol):
    """Takes a message of a student with a profile, values by dimension, as the chat does.

    `before` are the student's messages before it, the first one first.
    """

    def __call__(
        self, engine: Engine, text: str, profile: Mapping[str, str], before: Sequence[str] = ()
    ) -> Heard: ...
