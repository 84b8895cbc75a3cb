"""Rasa's domain: the file `domain.yml`, as one mapping."""

from __future__ import annotations

from typing import Any

from covan.project import ROOT
from vietnamese.data_files import read_yaml

DOMAIN = ROOT / "domain.yml"


def read_domain() -> dict[str, Any]:
    """Return the mapping that `domain.yml` holds."""
    domain: dict[str, Any] = read_yaml(DOMAIN)
    return domain
