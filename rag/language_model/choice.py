"""The choice that an administrator has made of the language model on the console, in place of the settings.

The file stands beside the index, so that every process has it at its next question. It holds no key: the key of the
settings is sent to the address of the settings alone, whatever address is chosen.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    field_validator,
    model_validator,
)

from rag.json_file import read_json
from rag.settings import Settings, http_address

MOST_TOKENS = 10**12
MOST_COST = 10**9

Price = Annotated[float, Field(ge=0, le=MOST_COST, allow_inf_nan=False)]


class ModelChoice(BaseModel):
    """A model and how it is used; without an address and a name, none is used. Prices are for a million tokens.

    `sources` may be worded by the model (`Settings.llm_sources`); a budget of 0 is no limit.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: Annotated[str, StringConstraints(max_length=500, pattern=r"^[!-~]*$")] = ""
    model: Annotated[str, StringConstraints(max_length=200, pattern=r"^[ -~]*$")] = ""
    temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] = 0
    sources: Annotated[tuple[Literal["document", "study"], ...], Field(max_length=2)] = ()
    daily_tokens: Annotated[int, Field(ge=0, le=MOST_TOKENS)] = 0
    daily_cost: Price = 0
    prompt_price: Price = 0
    completion_price: Price = 0

    @field_validator("url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        if "@" in urlsplit(value).netloc:
            raise ValueError("write no name and no password into the address")
        return http_address(value)

    @model_validator(mode="after")
    def _names_a_model(self) -> Self:
        if bool(self.url) != bool(self.model):
            raise ValueError("an address and a model belong together: give both, or neither")
        return self

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return what the settings say."""
        return cls(
            url=without_secrets(settings.llm_url),
            model=settings.llm_model,
            temperature=settings.llm_temperature,
            sources=tuple(settings.llm_sources.split()),
            daily_tokens=settings.llm_daily_tokens,
            daily_cost=settings.llm_daily_cost,
            prompt_price=settings.llm_prompt_price,
            completion_price=settings.llm_completion_price,
        )


def choice_file(settings: Settings) -> Path:
    """Return the file of the choice, whether it exists or not."""
    return settings.index_dir / "language_model.json"


def kept_choice(settings: Settings) -> ModelChoice | None:
    """Return the choice; None without one. Raises SettingsError when its file holds none."""
    file = choice_file(settings)
    return read_json(file, ModelChoice, "a choice of the language model") if file.exists() else None


def chosen_settings(settings: Settings) -> Settings:
    """Return the settings with the choice in place of what they say; as they are without one.

    Raises SettingsError when the file holds no choice.
    """
    return with_choice(settings, kept_choice(settings))


def with_choice(settings: Settings, choice: ModelChoice | None) -> Settings:
    """Return the settings with a choice in place of what they say; as they are without one."""
    if choice is None:
        return settings
    is_own = _server(choice.url) == _server(settings.llm_url)
    return settings.model_copy(
        update={
            "llm_url": choice.url,
            "llm_model": choice.model,
            "llm_key": settings.llm_key if is_own else SecretStr(""),
            "llm_temperature": choice.temperature,
            "llm_sources": " ".join(choice.sources),
            "llm_daily_tokens": choice.daily_tokens,
            "llm_daily_cost": choice.daily_cost,
            "llm_prompt_price": choice.prompt_price,
            "llm_completion_price": choice.completion_price,
        }
    )


def without_secrets(url: str) -> str:
    """Return an address without its user, password, query and fragment; nothing for nothing."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if url else ""


def _server(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.rpartition("@")[2].lower()
