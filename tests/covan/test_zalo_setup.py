"""An OA is set up by one command that waits for its administrator, and what is missing is told with what to do."""

from __future__ import annotations

import io
import re
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from command_line import covan
from front_door_server import ReadyRasa, serving
from pydantic import SecretStr
from reserved_ports import reserve_port
from rich.console import Console
from starlette.responses import PlainTextResponse
from zalo_api import ZaloApi

from channels.app import create_app
from channels.front_door import FrontDoor
from channels.zalo import authorization
from covan import zalo_setup
from covan.cli import EXIT_ERROR
from covan.diagnosis import Finding, Level
from covan.front_door import URL_FILE
from covan.zalo_setup import check, register, remove
from rag.errors import CovanError
from rag.settings import Settings

DEADLINE_S = 30.0


@pytest.fixture
def zalo() -> Iterator[ZaloApi]:
    api = ZaloApi()
    api.start()
    yield api
    api.stop()


@pytest.fixture
def right(zalo: ZaloApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """The settings of a front door that runs, which nobody has authorized yet."""
    monkeypatch.setattr(zalo_setup, "POLL_S", 0.05)
    settings = Settings().model_copy(
        update={
            "state_dir": tmp_path,
            "channels_db": f"sqlite:///{tmp_path / 'channels.sqlite'}",
            "zalo_app_id": zalo.app_id,
            "zalo_app_secret": SecretStr(zalo.app_secret),
            "zalo_oa_secret": SecretStr(zalo.oa_secret),
            "zalo_api_url": zalo.url,
            "zalo_oauth_url": zalo.url,
        }
    )
    page = tmp_path / "dist"
    page.mkdir()
    (page / "index.html").write_text("<!doctype html><title>chat</title>")
    door = FrontDoor(settings, ReadyRasa())  # type: ignore[arg-type]
    with serving(create_app(door, page), door.stop) as url:
        (tmp_path / URL_FILE).write_text(url)
        door.delivery.settings = settings.model_copy(update={"public_url": url})
        yield door.delivery.settings


class Administrator:
    """Reads what the command prints, opens the link in it, and agrees."""

    def __init__(self, zalo: ZaloApi, settings: Settings) -> None:
        self.printed = io.StringIO()
        self.answer: httpx.Response | None = None
        self._zalo = zalo
        self._settings = settings
        self._thread = threading.Thread(target=self._agree)

    def _agree(self) -> None:
        until = time.monotonic() + DEADLINE_S
        while time.monotonic() < until:
            if found := re.search(r"https?://\S+/v4/oa/permission\S+", self.printed.getvalue()):
                asked = httpx.URL(found[0]).params
                code = self._zalo.authorize(asked["code_challenge"])
                query = {"code": code, "oa_id": self._zalo.oa_id, "state": asked["state"]}
                self.answer = httpx.get(asked["redirect_uri"], params=query, trust_env=False)
                return
            time.sleep(0.02)

    def __enter__(self) -> Console:
        self._thread.start()
        return Console(file=self.printed, width=300)

    def __exit__(self, *_: object) -> None:
        self._thread.join()


def authorized(zalo: ZaloApi, settings: Settings) -> Administrator:
    administrator = Administrator(zalo, settings)
    with administrator as console:
        register(settings, console)
    return administrator


def by_name(found: list[Finding]) -> Mapping[str, Finding]:
    return {finding.name: finding for finding in found}


# --- setting up -------------------------------------------------------------------------------------------------------


def test_the_command_says_what_to_enter_and_waits_for_the_administrator(
    zalo: ZaloApi, right: Settings
) -> None:
    administrator = authorized(zalo, right)
    printed = administrator.printed.getvalue()

    assert f"Callback URL: {right.public_url}/webhooks/zalo/authorized" in printed
    assert f"Webhook → URL: {right.public_url}/webhooks/zalo/webhook" in printed
    assert "Gặp cố vấn: #gap-co-van" in printed
    assert "The OA Trường Đại học Mẫu has authorized the app" in printed
    assert administrator.answer is not None
    assert administrator.answer.text.startswith("Xong.")
    secrets = (zalo.access_token, zalo.refresh_token, zalo.app_secret, zalo.oa_secret)
    assert not any(secret in printed for secret in secrets)


def test_once_authorized_the_command_only_says_so(zalo: ZaloApi, right: Settings) -> None:
    authorized(zalo, right)
    console = Console(file=io.StringIO(), width=300)
    with console.capture() as captured:
        register(right, console)

    assert "has authorized the app" in captured.get()
    assert "permission" not in captured.get()


def test_taken_back_and_authorized_anew(zalo: ZaloApi, right: Settings) -> None:
    authorized(zalo, right)
    remove(right, Console(file=io.StringIO()))

    assert by_name(check(right))["Zalo's access"].level is Level.FAIL
    authorized(zalo, right)
    assert by_name(check(right))["Zalo's access"].level is Level.OK


def test_nobody_who_agrees_is_told_as_such(right: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zalo_setup, "WAIT_S", 0.2)
    with pytest.raises(CovanError, match="Nobody has authorized the app"):
        register(right, Console(file=io.StringIO()))


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ({"zalo_app_id": ""}, "Not set: COVAN_ZALO_APP_ID"),
        ({"zalo_app_secret": SecretStr(" ")}, "Not set: COVAN_ZALO_APP_SECRET"),
        ({"zalo_oa_secret": SecretStr("")}, "Not set: COVAN_ZALO_OA_SECRET. Zalo shows it at Webhook"),
        ({"public_url": ""}, "COVAN_PUBLIC_URL is not set"),
        ({"zalo_app_secret": SecretStr("another")}, "another COVAN_ZALO_APP_SECRET"),
    ],
)
def test_what_is_missing_is_named(right: Settings, missing: dict[str, object], told: str) -> None:
    printed = io.StringIO()
    with pytest.raises(CovanError, match=told):
        register(right.model_copy(update=missing), Console(file=printed, width=300))
    if "OA_SECRET" in told:
        assert "/webhooks/zalo/webhook" in printed.getvalue(), "the address is saved first"


