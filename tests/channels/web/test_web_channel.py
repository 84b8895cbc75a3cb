"""The website's channel over HTTP: who may come in, what is said to whom, and that nothing is lost on the way."""

import asyncio
import contextlib
import logging

import httpx
import pytest
from answerers import Answerer
from made_databases import channels_database
from website import DEADLINE_S, SECRET, Page, until, website

from channels.delivery import incoming_store
from channels.delivery.draft import Draft, draft
from channels.delivery.incoming import MenuCommand
from channels.delivery.message import ADVISOR
from channels.web import requests as web_requests
from channels.web import stream as web_stream
from channels.web.limits import OpenStreams, Rate
from channels.web.sessions import Sessions

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "\u202eabc\u202c",
    "a\n\ndata: {}\n\nevent: x",
    "a\u2028b\u2029c\x85d",
    "x\ry",
    "😀",
]


@pytest.fixture(autouse=True)
def environment(tmp_path, monkeypatch):
    monkeypatch.setenv("COVAN_CHANNELS_DB", channels_database(tmp_path / "channels.sqlite"))
    monkeypatch.setenv("COVAN_WEB_SECRET", SECRET)
    monkeypatch.setenv("COVAN_WEB_ORIGINS", "https://www.example.edu.vn, https://khoa.example.edu.vn/")
    monkeypatch.delenv("COVAN_REDIS_URL", raising=False)


def run(test):
    asyncio.run(asyncio.wait_for(test(), 3 * DEADLINE_S))


def with_page(test):
    """Runs `test(server, page)`, a page with a session of its own."""

    async def whole():
        async with website() as ([server], [client]):
            await test(server, await Page.opened(client))

    run(whole)


# --- sessions -----------------------------------------------------------------------------------------------


def test_a_session_is_the_servers_and_every_one_is_another():
    async def test():
        async with website() as (_, [client]):
            answers = [await client.post("session", json={"language": "en"}) for _ in range(2)]

            assert [answer.status_code for answer in answers] == [201, 201]
            sessions = [Sessions(SECRET).of_token(answer.json()["token"]) for answer in answers]
            assert sessions[0].id != sessions[1].id
            assert {session.language for session in sessions} == {"en"}
            assert answers[0].json()["expires_at"] == sessions[0].expires_at
            assert answers[0].headers["cache-control"] == "no-store"

    run(test)


def test_a_valid_token_is_renewed_and_stays_the_same_student():
    async def test(server, page):
        await page.say("xin chào")
        answer = await page.post("session", {})
        renewed = Page(page.client, answer.json()["token"])

        assert next(message["text"] for message in await renewed.history()) == "xin chào"

    with_page(test)


def test_who_shows_a_token_that_is_not_ours_gets_a_new_session_and_nobody_elses():
    async def test(server, page):
        await page.say("bí mật")
        forged = Page(page.client, page.token[:-4] + "AAAA")
        answer = await forged.post("session", {})

        assert answer.status_code == 201
        assert await Page(page.client, answer.json()["token"]).history() == []

    with_page(test)


@pytest.mark.parametrize(
    "path", ["GET messages", "POST messages", "GET events", "POST feedback", "DELETE conversation"]
)
def test_without_a_token_of_ours_nothing_is_told(path):
    async def test():
        async with website() as (_, [client]):
            method, address = path.split()
            for authorization in ("", "Bearer", "Bearer x", "Basic YTpi", "Bearer " + "é" * 10):
                answer = await client.request(
                    method, address, headers={"Authorization": authorization.encode()}
                )

                assert (answer.status_code, answer.json()["error"]) == (401, "session_expired")

    run(test)


def test_a_language_that_we_do_not_speak_is_refused():
    async def test():
        async with website() as (_, [client]):
            for language in ("fr", 3, {}, [], None):
                answer = await client.post("session", json={"language": language})

                assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")

    run(test)


