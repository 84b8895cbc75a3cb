"""What Rasa learns from beside `data/`: examples from the FAQ, and the intents and rules of the school's topics.

Everything here is pure, and the same knowledge always gives the same files: their hash decides whether to
train anew.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import yaml

from rag.types import FaqEntry
from school.intents import intent_of

EXAMPLES_PER_TOPIC = 20
"""Enough beside the seeds to tell topics apart; embedding one takes 10 to 20 ms, and training a minute at most."""

LONGEST_EXAMPLE = 200

_BLANK = re.compile(r"\s+")
_ENTITY_MARKS = str.maketrans({"[": "(", "]": ")", "{": "(", "}": ")"})


def seeds(nlu_files: Iterable[str]) -> dict[str, list[str]]:
    """The examples by intent in the text of hand-written NLU files."""
    found: dict[str, list[str]] = {}
    for text in nlu_files:
        for block in yaml.safe_load(text)["nlu"]:
            lines = block["examples"].splitlines()
            found.setdefault(block["intent"], []).extend(
                line.removeprefix("- ").strip().strip('"') for line in lines if line.startswith("- ")
            )
    return found


def examples(
    faq: Sequence[FaqEntry], taken: Collection[str] = (), per_topic: int = EXAMPLES_PER_TOPIC
) -> dict[str, list[str]]:
    """Training examples by intent from the questions of `faq`, at most `per_topic` a topic.

    Every entry gives its question before any gives a variant, and so on, so that a topic with many entries is
    covered evenly. A wording that stands in `taken` or under an earlier topic is left out: Rasa refuses an
    example of two intents.
    """
    by_topic: dict[str, list[FaqEntry]] = {}
    for entry in faq:
        by_topic.setdefault(entry.topic, []).append(entry)
    seen = {_compared(wording) for wording in taken}
    found: dict[str, list[str]] = {}
    for topic, entries in by_topic.items():
        chosen: list[str] = []
        for wording in _evenly(entries):
            if len(chosen) >= per_topic:
                break
            if _compared(wording) not in seen:
                seen.add(_compared(wording))
                chosen.append(wording)
        found[intent_of(topic)] = chosen
    return found


def domain_yaml(topic_intents: Iterable[str], dimensions: Iterable[str]) -> str:
    """Rasa's domain of the school: the intents of its topics, the entities of its dimensions."""
    domain = {"version": "3.1", "intents": list(topic_intents), "entities": list(dimensions)}
    return yaml.safe_dump(domain, sort_keys=False)


def rules_yaml(topic_intents: Iterable[str]) -> str:
    """The rule that sends the questions of every topic to the engine."""
    steps = [
        {"or": [{"intent": intent} for intent in topic_intents]},
        {"action": "action_answer"},
    ]
    rule = {"rule": "a question on a topic of the school", "steps": steps, "wait_for_user_input": False}
    return yaml.safe_dump({"version": "3.1", "rules": [rule] if topic_intents else []}, sort_keys=False)


def nlu_yaml(by_intent: Mapping[str, Sequence[str]]) -> str:
    """Rasa's NLU format, every example a YAML value of its own so that no character in it means anything."""
    nlu = [
        {"intent": intent, "examples": [{"text": wording} for wording in wordings]}
        for intent, wordings in sorted(by_intent.items())
        if wordings
    ]
    return yaml.safe_dump({"version": "3.1", "nlu": nlu}, allow_unicode=True, sort_keys=False, width=1_000)


def _evenly(entries: Sequence[FaqEntry]) -> Iterator[str]:
    wordings = [(entry.question, *entry.variants) for entry in entries]
    for turn in range(max(map(len, wordings), default=0)):
        for of_entry in wordings:
            if turn < len(of_entry):
                wording = _BLANK.sub(" ", of_entry[turn].translate(_ENTITY_MARKS)).strip().lstrip("/")
                if wording:
                    yield wording[:LONGEST_EXAMPLE]


def _compared(wording: str) -> str:
    return wording.strip().casefold()
