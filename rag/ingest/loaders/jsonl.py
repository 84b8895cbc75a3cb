"""JSONL: one document a line, with `id`, `text` and its metadata."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from rag.ingest.cleaning import clean_block
from rag.ingest.loaders.loader import Loading, RawDocument
from rag.ingest.marked_yaml import Fault, Location, Marked
from rag.ingest.schema import DocumentRecord
from rag.messages import Message


class JsonlLoader:
    """Reads a document from each line; an unknown key is a warning, because exports have further keys."""

    suffixes = (".jsonl", ".ndjson")

    def load(self, path: Path) -> Loading:
        documents: list[RawDocument] = []
        problems: list[Fault] = []
        unknown: Counter[str] = Counter()
        first_seen: dict[str, int] = {}
        for number, line in enumerate(path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
            if not line.strip():
                continue
            record = _record(line)
            if isinstance(record, str):
                problems.append(Fault(record, number))
                continue
            faults = _faults(record)
            problems.extend(Fault(fault, number) for fault in faults)
            for key in record.keys() - DocumentRecord.model_fields.keys() - {"text"}:
                unknown[key] += 1
                first_seen.setdefault(key, number)
            if not faults:
                documents.append(_document(record, number))
        warnings = tuple(
            Fault(
                Message("jsonl_unread_key", key=key, count=count),
                first_seen[key],
            )
            for key, count in unknown.items()
        )
        return Loading(tuple(documents), tuple(problems), warnings)


def _record(line: bytes) -> dict[str, Any] | str:
    """Return the object on a line, or the fault of the line."""
    try:
        record = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        return Message("jsonl_not_utf8")
    except (json.JSONDecodeError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else Message("nested_too_deep")
        return Message("broken_json", reason=reason)
    if not isinstance(record, dict):
        return Message("jsonl_not_an_object")
    return record


def _faults(record: dict[str, Any]) -> list[str]:
    faults: list[str] = []
    if record.get("id") in (None, ""):
        faults.append(Message("missing", what="id"))
    if record.get("text") is None:
        faults.append(Message("missing", what="text"))
    elif not isinstance(record["text"], str):
        faults.append(Message("jsonl_text_is_no_text"))
    elif not clean_block(record["text"]).strip():
        faults.append(Message("jsonl_empty_text"))
    return faults


def _document(record: dict[str, Any], number: int) -> RawDocument:
    fields = {key: value for key, value in record.items() if key in DocumentRecord.model_fields}
    lines: dict[Location, int] = {(): number}
    return RawDocument(clean_block(record["text"]), fields, Marked(fields, lines))
