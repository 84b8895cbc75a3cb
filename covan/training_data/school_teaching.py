"""The examples for a school, as the index build takes them (`rag.ingest.build.Teaching`)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from covan.training_data.examples import ExampleSet, all_examples
from covan.training_data.seeds import SEEDS, read_seeds, seed_files
from covan.training_data.templates import read_templates
from covan.training_data.variants import Variants, read_rules
from rag.ingest.document_texts import reading_knowledge
from rag.ingest.load import Knowledge
from school.kernel_classifier import Example
from school.reader import Reader


class SchoolTeaching:
    """Makes examples from the seeds and from a school's examples, names and questions, and variants of them."""

    shipped_vectors = SEEDS / "vectors.npz"

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the files that make examples of a school's knowledge."""
        here = Path(__file__).parent
        files = (*sorted(here.glob("*.py")), *sorted(here.glob("*.yml")), *seed_files())
        return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()

    def examples(self, knowledge: Knowledge) -> ExampleSet:
        """Return the examples for a school."""
        return all_examples(read_seeds(), knowledge, read_templates(), Variants(read_rules()))

    def messages(self, knowledge: Knowledge) -> Sequence[tuple[str, str]]:
        """Return the examples as messages, each with its intent."""
        found = self.examples(knowledge)
        return [(example.text, example.intent) for example in (*found.written, *found.made)]


def examples_of_any_school() -> Sequence[Example]:
    """Return the classifier's examples that do not depend on the school: those of an empty knowledge folder."""
    nothing = Knowledge()
    return Reader(reading_knowledge(nothing)).examples(SchoolTeaching().messages(nothing))
