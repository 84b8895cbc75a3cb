"""Files for the loaders, made in code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from pdf_files import pdf_bytes

WritePdf = Callable[..., Path]


@pytest.fixture
def write_pdf(tmp_path: Path) -> WritePdf:
    def write(pages: Sequence[Sequence[str]], *, protected: bool = False, ruled: Sequence[int] = ()) -> Path:
        path = tmp_path / "quy-dinh.pdf"
        path.write_bytes(pdf_bytes(pages, protected=protected, ruled=ruled))
        return path

    return write
