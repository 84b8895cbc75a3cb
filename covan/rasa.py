"""How Rasa is run: its own Python, and the environment that its files and libraries expect."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from covan.project import ROOT
from rag.errors import CovanError
from rag.settings import Settings

PYTHON = ROOT / "server" / ".venv" / "bin" / "python"
MODELS = ROOT / "models"
LOOPBACK = "127.0.0.1"


def command(*arguments: str) -> list[str]:
    """The command line of `rasa ARGUMENTS`. Raises CovanError when Rasa's environment is not installed."""
    if not PYTHON.is_file():
        raise CovanError("Rasa's environment (server/.venv) is not installed. Run: make setup")
    return [str(PYTHON), "-m", "rasa", *arguments]


def serve(settings: Settings, *, models: Path = MODELS, api_token: str | None = None) -> list[str]:
    """The command line of the Rasa server, on loopback.

    `models` is a folder, whose newest model is used and which is watched for a newer one, or a model to stay with.
    With `api_token`, Rasa's HTTP API is open to who has the token (`?token=...`). It can load models, read
    conversations and write into them, and the token stands in the process list: for tests, not for a school's server.
    """
    api = ("--enable-api", "--auth-token", api_token) if api_token else ()
    return command(
        *("run", "--interface", LOOPBACK, "--port", str(settings.rasa_port)),
        *("--endpoints", "endpoints.yml", "--credentials", "credentials.yml"),
        *("--model", str(models)),
        *api,
    )


def environment(settings: Settings, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of a Rasa process: `base`, quiet libraries, one thread, and what endpoints.yml names."""
    return {
        **base,
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "ignore",
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "SQLALCHEMY_SILENCE_UBER_WARNING": "1",
        "OMP_NUM_THREADS": "1",
        "RASA_TELEMETRY_ENABLED": "false",
        "COVAN_ACTIONS_URL": f"http://127.0.0.1:{settings.actions_port}/webhook",
        "COVAN_TRACKER_DB": str(_absolute(settings.state_dir) / "tracker.sqlite"),
        "COVAN_SESSION_HOURS": str(settings.session_hours),
    }


def _absolute(path: Path) -> Path:
    return path if path.is_absolute() else ROOT / path
