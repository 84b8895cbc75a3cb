"""An index is out of date when code changes that builds it, and when no other does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from rag.ingest.build_code import PACKAGES, ROOT, code_files, code_hash

SMALL_SCHOOL = Path(__file__).parents[2] / "small_school"
BUILD = "rag.ingest.build"

PROBE = """
import json, sys
from pathlib import Path

opened = set()
sys.addaudithook(lambda event, args: opened.add(str(args[0])) if event == "open" else None)
sys.path.insert(0, sys.argv[3])
from embedder_stand_in import EmbedderStandIn
from rag.ingest.build import build_index
from rag.ingest.loaders import all_loaders

all_loaders()
build_index(Path(sys.argv[1]), Path(sys.argv[2]), EmbedderStandIn())
modules = [module.__file__ for module in sys.modules.values() if getattr(module, "__file__", None)]
print(json.dumps({"opened": sorted(opened), "modules": modules}))
"""


def test_the_code_is_what_a_build_imports_and_reads(tmp_path: Path) -> None:
    stand_ins = Path(__file__).parents[2] / "stand_ins"
    arguments = [str(SMALL_SCHOOL), str(tmp_path / "index"), str(stand_ins)]
    printed = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    seen = json.loads(printed)
    folders = tuple(f"{ROOT / package}/" for package in PACKAGES)
    read = {
        path for path in seen["opened"] if path.startswith(folders) and not path.endswith((".py", ".pyc"))
    }
    imported = {path for path in seen["modules"] if path.startswith(folders)}

    files = {str(path) for path in code_files(BUILD)}

    assert {path for path in files if path.endswith(".py")} == imported
    assert read <= files
    assert (imported | read) <= files


def test_answering_is_no_part_of_it() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in code_files(BUILD)}

    assert {"rag/ingest/split.py", "rag/index/lexical.py", "rag/ingest/loaders/pdf.py"} <= names
    assert not {name for name in names if name.startswith(("rag/decide", "rag/answer", "rag/rerank"))}


def test_the_hash_is_that_of_the_files() -> None:
    assert code_hash(BUILD) == code_hash(BUILD)
    assert code_hash(BUILD) != code_hash("rag.ingest.split")
