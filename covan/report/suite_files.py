"""The report of a suite as files: one page for people, one JSON file for programs."""

from __future__ import annotations

import json
from pathlib import Path

from covan.report.suite_page import page
from covan.report.suite_record import record
from covan.report.suite_report import Report


def write(report: Report, folder: Path) -> tuple[Path, Path]:
    """Write `NAME-PRESET.html` and `.json` into `folder`, which is made when it is not there; returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    html, data = (folder / f"{report.file_stem}{suffix}" for suffix in (".html", ".json"))
    html.write_text(page(report), encoding="utf-8")
    data.write_text(json.dumps(record(report), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return html, data
