"""Rasa's processes: its own Python, and the environment that its files and libraries expect."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from covan import priority
from covan.project import ROOT
from rag.errors import CovanError
from rag.settings import Settings

PYTHON = ROOT / "server" / ".venv" / "bin" / "python"
CREDENTIALS = ROOT / "credentials.yml"
LOOPBACK = "127.0.0.1"


def command(*arguments: str) -> list[str]:
    """Return the command line of `rasa ARGUMENTS`. Raises CovanError when Rasa's environment is not installed."""
    if not PYTHON.is_file():
        raise CovanError("Rasa's environment (server/.venv) is not installed. Run: make setup")
    return [str(PYTHON), "-m", "server.lean_rasa", *arguments]


def serve(
    settings: Settings,
    *,
    models: Path | None = None,
    api_token: str | None = None,
) -> list[str]:
    """Return the command line of the Rasa server, on loopback.

    `models` is a folder, whose newest model is used and which is watched for a newer one, or a model to stay with;
    without it, the folder of the settings' school.
    With `api_token`, Rasa's HTTP API is open to who has the token (`?token=...`). It can load models, read
    conversations and write into them, and the token stands in the process list: for tests, not for a school's server.
    """
    api = ("--enable-api", "--auth-token", api_token) if api_token else ()
    serving = command(
        *("run", "--interface", LOOPBACK, "--port", str(settings.rasa_port)),
        *("--endpoints", "endpoints.yml", "--credentials", str(CREDENTIALS)),
        *("--model", str(models or models_dir(settings))),
        *api,
    )
    return priority.with_niceness(priority.ANSWERING, serving)


def train(*arguments: str) -> list[str]:
    """Return the command line of `rasa train ARGUMENTS`. Raises CovanError as `command`."""
    return priority.with_niceness(priority.TRAINING, command("train", *arguments))


def environment(settings: Settings, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment of a Rasa process: `base`, quiet libraries, one thread, and what Rasa's files name."""
    return {
        **base,
        **_of_project(settings),
        **_stores(settings),
        "COVAN_INTERNAL_TOKEN": settings.internal_token.get_secret_value(),
    }


def models_dir(settings: Settings) -> Path:
    """Return the folder of the trained models. Each state folder has its own: Rasa takes the newest of a folder."""
    return _absolute(settings.state_dir) / "models"


def candidates_dir(settings: Settings) -> Path:
    """Return the folder of the trained model that is not live yet (`covan train --candidate`)."""
    return _absolute(settings.state_dir) / "candidate"


def set_aside_file(settings: Settings) -> Path:
    """Return the file with the name of the model that a person has taken back or thrown away in the console."""
    return models_dir(settings) / "set-aside"


def generated(settings: Settings) -> Path:
    """Return the folder of what `covan train` writes for a school: domain, rules, examples, and the reader's files.

    config.yml names it, as `COVAN_GENERATED`.
    """
    return _absolute(settings.state_dir) / "rasa"


def write_environment_file(settings: Settings) -> None:
    """Write the file that makes Rasa's own command line work: `set -a; . .covan/rasa.env`. It holds no secret."""
    # An address of a server holds a password; it stands in .env, under the same name.
    stores = {name: value for name, value in _stores(settings).items() if "@" not in value}
    lines = [f"{name}={shlex.quote(value)}\n" for name, value in {**_of_project(settings), **stores}.items()]
    write_if_changed(_absolute(settings.state_dir) / "rasa.env", "".join(lines).encode())


def write_if_changed(path: Path, content: bytes) -> None:
    """Write a file in one step, unless it has this content: a Rasa process may be reading it."""
    if path.is_file() and path.read_bytes() == content:
        return
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    aside.write_bytes(content)
    aside.replace(path)


def _of_project(settings: Settings) -> dict[str, str]:
    """Return the variables that config.yml, endpoints.yml and the libraries read."""
    return {
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "ignore",
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "SQLALCHEMY_SILENCE_UBER_WARNING": "1",
        "OMP_NUM_THREADS": "1",
        "RASA_TELEMETRY_ENABLED": "false",
        "COVAN_ACTIONS_URL": f"http://127.0.0.1:{settings.actions_port}/webhook",
        "COVAN_SESSION_HOURS": str(settings.session_hours),
        "COVAN_RETENTION_DAYS": str(settings.retention_days),
        "COVAN_GENERATED": str(generated(settings)),
        "COVAN_INDEX": str(_absolute(settings.index_dir)),
        # Two schools may train at the same time.
        "RASA_CACHE_DIRECTORY": str(_absolute(settings.state_dir) / "cache" / "rasa"),
    }


def _stores(settings: Settings) -> dict[str, str]:
    """Return the addresses of Rasa's conversations and locks."""
    file = _absolute(settings.state_dir) / "tracker.sqlite"
    return {
        "COVAN_TRACKER_DB": settings.tracker_db or f"sqlite:///{file}",
        "COVAN_LOCKS_URL": settings.locks_url,
    }


def _absolute(path: Path) -> Path:
    return path if path.is_absolute() else ROOT / path
