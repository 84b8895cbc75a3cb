"""Decode Vietnamese text files: UTF-8, UTF-16 or Windows-1258, recognised by their bytes."""

from __future__ import annotations

import codecs
import re
import unicodedata

from rag.ingest.marked_yaml import Fault
from rag.messages import Message

_SAMPLE = 4_000
_VIETNAMESE = re.compile("(?i)[ăâđêôơưàáảãạằắẳẵặầấẩẫậèéẻẽẹềếểễệìíỉĩịòóỏõọồốổỗộờớởỡợùúủũụừứửữựỳýỷỹỵ]")
_OUT_OF_PLACE = re.compile(r"[^\W\d_][\u0080-\u00bf\u0300-\u036f]|[\u0080-\u00bf\u0300-\u036f][^\W\d_]")
"""A sign inside a word, or an accent that no letter carries: text in a font older than Unicode."""

_LETTER_RUN = re.compile(r"(?:[^\W\d_]{2,}\s+){2}")
"""Two words, which binary data hardly contain."""


def decode(data: bytes) -> str | Fault:
    """Return the text of `data`; a fault with advice when it has none of the encodings."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _strictly(data, "utf-16", "utf16_damaged")
    if (endian := _utf16_without_mark(data)) is not None:
        return _strictly(data, endian, "utf16_damaged")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
    try:
        text = unicodedata.normalize("NFC", data.decode("cp1258"))
    except UnicodeDecodeError:
        text = ""
    if _VIETNAMESE.search(text) and not _OUT_OF_PLACE.search(text) and _LETTER_RUN.search(text[:_SAMPLE]):
        return text
    return Fault(Message("unknown_encoding"), line)


def _strictly(data: bytes, encoding: str, complaint: str) -> str | Fault:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return Fault(Message(complaint))


def _utf16_without_mark(data: bytes) -> str | None:
    """Return the UTF-16 encoding whose high bytes are often zero in `data`; None for other data."""
    sample = data[:_SAMPLE]
    if len(sample) < 4 or len(data) % 2:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if odd > half * 0.3 and even < half * 0.05:
        return "utf-16-le"
    if even > half * 0.3 and odd < half * 0.05:
        return "utf-16-be"
    return None
