"""Rasa's domain: the folder `domain/`, as one mapping."""

from __future__ import annotations

from typing import Any

import yaml

from covan.project import ROOT

DOMAIN = ROOT / "domain"


def read_domain() -> dict[str, Any]:
    """The keys of all its files; each stands in one of them only, but for `version`."""
    merged: dict[str, Any] = {}
    for path in sorted(DOMAIN.glob("*.yml")):
        merged |= yaml.safe_load(path.read_text(encoding="utf-8"))
    return merged
