"""Store incoming messages at once, answer them in the background, and send the replies, in order for each sender.

One task serves one sender: it sends the waiting calls first, then answers the waiting turns. A lease in the database
(`Store.hold`) makes it the only one over all processes; another process continues when the lease of a dead one expires.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import (
    TYPE_CHECKING,
    Any,
    Protocol,
    TypeVar,
)

from sqlalchemy.exc import DatabaseError, OperationalError, SQLAlchemyError

from channels.delivery.changes import Changes, Subscription
from channels.delivery.draft import Draft, gathered
from channels.delivery.incoming import Incoming
from channels.delivery.incoming_store import AcceptedDelivery, Delivery
from channels.delivery.intake import Intake
from channels.delivery.message import NOTICE, Message
from channels.delivery.origins import Origins
from channels.delivery.platform import (
    Outgoing,
    OutsideWindowError,
    Platform,
    RefusedError,
    ReplyWindow,
    TryAgainError,
)
from channels.delivery.store import Store
from channels.delivery.tables import DROPPED, HELD, REFUSED, SENT, WAITING
from channels.delivery.work_queue import QueuedTurn, StoredCall
from channels.delivery.writer import Urgency, Writer
from channels.delivery.writing_sign import WritingSign
from channels.raised_at import raised_at
from channels.rasa_client import RasaBrokeOffError, RasaUnavailableError
from channels.refusals import Reason, Refusals
from privacy.wordless_logs import without_quotes
from rag.database_fault import DatabaseFault, explain
from rag.settings import Settings

if TYPE_CHECKING:
    from channels.delivery.advisor_service import AdvisorService

logger = logging.getLogger(__name__)

T = TypeVar("T")
Sender = tuple[str, str]
"""A channel's name and the student within it."""

LOOK_EVERY_S = 5.0
"""Seconds between two searches for abandoned work, after a crash or from another process."""

ALIVE_EVERY_S = 10.0
TIDY_EVERY_S = 3600.0

TIDY_PAUSE_S = 0.05
"""Seconds between two steps of tidying, in which other work goes on."""

READY_POLL_S = 0.2
"""Seconds between two looks whether Rasa is back."""

MOST_BREAKS = 3
"""A turn during which Rasa went away so many times is answered with an apology: it may be what ends Rasa."""

MOST_TRIES = 12
LONGEST_PAUSE_S = 300.0
"""Together about 25 minutes; then the call is refused and logged as an error."""

MOST_PAUSE_S = 2 * 24 * 3600.0
"""Telegram and Facebook ask for pauses of up to a day."""

READERS = 3
"""Threads that read the database."""

GIVE_WAY_S = 2.0
"""Seconds for which the next step of a conversation waits at most while messages are being accepted."""

END_S = 8.0
"""Seconds that a closing server waits for running tasks."""


class StoreBusyError(Exception):
    """The database does not take a message now: an adapter answers 503, and the platform repeats."""


class TurnAnswerer(Protocol):
    """Interface of the component that answers a turn."""

    @property
    def ready(self) -> bool:
        """Return whether a Rasa process with a model is there."""

    async def answer(
        self, channel: str, sender: str, turn: QueuedTurn, typing: Callable[[], None]
    ) -> Sequence[Draft]:
        """Return the reply to a turn. Calls `typing` to show the typing indicator once the reply is being made.

        Raises:
            RasaUnavailableError, RasaBrokeOffError: when Rasa is away; the turn is answered once it is back.
        """

    async def apology(self, channel: str, sender: str) -> Sequence[Draft]:
        """Return the reply to a turn whose `answer` failed."""

    async def too_fast(self, channel: str, sender: str) -> Sequence[Draft]:
        """Return the reply to a sender over the rate limit."""

    async def tick(self, channel: str) -> None:
        """Apply changes due at this time: the end of office hours."""


