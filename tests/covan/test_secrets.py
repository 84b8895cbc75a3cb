"""Secrets that nobody has set are made once, and are for their owner's eyes only."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from pydantic import SecretStr

from covan.secrets import FILE, ensure_secrets, with_secrets
from rag.errors import SettingsError
from rag.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(state_dir=tmp_path, advisor_token=SecretStr(""), web_secret=SecretStr(""))


def values(settings: Settings) -> tuple[str, str]:
    return settings.advisor_token.get_secret_value(), settings.web_secret.get_secret_value()


def test_without_a_file_what_is_unset_stays_empty(settings: Settings) -> None:
    assert values(with_secrets(settings)) == ("", "")
    assert not (settings.state_dir / FILE).exists()


def test_made_once_and_found_by_the_next_command(settings: Settings) -> None:
    made = values(ensure_secrets(settings))

    assert all(len(value) >= 43 for value in made)
    assert made[0] != made[1]
    assert values(ensure_secrets(settings)) == made
    assert values(with_secrets(settings)) == made


def test_nobody_else_may_read_them(settings: Settings) -> None:
    ensure_secrets(settings)

    assert stat.S_IMODE((settings.state_dir / FILE).stat().st_mode) == 0o600
    assert [path.name for path in settings.state_dir.iterdir()] == [FILE]


def test_what_the_environment_sets_is_used_and_never_written_down(settings: Settings) -> None:
    ensure_secrets(settings)
    ours = settings.model_copy(update={"advisor_token": SecretStr("set-by-the-school")})

    assert ensure_secrets(ours).advisor_token.get_secret_value() == "set-by-the-school"
    assert "set-by-the-school" not in (settings.state_dir / FILE).read_text()


def test_nothing_is_kept_when_all_are_set(settings: Settings) -> None:
    ours = settings.model_copy(
        update={
            "advisor_token": SecretStr("a"),
            "web_secret": SecretStr("b"),
            "internal_token": SecretStr("c"),
        }
    )

    assert values(ensure_secrets(ours)) == ("a", "b")
    assert not (settings.state_dir / FILE).exists()


def test_a_secret_of_a_later_release_is_added_to_the_others(settings: Settings) -> None:
    (settings.state_dir / FILE).write_text(json.dumps({"web_secret": "of before"}))

    token, secret = values(ensure_secrets(settings))

    assert secret == "of before"
    assert len(token) >= 43


def test_a_damaged_file_is_told_without_its_content(settings: Settings) -> None:
    (settings.state_dir / FILE).write_text('{"web_secret": ["half a sec')

    with pytest.raises(SettingsError, match="is damaged") as error:
        with_secrets(settings)

    assert "half a sec" not in str(error.value)
