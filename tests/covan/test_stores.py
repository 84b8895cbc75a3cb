"""Rasa starts only when what it keeps conversations and locks in can be used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_fixture import postgres
from real_postgres import RealPostgres
from real_redis import RealRedis
from reserved_ports import reserve_port

from covan import rasa
from covan.stores import require_stores_of_rasa
from rag.errors import CovanError
from rag.settings import Settings

__all__ = ["postgres"]

PASSWORD = "p@ss:w/o%rd#?&'1"


@pytest.fixture
def redis() -> Iterator[RealRedis]:
    with RealRedis(PASSWORD) as server:
        yield server


def test_a_trial_needs_no_server() -> None:
    require_stores_of_rasa(Settings())
    require_stores_of_rasa(Settings(tracker_db="sqlite:////tmp/x.sqlite"))


@pytest.mark.services
def test_fault_14_a_password_with_reserved_characters_opens_them(
    postgres: RealPostgres, redis: RealRedis
) -> None:
    user, place, name = postgres.new_database_with_password(PASSWORD)

    require_stores_of_rasa(
        Settings(
            tracker_db=f"postgresql://{user}:{PASSWORD}@{place}/{name}",
            locks_url=f"redis://:{PASSWORD}@127.0.0.1:{redis.port}/1",
        )
    )


@pytest.mark.services
def test_a_wrong_password_is_told_without_it(postgres: RealPostgres, redis: RealRedis) -> None:
    user, place, name = postgres.new_database_with_password(PASSWORD)

    for setting, address in (
        ("tracker_db", f"postgresql://{user}:another-word@{place}/{name}"),
        ("locks_url", f"redis://:another-word@127.0.0.1:{redis.port}/1"),
    ):
        with pytest.raises(CovanError, match=f"COVAN_{setting.upper()}") as refused:
            require_stores_of_rasa(Settings(**{setting: address}))
        assert "another-word" not in str(refused.value)


@pytest.mark.parametrize("setting", ["tracker_db", "locks_url"])
def test_a_server_that_is_away_is_told(setting: str) -> None:
    scheme, end = ("postgresql", "covan") if setting == "tracker_db" else ("redis", "1")

    with pytest.raises(CovanError, match=f"COVAN_{setting.upper()} cannot be used"):
        require_stores_of_rasa(Settings(**{setting: f"{scheme}://x:secret@127.0.0.1:{reserve_port()}/{end}"}))


@pytest.mark.parametrize("locks_url", ["http://x", "redis://x:notaport/1"])
def test_an_address_that_is_none_is_told(locks_url: str) -> None:
    with pytest.raises(CovanError, match="COVAN_LOCKS_URL"):
        require_stores_of_rasa(Settings(locks_url=locks_url))


def test_fault_14_no_process_of_rasa_reports_to_anybody(tmp_path: Path) -> None:
    settings = Settings(
        state_dir=tmp_path,
        tracker_db="postgresql://covan:secret@10.0.0.5/covan",
        locks_url="redis://:secret@x/1",
    )

    assert (
        rasa.environment(settings, base={"RASA_TELEMETRY_ENABLED": "true"})["RASA_TELEMETRY_ENABLED"]
        == "false"
    )
    rasa.write_environment_file(settings)
    by_hand = (tmp_path / "rasa.env").read_text()
    assert "RASA_TELEMETRY_ENABLED=false" in by_hand
    assert "secret" not in by_hand


def test_the_environment_of_rasa_names_its_stores(tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path)

    assert rasa.environment(settings, base={})["COVAN_TRACKER_DB"] == f"sqlite:///{tmp_path}/tracker.sqlite"
    assert rasa.environment(settings, base={})["COVAN_LOCKS_URL"] == ""
    rasa.write_environment_file(settings)
    assert "COVAN_LOCKS_URL=''" in (tmp_path / "rasa.env").read_text()
