"""The advisors' API: for who has the token alone, with the real service and database behind it."""

import asyncio
import itertools
import json
import time
from contextlib import asynccontextmanager
from functools import partial

import httpx
import pytest
from answerers import Answerer
from front_door_server import NO_RASA, open_front_door
from made_databases import channels_database
from wire import Wire, until_within

from channels.advisors import (
    MAX_BODY_BYTES,
    MAX_CITATION_CHARS,
    MAX_NAME_CHARS,
    MAX_TEXT_CHARS,
    MOST_CITATIONS,
)
from channels.delivery.advisor_service import AdvisorService
from channels.delivery.draft import Draft
from channels.delivery.incoming import Incoming, TextInput
from channels.delivery.message import NOTICE
from channels.delivery.platform import OutsideWindowError, RefusedError
from channels.delivery.store import Store
from channels.front_door import FrontDoor
from rag.settings import Settings

TOKEN = "the-token-of-the-advisors-of-the-tests"
DEADLINE_S = 20
until = partial(until_within, DEADLINE_S)
STUDENT = ("wire", "an")

_numbers = itertools.count()


class Words:
    """Responses of the domain, each as its name."""

    async def notice(self, name, channel, sender, /, **values):
        return [Draft(" ".join((name, *values.values())), NOTICE)]

    async def language(self, channel, sender):
        return "vi"


class School:
    """The API over HTTP, the database behind it, and the platform before it."""

    def __init__(self, client, delivery, wire):
        self.client = client
        self.delivery = delivery
        self.wire = wire

    async def hand_over(self, question="Em muốn bảo lưu", sender="an"):
        """A student who asks for a person; the number of the conversation."""
        event = Incoming(f"event-{next(_numbers)}", sender, TextInput(question), {})
        await self.delivery.accept("wire", [event])
        told = {"topic": "study", "office": "Phòng Đào tạo", "question": question}
        return await self.delivery.run(self.delivery.store.hand_overs.open, "wire", sender, told, True, None)

    async def get(self, path, **query):
        return await self.client.get(path, params=query)

    async def post(self, path, **body):
        return await self.client.post(path, json=body)


@asynccontextmanager
async def school(path, token=TOKEN, shown=TOKEN):
    door = FrontDoor(Settings(channels_db=f"sqlite:///{path}", advisor_token=token, rasa_urls=NO_RASA))
    delivery, wire = door.delivery, Wire()
    delivery.answering = Answerer()
    delivery.advisor_service = AdvisorService(delivery, Words())
    headers = {"Authorization": f"Bearer {shown}"} if shown else {}
    async with open_front_door(door) as url:
        await delivery.open(wire)
        base = f"{url}/webhooks/advisors"
        try:
            async with httpx.AsyncClient(base_url=base, headers=headers, trust_env=False) as client:
                yield School(client, delivery, wire)
        finally:
            await delivery.close(wire.name)


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "channels.sqlite"
    channels_database(file)
    return file


