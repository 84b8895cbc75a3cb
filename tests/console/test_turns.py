"""Every question to the channels' database, on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime

from console_driver import NOW, Clock, Students, databases

from channels.delivery.tables import hand_overs
from console.turns import DAY_S, Filters, Turns


@databases
def test_all_that_is_read_can_be_read(url: str, clock: Clock) -> None:
    students = Students(url)
    guesses = {"intents": {"ask_study": 0.4, "greet": 0.3}}
    asked = students.asks(
        "Thuê sân bóng ở đâu?", "an", handed_over=True, channel="zalo", topic="study", trace=guesses
    )
    students.asks(
        "Học phí", "binh", decision="answer", source="faq", answer_id="tuition", confidence=0.9, good=False
    )
    turns = Turns(url, clock)

    everything = Filters(
        channel="zalo",
        topic="study",
        decision="no_answer",
        source="none",
        intent="ask",
        text="SÂN BÓNG",
        since=1.0,
    )
    assert [row["id"] for row in turns.page(everything)] == [asked]
    assert [row["question"] for row in turns.page(Filters(feedback="down", until=NOW))] == ["Học phí"]
    assert [row["why"] for row in turns.gaps(7)] == [["thumbs_down"], ["no_answer", "hand_over"]]
    assert turns.gaps(7, [asked])[0]["question"] == "Học phí"
    [unsure] = turns.unsure(7)
    assert (unsure["id"], unsure["intents"], unsure["sender"]) == (asked, guesses["intents"], "an")
    assert turns.unsure(7, [asked]) == []
    conversation = turns.conversation(asked)
    assert conversation is not None
    assert [message["author"] for message in conversation["messages"]] == ["student", "bot"]
    assert [row["id"] for row in turns.some([asked, 4711])] == [asked]
    figures = turns.statistics(7)
    assert (figures["decisions"], figures["students"]) == ({"answer": 1, "no_answer": 1}, 2)
    assert sum(sum(of.values()) for of in figures["by"]["hour"].values()) == 2
    assert figures["top"] == [{"answer_id": "tuition", "question": "Học phí", "n": 1}]
    assert turns.values()["channel"] == ["web", "zalo"]
    students.database.close()


@databases
def test_hours_and_days_are_those_of_the_school(url: str, clock: Clock) -> None:
    students = Students(url)
    at = datetime(2026, 11, 17, 19, 30, tzinfo=UTC).timestamp()
    students.asks("Học phí", at=at, decision="answer")
    turns = Turns(url, clock)

    def asked(time_zone: str) -> tuple[dict[str, dict[str, int]], list[str]]:
        figures = turns.statistics(30, time_zone)
        return figures["by"]["hour"], [each["day"] for each in figures["days"]]

    assert asked("UTC") == ({"19": {"answer": 1}}, ["2026-11-17"])
    assert asked("Asia/Ho_Chi_Minh") == ({"2": {"answer": 1}}, ["2026-11-18"])
    students.database.close()


@databases
def test_outcomes_are_counted_by_channel_source_hour_and_day(url: str, clock: Clock) -> None:
    students = Students(url)
    at = datetime(2026, 11, 17, 19, 30, tzinfo=UTC).timestamp()
    for decision, count in (("answer", 3), ("clarify", 2), ("no_answer", 1), ("passed_on", 4)):
        source = {"answer": "faq", "clarify": "faq"}.get(decision, "none")
        for number in range(count):
            sender = f"{decision}-{number}"
            students.asks("Học phí", sender, at=at, decision=decision, source=source, channel="zalo")
    students.asks("Học phí", at=at - 3 * 3_600, decision="answer", source="document")
    students.asks("Xin chào", at=at, decision="")
    turns = Turns(url, clock)

    figures = turns.statistics(7, "UTC")

    every = {"answer": 3, "clarify": 2, "no_answer": 1, "passed_on": 4}
    assert figures["by"] == {
        "channel": {"zalo": every, "web": {"answer": 1}},
        "source": {
            "faq": {"answer": 3, "clarify": 2},
            "none": {"no_answer": 1, "passed_on": 4},
            "document": {"answer": 1},
        },
        "hour": {"19": every, "16": {"answer": 1}},
    }
    assert figures["decisions"] == {**every, "answer": 4}
    by_day = {(each["day"], each["decision"]): each["n"] for each in figures["days"]}
    assert by_day == {("2026-11-17", name): n for name, n in figures["decisions"].items()}
    assert [row["id"] for row in turns.page(Filters(answer="tuition"))] == []
    students.database.close()


@databases
def test_conversations_that_advisors_have_answered_were_handed_over(url: str, clock: Clock) -> None:
    students = Students(url)
    for sender, at in (("an", NOW - 900), ("binh", NOW - 600), ("chi", NOW - 300), ("dung", NOW - 8 * DAY_S)):
        students.asks("Cho em gặp cô", sender, at=at, decision="", handed_over=True)
    with students.database.write() as db:
        closed = hand_overs.c.sender.in_(("an", "binh"))
        db.execute(hand_overs.update().where(closed).values(status="closed", quiet=False))

    figures = Turns(url, clock).statistics(7)

    assert figures["hand_overs"] == {"now": 3, "taken": 2, "before": 1}
    assert figures["decisions"] == {}
    students.database.close()


@databases
def test_times_of_replies_are_compared_and_told_by_day(url: str, clock: Clock) -> None:
    students = Students(url)
    noon = datetime(2026, 11, 17, 12, tzinfo=UTC).timestamp()
    for sender, at, took in (
        ("an", noon, 1.0),
        ("binh", noon, 2.0),
        ("chi", noon, 9.0),
        ("dung", noon - DAY_S, 4.0),
        ("giang", noon - 7 * DAY_S, 0.25),
    ):
        students.asks("Học phí", sender, at=at, took=took, decision="answer", answer_id="tuition")
    students.asks("Gọi lại cho em", "an", at=noon, took=600.0, decision="passed_on")
    turns = Turns(url, clock)

    seconds = turns.statistics(7, "UTC")["seconds"]

    assert (seconds["median"], seconds["p95"]) == (4.0, 9.0), "an advisor's answer is no reply of the bot"
    assert seconds["before"] == {"median": 0.25, "p95": 0.25}
    assert seconds["days"] == [
        {"day": "2026-11-16", "median": 4.0, "p95": 4.0},
        {"day": "2026-11-17", "median": 2.0, "p95": 9.0},
    ]
    assert len(turns.page(Filters(answer="tuition"))) == 5
    students.database.close()
