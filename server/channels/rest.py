"""The website's channel: one JSON request a turn, answered with the list of Rasa's messages.

`POST /webhooks/web/webhook` takes `{"sender": ..., "message": ...}` for typed text or `{"sender": ..., "payload": ...}`
for a pressed button. A turn is never answered with nothing, and never with a traceback; how it is taken, and mended when
it goes wrong, stands in `server.turn`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Dict, List, Optional, Text, Union

from rasa.core.agent import Agent
from rasa.core.channels.channel import CollectingOutputChannel, InputChannel, UserMessage
from rasa.shared.core.trackers import DialogueStateTracker
from sanic import Blueprint, response
from sanic.request import Request
from sanic.response import HTTPResponse

from server.text import MAX_MESSAGE_CHARS, clean
from server.turn import take_turn

logger = logging.getLogger(__name__)

MAX_BODY_BYTES = 2_000_000
"""A body larger than this is refused unread; a long message within it gets a polite answer."""

TURN_TIMEOUT_S = 60.0
"""Longer than any turn takes; a turn that hangs ends in an apology instead of an open connection."""

ALWAYS_OFFERED = ("/cancel", '/inform{"choice": "none"}', "/ask_advisor")

_SENDER = re.compile(r"[A-Za-z0-9][\w.:@-]{0,127}", re.ASCII)
_COMMAND = re.compile(r"^[/\s]+")
_PAYLOAD = re.compile(
    r"/(?P<intent>inform|affirm|deny|cancel|change_profile|forget_profile|ask_advisor|feedback_good|feedback_bad)"
    r"(?P<data>\{.*\})?",
    re.DOTALL,
)
_PAYLOAD_KEYS = {
    "inform": {"cohort", "major", "program", "faq", "passage", "topic", "choice"},
    "feedback_good": {"answer_id"},
    "feedback_bad": {"answer_id"},
}
_PAYLOAD_VALUE = re.compile(r"[\w.:#/@-]{1,200}")


class BadRequest(Exception):
    """The request is not one that a page of ours sends; the message says why, for its developer."""


@dataclass(frozen=True)
class Typed:
    """What a student typed, clean; only ever text. May be empty, or longer than is read (`too_long`)."""

    text: str
    too_long: bool = False


@dataclass(frozen=True)
class Pressed:
    """The payload of a button that our own actions sent."""

    payload: str


def typed(text: str) -> Typed:
    """`text` as it may go to Rasa, which takes a leading "/" for a command: typed, it is none."""
    if len(text) > 4 * MAX_MESSAGE_CHARS:
        return Typed("", too_long=True)
    safe = _COMMAND.sub("", clean(text, MAX_MESSAGE_CHARS + 1))
    return Typed("", too_long=True) if len(safe) > MAX_MESSAGE_CHARS else Typed(safe)


def pressed(payload: str) -> Union[Typed, Pressed]:
    """A button's payload; one that does not begin with "/" is a question to ask as if typed.

    Raises:
        BadRequest: when it is not of a form that our actions send.
    """
    if not payload.startswith("/"):
        return typed(payload)
    found = _PAYLOAD.fullmatch(payload) if len(payload) <= 1_000 else None
    if found is None:
        raise BadRequest("unknown payload")
    if found["data"] is None:
        return Pressed(payload)
    try:
        data = json.loads(found["data"])
    except ValueError as error:
        raise BadRequest("the payload's data is not JSON") from error
    allowed = _PAYLOAD_KEYS.get(found["intent"], set())
    if not set(data) <= allowed or not all(
        isinstance(value, str) and _PAYLOAD_VALUE.fullmatch(value) for value in data.values()
    ):
        raise BadRequest("the payload's data is not what a button carries")
    return Pressed(f"/{found['intent']}{json.dumps(data)}")


@dataclass(frozen=True)
class Turn:
    """A valid request."""

    sender: str
    content: Union[Typed, Pressed]


def parse(body: bytes) -> Turn:
    """The turn that a request's body asks for.

    Raises:
        BadRequest: when the body is not of the channel's form.
    """
    if len(body) > MAX_BODY_BYTES:
        raise BadRequest("the body is too large")
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadRequest("the body is not JSON") from error
    if not isinstance(data, dict):
        raise BadRequest("the body is not a JSON object")
    sender, message, payload = data.get("sender"), data.get("message"), data.get("payload")
    if not isinstance(sender, str) or not _SENDER.fullmatch(sender):
        raise BadRequest("`sender` must be 1-128 letters, digits or _ . : @ -")
    if isinstance(payload, str) and message is None:
        return Turn(sender, pressed(payload))
    if isinstance(message, str) and payload is None:
        return Turn(sender, typed(message))
    raise BadRequest("exactly one of `message` and `payload` must be given, as a string")


class WebOutput(CollectingOutputChannel):
    """Collects a turn's messages. Text, buttons and sources of one message stay together, blank lines and all."""

    @classmethod
    def name(cls) -> Text:
        """The channel's name, for responses written for it."""
        return WebChannel.name()

    async def send_response(self, recipient_id: Text, message: Dict[Text, Any]) -> None:
        """Takes one message as it is."""
        kept = {key: message.get(key) for key in ("text", "image", "buttons", "attachment", "custom")}
        # What is always offered ("I don't know", "an advisor") comes after what this turn offers.
        kept["buttons"] = sorted(kept["buttons"] or [], key=lambda button: button["payload"] in ALWAYS_OFFERED)
        if any(kept.values()):
            await self._persist_message(
                {"recipient_id": recipient_id, **{key: value for key, value in kept.items() if value}}
            )


