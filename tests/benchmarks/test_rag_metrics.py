"""The metrics of Ragas over a judge by script: `make test-rag-metrics`, which has an environment of its own."""

from __future__ import annotations

import asyncio
import json
from importlib.util import find_spec
from typing import Any

import pytest
from chat_model import Says, Sent, scripted_model
from rag_metrics import Sample, judge_all, means, metrics_of, samples_of

FACT, OTHER = "Đơn nộp trước ngày 5/9.", "Lệ phí là 20.000 đồng."


def line(**given: Any) -> str:
    said = {"id": "1", "decision": "answer", "answer": FACT, "citations": [{"quote": FACT}]}
    return json.dumps({**said, **given})


def test_answers_with_quotations_and_a_right_answer_are_judged() -> None:
    rows = [
        {"id": name, "question": "Khi nào nộp đơn?", "answer": "" if name == "3" else FACT} for name in "1234"
    ]
    lines = [
        line(),
        line(id="2", decision="no_answer"),
        line(id="3"),
        line(id="4", citations=[]),
        line(id="5"),
    ]

    assert list(samples_of(lines, rows)) == [Sample("1", "Khi nào nộp đơn?", FACT, (FACT,), FACT)]


def test_a_line_of_another_form_is_named() -> None:
    with pytest.raises(ValueError, match="line 2 is not one"):
        list(samples_of([line(), '{"id": "2"}'], []))


def test_a_value_that_is_not_there_is_counted_and_not_averaged() -> None:
    rest = dict.fromkeys(("context_precision", "context_recall", "answer_correctness", "noise_sensitivity"))
    found = means([{"faithfulness": 0.5, **rest}, {"faithfulness": None, **rest}])

    assert found["faithfulness"] == {"mean": 0.5, "judged": 1, "failed": 1}
    assert found["context_recall"] == {"mean": None, "judged": 0, "failed": 2}


def judge(body: Sent) -> Says:
    """Judge by the letter: a statement is true where it stands word for word."""
    prompt = str(body["messages"][-1]["content"])
    given, _ = json.JSONDecoder().raw_decode(prompt[prompt.rindex("input: ") + len("input: ") :])
    text = given.get("text") or given.get("answer")
    if "ground_truth" in given:
        right, said = given["ground_truth"], given["answer"]
        parts = {
            "TP": [each for each in said if each in right],
            "FP": [each for each in said if each not in right],
            "FN": [each for each in right if each not in said],
        }
        return Says(
            json.dumps({k: [{"statement": each, "reason": "-"} for each in v] for k, v in parts.items()})
        )
    if "statements" in given:
        verdicts = [
            {"statement": each, "reason": "-", "verdict": int(each in given["context"])}
            for each in given["statements"]
        ]
        return Says(json.dumps({"statements": verdicts}))
    if "context" not in given:
        return Says(json.dumps({"statements": [f"{part.rstrip('.')}." for part in text.split(". ")]}))
    is_said = int(text in given["context"])
    if "classifications" in prompt:
        return Says(
            json.dumps({"classifications": [{"statement": text, "reason": "-", "attributed": is_said}]})
        )
    return Says(json.dumps({"reason": "-", "verdict": is_said}))


needs_ragas = pytest.mark.skipif(find_spec("ragas") is None, reason="needs make test-rag-metrics")


@needs_ragas
def test_the_metrics_are_those_of_the_papers() -> None:
    sample = Sample(
        "1", "Khi nào nộp đơn?", f"{FACT} {OTHER}", (f"Điều 1. {FACT}", "Điều 2. Căng tin."), FACT
    )
    with scripted_model(judge) as server:
        (judged,) = asyncio.run(judge_all([sample], metrics_of(server.url, "judge")))

    assert judged == {
        "faithfulness": 0.5,
        "context_precision": 1.0,
        "context_recall": 1.0,
        "answer_correctness": 0.6667,
        "noise_sensitivity": 0.0,
    }


@needs_ragas
def test_a_judge_that_cannot_write_json_fails_the_metrics_and_not_the_run() -> None:
    sample = Sample("1", "Khi nào nộp đơn?", FACT, (FACT,), FACT)
    with scripted_model("đúng") as server:
        judged = asyncio.run(judge_all([sample], metrics_of(server.url, "judge")))

    assert set(judged[0].values()) == {None}
