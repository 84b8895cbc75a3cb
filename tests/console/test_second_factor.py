"""The second factor of accounts: set up, asked for, used once, lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pyotp
import pytest
import sqlalchemy as sa
from console_driver import PASSWORD, Clock, Enter, databases
from fastapi.testclient import TestClient

from console.accounts import MOST_FAILURES
from console.api.dependencies import CSRF_HEADER, Console
from console.second_factor import RECOVERY_CODES, STEP_S
from console.tables import recovery_codes

PATH = "/api/account/second-factor"
SignIn = Callable[..., Any]


@pytest.fixture
def lan(enter: Enter) -> TestClient:
    """A signed-in advisor."""
    return enter("advisor")


@pytest.fixture
def sign_in(enter: Enter) -> SignIn:
    def tried(code: str = "", password: str = PASSWORD, login: str = "advisor") -> Any:
        body = {"login": login, "password": password, "code": code}
        answer = enter().post("/api/session", json=body)
        return answer.json().get("error") or answer.status_code

    return tried


def set_up(client: TestClient, clock: Clock) -> tuple[pyotp.TOTP, list[str]]:
    """Set the second factor up as a person does; return the app and the recovery codes. Takes the current code."""
    begun = client.post(PATH, json={"password": PASSWORD})
    assert begun.status_code == 200, begun.text
    app = pyotp.parse_uri(begun.json()["address"])
    assert isinstance(app, pyotp.TOTP)
    confirmed = client.post(f"{PATH}/confirm", json={"code": app.at(clock.now)})
    assert confirmed.status_code == 200, confirmed.text
    return app, confirmed.json()["recovery_codes"]


@databases
def test_signing_in_needs_a_code_that_is_taken_once(lan: TestClient, sign_in: SignIn, clock: Clock) -> None:
    app, _ = set_up(lan, clock)
    assert lan.get(PATH).json() == {"on": True, "recovery_codes_left": RECOVERY_CODES}

    assert sign_in() == "code_needed"
    assert sign_in(password="not the password") == "wrong"
    assert sign_in(app.at(clock.now)) == "wrong_code"  # it was taken when it was set up
    clock.now += STEP_S
    code = app.at(clock.now)
    assert sign_in(f"{code[:3]} {code[3:]}") == 200
    assert sign_in(code) == "wrong_code"
    assert sign_in(app.at(clock.now - STEP_S)) == "wrong_code"


def test_clocks_may_differ_by_a_step_and_no_more(lan: TestClient, sign_in: SignIn, clock: Clock) -> None:
    app, _ = set_up(lan, clock)
    clock.now += 10 * STEP_S

    assert sign_in(app.at(clock.now - 2 * STEP_S)) == "wrong_code"
    assert sign_in(app.at(clock.now + 2 * STEP_S)) == "wrong_code"
    assert sign_in(app.at(clock.now - STEP_S)) == 200
    assert sign_in(app.at(clock.now + STEP_S)) == 200


@databases
def test_a_recovery_code_is_taken_once_and_kept_as_a_hash(
    lan: TestClient, sign_in: SignIn, clock: Clock, console: Console
) -> None:
    _, codes = set_up(lan, clock)
    assert len(set(codes)) == RECOVERY_CODES

    assert sign_in(codes[0].upper().replace("-", " ")) == 200
    assert sign_in(codes[0]) == "wrong_code"
    assert sign_in(codes[1]) == 200
    assert lan.get(PATH).json()["recovery_codes_left"] == RECOVERY_CODES - 2
    with console.database.connect() as db:
        kept = str(db.execute(sa.select(recovery_codes)).all())
    assert codes[2] not in kept
    assert codes[2].replace("-", "") not in kept


def test_a_sign_in_whose_second_step_follows_is_not_logged_as_refused(
    lan: TestClient, sign_in: SignIn, clock: Clock, console: Console
) -> None:
    _, codes = set_up(lan, clock)

    assert sign_in() == "code_needed"
    assert sign_in(codes[0]) == 200

    noted = [(each["action"], each["allowed"]) for each in console.audit.page()[:2]]
    assert noted == [("sign_in", True), ("password_right", True)]


def test_wrong_codes_lock_the_account(
    lan: TestClient, sign_in: SignIn, clock: Clock, console: Console
) -> None:
    app, _ = set_up(lan, clock)
    clock.now += 10 * STEP_S
    # Codes that are neither of now nor of the steps beside it.
    wrong = app.at(clock.now - 5 * STEP_S)

    assert {sign_in(wrong) for _ in range(MOST_FAILURES)} == {"wrong_code"}
    assert sign_in(app.at(clock.now)) == "locked"
    refused = [each for each in console.audit.page() if not each["allowed"]]
    assert [each["detail"]["why"] for each in refused] == ["locked", *["wrong_code"] * MOST_FAILURES]


def test_it_is_not_needed_before_the_app_has_shown_a_code(lan: TestClient, sign_in: SignIn) -> None:
    assert lan.post(PATH, json={"password": PASSWORD}).status_code == 200
    assert lan.post(f"{PATH}/confirm", json={"code": "not one"}).json()["error"] == "wrong_code"

    assert sign_in() == 200
    assert lan.get(PATH).json() == {"on": False, "recovery_codes_left": 0}


def test_who_has_the_session_alone_changes_nothing(lan: TestClient, clock: Clock, sign_in: SignIn) -> None:
    assert lan.post(PATH, json={"password": "not the password"}).json()["error"] == "wrong"
    set_up(lan, clock)
    assert lan.post(f"{PATH}/remove", json={"password": "not the password"}).json()["error"] == "wrong"
    assert lan.post(PATH, json={"password": PASSWORD}).status_code == 409
    assert lan.post(f"{PATH}/confirm", json={"code": "000000"}).status_code == 409
    assert sign_in() == "code_needed"

    assert lan.post(f"{PATH}/remove", json={"password": PASSWORD}).status_code == 204
    assert sign_in() == 200


def test_other_sessions_end_when_it_is_set_up(enter: Enter, lan: TestClient, clock: Clock) -> None:
    elsewhere = enter("advisor")

    set_up(lan, clock)

    assert elsewhere.get("/api/session").status_code == 403
    assert lan.get("/api/session").status_code == 200


@databases
def test_an_administrator_resets_it_for_a_lost_phone(
    enter: Enter, lan: TestClient, sign_in: SignIn, clock: Clock, console: Console
) -> None:
    administrator = enter("administrator")
    _, codes = set_up(lan, clock)
    people = administrator.get("/api/people").json()["people"]
    assert {each["login"]: each["second_factor"] for each in people} == {
        "advisor": True,
        "administrator": False,
    }

    assert administrator.delete("/api/people/advisor/second-factor").status_code == 204

    assert lan.get("/api/session").status_code == 403
    assert sign_in() == 200
    assert sign_in(codes[0]) == 200  # not looked at: none is needed
    assert administrator.delete("/api/people/advisor/second-factor").status_code == 409
    assert administrator.delete("/api/people/nobody/second-factor").status_code == 404
    done = [(each["login"], each["action"], each["target"]) for each in console.audit.page()]
    assert ("administrator", "reset_second_factor", "advisor") in done
    assert ("advisor", "add_second_factor", "") in done


def test_neither_secret_nor_code_is_logged_and_the_picture_is_an_svg(
    enter: Enter, lan: TestClient, clock: Clock, console: Console
) -> None:
    begun = lan.post(PATH, json={"password": PASSWORD}).json()
    app = pyotp.TOTP(begun["secret"])
    codes = lan.post(f"{PATH}/confirm", json={"code": app.at(clock.now)}).json()["recovery_codes"]
    enter().post("/api/session", json={"login": "advisor", "password": PASSWORD, "code": codes[0]})

    logged = json.dumps(console.audit.page())
    assert begun["secret"] not in logged
    assert not any(code in logged for code in codes)
    assert '"factor": "recovery_code"' in logged
    assert begun["qr"].startswith("<svg")
    assert "Covan" in begun["address"]
    assert CSRF_HEADER in lan.headers
