"""`covan up` hands the same secrets to the servers that need them, and shows them to nobody else."""

from __future__ import annotations

from pathlib import Path

from covan.commands.up import services
from covan.secrets import ensure_secrets
from rag.settings import Settings


def test_each_server_gets_the_secrets_that_it_needs(tmp_path: Path) -> None:
    chosen = ensure_secrets(Settings(state_dir=tmp_path))
    token, secret = chosen.advisor_token.get_secret_value(), chosen.web_secret.get_secret_value()
    internal = chosen.internal_token.get_secret_value()

    given = {service.name: service for service in services(chosen)}

    assert token
    assert given["actions"].environment["COVAN_ADVISOR_TOKEN"] == token
    assert given["channels"].environment["COVAN_ADVISOR_TOKEN"] == token
    assert given["channels"].environment["COVAN_WEB_SECRET"] == secret
    assert internal
    assert given["channels"].environment["COVAN_INTERNAL_TOKEN"] == internal
    assert given["rasa"].environment["COVAN_INTERNAL_TOKEN"] == internal
    assert not {token, secret} & set(given["rasa"].environment.values())


def test_no_secret_stands_in_the_list_of_processes(tmp_path: Path) -> None:
    chosen = ensure_secrets(Settings(state_dir=tmp_path))

    for service in services(chosen):
        line = " ".join(service.command)
        assert chosen.advisor_token.get_secret_value() not in line
        assert chosen.web_secret.get_secret_value() not in line
