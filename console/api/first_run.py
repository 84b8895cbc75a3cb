"""The first steps of a school: what is done, what is missing, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter

from console.api import answers
from console.api.dependencies import Editor, Parts
from console.first_run import checklist

router = APIRouter()


@router.get("/first-run", response_model=answers.FirstRun)
def first_run(_: Editor, console: Parts) -> Mapping[str, Any]:
    """Return the steps with their states, a question to try, and the script tag for the school's website."""
    found = checklist(console.publisher, console.around, console.language)
    return {
        "complete": found.is_complete,
        "steps": found.steps,
        "example": found.example,
        "embed_code": found.embed_code,
    }