@pytest.mark.parametrize("secret", ["", "too short"])
def test_without_a_good_secret_the_channel_is_closed(secret, monkeypatch, caplog):
    monkeypatch.setenv("COVAN_WEB_SECRET", secret)

    async def test():
        async with website() as (_, [client]):
            for method, path in (
                ("GET", ""),
                ("POST", "session"),
                ("GET", "events"),
                ("DELETE", "conversation"),
            ):
                answer = await client.request(method, path)
                assert (answer.status_code, answer.json()) == (404, {"error": "not set up"})

    with caplog.at_level(logging.INFO):
        run(test)
    assert "COVAN_WEB_SECRET must have 16 characters or more" in caplog.text
    assert "too short" not in caplog.text


def test_health_tells_whether_a_message_would_be_answered():
    async def test():
        async with website() as (_, [client]):
            # No model: this test's application has no Rasa in it.
            answer = await client.get("")

            assert (answer.status_code, answer.json()) == (503, {"status": "no model"})

    run(test)


# --- messages -----------------------------------------------------------------------------------------------


def test_a_message_is_answered_on_the_stream():
    async def test(server, page):
        async with page.events() as stream:
            assert (await stream.next()).kind == "state"
            await page.say("học phí?", "client-id-0001")

            mine, answer = await stream.next("message"), await stream.next("message")
            assert (mine.data["author"], mine.data["text"]) == ("student", "học phí?")
            assert mine.data["facts"]["event_id"] == "client-id-0001"
            assert (answer.data["author"], answer.data["text"]) == ("bot", "re: học phí?")
            assert answer.id == answer.data["id"] > mine.id
            assert answer.data["options"][0]["title"] == "Một"

    with_page(test)


def test_the_stream_is_kept_from_caches_and_buffers():
    async def test(server, page):
        async with page.events() as stream:
            headers = stream.answer.headers

            assert headers["content-type"].startswith("text/event-stream")
            assert headers["cache-control"] == "no-store"
            assert headers["x-accel-buffering"] == "no"

    with_page(test)


def test_a_message_that_is_sent_again_is_taken_once():
    async def test(server, page):
        for _ in range(3):
            await page.say("một lần", "client-id-0001")
        await page.say("sau cùng", "client-id-0002")
        async with page.events() as stream:
            assert sorted(await stream.texts(4)) == ["một lần", "re: một lần", "re: sau cùng", "sau cùng"]
        assert len(server.echo.heard) == 2

    with_page(test)


def test_two_students_may_call_their_messages_the_same():
    async def test():
        async with website() as ([_server], [client]):
            pages = [await Page.opened(client) for _ in range(2)]
            for page in pages:
                await page.say("xin chào", "client-id-0001")
            for page in pages:
                async with page.events() as stream:
                    assert await stream.texts(2) == ["xin chào", "re: xin chào"]

    run(test)


def test_a_button_goes_by_its_id_and_a_strangers_button_does_nothing_of_its_owners():
    async def test():
        async with website() as (_, [client]):
            page, stranger = await Page.opened(client), await Page.opened(client)
            async with page.events() as stream, stranger.events() as strangers:
                await page.say("chọn gì?")
                await stream.next("message")
                option = (await stream.next("message")).data["options"][0]["id"]
                assert (
                    await stranger.post("messages", {"id": "client-id-0001", "option": option})
                ).status_code == 202
                assert (await strangers.next("message")).data["author"] == "bot"
                await page.post("messages", {"id": "client-id-0001", "option": option})
                pressed = await stream.next("message")

                assert (pressed.data["author"], pressed.data["text"]) == ("student", "Một")
            assert [each["author"] for each in await stranger.history()] == ["bot"]

    run(test)


def test_a_command_of_the_menu_is_no_message():
    async def test(server, page):
        await page.post("messages", {"id": "client-id-0001", "command": "help"})
        async with page.events() as stream:
            assert await stream.texts(1) == ["re: asked"]

    with_page(test)


