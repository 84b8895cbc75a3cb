"""The files of a school that Rasa trains with beside `data/`: domain, rules and examples.

Equal knowledge gives equal files: their hash decides whether to train again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import yaml


def domain_yaml(topic_intents: Iterable[str], dimensions: Iterable[str]) -> str:
    """Return Rasa's domain of the school: the intents of its topics, the entities of its dimensions."""
    domain = {"version": "3.1", "intents": list(topic_intents), "entities": list(dimensions)}
    return yaml.safe_dump(domain, sort_keys=False)


def rules_yaml(topic_intents: Iterable[str]) -> str:
    """Return the rule that sends the questions of every topic to the engine."""
    steps = [
        {"or": [{"intent": intent} for intent in topic_intents]},
        {"action": "action_answer"},
    ]
    rule = {"rule": "a question on a topic of the school", "steps": steps, "wait_for_user_input": False}
    return yaml.safe_dump({"version": "3.1", "rules": [rule] if topic_intents else []}, sort_keys=False)


def nlu_yaml(by_intent: Mapping[str, Sequence[str]]) -> str:
    """Return the examples in Rasa's NLU format, each a quoted YAML value of its own: no character means anything.

    The time of Rasa's reader of YAML grows with the square of the number of values and keys that are not quoted.
    """
    nlu = [
        {"intent": intent, "examples": [{"text": wording} for wording in wordings]}
        for intent, wordings in sorted(by_intent.items())
        if wordings
    ]
    quoted = yaml.safe_dump(nlu, allow_unicode=True, sort_keys=False, width=1_000, default_style='"')
    # Rasa knows a file of examples by this key, unquoted.
    return f"version: '3.1'\nnlu:\n{quoted}"
