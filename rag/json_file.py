"""Small JSON files that hold one thing each: a model, a calibration."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from rag.errors import SettingsError, wrong_fields

M = TypeVar("M", bound=BaseModel)


def read_json(path: Path, kind: type[M], what: str) -> M:
    """The `kind` in a file. Raises SettingsError when it cannot be read or holds no `what`."""
    try:
        return kind.model_validate_json(path.read_bytes())
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise SettingsError(f"{path} does not hold {what}: {wrong_fields(error)}") from error


def write_json(path: Path, thing: BaseModel) -> None:
    """Write in one step, so that nobody reads a half; the folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    aside.write_text(thing.model_dump_json(indent=1) + "\n", encoding="utf-8")
    aside.replace(path)


def remove_json(path: Path) -> bool:
    """Remove the file; whether it was there."""
    there = path.exists()
    path.unlink(missing_ok=True)
    return there
