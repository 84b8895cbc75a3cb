"""The Rasa model, made anew when what it learns from has changed."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from covan import rasa
from covan.classifier_fit import newest_model
from covan.domain import DOMAIN
from covan.indexing import ensure_index
from covan.project import ROOT
from covan.training_data import rasa_files
from covan.training_data.examples import by_intent
from covan.training_data.school_teaching import SchoolTeaching
from rag.errors import CovanError, KnowledgeError, Problem
from rag.index.format import CLASSIFIER_FILE, READING_FILE
from rag.index.versions import current_version
from rag.ingest.dictionaries import NO_COUNSELLING
from rag.ingest.load import load_knowledge
from rag.settings import Settings, settings

TAUGHT_BY = ("topics.yml", "topics.yaml")
"""Files whose warnings concern the classifier's training."""

KEPT_MODELS = 2
LOG_TAIL_LINES = 25

STEPS = {
    "MessageReader": "taking in how messages are read",
    "RulePolicy": "learning the rules",
}
"""Descriptions, for a person, of the components that Rasa's log lines name."""


class TrainingError(CovanError):
    """Rasa could not train; the message holds the end of its log. The model before stays in use."""


def ensure_model(
    wanted: Settings | None = None,
    *,
    force: bool = False,
    candidate: bool = False,
    console: Console | None = None,
) -> Path:
    """Train the school's model unless there is one for the present knowledge and data; return its path.

    A `candidate` is not live: the console compares it with the model in use, and a person promotes it. Such a model,
    and one that a person has set aside, does not go live here unless `force` says so.

    Raises KnowledgeError when the knowledge folder is wrong, TrainingError when Rasa fails. Either way the
    model before is untouched: a new one takes its place only when it is complete.
    """
    wanted = wanted or settings()
    console = console or Console(highlight=False)
    placed = wanted.model_copy(
        update={"knowledge_dir": ROOT / wanted.knowledge_dir, "state_dir": ROOT / wanted.state_dir}
    )
    with _alone(placed, console):
        ensure = _ensure_candidate if candidate else _ensure
        return ensure(placed, console, force=force)


@contextmanager
def _alone(wanted: Settings, console: Console) -> Iterator[None]:
    """Wait for another `covan train` to end: two would write the same files."""
    rasa.generated(wanted).mkdir(parents=True, exist_ok=True)
    with _lock_file(wanted).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            console.print("Another training is under way; waiting for it to end …")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def is_training(wanted: Settings) -> bool:
    """Return whether a training is under way on the state folder."""
    try:
        with _lock_file(wanted).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # none has begun yet
        return False
    return False


def _lock_file(wanted: Settings) -> Path:
    return ROOT / wanted.state_dir / "train.lock"


def _ensure(wanted: Settings, console: Console, *, force: bool) -> Path:
    models = rasa.models_dir(wanted)
    model, live = models / _prepared(wanted, console), newest_model(models)
    if live is not None and live != model and not force and is_held(wanted, model.name):
        console.print(
            f"{model.name} waits in the console or was set aside there; {live.name} stays in use. "
            "`covan train --force` makes it live."
        )
        return live
    if model.is_file() and not force:
        model.touch()  # Rasa takes the newest of the folder
        console.print(f"The model is current: {model.name}")
        return model
    _train(wanted, model, console, force=force)
    for old in _newest_first(models)[KEPT_MODELS:]:
        old.unlink()
    return model


def _ensure_candidate(wanted: Settings, console: Console, *, force: bool) -> Path:
    models = rasa.models_dir(wanted)
    name, live = _prepared(wanted, console), newest_model(models)
    candidate, before = rasa.candidates_dir(wanted) / name, models / name
    if live == before and not force:
        console.print(f"The model is current: {name}")
        found = live
    elif candidate.is_file() and not force:
        console.print(f"The candidate is current: {name}")
        found = candidate
    elif before.is_file() and not force:
        console.print(f"Trained before: {name}")
        candidate.parent.mkdir(parents=True, exist_ok=True)
        found = Path(shutil.copy(before, candidate.with_suffix(".unfinished"))).replace(candidate)
    else:
        _train(wanted, candidate, console, force=force)
        found = candidate
    for old in candidate.parent.glob("covan-*.tar.gz"):
        if old != found:
            old.unlink()
    return found


