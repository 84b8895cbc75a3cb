"""A question with a rule is refused or asked back about in its very words; any other question is answered as before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from embedder_stand_in import EmbedderStandIn

from rag.engine import Engine
from rag.index.format import Index
from rag.index.versions import open_index, publish_faq
from rag.ingest.build import build_index
from rag.ingest.faq_update import with_faq
from rag.types import DecisionKind, Matter, QueryRule, Question, Reason, Reply
from school.dimensions import Profile

ANSWERED = "Xin bảng điểm ở đâu?"
CARD = "Mất thẻ sinh viên thì làm lại ở đâu?"

Ruled = Callable[..., Engine]


@pytest.fixture
def ruled(index: Index, small_index: Path, embedder: EmbedderStandIn) -> Ruled:
    """Return a function that makes an engine over the small school with these rules."""

    def make(*rules: QueryRule) -> Engine:
        return Engine.over(with_faq(index, index.faq, embedder, rules), small_index, "covan", embedder)

    return make


def ask(engine: Engine, text: str, *history: Matter, **known: str) -> Reply:
    return engine.reply(Question(text, profile=Profile(known), history=history))


@pytest.mark.parametrize(
    "text", [ANSWERED, "xin bang diem o dau", "ad ơi xin bảng điểm ở đâu vậy ạ", "in bảng điểm chỗ nào"]
)
def test_a_ruled_question_is_refused_in_its_very_words(ruled: Ruled, text: str) -> None:
    assert ask(ruled(), ANSWERED).decision.kind is DecisionKind.ANSWER

    reply = ask(ruled(QueryRule(ANSWERED, ("in bảng điểm chỗ nào",))), text)

    assert (reply.decision.kind, reply.decision.reasons) == (DecisionKind.NO_ANSWER, (Reason.QUERY_RULE,))
    assert reply.trace.notes[-1] == f"the rule for: {ANSWERED}"


def test_other_words_are_answered_as_before(ruled: Ruled) -> None:
    engine = ruled(QueryRule(ANSWERED))

    for text in ("In bảng điểm ở đâu?", CARD):
        assert ask(engine, text).answer_id == ask(ruled(), text).answer_id


def test_each_question_of_a_message_has_its_own_rule(ruled: Ruled) -> None:
    reply = ask(ruled(QueryRule(ANSWERED)), f"{CARD} {ANSWERED}")

    assert [part.decision.kind for part in reply.parts] == [DecisionKind.ANSWER, DecisionKind.NO_ANSWER]


def test_a_rule_for_a_message_with_two_questions_holds_for_the_whole_message(ruled: Ruled) -> None:
    both = f"{CARD} {ANSWERED}"

    reply = ask(ruled(QueryRule(both)), both)

    assert (reply.decision.reasons, reply.parts) == ((Reason.QUERY_RULE,), ())


def test_a_rule_holds_for_its_words_in_capitals_with_their_greeting(ruled: Ruled) -> None:
    greeted = "Em chào cô ạ. Em bị sốt không đi thi được thì làm sao ạ"
    engine = ruled(QueryRule(greeted))

    for text in (greeted, greeted.upper(), greeted.lower()):
        assert ask(engine, text).decision.reasons == (Reason.QUERY_RULE,)


def test_a_rule_asks_for_a_dimension_until_it_is_known(ruled: Ruled) -> None:
    engine = ruled(QueryRule(ANSWERED, dimension="cohort"))

    asked = ask(engine, ANSWERED)
    assert (asked.decision.kind, asked.decision.missing) == (DecisionKind.CLARIFY, ("cohort",))
    assert [option.payload for option in asked.options] == [
        {"cohort": cohort} for cohort in ("49", "48", "47", "46")
    ]
    assert asked.resolved == ANSWERED

    assert ask(engine, ANSWERED, cohort="48").answer_id == "study-transcript"


def test_a_rule_offers_its_entries(ruled: Ruled) -> None:
    engine = ruled(QueryRule("Làm giấy tờ ở đâu?", entries=("study-card", "study-transcript")))

    asked = ask(engine, "làm giấy tờ ở đâu ạ")

    assert asked.decision.kind is DecisionKind.CLARIFY
    assert [option.title for option in asked.options] == [CARD, ANSWERED]
    chosen = engine.reply_to_choice(asked.options[1].payload, Profile({}))
    assert chosen.answer_id == "study-transcript"


def test_a_rule_holds_within_a_conversation_for_words_that_name_a_matter(ruled: Ruled) -> None:
    engine = ruled(QueryRule(ANSWERED), QueryRule("Ở đâu vậy ạ?"))
    before = Matter(CARD, "study-card")

    assert ask(engine, ANSWERED, before).decision.reasons == (Reason.QUERY_RULE,)
    assert ask(engine, "Ở đâu vậy ạ?", before).decision.reasons != (Reason.QUERY_RULE,)


def test_an_index_keeps_its_rules(school: Path, tmp_path: Path, embedder: EmbedderStandIn) -> None:
    rules = "- question: Xin bảng điểm ở đâu?\n  reply: ask_back\n  dimension: cohorts\n"
    (school / "query_rules.yml").write_text(rules, encoding="utf-8")
    build_index(school, tmp_path / "index", embedder)

    built = open_index(tmp_path / "index", embedder)
    assert built.rules == (QueryRule(ANSWERED, dimension="cohort"),)

    publish_faq(with_faq(built, built.faq, embedder, (QueryRule(CARD),)), tmp_path / "index")
    updated = open_index(tmp_path / "index", embedder)
    assert updated.rules == (QueryRule(CARD),)
    assert updated.manifest.version != built.manifest.version
    # An edit of the FAQ alone leaves them as they are.
    assert with_faq(updated, updated.faq, embedder).rules == updated.rules


def test_wrongly_restored_diacritics_hide_no_rule(ruled: Ruled) -> None:
    engine = ruled(QueryRule("Mượn đàn tranh ở đâu?"))
    read = engine.reader.read("muon dan tranh o dau")
    wrong = replace(read, normalized="mượn dẫn tranh ở đâu", asked="mượn dẫn tranh ở đâu")

    reply = engine.reply(Question(read.text, wrong))

    assert reply.decision.reasons == (Reason.QUERY_RULE,)
