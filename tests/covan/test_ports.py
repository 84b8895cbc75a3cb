"""A busy port is noticed, its holder named, and a free one found."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import pytest
from rich.console import Console
from typer import Abort

from covan.commands.up import choose_ports
from covan.ports import holder, is_free, next_free
from rag.errors import SettingsError
from rag.settings import Settings

HOST = "127.0.0.1"


@pytest.fixture
def busy() -> Iterator[int]:
    """A port that this process listens on, with a free one after it."""
    with socket.socket() as server:
        server.bind((HOST, 0))
        server.listen()
        yield server.getsockname()[1]


@pytest.fixture
def console() -> Console:
    return Console(record=True, width=200)


def wanted(page: int) -> Settings:
    with socket.socket() as one, socket.socket() as two, socket.socket() as three:
        for each in (one, two, three):
            each.bind((HOST, 0))
        return Settings(
            page_port=page,
            rasa_port=one.getsockname()[1],
            actions_port=two.getsockname()[1],
            console_port=three.getsockname()[1],
            host=HOST,
        )


def test_a_port_that_is_listened_on_is_not_free(busy: int) -> None:
    assert not is_free(HOST, busy)
    assert is_free(HOST, next_free(HOST, busy))


def test_the_holder_of_a_port_is_named(busy: int) -> None:
    found = holder(busy)

    assert found is not None
    assert found.pid == os.getpid()
    assert str(os.getpid()) in str(found)


def test_a_port_promised_to_another_is_not_given_away(busy: int) -> None:
    first = next_free(HOST, busy)

    assert next_free(HOST, busy, {first}) > first


def test_the_end_of_the_ports_is_told() -> None:
    with pytest.raises(SettingsError, match="no free port"):
        next_free(HOST, 65_535)


def test_free_ports_are_taken_as_wanted(console: Console) -> None:
    settings = wanted(page=1)
    settings = settings.model_copy(update={"page_port": next_free(HOST, settings.rasa_port)})

    chosen = choose_ports(settings, console, ask=None)

    assert chosen == {
        "page_port": settings.page_port,
        "rasa_port": settings.rasa_port,
        "actions_port": settings.actions_port,
        "console_port": settings.console_port,
    }
    assert console.export_text() == ""


def test_without_a_terminal_another_port_is_taken_and_told(busy: int, console: Console) -> None:
    chosen = choose_ports(wanted(page=busy), console, ask=None)

    told = console.export_text()
    assert chosen["page_port"] != busy
    assert f"Port {busy} of the page is in use by" in told
    assert f"{chosen['page_port']} is free (or choose with --page-port)" in told


def test_at_a_terminal_the_person_decides(busy: int, console: Console) -> None:
    asked: list[str] = []

    def no(question: str) -> bool:
        asked.append(question)
        return False

    with pytest.raises(Abort):
        choose_ports(wanted(page=busy), console, ask=no)
    assert len(asked) == 1


def test_two_servers_never_get_the_same_port(console: Console) -> None:
    settings = wanted(page=1)
    settings = settings.model_copy(
        update={"page_port": settings.rasa_port, "actions_port": settings.rasa_port}
    )

    chosen = choose_ports(settings, console, ask=None)

    assert len(set(chosen.values())) == 4
