"""The front door with the page: its files, its health, its limits, and that there is nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from front_door_server import NO_RASA, serving

from channels.app import create_app
from channels.front_door import FrontDoor
from channels.page.routes import page_routes
from channels.page.school_names import SchoolFiles
from channels.web.limits import WRITES_PER_MINUTE_OF_A_SESSION
from rag.errors import SettingsError
from rag.settings import Settings


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
def settings(tmp_path: Path, knowledge: Path) -> Settings:
    return Settings(
        knowledge_dir=knowledge,
        state_dir=tmp_path,
        rasa_urls=NO_RASA,
        web_secret="a secret of the tests with forty letters",
        advisor_token="a token of the tests with forty letters",
        consent_url="https://www.example.edu.vn/quyen-rieng-tu",
    )


@pytest.fixture
def page(settings: Settings, dist: Path) -> Iterator[httpx.Client]:
    door = FrontDoor(settings)
    with (
        serving(create_app(door, dist), door.stop, door.connections) as url,
        httpx.Client(base_url=url, trust_env=False, timeout=20) as client,
    ):
        yield client


@pytest.mark.parametrize(
    "route",
    [
        *("POST /webhooks/web/webhook", "POST /webhooks/rest/webhook", "POST /webhooks/internal/turn"),
        *("POST /webhooks/telegram/webhook", "GET /webhooks/models/", "GET /conversations/x/tracker"),
        *("PUT /model", "GET /status", "PUT /webhooks/web/session", "PATCH /webhooks/web/messages"),
        *("GET /webhooks/web/../rest/", "GET /webhooks/web/%2e%2e/rest/", "GET /webhooks/web/events/../x"),
        *("GET /webhooks/web/session", "POST /webhooks/web/events", "GET /webhooks/web//events"),
        "TRACE /webhooks/web/messages",
    ],
)
def test_there_is_no_other_address(page: httpx.Client, route: str) -> None:
    method, path = route.split()

    assert page.request(method, path).status_code in (404, 405)


def test_the_advisors_api_is_closed_to_what_a_proxy_hands_on(page: httpx.Client, settings: Settings) -> None:
    token = {"Authorization": f"Bearer {settings.advisor_token.get_secret_value()}"}
    path = "/webhooks/advisors/conversations"

    assert page.get(path, headers=token).status_code == 200
    assert page.get(path).status_code == 401
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "CF-Connecting-IP", "True-Client-IP"):
        assert page.get(path, headers={**token, header: "203.0.113.9"}).status_code == 404


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("tuvan.example.edu.vn", 404),
        ("127.0.0.1.example.com", 404),
        ("8.8.8.8:8000", 404),
        ("[", 404),
        ("localhost:8000", 200),
        ("127.0.0.1", 200),
        ("[::1]:8000", 200),
    ],
)
def test_the_advisors_api_is_closed_to_who_calls_it_by_a_name(
    page: httpx.Client, settings: Settings, host: str, status: int
) -> None:
    """A page in an advisor's browser may reach this machine under a name of its own (DNS rebinding)."""
    token = {"Authorization": f"Bearer {settings.advisor_token.get_secret_value()}"}

    answer = page.get("/webhooks/advisors/conversations", headers={**token, "Host": host})

    assert answer.status_code == status


def test_while_rasa_is_away_the_page_works_and_health_says_so(page: httpx.Client) -> None:
    health = page.get("/api/health")
    session = page.post("/webhooks/web/session", json={})
    taken = page.post(
        "/webhooks/web/messages",
        json={"id": "client-id-0001", "text": "học phí?"},
        headers={"Authorization": f"Bearer {session.json()['token']}"},
    )

    told = health.json()
    assert (health.status_code, told["status"]) == (503, "unavailable")
    assert (told["rasa"], told["database"]) == (False, True)
    assert (told["connections"]["open"], told["refused"]) == (1, {})
    assert (session.status_code, taken.status_code) == (201, 202)


def test_a_flood_of_one_visitor_is_stopped_and_others_are_not(page: httpx.Client) -> None:
    def visitor() -> dict[str, str]:
        token = page.post("/webhooks/web/session", json={}).json()["token"]
        return {"Authorization": f"Bearer {token}"}

    def write(headers: dict[str, str], number: int) -> httpx.Response:
        body = {"id": f"client-id-{number:04}", "text": "x"}
        return page.post("/webhooks/web/messages", json=body, headers=headers)

    flooding, other = visitor(), visitor()
    answers = [write(flooding, 0)]
    # On a slow machine a part of the minute goes by, and more messages are let through.
    while len(answers) < 4 * WRITES_PER_MINUTE_OF_A_SESSION and answers[-1].json().get("error") != "too_many":
        answers.append(write(flooding, len(answers)))

    assert answers[0].status_code == 202
    assert (answers[-1].status_code, answers[-1].json()["error"]) == (429, "too_many")
    assert len(answers) > WRITES_PER_MINUTE_OF_A_SESSION
    assert int(answers[-1].headers["retry-after"]) > 0
    assert page.get("/webhooks/web/messages", headers=flooding).status_code == 200
    assert write(other, 1).status_code == 202


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
        page_routes(Settings(), tmp_path, dict)
