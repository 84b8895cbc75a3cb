"""Ask a question and see that it goes through: Rasa, the action server with its index, the tracker store.

The question belongs to a conversation that is stored nowhere. The front door asks for this every now and then, and
shows it (`/api/health`).
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from rasa.core.agent import Agent
from rasa.core.channels.channel import CollectingOutputChannel, UserMessage
from rasa.shared.core.constants import ACTION_LISTEN_NAME
from rasa.shared.core.events import ActionExecuted
from rasa.shared.core.trackers import DialogueStateTracker

from server import action_server
from server.tracker_store import WindowTrackerStore, without_fallback

logger = logging.getLogger(__name__)

SENDER = "health-check"
QUESTION = "học phí"
"""Any question: the answering engine must look it up, whatever it finds."""

QUESTION_WITHIN_S = 3.0
ACTIONS_WITHIN_S = 1.5
STORE_WITHIN_S = 1.0


async def check(agent: Agent, answering: bool) -> dict[str, Any]:
    """Return what the action server says of itself (`actions`), whether a question got a reply (`question`), what is
    wrong with the tracker store (`store`, empty for nothing), and when that was last tidied (`tidied_at`).

    `answering` says that turns have been answered just now: then a question that takes long is one of many.
    """
    asked = action_server.health(agent.action_endpoint, ACTIONS_WITHIN_S)
    actions, store = await asyncio.gather(asked, _store(agent))
    # Rasa writes a traceback for each action that fails.
    question = actions["status"] == action_server.READY and await _question(agent, answering)
    tidied_at = getattr(without_fallback(agent), "tidied_at", None)
    return {"actions": actions, "question": question, "store": store, "tidied_at": tidied_at}


async def _question(agent: Agent, answering: bool) -> bool:
    try:
        return await asyncio.wait_for(_gets_a_reply(agent), QUESTION_WITHIN_S)
    except asyncio.TimeoutError:
        return answering
    except Exception:
        logger.exception("The question of the health check failed.")
        return False


async def _gets_a_reply(agent: Agent) -> bool:
    processor, domain = agent.processor, agent.domain
    assert processor is not None
    assert domain is not None
    output = CollectingOutputChannel()
    tracker = DialogueStateTracker(SENDER, domain.slots)
    tracker.update(ActionExecuted(ACTION_LISTEN_NAME))
    message = UserMessage(QUESTION, output, SENDER, input_channel=SENDER)
    # As in `server.turn_execution`, but for the end: nothing is saved.
    await processor._handle_message_with_tracker(message, tracker)
    tracker = await processor.run_action_extract_slots(output, tracker)
    await processor._run_prediction_loop(output, tracker)
    return bool(output.messages)


async def _store(agent: Agent) -> str:
    store = without_fallback(agent)
    if not isinstance(store, WindowTrackerStore):
        return "conversations are kept in memory only: the tracker store of endpoints.yml could not be opened"
    # Not in the store's own thread, which may be waiting for the database.
    checking = asyncio.get_running_loop().run_in_executor(None, store.fault, STORE_WITHIN_S)
    try:
        return await asyncio.wait_for(checking, STORE_WITHIN_S + 1.0)
    except asyncio.TimeoutError:
        return "database does not answer"
