"""`covan up`: everything for a trial, on this machine: index, model, action server, Rasa, front door, console."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal
import sys
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, NoReturn

import httpx
import typer
from rich.console import Console
from rich.markup import escape

from covan import front_door, priority, rasa
from covan.live_model import announced
from covan.ports import holder, is_free, next_free
from covan.processes import Child, Service, Supervisor
from covan.project import ROOT
from covan.secrets import ensure_secrets
from covan.state_folder import keep_private
from covan.stores import require_stores_of_rasa
from rag.errors import CovanError, IndexUnusableError, KnowledgeError
from rag.settings import Settings, settings

LOOPBACK = front_door.LOOPBACK
EXIT_INTERRUPTED = 130


class AlreadyRunningError(CovanError):
    """Another `covan up` works on the same state folder."""


@dataclass(frozen=True, slots=True)
class Place:
    """A server's address: `title` is what it is called, `option` what chooses its port."""

    title: str
    option: str
    host: str
    port: int


Ask = Callable[[str], bool]


def run(
    page_port: Annotated[
        int | None, typer.Option(help="Port of the page and the webhooks (COVAN_PAGE_PORT).")
    ] = None,
    rasa_port: Annotated[int | None, typer.Option(help="Port of Rasa (COVAN_RASA_PORT).")] = None,
    actions_port: Annotated[
        int | None, typer.Option(help="Port of the action server (COVAN_ACTIONS_PORT).")
    ] = None,
    console_port: Annotated[
        int | None, typer.Option(help="Port of the advisors' console (COVAN_CONSOLE_PORT).")
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            help="Address of the page, the webhooks and the console; Rasa and actions stay on loopback (COVAN_HOST)."
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option(help="Open the page in the browser when there is a desktop.")
    ] = True,
) -> None:
    """Start everything for a trial: index, model, actions, Rasa, channels with the page, console."""
    given: dict[str, Any] = {
        "page_port": page_port,
        "rasa_port": rasa_port,
        "actions_port": actions_port,
        "console_port": console_port,
        "host": host,
    }
    given = {name: value for name, value in given.items() if value is not None}
    wanted = settings().model_copy(
        update={
            "knowledge_dir": ROOT / settings().knowledge_dir,
            "state_dir": ROOT / settings().state_dir,
            **given,
        }
    )
    console = Console(highlight=False)
    try:
        with _termination_as_interrupt(), _only_one(keep_private(wanted)):
            prepare(wanted, console)
            ports = choose_ports(wanted, console, _ask_on_terminal if sys.stdin.isatty() else None)
            # The servers must have the same ones, and the advisors' commands find them.
            chosen = ensure_secrets(wanted.model_copy(update=ports))
            require_stores_of_rasa(chosen)
            with announced(chosen):
                asyncio.run(serve(services(chosen), chosen, console, browser=browser))
            console.print("Everything has ended.")
    except KeyboardInterrupt:
        console.print("Stopped.")
        raise typer.Exit(EXIT_INTERRUPTED) from None


def prepare(wanted: Settings, console: Console) -> None:
    """Bring index and model up to date; each says what it does, and does nothing when it is current.

    A fault in the knowledge folder keeps those of before in use, so that it can be mended on the console: one
    unreadable file must not take a school's bot away. Raises KnowledgeError at the first start.
    """
    # Imported here: they load the engine, which `covan up --help` must not wait for.
    from covan.indexing import ensure_index  # noqa: PLC0415
    from covan.rasa_model import ensure_model  # noqa: PLC0415

    console.print("[bold]Index[/bold] of what the bot may say …")
    try:
        ensure_index(wanted)
        console.print("[bold]Model[/bold] that understands the questions …")
        ensure_model(wanted, console=console)
    except KnowledgeError as error:
        if not _has_started_before(wanted):
            raise
        console.print(f"[yellow]warning:[/yellow] {escape(str(error))}")
        console.print(
            "The last index and model stay in use until this is mended, in the folder or on the console."
        )


def _has_started_before(wanted: Settings) -> bool:
    """Return whether there are an index that can be opened and a model."""
    from covan.classifier_fit import newest_model  # noqa: PLC0415
    from rag.index.versions import open_index  # noqa: PLC0415
    from rag.retrieve.embedder import load_embedder  # noqa: PLC0415

    try:
        open_index(wanted.index_dir, load_embedder(wanted.embedder))
    except IndexUnusableError:
        return False
    return newest_model(rasa.models_dir(wanted)) is not None


def choose_ports(wanted: Settings, console: Console, ask: Ask | None) -> Mapping[str, int]:
    """Return the ports to use: the wanted ones, or for a busy one the next that is free.

    The holder of a busy port is named. `ask` is put the question whether another may be taken; without it (no
    terminal) the next free one is taken. Raises typer.Abort when the person says no.
    """
    places = {
        "actions_port": Place("the action server", "--actions-port", LOOPBACK, wanted.actions_port),
        "rasa_port": Place("Rasa", "--rasa-port", LOOPBACK, wanted.rasa_port),
        "page_port": Place("the page", "--page-port", wanted.host, wanted.page_port),
        "console_port": Place("the console", "--console-port", wanted.host, wanted.console_port),
    }
    chosen: dict[str, int] = {}
    for name, place in places.items():
        port = place.port
        if port in chosen.values() or not is_free(place.host, port):
            # A port that another of them needs is not given away either.
            others = {other.port for key, other in places.items() if key != name} | set(chosen.values())
            free = next_free(place.host, port, others)
            used_by = holder(port)
            console.print(
                f"Port {port} of {place.title} is in use"
                + (f" by {used_by}" if used_by else "")
                + f"; {free} is free (or choose with {place.option})."
            )
            if ask is not None and not ask(f"Use {free} for {place.title}?"):
                raise typer.Abort
            port = free
        chosen[name] = port
    return chosen