def is_held(wanted: Settings, name: str) -> bool:
    """Return whether a model goes live only when a person says so: it is a candidate, or was set aside."""
    aside = rasa.set_aside_file(wanted)
    return (rasa.candidates_dir(wanted) / name).is_file() or (aside.is_file() and aside.read_text() == name)


def _prepared(wanted: Settings, console: Console) -> str:
    """Bring all that a training needs up to date; return the name of the model that it makes."""
    ensure_index(wanted)
    _write_training_data(wanted, console)
    rasa.write_environment_file(wanted)
    return f"covan-{fingerprint(wanted)}.tar.gz"


def fingerprint(wanted: Settings) -> str:
    """Return a hash of all that the model depends on: data, domain, pipeline, our components, Rasa itself."""
    digest = hashlib.sha256()
    for path in (*sorted(_inputs()), *sorted(rasa.generated(wanted).glob("[!.]*"))):
        digest.update(path.name.encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def _inputs() -> Iterator[Path]:
    yield from (ROOT / name for name in ("config.yml", "server/uv.lock"))
    yield DOMAIN
    yield from (ROOT / "data").rglob("*.yml")
    for package in ("server/nlu", "vietnamese", "school"):
        yield from (path for path in (ROOT / package).glob("*") if path.suffix in (".py", ".yml", ".txt"))


def _write_training_data(wanted: Settings, console: Console) -> None:
    """Write what Rasa trains with: the reader's files from the current index, and the school's intents and examples."""
    version, generated = current_version(wanted.index_dir) or "", rasa.generated(wanted)
    for name in (READING_FILE, CLASSIFIER_FILE):
        content = (wanted.index_dir / "versions" / version / name).read_bytes()
        rasa.write_if_changed(generated / name, content)
    # The calculators were tried out when the index was built.
    knowledge = load_knowledge(wanted.knowledge_dir, tried=frozenset())
    if not knowledge.catalog.counselling:
        # A folder without catalog.yml can be indexed and searched, but students in trouble talk to a chat.
        raise KnowledgeError([Problem("catalog.yml", NO_COUNSELLING)])
    for warning in knowledge.warnings:
        if warning.file in TAUGHT_BY:
            console.print(f"[yellow]warning:[/yellow] {warning.told(wanted.language)}")
    found = SchoolTeaching().examples(knowledge)
    for name, text in {
        "domain.yml": rasa_files.domain_yaml(found.topic_intents, knowledge.catalog.dimension_ids),
        "rules.yml": rasa_files.rules_yaml(found.topic_intents),
        "examples.yml": rasa_files.nlu_yaml(by_intent(found.made)),
    }.items():
        rasa.write_if_changed(generated / name, text.encode())


def _train(wanted: Settings, model: Path, console: Console, *, force: bool) -> None:
    began = time.monotonic()
    log_file, unfinished = wanted.state_dir / "logs" / "train.log", wanted.state_dir / "training"
    for folder in (log_file.parent, model.parent, unfinished):
        folder.mkdir(parents=True, exist_ok=True)
    command = rasa.train(
        *("--config", "config.yml", "--domain", "domain.yml", "--data", "data"),
        # The tests validate the project's files; generated ones are sound by construction.
        *("--out", str(unfinished), "--fixed-model-name", model.name, "--skip-validation"),
        *(("--force",) if force else ()),
    )
    with (
        log_file.open("w", encoding="utf-8") as log,
        console.status("Training …") as status,
        subprocess.Popen(
            command,
            cwd=ROOT,
            env=rasa.environment(wanted),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            log.write(line)
            if step := next((text for name, text in STEPS.items() if name in line), None):
                status.update(f"Training: {step} …")
    trained = unfinished / model.name
    if process.returncode != 0 or not trained.is_file():
        raise TrainingError(
            "Rasa could not train the model; the one before stays in use. "
            f"The end of {log_file}:\n" + "\n".join(_tail(log_file))
        )
    trained.replace(model)
    console.print(f"Trained in {time.monotonic() - began:.0f} s: {model.name}")


def _tail(log: Path) -> Sequence[str]:
    return log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_TAIL_LINES:]


def _newest_first(directory: Path) -> Sequence[Path]:
    return sorted(directory.glob("covan-*.tar.gz"), key=lambda path: path.stat().st_mtime, reverse=True)