class DeliveryWorker:
    """Serves the senders of all channels of this process."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        changes: Changes,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.settings = settings
        self.answering: TurnAnswerer | None = None
        self.advisor_service: AdvisorService | None = None
        self._store = store
        self._changes = changes
        self._clock = clock
        self._process = f"{socket.gethostname()[:40]}:{os.getpid()}:{secrets.token_hex(4)}"
        # One thread writes, since SQLite has one writer anyway; what is read does not wait for it.
        self._writer = Writer("covan-channels-write")
        self._intake = Intake[Delivery, AcceptedDelivery](self._writer, store.incoming.accept_all)
        self._readers = ThreadPoolExecutor(READERS, "covan-channels-read")
        self.fault: DatabaseFault | None = None
        self.tidied_at: float | None = None
        self.refusals = Refusals()
        self.origins = Origins()
        self._accepting = 0
        self._none_accepted = asyncio.Event()
        self._none_accepted.set()
        self._platforms: dict[str, Platform] = {}
        self._tasks: dict[Sender, asyncio.Task[None]] = {}
        self._again: set[Sender] = set()
        self._accepted: dict[Sender, None] = {}
        self._starting: asyncio.Task[None] | None = None
        self._woken: dict[Sender, asyncio.Event] = {}
        self._sent: set[int] = set()
        """The calls that a platform has taken, until the database notes it: they are not sent again meanwhile."""
        self._own: list[asyncio.Task[None]] = []
        self._notices: set[asyncio.Task[None]] = set()

    # --- life -------------------------------------------------------------------------------------------------------

    async def open(self, platform: Platform) -> None:
        """Start a channel; its waiting turns and calls are served first."""
        if not self._own:
            await self._changes.start()
            if not self.settings.redis_url:
                # Without Redis there is one process, so that existing leases belong to a dead one.
                await self.run(self._store.work.release_all)
            self._own = [asyncio.create_task(each) for each in (self._look(), self._stay(), self._tidy())]
        self._platforms[platform.name] = platform
        await self._look_at(platform.name)

    async def close(self, channel: str) -> None:
        """Stop a channel; waiting turns and calls are served after the next start."""
        if self._platforms.pop(channel, None) is None:
            return
        for (of, _), woken in self._woken.items():
            if of == channel:
                woken.set()
        # A call that is being sent would be sent again after the next start.
        if serving := [task for (of, _), task in self._tasks.items() if of == channel]:
            await asyncio.wait(serving, timeout=END_S)
        ending = [task for task in serving if not task.done()]
        if not self._platforms:
            ending += self._own
            self._own = []
            if self._starting is not None:
                ending.append(self._starting)
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        if not self._platforms:
            await self._changes.close()
            for notice in self._notices:
                notice.cancel()
            await asyncio.gather(*self._notices, return_exceptions=True)
            self._writer.end()
            self._readers.shutdown()
            self._store.close()

    async def run(self, method: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Run a method of the store that writes, in the writer's thread."""
        return await asyncio.wrap_future(self._writer.submit(lambda: method(*args, **kwargs)))

    async def read(self, method: Callable[..., T], *args: Any) -> T:
        """Run a method of the store that only reads, in a thread of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, lambda: method(*args))

    def now(self) -> float:
        """Return the time in seconds since 1970."""
        return self._clock()

    def reply_window(self, channel: str) -> ReplyWindow | None:
        """Return how long advisors may write on a channel; None without a limit, or for one that is not set up."""
        platform = self._platforms.get(channel)
        return platform.reply_window if platform is not None else None

    def preview(self, channel: str, message: Message) -> Sequence[str]:
        """Return `message` as a channel shows it (`Platform.preview`). Raises RefusedError where none is set up."""
        if (platform := self._platforms.get(channel)) is None:
            raise RefusedError(f"the channel {channel} is not set up")
        return platform.preview(message)

    def previews(self, message: Message) -> Mapping[str, Sequence[str]]:
        """Return `message` as each channel that is set up shows it, by its name."""
        return {name: platform.preview(message) for name, platform in self._platforms.items()}

    @property
    def store(self) -> Store:
        """Return the database; `run` calls its methods."""
        return self._store

    # --- in ---------------------------------------------------------------------------------------------------------

    async def accept(
        self, channel: str, incoming: Sequence[Incoming], *, tells_too_fast: bool = True
    ) -> Sequence[str]:
        """Store the messages. On return they are durable and each will be answered once.

        Returns the ids of those that are not taken since their student writes too fast. `tells_too_fast`: the student
        is told so, once a minute; a channel that can refuse a message says it itself.

        Raises:
            StoreBusyError: when they are not stored in time. The platform repeats them; what was stored after all is
                known by its id then.
        """
        self._accepting += 1
        self._none_accepted.clear()
        try:
            accepted = await self._intake.store(Delivery(channel, incoming))
        except (TimeoutError, DatabaseError) as error:
            if not self._is_fault(error):
                raise
            raise StoreBusyError("the message could not be stored in time") from None
        finally:
            self._accepting -= 1
            if not self._accepting:
                self._none_accepted.set()
        self._is_well()
        for sender in accepted.senders:
            self._accepted[channel, sender] = None
        if self._accepted and (self._starting is None or self._starting.done()):
            self._starting = asyncio.create_task(self._start_serving())
        for sender in accepted.too_fast:
            self.refusals.count(Reason.MESSAGES)
            if not tells_too_fast:
                continue
            # The words are Rasa's, and an acknowledgement does not wait for Rasa.
            notice = asyncio.create_task(self._tell_too_fast(channel, sender))
            self._notices.add(notice)
            notice.add_done_callback(self._notices.discard)
        return accepted.refused

    def _is_fault(self, error: Exception) -> bool:
        """Return whether an error is the database's own and not that of what was to be stored; note it, and log it when
        it is new. A lasting one stays until the restart that mends it."""
        if not isinstance(error, TimeoutError) and type(error) not in (DatabaseError, OperationalError):
            return False
        fault = fault_of(error, self.settings.channels_place)
        if self.fault is None or (fault.lasting and not self.fault.lasting):
            logger.error("%s; platforms are told to repeat what they bring. %s", fault.message, fault.mend)
            self.fault = fault
        return True

    def _log(self, error: BaseException, message: str, *args: object) -> None:
        """Log an error of our own work with its traceback; a fault of the database once, and in its own words."""
        if not (isinstance(error, SQLAlchemyError) and self._is_fault(error)):
            logger.error(message, *args, exc_info=error)

    def _is_well(self) -> None:
        if self.fault is not None and not self.fault.lasting:
            logger.warning("%s takes messages again.", self.settings.channels_place)
            self.fault = None

    async def _tell_too_fast(self, channel: str, sender: str) -> None:
        if self.answering is None or not self.answering.ready:
            return
        try:
            await self.say(channel, sender, await self.answering.too_fast(channel, sender))
        except Exception:
            logger.exception("A student on %s was not told of the limit.", channel)

    async def say(self, channel: str, sender: str, drafts: Sequence[Draft]) -> list[Message]:
        """Store messages outside of a turn, with the calls that send them.

        Raises:
            RefusedError: when the channel is not set up.
        """
        if (platform := self._platforms.get(channel)) is None:
            raise RefusedError(f"the channel {channel} is not set up")
        said = await self._end(platform, sender, None, drafts)
        if said:
            self.kick(channel, sender)
        return said

    # --- serving a sender -------------------------------------------------------------------------------------------

    async def _start_serving(self) -> None:
        """Start with the senders whose messages were accepted; whatever waits to be accepted goes first."""
        while self._accepted:
            await self._give_way()
            accepted, self._accepted = self._accepted, {}
            for channel, sender in accepted:
                await self.tell(channel, sender, {"kind": "message"})
                self.kick(channel, sender)
                # One at a time: between two of them the event loop reads what has come in.
                await asyncio.sleep(0)

    def kick(self, channel: str, sender: str) -> None:
        """Start serving a sender, or wake the task that serves it."""
        key = (channel, sender)
        if channel not in self._platforms:
            return
        if key in self._tasks:
            self._again.add(key)
            if key in self._woken:
                self._woken[key].set()
            return
        task = asyncio.create_task(self._serve(channel, sender))
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._served(key, done))

    def _served(self, key: Sender, task: asyncio.Task[None]) -> None:
        self._tasks.pop(key, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._log(error, "Serving a sender of %s broke off; it goes on shortly.", key[0])
        elif key in self._again and not task.cancelled():
            self._again.discard(key)
            self.kick(*key)
        self._again.discard(key)

    async def _serve(self, channel: str, sender: str) -> None:
        platform = self._platforms[channel]
        await self._give_way()
        while await self.run(self._store.work.hold, channel, sender, self._process):
            try:
                while channel in self._platforms and await self._step(platform, sender):
                    pass
            finally:
                more = await asyncio.shield(
                    self.run(self._store.work.release, channel, sender, self._process)
                )
            if not more or channel not in self._platforms:
                return

    async def _step(self, platform: Platform, sender: str) -> bool:
        """Send one call or answer one turn; return False when the sender has neither."""
        await self._give_way()
        call, turn = await self.read(self._store.work.next, platform.name, sender)
        if call is not None:
            await self._send(platform, sender, call)
            return True
        if turn is not None:
            await self._answer(platform, sender, turn)
            return True
        return False

    async def _give_way(self) -> None:
        """Let messages that wait for their acknowledgement go first: platforms count seconds, students minutes."""
        if self._accepting:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._none_accepted.wait(), GIVE_WAY_S)

    async def _answer(self, platform: Platform, sender: str, turn: QueuedTurn) -> None:
        sign = WritingSign(platform.name, lambda: self._show_writing(platform, sender))
        try:
            drafts = await self._reply(platform.name, sender, turn, sign)
            if drafts is not None:
                await self._finish(platform, sender, turn, drafts)
        finally:
            await sign.end()

    async def _finish(
        self, platform: Platform, sender: str, turn: QueuedTurn, drafts: Sequence[Draft]
    ) -> None:
        """Store the reply to a turn, or an apology when it cannot be rendered: later turns must not wait for it."""
        assert self.answering is not None
        try:
            await self._end(platform, sender, turn, drafts)
        except SQLAlchemyError:
            raise
        except Exception:
            logger.exception("A reply on %s cannot be rendered.", platform.name)
            await self._apologise(platform, sender, turn)

    async def _apologise(self, platform: Platform, sender: str, turn: QueuedTurn) -> None:
        assert self.answering is not None
        apology = await self.answering.apology(platform.name, sender)
        try:
            await self._end(platform, sender, turn, apology)
        except SQLAlchemyError:
            raise
        except Exception:  # begun anew, the turn would end like this for ever
            logger.exception(
                "An apology on %s cannot be rendered; its turn ends without a reply.", platform.name
            )
            await self._end(platform, sender, turn, ())

    async def _reply(
        self, channel: str, sender: str, turn: QueuedTurn, sign: WritingSign
    ) -> Sequence[Draft] | None:
        """Return the reply to a turn; waits while Rasa is away. None when the channel is closed meanwhile."""
        answering = self.answering
        assert answering is not None, "set by channels/front_door.py"
        breaks, failed = 0, False
        while channel in self._platforms:
            if not answering.ready:
                await asyncio.sleep(READY_POLL_S)
                continue
            try:
                if failed:
                    return await answering.apology(channel, sender)
                return await answering.answer(channel, sender, turn, sign.begin)
            except RasaUnavailableError:
                await asyncio.sleep(READY_POLL_S)
            except RasaBrokeOffError as error:
                breaks += 1
                failed = breaks >= MOST_BREAKS
                logger.warning("A turn on %s was interrupted, and begins anew: %s.", channel, error)
                await asyncio.sleep(READY_POLL_S)
            except SQLAlchemyError:
                raise
            except Exception:  # a turn that always fails must not block the later ones
                if failed:
                    raise
                logger.exception("A turn on %s failed.", channel)
                failed = True
        return None

    async def _end(
        self, platform: Platform, sender: str, turn: QueuedTurn | None, drafts: Sequence[Draft]
    ) -> list[Message]:
        say = gathered(drafts) if platform.options_last else drafts
        return await self.run(self._store.replies.finish, platform.name, sender, turn, say, platform.render)

    async def _show_writing(self, platform: Platform, sender: str) -> None:
        address, _ = await self.read(self._store.replies.outgoing, platform.name, sender)
        await platform.typing(sender, address)

    async def _send(self, platform: Platform, sender: str, call: StoredCall) -> None:
        # A later time than any pause can end at was noted before the clock was set back.
        if 0 < (pause := call.not_before - self._clock()) <= MOST_PAUSE_S:
            await self._wait(platform.name, sender, pause)
            if call.not_before > self._clock():
                return
        address, heard_at = await self.read(self._store.replies.outgoing, platform.name, sender)
        tries = call.tries + 1
        try:
            if call.id not in self._sent:
                await platform.send(Outgoing(call.call, sender, address, call.author, heard_at))
        except OutsideWindowError as held:
            # A notice ("an advisor has joined") is out of date after the window.
            state = DROPPED if call.author == NOTICE else HELD
            told = without_quotes(str(held))
            logger.warning("A message to a student on %s is %s: %s", platform.name, state, told)
            await self.run(self._store.replies.mark, call.id, state, str(held), tries=tries)
        except RefusedError as refused:
            await self._give_up(platform, call, str(refused), tries)
        except Exception as error:  # a fault in an adapter is retried and given up like a platform's
            why = str(error) if isinstance(error, TryAgainError) else raised_at(error)
            if not isinstance(error, TryAgainError):
                logger.exception("Sending on %s failed.", platform.name)
            if tries >= MOST_TRIES:
                await self._give_up(platform, call, why, tries)
                return
            wish = error.after_s if isinstance(error, TryAgainError) else None
            later = min(2.0 ** (tries - 1), LONGEST_PAUSE_S) if wish is None else wish
            told = without_quotes(why)
            logger.warning("%s is tried again in %.0f s: %s", platform.name, later, told)
            not_before = self._clock() + later
            await self.run(
                self._store.replies.mark, call.id, WAITING, why, tries=tries, not_before=not_before
            )
        else:
            self._sent.add(call.id)
            # At once: a process that is killed before it sends the message again.
            mark = partial(self._store.replies.mark, call.id, SENT, tries=tries)
            await asyncio.wrap_future(self._writer.submit(mark, Urgency.NOTE_OF_SENDING))
            self._sent.discard(call.id)

    async def _give_up(self, platform: Platform, call: StoredCall, why: str, tries: int) -> None:
        told = without_quotes(why)
        logger.error("A message on %s is given up (see `covan queue --undelivered`): %s", platform.name, told)
        await self.run(self._store.replies.mark, call.id, REFUSED, why, tries=tries)

    async def _wait(self, channel: str, sender: str, seconds: float) -> None:
        """Wait for `seconds`, or until the sender writes."""
        woken = self._woken[channel, sender] = asyncio.Event()
        try:
            await asyncio.wait_for(woken.wait(), min(seconds, LOOK_EVERY_S))
        except TimeoutError:
            pass
        finally:
            del self._woken[channel, sender]

    # --- background tasks ---------------------------------------------------------------------------------------------

    async def _look(self) -> None:
        while True:
            for channel in list(self._platforms):
                try:
                    await self._look_at(channel)
                    if self.answering is not None and self.answering.ready:
                        await self.answering.tick(channel)
                except Exception as error:
                    self._log(error, "Looking for work of %s failed.", channel)
            await asyncio.sleep(LOOK_EVERY_S)

    async def _look_at(self, channel: str) -> None:
        for sender in await self.read(self._store.work.waiting, channel, self._process):
            if (channel, sender) not in self._tasks:
                self.kick(channel, sender)

    async def _stay(self) -> None:
        while True:
            await asyncio.sleep(ALIVE_EVERY_S)
            try:
                await self.run(self._store.work.still_here, self._process, list(self._tasks))
                if self.fault is not None:
                    await self.run(self._store.database.try_writing)
                self._is_well()
            except Exception as error:
                self._log(error, "The leases could not be renewed.")

    async def _tidy(self) -> None:
        while True:
            try:
                while await self.run(self._store.deletion.tidy, self.settings.retention_days):
                    await asyncio.sleep(TIDY_PAUSE_S)
                self.tidied_at = self._clock()
            except Exception as error:
                self._log(error, "The channels' database could not be tidied.")
            await asyncio.sleep(TIDY_EVERY_S)

    # --- for the website --------------------------------------------------------------------------------------------

    async def history(
        self, channel: str, sender: str, before: int | None = None, limit: int = 50
    ) -> list[Message]:
        """Return the last messages of a conversation before id `before`, newest last."""
        return await self.read(self._store.conversations.history, channel, sender, before, limit)

    async def since(self, channel: str, sender: str, after_id: int) -> list[Message]:
        """Return the messages after an id, oldest first."""
        await self._give_way()
        return await self.read(self._store.conversations.since, channel, sender, after_id)

    async def state(self, channel: str, sender: str) -> dict[str, Any]:
        """Return the author of replies in a conversation: `with_advisor` is None, "waiting" or "taken"."""
        found = await self.read(self._store.hand_overs.open_of, channel, sender)
        if found is None:
            return {"with_advisor": None, "by": "", "quiet": False}
        return {"with_advisor": found["status"], "by": found["taken_by"], "quiet": found["quiet"]}

    def changes(self, channel: str, sender: str) -> Subscription:
        """Subscribe to the changes of a conversation."""
        return self._changes.subscribe(channel, sender)

    async def state_changed(self, channel: str, sender: str) -> None:
        """Publish that another author now replies in the conversation."""
        await self.tell(channel, sender, {"kind": "state"})

    async def erase(self, channel: str, sender: str) -> None:
        """Erase the channels' data of a student."""
        await self.run(self._store.deletion.erase, channel, sender)
        await self.tell(channel, sender, {"kind": "erased"})

    async def tell(self, channel: str, sender: str, change: Mapping[str, Any]) -> None:
        """Publish a change of a conversation (see `channels.delivery.changes`)."""
        await self._changes.publish(channel, sender, change)


def fault_of(error: Exception, place: str) -> DatabaseFault:
    """Return the fault of the database at `place` behind an error."""
    if isinstance(error, TimeoutError):
        return explain("locked, or too slow", place)
    # Neither the statement nor its values, which are the student's words.
    return explain(str(getattr(error, "orig", None) or type(error).__name__), place)
