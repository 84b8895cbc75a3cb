"""All that Rasa's classifier learns from: seeds, the school's own names and questions, and variants of them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from covan import training
from covan.nlu_templates import Templates, filled
from covan.nlu_variants import Variants
from rag.ingest.load import Knowledge
from vietnamese.distress import distress

QUESTIONS_VARIED, TALK_VARIED = 4, 16
"""Every how manieth question, and example of anything else, is given once more in another writing. Questions come with
the most words around them. More of it helps little (measured by cross-validation), and embedding an example takes 10 to
20 ms."""


@dataclass(frozen=True, slots=True)
class Example:
    """One training example. What has the same `origin` says the same, and belongs on one side of a split."""

    text: str
    intent: str
    origin: str


@dataclass(frozen=True, slots=True)
class ExampleSet:
    """`written` are the seeds, which Rasa reads from data/nlu itself; `made` is everything else."""

    written: Sequence[Example]
    made: Sequence[Example]
    topics_without_intent: Sequence[str]


def all_examples(
    seeds: Mapping[str, Sequence[str]],
    knowledge: Knowledge,
    intents: Collection[str],
    templates: Templates,
    variants: Variants,
) -> ExampleSet:
    """The examples for a school. No wording, whatever its case, is an example of two intents: Rasa refuses that.

    A question of the FAQ that is a cry for help is none of its topic's examples.
    """
    taken: set[str] = set()

    def new(examples: Iterable[Example]) -> list[Example]:
        found = []
        for example in examples:
            if (compared := example.text.strip().casefold()) not in taken:
                taken.add(compared)
                found.append(example)
        return found

    written = new(Example(text, intent, f"seed {text}") for intent, texts in seeds.items() for text in texts)
    named = new(
        Example(one.text, one.intent, f"template {one.template}")
        for one in filled(templates, knowledge.catalog)
        if one.intent in intents
    )
    entry_of = {wording: entry.id for entry in knowledge.faq for wording in (entry.question, *entry.variants)}
    calm = [entry for entry in knowledge.faq if not distress(entry.question)]
    of_faq = training.examples(calm, intents, taken)
    asked = new(
        Example(text, intent, f"faq {entry_of.get(text, text)}")
        for intent, texts in of_faq.by_intent.items()
        for text in texts
    )
    varied = new(
        Example(text, example.intent, example.origin)
        for example in (*written, *named, *asked)
        if _chosen(example)
        for text in variants.of(example.text, example.intent, 1)
    )
    return ExampleSet(written, [*named, *asked, *varied], of_faq.topics_without_intent)


def by_intent(examples: Iterable[Example]) -> dict[str, list[str]]:
    """The texts by intent, in the order of `examples`."""
    found: dict[str, list[str]] = {}
    for example in examples:
        found.setdefault(example.intent, []).append(example.text)
    return found


def _chosen(example: Example) -> bool:
    is_question = example.intent.startswith("ask_") or example.intent == "out_of_scope"
    every = QUESTIONS_VARIED if is_question else TALK_VARIED
    return hashlib.sha256(example.text.encode()).digest()[0] % every == 0
