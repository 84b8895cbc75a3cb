"""Signing in over the API: how often an address may be wrong."""

from __future__ import annotations

from typing import Any

import pytest
from console_driver import PASSWORD, WRONG_SIGN_INS, Clock, Enter
from fastapi.testclient import TestClient

from console.api.dependencies import Console

PROXY = ("127.0.0.1", 40_000)


def tries(client: TestClient, login: str, password: str = "not the password", **headers: str) -> Any:
    return client.post("/api/session", json={"login": login, "password": password}, headers=headers)


@pytest.fixture
def lan(console: Console) -> str:
    return console.accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD).login


def test_an_address_that_is_often_wrong_has_to_wait(
    enter: Enter, lan: str, clock: Clock, console: Console
) -> None:
    client = enter()
    for number in range(WRONG_SIGN_INS):
        assert tries(client, f"login-{number}").status_code == 403

    refused = tries(client, lan, PASSWORD)

    assert (refused.status_code, refused.json()["error"]) == (429, "too_many")
    assert 1 <= int(refused.headers["retry-after"]) <= 30
    assert {each["detail"]["address"] for each in console.audit.page()} == {"testclient"}
    clock.now += int(refused.headers["retry-after"])
    assert tries(client, lan, PASSWORD).status_code == 200


def test_right_passwords_are_not_counted(enter: Enter, lan: str) -> None:
    client = enter()
    assert {tries(client, lan, PASSWORD).status_code for _ in range(2 * WRONG_SIGN_INS)} == {200}


def test_each_client_of_a_trusted_proxy_is_counted_by_itself(enter: Enter, lan: str) -> None:
    client = TestClient(enter().app, client=PROXY)
    for _ in range(WRONG_SIGN_INS):
        tries(client, "nobody", **{"X-Forwarded-For": "1.1.1.1, 203.0.113.7"})

    assert tries(client, lan, PASSWORD, **{"X-Forwarded-For": "2.2.2.2, 203.0.113.7"}).status_code == 429
    assert tries(client, lan, PASSWORD, **{"X-Forwarded-For": "203.0.113.8"}).status_code == 200


def test_who_is_no_proxy_cannot_pass_for_another(enter: Enter, lan: str) -> None:
    client = TestClient(enter().app, client=("203.0.113.7", 40_000))
    for number in range(WRONG_SIGN_INS):
        tries(client, "nobody", **{"X-Forwarded-For": f"198.51.100.{number}"})

    assert tries(client, lan, PASSWORD, **{"X-Forwarded-For": "198.51.100.99"}).status_code == 429
