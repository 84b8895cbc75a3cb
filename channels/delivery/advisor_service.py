"""The advisors' operations on conversations that were handed over to a person."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from typing import Any

from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.draft import Draft
from channels.delivery.message import ADVISOR, BOT, Message
from channels.delivery.platform import RefusedError
from channels.delivery.turn_handler import TurnHandler

STATUSES = ("waiting", "taken", "closed")
MOST_LISTED = 500
MOST_MESSAGES = 500
MOST_NOTES = 200

_SHOWN = (
    *("id", "channel", "sender", "status", "topic", "office", "question", "opened_at", "expected_at"),
    *("taken_by", "taken_at", "closed_by", "closed_at", "last_at", "quiet"),
)


class AdvisorServiceError(Exception):
    """An operation is not possible. `code`: not_found, closed, taken, window or bad_request."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class AdvisorService:
    """List, read, take, answer, hand on and give back conversations. Times are seconds since 1970.

    `reply_until` is when the platform lets advisors' messages through no longer, unless the student writes again, and
    `reply_free_until` when it begins to charge for them; None without such a limit.
    """

    def __init__(self, delivery: DeliveryWorker, turn_handler: TurnHandler) -> None:
        self._delivery = delivery
        self._turn_handler = turn_handler
        self._store = delivery.store
        self._run = delivery.run

    async def list(self, status: str) -> builtins.list[dict[str, Any]]:
        """Return the conversations of a status, or `all`, the longest-waiting first, closed ones last.

        Raises AdvisorServiceError.
        """
        if status != "all" and status not in STATUSES:
            raise AdvisorServiceError("bad_request", f"`status` must be one of {', '.join(STATUSES)} or all")
        wanted = STATUSES if status == "all" else (status,)
        found = await self._delivery.read(self._store.hand_overs.with_status, wanted, MOST_LISTED)
        return [self._shown(each) for each in found]

    async def read(self, conversation: int) -> dict[str, Any]:
        """Return a conversation with its messages, notes and undelivered calls. Raises AdvisorServiceError."""
        found = await self._found(conversation)
        of = (found["channel"], found["sender"])
        messages = await self._delivery.history(*of, None, MOST_MESSAGES)
        # In this order: a call that fails between the two reads is undelivered, rather than in neither list.
        on_its_way = await self._delivery.read(self._store.replies.on_its_way, *of)
        undelivered = await self._delivery.read(self._store.replies.undelivered, *of)
        return {
            **self._shown(found),
            "messages": [each.as_json() for each in messages],
            "notes": await self._delivery.read(self._store.notes.of, *of, MOST_NOTES),
            "undelivered": undelivered,
            "on_its_way": on_its_way,
        }

    async def take(self, conversation: int, by: str) -> dict[str, Any]:
        """Assign the conversation to the advisor `by` and notify the student. Raises AdvisorServiceError."""
        found = await self._found(conversation)
        if found["status"] == "closed":
            raise AdvisorServiceError("closed", "the conversation is back with the bot")
        if found["status"] == "taken" and found["taken_by"] != by:
            raise AdvisorServiceError("taken", f"{found['taken_by']} has taken the conversation")
        now = self._delivery.now()
        values = {"status": "taken", "taken_by": by, "taken_at": now, "last_at": now, "quiet": True}
        if found["status"] == "waiting":
            if not await self._run(self._store.hand_overs.change, conversation, ("waiting",), **values):
                raise AdvisorServiceError("taken", "somebody else was quicker")
            await self._notice(found, "utter_advisor_joined", name=by)
        return self._shown(await self._found(conversation))

    async def reply(self, conversation: int, by: str, text: str) -> dict[str, Any]:
        """Send an advisor's message to the student; takes the conversation when nobody has.

        The student's channel delivers it by its own rules; `undelivered` lists the calls that failed.

        Raises:
            AdvisorServiceError: when the conversation is closed or taken by somebody else.
        """
        found = await self.take(conversation, by)
        last = {"last_at": self._delivery.now(), "quiet": True}
        await self._run(self._store.hand_overs.change, conversation, ("taken",), **last)
        try:
            draft = Draft(text, ADVISOR, by, act="hand_over", facts=await self._facts(found))
            said = await self._delivery.say(found["channel"], found["sender"], [draft])
        except RefusedError as refused:
            raise AdvisorServiceError("bad_request", str(refused)) from refused
        return {"message": said[0].id}

    async def preview(self, conversation: int, by: str, text: str) -> dict[str, Any]:
        """Return the texts of the messages that `reply` would send, in order. Raises AdvisorServiceError."""
        found = await self._found(conversation)
        message = Message(text, ADVISOR, by=by, act="hand_over", facts=await self._facts(found))
        try:
            return {"messages": list(self._delivery.preview(found["channel"], message))}
        except RefusedError as refused:
            raise AdvisorServiceError("bad_request", str(refused)) from refused

    async def previews(self, text: str, citations: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Return an answer of the bot with its sources as the messages of each channel that is set up, in order."""
        message = Message(text, BOT, citations=tuple(citations), act="answer")
        return {"channels": {name: list(shown) for name, shown in self._delivery.previews(message).items()}}

    async def note(self, conversation: int, by: str, text: str) -> dict[str, Any]:
        """Store a note for the other advisors; the student never gets it. Raises AdvisorServiceError."""
        note = await self._run(self._store.notes.add, conversation, by, text)
        if note is None:
            raise self._unknown(conversation)
        return {"note": note}

    async def hand_on(
        self,
        conversation: int,
        by: str,
        *,
        taken_by: str = "",
        to: str = "",
        office: str = "",
        text: str = "",
    ) -> dict[str, Any]:
        """Hand a conversation on to the advisor `to` or to an office, where it waits, and tell the student.

        `taken_by` is who has it, as `by` has seen it: who has taken it meanwhile keeps it. `text` is a note to the next
        one. Raises AdvisorServiceError.
        """
        found = await self._found(conversation)
        if found["status"] == "closed":
            raise AdvisorServiceError("closed", "the conversation is back with the bot")
        if bool(to) == bool(office):
            raise AdvisorServiceError("bad_request", "name either an advisor in `to`, or an `office`")
        if to and taken_by == to:
            raise AdvisorServiceError("bad_request", f"{to} has the conversation already")
        now = self._delivery.now()
        values: dict[str, Any] = (
            {"status": "taken", "taken_by": to, "taken_at": now, "quiet": True}
            if to
            else {"status": "waiting", "taken_by": "", "taken_at": None, "office": office}
        )
        if not await self._run(
            self._store.hand_overs.hand_on, conversation, taken_by, by, text, **values, last_at=now
        ):
            raise AdvisorServiceError("taken", "somebody else was quicker")
        if to:
            # The advisor that it is handed on to has not seen it yet.
            said = "utter_advisor_joined" if to == by else "utter_advisor_assigned"
            await self._notice(found, said, name=to)
        else:
            await self._notice(found, "utter_office_assigned", name=office)
        return self._shown(await self._found(conversation))

    async def answer_later(
        self,
        channel: str,
        sender: str,
        by: str,
        text: str,
        citations: Sequence[Mapping[str, Any]] = (),
    ) -> dict[str, Any]:
        """Send the answer to a question that the bot could not answer, in whatever state the conversation is.

        `citations` are its sources, as in `Message`.

        Raises AdvisorServiceError: `not_found` for a student who never wrote here or has erased all, `window` when the
        platform lets no message through until the student writes again.
        """
        address, heard_at = await self._delivery.read(self._store.replies.outgoing, channel, sender)
        if not address and not heard_at:
            raise AdvisorServiceError("not_found", "there is no such student")
        window = self._delivery.reply_window(channel)
        if window is not None and heard_at + window.open_s < self._delivery.now():
            raise AdvisorServiceError(
                "window", "the platform lets no message through until the student writes"
            )
        facts = {"language": await self._turn_handler.language(channel, sender)}
        try:
            draft = Draft(text, ADVISOR, by, "answer", citations=tuple(citations), facts=facts)
            said = await self._delivery.say(channel, sender, [draft])
        except RefusedError as refused:
            raise AdvisorServiceError("bad_request", str(refused)) from refused
        return {"message": said[0].id}

    async def give_back(self, conversation: int, by: str) -> dict[str, Any]:
        """Give the conversation back to the bot and notify the student. Raises AdvisorServiceError."""
        found = await self._found(conversation)
        if not await self._run(self._store.hand_overs.close, conversation, by):
            raise AdvisorServiceError("closed", "the conversation is back with the bot already")
        await self._notice(found, "utter_advisor_left")
        return self._shown(await self._found(conversation))

    async def undelivered(self) -> builtins.list[dict[str, Any]]:
        """Return the calls that could not be delivered, with recipient and reason."""
        return await self._delivery.read(self._store.replies.undelivered)

    async def send_again(self, call: int) -> None:
        """Queue an undelivered call again. Raises AdvisorServiceError."""
        of = await self._run(self._store.replies.send_again, call)
        if of is None:
            raise AdvisorServiceError("not_found", f"there is nothing undelivered with the number {call}")
        self._delivery.kick(*of)

    async def _found(self, conversation: int) -> dict[str, Any]:
        found = await self._delivery.read(self._store.hand_overs.by_id, conversation)
        if found is None:
            raise self._unknown(conversation)
        return found

    def _unknown(self, conversation: int) -> AdvisorServiceError:
        return AdvisorServiceError("not_found", f"there is no conversation with the number {conversation}")

    async def _notice(self, found: Mapping[str, Any], name: str, /, **values: str) -> None:
        channel, sender = found["channel"], found["sender"]
        try:
            await self._delivery.say(
                channel, sender, await self._turn_handler.notice(name, channel, sender, **values)
            )
        except RefusedError as refused:
            raise AdvisorServiceError("bad_request", str(refused)) from refused
        await self._delivery.state_changed(channel, sender)

    async def _facts(self, found: Mapping[str, Any]) -> dict[str, Any]:
        return {"language": await self._turn_handler.language(found["channel"], found["sender"])}

    def _shown(self, found: Mapping[str, Any]) -> dict[str, Any]:
        window, heard_at = self._delivery.reply_window(found["channel"]), found["heard_at"]
        free_s = window.free_s if window else None
        return {
            **{key: found[key] for key in _SHOWN},
            "reply_until": heard_at + window.open_s if window else None,
            "reply_free_until": heard_at + free_s if free_s is not None else None,
        }
