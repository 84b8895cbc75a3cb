"""Run one turn of a conversation through Rasa, and repair the conversation when a turn fails.

Rasa gives a turn at most ten actions (its circuit breaker). A turn that needs more, or that a crash interrupts, leaves
a conversation whose last action is not `action_listen`; Rasa then ignores every later message. This module appends the
missing `action_listen` and runs a message that got no reply a second time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from rasa.core.agent import Agent
from rasa.core.channels.channel import CollectingOutputChannel, UserMessage
from rasa.shared.core.constants import ACTION_LISTEN_NAME
from rasa.shared.core.events import (
    ActionExecuted,
    ActiveLoop,
    BotUttered,
    Event,
    SlotSet,
    UserUttered,
)
from rasa.shared.core.trackers import DialogueStateTracker
from sqlalchemy.exc import SQLAlchemyError

from server import action_result
from server.action_server import wait_until_ready
from server.history_window import KEPT_SLOTS
from server.tracker_store import without_fallback

logger = logging.getLogger(__name__)

action_result.install()

TRIES = 2
"""Attempts at a message before the bot apologises."""

LOCK_POLL_S = 0.05
"""Seconds between two attempts to take the conversation's lock."""

LOCK_LIFETIME_S = 120.0
"""Seconds; longer than both tries take, so that no other turn of the conversation begins before."""


@dataclass(frozen=True)
class TurnResult:
    """The replies to a message; none when both tries failed.

    `healed` is True when the conversation had to be repaired; the caller then apologises first. `stored` is False when
    the last try failed because the conversation could not be read or stored; then there are no replies: "I have noted
    it" would not be true.
    """

    messages: Sequence[dict[str, Any]]
    healed: bool
    stored: bool = True


async def execute_turn(agent: Agent, message: Callable[[], UserMessage]) -> TurnResult:
    """Run a message through Rasa, a second time when the first try gets no reply: when the action server is there.

    `message` makes the message with a new collecting output channel for each try, so that the replies of a failed try
    are dropped. The tracker of a failed try is not saved. A message whose id the conversation has had already is not
    run: its replies, which the front door never got, are returned again.
    """
    healed = False
    endless = False
    stored = True
    without_fallback(agent)
    async with agent.lock_store.lock(message().sender_id, LOCK_LIFETIME_S, LOCK_POLL_S):
        for tries_left in reversed(range(TRIES)):
            taken, processor = message(), agent.processor
            output = taken.output_channel
            assert isinstance(output, CollectingOutputChannel)
            assert processor is not None
            try:
                tracker = await processor.fetch_tracker_and_update_session(
                    taken.sender_id, output, taken.metadata
                )
                if (said := replies_before(tracker, taken.message_id)) is not None:
                    for reply in said:
                        await output.send_response(taken.sender_id, reply.message())
                    return TurnResult(output.messages, healed=False)
                if not is_listening(tracker):
                    logger.warning("A turn had been cut off; its conversation listens again.")
                    resume_listening(tracker)
                    healed = True
                if endless:
                    abandon_turn(tracker)
                # From here on as in `MessageProcessor.handle_message`.
                await processor._handle_message_with_tracker(taken, tracker)
                tracker = await processor.run_action_extract_slots(output, tracker)
                await processor._run_prediction_loop(output, tracker)
                if endless := not is_listening(tracker):
                    logger.warning("A turn did not end.")
                    abandon_turn(tracker)
                answered = output.messages and not endless
                if answered or not tries_left:
                    await processor.save_tracker(tracker)
                if answered:
                    return TurnResult(output.messages, healed)
                stored = True
            except SQLAlchemyError as error:
                # Neither the statement nor its values, which are the student's words.
                logger.error("A conversation could not be read or stored: %s.", getattr(error, "orig", error))
                stored = False
            except Exception:
                logger.exception("A turn broke off.")
                stored = True
            healed = True
            if tries_left:
                await wait_until_ready(agent.action_endpoint)
    return TurnResult((), healed, stored)


def replies_before(tracker: DialogueStateTracker, message_id: str) -> Sequence[BotUttered] | None:
    """Return what the bot has said to the message with this id; None when the conversation has not had it, or it had
    no reply."""
    of_turn: list[BotUttered] = []
    for event in reversed(tracker.events):
        if isinstance(event, BotUttered):
            of_turn.append(event)
        elif isinstance(event, UserUttered):
            if event.message_id == message_id:
                return of_turn[::-1] or None
            of_turn = []
    return None


def is_listening(tracker: DialogueStateTracker) -> bool:
    """Return whether a conversation waits for the student: its last action is `action_listen`, or it is new."""
    return tracker.latest_action_name in (None, ACTION_LISTEN_NAME)


def resume_listening(tracker: DialogueStateTracker) -> None:
    """End an interrupted turn: restore form and slots to their values before it, except `KEPT_SLOTS`."""
    of_turn = list(takewhile(lambda event: not _is_listen(event), reversed(tracker.events)))
    if any(isinstance(event, UserUttered) for event in of_turn):
        # `UserUtteranceReverted` would not do: within a form it undoes the form's other turns too.
        events = list(tracker.events)[: -len(of_turn)]
        before = DialogueStateTracker.from_events(tracker.sender_id, events, tracker.slots.values())
        if tracker.active_loop_name != before.active_loop_name:
            tracker.update(ActiveLoop(before.active_loop_name))
        for name, value in before.current_slot_values().items():
            if name not in KEPT_SLOTS and tracker.get_slot(name) != value:
                tracker.update(SlotSet(name, value))
    tracker.update(ActionExecuted(ACTION_LISTEN_NAME))


def abandon_turn(tracker: DialogueStateTracker) -> None:
    """End the active form and reset every slot except `KEPT_SLOTS`.

    Used for a turn that hit the circuit breaker: with the same form and slots it would hit it again.
    """
    if tracker.active_loop_name is not None:
        tracker.update(ActiveLoop(None))
    for name, slot in list(tracker.slots.items()):
        if name not in KEPT_SLOTS and slot.value != slot.initial_value:
            tracker.update(SlotSet(name, slot.initial_value))
    tracker.update(ActionExecuted(ACTION_LISTEN_NAME))


def _is_listen(event: Event) -> bool:
    return isinstance(event, ActionExecuted) and event.action_name == ACTION_LISTEN_NAME
