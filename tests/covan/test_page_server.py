"""The page's server hands on what it should, refuses the rest in words, and lets nothing else through."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from page_server import serving
from web_channel import WebChannelStandIn, web_channel

from covan.page import rasa as page_rasa
from covan.page.guards import MAX_BODY_BYTES, MessageRate
from covan.page.locale import preferred, texts
from covan.page.school import SchoolFiles
from covan.page.server import create_app
from rag.errors import SettingsError
from rag.settings import Settings

TOKEN = {"Authorization": "Bearer token-of-a-visitor"}
MESSAGE = {"id": "client-id-0001", "text": "học phí?"}


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>chat</title>")
    (folder / "assets" / "index-abc.js").write_text("1")
    (folder / "widget.js").write_text("2")
    return folder


@pytest.fixture
def knowledge(tmp_path: Path) -> Path:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    (folder / "catalog.yml").write_text(
        "school: {name: Trường Thử, name_en: Test School, short: TT, phone: '1'}\ncohorts: []\n",
        encoding="utf-8",
    )
    (folder / "topics.yml").write_text(
        "- {id: study, name: Học vụ, name_en: Studies, office: x, examples: ['Hỏi gì?']}\n", encoding="utf-8"
    )
    return folder


@pytest.fixture
def rasa() -> Iterator[WebChannelStandIn]:
    with web_channel() as stand_in:
        yield stand_in


@pytest.fixture
def page(rasa: WebChannelStandIn, dist: Path, knowledge: Path) -> Iterator[httpx.Client]:
    settings = Settings(knowledge_dir=knowledge, consent_url="https://www.example.edu.vn/quyen-rieng-tu")
    with (
        serving(create_app(settings, dist=dist, rasa_url=rasa.url)) as url,
        httpx.Client(base_url=url, trust_env=False, timeout=20) as client,
    ):
        yield client


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    "route",
    [
        *("GET /", "POST /session", "GET /messages", "POST /messages", "GET /events", "POST /feedback"),
        *("DELETE /conversation", "OPTIONS /session", "OPTIONS /events", "OPTIONS /conversation"),
    ],
)
def test_each_route_of_the_channel_is_handed_on(
    page: httpx.Client, rasa: WebChannelStandIn, route: str
) -> None:
    method, path = route.split()
    rasa.ended.set()

    answer = page.request(method, f"/webhooks/web{path}?after=3&x=%C3%A9", headers=TOKEN)

    assert answer.status_code == 200
    assert [(asked.method, asked.path) for asked in rasa.asked] == [
        (method, f"/webhooks/web{path}?after=3&x=%C3%A9")
    ]


@pytest.mark.parametrize(
    "route",
    [
        *(
            "POST /webhooks/web/webhook",
            "POST /webhooks/rest/webhook",
            "GET /webhooks/advisors/conversations",
        ),
        *("POST /webhooks/telegram/webhook", "GET /webhooks/models/", "GET /conversations/x/tracker"),
        *("PUT /model", "GET /status", "PUT /webhooks/web/session", "PATCH /webhooks/web/messages"),
        *("GET /webhooks/web/../rest/", "GET /webhooks/web/%2e%2e/rest/", "GET /webhooks/web/events/../x"),
        *("GET /webhooks/web/session", "POST /webhooks/web/events", "GET /webhooks/web//events"),
        "TRACE /webhooks/web/messages",
    ],
)
def test_nothing_else_of_rasa_can_be_reached(page: httpx.Client, rasa: WebChannelStandIn, route: str) -> None:
    method, path = route.split()

    answer = page.request(method, path)

    assert answer.status_code in (404, 405)
    assert rasa.asked == []


def test_a_request_arrives_as_it_was_sent_and_with_the_address_of_who_sent_it(
    page: httpx.Client, rasa: WebChannelStandIn
) -> None:
    page.post(
        "/webhooks/web/messages",
        json=MESSAGE,
        headers={
            **TOKEN,
            "Accept-Language": "en",
            "Last-Event-ID": "7",
            "Origin": "https://www.example.edu.vn",
            "Cookie": "of=another-application",
            "X-Covan": "not ours",
        },
    )

    [asked] = rasa.asked
    assert json.loads(asked.body) == MESSAGE
    assert asked.headers["Content-Type"] == "application/json"
    assert asked.headers["Authorization"] == TOKEN["Authorization"]
    assert asked.headers["Accept-Language"] == "en"
    assert asked.headers["Last-Event-ID"] == "7"
    assert asked.headers["Origin"] == "https://www.example.edu.vn"
    assert asked.headers["Host"] == page.base_url.netloc.decode()
    assert asked.headers["X-Forwarded-For"] == "127.0.0.1"
    assert "Cookie" not in asked.headers
    assert "X-Covan" not in asked.headers


def test_behind_a_proxy_of_this_machine_the_visitors_address_is_handed_on_alone(
    page: httpx.Client, rasa: WebChannelStandIn
) -> None:
    page.get("/webhooks/web/messages", headers={"X-Forwarded-For": "6.6.6.6, 203.0.113.9"})

    assert rasa.asked[0].headers["X-Forwarded-For"] == "203.0.113.9"


def test_rasas_own_answers_come_back_with_what_belongs_to_them(
    page: httpx.Client, rasa: WebChannelStandIn
) -> None:
    headers = {
        "Content-Type": "application/json",
        "Retry-After": "3",
        "Vary": "Origin",
        "Access-Control-Allow-Origin": "https://www.example.edu.vn",
        "Server": "secret",
    }
    rasa.answers["POST /webhooks/web/messages"] = (429, headers, b'{"error": "too_many", "message": "later"}')

    answer = page.post("/webhooks/web/messages", json=MESSAGE, headers=TOKEN)

    assert (answer.status_code, answer.json()) == (429, {"error": "too_many", "message": "later"})
    assert answer.headers["retry-after"] == "3"
    assert answer.headers["vary"] == "Origin"
    assert answer.headers["access-control-allow-origin"] == "https://www.example.edu.vn"
    assert "server" not in answer.headers


def test_an_answer_without_a_body_has_none(page: httpx.Client, rasa: WebChannelStandIn) -> None:
    rasa.answers["DELETE /webhooks/web/conversation"] = (204, {}, b"")

    answer = page.delete("/webhooks/web/conversation", headers=TOKEN)

    assert (answer.status_code, answer.content) == (204, b"")


def test_events_come_while_the_stream_is_open(page: httpx.Client, rasa: WebChannelStandIn) -> None:
    with page.stream("GET", "/webhooks/web/events", headers=TOKEN) as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-accel-buffering"] == "no"
        parts = answer.iter_raw()
        assert next(parts) == rasa.event
        assert rasa.streams == 1
        rasa.ended.set()
        assert list(parts) == []


def test_a_page_that_goes_is_gone_for_rasa_too(page: httpx.Client, rasa: WebChannelStandIn) -> None:
    with page.stream("GET", "/webhooks/web/events", headers=TOKEN) as answer:
        next(answer.iter_raw())

    until(lambda: rasa.streams == 0)


def test_open_streams_do_not_take_the_place_of_messages(
    rasa: WebChannelStandIn, dist: Path, knowledge: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_rasa, "CONNECTIONS", 1)
    app = create_app(Settings(knowledge_dir=knowledge), dist=dist, rasa_url=rasa.url)
    with (
        serving(app) as url,
        httpx.Client(base_url=url, trust_env=False) as client,
        contextlib.ExitStack() as opened,
    ):
        for _ in range(5):
            opened.enter_context(client.stream("GET", "/webhooks/web/events", headers=TOKEN))
        until(lambda: rasa.streams == 5)

        assert client.get("/webhooks/web/messages", headers=TOKEN).status_code == 200


def test_a_body_over_the_limit_is_refused(page: httpx.Client, rasa: WebChannelStandIn) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(MAX_BODY_BYTES // 1024 + 1):
            yield b"x" * 1024

    answer = page.post("/webhooks/web/messages", content=endless(), headers=TOKEN)

    assert (answer.status_code, answer.json()["error"]) == (413, "too_large")
    assert rasa.asked == []


def test_headers_that_are_no_ascii_do_no_harm(page: httpx.Client, rasa: WebChannelStandIn) -> None:
    rasa.answers["GET /webhooks/web/messages"] = (
        401,
        {"Content-Type": "application/json"},
        b'{"error": "x"}',
    )

    answer = page.get("/webhooks/web/messages", headers={"Authorization": "Bearer é".encode()})

    assert answer.status_code == 401


@pytest.mark.parametrize("path", ["messages", "events"])
@pytest.mark.parametrize("status", [500, 502])
def test_when_rasa_fails_the_student_is_told_politely_in_their_language(
    page: httpx.Client, rasa: WebChannelStandIn, path: str, status: int
) -> None:
    rasa.answers[f"GET /webhooks/web/{path}"] = (status, {"Content-Type": "text/html"}, b"<h1>Traceback")

    answer = page.get(f"/webhooks/web/{path}", headers={"Accept-Language": "en-GB,vi;q=0.5"})

    assert answer.status_code == 503
    assert answer.json() == {"error": "unavailable", "message": texts("en")["unavailable"]}
    assert int(answer.headers["retry-after"]) > 0


def test_when_rasa_is_gone_the_page_says_so(dist: Path, knowledge: Path) -> None:
    app = create_app(Settings(knowledge_dir=knowledge), dist=dist, rasa_url="http://127.0.0.1:9")
    with serving(app) as url, httpx.Client(base_url=url, trust_env=False) as client:
        answer = client.post("/webhooks/web/messages", json=MESSAGE)
        stream = client.get("/webhooks/web/events")
        health = client.get("/api/health")

    assert (answer.status_code, answer.json()["message"]) == (503, texts("vi")["unavailable"])
    assert (stream.status_code, stream.json()["error"]) == (503, "unavailable")
    assert (health.status_code, health.json()) == (503, {"status": "unavailable", "rasa": False})


def test_an_answer_that_takes_too_long_ends_in_an_apology(
    page: httpx.Client, rasa: WebChannelStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_rasa, "ANSWER_TIMEOUT_S", 0.2)
    rasa.delay_s = 5

    answer = page.post("/webhooks/web/messages", json=MESSAGE)

    assert (answer.status_code, answer.json()["error"]) == (504, "timeout")


def test_a_stream_on_which_rasa_falls_silent_is_ended(
    page: httpx.Client, rasa: WebChannelStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_rasa, "SILENCE_TIMEOUT_S", 0.2)

    answer = page.get("/webhooks/web/events", headers=TOKEN)

    assert answer.content == rasa.event
    until(lambda: rasa.streams == 0)


def test_a_flood_of_one_visitor_is_stopped_and_others_are_not(
    rasa: WebChannelStandIn, dist: Path, knowledge: Path
) -> None:
    app = create_app(
        Settings(knowledge_dir=knowledge), dist=dist, rasa_url=rasa.url, rate=MessageRate(3, per_address=100)
    )
    with serving(app) as url, httpx.Client(base_url=url, trust_env=False) as client:
        answers = [client.post("/webhooks/web/messages", json=MESSAGE, headers=TOKEN) for _ in range(5)]
        other = client.post("/webhooks/web/messages", json=MESSAGE, headers={"Authorization": "Bearer other"})
        reading = client.get("/webhooks/web/messages", headers=TOKEN)
        new = [client.post("/webhooks/web/session", json={}) for _ in range(5)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert answers[-1].json()["message"] == texts("vi")["too_many"]
    assert {answer.status_code for answer in (other, reading, *new)} == {200}


def test_new_visitors_do_not_get_round_the_limit_of_an_address(
    rasa: WebChannelStandIn, dist: Path, knowledge: Path
) -> None:
    app = create_app(
        Settings(knowledge_dir=knowledge), dist=dist, rasa_url=rasa.url, rate=MessageRate(3, per_address=4)
    )
    with serving(app) as url, httpx.Client(base_url=url, trust_env=False) as client:
        codes = [
            client.post(
                "/webhooks/web/messages", json=MESSAGE, headers={"Authorization": f"Bearer {number}"}
            ).status_code
            for number in range(6)
        ]

    assert codes == [200] * 4 + [429] * 2


@pytest.mark.parametrize("path", ["/", "/assets/index-abc.js", "/api/school", "/api/health", "/missing"])
def test_every_answer_carries_the_security_headers(page: httpx.Client, path: str) -> None:
    headers = page.get(path).headers

    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


def test_built_files_are_kept_by_browsers_and_the_page_itself_is_not(page: httpx.Client) -> None:
    assert "immutable" in page.get("/assets/index-abc.js").headers["cache-control"]
    assert page.get("/").headers["cache-control"] == "no-cache"
    assert page.get("/assets/gone.js").headers["cache-control"] == "no-cache"


def test_the_widget_can_be_loaded_by_any_site_and_only_the_widget(page: httpx.Client) -> None:
    widget, asset = page.get("/widget.js"), page.get("/assets/index-abc.js")

    assert widget.headers["cross-origin-resource-policy"] == "cross-origin"
    assert widget.headers["access-control-allow-origin"] == "*"
    assert widget.headers["cache-control"] == "public, max-age=600"
    assert "content-security-policy" in widget.headers
    assert asset.headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in asset.headers
    again = page.get("/widget.js", headers={"If-None-Match": widget.headers["etag"]})
    assert (again.status_code, again.headers["cross-origin-resource-policy"]) == (304, "cross-origin")


def test_nothing_outside_the_built_page_is_served(page: httpx.Client, dist: Path) -> None:
    (dist.parent / "secret.txt").write_text("secret")
    (dist / "link.txt").symlink_to(dist.parent / "secret.txt")

    for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "/link.txt"):
        assert page.get(path).status_code == 404


def test_the_school_is_shown_with_its_topics(page: httpx.Client) -> None:
    answer = page.get("/api/school")
    school = answer.json()

    assert (school["name"], school["name_en"], school["short"]) == ("Trường Thử", "Test School", "TT")
    assert school["topics"] == [
        {"id": "study", "name": "Học vụ", "name_en": "Studies", "description": "", "examples": ["Hỏi gì?"]}
    ]
    assert school["max_question_chars"] == 2_000
    assert school["consent_url"] == "https://www.example.edu.vn/quyen-rieng-tu"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "phone" not in school


def test_a_catalogue_that_is_broken_by_an_edit_leaves_what_was_read_before(knowledge: Path) -> None:
    files = SchoolFiles(knowledge)
    before = files.read()

    (knowledge / "catalog.yml").write_text("school: [\n")
    os.utime(knowledge / "catalog.yml", (1, 1))

    assert files.read() == before


def test_a_changed_catalogue_is_read_again(knowledge: Path) -> None:
    files = SchoolFiles(knowledge)
    files.read()

    (knowledge / "catalog.yml").write_text("school: {name: Tên mới}\n", encoding="utf-8")
    os.utime(knowledge / "catalog.yml", (1, 1))

    assert files.read()[0].name == "Tên mới"


def test_a_folder_with_nothing_shows_a_nameless_page(tmp_path: Path) -> None:
    school, topics = SchoolFiles(tmp_path).read()

    assert (school.name, topics) == ("", ())


def test_a_page_that_was_not_built_is_told_with_the_command_that_builds_it(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="make setup"):
        create_app(Settings(), dist=tmp_path)


def test_both_languages_have_every_sentence() -> None:
    assert texts("vi").keys() == texts("en").keys()


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "vi"),
        ("en", "en"),
        ("en-US,en;q=0.9", "en"),
        ("fr,vi;q=0.8,en", "vi"),
        ("de", "vi"),
        (";;,", "vi"),
    ],
)
def test_the_language_is_the_browsers_first_that_we_have(header: str, language: str) -> None:
    assert preferred(header, "vi") == language
