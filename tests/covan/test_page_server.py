"""The page's server hands on what it should, refuses the rest in words, and lets nothing else through."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from page_server import serving
from rasa_stand_in import RasaStandIn, rasa_stand_in

from covan.page import rasa as page_rasa
from covan.page.guards import MAX_BODY_BYTES, MessageRate
from covan.page.locale import preferred, texts
from covan.page.school import SchoolFiles
from covan.page.server import create_app
from rag.errors import SettingsError
from rag.settings import Settings

SENDER = "test-sender-0001"


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>chat</title>")
    (folder / "assets" / "index-abc.js").write_text("1")
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
def rasa() -> Iterator[RasaStandIn]:
    with rasa_stand_in(
        lambda turn: [{"text": f"nhận: {turn.get('message') or turn.get('payload')}"}]
    ) as stand_in:
        yield stand_in


@pytest.fixture
def page(rasa: RasaStandIn, dist: Path, knowledge: Path) -> Iterator[httpx.Client]:
    app = create_app(Settings(knowledge_dir=knowledge), dist=dist, rasa_url=rasa.url)
    with serving(app) as url, httpx.Client(base_url=url, trust_env=False, timeout=20) as client:
        yield client


def test_a_typed_message_reaches_rasa_and_its_answer_comes_back(
    page: httpx.Client, rasa: RasaStandIn
) -> None:
    answer = page.post("/api/chat", json={"sender": SENDER, "message": "/học phí?"})

    assert answer.status_code == 200
    assert answer.json() == [{"recipient_id": SENDER, "text": "nhận: /học phí?"}]
    assert rasa.turns == [{"sender": SENDER, "message": "/học phí?"}]


def test_a_pressed_button_reaches_rasa_as_a_payload(page: httpx.Client, rasa: RasaStandIn) -> None:
    page.post("/api/chat", json={"sender": SENDER, "payload": '/inform{"cohort": "47"}'})

    assert rasa.turns == [{"sender": SENDER, "payload": '/inform{"cohort": "47"}'}]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 60_000,
        b'{"sender": "test-sender-0001"}',
        b'{"message": "x"}',
        b'{"sender": "test-sender-0001", "message": "x", "payload": "/y"}',
        b'{"sender": "test-sender-0001", "message": 3}',
        b'{"sender": "short", "message": "x"}',
        b'{"sender": "../../conversations", "message": "x"}',
        b'{"sender": "test-sender-0001", "message": "x", "metadata": {}}',
        b'{"sender": "test-sender-0001", "payload": "/' + b"x" * 1_000 + b'"}',
    ],
)
def test_what_is_no_turn_is_refused_and_never_reaches_rasa(
    page: httpx.Client, rasa: RasaStandIn, body: bytes
) -> None:
    answer = page.post("/api/chat", content=body, headers={"Content-Type": "application/json"})

    assert answer.status_code == 400
    assert answer.json()["message"] == texts("vi")["bad_request"]
    assert rasa.turns == []


def test_half_a_character_is_no_reason_to_refuse_a_question(page: httpx.Client, rasa: RasaStandIn) -> None:
    body = b'{"sender": "test-sender-0001", "message": "h\\ud800\\u1ecdc ph\\u00ed \\ud83d\\udc4d"}'

    answer = page.post("/api/chat", content=body, headers={"Content-Type": "application/json"})

    assert answer.status_code == 200
    assert rasa.turns[0]["message"] == "h?ọc phí 👍"


def test_a_form_of_another_site_cannot_write(page: httpx.Client, rasa: RasaStandIn) -> None:
    body = '{"sender": "test-sender-0001", "message": "x"}'

    answer = page.post("/api/chat", content=body, headers={"Content-Type": "text/plain"})

    assert answer.status_code == 415
    assert rasa.turns == []


def test_a_body_over_the_limit_is_refused(page: httpx.Client, rasa: RasaStandIn) -> None:
    def endless() -> Iterator[bytes]:
        yield b'{"sender": "test-sender-0001", "message": "'
        for _ in range(MAX_BODY_BYTES // 1024):
            yield b"x" * 1024
        yield b'"}'

    answer = page.post("/api/chat", content=endless(), headers={"Content-Type": "application/json"})

    assert answer.status_code == 413
    assert rasa.turns == []


def test_when_rasa_fails_the_student_is_told_politely_in_their_language(
    page: httpx.Client, rasa: RasaStandIn
) -> None:
    rasa.status = 500

    answer = page.post(
        "/api/chat", json={"sender": SENDER, "message": "x"}, headers={"Accept-Language": "en-GB,vi;q=0.5"}
    )

    assert answer.status_code == 503
    assert answer.json() == {"error": "unavailable", "message": texts("en")["unavailable"]}


def test_when_rasa_is_gone_the_page_says_so(dist: Path, knowledge: Path) -> None:
    app = create_app(Settings(knowledge_dir=knowledge), dist=dist, rasa_url="http://127.0.0.1:9")
    with serving(app) as url, httpx.Client(base_url=url, trust_env=False) as client:
        answer = client.post("/api/chat", json={"sender": SENDER, "message": "x"})
        health = client.get("/api/health")

    assert (answer.status_code, answer.json()["message"]) == (503, texts("vi")["unavailable"])
    assert (health.status_code, health.json()) == (503, {"status": "unavailable", "rasa": False})


def test_an_answer_that_takes_too_long_ends_in_an_apology(
    page: httpx.Client, rasa: RasaStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_rasa, "ANSWER_TIMEOUT_S", 0.2)
    rasa.delay_s = 5

    answer = page.post("/api/chat", json={"sender": SENDER, "message": "x"})

    assert (answer.status_code, answer.json()["error"]) == (504, "timeout")


def test_a_flood_of_one_sender_is_stopped_and_others_are_not(
    rasa: RasaStandIn, dist: Path, knowledge: Path
) -> None:
    app = create_app(
        Settings(knowledge_dir=knowledge), dist=dist, rasa_url=rasa.url, rate=MessageRate(3, per_address=100)
    )
    with serving(app) as url, httpx.Client(base_url=url, trust_env=False) as client:
        codes = [
            client.post("/api/chat", json={"sender": SENDER, "message": "x"}).status_code for _ in range(5)
        ]
        other = client.post("/api/chat", json={"sender": "another-sender", "message": "x"})

    assert codes == [200, 200, 200, 429, 429]
    assert other.status_code == 200


def test_new_senders_do_not_get_round_the_limit_of_an_address(
    rasa: RasaStandIn, dist: Path, knowledge: Path
) -> None:
    app = create_app(
        Settings(knowledge_dir=knowledge), dist=dist, rasa_url=rasa.url, rate=MessageRate(3, per_address=4)
    )
    with serving(app) as url, httpx.Client(base_url=url, trust_env=False) as client:
        codes = [
            client.post("/api/chat", json={"sender": f"sender-{number:04}", "message": "x"}).status_code
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


def test_nothing_outside_the_built_page_is_served(page: httpx.Client, dist: Path) -> None:
    (dist.parent / "secret.txt").write_text("secret")
    (dist / "link.txt").symlink_to(dist.parent / "secret.txt")

    for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "/link.txt"):
        assert page.get(path).status_code == 404


def test_the_school_is_shown_with_its_topics(page: httpx.Client) -> None:
    school = page.get("/api/school").json()

    assert (school["name"], school["name_en"], school["short"]) == ("Trường Thử", "Test School", "TT")
    assert school["topics"] == [
        {"id": "study", "name": "Học vụ", "name_en": "Studies", "description": "", "examples": ["Hỏi gì?"]}
    ]
    assert school["max_question_chars"] == 2_000
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
