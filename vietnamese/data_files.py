"""Data files that stand beside the module that reads them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def yaml_beside(module: str, name: str) -> Any:
    """Return the content of the YAML file `name` in the folder of `module`, a module's `__file__`.

    It is read once and must not be changed.
    """
    return read_yaml(Path(module).with_name(name))


def read_yaml(path: Path) -> Any:
    """Return the content of a YAML file of the project; the loader in C takes a tenth of the time of `safe_load`."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)


def lines_beside(module: str, name: str) -> list[str]:
    """Return the lines of the text file `name` in the folder of `module`, without comments and empty lines."""
    lines = Path(module).with_name(name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
