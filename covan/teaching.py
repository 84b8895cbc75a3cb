"""What the classifier of intents and topics learns from: the project's seeds and the school's own words."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from covan import training
from covan.nlu_examples import ExampleSet, all_examples
from covan.nlu_templates import TEMPLATES, read_templates
from covan.nlu_variants import RULES, Variants, read_rules
from covan.project import ROOT
from rag.ingest.load import Knowledge

SEEDS = ROOT / "data" / "nlu"


class SchoolTeaching:
    """The seeds of `data/nlu`, the school's examples, names and questions, and variants of them."""

    shipped_vectors = SEEDS / "vectors.npz"

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the files that make examples of a school's knowledge."""
        here = Path(__file__).parent
        code = [
            Path(__file__),
            *(here / name for name in ("training.py", "nlu_examples.py", "nlu_templates.py")),
        ]
        files = [*code, here / "nlu_variants.py", TEMPLATES, RULES, *sorted(SEEDS.glob("*.yml"))]
        return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()

    def examples(self, knowledge: Knowledge) -> ExampleSet:
        """Return the examples for a school."""
        seeds = training.seeds(path.read_text(encoding="utf-8") for path in sorted(SEEDS.glob("*.yml")))
        return all_examples(seeds, knowledge, read_templates(), Variants(read_rules()))

    def messages(self, knowledge: Knowledge) -> Sequence[tuple[str, str]]:
        """Return the examples as messages, each with its intent."""
        found = self.examples(knowledge)
        return [(example.text, example.intent) for example in (*found.written, *found.made)]
