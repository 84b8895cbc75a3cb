"""The second factor of an account: the codes of an authenticator app (TOTP, RFC 6238), and recovery codes.

The app and the console share a secret, from which both make a code of six digits every 30 seconds. One of the step
before or after is taken, too, because clocks differ; no code is taken twice. A recovery code is for a lost phone and
is taken once. All functions work in the transaction of `db`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

import pyotp
import sqlalchemy as sa

from console.tables import recovery_codes, second_factors

ISSUER = "Covan"
"""The name that the app shows."""

STEP_S = 30
OTHER_STEPS = (-1, 0, 1)
RECOVERY_CODES = 10
RECOVERY_BYTES = 10
"""Eighty random bits: the hash of a code needs no salt and no slow function."""


def is_on(db: sa.Connection, account_id: int) -> bool:
    """Return whether signing in needs a code."""
    of = sa.select(second_factors.c.active).where(second_factors.c.account_id == account_id)
    return bool(db.scalar(of))


def codes_left(db: sa.Connection, account_id: int) -> int:
    """Return how many recovery codes are left."""
    left = sa.select(sa.func.count()).where(recovery_codes.c.account_id == account_id)
    return db.scalar(left) or 0


def begin(db: sa.Connection, account_id: int) -> str:
    """Give an account a new secret, which is not needed yet, and return it."""
    secret = pyotp.random_base32()
    remove(db, account_id)
    values = {"account_id": account_id, "secret": secret, "active": False, "last_step": 0}
    db.execute(second_factors.insert().values(**values))
    return secret


def address_for_app(secret: str, login: str) -> str:
    """Return the address that an app reads from a QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=login, issuer_name=ISSUER)


def activate(db: sa.Connection, account_id: int) -> list[str]:
    """Need a code from now on; return the recovery codes, of which hashes alone are kept."""
    of = sa.update(second_factors).where(second_factors.c.account_id == account_id)
    db.execute(of.values(active=True))
    made = [_recovery_code() for _ in range(RECOVERY_CODES)]
    db.execute(recovery_codes.insert(), [{"account_id": account_id, "key": _key(code)} for code in made])
    return made


def remove(db: sa.Connection, account_id: int) -> bool:
    """Forget secret and recovery codes; return whether a code was needed."""
    was_on = is_on(db, account_id)
    for table in (second_factors, recovery_codes):
        db.execute(sa.delete(table).where(table.c.account_id == account_id))
    return was_on


def take_code(db: sa.Connection, account_id: int, code: str, now: float) -> bool:
    """Return whether a code of the app is right; it is not from then on, nor are those before it."""
    of = second_factors.c.account_id == account_id
    secret = db.scalar(sa.select(second_factors.c.secret).where(of))
    given = "".join(code.split()).encode("utf-8", "surrogateescape")
    if secret is None:
        return False
    totp, step = pyotp.TOTP(secret, interval=STEP_S), int(now // STEP_S)
    # All are compared, so that the time does not tell which one it was.
    steps = [step + other for other in OTHER_STEPS]
    right = [each for each in steps if hmac.compare_digest(totp.at(each * STEP_S).encode(), given)]
    if not right:
        return False
    # One statement: of two requests with the same code, one finds it taken.
    taken = sa.update(second_factors).where(of, second_factors.c.last_step < max(right))
    return db.execute(taken.values(last_step=max(right))).rowcount == 1


def take_recovery_code(db: sa.Connection, account_id: int, code: str) -> bool:
    """Return whether a recovery code is one that is left; it is not from then on."""
    mine = [recovery_codes.c.account_id == account_id, recovery_codes.c.key == _key(code)]
    return db.execute(sa.delete(recovery_codes).where(*mine)).rowcount == 1


def _recovery_code() -> str:
    letters = base64.b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode().lower()
    return "-".join(letters[first : first + 4] for first in range(0, len(letters), 4))


def _key(code: str) -> str:
    letters = "".join(letter for letter in code.lower() if letter.isalnum())
    return hashlib.sha256(letters.encode("utf-8", "surrogateescape")).hexdigest()
