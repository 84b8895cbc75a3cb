"""Rasa's agent for the internal channel: takes typed text or a button's payload, returns Rasa's messages.

Every turn gets a reply: a turn that fails is answered with an apology. `server.turn_execution` runs the turn and
repairs its conversation.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rasa.core.agent import Agent
from rasa.core.channels.channel import CollectingOutputChannel, UserMessage
from rasa.shared.core.trackers import DialogueStateTracker
from rasa.shared.nlu.constants import INTENT, INTENT_NAME_KEY, PREDICTED_CONFIDENCE_KEY
from sanic import Sanic
from sqlalchemy.exc import SQLAlchemyError

from dialogue.acts import act_of
from server import health_check
from server.tracker_store import WindowTrackerStore, without_fallback
from server.turn_execution import LOCK_LIFETIME_S, LOCK_POLL_S, execute_turn
from vietnamese.text import MAX_QUESTION_CHARS, clean

logger = logging.getLogger(__name__)

TURN_TIMEOUT_S = 60.0
"""Seconds; longer than any turn takes. A turn that hangs is answered with an apology."""

ANSWERING_S = 10.0
"""Seconds since the last answered turn for which Rasa counts as answering."""

DEFAULT_LANGUAGE = "vi"

CERTAIN = 0.7
"""Probability from which an intent counts that decides alone, without the conversation."""

ALWAYS_OFFERED = ("/cancel", '/inform{"choice": "none"}', "/ask_advisor")
"""Payloads of the buttons that are sorted last: cancel, "none of these", "an advisor"."""

READ_FROM_TEXT = frozenset({"course", "document", "office", "date", "language"})
"""The entities of domain.yml that only typed text has."""

_COMMAND = re.compile(r"^[/\s]+")
_COMMAND_WITH_DATA = re.compile(r"^[/\s]*/[/\s]*(\w*)[@.\d]*\s*\{.*", re.DOTALL)

RasaMessage = dict[str, Any]
"""A message of Rasa's: `text`, `buttons`, `custom` and the like, and its `act` (`dialogue.acts`)."""


@dataclass(frozen=True)
class TypedText:
    """Text that a student typed, cleaned for Rasa. `text` is empty when the message is empty or `too_long`."""

    text: str
    too_long: bool = False

    @classmethod
    def of(cls, text: str) -> TypedText:
        """Clean `text` and remove leading slashes, which Rasa reads as a command, and the data of such a command.

        Only buttons carry data. Typed, `/inform{"cohort": "47"}` says no more than "inform": its names are of no
        language and of no student.
        """
        if len(text) > 4 * MAX_QUESTION_CHARS:
            return cls("", too_long=True)
        cleaned = clean(text, MAX_QUESTION_CHARS + 1)
        safe = _COMMAND.sub("", _COMMAND_WITH_DATA.sub(r"\1", cleaned))
        return cls("", too_long=True) if len(safe) > MAX_QUESTION_CHARS else cls(safe)


