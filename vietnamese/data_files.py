"""Data files that stand beside the module that reads them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml


@cache
def yaml_beside(module: str, name: str) -> Any:
    """Return the content of the YAML file `name` in the folder of `module`, a module's `__file__`.

    It is read once and must not be changed.
    """
    return yaml.safe_load(Path(module).with_name(name).read_text(encoding="utf-8"))


def lines_beside(module: str, name: str) -> list[str]:
    """Return the lines of the text file `name` in the folder of `module`, without comments and empty lines."""
    lines = Path(module).with_name(name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
