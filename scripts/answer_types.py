"""Renew `console/ui/src/answers.ts`, the types of the API's answers for the console's pages (`make answers`)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import cast

from console.api.dependencies import Console
from console.app import create_app

PAGES = Path("console/ui")
ANSWERS = PAGES / "src" / "answers.ts"


def types_of_answers() -> str:
    """Return the types, made from the API's description by console/ui/answer_types.mjs."""
    # The description needs no parts of a console.
    described = json.dumps(create_app(cast(Console, None), Path()).openapi())
    made = subprocess.run(
        ["node", "answer_types.mjs"],
        cwd=PAGES,
        input=described,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return made.stdout


if __name__ == "__main__":
    ANSWERS.write_text(types_of_answers(), encoding="utf-8")
