"""`covan actions`: the action server that Rasa asks for answers."""

from __future__ import annotations

import logging
import os
import warnings
from typing import Annotated

import typer

# Read when the embedder is imported: a second thread spins against the first in a busy server.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from actions.server import serve
from channels.delivery.trace_recorder import TraceRecorder
from covan.state_folder import keep_private
from privacy.wordless_logs import leave_words_out
from rag.language_model.configured import ConfiguredModel
from rag.live_engine import LiveEngine
from rag.retrieve.embedder import load_embedder
from rag.settings import settings


def run(
    port: Annotated[int | None, typer.Option(help="Port to listen on (COVAN_ACTIONS_PORT).")] = None,
) -> None:
    """Run the action server on 127.0.0.1; `GET /health` answers 200 once the engine is loaded."""
    # rasa-sdk compares version numbers only; that it serves Rasa 3.6 is covered by the tests in tests/dialogues.
    warnings.filterwarnings("ignore", message="Your versions of rasa and rasa_sdk")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    leave_words_out()
    wanted = settings()
    keep_private(wanted)
    engine = LiveEngine(
        wanted.index_dir, wanted.preset, load_embedder(wanted.embedder), ConfiguredModel(wanted)
    )
    recorder = TraceRecorder(wanted.channels_database)
    try:
        serve(engine, port or wanted.actions_port, recorder.record)
    finally:
        recorder.close()
