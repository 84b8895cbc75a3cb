"""Interrupted and endless turns are repaired."""

from rasa.shared.core.domain import Domain
from rasa.shared.core.events import ActionExecuted, ActiveLoop, SlotSet, UserUttered
from rasa.shared.core.trackers import DialogueStateTracker

from server.turn_execution import abandon_turn, is_listening, resume_listening

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


def test_a_conversation_at_rest_or_not_begun_listens():
    assert is_listening(tracker())
    assert is_listening(tracker(*AT_REST))
    assert not is_listening(tracker(*AT_REST, ActionExecuted("action_answer")))
