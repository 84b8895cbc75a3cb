"""All that Rasa's classifier learns from: seeds, the school's own names and questions, and variants of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from covan import training
from covan.nlu_templates import Group, Templates, filled, has_places
from covan.nlu_variants import Variants
from rag.ingest.load import Knowledge
from school.intents import intent_of, topic_of
from vietnamese.distress import distress

QUESTIONS_VARIED, TALK_VARIED = 4, 16
"""Every how manieth question, and example of anything else, is given once more in another writing. Questions come with
the most words around them. More of it helps little (measured by cross-validation), and embedding an example takes 10 to
20 ms."""


NAMES_PER_EXAMPLE = 3
"""How often an example of the school that has places for names is filled."""


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
    of_faq = training.examples(calm, taken)
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
    """Each example of nlu/*.yml and of topics.yml, with its intent."""
    return [
        *((intent, text) for intent, texts in knowledge.nlu.items() for text in texts),
        *((intent_of(topic.id), text) for topic in knowledge.topics for text in topic.examples),
    ]


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