def test_who_waits_is_taken_answered_and_given_back(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()

            (waiting,) = (await at.get("/conversations", status="waiting")).json()["conversations"]
            assert waiting["id"] == number
            assert waiting["question"] == "Em muốn bảo lưu"
            assert (waiting["status"], waiting["topic"], waiting["office"]) == (
                "waiting",
                "study",
                "Phòng Đào tạo",
            )

            taken = await at.post(f"/conversations/{number}/take", by="Cô Lan")
            assert (taken.status_code, taken.json()["taken_by"]) == (200, "Cô Lan")
            replied = await at.post(
                f"/conversations/{number}/reply", by="Cô Lan", text="Em nộp đơn nhé.\nTầng 2."
            )
            assert replied.status_code == 202
            back = await at.post(f"/conversations/{number}/give_back", by="Cô Lan")
            assert (back.status_code, back.json()["status"]) == (200, "closed")

            await until(lambda: len(at.wire.sent) == 3)
            assert at.wire.sent == [
                "utter_advisor_joined Cô Lan",
                "Em nộp đơn nhé.\nTầng 2.",
                "utter_advisor_left",
            ]
            read = (await at.get(f"/conversations/{number}")).json()
            assert [(said["author"], said["text"]) for said in read["messages"]] == [
                ("student", "Em muốn bảo lưu"),
                ("notice", "utter_advisor_joined Cô Lan"),
                ("advisor", "Em nộp đơn nhé.\nTầng 2."),
                ("notice", "utter_advisor_left"),
            ]
            assert read["messages"][2]["by"] == "Cô Lan"
            assert read["messages"][2]["act"] == "hand_over"
            assert read["messages"][2]["id"] == replied.json()["message"]

    asyncio.run(day())


CITATION = {"document_id": "quy-che", "title": "Quy chế", "locator": "Điều 1", "quote": "Sinh viên nộp đơn."}


def test_a_late_answer_reaches_the_student_with_its_sources(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()
            told = {"channel": "wire", "sender": "an", "by": "Cô Lan", "text": "Mở đến **22:00**."}
            cited = [{**CITATION, "number": None, "url": None, "page": 3}]

            sent = await at.post("/answers", **told, citations=cited)
            assert sent.status_code == 202

            last = (await at.get(f"/conversations/{number}")).json()["messages"][-1]
            assert (last["text"], last["act"], last["citations"]) == ("Mở đến **22:00**.", "answer", cited)

    asyncio.run(day())


@pytest.mark.parametrize(
    "citations",
    [
        "x",
        {},
        ["x"],
        [{}],
        [{**CITATION, "title": 1}],
        [{**CITATION, "page": True}],
        [{**CITATION, "page": 0}],
        [{**CITATION, "other": "x"}],
        [{**CITATION, "quote": "x" * (MAX_CITATION_CHARS + 1)}],
        [CITATION] * (MOST_CITATIONS + 1),
    ],
)
def test_sources_in_another_form_are_refused(path, citations):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()
            told = {"channel": "wire", "sender": "an", "by": "Cô Lan", "text": "Mở."}
            refused = await at.post("/answers", **told, citations=citations)

            assert (refused.status_code, refused.json()["error"]) == (400, "bad_request")
            assert len((await at.get(f"/conversations/{number}")).json()["messages"]) == 1

    asyncio.run(day())


def test_a_reply_takes_the_conversation(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()

            await at.post(f"/conversations/{number}/reply", by="Thầy Nam", text="Chào em.")

            (taken,) = (await at.get("/conversations", status="taken")).json()["conversations"]
            assert (taken["id"], taken["taken_by"]) == (number, "Thầy Nam")
            assert (await at.get("/conversations", status="waiting")).json() == {"conversations": []}

    asyncio.run(day())


def test_two_advisors_do_not_answer_the_same_student(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()
            await at.post(f"/conversations/{number}/take", by="Cô Lan")

            refused = await at.post(f"/conversations/{number}/reply", by="Thầy Nam", text="Chào em.")

            assert (refused.status_code, refused.json()["error"]) == (409, "taken")
            assert "Cô Lan" in refused.json()["message"]
            await until(lambda: at.wire.sent)
            assert at.wire.sent == ["utter_advisor_joined Cô Lan"]

    asyncio.run(day())


def test_a_note_is_read_by_advisors_and_sent_to_nobody(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()

            noted = await at.post(f"/conversations/{number}/notes", by="Cô Lan", text="Đã gọi, em ấy bận.")
            assert noted.status_code == 201
            await at.post(f"/conversations/{number}/reply", by="Cô Lan", text="Chào em.")
            read = (await at.get(f"/conversations/{number}")).json()

            (note,) = read["notes"]
            assert (note["by"], note["text"], note["handed_to"]) == ("Cô Lan", "Đã gọi, em ấy bận.", "")
            assert "Đã gọi" not in json.dumps(read["messages"], ensure_ascii=False)
            await until(lambda: len(at.wire.sent) == 2)
            assert at.wire.sent == ["utter_advisor_joined Cô Lan", "Chào em."]

    asyncio.run(day())


def test_what_is_handed_on_to_an_office_waits_there(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()
            await at.post(f"/conversations/{number}/take", by="Cô Lan")
            told = {"by": "Cô Lan", "taken_by": "Cô Lan", "office": "Phòng Tài chính", "text": "Về học phí."}

            handed = await at.post(f"/conversations/{number}/hand_on", **told)

            assert (handed.status_code, handed.json()["office"]) == (200, "Phòng Tài chính")
            assert (handed.json()["status"], handed.json()["taken_by"]) == ("waiting", "")
            (note,) = (await at.get(f"/conversations/{number}")).json()["notes"]
            assert (note["by"], note["text"], note["handed_to"]) == (
                "Cô Lan",
                "Về học phí.",
                "Phòng Tài chính",
            )
            await until(lambda: len(at.wire.sent) == 2)
            assert at.wire.sent == ["utter_advisor_joined Cô Lan", "utter_office_assigned Phòng Tài chính"]
            replied = await at.post(f"/conversations/{number}/reply", by="Thầy Nam", text="Chào em.")
            assert replied.status_code == 202

    asyncio.run(day())


def test_an_advisor_who_is_handed_a_conversation_has_it_and_the_student_is_told(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()

            handed = await at.post(f"/conversations/{number}/hand_on", by="Cô Lan", to="Thầy Nam")

            assert (handed.json()["status"], handed.json()["taken_by"]) == ("taken", "Thầy Nam")
            refused = await at.post(f"/conversations/{number}/reply", by="Cô Lan", text="Chào em.")
            assert refused.json()["error"] == "taken"
            await until(lambda: at.wire.sent)
            # The second advisor has not opened it yet.
            assert at.wire.sent == ["utter_advisor_assigned Thầy Nam"]

    asyncio.run(day())


def test_an_advisor_who_takes_over_an_absent_ones_conversation_has_joined_it(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()
            await at.post(f"/conversations/{number}/take", by="Thầy Nam")

            told = {"by": "Cô Lan", "taken_by": "Thầy Nam", "to": "Cô Lan"}
            await at.post(f"/conversations/{number}/hand_on", **told)

            await until(lambda: len(at.wire.sent) == 2)
            assert at.wire.sent == ["utter_advisor_joined Thầy Nam", "utter_advisor_joined Cô Lan"]

    asyncio.run(day())


def test_who_has_taken_a_conversation_meanwhile_keeps_it(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()
            await at.post(f"/conversations/{number}/take", by="Thầy Nam")

            for to in ({"office": "Phòng Tài chính"}, {"to": "Cô Lan"}):
                refused = await at.post(f"/conversations/{number}/hand_on", by="Cô Lan", **to)
                assert (refused.status_code, refused.json()["error"]) == (409, "taken")

            read = (await at.get(f"/conversations/{number}")).json()
            assert (read["taken_by"], read["office"], read["notes"]) == ("Thầy Nam", "Phòng Đào tạo", [])

    asyncio.run(day())


@pytest.mark.parametrize(
    "to",
    [
        {},
        {"to": "Thầy Nam", "office": "Phòng Tài chính"},
        {"taken_by": "Thầy Nam", "to": "Thầy Nam"},
        {"to": 7},
    ],
)
def test_a_conversation_is_handed_on_to_one(path, to):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()

            refused = await at.post(f"/conversations/{number}/hand_on", by="Cô Lan", **to)

            assert (refused.status_code, refused.json()["error"]) == (400, "bad_request")
            (still,) = await at.delivery.advisor_service.list("all")
            assert still["status"] == "waiting"

    asyncio.run(day())


def test_a_preview_is_what_the_channel_shows_and_sends_nothing(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()

            seen = await at.post(f"/conversations/{number}/preview", by="Cô Lan", text="Chào em.")

            assert seen.json() == {"messages": ["Cô Lan: Chào em."]}
            (still,) = await at.delivery.advisor_service.list("all")
            assert (still["status"], at.wire.sent) == ("waiting", [])

    asyncio.run(day())


def test_an_answer_is_previewed_on_each_channel_and_sends_nothing(path):
    async def day():
        async with school(path) as at:
            seen = await at.post("/previews", text="Ở **phòng A**.")

            [shown] = seen.json()["channels"].values()
            assert shown == [": Ở **phòng A**."]
            assert at.wire.sent == []
            source = {
                "document_id": "quy-che",
                "title": "Quy chế",
                "locator": "Điều 1",
                "quote": "Ở phòng A.",
            }
            cited = await at.post("/previews", text="Ở phòng A.", citations=[source])
            assert cited.status_code == 200
            wrong = await at.post("/previews", text="Ở phòng A.", citations=[{"title": 1}])
            assert (wrong.status_code, wrong.json()["error"]) == (400, "bad_request")
            refused = await at.post("/previews", text="")
            assert (refused.status_code, refused.json()["error"]) == (400, "bad_request")

    asyncio.run(day())


def test_what_is_over_is_over(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()
            await at.post(f"/conversations/{number}/give_back", by="Cô Lan")

            for path_ in (f"/conversations/{number}/take", f"/conversations/{number}/give_back"):
                refused = await at.post(path_, by="Cô Lan")
                assert (refused.status_code, refused.json()["error"]) == (409, "closed")
            refused = await at.post(f"/conversations/{number}/reply", by="Cô Lan", text="Chào em.")
            assert (refused.status_code, refused.json()["error"]) == (409, "closed")
            refused = await at.post(f"/conversations/{number}/hand_on", by="Cô Lan", to="Thầy Nam")
            assert (refused.status_code, refused.json()["error"]) == (409, "closed")

    asyncio.run(day())


@pytest.mark.parametrize(
    ("method", "path_"),
    [
        ("GET", "/conversations/999"),
        ("POST", "/conversations/999/take"),
        ("POST", "/conversations/999/reply"),
        ("POST", "/conversations/999/give_back"),
        ("POST", "/conversations/999/preview"),
        ("POST", "/conversations/999/notes"),
        ("POST", "/conversations/999/hand_on"),
        ("POST", "/undelivered/999/send_again"),
    ],
)
def test_what_there_is_not_is_not_found(path, method, path_):
    async def day():
        async with school(path) as at:
            answer = await at.client.request(method, path_, json={"by": "Cô Lan", "text": "Chào em."})

            assert (answer.status_code, answer.json()["error"]) == (404, "not_found")

    asyncio.run(day())


ROUTES = [
    ("GET", "/conversations"),
    ("GET", "/conversations/1"),
    ("POST", "/conversations/1/take"),
    ("POST", "/conversations/1/reply"),
    ("POST", "/conversations/1/give_back"),
    ("POST", "/conversations/1/preview"),
    ("POST", "/conversations/1/notes"),
    ("POST", "/conversations/1/hand_on"),
    ("POST", "/previews"),
    ("GET", "/undelivered"),
    ("POST", "/undelivered/1/send_again"),
]


@pytest.mark.parametrize(("method", "path_"), ROUTES)
@pytest.mark.parametrize("shown", ["", "another", TOKEN[:-1], TOKEN + "x", "đúng?", TOKEN.upper()])
def test_without_the_token_nothing_is_told_or_done(path, method, path_, shown):
    async def day():
        async with school(path, shown="") as at:
            number = await at.hand_over()
            headers = {b"Authorization": f"Bearer {shown}".encode()} if shown else {}

            answer = await at.client.request(
                method, path_.replace("1", str(number)), headers=headers, json={"by": "x", "text": "x"}
            )

            assert answer.status_code == 401
            assert answer.headers["www-authenticate"] == "Bearer"
            assert answer.json()["error"] == "unauthorized"
            (still,) = await at.delivery.advisor_service.list("all")
            assert still["status"] == "waiting"

    asyncio.run(day())


@pytest.mark.parametrize("scheme", ["Basic", "Token", "", "BearerX"])
def test_the_token_counts_only_as_a_bearer(path, scheme):
    async def day():
        async with school(path, shown="") as at:
            answer = await at.client.get(
                "/conversations", headers={"Authorization": f"{scheme} {TOKEN}".strip()}
            )

            assert answer.status_code == 401

    asyncio.run(day())


@pytest.mark.parametrize(("method", "path_"), ROUTES)
def test_where_there_is_no_token_there_are_no_routes(path, method, path_):
    async def day():
        # An empty token shown must not be the right one.
        async with school(path, token="", shown="") as at:
            headers = {"Authorization": "Bearer"}
            answer = await at.client.request(method, path_, headers=headers, json={"by": "x", "text": "x"})

            assert (answer.status_code, answer.json()["error"]) == (404, "not set up")

    asyncio.run(day())


def test_no_other_sites_page_may_read_it(path):
    async def day():
        async with school(path) as at:
            origin = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"}

            for method in ("GET", "OPTIONS"):
                answer = await at.client.request(method, "/conversations", headers=origin)
                assert not [name for name in answer.headers if name.startswith("access-control-allow-origin")]

    asyncio.run(day())


@pytest.mark.parametrize(
    "body",
    [
        {"by": "Cô Lan"},
        {"by": "Cô Lan", "text": ""},
        {"by": "Cô Lan", "text": " \n\u200b"},
        {"by": "Cô Lan", "text": 7},
        {"by": "Cô Lan", "text": "x" * (MAX_TEXT_CHARS + 1)},
        {"text": "Chào em."},
        {"by": "", "text": "Chào em."},
        {"by": "x" * (MAX_NAME_CHARS + 1), "text": "Chào em."},
        {"by": ["Cô Lan"], "text": "Chào em."},
    ],
)
def test_an_answer_has_a_name_and_a_text(path, body):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()

            refused = await at.post(f"/conversations/{number}/reply", **body)

            assert (refused.status_code, refused.json()["error"]) == (400, "bad_request")
            assert await at.delivery.advisor_service.list("taken") == []

    asyncio.run(day())


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'"x"', b"\xff", b"[" * 20_000], ids=range(6))
def test_what_is_no_json_object_is_refused(path, content):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()

            refused = await at.client.post(f"/conversations/{number}/reply", content=content)

            assert (refused.status_code, refused.json()["error"]) == (400, "bad_request")

    asyncio.run(day())


def test_the_longest_answer_passes_and_a_larger_body_does_not(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()

            longest = await at.post(
                f"/conversations/{number}/reply", by="ỹ" * MAX_NAME_CHARS, text="ỹ" * MAX_TEXT_CHARS
            )
            assert longest.status_code == 202
            larger = await at.client.post(
                f"/conversations/{number}/reply", content=b" " * (MAX_BODY_BYTES + 1)
            )
            assert (larger.status_code, larger.json()["error"]) == (413, "too_large")

    asyncio.run(day())


def test_what_would_deceive_a_reader_is_taken_out(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()

            # JSON can carry half a character.
            body = json.dumps({"by": " Cô\n\x1b[31m Lan ", "text": "Số \u202e123\x00 nhé\ud800."})
            await at.client.post(f"/conversations/{number}/reply", content=body)

            await until(lambda: len(at.wire.sent) == 2)
            assert at.wire.sent == ["utter_advisor_joined Cô [31m Lan", "Số 123 nhé."]

    asyncio.run(day())


def test_a_status_that_there_is_not_is_refused(path):
    async def day():
        async with school(path) as at:
            refused = await at.get("/conversations", status="lost")

            assert (refused.status_code, refused.json()["error"]) == (400, "bad_request")

    asyncio.run(day())


def test_a_call_that_fails_while_the_conversation_is_read_is_not_taken_for_sent(path, monkeypatch):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()
            sending = asyncio.Event()
            loop, replies = asyncio.get_running_loop(), at.delivery.store.replies
            on_its_way, undelivered = replies.on_its_way, replies.undelivered

            async def send(outgoing):
                await sending.wait()
                raise OutsideWindowError("24 hours are over")

            def read_and_fail(read):
                def wrapped(*of):
                    found = read(*of)
                    loop.call_soon_threadsafe(sending.set)
                    deadline = time.monotonic() + DEADLINE_S
                    while not undelivered(*STUDENT) and time.monotonic() < deadline:
                        time.sleep(0.01)
                    return found

                return wrapped

            monkeypatch.setattr(at.wire, "send", send)
            said = await at.post(f"/conversations/{number}/reply", by="Cô Lan", text="Chào em.")
            monkeypatch.setattr(replies, "on_its_way", read_and_fail(on_its_way))
            monkeypatch.setattr(replies, "undelivered", read_and_fail(undelivered))
            read = (await at.get(f"/conversations/{number}")).json()

            listed = {call["message"] for call in read["undelivered"]} | set(read["on_its_way"])
            assert said.json()["message"] in listed

    asyncio.run(day())


def test_what_does_not_arrive_is_shown_with_the_reason_and_sent_again(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()
            at.wire.trouble = [RefusedError("the student has blocked the bot")]

            await at.post(f"/conversations/{number}/take", by="Cô Lan")

            async def undelivered():
                return (await at.get("/undelivered")).json()["calls"]

            while not (calls := await undelivered()):
                await asyncio.sleep(0.01)
            assert [(call["why"], call["text"], call["sender"]) for call in calls] == [
                ("the student has blocked the bot", "utter_advisor_joined Cô Lan", "an")
            ]
            read = (await at.get(f"/conversations/{number}")).json()
            assert read["undelivered"] == calls
            assert calls[0]["message"] == read["messages"][-1]["id"]

            again = await at.post(f"/undelivered/{calls[0]['id']}/send_again")
            assert again.status_code == 202
            await until(lambda: at.wire.sent == ["utter_advisor_joined Cô Lan"])
            while await undelivered():
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(day(), 3 * DEADLINE_S))


def test_what_must_wait_for_the_student_is_not_lost(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()
            # That somebody has joined is no news the day after; what they said is.
            at.wire.trouble = [
                OutsideWindowError("24 hours are over"),
                OutsideWindowError("24 hours are over"),
            ]
            await at.post(f"/conversations/{number}/reply", by="Cô Lan", text="Chào em")
            while not (calls := (await at.get("/undelivered")).json()["calls"]):
                await asyncio.sleep(0.01)
            assert calls[0]["state"] == "held"

            await at.delivery.accept("wire", [Incoming("writes again", "an", TextInput("Dạ"), {})])

            await until(lambda: at.wire.sent == ["Chào em"])

    asyncio.run(asyncio.wait_for(day(), 3 * DEADLINE_S))


def test_a_fault_is_told_without_what_it_is(path):
    async def day():
        async with school(path) as at:
            number = await at.hand_over()
            path.rename(path.with_suffix(".gone"))
            path.mkdir()
            # After the renaming: the turn that has just ended may have a connection to the file still.
            await at.delivery.run(at.delivery.store.close)

            answer = await at.get(f"/conversations/{number}")

            path.rmdir()
            path.with_suffix(".gone").rename(path)
            assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")
            assert "sqlite" not in answer.text.lower()

    asyncio.run(day())


def test_who_waits_is_listed_however_many_were_answered_before(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'channels.sqlite'}")
    answered = [store.hand_overs.open("wire", f"student {each}", {}, True, None) for each in range(3)]
    for number in answered:
        store.hand_overs.close(number, "Cô Lan")
    waits = [store.hand_overs.open("wire", name, {}, True, None) for name in ("an", "binh")]

    listed = store.hand_overs.with_status(("waiting", "taken", "closed"), 4)

    assert [each["id"] for each in listed] == [*waits, answered[2], answered[1]]
    store.close()
