"""Accounts, passwords and sessions.

Passwords are kept as argon2id hashes (RFC 9106). After `MOST_FAILURES` wrong passwords an account is locked for
`LOCKED_S`; an unknown login takes as long as a wrong password. A session is a random token in a cookie, of which the
database has the hash; it ends after `IDLE_S` without a request, after `LONGEST_S`, and with the account's password.
An account may need a second factor (`console.second_factor`); a wrong code counts as a wrong password does. A person
of the school's OpenID Connect provider (`console.openid`) signs in to the account of their mail address.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from console import second_factor
from console.name_order import name_order
from console.openid import Identity
from console.roles import ROLES, Right, rights_of
from console.tables import accounts, identities, new_accounts, second_factors, sessions
from rag.errors import CovanError

MOST_FAILURES = 5
LOCKED_S = 15 * 60.0
IDLE_S = 12 * 3600.0
LONGEST_S = 7 * 24 * 3600.0
SEEN_EVERY_S = 60.0
"""Seconds after which `seen_at` is written again."""

SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 200

_MAIL = re.compile(r"(?=.{3,200}\Z)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
_DOMAIN = re.compile(r"(?=.{3,200}\Z)[a-z0-9-]+(\.[a-z0-9-]+)+")
_LOGIN = re.compile(r"[a-z0-9][a-z0-9._@-]{1,79}")


class AccountError(CovanError):
    """An account cannot be made or changed so; `code` is for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class AccountConflictError(AccountError):
    """An account is not what the editor saw; `now` is the account as it is."""

    def __init__(self, now: Account) -> None:
        super().__init__("conflict", f"the account {now.login} was changed meanwhile")
        self.now = now


class NewAccountsConflictError(AccountError):
    """The rule for new accounts is not what the editor saw; `now` has its domains and roles as they are."""

    def __init__(self, now: tuple[Sequence[str], Sequence[str]]) -> None:
        super().__init__("conflict", "the rule for new accounts was changed meanwhile")
        self.now = now


@dataclass(frozen=True, slots=True)
class Account:
    """A person who may sign in."""

    id: int
    login: str
    name: str
    roles: tuple[str, ...]
    active: bool
    locked_until: float
    second_factor: bool
    """Whether signing in needs a code."""
    mail: str = ""
    """Where mails go that tell of students who wait; empty: none are sent."""
    offices: tuple[str, ...] = ()
    """The ids of the offices whose students these are; empty: all of them."""
    linked: bool = False
    """Whether a person of the OpenID Connect provider signs in to it."""
    version: str = ""
    """Of name, roles, activity, mail and offices; a change must name the one that was seen."""
    password_version: str = ""
    """Of the password, which a new one must name."""

    @property
    def rights(self) -> frozenset[Right]:
        return rights_of(self.roles)


@dataclass(frozen=True, slots=True)
class Session:
    """A signed-in account; `csrf` must come with every request that changes something.

    `factor` is what a sign-in showed besides the password: "code", "recovery_code" or ""; "openid" without one.
    """

    account: Account
    csrf: str
    key: str
    factor: str = ""


_SHOWN, _PASSWORD = ("name", "roles", "active", "mail", "offices"), ("password",)
"""The columns that administrators see and edit, and the one that they replace unseen."""

_OF_ACCOUNT = identities.alias()
_WITH_FACTOR = sa.select(
    accounts,
    sa.exists()
    .where(second_factors.c.account_id == accounts.c.id, second_factors.c.active)
    .label("second_factor"),
    sa.exists().where(_OF_ACCOUNT.c.account_id == accounts.c.id).label("linked"),
)
"""The rows of accounts, each with whether signing in needs a code, and whether somebody of the provider does."""


