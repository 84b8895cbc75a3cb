"""The examples for a school: seeds, the school's own names and questions, and variants of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from covan.training_data.faq_questions import compared, faq_questions
from covan.training_data.templates import Group, Templates, filled, has_places
from covan.training_data.variants import Variants
from rag.ingest.load import Knowledge
from school.intents import intent_of, topic_of
from vietnamese.distress import distress

QUESTIONS_VARIED, TALK_VARIED = 4, 16
"""One question in so many, and one example of other intents in so many, gets a variant. Students put the most words
around questions. More variants help little (measured by cross-validation), and embedding one takes 10 to 20 ms."""

NAMES_PER_EXAMPLE = 3
"""Fillings of an example of the school that has places for names."""


@dataclass(frozen=True, slots=True)
class Example:
    """One training example. Examples of one `origin` mean the same, and belong on one side of a split."""

    text: str
    intent: str
    origin: str


@dataclass(frozen=True, slots=True)
class ExampleSet:
    """`written` are the seeds, which Rasa reads from data/nlu itself; `made` is everything else."""

    written: Sequence[Example]
    made: Sequence[Example]

    @property
    def topic_intents(self) -> Sequence[str]:
        """The intents of the topics that have examples, in alphabetical order."""
        intents = {example.intent for example in (*self.written, *self.made)}
        return sorted(intent for intent in intents if topic_of(intent) is not None)


def all_examples(
    seeds: Mapping[str, Sequence[str]],
    knowledge: Knowledge,
    templates: Templates,
    variants: Variants,
) -> ExampleSet:
    """Return the examples for a school; no wording, whatever its case, has two intents, which Rasa refuses.

    A question of the FAQ that is a cry for help teaches no topic.
    """
    taken: set[str] = set()

    def new(examples: Iterable[Example]) -> list[Example]:
        found = []
        for example in examples:
            if (wording := compared(example.text)) not in taken:
                taken.add(wording)
                found.append(example)
        return found

    written = new(Example(text, intent, f"seed {text}") for intent, texts in seeds.items() for text in texts)
    own = _of_the_school(knowledge)
    of_school = new(Example(text, intent, f"seed {text}") for intent, text in own if not has_places(text))
    with_names = [
        Group(intent=intent, sentences=[text], times=NAMES_PER_EXAMPLE)
        for intent, text in own
        if has_places(text)
    ]
    named = new(
        Example(one.text, one.intent, f"template {one.template}")
        for one in filled(templates, knowledge.catalog, with_names)
    )
    entry_of = {wording: entry.id for entry in knowledge.faq for wording in (entry.question, *entry.variants)}
    calm = [entry for entry in knowledge.faq if not distress(entry.question)]
    of_faq = faq_questions(calm, taken)
    asked = new(
        Example(text, intent, f"faq {entry_of.get(text, text)}")
        for intent, texts in of_faq.items()
        for text in texts
    )
    varied = new(
        Example(text, example.intent, example.origin)
        for example in (*written, *of_school, *named, *asked)
        if _chosen(example)
        for text in variants.of(example.text, example.intent, 1)
    )
    return ExampleSet(written, [*of_school, *named, *asked, *varied])


def _of_the_school(knowledge: Knowledge) -> list[tuple[str, str]]:
    """Return each example of nlu/*.yml and of topics.yml, with its intent."""
    return [
        *((intent, text) for intent, texts in knowledge.nlu.items() for text in texts),
        *((intent_of(topic.id), text) for topic in knowledge.topics for text in topic.examples),
    ]


def by_intent(examples: Iterable[Example]) -> dict[str, list[str]]:
    """Return the texts by intent, in the order of `examples`."""
    found: dict[str, list[str]] = {}
    for example in examples:
        found.setdefault(example.intent, []).append(example.text)
    return found


def _chosen(example: Example) -> bool:
    is_question = example.intent.startswith("ask_") or example.intent == "out_of_scope"
    every = QUESTIONS_VARIED if is_question else TALK_VARIED
    return hashlib.sha256(example.text.encode()).digest()[0] % every == 0