def test_the_greeting_of_an_opened_page_comes_first_or_not_at_all():
    async def test(server, page):
        server.echo.gate.clear()
        await page.post("messages", {"id": "client-id-0001", "command": "start"})
        await page.say("học phí?", "client-id-0002")
        server.echo.gate.set()
        async with page.events() as stream:
            assert await stream.texts(2) == ["học phí?", "re: học phí?"]

        stranger = await Page.opened(page.client)
        await stranger.post("messages", {"id": "client-id-0003", "command": "start"})
        async with stranger.events() as stream:
            assert await stream.texts(1) == ["re: asked"]
            await stranger.say("thư viện?", "client-id-0004")
            assert await stream.texts(2) == ["thư viện?", "re: thư viện?"]
        assert server.echo.heard[0] == MenuCommand("start", unasked=True)

    with_page(test)


NO_MESSAGES = [
    b"",
    b"{",
    b"[]",
    b"\xff\xfe",
    b"[" * 60_000,
    b"null",
    b"{}",
    b'{"id": "client-id-0001"}',
    b'{"text": "x"}',
    b'{"id": "client-id-0001", "text": 3}',
    b'{"id": "client-id-0001", "text": {"a": 1}}',
    b'{"id": 12345678, "text": "x"}',
    b'{"id": "short", "text": "x"}',
    b'{"id": "client id 0001", "text": "x"}',
    b'{"id": "client-id-0001:x", "text": "x"}',
    b'{"id": "client-id-0001", "text": "x", "option": "y"}',
    b'{"id": "client-id-0001", "text": "x", "sender": "y"}',
    b'{"id": "client-id-0001", "option": "/inform{}"}',
    b'{"id": "client-id-0001", "option": "' + b"x" * 25 + b'"}',
    b'{"id": "client-id-0001", "command": "restart"}',
]


def test_what_is_no_message_is_refused_in_words():
    async def test(server, page):
        for body in NO_MESSAGES:
            answer = await page.client.post(
                "messages", content=body, headers={**page.headers, "Content-Type": "application/json"}
            )

            assert (answer.status_code, answer.json()["error"]) == (400, "bad_request"), body
            assert answer.json()["message"]
        assert server.echo.heard == []

    with_page(test)


def test_a_form_of_another_site_cannot_write():
    async def test(server, page):
        answer = await page.client.post(
            "messages",
            content='{"id": "client-id-0001", "text": "x"}',
            headers={**page.headers, "Content-Type": "text/plain"},
        )

        assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")

    with_page(test)


@pytest.mark.parametrize("size", [web_requests.MAX_BODY_BYTES + 1, 500_000, 1_000_000])
@pytest.mark.parametrize("chunked", [True, False])
def test_a_body_over_the_limit_is_refused_unread(size, chunked):
    async def test(server, page):
        async def parts():
            for start in range(0, size, 8_192):
                yield b"x" * min(8_192, size - start)

        content = parts() if chunked else b"x" * size
        answer = await page.client.post(
            "messages", content=content, headers={**page.headers, "Content-Type": "application/json"}
        )

        assert (answer.status_code, answer.json()["error"]) == (413, "too_large")
        assert await page.history() == []

    with_page(test)


def test_a_body_without_an_end_is_not_read_to_it():
    async def test(server, page):
        sent = 0

        async def endless():
            nonlocal sent
            while True:
                sent += 65_536
                yield b"x" * 65_536

        # The answer may be lost when the connection is closed on who still sends; that it is closed is what matters.
        with contextlib.suppress(httpx.TransportError):
            answer = await page.client.post(
                "messages", content=endless(), headers={**page.headers, "Content-Type": "application/json"}
            )
            assert answer.status_code == 413
        assert sent < 50_000_000
        assert await page.history() == []

    with_page(test)


def test_ten_thousand_characters_arrive_as_they_are():
    async def test(server, page):
        await page.say("ộ" * 10_000)
        await until(lambda: server.echo.heard)

        assert server.echo.heard[0].text == "ộ" * 10_000

    with_page(test)


