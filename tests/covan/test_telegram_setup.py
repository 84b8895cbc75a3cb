"""`covan channel telegram` registers the bot once; its check says what is wrong and how to mend it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from pydantic import SecretStr
from rich.console import Console
from telegram_api import SECRET, TOKEN, USERNAME, TelegramApi
from typer.testing import CliRunner

from covan import telegram_setup
from covan.cli import app
from covan.diagnosis import Finding, Level
from covan.telegram_setup import PATH, check, register, remove
from rag.errors import CovanError
from rag.settings import Settings

PUBLIC = "https://chat.invalid.example"
ADDRESS = PUBLIC + PATH


@pytest.fixture
def api() -> Iterator[TelegramApi]:
    api = TelegramApi()
    api.start()
    yield api
    api.stop()


def settings(api: TelegramApi, **changes: object) -> Settings:
    return Settings(
        telegram_token=SecretStr(TOKEN),
        telegram_secret=SecretStr(SECRET),
        telegram_api_url=api.base_url,
        public_url=PUBLIC,
    ).model_copy(update=changes)


def registered(api: TelegramApi, **changes: object) -> str:
    console = Console(record=True, width=200)
    register(settings(api, **changes), console)
    return console.export_text()


def findings(api: TelegramApi, **changes: object) -> dict[str, Finding]:
    return {finding.name.removeprefix("Telegram "): finding for finding in check(settings(api, **changes))}


def test_it_registers_address_secret_menu_and_description_and_says_so(api: TelegramApi) -> None:
    said = registered(api)

    assert api.webhook == {
        "url": ADDRESS,
        "secret_token": SECRET,
        "allowed_updates": ["message", "callback_query"],
        "drop_pending_updates": False,
    }
    menus = {
        language: texts["commands"] for (method, language), texts in api.texts.items() if "Commands" in method
    }
    assert set(menus) == {"", "en"}
    assert {"command": "xoa", "description": "Xóa dữ liệu của bạn"} in menus[""]
    assert {"command": "xoa", "description": "Erase your data"} in menus["en"]
    assert api.texts["setMyDescription", ""]["description"].startswith("Trợ lý tự động trả lời")
    assert ADDRESS in said
    assert f"t.me/{USERNAME}" in said
    assert TOKEN not in said
    assert SECRET not in said


def test_the_texts_are_no_longer_than_telegram_takes(api: TelegramApi) -> None:
    registered(api)

    for (method, _), texts in api.texts.items():
        if method == "setMyCommands":
            for entry in texts["commands"]:
                assert re.fullmatch(r"[a-z0-9_]{1,32}", entry["command"])
                assert 3 <= len(entry["description"]) <= 256
        else:
            assert len(texts.get("description", "")) <= 512
            assert len(texts.get("short_description", "")) <= 120


def test_doing_it_again_changes_nothing(api: TelegramApi) -> None:
    registered(api)
    before = (api.webhook, dict(api.texts))

    registered(api)

    assert (api.webhook, api.texts) == before


def test_with_polling_no_address_is_registered_and_none_stays(api: TelegramApi) -> None:
    registered(api)

    said = registered(api, telegram_updates="polling", public_url="", telegram_secret=SecretStr(""))

    assert api.webhook == {"url": ""}
    assert "asks Telegram" in said


def test_taking_it_back_keeps_what_students_wrote(api: TelegramApi) -> None:
    registered(api)
    api.keep(api.writes(11, "học phí"))

    remove(settings(api), Console(quiet=True))

    assert api.webhook == {"url": ""}
    assert len(api.unconfirmed) == 1


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"telegram_token": SecretStr("")}, "COVAN_TELEGRAM_TOKEN is empty"),
        ({"telegram_token": SecretStr("my token")}, "COVAN_TELEGRAM_TOKEN is no token"),
        ({"telegram_secret": SecretStr("")}, r"COVAN_TELEGRAM_SECRET=[0-9a-f]{64}"),
        ({"telegram_secret": SecretStr("ngắn quá")}, "COVAN_TELEGRAM_SECRET cannot be used"),
        ({"public_url": ""}, "COVAN_PUBLIC_URL is empty"),
        ({"public_url": "http://chat.truong.edu.vn"}, "must be an https address"),
        ({"public_url": "https://localhost"}, "must be an https address"),
        ({"public_url": "https://chat.truong.edu.vn:5005"}, "must be an https address"),
        ({"public_url": "https://chat.truong.edu.vn:port"}, "must be an https address"),
    ],
)
def test_what_cannot_work_is_refused_before_telegram_is_asked(
    api: TelegramApi, changes: dict[str, object], told: str
) -> None:
    with pytest.raises(CovanError, match=told):
        registered(api, **changes)

    assert api.sent == []
    assert any(finding.level is Level.FAIL and finding.mend for finding in check(settings(api, **changes)))


def test_all_that_is_wrong_is_told_at_once(api: TelegramApi) -> None:
    with pytest.raises(CovanError) as error:
        registered(api, telegram_token=SecretStr(""), telegram_secret=SecretStr(""), public_url="")

    assert len(str(error.value).splitlines()) == 3


def test_no_error_holds_the_token(api: TelegramApi) -> None:
    api.fail_next("getMe", 400, description=f"Bad Request: something about bot{TOKEN}")
    with pytest.raises(CovanError) as refused:
        registered(api)
    api.stop()
    with pytest.raises(CovanError, match="cannot be reached") as unreached:
        registered(api)

    for error in (refused.value, unreached.value):
        assert TOKEN not in str(error)
        assert error.__suppress_context__ or error.__context__ is None


# --- the check ----------------------------------------------------------------------------------------------------


def test_before_registering_it_says_what_to_run(api: TelegramApi) -> None:
    found = findings(api)

    assert found["bot"].level is Level.OK
    assert found["updates"].level is Level.FAIL
    assert found["menu"].level is Level.WARN
    assert "covan channel telegram" in found["updates"].mend


def test_after_registering_only_the_address_is_left_to_mend(api: TelegramApi) -> None:
    registered(api)

    found = findings(api)

    assert {name: finding.level for name, finding in found.items()} == {
        "bot": Level.OK,
        "menu": Level.OK,
        "updates": Level.OK,
        "delivery": Level.OK,
        "address": Level.WARN,
    }


def test_another_address_is_found(api: TelegramApi) -> None:
    registered(api)

    found = findings(api, public_url="https://new.invalid.example")

    assert found["updates"].level is Level.FAIL
    assert ADDRESS in found["updates"].message


def test_a_webhook_in_the_way_of_polling_is_found(api: TelegramApi) -> None:
    registered(api)

    found = findings(api, telegram_updates="polling")

    assert found["updates"].level is Level.FAIL
    assert "--remove" in found["updates"].mend


@pytest.mark.parametrize(
    ("error", "mend"), [("403 Forbidden", "secret"), ("502 Bad Gateway", "reverse proxy")]
)
def test_what_telegram_could_not_bring_is_told(api: TelegramApi, error: str, mend: str) -> None:
    registered(api)
    api.last_error = {
        "last_error_date": int(time.time()) - 60,
        "last_error_message": f"Wrong response from the webhook: {error}",
    }

    delivery = findings(api)["delivery"]

    assert delivery.level is Level.WARN
    assert error in delivery.message
    assert mend in delivery.mend


def test_a_token_that_telegram_does_not_know_is_told(api: TelegramApi) -> None:
    found = findings(api, telegram_token=SecretStr("123456789:" + "x" * 35))

    assert found["bot"].level is Level.FAIL
    assert "BotFather" in found["bot"].mend


@pytest.mark.parametrize(
    ("status", "level"), [(403, Level.OK), (404, Level.FAIL), (200, Level.FAIL), (502, Level.FAIL)]
)
def test_only_a_closed_door_at_the_public_address_is_ours(status: int, level: Level) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Tests need no log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        found = telegram_setup._reached(f"http://127.0.0.1:{server.server_port}{PATH}")
    finally:
        server.shutdown()
        server.server_close()

    assert found.level is level


def test_the_command_is_one_of_covans(api: TelegramApi, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = settings(api)
    monkeypatch.setattr("covan.commands.channel.settings", lambda: wanted)

    done = CliRunner().invoke(app, ["channel", "telegram"])

    assert done.exit_code == 0, done.output
    assert api.webhook["url"] == ADDRESS
    assert CliRunner().invoke(app, ["channel", "telegram", "--remove"]).exit_code == 0
    assert api.webhook == {"url": ""}
