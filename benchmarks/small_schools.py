#!/usr/bin/env python3
"""Make small schools of the sample school: each with every n-th family of its entries, and few wordings of each.

    .venv/bin/python benchmarks/small_schools.py FOLDER [--parts 5] [--made 0 1 2] [--wordings 2]

FOLDER gets `school-N` and the index of it, `index-N`. Schools begin so: most of what students ask stands in documents
alone, and the FAQ is too small for the entry classifier. `context_model.py --small` learns from conversations on them.
About a minute each.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import yaml
from faq_gaps import KNOWLEDGE, write_school
from rich.console import Console

from covan.indexing import build
from rag.errors import CovanError
from rag.index.versions import open_index
from rag.retrieve.embedder import load_embedder

SEED = 5
"""Which families come together: those of one topic stand together in their order."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--parts", type=int, default=5)
    parser.add_argument("--made", type=int, nargs="*", default=(0, 1, 2), metavar="N")
    parser.add_argument("--wordings", type=int, default=2)
    options = parser.parse_args()
    console = Console(stderr=True, highlight=False)

    build(KNOWLEDGE, options.folder / "whole", console)
    families = {entry.id: entry.family for entry in open_index(options.folder / "whole", load_embedder()).faq}
    shuffled = sorted(set(families.values()))
    random.Random(SEED).shuffle(shuffled)
    for part in options.made:
        kept = set(shuffled[part :: options.parts])
        school = options.folder / f"school-{part}"
        write_school(school, {entry for entry, family in families.items() if family not in kept})
        with_few_wordings(school, options.wordings)
        build(school, options.folder / f"index-{part}", console)


def with_few_wordings(school: Path, most: int) -> None:
    """Leave `most` variants of each entry; a file without entries goes."""
    for path in (school / "faq").glob("*.yml"):
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))
        few = [{**entry, "variants": (entry.get("variants") or [])[:most]} for entry in entries]
        if few:
            path.write_text(yaml.safe_dump(few, allow_unicode=True), encoding="utf-8")
        else:
            path.unlink()


if __name__ == "__main__":
    try:
        main()
    except CovanError as error:
        sys.exit(str(error))
