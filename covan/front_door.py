"""The front door (`covan channels`) as the commands start and find it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import SecretStr

from covan.project import ROOT
from rag.settings import Settings

URL_FILE = "channels.url"

LOOPBACK = "127.0.0.1"
EVERY_ADDRESS = ("0.0.0.0", "::")

DIST = ROOT / "widget" / "dist"
"""The built page."""


def environment(settings: Settings) -> Mapping[str, str]:
    """Return the variables from which another process reads the same settings: the platforms' secrets, too."""
    return {f"COVAN_{name.upper()}": _written(getattr(settings, name)) for name in Settings.model_fields}


def address(settings: Settings, port: int | None = None) -> str:
    """Return the address of the front door, or of the server on `port`, for a browser or a command on this machine."""
    host = "localhost" if settings.host in (LOOPBACK, *EVERY_ADDRESS) else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{port or settings.page_port}"


def announce(settings: Settings) -> None:
    """Record the address for the commands that work on the state folder."""
    _file(settings).write_text(_own_address(settings), encoding="utf-8")


def withdraw(settings: Settings) -> None:
    """Remove the record."""
    _file(settings).unlink(missing_ok=True)


def running_url(settings: Settings) -> str:
    """Return the address of the front door that runs on the state folder, or else that of the settings."""
    try:
        return _file(settings).read_text(encoding="utf-8").strip() or _own_address(settings)
    except (OSError, ValueError):
        return _own_address(settings)


def _written(value: object) -> str:
    if isinstance(value, Path):
        return str(ROOT / value)
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)


def _own_address(settings: Settings) -> str:
    # Not `localhost`, which is two addresses on many machines.
    return address(settings).replace("//localhost:", f"//{LOOPBACK}:")


def _file(settings: Settings) -> Path:
    return ROOT / settings.state_dir / URL_FILE
