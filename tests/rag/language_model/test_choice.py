"""A choice of the language model takes the place of the settings at once, and never takes their key elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rag.errors import SettingsError
from rag.json_file import write_json
from rag.language_model.choice import ModelChoice, choice_file, chosen_settings
from rag.language_model.configured import ConfiguredModel
from rag.settings import Settings

OWN, OTHER = "https://model.example/v1", "http://127.0.0.1:11434/v1"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(state_dir=tmp_path, llm_url=OWN, llm_model="own", llm_key="secret")


def choose(settings: Settings, choice: ModelChoice) -> None:
    file = choice_file(settings)
    write_json(file, choice)
    # Two choices of one moment would look alike.
    os.utime(file, ns=(0, hash(choice) % 10**15))


def test_without_a_choice_the_settings_hold(settings: Settings) -> None:
    assert chosen_settings(settings) == settings
    assert ModelChoice.of(settings).model == "own"


@pytest.mark.parametrize(("url", "key"), [(OWN, "secret"), (f"{OWN}/", "secret"), (OTHER, "")])
def test_the_key_is_for_the_server_of_the_settings(settings: Settings, url: str, key: str) -> None:
    choose(settings, ModelChoice(url=url, model="chosen", sources=("study",), daily_tokens=7))

    chosen = chosen_settings(settings)

    assert chosen.llm_key.get_secret_value() == key
    assert (chosen.llm_model, chosen.llm_sources, chosen.llm_daily_tokens) == ("chosen", "study", 7)
    assert chosen.llm_timeout_s == settings.llm_timeout_s


def test_the_access_is_the_same_until_the_choice_is_another(settings: Settings) -> None:
    model = ConfiguredModel(settings)
    first = model()
    assert first is not None
    assert model() is first

    choose(settings, ModelChoice(url=OTHER, model="chosen"))
    second = model()
    assert second is not None
    assert (second.model.name, second.words_documents) == ("chosen", False)

    choose(settings, ModelChoice())
    assert model() is None


def test_a_damaged_choice_leaves_the_access_before(settings: Settings) -> None:
    model = ConfiguredModel(settings)
    first = model()
    choice_file(settings).parent.mkdir()
    choice_file(settings).write_text('{"url": "ftp://x"')

    assert model() is first
    with pytest.raises(SettingsError, match="a choice of the language model"):
        chosen_settings(settings)
