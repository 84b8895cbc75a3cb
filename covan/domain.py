"""Rasa's domain: the file `domain.yml`, as one mapping."""

from __future__ import annotations

from typing import Any

import yaml

from covan.project import ROOT

DOMAIN = ROOT / "domain.yml"


def read_domain() -> dict[str, Any]:
    """Return the mapping that `domain.yml` holds."""
    domain: dict[str, Any] = yaml.safe_load(DOMAIN.read_text(encoding="utf-8"))
    return domain
