#!/usr/bin/env python3
"""Judge answers by a language model: faithfulness, context precision and recall, correctness, noise sensitivity.

    covan answer --index INDEX --questions Q.csv --out A.jsonl
    make rag-metrics ARGS="--answers A.jsonl --questions Q.csv --url http://127.0.0.1:8080/v1 --model NAME"

`Q.csv` has `id`, `question` and `answer`, the right answer. The contexts of an answer are the quotations that it cites.
The metrics are those of Ragas (Es et al., arXiv:2309.15217), in an environment of their own (`.venv-metrics`): this
file imports nothing of Covan. Only what was answered is judged. An answer takes some fifteen calls of the model, which
judges as well as it reads Vietnamese: the labels of `covan eval` count, these figures tell what they cannot see.

Prints a line for each answer, then the means; a metric that the model's replies do not yield is null, and counted.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

METRICS = ("faithfulness", "context_precision", "context_recall", "answer_correctness", "noise_sensitivity")
"""Noise sensitivity is the share of wrong statements that relevant contexts led to: the lower, the better."""

KEY = "COVAN_LLM_KEY"
MAX_TOKENS = 2048


@dataclass(frozen=True, slots=True)
class Sample:
    """An answer to judge, with the texts that it cites and the right answer."""

    id: str
    question: str
    answer: str
    contexts: tuple[str, ...]
    reference: str


def samples_of(answers: Iterable[str], questions: Iterable[Mapping[str, str]]) -> Iterator[Sample]:
    """Yield the answers of a batch that rest on texts and have a right answer.

    Raises ValueError for a line that is not one of `covan answer`.
    """
    asked = {row["id"]: row for row in questions if row.get("answer", "").strip()}
    for number, line in enumerate(answers, 1):
        try:
            given = json.loads(line)
            name, decision, text = given["id"], given["decision"], given["answer"]
            quotes = tuple(citation["quote"] for citation in given["citations"] if citation["quote"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"line {number} is not one that `covan answer` writes: {error!r}") from error
        if decision == "answer" and quotes and name in asked:
            row = asked[name]
            yield Sample(name, row["question"], text, quotes, row["answer"])


def means(judged: Sequence[Mapping[str, float | None]]) -> dict[str, dict[str, float | int | None]]:
    """Return for each metric its mean over the answers that have it, and the number of those that have not."""
    result: dict[str, dict[str, float | int | None]] = {}
    for name in METRICS:
        values = [value for each in judged if (value := each[name]) is not None]
        mean = round(sum(values) / len(values), 4) if values else None
        result[name] = {"mean": mean, "judged": len(values), "failed": len(judged) - len(values)}
    return result


async def judged_by(sample: Sample, metrics: Mapping[str, Any]) -> dict[str, float | None]:
    """Return the value of each metric for an answer, None where the model's replies yield none."""
    given = {
        "user_input": sample.question,
        "response": sample.answer,
        "reference": sample.reference,
        "retrieved_contexts": list(sample.contexts),
    }
    needs = {
        "faithfulness": ("user_input", "response", "retrieved_contexts"),
        "context_precision": ("user_input", "reference", "retrieved_contexts"),
        "context_recall": ("user_input", "reference", "retrieved_contexts"),
        "answer_correctness": ("user_input", "response", "reference"),
        "noise_sensitivity": ("user_input", "response", "reference", "retrieved_contexts"),
    }
    values: dict[str, float | None] = {}
    for name, metric in metrics.items():
        try:
            value = float((await metric.ascore(**{key: given[key] for key in needs[name]})).value)
        except Exception as error:
            print(f"{sample.id}: {name}: {type(error).__name__}", flush=True)
            value = math.nan
        values[name] = None if math.isnan(value) else round(value, 4)
    return values


def metrics_of(url: str, model: str) -> dict[str, Any]:
    """Return the metrics over a server of the OpenAI protocol."""
    # Ragas reports its use to its makers unless told otherwise before it is imported.
    os.environ["RAGAS_DO_NOT_TRACK"] = "true"
    from openai import AsyncOpenAI  # noqa: PLC0415
    from ragas.llms import llm_factory  # noqa: PLC0415
    from ragas.metrics import collections  # noqa: PLC0415

    client = AsyncOpenAI(base_url=url, api_key=os.environ.get(KEY) or "none")
    judge = llm_factory(model, client=client, temperature=0.0, max_tokens=MAX_TOKENS)
    return {
        "faithfulness": collections.Faithfulness(llm=judge),
        "context_precision": collections.ContextPrecision(llm=judge),
        "context_recall": collections.ContextRecall(llm=judge),
        # By statements alone: the other part is a cosine, which needs an embedder.
        "answer_correctness": collections.AnswerCorrectness(llm=judge, weights=[1.0, 0.0]),
        "noise_sensitivity": collections.NoiseSensitivity(llm=judge),
    }


async def judge_all(samples: Sequence[Sample], metrics: Mapping[str, Any]) -> list[dict[str, float | None]]:
    """Judge the answers one by one, and print each."""
    judged = []
    for sample in samples:
        values = await judged_by(sample, metrics)
        print(json.dumps({"id": sample.id, **values}, ensure_ascii=False), flush=True)
        judged.append(values)
    return judged


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answers", type=Path, required=True, help="what `covan answer` has written")
    parser.add_argument("--questions", type=Path, required=True, help="id, question, answer")
    parser.add_argument("--url", required=True, help=f"the judge's server; its key is in {KEY}")
    parser.add_argument("--model", required=True)
    parser.add_argument("--most", type=int, default=0, help="judge so many answers; 0: all")
    options = parser.parse_args()
    try:
        with (
            options.answers.open(encoding="utf-8") as lines,
            options.questions.open(encoding="utf-8-sig", newline="") as rows,
        ):
            samples = list(samples_of(filter(str.strip, lines), csv.DictReader(rows)))
    except (OSError, ValueError, KeyError) as error:
        parser.error(f"{options.answers}, {options.questions}: {error}")
    if not samples:
        parser.error("no answer with citations has a right answer in --questions (column `answer`)")
    samples = samples[: options.most or None]
    judged = asyncio.run(judge_all(samples, metrics_of(options.url, options.model)))
    print(json.dumps({"answers": len(judged), **means(judged)}, ensure_ascii=False))


if __name__ == "__main__":
    main()
