"""What all actions share: the engine runs in a thread, and no error reaches a student."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rasa_sdk import Action, Tracker
from rasa_sdk.executor import CollectingDispatcher
from rasa_sdk.types import DomainDict

from actions.conversation_state import PROFILE
from actions.follow_up_resolution import given_now
from actions.self_introduction import self_introduction
from actions.tracker import language, slots_set
from rag.engine import Engine

logger = logging.getLogger(__name__)

Message = dict[str, Any]
Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an action says and changes. A message is the arguments of `dispatcher.utter_message`."""

    messages: Sequence[Message] = ()
    events: Sequence[Event] = field(default_factory=tuple)


class EngineAction(Action, ABC):
    """An action that asks the engine. `engine` gives the one to use now: an index may be swapped in."""

    def __init__(self, engine: Callable[[], Engine]) -> None:
        self._engine = engine

    @abstractmethod
    def name(self) -> str:
        """The action's name in domain.yml."""

    @abstractmethod
    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        """What to say and change in this turn. Runs in a thread."""

    def noted(self, tracker: Tracker, engine: Engine) -> Sequence[Event]:
        """Return the events that keep what the message says of the student, whatever the turn is about."""
        return slots_set(tracker, {PROFILE: given_now(tracker, engine.catalog).as_slot()})

    def on_failure(self, tracker: Tracker) -> Sequence[Event]:  # noqa: ARG002
        """What to change when `respond` has failed, so that the conversation can go on."""
        return ()

    async def run(
        self,
        dispatcher: CollectingDispatcher,
        tracker: Tracker,
        domain: DomainDict,  # noqa: ARG002
    ) -> list[Event]:
        """Respond; when that fails, log it and apologise."""
        try:
            outcome, bot = await asyncio.to_thread(self._respond_by_name, tracker)
        except Exception:
            logger.exception("%s failed.", self.name())
            dispatcher.utter_message(response="utter_apology")
            return list(self.on_failure(tracker))
        for message in outcome.messages:
            # Rasa leaves a placeholder without a value in the text.
            dispatcher.utter_message(**{"lead": "", "bot": bot, **message})
        return list(outcome.events)

    def _respond_by_name(self, tracker: Tracker) -> tuple[Outcome, str]:
        """Return the outcome with the profile noted, and what the bot calls itself in it."""
        engine = self._engine()
        outcome = self.respond(tracker, engine)
        if not any(event.get("name") == PROFILE for event in outcome.events):
            outcome = replace(outcome, events=[*outcome.events, *self.noted(tracker, engine)])
        return outcome, self_introduction(engine.catalog.school, language(tracker))
