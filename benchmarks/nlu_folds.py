"""Cross-validation of the classifier over the training data. Runs in Rasa's environment; see nlu_report.py.

Reads JSON from standard input: `folds`, `config` of the classifier, `cache` (a file for vectors), `texts` and
`written_out` of the spelling, and `examples`, each with `text`, `intent`, `origin` and `kinds`: the same message in
other writings, by the name of each. Writes JSON: for every example that is no variant itself, what was made of it in
each writing. What has one origin is in one fold.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from server.nlu.e5 import embed_questions
from server.nlu.intents import Machine
from server.nlu.spelling import Spelling


def main() -> None:
    """Reads the request, writes the outcome."""
    asked = json.load(sys.stdin)
    examples: list[dict[str, Any]] = asked["examples"]
    folds = int(asked["folds"])
    of = [int(hashlib.sha256(example["origin"].encode()).hexdigest(), 16) % folds for example in examples]
    outcome: list[dict[str, Any]] = []
    for fold in range(folds):
        train = [example for example, place in zip(examples, of, strict=True) if place != fold]
        test = [
            example for example, place in zip(examples, of, strict=True) if place == fold and example["kinds"]
        ]
        held = {
            example["text"].casefold() for example, place in zip(examples, of, strict=True) if place == fold
        }
        spelling = Spelling(
            (text for text in asked["texts"] if text.casefold() not in held), asked["written_out"]
        )
        texts = [spelling.plain(example["text"]) for example in train]
        machine = Machine.learn(
            texts, _vectors(texts, asked), [example["intent"] for example in train], asked["config"]
        )
        kinds = sorted({kind for example in test for kind in example["kinds"]})
        for kind in kinds:
            some = [example for example in test if kind in example["kinds"]]
            typed = [spelling.plain(example["kinds"][kind]) for example in some]
            found = machine.probabilities(typed, _vectors(typed, asked))
            for example, probabilities in zip(some, found, strict=True):
                best = int(np.argmax(probabilities))
                outcome.append(
                    {
                        "kind": kind,
                        "text": example["kinds"][kind],
                        "origin": example["origin"],
                        "intent": example["intent"],
                        "predicted": machine.intents[best],
                        "confidence": round(float(probabilities[best]), 4),
                        "own": round(float(probabilities[machine.intents.index(example["intent"])]), 6),
                    }
                )
    json.dump(outcome, sys.stdout, ensure_ascii=False)


_known: dict[str, np.ndarray] = {}


def _vectors(texts: list[str], asked: dict[str, Any]) -> np.ndarray:
    missing = [text for text in dict.fromkeys(texts) if text not in _known]
    if missing:
        _known.update(zip(missing, embed_questions(missing, Path(asked["cache"]), keep=True), strict=True))
    return np.array([_known[text] for text in texts])


if __name__ == "__main__":
    main()
