"""Covan's side of a conversation, for every channel: what is said to what a student types or presses.

A turn is never answered with nothing, and never with a traceback; how it is taken, and mended when it goes wrong, stands
in `server.turn`.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rasa.core.agent import Agent
from rasa.core.channels.channel import CollectingOutputChannel, UserMessage
from rasa.shared.core.trackers import DialogueStateTracker
from sanic import Sanic

from server.tracker_store import WindowTrackerStore
from server.turn import LOCK_LIFETIME_S, LOCK_POLL_S, take_turn
from vietnamese.text import MAX_QUESTION_CHARS, clean

logger = logging.getLogger(__name__)

TURN_TIMEOUT_S = 60.0
"""Longer than any turn takes; a turn that hangs ends in an apology instead of an open connection."""

DEFAULT_LANGUAGE = "vi"

ALWAYS_OFFERED = ("/cancel", '/inform{"choice": "none"}', "/ask_advisor")
"""Buttons that come after what a turn offers: "I don't know", "an advisor"."""

_COMMAND = re.compile(r"^[/\s]+")

Message = dict[str, Any]
"""A message as Rasa has it: `text`, `buttons`, `custom` and the like."""


@dataclass(frozen=True)
class Heard:
    """What a student typed, clean; only ever text. May be empty, or longer than is read (`too_long`)."""

    text: str
    too_long: bool = False

    @classmethod
    def of(cls, text: str) -> Heard:
        """`text` as it may go to Rasa, which takes a leading "/" for a command: typed, it is none."""
        if len(text) > 4 * MAX_QUESTION_CHARS:
            return cls("", too_long=True)
        safe = _COMMAND.sub("", clean(text, MAX_QUESTION_CHARS + 1))
        return cls("", too_long=True) if len(safe) > MAX_QUESTION_CHARS else cls(safe)


class Bot:
    """The agent of an application, as a channel talks to it."""

    def __init__(self, app: Sanic) -> None:
        self._app = app

    @property
    def ready(self) -> bool:
        """Whether a model is loaded."""
        return self._agent() is not None

    async def hear(self, sender: str, channel: str, text: str) -> Sequence[Message]:
        """What is said to typed text."""
        heard = Heard.of(text)
        if heard.too_long:
            return await self.say("utter_too_long", sender, channel)
        if not heard.text:
            return await self.say("utter_empty_message", sender, channel)
        return await self.press(sender, channel, heard.text)

    async def press(self, sender: str, channel: str, payload: str) -> Sequence[Message]:
        """What is said to the payload of a button that our own actions sent.

        Raises:
            RuntimeError: when no model is loaded.
        """
        agent = self._loaded()

        def message() -> UserMessage:
            return UserMessage(payload, Collected(channel), sender, input_channel=channel)

        try:
            said = await asyncio.wait_for(take_turn(agent, message), TURN_TIMEOUT_S)
        except Exception:  # whatever it was, the student gets a sentence and the log the traceback
            logger.exception("A turn failed.")
            return await self.say("utter_apology", sender, channel)
        if not said.messages:
            return await self.say("utter_apology", sender, channel)
        apology = await self.say("utter_healed", sender, channel) if said.healed else []
        return [*apology, *said.messages]

    async def say(self, name: str, sender: str, channel: str, /, **values: str) -> list[Message]:
        """A response of the domain, outside of any turn; nothing when the model's domain does not have it."""
        agent = self._loaded()
        assert agent.processor is not None
        # What is known of the student decides on the language, where a response has variations for it.
        message = await agent.processor.nlg.generate(
            name, await self._tracker(agent, sender), channel, **values
        )
        if not message or not message.get("text"):
            logger.warning("The domain has no response %s.", name)
            return []
        return [{"recipient_id": sender, "text": message["text"], "buttons": message.get("buttons") or []}]

    async def language(self, sender: str) -> str:
        """What a student writes in: vi or en."""
        agent = self._agent()
        spoken = (await self._tracker(agent, sender)).get_slot("language") if agent else None
        return str(spoken or DEFAULT_LANGUAGE)

    async def forget(self, sender: str) -> None:
        """Erases what Rasa keeps of a conversation, after the turn that may be under way: its end is stored, too."""
        agent = self._loaded()
        store = agent.tracker_store
        while not isinstance(store, WindowTrackerStore):
            # Rasa wraps what endpoints.yml names, to have another store to fall back on.
            store = store._tracker_store
        async with agent.lock_store.lock(sender, LOCK_LIFETIME_S, LOCK_POLL_S):
            await store.forget(sender)

    @staticmethod
    async def _tracker(agent: Agent, sender: str) -> DialogueStateTracker:
        assert agent.domain is not None
        return await agent.tracker_store.retrieve(sender) or DialogueStateTracker(sender, agent.domain.slots)

    def _agent(self) -> Agent | None:
        agent: Agent | None = getattr(self._app.ctx, "agent", None)
        return agent if agent is not None and agent.is_ready() else None

    def _loaded(self) -> Agent:
        agent = self._agent()
        if agent is None:
            raise RuntimeError("no model is loaded")
        return agent


class Collected(CollectingOutputChannel):
    """Collects a turn's messages. Text, buttons and sources of one message stay together, blank lines and all."""

    def __init__(self, channel: str) -> None:
        super().__init__()
        self._channel = channel

    def name(self) -> str:  # type: ignore[override]
        """The channel's name, for responses written for it."""
        return self._channel

    async def send_response(self, recipient_id: str, message: Message) -> None:
        """Takes one message as it is."""
        kept = {key: message.get(key) for key in ("text", "image", "buttons", "attachment", "custom")}
        kept["buttons"] = sorted(
            kept["buttons"] or [], key=lambda button: button["payload"] in ALWAYS_OFFERED
        )
        if any(kept.values()):
            await self._persist_message(
                {"recipient_id": recipient_id, **{key: value for key, value in kept.items() if value}}
            )
