"""One turn of a conversation, from a student's message to what is said to it, for every channel.

Rasa gives a turn at most ten actions. A turn that wants more, or one that was cut off, leaves a conversation that does
not listen, and Rasa answers nothing more in it. Here such a conversation is made to listen again, and a message that
was met with silence is taken once more.
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
    Event,
    SlotSet,
    UserUttered,
)
from rasa.shared.core.trackers import DialogueStateTracker

from server.history_window import KEPT_SLOTS

logger = logging.getLogger(__name__)

TRIES = 2
"""How often a message is taken before there is only an apology for it."""

LOCK_POLL_S = 0.05
"""How often a message looks whether the one before it has been answered."""

LOCK_LIFETIME_S = 120.0
"""Longer than both tries take: no other turn of the conversation may begin before."""


@dataclass(frozen=True)
class Said:
    """What is said to a message; nothing when both tries failed. `healed`: not without trouble, which wants an apology."""

    messages: Sequence[dict[str, Any]]
    healed: bool


async def take_turn(agent: Agent, message: Callable[[], UserMessage]) -> Said:
    """Takes a message; when nothing comes of it, once more from where the conversation was before it.

    `message` makes it, with an output channel that collects, anew for each try: what a failed try says is not said, and
    what it does is not kept.
    """
    healed = False
    endless = False
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
                if not listens(tracker):
                    logger.warning("A turn had been cut off; its conversation listens again.")
                    listen_again(tracker)
                    healed = True
                if endless:
                    let_go(tracker)
                # From here on as in `MessageProcessor.handle_message`.
                await processor._handle_message_with_tracker(taken, tracker)
                tracker = await processor.run_action_extract_slots(output, tracker)
                await processor._run_prediction_loop(output, tracker)
                if endless := not listens(tracker):
                    logger.warning("A turn did not end.")
                    let_go(tracker)
                answered = output.messages and not endless
                if answered or not tries_left:
                    await processor.save_tracker(tracker)
                if answered:
                    return Said(output.messages, healed)
            except Exception:
                logger.exception("A turn broke off.")
            healed = True
    return Said((), healed)


def listens(tracker: DialogueStateTracker) -> bool:
    """Whether a conversation waits for the student, as every conversation between two turns should."""
    return tracker.latest_action_name in (None, ACTION_LISTEN_NAME)


def listen_again(tracker: DialogueStateTracker) -> None:
    """Ends a turn that was cut off: what it had begun is undone, what it had learned of the student stays."""
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


def let_go(tracker: DialogueStateTracker) -> None:
    """Ends whatever a turn could not end: the form and all that was pending, so that the same does not happen again.

    What is known of the student stays.
    """
    if tracker.active_loop_name is not None:
        tracker.update(ActiveLoop(None))
    for name, slot in list(tracker.slots.items()):
        if name not in KEPT_SLOTS and slot.value != slot.initial_value:
            tracker.update(SlotSet(name, slot.initial_value))
    tracker.update(ActionExecuted(ACTION_LISTEN_NAME))


def _is_listen(event: Event) -> bool:
    return isinstance(event, ActionExecuted) and event.action_name == ACTION_LISTEN_NAME
