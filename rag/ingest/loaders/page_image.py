"""A page of a PDF as a picture, for people who compare it with its passages."""

from __future__ import annotations

import io
from contextlib import closing
from pathlib import Path
from typing import Any

from rag.ingest.loaders.pdf import MAX_PAGES, open_pdf

WIDTH = 1_200
"""The width of a picture in pixels: small print of an A4 page can be read."""

MOST_HEIGHT = 2_400
"""The largest height of a picture in pixels; a longer page becomes narrower."""

QUALITY = 80
"""Of JPEG: a scanned page of 1,200 pixels takes 0.3 MB and 5 ms, as PNG 1.7 MB and 200 ms."""

MEDIA_TYPE = "image/jpeg"


def page_image(path: Path, number: int) -> bytes | None:
    """Return page `number`, from 1, of a PDF as a JPEG picture; None when there is no such page.

    Raises pypdfium2.PdfiumError when the file or the page cannot be read.
    """
    with open_pdf(path) as document:
        if not 1 <= number <= min(len(document), MAX_PAGES):
            return None
        with closing(document[number - 1]) as page:
            width, height = (max(side, 1.0) for side in page.get_size())
            scale = min(WIDTH / width, MOST_HEIGHT / height)
            with closing(page.render(scale=scale)) as bitmap:
                picture: Any = bitmap.to_pil().convert("RGB")
    written = io.BytesIO()
    picture.save(written, "JPEG", quality=QUALITY)
    return written.getvalue()
