"""The parts of the report of a suite."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from covan.evaluation.measure import Run
from covan.evaluation.suite import Claim, Suite


@dataclass(frozen=True, slots=True)
class Report:
    """The contents of a report: `runs[0]` is the preset of the claims, the others are for comparison."""

    name: str
    suite: Suite
    runs: tuple[Run, ...]
    claims: tuple[Claim, ...]
    made_at: datetime

    @property
    def run(self) -> Run:
        return self.runs[0]

    @property
    def file_stem(self) -> str:
        compared = "-compared" if len(self.runs) > 1 else ""
        return f"{self.name}-{Path(self.run.preset).stem}{compared}"
