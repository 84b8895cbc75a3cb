"""What docs/van-hanh.md tells an operator to type, for tests that do just that."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from covan.project import ROOT

GUIDE = ROOT / "docs" / "van-hanh.md"
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(heading: str) -> Sequence[str]:
    """Return the shell blocks below a heading of the second level. Raises LookupError when there is none."""
    text = GUIDE.read_text(encoding="utf-8")
    start = text.find(f"\n## {heading}\n")
    if start < 0:
        raise LookupError(f"{GUIDE} has no part {heading}")
    end = text.find("\n## ", start + 1)
    return _BLOCK.findall(text[start : end if end > 0 else None])


def variables(block: str) -> Mapping[str, str]:
    """Return the variables that a block for .env sets."""
    return dict(
        pair.partition("=")[::2]
        for line in block.splitlines()
        if line and not line.startswith("#")
        for pair in shlex.split(line)
    )