def test_hostile_text_comes_back_as_text_and_ends_no_event():
    async def test(server, page):
        async with page.events() as stream:
            for text in HOSTILE:
                await page.say(text)
                await stream.next("message")
                assert (await stream.next("message")).data["text"] == f"re: {text}"

    with_page(test)


def test_half_a_character_and_nul_are_no_reason_to_refuse_a_question():
    async def test(server, page):
        body = b'{"id": "client-id-0001", "text": "h\\ud800\\u1ecdc\\u0000 ph\\u00ed"}'
        answer = await page.client.post(
            "messages", content=body, headers={**page.headers, "Content-Type": "application/json"}
        )
        await until(lambda: server.echo.heard)

        assert answer.status_code == 202
        assert server.echo.heard[0].text == "học phí"

    with_page(test)


def test_too_many_requests_of_one_session_are_told_when_to_come_back():
    async def test(server, page):
        object.__setattr__(server.channel._open, "of_session", Rate(3))
        answers = [await page.get("messages") for _ in range(4)]

        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert answers[-1].json()["error"] == "too_many"
        assert int(answers[-1].headers["retry-after"]) > 0
        assert (await (await Page.opened(page.client)).get("messages")).status_code == 200

    with_page(test)


def test_a_message_that_comes_too_fast_is_refused_and_taken_when_it_comes_again(monkeypatch):
    async def test(server, page):
        monkeypatch.setattr(incoming_store, "MESSAGES_PER_MINUTE", 1)
        await page.say("một", "client-id-0001")

        second = {"id": "client-id-0002", "text": "hai"}
        refused = [await page.post("messages", second) for _ in range(2)]
        rated = await page.post("feedback", {"message": 1, "good": True})

        assert [each.status_code for each in (*refused, rated)] == [429] * 3
        assert refused[0].json()["error"] == "too_fast"
        assert int(refused[0].headers["retry-after"]) == 60
        monkeypatch.setattr(incoming_store, "MESSAGES_PER_MINUTE", 2)
        await page.say("hai", "client-id-0002")
        async with page.events() as stream:
            # The page tells by itself why a message was not sent.
            assert sorted(await stream.texts(4)) == ["hai", "một", "re: hai", "re: một"]

    with_page(test)


def test_an_address_gets_so_many_sessions_and_no_more():
    async def test():
        async with website() as ([server], [client]):
            object.__setattr__(server.channel._open, "new_sessions", Rate(2))

            async def session(address):
                return (await client.post("session", headers={"X-Forwarded-For": address})).status_code

            # A forged address stands left of the address that our proxy appends.
            assert [await session(f"203.0.113.{n}, 198.51.100.7") for n in range(3)] == [201, 201, 429]
            assert await session("198.51.100.8") == 201

    run(test)


# --- history, reload, several tabs --------------------------------------------------------------------------


def test_after_a_reload_the_conversation_is_there_in_pages():
    async def test(server, page):
        async with page.events() as stream:
            for number in range(3):
                await page.say(f"câu {number}")
                await stream.texts(2)
        whole = [message["text"] for message in await page.history()]
        last = await page.history(limit=2)
        before = await page.history(limit=3, before=last[0]["id"])

        assert whole == ["câu 0", "re: câu 0", "câu 1", "re: câu 1", "câu 2", "re: câu 2"]
        assert [message["text"] for message in last] == whole[-2:]
        assert [message["text"] for message in before] == whole[1:4]
        assert (await page.get("messages")).json()["state"] == {
            "with_advisor": None,
            "by": "",
            "quiet": False,
        }

    with_page(test)


def test_a_message_of_the_bot_says_what_it_is():
    class Asking(Answerer):
        async def answer(self, channel, sender, turn, typing):
            return [draft({"text": "Bạn học khóa nào?", "act": "ask"}, "vi"), Draft("Chào bạn.")]

    async def test(server, page):
        server.delivery.answering = Asking()
        async with page.events() as stream:
            await page.say("học phí")
            seen = [(await stream.next("message")).data["act"] for _ in range(3)]
        kept = [message["act"] for message in await page.history()]

        assert seen == kept == [None, "ask", None]

    with_page(test)


