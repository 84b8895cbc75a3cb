"""The seeds: the project's hand-written examples of the intents of any school, in Rasa's NLU format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from covan.project import ROOT
from vietnamese.data_files import read_yaml

SEEDS = ROOT / "data" / "nlu"


def seed_files() -> Sequence[Path]:
    """Return the files with seeds, in alphabetical order."""
    return sorted(SEEDS.glob("*.yml"))


def read_seeds() -> dict[str, list[str]]:
    """Return the seeds by intent."""
    found: dict[str, list[str]] = {}
    for path in seed_files():
        for block in read_yaml(path)["nlu"]:
            found.setdefault(block["intent"], []).extend(
                line.removeprefix("- ").strip().strip('"')
                for line in block["examples"].splitlines()
                if line.startswith("- ")
            )
    return found
