"""`covan doctor --channel web` and `advisors`: before servers that are right, wrong, or not there."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import advisor_api
import pytest
from advisor_api import Office
from command_line import covan
from pydantic import SecretStr
from reserved_ports import reserve_port

from covan import advisors_setup, web_setup
from covan.diagnosis import Finding, Level
from rag.settings import Settings, settings

TOKEN = "a-token-for-advisors-with-forty-letters-"
SECRET = "a-secret-for-sessions-with-forty-letters"
SITE = "https://www.example.edu.vn"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    told = Settings(advisor_token=SecretStr(TOKEN), web_secret=SecretStr(SECRET), web_origins=SITE)
    with advisor_api.office(tmp_path_factory.mktemp("office"), told) as running:
        yield running


@pytest.fixture
def right(office: Office, tmp_path: Path) -> Settings:
    """The settings that the server was started with."""
    return Settings(
        state_dir=tmp_path,
        page_port=office.port,
        advisor_token=SecretStr(TOKEN),
        web_secret=SecretStr(SECRET),
        web_origins=SITE,
        public_url="",
    )


def levels(findings: list[Finding]) -> Mapping[str, Level]:
    """The worst of each name."""
    order = (Level.OK, Level.WARN, Level.FAIL)
    return {
        name: max((f.level for f in findings if f.name == name), key=order.index)
        for name in {finding.name for finding in findings}
    }


def told(findings: list[Finding], level: Level) -> str:
    return "\n".join(f"{f.message} → {f.mend}" for f in findings if f.level is level)


@contextmanager
def always(status: int, headers: Mapping[str, str] | None = None) -> Iterator[str]:
    """A server that answers everything alike: another program, or a proxy that hands on what it should not."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_POST = do_OPTIONS = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2])


def nobody() -> int:
    """A port at which there is nothing."""
    return reserve_port()


# --- the website --------------------------------------------------------------------------------------------------


def test_a_website_that_is_set_up_is_found_so(right: Settings) -> None:
    found = web_setup.check(right)

    assert [finding for finding in found if finding.level is not Level.OK] == []
    assert levels(found).keys() == {
        "Website secret",
        "Website origins",
        "Website server",
        "Website session",
        "Website events",
    }
    messages = told(found, Level.OK)
    assert f"a page of {SITE} may hold the chat" in messages
    assert "a page of another website is refused" in messages


def test_a_website_that_the_front_door_does_not_know_yet_is_told_to_restart(right: Settings) -> None:
    found = web_setup.check(right.model_copy(update={"web_origins": f"{SITE}, https://khoa.example.edu.vn/"}))

    assert "a page of https://khoa.example.edu.vn is refused → Restart Covan" in told(found, Level.FAIL)
    assert f"a page of {SITE} may hold the chat" in told(found, Level.OK)


@pytest.mark.parametrize(
    ("origin", "why"),
    [
        ("https://www.example.edu.vn", ""),
        ("https://www.example.edu.vn/", ""),
        ("https://www.example.edu.vn:8443", ""),
        ("http://localhost:8000", ""),
        ("http://127.0.0.1", ""),
        ("http://[::1]:3000", ""),
        ("*", "every website in the world"),
        ("null", "https://"),
        ("www.example.edu.vn", "https://"),
        ("ftp://www.example.edu.vn", "https://"),
        ("http://www.example.edu.vn", "https://"),
        ("http://localhost.example.com", "https://"),
        ("https://www.example.edu.vn/chat", "address alone"),
        ("https://www.example.edu.vn//", "address alone"),
        ("https://*.example.edu.vn", "address alone"),
        ("https://www.example.edu.vn?x", "address alone"),
        ("https://name@www.example.edu.vn", "address alone"),
        ("https://WWW.example.edu.vn", "small letters"),
        ("https://", "address alone"),
    ],
)
def test_a_website_is_named_by_its_address_alone(origin: str, why: str) -> None:
    told_why = web_setup.wrong_with(origin)

    assert why in told_why
    assert bool(told_why) == bool(why)


def test_a_website_that_is_named_wrongly_is_told_with_the_right_form(right: Settings) -> None:
    found = web_setup.check(right.model_copy(update={"web_origins": "http://www.example.edu.vn/chat"}))

    assert levels(found)["Website origins"] is Level.FAIL
    assert "Write it in COVAN_WEB_ORIGINS as https://www.example.edu.vn" in told(found, Level.FAIL)


@pytest.mark.parametrize(
    ("secret", "level"),
    [("", Level.FAIL), ("short", Level.FAIL), ("x" * 16, Level.WARN), ("x" * 32, Level.OK)],
)
def test_the_secret_is_long_enough(right: Settings, secret: str, level: Level) -> None:
    found = web_setup.check(right.model_copy(update={"web_secret": SecretStr(secret)}))

    assert levels(found)["Website secret"] is level
    assert not secret or secret not in told(found, level)


def test_no_website_is_a_warning(right: Settings) -> None:
    assert (
        levels(web_setup.check(right.model_copy(update={"web_origins": ""})))["Website origins"] is Level.WARN
    )


def test_that_nothing_runs_is_told(right: Settings) -> None:
    found = web_setup.check(right.model_copy(update={"page_port": nobody()}))

    assert "cannot be reached: ConnectError → Is Covan running" in told(found, Level.FAIL)
    assert "Website session" not in levels(found)


