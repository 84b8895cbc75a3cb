"""Does the chat read messages as the command line does? Every message is read by a trained Rasa and by the engine.

    .venv/bin/python benchmarks/reading_parity.py [FILE ...]

Without a FILE: the held-out messages, those of `entities.yml`, all wordings of the FAQ and the sample suite. A FILE is
a CSV with a column `question`, or text with a message a line. Index and model are those of the sample school. Prints
each difference, and ends with 1 when there is one. Two readings are the same when all their parts are; probabilities
and vectors may differ by what the releases of numpy in the two environments differ (`TOLERANCE`). Every tenth message
is embedded, by both; until the next, the others are read with its vector: an embedding costs five times what the rest
of a reading does.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryFile

# As in the servers: must be set before the libraries are loaded.
os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
import yaml

from covan import rasa
from covan.project import ROOT
from covan.rasa_model import ensure_model
from rag.index.versions import open_index
from rag.ingest.load import load_knowledge
from rag.question_answering import reader_of
from rag.retrieve.embedder import load_embedder
from rag.settings import Settings, settings
from school.reader import Reader
from school.reading import Reading

DIALOGUES = ROOT / "tests" / "dialogues"
SUITE = ROOT / "benchmarks" / "sample_school"
TOLERANCE = 1e-3
EMBEDDED_BY_BOTH = 10
MARKED_ENTITY = re.compile(r"\[([^\]]+)\]\{[^}]*\}")
"""An entity in Rasa's NLU format: "[k47]{"entity": "cohort", "value": "47"}"."""

SCRIPT = """
import asyncio, json, logging, sys
import structlog
from rasa.core.agent import Agent
from school.sentence_embedder import SentenceEmbedder
# A message costs a tenth less without a line of debugging.
structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
agent, every = Agent.load(sys.argv[1]), int(sys.argv[2])
embed, vector = SentenceEmbedder.query, None

def query(embedder, text):
    global vector
    if vector is None:
        vector = embed(embedder, text)
    return vector

SentenceEmbedder.query = query

async def main():
    global vector
    for number, text in enumerate(json.load(sys.stdin)):
        if number % every == 0:
            vector = None
        print("reading", json.dumps((await agent.parse_message(text)).get("reading")))

asyncio.run(main())
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    given = parser.parse_args().files
    texts = [text for file in given for text in messages_in(file)] if given else project_messages()
    found = differences(texts)
    print("\n".join(found))
    print(f"{len(texts)} messages, {len(found)} read differently")
    sys.exit(1 if found else 0)


def project_messages() -> list[str]:
    """Return every message of the held-out files, of `entities.yml`, of the FAQ and of the sample suite, once."""
    found = [
        MARKED_ENTITY.sub(r"\1", line.strip().removeprefix("- "))
        for file in sorted((DIALOGUES / "heldout").glob("*.yml"))
        for block in yaml.safe_load(file.read_text(encoding="utf-8"))["nlu"]
        for line in block.get("examples", "").splitlines()
    ]
    with_names = (DIALOGUES / "entities.yml").read_text(encoding="utf-8").splitlines()
    found += [line.rpartition(": ")[0] for line in with_names if not line.startswith("#")]
    found += faq_wordings()
    found += [text for file in sorted(SUITE.glob("*.csv")) for text in messages_in(file)]
    return list(dict.fromkeys(found))


def faq_wordings() -> list[str]:
    """Return all wordings of the sample school's FAQ, once."""
    faq = load_knowledge(ROOT / "knowledge").faq
    return list(dict.fromkeys(wording for entry in faq for wording in (entry.question, *entry.variants)))


def messages_in(file: Path) -> list[str]:
    """Return the questions of a CSV file, or the lines of a text file."""
    with file.open(encoding="utf-8", newline="") as opened:
        if file.suffix == ".csv":
            return [row["question"] for row in csv.DictReader(opened)]
        return [line.strip() for line in opened if line.strip()]


def differences(texts: Sequence[str], wanted: Settings | None = None) -> list[str]:
    """Return a line for every message that the trained Rasa and the engine read differently."""
    wanted = wanted or settings()
    wanted = wanted.model_copy(
        update={"knowledge_dir": ROOT / wanted.knowledge_dir, "state_dir": ROOT / wanted.state_dir}
    )
    model = ensure_model(wanted)
    # Rasa strips a message, and takes one that begins with "/" for a button.
    texts = [stripped for text in texts if (stripped := text.strip()) and not stripped.startswith("/")]
    with TemporaryFile("w+", encoding="utf-8") as asked:
        json.dump(texts, asked)
        asked.seek(0)
        with subprocess.Popen(
            [str(rasa.PYTHON), "-c", SCRIPT, str(model), str(EMBEDDED_BY_BOTH)],
            stdin=asked,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=ROOT,
            env=rasa.environment(wanted),
        ) as chat:
            embedder = load_embedder(wanted.embedder)
            reader = reader_of(open_index(wanted.index_dir, embedder), embedder)
            assert chat.stdout is not None
            marked = [line.partition(" ") for line in chat.stdout]
            parsed = [json.loads(rest) for mark, _, rest in marked if mark == "reading"]
    if len(parsed) != len(texts):
        raise SystemExit(f"Rasa read {len(parsed)} of {len(texts)} messages")
    found = []
    for number, (text, stored) in enumerate(zip(texts, parsed, strict=True)):
        there = Reading.from_json(stored) if stored else None
        if there is None or there.vector is None or number % EMBEDDED_BY_BOTH == 0:
            here = reader.read(text)
        else:
            here = _read_with(reader, text, there)
        if different := _different(here, there):
            found.append(f"{text!r}: {', '.join(different)}")
    return found


def _read_with(reader: Reader, text: str, there: Reading) -> Reading:
    """Return the engine's reading of `text` with the sentence vector of another one."""
    return reader.classified(replace(reader.prepared(text), vector=there.vector, embedder=there.embedder))


def _different(here: Reading, there: Reading | None) -> list[str]:
    """Return the parts in which two readings differ."""
    if there is None:
        return ["not read"]
    exact_here, exact_there = (replace(reading, intents={}, vector=None) for reading in (here, there))
    found = [
        f"{part.name} {getattr(exact_here, part.name)!r} / {getattr(exact_there, part.name)!r}"
        for part in fields(Reading)
        if getattr(exact_here, part.name) != getattr(exact_there, part.name)
    ]
    if not _same_intents(here, there):
        found.append("intents")
    if (here.vector is None) != (there.vector is None) or (
        here.vector is not None
        and there.vector is not None
        and not np.allclose(here.vector, there.vector, atol=TOLERANCE)
    ):
        found.append("vector")
    return found


def _same_intents(here: Reading, there: Reading) -> bool:
    if list(here.intents)[:1] != list(there.intents)[:1] or here.intents.keys() != there.intents.keys():
        return False
    return all(abs(here.intents[name] - there.intents[name]) <= TOLERANCE for name in here.intents)


if __name__ == "__main__":
    main()