class WebChannel(InputChannel):
    """Rasa's side of the website's chat."""

    @classmethod
    def name(cls) -> Text:
        """The name in the address: /webhooks/web/webhook."""
        return "web"

    def blueprint(self, on_new_message: Callable[[UserMessage], Awaitable[Any]]) -> Blueprint:
        """The routes: GET / for health (503 while no model is loaded), POST /webhook for a turn."""
        routes = Blueprint("web_channel")

        @routes.get("/")
        async def health(request: Request) -> HTTPResponse:
            ready = _agent(request) is not None
            return response.json({"status": "ok" if ready else "no model"}, status=200 if ready else 503)

        @routes.post("/webhook")
        async def webhook(request: Request) -> HTTPResponse:
            agent = _agent(request)
            if agent is None:
                return response.json({"error": "no model is loaded"}, status=503)
            try:
                turn = parse(request.body)
            except BadRequest as error:
                return response.json({"error": str(error)}, status=400)
            return response.json(await self._answer(turn, agent))

        return routes

    async def _answer(self, turn: Turn, agent: Agent) -> List[Dict[Text, Any]]:
        content = turn.content
        if isinstance(content, Typed) and content.too_long:
            return await _say("utter_too_long", turn.sender, agent)
        text = content.text if isinstance(content, Typed) else content.payload
        if not text:
            return await _say("utter_empty_message", turn.sender, agent)

        def message() -> UserMessage:
            return UserMessage(text, WebOutput(), turn.sender, input_channel=self.name())

        try:
            said = await asyncio.wait_for(take_turn(agent, message), TURN_TIMEOUT_S)
        except Exception:  # whatever it was, the student gets a sentence and the log the traceback
            logger.exception("A turn failed.")
            return await _say("utter_apology", turn.sender, agent)
        if not said.messages:
            return await _say("utter_apology", turn.sender, agent)
        apology = await _say("utter_healed", turn.sender, agent) if said.healed else []
        return [*apology, *said.messages]


def _agent(request: Request) -> Optional[Agent]:
    agent: Optional[Agent] = getattr(request.app.ctx, "agent", None)
    return agent if agent is not None and agent.is_ready() else None


async def _say(name: str, sender: str, agent: Agent) -> List[Dict[Text, Any]]:
    """A response of the domain, outside of any turn; nothing when the model's domain does not have it."""
    assert agent.processor is not None and agent.domain is not None
    # What is known of the student decides on the language, where a response has variations for it.
    tracker = await agent.tracker_store.retrieve(sender) or DialogueStateTracker(sender, agent.domain.slots)
    message = await agent.processor.nlg.generate(name, tracker, WebChannel.name())
    return [{"recipient_id": sender, "text": message["text"]}] if message and message.get("text") else []
