"""Builds an index with the embedder of the tests, as `covan index SOURCE --out OUT --wait` does.

.venv/bin/python tests/stand_ins/index_process.py SOURCE OUT
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from embedder_stand_in import EmbedderStandIn

from rag.ingest.build import build_index
from rag.ingest.early_version import publish_early


def command(source: Path, out: Path) -> Sequence[str]:
    """Return the command line that builds the index of `source` in `out`."""
    return [sys.executable, __file__, str(source), str(out)]


if __name__ == "__main__":
    source, out = map(Path, sys.argv[1:])
    sys.stdin.read()
    publish_early(source, out, EmbedderStandIn())
    build_index(source, out, EmbedderStandIn())
