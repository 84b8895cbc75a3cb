"""Every question to the channels' database, on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime

from console_driver import NOW, Clock, Students, databases

from console.turns import Filters, Turns


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
    assert sum(figures["by"]["hour"].values()) == 2
    assert figures["top"] == [{"answer_id": "tuition", "question": "Học phí", "n": 1}]
    assert turns.values()["channel"] == ["web", "zalo"]
    students.database.close()


@databases
def test_hours_and_days_are_those_of_the_school(url: str, clock: Clock) -> None:
    students = Students(url)
    at = datetime(2026, 11, 17, 19, 30, tzinfo=UTC).timestamp()
    students.asks("Học phí", at=at, decision="answer")
    turns = Turns(url, clock)

    def asked(time_zone: str) -> tuple[dict[str, int], list[str]]:
        figures = turns.statistics(30, time_zone)
        return figures["by"]["hour"], [each["day"] for each in figures["days"]]

    assert asked("UTC") == ({"19": 1}, ["2026-11-17"])
    assert asked("Asia/Ho_Chi_Minh") == ({"2": 1}, ["2026-11-18"])
    students.database.close()
