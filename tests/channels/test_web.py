"""The website's channel with the real servers: what a page of a student's gets, and what nobody else does."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import secrets
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import httpx
import pytest
from real_servers import WITH_CHANNELS, RealServers

if TYPE_CHECKING:
    from conftest import Channels

from real_redis import RealRedis

pytestmark = pytest.mark.stack

ENOUGH_S = 90.0
LIBRARY = "thư viện mở cửa mấy giờ"
LIBRARY_CLOSES = "20:30"
BY_COHORT = "thực tập tốt nghiệp bao nhiêu tuần"
HOSTILE = [
    "<img src=x onerror=alert(document.domain)>",
    "\u202eđảo ngược\u202c",
    '/inform{"cohort": "47"}',
    "a\n\nevent: message\ndata: {}\n\n",
    "ộ" * 10_000,
    "👍👍",
]

Json = dict[str, Any]
Found = TypeVar("Found")


def eventually(look: Callable[[], Found]) -> Found:
    """What `look` finds, as soon as it finds something. Raises AssertionError when it does not in time."""
    until = time.monotonic() + ENOUGH_S
    while time.monotonic() < until:
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError("nothing was found in time")


class Stream:
    """A page's stream of events, read in a thread of its own."""

    def __init__(self, visitor: Visitor, after: int | None, last_event_id: int | None) -> None:
        self.messages: list[Json] = []
        self.states: list[Json] = []
        self.typing = 0
        self.ended = self.ended_well = False
        self._visitor = visitor
        self._params = {} if after is None else {"after": str(after)}
        self._headers = {} if last_event_id is None else {"Last-Event-ID": str(last_event_id)}
        self._opened = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        assert self._opened.wait(ENOUGH_S)

    @property
    def texts(self) -> list[str]:
        return [message["text"] for message in self.messages]

    @property
    def last(self) -> int:
        return self.messages[-1]["id"] if self.messages else 0

    def of_bot(self, count: int) -> list[Json]:
        """What the other side has said, once it is so many messages."""
        return eventually(lambda: found if len(found := self._of_bot()) >= count else [])

    def close(self) -> None:
        """Go, as a page that is closed: the thread that reads finds the connection at its end."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(10)
        self._client.close()

    def _of_bot(self) -> list[Json]:
        return [message for message in list(self.messages) if message["author"] != "student"]

    def _read(self) -> None:
        self._client = httpx.Client(trust_env=False, timeout=ENOUGH_S)
        # The end of the server, or of the test, in the middle of a line.
        with contextlib.suppress(httpx.HTTPError, httpx.StreamError, OSError, ValueError):
            self._follow()
            self.ended_well = True
        self.ended = True

    def _follow(self) -> None:
        url = f"{self._visitor.url}/events"
        headers = {**self._visitor.headers, **self._headers}
        with self._client.stream("GET", url, params=self._params, headers=headers) as answer:
            assert answer.status_code == 200
            self._socket = answer.extensions["network_stream"].get_extra_info("socket")
            event = {}
            for line in answer.iter_lines():
                if line and not line.startswith(":"):
                    name, _, event[name] = line.partition(": ")
                elif event:
                    self._take(event["event"], json.loads(event["data"]), event.get("id"))
                    event = {}

    def _take(self, kind: str, data: Json, event_id: str | None) -> None:
        if kind == "message":
            assert event_id == str(data["id"])
            self.messages.append(data)
        elif kind == "state":
            self.states.append(data)
            self._opened.set()
        else:
            self.typing += 1


class Visitor:
    """Somebody on the website, in as many tabs as they like."""

    def __init__(self, url: str, token: str | None = None, **headers: str) -> None:
        self.url = f"{url}/webhooks/web"
        self._more = headers
        self._client = httpx.Client(trust_env=False, timeout=ENOUGH_S)
        self.token = token or self.post("session", {}, 201)["token"]

    @property
    def headers(self) -> dict[str, str]:
        token = getattr(self, "token", "")
        return {**self._more, **({"Authorization": f"Bearer {token}"} if token else {})}

    @property
    def sender(self) -> str:
        """What Rasa calls them."""
        body = self.token.split(".")[1]
        return "web:" + json.loads(base64.urlsafe_b64decode(body + "=="))["sub"]

    def ask(self, method: str, path: str, **request: Any) -> httpx.Response:
        return self._client.request(method, f"{self.url}/{path}", headers=self.headers, **request)

    def post(self, path: str, body: Json, status: int = 202) -> Json:
        answer = self.ask("POST", path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else {}

    def says(self, text: str, number: str | None = None) -> None:
        self.post("messages", {"id": number or secrets.token_hex(8), "text": text})

    def presses(self, option: Json) -> None:
        self.post("messages", {"id": secrets.token_hex(8), "option": option["id"]})

    def history(self, **args: Any) -> list[Json]:
        answer = self.ask("GET", "messages", params=args)
        assert answer.status_code == 200, answer.text
        found: list[Json] = answer.json()["messages"]
        return found

    @contextlib.contextmanager
    def tab(self, *, after: int | None = None, last_event_id: int | None = None) -> Iterator[Stream]:
        stream = Stream(self, after, last_event_id)
        try:
            yield stream
        finally:
            stream.close()


def signed(secret: str, claims: Json, header: Json | None = None) -> str:
    """A token of one's own making."""

    def part(value: bytes) -> str:
        return base64.urlsafe_b64encode(value).rstrip(b"=").decode()

    head = part(json.dumps(header or {"alg": "HS256", "typ": "JWT"}).encode())
    signing = f"{head}.{part(json.dumps(claims).encode())}"
    return f"{signing}.{part(hmac.new(secret.encode(), signing.encode(), hashlib.sha256).digest())}"