class Bot:
    """Rasa's agent of a Sanic application."""

    def __init__(self, app: Sanic) -> None:
        self._app = app

    @property
    def ready(self) -> bool:
        """Return whether a model is loaded."""
        return self._agent() is not None

    @property
    def carried(self) -> frozenset[str]:
        """Return the entities that buttons carry: values of the school's dimensions, entries, passages, topics.

        Raises:
            RuntimeError: when no model is loaded.
        """
        domain = self._loaded().domain
        assert domain is not None
        return frozenset(domain.entities) - READ_FROM_TEXT

    async def handle_text(
        self, sender: str, channel: str, text: str, turn_id: str | None = None
    ) -> Sequence[RasaMessage]:
        """Return the replies to typed text; those of before when the conversation has had the turn of this id."""
        typed = TypedText.of(text)
        if typed.too_long:
            return await self.response("utter_too_long", sender, channel)
        if not typed.text:
            return await self.response("utter_empty_message", sender, channel)
        return await self.handle_payload(sender, channel, typed.text, turn_id)

    async def handle_payload(
        self, sender: str, channel: str, payload: str, turn_id: str | None = None
    ) -> Sequence[RasaMessage]:
        """Return the replies to the payload of a button that our own actions sent; `turn_id` as in `handle_text`.

        Raises:
            RuntimeError: when no model is loaded.
        """
        agent = self._loaded()

        def message() -> UserMessage:
            return UserMessage(payload, Collected(channel), sender, input_channel=channel, message_id=turn_id)

        try:
            turn = await asyncio.wait_for(execute_turn(agent, message), TURN_TIMEOUT_S)
        except Exception:  # whatever it was, the student gets a sentence and the log the traceback
            logger.exception("A turn failed.")
            return await self.response("utter_apology", sender, channel)
        if not turn.messages:
            name = "utter_apology" if turn.stored else "utter_not_stored"
            return await self.response(name, sender, channel)
        self._app.ctx.answered_at = time.monotonic()
        apology = await self.response("utter_healed", sender, channel) if turn.healed else []
        return [*apology, *turn.messages]

    async def response(self, name: str, sender: str, channel: str, /, **values: str) -> list[RasaMessage]:
        """Return a response of the domain outside of a turn; an empty list when the domain has no such response."""
        agent = self._loaded()
        assert agent.processor is not None
        # The tracker's `language` slot chooses the variation of the response.
        message = await agent.processor.nlg.generate(
            name, await self._tracker(agent, sender), channel, **values
        )
        if not message or not message.get("text"):
            logger.warning("The domain has no response %s.", name)
            return []
        return [
            {
                "recipient_id": sender,
                "text": message["text"],
                "buttons": message.get("buttons") or [],
                "act": act_of(name),
            }
        ]

    async def language(self, sender: str) -> str:
        """Return the language the student writes in: vi or en."""
        agent = self._agent()
        spoken = (await self._tracker(agent, sender)).get_slot("language") if agent else None
        return str(spoken or DEFAULT_LANGUAGE)

    async def intent(self, text: str) -> str:
        """Return the intent of typed text, which does not become part of a conversation; empty when it is uncertain.

        Raises:
            RuntimeError: when no model is loaded.
        """
        if not (typed := TypedText.of(text)).text:
            return ""
        parsed = await self._loaded().parse_message(typed.text)
        found = parsed.get(INTENT) or {}
        certain = float(found.get(PREDICTED_CONFIDENCE_KEY) or 0.0) >= CERTAIN
        return str(found.get(INTENT_NAME_KEY) or "") if certain else ""

    async def check(self) -> dict[str, Any]:
        """Return what `server.health_check.check` does."""
        answered_at = getattr(self._app.ctx, "answered_at", None)
        lately = answered_at is not None and time.monotonic() - answered_at < ANSWERING_S
        return await health_check.check(self._loaded(), lately)

    async def forget(self, sender: str) -> None:
        """Erase a conversation from the tracker store.

        Takes the conversation's lock, since a running turn stores its tracker when it ends.
        """
        agent = self._loaded()
        store = without_fallback(agent)
        assert isinstance(store, WindowTrackerStore)
        async with agent.lock_store.lock(sender, LOCK_LIFETIME_S, LOCK_POLL_S):
            await store.forget(sender)

    @staticmethod
    async def _tracker(agent: Agent, sender: str) -> DialogueStateTracker:
        assert agent.domain is not None
        tracker = None
        # A sentence can be said without the conversation, too, in the default language.
        with contextlib.suppress(SQLAlchemyError):
            tracker = await without_fallback(agent).retrieve(sender)
        return tracker or DialogueStateTracker(sender, agent.domain.slots)

    def _agent(self) -> Agent | None:
        agent: Agent | None = getattr(self._app.ctx, "agent", None)
        return agent if agent is not None and agent.is_ready() else None

    def _loaded(self) -> Agent:
        agent = self._agent()
        if agent is None:
            raise RuntimeError("no model is loaded")
        return agent


class Collected(CollectingOutputChannel):
    """Collect a turn's messages, each with its text, buttons and sources in one piece."""

    def __init__(self, channel: str) -> None:
        super().__init__()
        self._channel = channel

    def name(self) -> str:  # type: ignore[override]
        """Return the channel's name, which selects channel-specific responses."""
        return self._channel

    async def send_response(self, recipient_id: str, message: RasaMessage) -> None:
        """Collect one message without splitting its text at blank lines."""
        # Rasa keeps what else an action gives to a message, its act among it, beside these (`BotUttered.message`).
        kept = {key: message.get(key) for key in ("text", "image", "buttons", "attachment", "custom", "act")}
        kept["buttons"] = sorted(
            kept["buttons"] or [], key=lambda button: button["payload"] in ALWAYS_OFFERED
        )
        if any(kept.values()):
            await self._persist_message(
                {"recipient_id": recipient_id, **{key: value for key, value in kept.items() if value}}
            )
