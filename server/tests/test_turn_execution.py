"""Interrupted and endless turns are repaired."""

import asyncio
from types import SimpleNamespace

from rasa.core.channels.channel import UserMessage
from rasa.core.lock_store import InMemoryLockStore
from rasa.shared.core.domain import Domain
from rasa.shared.core.events import (
    ActionExecuted,
    ActiveLoop,
    BotUttered,
    SlotSet,
    UserUttered,
    deserialise_events,
)
from rasa.shared.core.trackers import DialogueStateTracker

from server.bot import Collected
from server.turn_execution import (
    abandon_turn,
    execute_turn,
    is_listening,
    replies_before,
    resume_listening,
)

LISTEN = "action_listen"
DOMAIN = Domain.from_yaml(
    """
    version: "3.1"
    slots:
      profile: {type: text, influence_conversation: false, mappings: [{type: custom}]}
      pending_question: {type: text, influence_conversation: false, mappings: [{type: custom}]}
    forms:
      profile_form: {required_slots: []}
    """
)
AT_REST = [
    ActionExecuted(LISTEN),
    UserUttered("học phí", {"name": "ask"}),
    SlotSet("pending_question", "học phí"),
    ActionExecuted("profile_form"),
    ActiveLoop("profile_form"),
    ActionExecuted(LISTEN),
]
CUT_OFF = [
    UserUttered("k48", {"name": "inform"}),
    SlotSet("profile", "48"),
    ActionExecuted("profile_form"),
    SlotSet("pending_question", None),
    ActiveLoop(None),
]


def tracker(*events):
    return DialogueStateTracker.from_events("student", list(events), DOMAIN.slots, domain=DOMAIN)


def test_a_turn_that_was_cut_off_is_undone_but_for_what_it_learned_of_the_student():
    broken = tracker(*AT_REST, *CUT_OFF)
    assert not is_listening(broken)

    resume_listening(broken)
    for mended in (broken, tracker(*broken.events)):
        assert is_listening(mended)
        assert mended.active_loop_name == "profile_form"
        assert mended.get_slot("pending_question") == "học phí"
        assert mended.get_slot("profile") == "48"


def test_the_turn_before_is_not_undone():
    broken = tracker(*AT_REST, *[ActionExecuted("action_answer")] * 10)
    resume_listening(broken)

    assert is_listening(broken)
    assert broken.get_slot("pending_question") == "học phí"
    assert [event.text for event in broken.applied_events() if isinstance(event, UserUttered)] == ["học phí"]


def test_what_does_not_end_is_let_go_and_the_student_is_not_forgotten():
    endless = tracker(*AT_REST, SlotSet("profile", "48"), *[ActionExecuted("action_answer")] * 10)
    abandon_turn(endless)

    assert is_listening(endless)
    assert endless.active_loop_name is None
    assert endless.get_slot("pending_question") is None
    assert endless.get_slot("profile") == "48"


def turn(message_id, *said):
    return [
        UserUttered("học phí", {"name": "ask"}, message_id=message_id),
        ActionExecuted("action_answer"),
        *(BotUttered(text, {"custom": {"type": "answer"}}) for text in said),
        ActionExecuted(LISTEN),
    ]


def test_the_replies_to_a_message_are_found_by_its_id():
    had = tracker(*turn("1@a", "một", "hai"), *turn("2@b", "ba"))
    stored = deserialise_events([event.as_dict() for event in had.events])
    for conversation in (had, tracker(*stored)):
        assert [reply.text for reply in replies_before(conversation, "1@a")] == ["một", "hai"]
        assert replies_before(conversation, "2@b")[0].message()["custom"] == {"type": "answer"}
        assert replies_before(conversation, "3@c") is None


def test_a_message_without_a_reply_is_run_again():
    assert replies_before(tracker(*turn("1@a", "một"), *turn("2@b")), "2@b") is None


class Processor:
    """Says a number that grows with every run of a turn."""

    def __init__(self):
        self.runs = 0
        self.kept = None

    async def fetch_tracker_and_update_session(self, *_args):
        return tracker(*(self.kept.events if self.kept else ()))

    async def _handle_message_with_tracker(self, message, conversation):
        conversation.update(UserUttered(message.text, {"name": "ask"}, message_id=message.message_id))

    async def run_action_extract_slots(self, _output, conversation):
        return conversation

    async def _run_prediction_loop(self, output, conversation):
        self.runs += 1
        said = BotUttered(f"run {self.runs}", {"buttons": [{"title": "Có", "payload": "/affirm"}]})
        conversation.update(said)
        await output.send_response("an", said.message())
        conversation.update(ActionExecuted(LISTEN))

    async def save_tracker(self, conversation):
        self.kept = conversation


def test_a_turn_whose_replies_got_lost_is_answered_the_same_again_and_run_once():
    processor = Processor()
    agent = SimpleNamespace(lock_store=InMemoryLockStore(), processor=processor, tracker_store=None)

    def replies(message_id):
        def message():
            return UserMessage("học phí", Collected("web"), "an", message_id=message_id)

        return asyncio.run(execute_turn(agent, message))

    first, again, other = (replies(each) for each in ("1@a", "1@a", "2@b"))

    assert first.messages[0]["text"] == "run 1"
    assert again == first
    assert other.messages[0]["text"] == "run 2"
    assert [event.message_id for event in processor.kept.events if isinstance(event, UserUttered)] == [
        "1@a",
        "2@b",
    ]


def test_a_conversation_at_rest_or_not_begun_listens():
    assert is_listening(tracker())
    assert is_listening(tracker(*AT_REST))
    assert not is_listening(tracker(*AT_REST, ActionExecuted("action_answer")))