def claims(**changed: Any) -> Json:
    now = int(time.time())
    return {"aud": "covan-web", "sub": "A" * 24, "iat": now, "exp": now + 100, **changed}


@pytest.fixture
def visitor(channels: Channels) -> Visitor:
    return Visitor(channels.url)


# --- who comes in ---------------------------------------------------------------------------------------------------


def test_the_server_gives_out_sessions_and_renews_them(visitor: Visitor, channels: Channels) -> None:
    answer = visitor.post("session", {"language": "vi"}, 201)
    renewed = Visitor(channels.url, answer["token"])

    assert renewed.sender == visitor.sender
    assert answer["expires_at"] > time.time() + 29 * 24 * 3600
    assert Visitor(channels.url).sender != visitor.sender


def test_a_token_that_the_server_did_not_give_out_opens_nothing(visitor: Visitor, channels: Channels) -> None:
    secret, mine = channels.web_secret, visitor.sender.removeprefix("web:")
    assert Visitor(channels.url, signed(secret, claims(sub=mine))).ask("GET", "messages").is_success
    for forged in (
        signed("another-secret-32-characters-long", claims(sub=mine)),
        signed(secret, claims(sub=mine, exp=int(time.time()) - 1)),
        signed(secret, claims(sub=mine), {"alg": "none", "typ": "JWT"}),
        signed(secret, claims(sub=mine), {"alg": "none"}).rpartition(".")[0] + ".",
        signed(secret, claims(sub=mine, aud="another")),
        visitor.token[:-3] + "AAA",
        "x",
    ):
        stranger = Visitor(channels.url, forged)
        for method, path in (("GET", "messages"), ("GET", "events"), ("DELETE", "conversation")):
            answer = stranger.ask(method, path)
            assert (answer.status_code, answer.json()["error"]) == (401, "session_expired")


def test_another_website_comes_in_only_when_it_is_on_the_list(channels: Channels) -> None:
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    with httpx.Client(trust_env=False, base_url=f"{channels.url}/webhooks/web") as client:
        for origin, allowed in (
            (channels.web_origin, True),
            (channels.url, True),
            ("https://evil.example", False),
            ("null", False),
        ):
            before = client.options("/messages", headers={"Origin": origin, **asked})
            answer = client.post("/session", json={}, headers={"Origin": origin})
            assert (before.status_code, answer.status_code) == ((204, 201) if allowed else (403, 403))
            for each in (before, answer):
                assert each.headers.get("access-control-allow-origin") == (origin if allowed else None)
                assert each.headers["vary"] == "Origin"
            assert (
                "authorization" in before.headers.get("access-control-allow-headers", "").lower()
            ) is allowed


def test_health_is_told_to_everybody(channels: Channels) -> None:
    assert httpx.get(f"{channels.url}/webhooks/web/", trust_env=False).json() == {"status": "ok"}


# --- a conversation -------------------------------------------------------------------------------------------------