def test_a_page_of_history_that_cannot_be_is_refused():
    async def test(server, page):
        for query in ("before=x", "before=-1", "limit=1e3", "before=²", "before=" + "9" * 30):
            assert (await page.get(f"messages?{query}")).status_code == 400

    with_page(test)


def test_a_second_tab_sees_what_is_said_in_the_first():
    async def test(server, page):
        async with page.events() as one, page.events() as two:
            await page.say("ở tab một")

            assert await one.texts(2) == await two.texts(2) == ["ở tab một", "re: ở tab một"]

    with_page(test)


@pytest.mark.parametrize("how", ["Last-Event-ID", "after"])
def test_a_page_that_was_away_gets_what_it_missed_once_and_in_order(how):
    async def test(server, page):
        async with page.events() as stream:
            await page.say("câu 0")
            await stream.next("message")
            last = (await stream.next("message")).id
        for number in range(1, 4):
            await page.say(f"câu {number}")
        await until(lambda: len(server.echo.heard) == 4)

        resumed = page.events(0, **{"Last-Event-ID": str(last)}) if how != "after" else page.events(last)
        async with resumed as stream:
            await page.say("câu 4")
            messages = [await stream.next("message") for _ in range(8)]

        assert [m.id for m in messages] == sorted({m.id for m in messages})
        assert [m.data["text"] for m in messages if m.data["author"] == "student"] == [
            f"câu {n}" for n in range(1, 5)
        ]
        assert [m.data["text"] for m in messages if m.data["author"] == "bot"] == [
            f"re: câu {n}" for n in range(1, 5)
        ]

    with_page(test)


def test_a_long_absence_is_caught_up_with_in_full():
    async def test(server, page):
        session = Sessions(SECRET).of_token(page.token).id
        await server.delivery.say("web", session, [Draft(f"tin {number}") for number in range(450)])
        async with page.events() as stream:
            assert await stream.texts(450) == [f"tin {number}" for number in range(450)]

    with_page(test)


def test_typing_is_shown_before_the_answer():
    async def test(server, page):
        server.echo.gate.clear()
        async with page.events() as stream:
            await page.say("lâu không?")
            assert (await stream.next("typing")).data == {"on": True}
            server.echo.gate.set()
            assert (await stream.next("message")).data["text"] == "re: lâu không?"

    with_page(test)


def test_what_an_advisor_says_later_on_arrives_and_so_does_who_speaks():
    async def test(server, page):
        session = Sessions(SECRET).of_token(page.token).id
        async with page.events() as stream:
            assert (await stream.next("state")).data["with_advisor"] is None
            await page.say("gặp cố vấn")
            await stream.texts(2)
            await server.delivery.run(
                server.delivery.store.hand_overs.open, "web", session, {"question": "?"}, True, None
            )
            await server.delivery.state_changed("web", session)
            assert (await stream.next("state")).data == {"with_advisor": "waiting", "by": "", "quiet": True}
            await server.delivery.say("web", session, [Draft("Chào em", ADVISOR, "Cô Lan")])
            message = (await stream.next("message")).data
            assert (message["text"], message["author"], message["by"]) == ("Chào em", "advisor", "Cô Lan")

    with_page(test)


def test_every_page_is_told_that_all_is_erased_before_what_comes_next():
    async def test(server, page):
        session = Sessions(SECRET).of_token(page.token).id
        async with page.events() as stream:
            await page.say("điều riêng tư")
            await stream.texts(2)
            await server.delivery.erase("web", session)
            await server.delivery.say("web", session, [Draft("Đã xóa hết")])

            assert (await stream.next("erased", "message")).data == {}
            assert (await stream.next("message")).data["text"] == "Đã xóa hết"

    with_page(test)


