"""The first steps of a school: what is done, what is missing, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter

from console.api import answers
from console.api.dependencies import Editor, Parts
from console.audit import FIRST_TRIAL
from console.first_run import checklist
from console.turns import Filters

router = APIRouter()


@router.get("/first-run", response_model=answers.FirstRun)
def first_run(_: Editor, console: Parts) -> Mapping[str, Any]:
    """Return the steps with their states, a question to try, and the script tag for the school's website."""
    has_been_asked = bool(console.audit.latest((FIRST_TRIAL,), 1) or console.turns.page(Filters()))
    found = checklist(console.publisher, console.around, console.language, has_been_asked=has_been_asked)
    return {
        "complete": found.is_complete,
        "steps": found.steps,
        "example": found.example,
        "embed_code": found.embed_code,
    }
