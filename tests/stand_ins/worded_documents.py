"""A pipeline over the small school's documents alone, whose answers a language model words."""

from __future__ import annotations

import re
from datetime import date

from chat_model import Sent

from rag.pipeline import GenerationRule, NearPassages, Pipeline, load_pipeline
from rag.types import DOCUMENT_SOURCE

TODAY = date(2026, 11, 1)
ASKED = "Bị cảnh báo học vụ mấy lần liên tiếp thì bị buộc thôi học?"


def documents_only(near: NearPassages | None = None, gate: float = 0.0) -> Pipeline:
    """Return `urag` without its FAQ, with an answer rule of the default preset; `gate` counts in conversations, too."""
    pipeline = load_pipeline("urag")
    (document,) = (rule for rule in pipeline.sources if rule.source == DOCUMENT_SOURCE)
    document = document.model_copy(
        update={"candidates": 5, "gate": document.gate.model_copy(update={"at_least": gate})}
    )
    limits = pipeline.context_of_small_faq
    changed = {
        "sources": (document,),
        "context_of_small_faq": limits.model_copy(update={"extract": max(gate, limits.extract)}),
        "generation": GenerationRule(near=near),
    }
    return pipeline.model_copy(update=changed)


def passages_sent(body: Sent) -> list[str]:
    """Return the texts of the passages of a request, in order."""
    found = re.findall(
        r"Đoạn \[\d+\][^\n]*\n<(\w+)>\n(.*?)\n</\1>", body["messages"][1]["content"], re.DOTALL
    )
    return [text for _, text in found]


def first_passage(body: Sent) -> str:
    """Return the text of the first passage of a request."""
    return passages_sent(body)[0]