def test_feedback_is_kept_with_the_answer():
    async def test(server, page):
        async with page.events() as stream:
            await page.say("học phí?")
            await stream.next("message")
            answer = (await stream.next("message")).data
        good = {"message": answer["id"], "good": False, "reason": "sai năm"}

        assert (await page.post("feedback", good)).status_code == 204
        await until(lambda: len(server.echo.heard) == 2)
        rated = server.echo.heard[1]
        assert (rated.message, rated.good, rated.reason) == (answer["id"], False, "sai năm")

    with_page(test)


NO_FEEDBACK = [
    {},
    {"message": 1},
    {"message": "1", "good": True},
    {"message": True, "good": True},
    {"message": 0, "good": True},
    {"message": 10**30, "good": True},
    {"message": 1, "good": 1},
    {"message": 1, "good": True, "reason": 3},
    {"message": 1, "good": True, "reason": "x" * 1_001},
    {"message": 1, "good": True, "sender": "x"},
]


def test_what_is_no_feedback_is_refused():
    async def test(server, page):
        for body in NO_FEEDBACK:
            answer = await page.post("feedback", body)

            assert (answer.status_code, answer.json()["error"]) == (400, "bad_request"), body

    with_page(test)


# --- streams that end ---------------------------------------------------------------------------------------


def test_a_page_that_goes_leaves_nothing_behind():
    async def test(server, page):
        await page.say("xin chào")
        await until(lambda: server.echo.heard and not server.delivery._tasks)
        before = asyncio.all_tasks()
        for _ in range(3):
            async with page.events() as one, page.events() as two:
                await one.texts(2)
                await two.texts(2)
                assert asyncio.all_tasks() - before
        streams = server.channel._open.streams
        await until(lambda: not streams._open)
        await page.client.aclose()
        await until(lambda: not asyncio.all_tasks() - before - {asyncio.current_task()})
        assert not server.delivery._changes._listeners

    with_page(test)


def test_so_many_tabs_and_no_more():
    async def test(server, page):
        object.__setattr__(server.channel._open, "streams", OpenStreams(of_a_session=2))
        async with page.events() as one, page.events():
            await one.next("state")
            third = await page.get("events")
            assert (third.status_code, third.json()["error"]) == (429, "too_many")
            assert "retry-after" in third.headers
            async with (await Page.opened(page.client)).events() as other:
                await other.next("state")
        await until(lambda: not server.channel._open.streams._open)
        async with page.events() as again:
            await again.next("state")

    with_page(test)


def test_a_server_that_stops_ends_its_streams():
    async def test():
        async with website() as ([server], [client]):
            page = await Page.opened(client)
            async with page.events() as stream:
                await stream.next("state")
                ending = asyncio.ensure_future(stream.until_end())
                server.channel._open.stopping.set()
                await asyncio.wait_for(ending, DEADLINE_S)

    run(test)


def test_a_stream_ends_with_its_session():
    async def test():
        async with website() as ([_server], [client]):
            sessions = Sessions(SECRET)
            nearly_over = sessions.new()
            soon = type(nearly_over)(nearly_over.id, int(sessions._clock()) + 2)
            async with Page(client, sessions.token(soon)).events() as stream:
                await asyncio.wait_for(stream.until_end(), DEADLINE_S)

    run(test)


def test_on_a_silent_stream_there_is_a_comment_now_and_then(monkeypatch):
    monkeypatch.setattr(web_stream, "COMMENT_EVERY_S", 0.02)

    async def test(server, page):
        async with page.events() as stream:
            await stream.next("state")
            reading = asyncio.ensure_future(stream.next("message"))
            await until(lambda: stream.comments >= 3)
            await page.say("vẫn ở đây")
            assert (await reading).data["text"] == "vẫn ở đây"

    with_page(test)


# --- other sites --------------------------------------------------------------------------------------------


