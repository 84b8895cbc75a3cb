"""The one place where settings are read: environment variables `COVAN_...`, or a `.env` file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from rag.errors import SettingsError


class Settings(BaseSettings):
    """Every setting has a default that works on a laptop with no network."""

    model_config = SettingsConfigDict(env_prefix="COVAN_", env_file=".env", extra="ignore", frozen=True)

    knowledge_dir: Path = Field(Path("knowledge"), description="the folder with what the bot may say")
    state_dir: Path = Field(Path(".covan"), description="where indexes, conversations and logs are kept")
    preset: str = Field(
        "covan", description="the pipeline: a name in rag/presets, or the path of a YAML file"
    )
    embedder: str = Field(
        "e5",
        description="what makes vectors of text: e5, or sentence-transformers:NAME_OR_PATH (make transformers)",
    )
    session_hours: float = Field(
        12,
        ge=0,
        description="hours of silence after which a conversation begins anew, with the profile kept; 0: never",
    )
    locale: str = Field("vi", description="the language of the commands' own messages to students: vi or en")
    host: str = Field(
        "127.0.0.1", description="the address the page listens on; Rasa and actions stay on loopback"
    )
    rasa_port: int = Field(5005, ge=1, le=65535, description="port of the Rasa server")
    actions_port: int = Field(5055, ge=1, le=65535, description="port of the action server")
    page_port: int = Field(8000, ge=1, le=65535, description="port of the page with the chat")

    @property
    def index_dir(self) -> Path:
        return self.state_dir / "index"


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process, read once. Raises SettingsError naming every one that cannot be used."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = "; ".join(
            f"COVAN_{'_'.join(map(str, found['loc'])).upper()}: {found['msg']}" for found in error.errors()
        )
        raise SettingsError(f"a setting cannot be used: {wrong}") from error
