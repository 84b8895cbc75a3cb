"""Base class of the actions: runs the engine in a thread and turns every error into an apology."""

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
from actions.follow_up_resolution import current_profile
from actions.self_introduction import self_introduction
from actions.tracker import language, slots_set
from dialogue.acts import act_of
from rag.engine import Engine
from rag.types import Reply

logger = logging.getLogger(__name__)

Message = dict[str, Any]
Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Messages and events of an action. A message holds the arguments of `dispatcher.utter_message`.

    `reply` is the engine's reply that the messages tell; None when the engine was not asked.
    """

    messages: Sequence[Message] = ()
    events: Sequence[Event] = field(default_factory=tuple)
    reply: Reply | None = None


class EngineAction(Action, ABC):
    """An action on the engine. `engine` returns the current engine, since an index may be swapped in."""

    def __init__(self, engine: Callable[[], Engine]) -> None:
        self._engine = engine

    @abstractmethod
    def name(self) -> str:
        """Return the action's name in domain.yml."""

    @abstractmethod
    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:
        """Return the messages and events of this turn. Runs in a thread."""

    def profile_events(self, tracker: Tracker, engine: Engine) -> Sequence[Event]:
        """Return the events that store the profile values named in the latest message."""
        return slots_set(tracker, {PROFILE: current_profile(tracker, engine.catalog).as_slot()})

    def after(self, tracker: Tracker, outcome: Outcome | None) -> None:
        """Take note of what the turn came to; None when `respond` failed."""

    def on_failure(self, tracker: Tracker) -> Sequence[Event]:  # noqa: ARG002
        """Return the events that let the conversation continue after `respond` has failed."""
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
            self.after(tracker, None)
            dispatcher.utter_message(response="utter_apology", act=act_of("utter_apology"))
            return list(self.on_failure(tracker))
        for message in outcome.messages:
            # Rasa leaves a placeholder without a value in the text.
            dispatcher.utter_message(**{"lead": "", "bot": bot, **_act(message), **message})
        self.after(tracker, outcome)
        return list(outcome.events)

    def _respond_by_name(self, tracker: Tracker) -> tuple[Outcome, str]:
        """Return the outcome with the profile stored, and the bot's introduction for `{bot}`."""
        engine = self._engine()
        outcome = self.respond(tracker, engine)
        if not any(event.get("name") == PROFILE for event in outcome.events):
            outcome = replace(outcome, events=[*outcome.events, *self.profile_events(tracker, engine)])
        return outcome, self_introduction(engine.catalog.school, language(tracker))


def _act(message: Message) -> Message:
    """Return the act of the message's response; nothing for a message to the channels alone."""
    return {"act": act_of(message["response"])} if "response" in message else {}