ORIGINS = {
    "https://www.example.edu.vn": True,
    "HTTPS://WWW.Example.edu.vn": True,
    "https://khoa.example.edu.vn": True,
    "THIS HOST": True,
    "http://www.example.edu.vn": False,
    "https://www.example.edu.vn:8443": False,
    "https://www.example.edu.vn.evil.example": False,
    "https://evil.example": False,
    "null": False,
    "*": False,
    "http://": False,
}


@pytest.mark.parametrize("method", ["POST", "OPTIONS"])
def test_only_the_sites_of_the_list_and_the_servers_own_may_talk(method):
    async def test():
        async with website() as ([server], [client]):
            for origin, allowed in ORIGINS.items():
                asking = origin.replace("THIS HOST", server.url)
                headers = {"Origin": asking, "Access-Control-Request-Method": "POST"}
                answer = await client.request(method, "session", headers=headers)

                assert "Origin" in answer.headers["vary"]
                assert "access-control-allow-credentials" not in answer.headers
                if allowed:
                    assert answer.status_code == (201 if method == "POST" else 204)
                    assert answer.headers.get_list("access-control-allow-origin") == [asking]
                else:
                    assert (answer.status_code, answer.json()["error"]) == (403, "origin")
                    assert "access-control-allow-origin" not in answer.headers

    run(test)


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("session", "POST"),
        ("messages", "GET, POST"),
        ("events", "GET"),
        ("feedback", "POST"),
        ("conversation", "DELETE"),
    ],
)
def test_a_browser_that_asks_first_is_told_what_it_may_send(path, methods):
    async def test():
        async with website() as (_, [client]):
            answer = await client.options(
                path,
                headers={
                    "Origin": "https://www.example.edu.vn",
                    "Access-Control-Request-Method": methods.split(", ")[0],
                    "Access-Control-Request-Headers": "authorization,content-type,last-event-id",
                },
            )

            assert answer.status_code == 204
            assert answer.headers["access-control-allow-methods"] == methods
            told = answer.headers["access-control-allow-headers"].lower()
            assert {"authorization", "content-type", "last-event-id"} <= set(told.split(", "))

    run(test)


def test_errors_and_streams_can_be_read_by_a_site_of_the_list():
    async def test(server, page):
        origin = {"Origin": "https://www.example.edu.vn"}
        refused = await page.client.get("messages", headers=origin)
        assert refused.status_code == 401
        assert refused.headers["access-control-allow-origin"] == origin["Origin"]
        async with page.events(**origin) as stream:
            assert stream.answer.headers["access-control-allow-origin"] == origin["Origin"]

    with_page(test)


# --- several processes --------------------------------------------------------------------------------------


def test_with_two_processes_it_does_not_matter_which_one_a_request_goes_to(redis, monkeypatch):
    monkeypatch.setenv("COVAN_REDIS_URL", redis.url)

    async def test():
        async with website(2) as (_, [one, two]):
            page = await Page.opened(one)
            elsewhere = Page(two, page.token)
            async with elsewhere.events() as stream:
                await stream.next("state")
                await page.say("gửi tới một", "client-id-0001")
                assert await stream.texts(2) == ["gửi tới một", "re: gửi tới một"]
                await elsewhere.say("gửi lại", "client-id-0001")
                await elsewhere.say("gửi tới hai", "client-id-0002")
                assert await stream.texts(2) == ["gửi tới hai", "re: gửi tới hai"]
            assert await page.history() == await elsewhere.history()

    run(test)


def test_what_redis_failed_to_tell_is_found_when_it_is_back(redis, monkeypatch):
    monkeypatch.setenv("COVAN_REDIS_URL", redis.url)

    async def test():
        async with website(2) as (_, [one, two]):
            page = await Page.opened(one)
            async with Page(two, page.token).events() as stream:
                await page.say("trước", "client-id-0001")
                assert await stream.texts(2) == ["trước", "re: trước"]
                redis.stop()
                await page.say("trong lúc", "client-id-0002")
                redis.start()
                assert await stream.texts(2) == ["trong lúc", "re: trong lúc"]

    run(test)
