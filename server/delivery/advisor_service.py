"""The advisors' side: which conversations wait for a person, and what a person says in them."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import Any

from server.delivery.delivery_worker import Delivery
from server.delivery.draft import Draft
from server.delivery.message import ADVISOR
from server.delivery.platform import Refused
from server.delivery.turn_handler import Replying

STATUSES = ("waiting", "taken", "closed")
MOST_LISTED = 500
MOST_MESSAGES = 500

_SHOWN = (
    *("id", "channel", "sender", "status", "topic", "office", "question", "opened_at", "expected_at"),
    *("taken_by", "taken_at", "closed_by", "closed_at", "last_at", "quiet"),
)


class DeskError(Exception):
    """What an advisor asked for cannot be done. `code`: not_found, closed, taken or bad_request."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Desk:
    """What advisors can do. Times are seconds since 1970."""

    def __init__(self, delivery: Delivery, replying: Replying) -> None:
        self._delivery = delivery
        self._replying = replying
        self._store = delivery.store
        self._run = delivery.run

    async def list(self, status: str) -> builtins.list[dict[str, Any]]:
        """The conversations of a status, or `all`, those that have waited longest first. Raises DeskError."""
        if status != "all" and status not in STATUSES:
            raise DeskError("bad_request", f"`status` must be one of {', '.join(STATUSES)} or all")
        wanted = STATUSES if status == "all" else (status,)
        found = await self._run(self._store.list_hand_overs, wanted, MOST_LISTED)
        return [_shown(each) for each in found]

    async def read(self, conversation: int) -> dict[str, Any]:
        """A conversation with all that was said in it, and what could not be delivered. Raises DeskError."""
        found = await self._found(conversation)
        of = (found["channel"], found["sender"])
        messages = await self._delivery.history(*of, None, MOST_MESSAGES)
        return {
            **_shown(found),
            "messages": [each.as_json() for each in messages],
            "undelivered": await self._run(self._store.undelivered, *of),
            "on_its_way": await self._run(self._store.on_its_way, *of),
        }

    async def take(self, conversation: int, by: str) -> dict[str, Any]:
        """Makes somebody the one who answers; the student is told. Raises DeskError."""
        found = await self._found(conversation)
        if found["status"] == "closed":
            raise DeskError("closed", "the conversation is back with the bot")
        if found["status"] == "taken" and found["taken_by"] != by:
            raise DeskError("taken", f"{found['taken_by']} has taken the conversation")
        now = self._delivery.now()
        values = {"status": "taken", "taken_by": by, "taken_at": now, "last_at": now, "quiet": True}
        if found["status"] == "waiting":
            if not await self._run(self._store.change_hand_over, conversation, ("waiting",), **values):
                raise DeskError("taken", "somebody else was quicker")
            await self._notice(found, "utter_advisor_joined", name=by)
        return _shown(await self._found(conversation))

    async def reply(self, conversation: int, by: str, text: str) -> dict[str, Any]:
        """Says something to the student, as a person; takes the conversation when nobody has. Raises DeskError.

        It is delivered on the student's channel, by that channel's rules; what cannot be delivered is in `undelivered`.
        """
        found = await self.take(conversation, by)
        last = {"last_at": self._delivery.now(), "quiet": True}
        await self._run(self._store.change_hand_over, conversation, ("taken",), **last)
        try:
            said = await self._delivery.say(
                found["channel"], found["sender"], [Draft(text, ADVISOR, by, facts=await self._facts(found))]
            )
        except Refused as refused:
            raise DeskError("bad_request", str(refused)) from refused
        return {"message": said[0].id}

    async def give_back(self, conversation: int, by: str) -> dict[str, Any]:
        """Gives the conversation back to the bot; the student is told. Raises DeskError."""
        found = await self._found(conversation)
        if not await self._run(self._store.close_hand_over, conversation, by):
            raise DeskError("closed", "the conversation is back with the bot already")
        await self._notice(found, "utter_advisor_left")
        return _shown(await self._found(conversation))

    async def undelivered(self) -> builtins.list[dict[str, Any]]:
        """What could not be delivered, to whom and why."""
        return await self._run(self._store.undelivered)

    async def send_again(self, call: int) -> None:
        """Tries once more to deliver something. Raises DeskError."""
        of = await self._run(self._store.send_again, call)
        if of is None:
            raise DeskError("not_found", f"there is nothing undelivered with the number {call}")
        self._delivery.kick(*of)

    async def _found(self, conversation: int) -> dict[str, Any]:
        found = await self._run(self._store.hand_over_by_id, conversation)
        if found is None:
            raise DeskError("not_found", f"there is no conversation with the number {conversation}")
        return found

    async def _notice(self, found: Mapping[str, Any], name: str, /, **values: str) -> None:
        channel, sender = found["channel"], found["sender"]
        try:
            await self._delivery.say(
                channel, sender, await self._replying.notice(name, channel, sender, **values)
            )
        except Refused as refused:
            raise DeskError("bad_request", str(refused)) from refused
        await self._delivery.state_changed(channel, sender)

    async def _facts(self, found: Mapping[str, Any]) -> dict[str, Any]:
        return {"language": await self._replying.language(found["channel"], found["sender"])}


def _shown(found: Mapping[str, Any]) -> dict[str, Any]:
    return {key: found[key] for key in _SHOWN}