def services(wanted: Settings) -> Sequence[Service]:
    """Return the servers, in the order of their start."""
    of_rasa = rasa.environment(wanted, base={})
    # Quiet libraries and single threads serve the other two as well; the platforms' secrets do not go to Rasa.
    of_settings = {**of_rasa, **front_door.environment(wanted)}
    return (
        Service(
            name="actions",
            title="The action server",
            command=priority.with_niceness(priority.ANSWERING, [sys.executable, "-m", "covan", "actions"]),
            ready_url=f"http://{LOOPBACK}:{wanted.actions_port}/health",
            cwd=ROOT,
            environment=of_settings,
        ),
        Service(
            name="rasa",
            title="Rasa",
            command=rasa.serve(wanted),
            ready_url=f"http://{LOOPBACK}:{wanted.rasa_port}/webhooks/internal/",
            cwd=ROOT,
            environment=of_rasa,
            stop_timeout_s=20.0,
        ),
        Service(
            name="channels",
            title="The front door",
            command=[sys.executable, "-m", "covan", "channels"],
            ready_url=f"{front_door.address(wanted)}/api/school",
            cwd=ROOT,
            environment=of_settings,
            start_timeout_s=60.0,
            # The delivery ends what it is sending.
            stop_timeout_s=20.0,
        ),
        Service(
            name="console",
            title="The console",
            command=priority.with_niceness(
                priority.ANSWERING, [sys.executable, "-m", "covan", "console", "run"]
            ),
            ready_url=f"{front_door.address(wanted, wanted.console_port)}/health",
            cwd=ROOT,
            environment=of_settings,
        ),
    )


async def serve(servers: Sequence[Service], wanted: Settings, console: Console, *, browser: bool) -> None:
    """Start the servers, tell when the chat can be used, keep them up until a signal, end every one of them.

    Raises StartError, with nothing left running, when one of them does not come up.
    """
    supervisor = Supervisor(wanted.state_dir / "logs", lambda text: console.print(text, markup=False))
    stop = asyncio.Event()
    _handle_signals(stop, supervisor)
    stopped = asyncio.create_task(stop.wait())
    working: list[asyncio.Task[Any]] = []
    try:
        starting = asyncio.create_task(_start_all(servers, supervisor, console))
        working += [starting, asyncio.create_task(supervisor.keep_logs_small(wanted.retention_days))]
        await asyncio.wait({starting, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if stopped.done():
            return
        children = starting.result()
        url = front_door.address(wanted)
        console.print(f"\n[bold green]The chat is at {url}[/bold green]")
        console.print(f"The advisors' console is at {front_door.address(wanted, wanted.console_port)}")
        console.print(f"Logs are in {wanted.state_dir / 'logs'}; Ctrl-C ends everything.")
        if browser and has_desktop(os.environ, sys.platform):
            await asyncio.to_thread(_open_browser, url)
        working += [asyncio.create_task(supervisor.keep_up(child)) for child in children]
        await stopped
    finally:
        console.print("Ending the servers …")
        for task in working:
            task.cancel()
        # A start that was under way must be over before all is ended, or it would leave a server behind.
        await asyncio.gather(*working, return_exceptions=True)
        await supervisor.end_all()


async def _start_all(servers: Sequence[Service], supervisor: Supervisor, console: Console) -> Sequence[Child]:
    # Never through a proxy: these addresses are this machine's own.
    async with httpx.AsyncClient(trust_env=False) as client:
        children = [await supervisor.start(service) for service in servers]
        waiting = {
            asyncio.create_task(supervisor.wait_until_ready(child, client)): child.service.title
            for child in children
        }
        began = asyncio.get_running_loop().time()
        with console.status("Starting …") as status:
            try:
                while waiting:
                    elapsed = asyncio.get_running_loop().time() - began
                    status.update(f"Starting {', '.join(waiting.values())} … {elapsed:.0f} s")
                    done, _ = await asyncio.wait(waiting, timeout=1.0, return_when=asyncio.FIRST_COMPLETED)
                    for task in done:
                        title = waiting.pop(task)
                        task.result()
                        console.print(f"{title} is ready ({elapsed:.0f} s).")
            finally:
                for task in waiting:
                    task.cancel()
    return children


def _handle_signals(stop: asyncio.Event, supervisor: Supervisor) -> None:
    loop = asyncio.get_running_loop()

    def on_signal() -> None:
        if stop.is_set():
            supervisor.kill_all()
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, on_signal)


def has_desktop(environment: Mapping[str, str], platform: str) -> bool:
    """Return whether somebody sits before a screen of this machine; over SSH and in CI nobody does."""
    if environment.get("CI") or environment.get("SSH_CONNECTION"):
        return False
    return platform == "darwin" or any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _open_browser(url: str) -> None:
    # A convenience: whatever the desktop makes of it, the address has been printed.
    with contextlib.suppress(Exception):
        webbrowser.open(url)


def _ask_on_terminal(question: str) -> bool:
    return typer.confirm(question, default=True)


@contextlib.contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """While index and model are made, SIGTERM ends what runs below us as Ctrl-C would."""

    def interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    numbers = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, interrupt) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


@contextlib.contextmanager
def _only_one(state_dir: Path) -> Iterator[None]:
    """Hold the state folder for this process. Raises AlreadyRunningError when another `covan up` holds it."""
    with (state_dir / "up.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.seek(0)
            raise AlreadyRunningError(
                f"Covan already runs on {state_dir} (process {lock.read().strip() or 'unknown'}). "
                "End it there with Ctrl-C, or give this one its own folder with COVAN_STATE_DIR."
            ) from error
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield
