"""A password of any characters reaches the database: each reader of the address finds the same one."""

from __future__ import annotations

from urllib.parse import quote

import pytest
import redis
import sqlalchemy as sa

from rag.settings import Settings
from rag.store_address import with_encoded_password

PASSWORDS = [
    "secret",
    "p@ss",
    "a@b@c",
    "p/w",
    "p:w",
    "p#w",
    "p?w=1",
    "50%",
    "%zz",
    "a b",
    "mật khẩu",
    "[x]",
    "&=+",
]


@pytest.mark.parametrize("password", PASSWORDS)
@pytest.mark.parametrize("encoded", [False, True])
def test_fault_14_any_password_is_read_as_it_was_written(password: str, encoded: bool) -> None:
    written = quote(password, safe="") if encoded else password
    settings = Settings(
        channels_db=f"postgresql://covan:{written}@10.0.0.5:5432/covan",
        tracker_db=f"postgresql://covan:{written}@10.0.0.5:5432/covan",
        redis_url=f"redis://:{written}@10.0.0.5:6379/0",
        locks_url=f"rediss://covan:{written}@10.0.0.5:6379/1",
    )

    for address in (settings.channels_database, settings.tracker_db):
        read = sa.engine.make_url(address)
        assert (read.username, read.password, read.host, read.database) == (
            *("covan", password, "10.0.0.5", "covan"),
        )
    for address in (settings.redis_url, settings.locks_url):
        parts = redis.connection.parse_url(address)
        assert (parts["password"], parts["host"], parts["port"]) == (password, "10.0.0.5", 6379)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "redis://127.0.0.1:6379/0",
        "postgresql://10.0.0.5/covan",
        "postgresql://covan@10.0.0.5/covan",
        "sqlite:////home/an@example/channels.sqlite",
        "no address @ all",
    ],
)
def test_other_addresses_stay_as_they_are(address: str) -> None:
    assert with_encoded_password(address) == address


def test_reading_twice_is_reading_once() -> None:
    once = with_encoded_password("postgresql://covan:50%@x/y")

    assert with_encoded_password(once) == once
