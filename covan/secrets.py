"""The secrets that a trial needs and nobody has set: made once, kept in the state folder for its owner alone.

`COVAN_WEB_SECRET` signs the sessions of the website's chat, `COVAN_ADVISOR_TOKEN` opens the advisors' API,
`COVAN_INTERNAL_TOKEN` opens Rasa to the front door. What the
environment sets is used as it is, and never written down.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from pydantic import SecretStr, TypeAdapter, ValidationError

from covan.project import ROOT
from rag.errors import SettingsError
from rag.settings import Settings

FILE = "secrets.json"
NAMES = ("advisor_token", "web_secret", "internal_token")
BYTES = 32
"""Random bytes in each: as many as the hash that signs a session has (RFC 7518, 3.2)."""

_CONTENT = TypeAdapter(dict[str, str])


def with_secrets(settings: Settings) -> Settings:
    """Return `settings` with the kept secrets of the state folder in place of empty ones.

    A secret that is nowhere stays empty. Raises SettingsError when the file cannot be read.
    """
    return _filled(settings, _read(_file(settings)))


def ensure_secrets(settings: Settings) -> Settings:
    """Return `with_secrets`; make and keep each secret that is missing there.

    Sessions and what advisors have open go on after a restart. For one process at a time. Raises SettingsError.
    """
    file = _file(settings)
    kept = _read(file)
    missing = [name for name in _unset(settings) if not kept.get(name)]
    if missing:
        kept = {**kept, **{name: secrets.token_urlsafe(BYTES) for name in missing}}
        _write(file, kept)
    return _filled(settings, kept)


def _file(settings: Settings) -> Path:
    return ROOT / settings.state_dir / FILE


def _unset(settings: Settings) -> list[str]:
    return [name for name in NAMES if not getattr(settings, name).get_secret_value()]


def _filled(settings: Settings, kept: Mapping[str, str]) -> Settings:
    return settings.model_copy(
        update={name: SecretStr(kept[name]) for name in _unset(settings) if kept.get(name)}
    )


def _read(file: Path) -> dict[str, str]:
    try:
        return _CONTENT.validate_json(file.read_bytes())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}") from error
    except ValidationError:
        # The error itself would quote the file.
        raise SettingsError(
            f"{file} is damaged. Remove it and start `covan up` again: new secrets are made, and students' open "
            "chats on the website begin anew."
        ) from None


def _write(file: Path, kept: Mapping[str, str]) -> None:
    """Write the file in one step, readable by its owner alone from the beginning."""
    aside = file.with_name(f".{file.name}.{os.getpid()}")
    aside.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as written:
            json.dump(kept, written, indent=1)
            written.flush()
            os.fsync(written.fileno())
        aside.replace(file)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise SettingsError(f"{file} cannot be written: {error.strerror}") from error
