"""Accounts and sessions, on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from console_driver import PASSWORD, QUICK, Clock, databases

from console.accounts import (
    IDLE_S,
    LOCKED_S,
    LONGEST_S,
    MOST_FAILURES,
    Account,
    AccountConflictError,
    AccountError,
    Accounts,
)
from console.database import open_database
from console.roles import Right
from console.tables import accounts as accounts_table
from console.tables import sessions

pytestmark = databases


@pytest.fixture
def engine(url: str) -> Iterator[sa.Engine]:
    opened = open_database(url)
    yield opened
    opened.dispose()


@pytest.fixture
def accounts(engine: sa.Engine, clock: Clock) -> Accounts:
    made = Accounts(engine, clock, QUICK)
    made.create("quan-tri", "Thầy Minh", ["administrator"], PASSWORD)
    return made


def code_of(error: pytest.ExceptionInfo[AccountError]) -> str:
    return error.value.code


def test_a_session_is_of_the_account_that_signed_in(accounts: Accounts) -> None:
    accounts.create("lan", "Cô Lan", ["advisor", "editor"], PASSWORD)

    token, _ = accounts.sign_in("LAN ", PASSWORD)

    session = accounts.session(token)
    assert session is not None
    assert session.account.name == "Cô Lan"
    assert session.account.rights == {Right.READ, Right.PERSONAL, Right.REPLY, Right.PUBLISH}
    assert accounts.session(token + "x") is None


def test_neither_password_nor_token_can_be_read_from_the_database(
    accounts: Accounts, engine: sa.Engine
) -> None:
    token, _ = accounts.sign_in("quan-tri", PASSWORD)

    with engine.connect() as db:
        kept = str(db.execute(sa.select(accounts_table)).all() + db.execute(sa.select(sessions)).all())
    assert "$argon2id$" in kept
    assert PASSWORD not in kept
    assert token not in kept


@pytest.mark.parametrize("login", ["quan-tri", "nobody"])
def test_a_wrong_login_is_refused_as_a_wrong_password_is(accounts: Accounts, login: str) -> None:
    with pytest.raises(AccountError) as error:
        accounts.sign_in(login, "not the password")
    assert code_of(error) == "wrong"


def test_an_account_is_locked_after_wrong_passwords_and_opens_again(accounts: Accounts, clock: Clock) -> None:
    for _ in range(MOST_FAILURES):
        with pytest.raises(AccountError):
            accounts.sign_in("quan-tri", "not the password")
    with pytest.raises(AccountError) as error:
        accounts.sign_in("quan-tri", PASSWORD)
    assert code_of(error) == "locked"

    clock.now += LOCKED_S + 1
    accounts.sign_in("quan-tri", PASSWORD)


def test_a_right_password_ends_the_count_of_wrong_ones(accounts: Accounts) -> None:
    for _ in range(3):
        for _ in range(MOST_FAILURES - 1):
            with pytest.raises(AccountError):
                accounts.sign_in("quan-tri", "not the password")
        accounts.sign_in("quan-tri", PASSWORD)


def test_a_session_ends_without_requests_and_at_its_longest(accounts: Accounts, clock: Clock) -> None:
    idle, _ = accounts.sign_in("quan-tri", PASSWORD)
    busy, _ = accounts.sign_in("quan-tri", PASSWORD)
    began = clock.now
    while clock.now < began + LONGEST_S - IDLE_S / 2:
        clock.now += IDLE_S / 2
        assert accounts.session(busy) is not None
    assert accounts.session(idle) is None

    clock.now = began + LONGEST_S + 1
    assert accounts.session(busy) is None


@pytest.mark.parametrize(
    "change", [{"password": "another-password"}, {"active": False}, {"roles": ["editor"]}]
)
def test_a_changed_account_signs_in_anew(accounts: Accounts, change: dict[str, object]) -> None:
    accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD)
    token, _ = accounts.sign_in("lan", PASSWORD)

    accounts.change("lan", **change)  # type: ignore[arg-type]

    assert accounts.session(token) is None


def test_a_closed_account_cannot_sign_in(accounts: Accounts) -> None:
    accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD)
    accounts.change("lan", active=False)

    with pytest.raises(AccountError) as error:
        accounts.sign_in("lan", PASSWORD)
    assert code_of(error) == "wrong"


@pytest.mark.parametrize("change", [{"active": False}, {"roles": ["advisor"]}])
def test_one_administrator_is_left(accounts: Accounts, change: dict[str, object]) -> None:
    with pytest.raises(AccountError) as error:
        accounts.change("quan-tri", **change)  # type: ignore[arg-type]
    assert code_of(error) == "last_administrator"
    accounts.sign_in("quan-tri", PASSWORD)


@pytest.mark.parametrize(
    ("login", "name", "roles", "password", "code"),
    [
        ("Đỗ Lan", "Cô Lan", ["advisor"], PASSWORD, "bad_login"),
        ("lan", " ", ["advisor"], PASSWORD, "bad_name"),
        ("lan", "Cô Lan", [], PASSWORD, "bad_roles"),
        ("lan", "Cô Lan", ["root"], PASSWORD, "bad_roles"),
        ("lan", "Cô Lan", ["advisor"], "short", "bad_password"),
        ("quan-tri", "Cô Lan", ["advisor"], PASSWORD, "login_taken"),
    ],
)
def test_what_no_account_can_have_is_refused(
    accounts: Accounts, login: str, name: str, roles: list[str], password: str, code: str
) -> None:
    with pytest.raises(AccountError) as error:
        accounts.create(login, name, roles, password)
    assert code_of(error) == code


def versions(account: Account) -> tuple[str, str]:
    return account.version, account.password_version


@pytest.mark.parametrize(
    "theirs",
    [
        {"name": "Cô Mai"},
        {"roles": ["editor"]},
        {"active": False},
        {"mail": "lan@t.test"},
        {"offices": ["ktx"]},
    ],
)
def test_of_two_who_change_an_account_the_second_is_refused(
    accounts: Accounts, theirs: dict[str, object]
) -> None:
    seen = versions(accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD))
    now = accounts.change("lan", seen=seen, **theirs)  # type: ignore[arg-type]

    with pytest.raises(AccountConflictError) as refused:
        accounts.change("lan", seen=seen, name="Cô Lan Anh")

    assert refused.value.now == now
    assert [each for each in accounts.all() if each.login == "lan"] == [now]
    assert accounts.change("lan", seen=versions(now), name="Cô Lan Anh").name == "Cô Lan Anh"


def test_a_new_password_takes_the_place_of_the_one_that_was_seen_alone(accounts: Accounts) -> None:
    seen = versions(accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD))
    now = accounts.change("lan", seen=seen, password="another-password")

    with pytest.raises(AccountConflictError):
        accounts.change("lan", seen=seen, password="a-third-password")

    accounts.sign_in("lan", "another-password")
    # A new password changes no field that is shown beside it.
    assert accounts.change("lan", seen=seen, name="Cô Mai").name == "Cô Mai"
    assert now.version == seen[0]


def test_two_changes_of_one_moment_are_not_both_made(accounts: Accounts, engine: sa.Engine) -> None:
    """The second one is written between the reading and the writing of the first one."""
    seen = versions(accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD))
    others = list[str]()

    @sa.event.listens_for(engine, "before_cursor_execute")
    def meanwhile(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("UPDATE console_accounts") and not others:
            others.append("Cô Mai")
            with engine.begin() as db:
                db.execute(
                    sa.update(accounts_table).where(accounts_table.c.login == "lan").values(name="Cô Mai")
                )

    with pytest.raises(AccountConflictError) as refused:
        accounts.change("lan", seen=seen, name="Cô Lan Anh")

    assert refused.value.now.name == "Cô Mai"
    assert {each.name for each in accounts.all() if each.login == "lan"} == {"Cô Mai"}
