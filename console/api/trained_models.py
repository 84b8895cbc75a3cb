"""The models that understand messages: training a candidate, comparing it, making it live, and going back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fastapi import APIRouter

from console.api import answers
from console.api.dependencies import Console, Editor, Parts, Reader, ReadIn
from console.api.models import ModelSeen
from console.api.turn_views import text_for
from console.knowledge_files import KnowledgeFileError
from console.nlu_files import example_hash
from rag.errors import KnowledgeError
from school.intents import intent_of

ACTIONS = ("train", "promote", "roll_back", "discard_model", "threshold", "threshold_back")
"""What the audit log has of models and thresholds."""

HISTORY = 50

router = APIRouter()


@router.get("/models", response_model=answers.Models)
def models(_: Reader, console: Parts) -> Mapping[str, Any]:
    """Return the models, the progress of the latest training, and who did what.

    `training.step` is empty when there was none since the console's start. `waits_for_changes`: it waits until Covan
    has read what was published before, or since.
    """
    return _state(console)


@router.get("/models/comparison", response_model=answers.Comparison | answers.NoComparison)
def comparison(account: Reader, console: Parts, language: ReadIn) -> Mapping[str, Any]:
    """Return how the candidate understands messages otherwise than the live model; `candidate` is "" without one.

    Of students' messages, those that are still there.
    """
    found = console.training.comparison
    if found is None:
        return {"candidate": ""}
    changes = found["messages"]["changes"]
    texts = {row["id"]: row["question"] for row in console.turns.some([each["trace"] for each in changes])}
    topics = console.publisher.live.index().dictionaries.topics
    live = console.training.models.live
    return {
        **found,
        "is_current": found["live"] == (live.name if live else ""),
        "messages": {
            "count": found["messages"]["count"],
            "changes": [
                {**each, "text": text_for(texts[each["trace"]], account)}
                for each in changes
                if each["trace"] in texts
            ],
        },
        "topics": {intent_of(topic.id): topic.called(language) for topic in topics},
    }


@router.post("/models/training", status_code=202, response_model=answers.Models)
def train(account: Editor, console: Parts) -> Mapping[str, Any]:
    """Begin the training of a candidate, unless one is under way, and return the state."""
    if console.training.begin(account.name):
        console.audit.note(account.login, "train")
    return _state(console)


@router.post("/models/comparison", status_code=202, response_model=answers.Models)
def compare(account: Editor, console: Parts) -> Mapping[str, Any]:
    """Begin to compare the candidate anew, unless a training is under way, and return the state."""
    console.training.begin(account.name, compare_alone=True)
    return _state(console)


@router.post("/models/promotion", response_model=answers.PromotedModels)
def promote(body: ModelSeen, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Make the candidate live; `is_live` says whether a running Covan uses it."""
    is_live = console.training.models.promote(body.model)
    console.audit.note(account.login, "promote", body.model, is_live=is_live)
    return {**_state(console), "is_live": is_live}


@router.post("/models/roll-back", response_model=answers.PromotedModels)
def roll_back(body: ModelSeen, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Make the model before live again; `is_live` says whether a running Covan uses it."""
    is_live = console.training.models.roll_back(body.model)
    console.audit.note(account.login, "roll_back", body.model, is_live=is_live)
    return {**_state(console), "is_live": is_live}


@router.post("/models/discard", response_model=answers.Models)
def discard(body: ModelSeen, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Throw the candidate away."""
    console.training.models.discard(body.model)
    console.audit.note(account.login, "discard_model", body.model)
    return _state(console)


def _state(console: Console) -> Mapping[str, Any]:
    kept, progress = console.training.models, console.training.progress
    names = console.accounts.names()
    return {
        "training": {
            **asdict(progress),
            "waits_for_changes": progress.step == "index" and console.publisher.whole_build.is_of_changes,
        },
        "live": _named(kept.live),
        "before": _named(kept.before),
        "candidate": _named(kept.candidate),
        "labels": _waiting_labels(console),
        "history": [
            {
                "at": each["at"],
                "by": names.get(each["login"], each["login"]),
                "action": each["action"],
                "target": each["target"],
            }
            for each in console.audit.latest(ACTIONS, HISTORY)
        ],
    }


def _waiting_labels(console: Console) -> Mapping[str, int]:
    """Return how many labels no model has learnt, and how many the candidate alone has.

    A label counts as long as the example files have it: one that was taken back waits for nothing.
    """
    models = console.training.models
    live, candidate = models.live, models.candidate
    live_began = models.began_at(live) if live is not None else 0.0
    latest_began = models.began_at(candidate) if candidate is not None else live_began
    waiting: dict[tuple[str, str], str] = {}
    for each in console.audit.since("label", live_began):
        waits_for = "untrained" if each["at"] >= latest_began else "unpromoted"
        for intent, hashes in each["detail"].get("examples", {}).items():
            waiting.update(((intent, example), waits_for) for example in hashes)
    standing = _standing(console) if waiting else frozenset()
    counts = Counter(
        waits_for for example, waits_for in waiting.items() if standing is None or example in standing
    )
    return {"untrained": counts["untrained"], "unpromoted": counts["unpromoted"]}


def _standing(console: Console) -> Set[tuple[str, str]] | None:
    """Return the intent and the hash of each message that has one; None while a file cannot be read."""
    try:
        return {(each.intent, example_hash(text)) for text, each in console.nlu.known().items()}
    except (KnowledgeError, KnowledgeFileError):
        return None


def _named(model: Path | None) -> str:
    return model.name if model is not None else ""
