"""Answer a turn: by the bot, by the channels' own menu, or not at all while an advisor replies."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.draft import ERASE, HAND_OVER, Draft, custom_of_type, drafts
from channels.delivery.incoming import ButtonPress, Content, MenuCommand, Rating, TextInput, UnreadableInput
from channels.delivery.message import NOTICE, STUDENT
from channels.delivery.opening_hours import OpeningHours
from channels.delivery.option_rows import BAD, GOOD, ChosenOption
from channels.delivery.telling import tells
from channels.delivery.time_phrase import time_phrase
from channels.delivery.typed_choice import typed_choice
from channels.delivery.work_queue import QueuedTurn
from channels.rasa_client import RasaClient, Replies, Turn
from vietnamese.distress import distress
from vietnamese.erasure_answer import consents, refuses
from vietnamese.small_talk import SmallTalk, small_talk
from vietnamese.text import words

logger = logging.getLogger(__name__)

BACK_TO_BOT, FORGET_ALL, KEEP_ALL, REASON = "!back_to_bot", "!forget_all", "!keep_all", "!reason:"

TO_BOT: Mapping[str, str] = {
    "start": "/greet",
    "profile": "/show_profile",
    "forget": "/erase_all",
    "advisor": "/ask_advisor",
}
"""Menu commands that Rasa handles as intents. Rasa asks before all is erased, so that it knows what "yes" answers."""

TYPED_COMMANDS: Mapping[str, str] = {"/xoa": "forget", "/forget": "forget"}
"""Commands that mean the same on every channel, also where the platform has no commands."""

ERASING = "forget_profile"
"""The intent of "xóa dữ liệu của em"."""

MOST_WORDS_OF_A_WISH = 14
"""A longer message to an advisor tells more than the wish to be forgotten."""

LANGUAGES = ("vi", "en")

CALLS = (SmallTalk.GREETING, SmallTalk.ACKNOWLEDGEMENT, SmallTalk.TEST)
"""Small talk that is meant for the person who was asked for: "alo có ai không"."""

STILL_TALKING_S = 15 * 60.0
"""Seconds; an advisor who wrote within this time counts as at work outside of the opening hours."""

_NOTICES = {"waiting": "utter_advisor_expected", "taken": "utter_advisor_away"}
"""The response that announces the next opening to a student, by the status of the hand-over."""


class TurnHandler:
    """Answers turns for a `DeliveryWorker` (see `channels.delivery.delivery_worker.TurnAnswerer`)."""

    def __init__(self, rasa: RasaClient, delivery: DeliveryWorker) -> None:
        self._rasa = rasa
        self._delivery = delivery
        self._run = delivery.run
        self._store = delivery.store

    @property
    def ready(self) -> bool:
        """Return whether a Rasa process with a model is there."""
        return self._rasa.ready

    # --- a turn -----------------------------------------------------------------------------------------------------

    async def answer(
        self, channel: str, sender: str, turn: QueuedTurn, typing: Callable[[], None]
    ) -> Sequence[Draft]:
        """Return the reply to a turn; calls `typing` when Rasa begins with it."""
        content = _command_of(turn.content)
        chosen: ChosenOption | None = None
        if isinstance(content, ButtonPress):
            chosen = await self._delivery.read(
                self._store.conversations.chosen, channel, sender, content.option
            )
            if chosen is None:
                return await self.notice("utter_button_expired", channel, sender)
        with_advisor = await self._delivery.read(self._store.hand_overs.open_of, channel, sender)
        if isinstance(content, TextInput):
            chosen = await self._typed_choice(channel, sender, turn, content.text, with_advisor)
        own = await self._own(channel, sender, content, chosen)
        if own is not None:
            return own
        if with_advisor is not None and with_advisor["quiet"] and not self._is_for_bot(content, with_advisor):
            return await self._of_advisor(channel, sender, turn, content, with_advisor)
        if isinstance(content, UnreadableInput):
            return await self.notice("utter_text_only", channel, sender)
        # The id alone would begin anew with a new database, while Rasa's is kept.
        of_rasa = Turn(f"{turn.id}@{turn.at:.6f}", self._delivery.origins.of(channel, sender), typing)
        said = await self._of_bot(channel, sender, turn, content, chosen, of_rasa)
        if chosen is not None and isinstance(content, TextInput):
            # The page marks the button, as if it had been pressed.
            used = {"used_on": chosen.said_id, "used": chosen.title}
            said = [replace(each, facts={**each.facts, **used}) for each in said]
        elif (
            with_advisor is not None and isinstance(content, TextInput) and is_for_advisor(content.text, said)
        ):
            said = await self._added(channel, sender, turn, with_advisor)
        return said

    async def apology(self, channel: str, sender: str) -> Sequence[Draft]:
        """Return the reply to a turn that failed."""
        return await self.notice("utter_apology", channel, sender)

    async def too_fast(self, channel: str, sender: str) -> Sequence[Draft]:
        """Return the reply to a sender over the rate limit."""
        return await self.notice("utter_too_fast", channel, sender)

    @staticmethod
    def _is_for_bot(content: Content, with_advisor: Mapping[str, Any]) -> bool:
        """Return whether the bot replies although it is quiet: to its menu, and to distress that nobody reads yet."""
        if isinstance(content, MenuCommand):
            return content.command != "forget"
        in_distress = isinstance(content, TextInput) and distress(content.text)
        return in_distress and with_advisor["status"] == "waiting"

    async def _typed_choice(
        self, channel: str, sender: str, turn: QueuedTurn, text: str, with_advisor: Mapping[str, Any] | None
    ) -> ChosenOption | None:
        if turn.said_id is None:
            return None
        offered = await self._delivery.read(self._store.conversations.offered, channel, sender, turn.said_id)
        quiet = with_advisor is not None and with_advisor["quiet"]
        return typed_choice(text, offered, by_title_only=quiet)

    async def _of_bot(
        self,
        channel: str,
        sender: str,
        turn: QueuedTurn,
        content: Content,
        chosen: ChosenOption | None,
        of_rasa: Turn,
    ) -> Sequence[Draft]:
        replies = await self._turn(channel, sender, content, chosen, of_rasa)
        if custom_of_type(replies.messages, ERASE) is not None:
            # Rasa does not know what an advisor has said since it asked.
            asked = await self._is_asked_to_erase(channel, sender, turn)
            return await (self.forget if asked else self._ask_to_erase)(channel, sender)
        made = drafts(replies.messages, replies.language)
        request = custom_of_type(replies.messages, HAND_OVER)
        return made if request is None else (*made, *await self._hand_over(channel, sender, request))

    async def _turn(
        self, channel: str, sender: str, content: Content, chosen: ChosenOption | None, turn: Turn
    ) -> Replies:
        whole = rasa_sender(channel, sender)
        if chosen is not None:
            return await self._rasa.payload_turn(whole, channel, chosen.payload, turn=turn)
        if isinstance(content, MenuCommand):
            payload = await self._payload(channel, sender, content.command)
            return await self._rasa.payload_turn(whole, channel, payload, turn=turn)
        assert isinstance(content, TextInput)
        return await self._rasa.text_turn(whole, channel, content.text, turn=turn)

    async def _payload(self, channel: str, sender: str, command: str) -> str:
        """Return the payload of a menu command; the greeting carries the language the channel was set to."""
        payload = TO_BOT[command]
        if command != "start":
            return payload
        address, _ = await self._delivery.read(self._store.replies.outgoing, channel, sender)
        spoken = address.get("language")
        return payload + json.dumps({"language": spoken}) if spoken in LANGUAGES else payload

    # --- the channel's own ------------------------------------------------------------------------------------------

    async def _own(
        self, channel: str, sender: str, content: Content, chosen: ChosenOption | None
    ) -> Sequence[Draft] | None:
        """Return the reply to input that the channels handle themselves; None for input to the bot."""
        if isinstance(content, Rating):
            await self._rate(channel, sender, content.message, content.good, content.reason)
            return ()
        if isinstance(content, MenuCommand):
            if content.command == "help":
                return await self.notice("utter_help", channel, sender)
            if content.command == "back_to_bot":
                return await self.back_to_bot(channel, sender)
            return None
        if chosen is None or not chosen.payload.startswith("!"):
            return None
        return await self._own_button(channel, sender, chosen)

    async def _own_button(  # noqa: PLR0911 one for each payload
        self, channel: str, sender: str, chosen: ChosenOption
    ) -> Sequence[Draft]:
        payload = chosen.payload
        if payload == GOOD:
            await self._rate(channel, sender, chosen.said_id, True, "")
            return await self.notice("utter_feedback_good", channel, sender)
        if payload == BAD:
            await self._rate(channel, sender, chosen.said_id, False, "")
            return [
                # A reason rates the answer, so its button carries the answer's id.
                replace(
                    each,
                    buttons=tuple((title, f"{reason}@{chosen.said_id}") for title, reason in each.buttons),
                )
                for each in await self.notice("utter_feedback_why", channel, sender)
            ]
        if payload.startswith(REASON):
            reason, _, about = payload[len(REASON) :].partition("@")
            await self._rate(channel, sender, int(about or 0), None, reason)
            return await self.notice("utter_feedback_bad", channel, sender)
        if payload == FORGET_ALL:
            return await self.forget(channel, sender)
        if payload == KEEP_ALL:
            # Rasa must know the answer, or a later "ok" would be taken for it.
            await self._rasa.payload_turn(rasa_sender(channel, sender), channel, "/deny")
            return await self.notice("utter_kept_all", channel, sender)
        if payload == BACK_TO_BOT:
            return await self.back_to_bot(channel, sender)
        logger.error("A button has the payload %s, which nobody knows.", payload)
        return await self.notice("utter_button_expired", channel, sender)

    async def _rate(self, channel: str, sender: str, said_id: int, good: bool | None, reason: str) -> None:
        if not await self._run(self._store.conversations.rate, channel, sender, said_id, good, reason):
            logger.warning("A rating on %s is about no answer of the student's.", channel)

    async def forget(self, channel: str, sender: str) -> Sequence[Draft]:
        """Erase a student's data; the confirmation begins a new conversation."""
        said = await self.notice("utter_forgotten_all", channel, sender)
        address, _ = await self._delivery.read(self._store.replies.outgoing, channel, sender)
        await self._rasa.forget(rasa_sender(channel, sender))
        await self._delivery.erase(channel, sender)
        await self._run(self._store.deletion.remember_address, channel, sender, address)
        await self._delivery.say(channel, sender, said)
        return ()

    async def notice(self, name: str, channel: str, sender: str, /, **values: str) -> Sequence[Draft]:
        """Return a response of the domain as a notice of the channels."""
        replies = await self._rasa.response(name, rasa_sender(channel, sender), channel, values)
        return drafts(replies.messages, replies.language, author=NOTICE)

    async def language(self, channel: str, sender: str) -> str:
        """Return the language the student writes in: vi or en."""
        return await self._rasa.language(rasa_sender(channel, sender))

    async def _ask_to_erase(self, channel: str, sender: str) -> Sequence[Draft]:
        return await self.notice("utter_forget_all_confirm", channel, sender)

    async def _is_asked_to_erase(self, channel: str, sender: str, turn: QueuedTurn) -> bool:
        if turn.said_id is None:
            return False
        asked = self._store.conversations.asked_right_before
        return await self._delivery.read(asked, channel, sender, turn.said_id, FORGET_ALL)

    # --- with an advisor --------------------------------------------------------------------------------------------

    async def _hand_over(self, channel: str, sender: str, request: Mapping[str, Any]) -> Sequence[Draft]:
        hours = _hours(request.get("hours"))
        now = hours.now() if hours is not None else None
        opens = hours.next_open(now) if hours is not None and now is not None else None
        working = hours is None or opens == now
        await self._run(
            self._store.hand_overs.open,
            *(channel, sender, request, working, opens.timestamp() if opens is not None else None),
        )
        await self._delivery.state_changed(channel, sender)
        if hours is None or working:
            return await self.notice("utter_with_advisor", channel, sender)
        return await self._expected(channel, sender, hours)

    async def _expected(
        self, channel: str, sender: str, hours: OpeningHours, status: str = "waiting"
    ) -> Sequence[Draft]:
        """Return the notice of the next opening; nothing when it is beyond `LOOK_AHEAD_DAYS`."""
        now = hours.now()
        if (opens := hours.next_open(now)) is None:
            return ()
        language = await self.language(channel, sender)
        return await self.notice(_NOTICES[status], channel, sender, when=time_phrase(opens, now, language))

    async def _of_advisor(
        self, channel: str, sender: str, turn: QueuedTurn, content: Content, with_advisor: dict[str, Any]
    ) -> Sequence[Draft]:
        """Return the reply to input while an advisor replies.

        The question whether to erase everything is asked and answered here: Rasa takes no part in this conversation,
        and would take a later word for the consent.
        """
        if isinstance(content, MenuCommand):
            return await self._ask_to_erase(channel, sender)
        if isinstance(content, TextInput):
            if await self._is_asked_to_erase(channel, sender, turn):
                if consents(content.text):
                    return await self.forget(channel, sender)
                if refuses(content.text):
                    return await self.notice("utter_kept_all", channel, sender)
            elif await self._wants_to_erase(channel, sender, content.text):
                noted = await self._noted(channel, sender, with_advisor, content)
                return (*noted, *await self._ask_to_erase(channel, sender))
        return await self._noted(channel, sender, with_advisor, content)

    async def _wants_to_erase(self, channel: str, sender: str, text: str) -> bool:
        short = len(words(text)) <= MOST_WORDS_OF_A_WISH
        return short and await self._rasa.intent(rasa_sender(channel, sender), text) == ERASING

    async def _noted(
        self, channel: str, sender: str, with_advisor: dict[str, Any], content: Content
    ) -> Sequence[Draft]:
        """Leave a message to the advisor; the first one is acknowledged with a notice."""
        waiting = with_advisor["status"] == "waiting"
        first = waiting and not with_advisor["noted"]
        await self._leave(with_advisor, **({"noted": True} if first else {}))
        if isinstance(content, UnreadableInput):
            return await self.notice("utter_text_only", channel, sender)
        return await self.notice("utter_advisor_noted", channel, sender) if first else ()

    async def _added(
        self, channel: str, sender: str, turn: QueuedTurn, with_advisor: Mapping[str, Any]
    ) -> Sequence[Draft]:
        """Leave a message to the advisor who will come; each is acknowledged, since the bot replies to others."""
        await self._leave(with_advisor)
        await self._run(self._store.work.pass_on, channel, sender, turn.id)
        return await self.notice("utter_added_for_advisor", channel, sender)

    async def _leave(self, with_advisor: Mapping[str, Any], **values: Any) -> None:
        change, still_open = self._store.hand_overs.change, ("waiting", "taken")
        await self._run(change, with_advisor["id"], still_open, last_at=self._delivery.now(), **values)

    async def back_to_bot(self, channel: str, sender: str) -> Sequence[Draft]:
        """Close the hand-over at the student's request."""
        found = await self._delivery.read(self._store.hand_overs.open_of, channel, sender)
        if found is not None:
            await self._run(self._store.hand_overs.close, found["id"], STUDENT)
            await self._delivery.state_changed(channel, sender)
        return await self.notice("utter_back_to_bot", channel, sender)

    async def tick(self, channel: str) -> None:
        """Let the bot reply again when the opening hours end, and announce the next opening."""
        for found in await self._delivery.read(self._store.hand_overs.quiet, channel):
            hours = _hours(json.loads(found["hours"]))
            talking = found["status"] == "taken" and self._delivery.now() - found["last_at"] < STILL_TALKING_S
            if hours is None or talking or hours.open(hours.now()):
                continue
            # `end_quiet` succeeds in one process only.
            if await self._run(self._store.hand_overs.end_quiet, found["id"]):
                sender = found["sender"]
                said = await self._expected(channel, sender, hours, found["status"])
                await self._delivery.say(channel, sender, said)
                await self._delivery.state_changed(channel, sender)


def _command_of(content: Content) -> Content:
    """Return the menu command that a student typed; any other content as it is."""
    if isinstance(content, TextInput):
        command = TYPED_COMMANDS.get(content.text.strip().lower())
        return MenuCommand(command) if command else content
    return content


def is_for_advisor(typed: str, said: Sequence[Draft]) -> bool:
    """Return whether the message of a student who waits for an advisor is meant for the advisor.

    The student tells more of the matter, calls for somebody, or asks what the bot cannot answer. `said` is the bot's
    reply; one that leads to a person is given, above all to distress.
    """
    if not said or any(each.act == "hand_over" for each in said):
        return False
    return tells(typed) or small_talk(typed) in CALLS or all(each.act == "no_answer" for each in said)


def rasa_sender(channel: str, sender: str) -> str:
    """Return Rasa's sender id of a student."""
    return f"{channel}:{sender}"


def _hours(stored: Any) -> OpeningHours | None:
    try:
        return OpeningHours.of(stored)
    except (KeyError, TypeError, ValueError, AttributeError):
        logger.exception("The advising hours cannot be read; none are told.")
        return None