@pytest.mark.parametrize(
    ("status", "why"),
    [(404, "the channel is not open there"), (503, "no model is loaded"), (500, "answers 500")],
)
def test_a_channel_that_is_not_open_is_told(right: Settings, status: int, why: str) -> None:
    with always(status) as url:
        found = web_setup.check(right.model_copy(update={"page_port": port_of(url)}))

    assert levels(found)["Website server"] is Level.FAIL
    assert why in told(found, Level.FAIL)


def test_a_server_that_lets_every_website_in_is_told(right: Settings) -> None:
    open_to_all = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Headers": "Authorization, Content-Type",
        "Access-Control-Allow-Methods": "GET, POST",
    }
    with always(200, open_to_all) as url:
        found = web_setup.check(right.model_copy(update={"page_port": port_of(url)}))

    assert "a page of any website may hold the chat" in told(found, Level.FAIL)
    assert levels(found)["Website session"] is Level.FAIL


def test_the_public_address_is_looked_at_too(right: Settings, office: Office) -> None:
    assert (
        levels(web_setup.check(right.model_copy(update={"public_url": office.url})))["Website address"]
        is Level.OK
    )
    with always(404) as url:
        found = web_setup.check(right.model_copy(update={"public_url": f"{url}/"}))

    assert levels(found)["Website address"] is Level.FAIL
    assert levels(found)["Website server"] is Level.OK


# --- the advisors -------------------------------------------------------------------------------------------------


def test_advisors_who_are_set_up_are_found_so(right: Settings) -> None:
    found = advisors_setup.check(right)

    assert [finding for finding in found if finding.level is not Level.OK] == []
    assert "refuses who has no token" in told(found, Level.OK)


@pytest.mark.parametrize(("token", "level"), [("", Level.FAIL), ("x" * 31, Level.WARN), ("x" * 32, Level.OK)])
def test_the_token_is_long_enough(right: Settings, token: str, level: Level) -> None:
    found = advisors_setup.check(right.model_copy(update={"advisor_token": SecretStr(token)}))

    assert levels(found)["Advisors' token"] is level
    assert not token or token not in told(found, level)


def test_a_token_that_the_front_door_does_not_have_is_told(right: Settings) -> None:
    found = advisors_setup.check(right.model_copy(update={"advisor_token": SecretStr("x" * 40)}))

    assert "does not accept this token" in told(found, Level.FAIL)


def test_that_nothing_runs_for_advisors_is_told(right: Settings) -> None:
    found = advisors_setup.check(right.model_copy(update={"page_port": nobody()}))

    assert "Nothing answers at" in told(found, Level.FAIL)


def test_an_api_that_is_open_to_the_world_is_told(right: Settings, office: Office) -> None:
    found = advisors_setup.check(right.model_copy(update={"public_url": office.url}))
    assert "is open to the world → The proxy must refuse" in told(found, Level.FAIL)

    with always(404) as proxy:
        found = advisors_setup.check(right.model_copy(update={"public_url": proxy}))
    assert levels(found)["Advisors' address"] is Level.OK


def test_what_has_not_arrived_is_a_warning(right: Settings, office: Office) -> None:
    number = office.asked("an", refused="blocked")
    headers = {"Authorization": f"Bearer {TOKEN}"}
    office.client.post(
        f"{office.url}/webhooks/advisors/conversations/{number}/take", json={"by": "Lan"}, headers=headers
    ).raise_for_status()
    while not office.client.get(f"{office.url}/webhooks/advisors/undelivered", headers=headers).json()[
        "calls"
    ]:
        pass

    found = advisors_setup.check(right)

    assert "have not reached a student → Run: covan queue --undelivered" in told(found, Level.WARN)


# --- the command --------------------------------------------------------------------------------------------------


def test_the_command_looks_at_the_channels_that_are_named(
    right: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COVAN_STATE_DIR", str(right.state_dir))
    monkeypatch.setenv("COVAN_PAGE_PORT", str(right.page_port))
    monkeypatch.setenv("COVAN_WEB_SECRET", SECRET)
    monkeypatch.setenv("COVAN_WEB_ORIGINS", SITE)
    monkeypatch.setenv("COVAN_ADVISOR_TOKEN", "")
    settings.cache_clear()

    result = covan("doctor", "--channel", "web", "--channel", "advisors", "--json")
    settings.cache_clear()

    report = json.loads(result.stdout)
    assert result.exit_code == 1
    assert {check["name"].split()[0] for check in report["checks"]} == {"Website", "Advisors'"}
    assert {check["level"] for check in report["checks"] if check["name"].startswith("Website")} == {"OK"}


@pytest.mark.parametrize("channel", ["telegram", "messenger", "zalo", "web", "advisors"])
def test_each_channel_can_be_looked_at_before_anything_is_set_up(
    channel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COVAN_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("COVAN_PAGE_PORT", str(nobody()))
    settings.cache_clear()

    result = covan("doctor", "--channel", channel, "--json")
    settings.cache_clear()

    checks = json.loads(result.stdout)["checks"]
    assert checks
    assert not [check for check in checks if "could not be checked" in check["message"]]
    assert all(check["mend"] for check in checks if check["level"] != "OK")


def test_an_unknown_channel_is_answered_with_those_that_there_are() -> None:
    result = covan("doctor", "--channel", "viber")

    assert result.exit_code == 2
    assert "'telegram', 'messenger', 'zalo', 'web', 'advisors'" in result.stderr
