"""The model of the running Covan, which server/model_watcher.py replaces by a newly trained one."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from covan import front_door, rasa
from covan.project import ROOT
from rag.errors import CovanError
from rag.settings import Settings

PORT_FILE = "rasa.port"
POLL_S = 0.5
TIMEOUT_S = 60.0
"""Loading takes some seconds, on a busy machine some more."""


class ModelRefusedError(CovanError):
    """The running Rasa could not load the model, or did not in time; it goes on with the one before."""


@contextlib.contextmanager
def announced(settings: Settings) -> Iterator[None]:
    """Record the servers' ports while the block runs: `covan up` may have chosen others than the settings'."""
    file = settings.state_dir / PORT_FILE
    file.write_text(str(settings.rasa_port), encoding="utf-8")
    front_door.announce(settings)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)
        front_door.withdraw(settings)


def running_port(settings: Settings) -> int | None:
    """Return the port of the Rasa that `covan up` has started on the state folder; None when there is none."""
    try:
        return int((ROOT / settings.state_dir / PORT_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # nothing runs, or what a crash has left behind
        return None


def wait_until_live(settings: Settings, model: Path, timeout_s: float = TIMEOUT_S) -> bool:
    """Return True once the running Rasa answers with `model`; False when none is running on the state folder.

    Raises ModelRefusedError.
    """
    sha256 = hashlib.sha256(model.read_bytes()).hexdigest()
    deadline = time.monotonic() + timeout_s
    while (status := _status(settings)) is not None:
        if (status.get("model") or {}).get("sha256") == sha256:
            return True
        refused = status.get("refused") or {}
        if refused.get("sha256") == sha256:
            raise ModelRefusedError(
                f"the running Rasa could not load {model.name} and goes on with the model before: {refused['why']}. "
                f"See {settings.state_dir / 'logs' / 'rasa.log'}."
            )
        if time.monotonic() > deadline:
            raise ModelRefusedError(
                f"the running Rasa has not taken over {model.name} within {timeout_s:.0f} s. "
                f"See {settings.state_dir / 'logs' / 'rasa.log'}, or start `covan up` again."
            )
        time.sleep(POLL_S)
    return False


def _status(settings: Settings) -> dict[str, Any] | None:
    port = running_port(settings)
    if port is None:
        return None
    try:
        # Never through a proxy: Rasa is on this machine.
        answer = httpx.get(
            f"http://{rasa.LOOPBACK}:{port}/webhooks/models/", trust_env=False, timeout=TIMEOUT_S
        )
        answer.raise_for_status()
        status: dict[str, Any] = answer.json()
    except (ValueError, httpx.HTTPError):  # what a crash has left behind
        return None
    return status
