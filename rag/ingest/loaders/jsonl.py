"""JSONL: one document a line, with `id`, `text` and whatever else is known of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from rag.ingest.cleaning import clean_block
from rag.ingest.loaders.loader import Loading, RawDocument
from rag.ingest.marked_yaml import Fault, Location, Marked
from rag.ingest.schema import DocumentRecord


class JsonlLoader:
    """Keys that a document does not have are passed over with a warning: exports carry more than we need."""

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
            Fault(f"the key '{key}' is not read ({count} time{'s' * (count > 1)})", first_seen[key])
            for key, count in unknown.items()
        )
        return Loading(tuple(documents), tuple(problems), warnings)


def _record(line: bytes) -> dict[str, Any] | str:
    """The object on a line, or why there is none."""
    try:
        record = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        return "not UTF-8 text"
    except (json.JSONDecodeError, RecursionError) as error:
        return f"broken JSON: {error.msg if isinstance(error, json.JSONDecodeError) else 'nested too deep'}"
    if not isinstance(record, dict):
        return 'must be an object: {"id": "...", "text": "..."}'
    return record


def _faults(record: dict[str, Any]) -> list[str]:
    faults = []
    if record.get("id") in (None, ""):
        faults.append("'id' is missing")
    if record.get("text") is None:
        faults.append("'text' is missing")
    elif not isinstance(record["text"], str):
        faults.append("'text' must be text")
    elif not clean_block(record["text"]).strip():
        faults.append("'text' is empty")
    return faults


def _document(record: dict[str, Any], number: int) -> RawDocument:
    fields = {key: value for key, value in record.items() if key in DocumentRecord.model_fields}
    lines: dict[Location, int] = {(): number}
    return RawDocument(clean_block(record["text"]), fields, Marked(fields, lines))
