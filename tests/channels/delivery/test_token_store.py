"""Tokens that are used once, in the database, with several processes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from made_databases import channels_database

from channels.delivery.store import Store
from channels.delivery.token_store import HOLD_S, LINK_S, TokenPair, TokenStore

FIRST = TokenPair("access-1", "refresh-1", 5_000.0)
SECOND = TokenPair("access-2", "refresh-2", 9_000.0)


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def kept(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[TokenStore]:
    url = channels_database(tmp_path / "channels.sqlite")
    if request.param == "postgresql":
        url = str(request.getfixturevalue("postgres").new_database())
    store = Store(url, clock)
    yield store.tokens
    store.close()


def pair(kept: TokenStore) -> TokenPair:
    found = kept.read("zalo")
    assert found is not None
    return found.pair


def test_a_pair_replaces_the_one_before(kept: TokenStore, clock: Clock) -> None:
    assert kept.read("zalo") is None
    kept.save("zalo", FIRST, "")
    clock.now = 2_000.0
    assert kept.renew("zalo", "refresh-1", SECOND)
    kept.save("other", FIRST, "")

    found = kept.read("zalo")
    assert found is not None
    assert (found.pair, found.obtained_at, found.why) == (SECOND, 2_000.0, "")


def test_a_refresh_token_is_held_by_one_process(kept: TokenStore) -> None:
    kept.save("zalo", FIRST, "")
    with ThreadPoolExecutor(8) as pool:
        held = list(pool.map(lambda n: kept.hold("zalo", "refresh-1", f"process-{n}"), range(8)))

    assert sorted(held) == [False] * 7 + [True]


def test_an_old_refresh_token_cannot_be_held(kept: TokenStore) -> None:
    assert not kept.hold("zalo", "refresh-1", "a")
    kept.save("zalo", FIRST, "")
    assert kept.renew("zalo", "refresh-1", SECOND)

    assert not kept.hold("zalo", "refresh-1", "a")
    assert kept.hold("zalo", "refresh-2", "a")


def test_a_new_pair_ends_the_hold(kept: TokenStore) -> None:
    kept.save("zalo", FIRST, "")
    assert kept.hold("zalo", "refresh-1", "a")
    assert kept.renew("zalo", "refresh-1", SECOND)

    assert kept.hold("zalo", "refresh-2", "b")


@pytest.mark.parametrize("later", [HOLD_S + 1, -3 * HOLD_S])
def test_the_hold_of_a_dead_process_ends_by_itself(kept: TokenStore, clock: Clock, later: float) -> None:
    kept.save("zalo", FIRST, "")
    assert kept.hold("zalo", "refresh-1", "a")
    assert not kept.hold("zalo", "refresh-1", "b")
    clock.now += later

    assert kept.hold("zalo", "refresh-1", "b")


def test_only_its_holder_gives_a_token_up(kept: TokenStore) -> None:
    kept.save("zalo", FIRST, "")
    assert kept.hold("zalo", "refresh-1", "a")
    kept.release("zalo", "b", "of another process")
    assert not kept.hold("zalo", "refresh-1", "b")
    kept.release("zalo", "a")

    assert kept.hold("zalo", "refresh-1", "b")
    found = kept.read("zalo")
    assert found is not None
    assert found.why == ""


def test_a_refusal_is_kept_until_there_is_a_new_pair(kept: TokenStore) -> None:
    kept.save("zalo", FIRST, "")
    assert kept.hold("zalo", "refresh-1", "a")
    kept.release("zalo", "a", "Zalo says no")

    found = kept.read("zalo")
    assert found is not None
    assert (found.why, found.refused_at, found.pair) == ("Zalo says no", 1_000.0, FIRST)
    assert kept.renew("zalo", "refresh-1", SECOND)
    found = kept.read("zalo")
    assert found is not None
    assert (found.why, found.refused_at) == ("", 0.0)


def test_a_pair_of_a_chain_that_is_over_is_not_kept(kept: TokenStore) -> None:
    kept.save("zalo", FIRST, "")
    assert kept.hold("zalo", "refresh-1", "a")
    other = TokenPair("access-9", "refresh-9", 9_000.0)
    kept.save("zalo", other, "")
    assert not kept.renew("zalo", "refresh-1", SECOND)
    assert pair(kept) == other
    kept.forget("zalo")
    assert not kept.renew("zalo", "refresh-9", SECOND)
    assert kept.read("zalo") is None


def test_a_token_of_the_settings_begins_a_chain_once(kept: TokenStore) -> None:
    for _ in range(2):
        kept.begin("zalo", "from-env", "seed-1")
    assert pair(kept) == TokenPair("", "from-env", 0.0)
    assert kept.renew("zalo", "from-env", FIRST)
    kept.begin("zalo", "from-env", "seed-1")
    assert pair(kept) == FIRST, "a restart does not bring a used token back"
    kept.begin("zalo", "another", "seed-2")
    assert pair(kept).refresh == "another"


def test_a_person_who_lets_the_app_in_comes_before_the_settings(kept: TokenStore) -> None:
    kept.begin("zalo", "from-env", "seed-1")
    kept.save("zalo", FIRST, "seed-1")
    kept.begin("zalo", "from-env", "seed-1")

    assert pair(kept) == FIRST


@pytest.mark.parametrize("known", [False, True])
def test_a_link_lasts_for_a_while_or_until_it_is_used(kept: TokenStore, clock: Clock, known: bool) -> None:
    if known:
        kept.save("zalo", FIRST, "")
    assert kept.link("zalo") == ""
    kept.make_link("zalo", "one")
    kept.make_link("zalo", "two")
    assert kept.link("zalo") == "two"
    assert (kept.read("zalo") is not None) is known, "a link is no token"
    clock.now += LINK_S
    assert kept.link("zalo") == ""
    kept.make_link("zalo", "three")
    kept.begin("zalo", "refresh-1", "seed")
    assert kept.renew("zalo", "refresh-1", SECOND)
    assert kept.link("zalo") == "three", "a renewal is nobody who lets the app in"
    kept.save("zalo", SECOND, "")
    assert kept.link("zalo") == ""


def test_forgotten_tokens_are_gone(kept: TokenStore) -> None:
    kept.save("zalo", FIRST, "")
    kept.forget("zalo")

    assert kept.read("zalo") is None