def test_a_question_is_answered_on_the_stream_with_its_source(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        visitor.says(LIBRARY, "client-id-0001")
        [answer] = tab.of_bot(1)

        assert LIBRARY_CLOSES in answer["text"]
        assert answer["citations"]
        assert answer["thumbs"]
        assert tab.messages[0]["text"] == LIBRARY
        assert tab.messages[0]["facts"]["event_id"] == "client-id-0001"
        assert visitor.sender.removeprefix("web:") not in json.dumps(tab.messages)


def test_what_depends_on_the_cohort_is_asked_back_with_buttons(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        visitor.says(BY_COHORT)
        said = 1
        while not (answer := tab.of_bot(said)[-1])["citations"]:
            assert answer["options"], answer["text"]
            assert not any(option["id"].startswith("/") for option in answer["options"])
            visitor.presses(answer["options"][0])
            said += 1
        pressed = [m for m in tab.messages if m["author"] == "student"][1]

        assert said > 1
        assert pressed["text"]


def test_after_a_reload_and_in_a_second_tab_it_is_the_same_conversation(
    visitor: Visitor, channels: Channels
) -> None:
    with visitor.tab() as first, visitor.tab() as second:
        visitor.says(LIBRARY)
        first.of_bot(1)
        second.of_bot(1)
        assert first.messages == second.messages
        reloaded = Visitor(channels.url, visitor.token)

        assert reloaded.history() == first.messages
        assert reloaded.history(limit=1) == first.messages[-1:]
        assert reloaded.history(before=first.last) == first.messages[:-1]


def test_a_page_that_was_away_misses_nothing_and_gets_nothing_twice(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        visitor.says(LIBRARY)
        tab.of_bot(1)
        seen, last = list(tab.messages), tab.last
    visitor.says("cảm ơn")
    eventually(lambda: len(visitor.history()) >= 4)
    with visitor.tab(after=0, last_event_id=last) as tab:
        visitor.says("xin chào")
        tab.of_bot(2)
        assert [*seen, *tab.messages] == visitor.history()
        ids = [message["id"] for message in tab.messages]
        assert ids == sorted(set(ids))


def test_a_message_that_is_sent_again_is_answered_once(visitor: Visitor) -> None:
    with ThreadPoolExecutor(5) as at_once:
        list(at_once.map(lambda _: visitor.says(LIBRARY, "client-id-0001"), range(5)))
    with visitor.tab() as tab:
        visitor.says("cảm ơn", "client-id-0002")
        tab.of_bot(2)

        assert [message["author"] for message in visitor.history()].count("student") == 2
        assert sum(LIBRARY_CLOSES in text for text in tab.texts) == 1


def test_a_button_of_somebody_elses_is_worth_nothing(visitor: Visitor, channels: Channels) -> None:
    stranger = Visitor(channels.url)
    with visitor.tab() as mine, stranger.tab() as theirs:
        visitor.says(BY_COHORT)
        [asked] = mine.of_bot(1)
        stranger.presses(asked["options"][0])
        [told] = theirs.of_bot(1)

        assert told["author"] != "student"
        assert told["text"] != asked["text"]
        assert [message["author"] for message in theirs.messages] == [told["author"]]
        assert len(visitor.history()) == 2


@pytest.mark.parametrize("text", HOSTILE, ids=["tag", "rtl", "command", "event", "10000", "emoji"])
def test_hostile_text_is_text(visitor: Visitor, text: str) -> None:
    with visitor.tab() as tab:
        visitor.says(text)
        [answer] = tab.of_bot(1)

        assert answer["text"]
        mine = tab.messages[0]
        assert mine["author"] == "student"
        assert "\u202e" not in mine["text"]
        assert len(mine["text"]) <= 2_000


def test_too_large_a_request_is_refused(visitor: Visitor) -> None:
    answer = visitor.ask("POST", "messages", json={"id": "client-id-0001", "text": "x" * 70_000})

    assert (answer.status_code, answer.json()["error"]) == (413, "too_large")
    assert visitor.history() == []


def test_who_is_too_fast_is_refused_with_the_reason_and_what_was_taken_is_answered(visitor: Visitor) -> None:
    with visitor.tab() as tab:
        answers = [
            visitor.ask("POST", "messages", json={"id": f"client-id-{number:04}", "text": "cảm ơn"})
            for number in range(25)
        ]
        eventually(lambda: len([each for each in tab.messages if each["author"] == "bot"]) >= 20)

        assert [answer.status_code for answer in answers] == [202] * 20 + [429] * 5
        assert answers[-1].json()["error"] == "too_fast"
        assert len([each for each in tab.messages if each["author"] == "student"]) == 20


def test_a_flood_is_refused_before_it_reaches_the_database(visitor: Visitor) -> None:
    answers = [visitor.ask("GET", "messages") for _ in range(140)]
    refused = [answer for answer in answers if answer.status_code == 429]

    assert refused
    assert refused[0].json()["error"] == "too_many"
    assert int(refused[0].headers["retry-after"]) >= 1


def test_feedback_is_kept_with_the_answer(visitor: Visitor, channels: Channels) -> None:
    with visitor.tab() as tab:
        visitor.says(LIBRARY)
        [answer] = tab.of_bot(1)
    visitor.post("feedback", {"message": answer["id"], "good": True}, 204)
    visitor.post("feedback", {"message": answer["id"], "good": False, "reason": "thiếu cuối tuần"}, 204)
    stranger = Visitor(channels.url)
    stranger.post("feedback", {"message": answer["id"], "good": True}, 204)
    stranger.says("cảm ơn")
    eventually(lambda: len(stranger.history()) == 2)

    def rating() -> tuple[Any, ...] | None:
        with closing(sqlite3.connect(database(channels), timeout=30)) as store:
            query = "SELECT good, reason FROM channel_ratings WHERE said_id = ?"
            found: tuple[Any, ...] | None = store.execute(query, (answer["id"],)).fetchone()
            return found

    eventually(lambda: rating() == (0, "thiếu cuối tuần"))


def test_an_erased_conversation_is_gone_from_everywhere(visitor: Visitor, channels: Channels) -> None:
    with visitor.tab() as tab:
        visitor.says("mình học khóa 48")
        tab.of_bot(1)
        visitor.says(LIBRARY)
        tab.of_bot(2)
    answer = visitor.ask("DELETE", "conversation")

    assert (answer.status_code, answer.content) == (204, b"")
    assert visitor.history() == []
    kept = channels.servers.tracker(visitor.sender, "ALL")
    assert not any(event["event"] == "user" for event in kept["events"])
    with closing(sqlite3.connect(database(channels), timeout=30)) as store:
        for table in ("said", "turns", "calls", "options", "senders"):
            query = f"SELECT count(*) FROM channel_{table} WHERE sender = ?"
            assert store.execute(query, (visitor.sender.removeprefix("web:"),)).fetchone() == (0,)
    with visitor.tab() as tab:
        visitor.says(LIBRARY)
        assert LIBRARY_CLOSES in tab.of_bot(1)[0]["text"]


# --- a person -------------------------------------------------------------------------------------------------------


def test_an_advisors_late_answer_arrives_on_the_page(visitor: Visitor, channels: Channels) -> None:
    advisors = httpx.Client(
        base_url=f"{channels.url}/webhooks/advisors",
        headers={"Authorization": f"Bearer {channels.advisor_token}"},
        trust_env=False,
        timeout=ENOUGH_S,
    )
    sender = visitor.sender.removeprefix("web:")
    with advisors, visitor.tab() as tab:
        visitor.post("messages", {"id": "client-id-0001", "command": "advisor"})
        said = tab.of_bot(1)
        if not waiting(advisors, sender):  # the bot asks first whether a person is wanted
            visitor.presses(said[-1]["options"][0])
        found = eventually(lambda: waiting(advisors, sender))
        eventually(lambda: tab.states[-1]["with_advisor"] == "waiting")
        reply = advisors.post(
            f"/conversations/{found['id']}/reply", json={"by": "Cô Lan", "text": "Chào em <b>"}
        )
        assert reply.status_code == 202, reply.text
        told = eventually(lambda: next((m for m in tab.messages if m["author"] == "advisor"), None))

        assert (told["text"], told["by"]) == ("Chào em <b>", "Cô Lan")
        eventually(lambda: tab.states[-1]["with_advisor"] == "taken")


def waiting(advisors: httpx.Client, sender: str) -> Json | None:
    found = advisors.get("/conversations", params={"status": "waiting"}).json()["conversations"]
    return next((each for each in found if each["sender"] == sender), None)


# --- restarts, several servers -------------------------------------------------------------------


def test_rasa_away_or_restarting_is_invisible_to_the_page(visitor: Visitor, channels: Channels) -> None:
    with visitor.tab() as tab:
        visitor.says("xin chào")
        tab.of_bot(1)
        with channels.servers.without("rasa"):
            visitor.says(LIBRARY)
            # The health may be that of the moment before.
            eventually(lambda: httpx.get(f"{channels.url}/api/health", trust_env=False).status_code == 503)
        assert LIBRARY_CLOSES in tab.of_bot(2)[1]["text"]
        assert not tab.ended


def test_rasa_takes_nothing_without_the_token(channels: Channels) -> None:
    url = f"{channels.servers.rasa_url}/webhooks/internal"
    with httpx.Client(trust_env=False) as client:
        for path in ("turn", "response", "language", "forget"):
            body = {"sender": "web:x", "message": "xin chào", "name": "utter_help"}
            for headers in ({}, {"Authorization": "Bearer x"}, {"Authorization": "Bearer é".encode()}):
                assert client.post(f"{url}/{path}", json=body, headers=headers).status_code == 401
        for path in ("web/session", "telegram/webhook", "messenger/webhook", "rest/webhook"):
            assert client.post(f"{channels.servers.rasa_url}/webhooks/{path}", json={}).status_code == 404


def test_a_message_that_was_taken_is_answered_after_a_crash_and_the_page_goes_on(
    visitor: Visitor, channels: Channels
) -> None:
    with visitor.tab() as tab:
        visitor.says("xin chào")
        tab.of_bot(1)
        seen, last = list(tab.messages), tab.last
        visitor.says(LIBRARY)
        with channels.servers.without("channels"):
            eventually(lambda: tab.ended)
            seen += [message for message in tab.messages if message["id"] > last]
            last = seen[-1]["id"]
    with visitor.tab(last_event_id=last) as tab:
        eventually(lambda: any(LIBRARY_CLOSES in text for text in tab.texts + [m["text"] for m in seen]))
        visitor.says("cảm ơn")
        eventually(lambda: len(visitor.history()) >= 6)
        eventually(lambda: [*seen, *tab.messages] == visitor.history())
        assert sum(LIBRARY_CLOSES in message["text"] for message in visitor.history()) == 1


def test_a_server_that_is_stopped_ends_its_streams_itself(visitor: Visitor, channels: Channels) -> None:
    with visitor.tab() as tab, channels.servers.without("channels", signal.SIGTERM):
        eventually(lambda: tab.ended)
        # Not broken off in the middle, as when a server that does not stop is killed.
        assert tab.ended_well
    log = channels.servers.log("channels").read_text(encoding="utf-8", errors="replace")
    assert "Task was destroyed" not in log


@pytest.fixture(scope="module")
def replicas(channels: Channels, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[RealServers]]:
    """Two front doors of one school, each with a Rasa: one database, one Redis."""
    redis = RealRedis()
    redis.start()
    folder = tmp_path_factory.mktemp("replicas")
    both: list[RealServers] = []
    try:
        for _ in range(2):
            servers = RealServers(
                folder, names=WITH_CHANNELS, redis_url=redis.url, web_secret=channels.web_secret
            )
            both.append(servers)
            servers.up()
        yield both
    finally:
        for servers in both:
            servers.close()
        redis.stop()


def test_what_is_written_to_one_server_arrives_on_the_stream_of_another(
    replicas: list[RealServers],
) -> None:
    one, other = replicas
    here = Visitor(one.url)
    there = Visitor(other.url, here.token)
    with here.tab() as near, there.tab() as far:
        here.says(LIBRARY, "client-id-0001")
        assert LIBRARY_CLOSES in far.of_bot(1)[0]["text"]
        there.says(LIBRARY, "client-id-0001")
        there.says(BY_COHORT, "client-id-0002")
        asked = near.of_bot(2)[-1]
        here.presses(asked["options"][0])
        far.of_bot(3)
        near.of_bot(3)

        assert near.messages == far.messages == here.history() == there.history()
        assert [message["author"] for message in near.messages].count("student") == 3


def database(channels: Channels) -> Path:
    return channels.servers.settings.state_dir / "channels.sqlite"