class Accounts:
    """The accounts and sessions in the console's database."""

    def __init__(
        self,
        engine: sa.Engine,
        clock: Callable[[], float] = time.time,
        hasher: PasswordHasher | None = None,
    ) -> None:
        self._engine = engine
        self._now = clock
        self._hasher = hasher or PasswordHasher()
        # The hash of a password that nobody has: an unknown login is checked against it.
        self._nobodys = self._hasher.hash(secrets.token_urlsafe(32))

    def all(self) -> Sequence[Account]:
        """Return all accounts by name."""
        with self._engine.begin() as db:
            found = [_account(row) for row in db.execute(_WITH_FACTOR)]
        return sorted(found, key=lambda each: (name_order(each.name), each.login))

    def names(self) -> Mapping[str, str]:
        """Return the names of all accounts by login."""
        return {account.login: account.name for account in self.all()}

    def create(
        self,
        login: str,
        name: str,
        roles: Collection[str],
        password: str,
        mail: str = "",
        offices: Collection[str] = (),
    ) -> Account:
        """Create an account. Raises AccountError."""
        login = login.strip().lower()
        if not _LOGIN.fullmatch(login):
            raise AccountError("bad_login", "a login is 2-80 letters without marks, digits or . _ @ -")
        values = {
            "login": login,
            "name": _name(name),
            "roles": _roles(roles),
            "password": self._hashed(password),
            "active": True,
            "failures": 0,
            "locked_until": 0.0,
            "created_at": self._now(),
            "mail": _mail(mail),
            "offices": ",".join(offices),
        }
        try:
            with self._engine.begin() as db:
                db.execute(accounts.insert().values(**values))
        except sa.exc.IntegrityError:
            raise AccountError("login_taken", f"there is an account {login} already") from None
        return self._by_login(login)

    def change(
        self,
        login: str,
        *,
        name: str | None = None,
        roles: Collection[str] | None = None,
        password: str | None = None,
        active: bool | None = None,
        mail: str | None = None,
        offices: Collection[str] | None = None,
        seen: tuple[str, str] | None = None,
    ) -> Account:
        """Change an account, unlock it, and end its sessions when password, roles or activity change.

        `seen` is the version of the account that the change was made of, and that of its password. Raises
        AccountConflictError when it has another one; AccountError, also when no active administrator would be left.
        """
        values: dict[str, object] = {"failures": 0, "locked_until": 0.0}
        if name is not None:
            values["name"] = _name(name)
        if roles is not None:
            values["roles"] = _roles(roles)
        if password is not None:
            values["password"] = self._hashed(password)
        if active is not None:
            values["active"] = active
        if mail is not None:
            values["mail"] = _mail(mail)
        if offices is not None:
            values["offices"] = ",".join(offices)
        with self._engine.begin() as db:
            row = db.execute(sa.select(accounts).where(accounts.c.login == login)).first()
            if row is None:
                raise AccountError("not_found", f"there is no account {login}")
            groups = (_SHOWN,) if password is None else (_SHOWN, _PASSWORD)
            is_seen = seen is None or all(
                _version(row, group) == version for group, version in zip(groups, seen, strict=False)
            )
            # Another transaction may have changed the row since it was read.
            as_read = [accounts.c[name] == row._mapping[name] for group in groups for name in group]
            changed = sa.update(accounts).where(accounts.c.login == login, *as_read).values(**values)
            if not is_seen or not db.execute(changed).rowcount:
                now = db.execute(_WITH_FACTOR.where(accounts.c.login == login)).one()
                raise AccountConflictError(_account(now))
            if values.keys() & {"password", "roles", "active"}:
                db.execute(sa.delete(sessions).where(sessions.c.account_id == row.id))
            left = [_account(each) for each in db.execute(_WITH_FACTOR)]
            if not any(each.active and Right.ADMINISTER in each.rights for each in left):
                raise AccountError("last_administrator", "one active administrator must be left")
        return self._by_login(login)

    def sign_in(self, login: str, password: str, code: str = "") -> tuple[str, Session]:
        """Return the cookie's token and the new session; `code` is of the app, or a recovery code.

        Raises AccountError: `wrong` for a wrong login or password, `locked` for a locked account, `code_needed` when
        all but the code is right, `wrong_code`.
        """
        now = self._now()
        row = self._with_password(login.strip().lower(), password)
        factor = ""
        if row.second_factor:
            if not code.strip():
                raise AccountError("code_needed", "the account needs a code besides the password")
            with self._engine.begin() as db:
                if second_factor.take_code(db, row.id, code, now):
                    factor = "code"
                elif second_factor.take_recovery_code(db, row.id, code):
                    factor = "recovery_code"
            if not factor:
                self._note_failure(row.id, now)
                raise AccountError("wrong_code", "the code is wrong, or was used before")
        with self._engine.begin() as db:
            fresh: dict[str, object] = {"failures": 0, "locked_until": 0.0}
            if self._hasher.check_needs_rehash(row.password):
                fresh["password"] = self._hasher.hash(password)
            db.execute(sa.update(accounts).where(accounts.c.id == row.id).values(**fresh))
            return self._begun(db, row, factor)

    def sign_in_as(self, who: Identity) -> tuple[str, Session]:
        """Return the cookie's token and the new session of a person of the OpenID Connect provider.

        Their account is the one that they have signed in to before, else the one whose login or mail is their address,
        which nobody else of the provider may sign in to from then on; else a new one, where the domain of the address
        has them (`set_new_accounts`).

        Raises AccountError: `no_account`, `closed_account`, `other_person`, or `second_factor_needed` for an account
        that asks for a code, which this way would leave out.
        """
        with self._engine.begin() as db:
            row = self._of_person(db, who)
        if row is None:
            row = self._made_for(who)
        if not row.active:
            raise AccountError("closed_account", f"the account {row.login} is closed")
        if row.second_factor:
            raise AccountError("second_factor_needed", f"{row.login} signs in with password and code")
        with self._engine.begin() as db:
            return self._begun(db, row, "openid")

    def unlink(self, login: str) -> None:
        """Let another person of the provider sign in to an account; its sessions end. Raises AccountError."""
        with self._engine.begin() as db:
            account_id = db.scalar(sa.select(accounts.c.id).where(accounts.c.login == login))
            if account_id is None:
                raise AccountError("not_found", f"there is no account {login}")
            db.execute(sa.delete(identities).where(identities.c.account_id == account_id))
            db.execute(sa.delete(sessions).where(sessions.c.account_id == account_id))

    def new_accounts(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the domains whose people get an account when they first sign in at the provider, and its roles."""
        with self._engine.begin() as db:
            return _new_accounts(db)

    def set_new_accounts(
        self,
        domains: Collection[str],
        roles: Collection[str],
        seen: tuple[Collection[str], Collection[str]] | None = None,
    ) -> None:
        """Set the domains and roles of `new_accounts`; no domain: nobody gets an account so.

        `seen` are those that the change was made of. Raises NewAccountsConflictError when they are others now;
        AccountError: `bad_domain`, `bad_roles`; nobody becomes an administrator so.
        """
        wanted = {domain.strip().lower().removeprefix("@") for domain in domains}
        if not all(_DOMAIN.fullmatch(domain) for domain in wanted):
            raise AccountError("bad_domain", "a domain is written as truong.edu.vn")
        if wanted and Right.ADMINISTER in rights_of(roles):
            raise AccountError("bad_roles", "new accounts cannot be of administrators")
        rows = [{"domain": domain, "roles": _roles(roles)} for domain in wanted]
        with self._engine.begin() as db:
            # Taken away first: who writes waits here for another writer.
            now = _new_accounts(db, sa.delete(new_accounts).returning(new_accounts))
            if seen is not None and tuple(map(set, seen)) != tuple(map(set, now)):
                raise NewAccountsConflictError(now)
            if rows:
                db.execute(new_accounts.insert(), rows)

    def _of_person(self, db: sa.Connection, who: Identity) -> sa.Row[tuple[Any, ...]] | None:
        """Return the row of a person's account, linked with them; None without one. Raises AccountError."""
        is_theirs = sa.and_(identities.c.issuer == who.issuer, identities.c.subject == who.subject)
        known = _WITH_FACTOR.join(identities, identities.c.account_id == accounts.c.id).where(is_theirs)
        if (row := db.execute(known).first()) is not None:
            return row
        if not who.mail:
            raise AccountError("no_account", "the provider does not say that the mail address is theirs")
        has_mail = sa.or_(accounts.c.login == who.mail, sa.func.lower(accounts.c.mail) == who.mail)
        rows = db.execute(_WITH_FACTOR.where(has_mail).order_by(accounts.c.login != who.mail)).all()
        if not rows:
            return None
        row = rows[0]
        if len(rows) > 1 and row.login != who.mail:
            raise AccountError("no_account", f"several accounts have the mail address {who.mail}")
        if row.linked:
            raise AccountError("other_person", f"somebody else of the provider signs in to {row.login}")
        # Only when it will be used: a refused person must not take the place of the right one.
        if row.active and not row.second_factor:
            linked = {"account_id": row.id, "issuer": who.issuer, "subject": who.subject}
            db.execute(identities.insert().values(**linked))
        return row

    def _made_for(self, who: Identity) -> sa.Row[tuple[Any, ...]]:
        domains, roles = self.new_accounts()
        if who.mail.partition("@")[2] not in domains:
            raise AccountError("no_account", f"there is no account for {who.mail}")
        name = " ".join(who.name.split())[:80] or who.mail.partition("@")[0]
        # Nobody knows the password: an administrator may set one.
        self.create(who.mail, name, roles, secrets.token_urlsafe(32), who.mail)
        with self._engine.begin() as db:
            row = self._of_person(db, who)
        assert row is not None, "it was made a moment ago"
        return row

    def _begun(self, db: sa.Connection, row: sa.Row[tuple[Any, ...]], factor: str) -> tuple[str, Session]:
        """Return the cookie's token and the new session of an account."""
        now = self._now()
        token, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        values = {"key": _key(token), "account_id": row.id, "csrf": csrf, "created_at": now, "seen_at": now}
        db.execute(sa.delete(sessions).where(_ended(now)))
        db.execute(sessions.insert().values(**values))
        return token, Session(_account(row), csrf, str(values["key"]), factor)

    def session(self, token: str) -> Session | None:
        """Return the session of a cookie; None when it has ended or never was."""
        now, key = self._now(), _key(token)
        found = _WITH_FACTOR.add_columns(sessions.c.csrf, sessions.c.seen_at).join(sessions)
        with self._engine.begin() as db:
            row = db.execute(found.where(sessions.c.key == key, ~_ended(now), accounts.c.active)).first()
            if row is None:
                return None
            if now - row.seen_at > SEEN_EVERY_S:
                db.execute(sa.update(sessions).where(sessions.c.key == key).values(seen_at=now))
        return Session(_account(row), row.csrf, key)

    def sign_out(self, session: Session) -> None:
        """End a session."""
        with self._engine.begin() as db:
            db.execute(sa.delete(sessions).where(sessions.c.key == session.key))

    def recovery_codes_left(self, session: Session) -> int:
        """Return how many recovery codes the account has."""
        with self._engine.begin() as db:
            return second_factor.codes_left(db, session.account.id)

    def change_password(self, session: Session, password: str, new: str) -> None:
        """Change the password of a session's account; its other sessions end.

        Raises AccountError: `wrong`, `locked`, `bad_password`.
        """
        row = self._with_password(session.account.login, password)
        hashed = self._hashed(new)
        with self._engine.begin() as db:
            db.execute(sa.update(accounts).where(accounts.c.id == row.id).values(password=hashed, failures=0))
            _end_others(db, session)

    def begin_second_factor(self, session: Session, password: str) -> str:
        """Return a new secret for the person's app; it is needed when `confirm_second_factor` has seen a code.

        Raises AccountError: `wrong`, `locked`, or `second_factor_on` when it is needed already.
        """
        row = self._with_password(session.account.login, password)
        if row.second_factor:
            raise AccountError("second_factor_on", "the account has a second factor; remove that one first")
        with self._engine.begin() as db:
            return second_factor.begin(db, row.id)

    def confirm_second_factor(self, session: Session, code: str) -> list[str]:
        """Need a code from now on, and return the recovery codes; other sessions of the account end.

        Raises AccountError: `wrong_code`, `second_factor_on`.
        """
        account = session.account
        with self._engine.begin() as db:
            if second_factor.is_on(db, account.id):
                raise AccountError("second_factor_on", "the account has a second factor already")
            if not second_factor.take_code(db, account.id, code, self._now()):
                raise AccountError("wrong_code", "the code is not the one that the app shows now")
            _end_others(db, session)
            return second_factor.activate(db, account.id)

    def remove_second_factor(self, session: Session, password: str) -> None:
        """Need no code any longer. Raises AccountError: `wrong`, `locked`."""
        row = self._with_password(session.account.login, password)
        with self._engine.begin() as db:
            second_factor.remove(db, row.id)

    def reset_second_factor(self, login: str) -> None:
        """Need no code any longer, for a person who lost the phone; the account's sessions end.

        Raises AccountError: `not_found`, `second_factor_off`.
        """
        with self._engine.begin() as db:
            account_id = db.scalar(sa.select(accounts.c.id).where(accounts.c.login == login))
            if account_id is None:
                raise AccountError("not_found", f"there is no account {login}")
            if not second_factor.remove(db, account_id):
                raise AccountError("second_factor_off", f"{login} has no second factor")
            db.execute(sa.delete(sessions).where(sessions.c.account_id == account_id))

    def _with_password(self, login: str, password: str) -> sa.Row[tuple[Any, ...]]:
        """Return the row of an active account with this password. Raises AccountError: `wrong`, `locked`."""
        now = self._now()
        with self._engine.begin() as db:
            row = db.execute(_WITH_FACTOR.where(accounts.c.login == login)).first()
            if row is not None and row.locked_until > now:
                raise AccountError("locked", "the account is locked after wrong passwords; try again later")
        # Outside of a transaction: a hash takes a tenth of a second.
        right = self._is_right(row.password if row is not None else self._nobodys, password)
        if row is None or not right or not row.active:
            if row is not None:
                self._note_failure(row.id, now)
            raise AccountError("wrong", "login or password is wrong")
        return row

    def _note_failure(self, account_id: int, now: float) -> None:
        with self._engine.begin() as db:
            of_account = sa.update(accounts).where(accounts.c.id == account_id)
            db.execute(of_account.values(failures=accounts.c.failures + 1))
            too_many = of_account.where(accounts.c.failures >= MOST_FAILURES)
            db.execute(too_many.values(failures=0, locked_until=now + LOCKED_S))

    def _by_login(self, login: str) -> Account:
        with self._engine.begin() as db:
            return _account(db.execute(_WITH_FACTOR.where(accounts.c.login == login)).one())

    def _hashed(self, password: str) -> str:
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise AccountError(
                "bad_password", f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters"
            )
        return self._hasher.hash(password)

    def _is_right(self, hashed: str, password: str) -> bool:
        if len(password) > LONGEST_PASSWORD:
            return False
        try:
            return self._hasher.verify(hashed, password)
        except (VerificationError, InvalidHashError):
            return False


def same(given: str, kept: str) -> bool:
    """Return whether two secrets are equal, in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), kept.encode())


def _key(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def _end_others(db: sa.Connection, session: Session) -> None:
    """End the other sessions of a session's account."""
    of_account = sa.delete(sessions).where(sessions.c.account_id == session.account.id)
    db.execute(of_account.where(sessions.c.key != session.key))


def _ended(now: float) -> sa.ColumnElement[bool]:
    return sa.or_(sessions.c.seen_at < now - IDLE_S, sessions.c.created_at < now - LONGEST_S)


def _account(row: sa.Row[tuple[Any, ...]]) -> Account:
    roles = tuple(role for role in str(row.roles).split(",") if role)
    return Account(
        int(row.id),
        row.login,
        row.name,
        roles,
        bool(row.active),
        float(row.locked_until),
        bool(row.second_factor),
        row.mail,
        tuple(office for office in str(row.offices).split(",") if office),
        bool(row.linked),
        _version(row, _SHOWN),
        _version(row, _PASSWORD),
    )


def _new_accounts(
    db: sa.Connection, statement: sa.Executable | None = None
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the domains and roles that a statement yields: those of new accounts."""
    rows = db.execute(sa.select(new_accounts) if statement is None else statement).all()
    return sorted(row.domain for row in rows), rows[0].roles.split(",") if rows else []


def _version(row: sa.Row[tuple[Any, ...]], columns: Sequence[str]) -> str:
    """Return a hash of some columns of an account's row."""
    told = json.dumps([str(row._mapping[name]) for name in columns])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _name(name: str) -> str:
    cleaned = " ".join(name.split())
    if not 1 <= len(cleaned) <= 80:
        raise AccountError("bad_name", "a name has 1 to 80 characters")
    return cleaned


def _mail(address: str) -> str:
    cleaned = address.strip()
    if cleaned and not _MAIL.fullmatch(cleaned):
        raise AccountError("bad_mail", "a mail address is written as lan@truong.edu.vn")
    return cleaned


def _roles(roles: Collection[str]) -> str:
    if not roles or not set(roles) <= set(ROLES):
        raise AccountError("bad_roles", f"roles are some of {', '.join(ROLES)}")
    return ",".join(role for role in ROLES if role in roles)