def test_nothing_that_runs_is_told_as_such(right: Settings, tmp_path: Path) -> None:
    (tmp_path / URL_FILE).write_text(f"http://127.0.0.1:{reserve_port()}")
    with pytest.raises(CovanError, match="nothing answers at"):
        register(right, Console(file=io.StringIO()))
    assert by_name(check(right))["Zalo's access"].mend == zalo_setup.RESTART


# --- what is wrong ----------------------------------------------------------------------------------------------------


def test_all_that_is_right_is_said_so(zalo: ZaloApi, right: Settings) -> None:
    authorized(zalo, right)
    assert zalo.post(f"{right.public_url}/webhooks/zalo/webhook", zalo.message("31", "chào")).is_success
    found = check(right)

    assert [finding.level for finding in found] == [Level.OK] * 3
    assert found[0].message.startswith("to the OA Trường Đại học Mẫu; the token is renewed before 20")
    assert "answers in" in found[1].message
    assert found[2].message.startswith("the last came at 20")


def test_before_anybody_has_written_it_is_said_how_to_try(zalo: ZaloApi, right: Settings) -> None:
    authorized(zalo, right)
    students = by_name(check(right))["Zalo's messages"]

    assert (students.level, students.message) == (Level.WARN, "none has come yet")
    assert "syntax filter" in students.mend


def test_a_channel_nobody_uses_is_no_failure() -> None:
    (finding,) = check(Settings())
    assert (finding.level, finding.message) == (Level.WARN, "is not set up")


def test_half_of_the_settings_is_a_failure(right: Settings) -> None:
    (finding,) = check(right.model_copy(update={"zalo_oa_secret": SecretStr("")}))
    assert (finding.level, finding.message) == (Level.FAIL, "not set: COVAN_ZALO_OA_SECRET")


def test_a_lost_chain_says_what_to_do(zalo: ZaloApi, right: Settings) -> None:
    authorized(zalo, right)
    zalo.access_token = zalo.refresh_token = "of another app"
    with closing(sqlite3.connect(right.state_dir / "channels.sqlite")) as db, db:
        db.execute("UPDATE channel_tokens SET obtained_at = obtained_at - 3600")
    access = by_name(check(right))["Zalo's access"]

    assert access.level is Level.FAIL
    assert "Invalid refresh token" in access.message
    assert access.mend == "Run: covan channel zalo"


@pytest.mark.parametrize(
    ("status", "mend"), [(403, "OA_SECRET"), (404, "hand on"), (503, "database"), (502, "proxy")]
)
def test_a_webhook_that_does_not_take_events_says_why(
    zalo: ZaloApi, right: Settings, status: int, mend: str
) -> None:
    authorized(zalo, right)

    async def proxy(scope: object, receive: object, send: object) -> None:
        await PlainTextResponse("", status)(scope, receive, send)  # type: ignore[arg-type]

    with serving(proxy) as url:  # type: ignore[arg-type]
        webhook = by_name(check(right.model_copy(update={"public_url": url})))["Zalo's webhook"]

    assert webhook.level is Level.FAIL
    assert f"answers {status}" in webhook.message
    assert mend in webhook.mend


def test_a_webhook_that_is_too_slow_for_zalo_is_a_failure(
    zalo: ZaloApi, right: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    authorized(zalo, right)
    monkeypatch.setattr(zalo_setup, "ZALO_WAITS_S", 0.0)

    assert "Zalo waits" in by_name(check(right))["Zalo's webhook"].message


def test_the_command_line_knows_the_channel() -> None:
    result = covan("channel", "zalo")

    assert result.exit_code == EXIT_ERROR
    assert "COVAN_ZALO_APP_ID" in result.stderr


def test_both_sides_mean_the_same() -> None:
    assert zalo_setup.OPERATOR == authorization.OPERATOR
    assert (zalo_setup.CALLBACK_PATH, zalo_setup.ACCESS_PATH) == (
        authorization.CALLBACK_PATH,
        authorization.ACCESS_PATH,
    )
