"""`covan up` hands the same secrets to both servers that need them, and shows them to nobody."""

from __future__ import annotations

from pathlib import Path

from covan.commands.up import services
from covan.secrets import ensure_secrets
from rag.settings import Settings


def test_the_action_server_and_rasa_get_the_same_secrets(tmp_path: Path) -> None:
    chosen = ensure_secrets(Settings(state_dir=tmp_path))
    token, secret = chosen.advisor_token.get_secret_value(), chosen.web_secret.get_secret_value()

    given = {service.name: service for service in services(chosen)}

    assert token
    for name in ("actions", "rasa"):
        assert given[name].environment["COVAN_ADVISOR_TOKEN"] == token
        assert given[name].environment["COVAN_WEB_SECRET"] == secret


def test_no_secret_stands_in_the_list_of_processes(tmp_path: Path) -> None:
    chosen = ensure_secrets(Settings(state_dir=tmp_path))

    for service in services(chosen):
        line = " ".join(service.command)
        assert chosen.advisor_token.get_secret_value() not in line
        assert chosen.web_secret.get_secret_value() not in line
