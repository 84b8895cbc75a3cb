"""A front door in a thread of its own that says back what students write, with a real database and no Rasa."""

import asyncio
import contextlib
import sqlite3
import threading
import time

from answerers import Answerer
from front_door_server import NO_RASA, open_front_door
from wire import until_within

from channels.delivery.draft import Draft
from channels.delivery.incoming import TextInput
from channels.front_door import FrontDoor
from rag.settings import Settings

DEADLINE_S = 30.0


class Echo(Answerer):
    """Says back what it hears, in place of Rasa; while `gate` is closed, it is still thinking."""

    def __init__(self):
        self.gate = threading.Event()
        self.gate.set()

    async def answer(self, channel, sender, turn, typing):
        typing()
        await asyncio.get_running_loop().run_in_executor(None, self.gate.wait, DEADLINE_S)
        content = turn.content
        chosen = "/".join(value for value in content.__dict__.values() if isinstance(value, str))
        told = content.text if isinstance(content, TextInput) else f"[{chosen}]"
        return [
            Draft(f"re: {told}", buttons=(("Một", "/inform"), ("Hai", "/inform")) if told == "chọn" else ())
        ]


class EchoSchool:
    """One process with the channel of this name; `settings` are those of the channel."""

    def __init__(self, channel, database, **settings):
        self.channel = channel
        self.database = database
        self.echo = Echo()
        self.settings = Settings(channels_db=f"sqlite:///{database}", rasa_urls=NO_RASA, **settings)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)

    def start(self):
        self.thread.start()
        self.do(self._start())

    def stop(self):
        self.echo.gate.set()
        self.do(self._stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(DEADLINE_S)
        self.loop.close()

    def do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(DEADLINE_S)

    async def _start(self):
        self.door = FrontDoor(self.settings)
        self.delivery = self.door.delivery
        self.delivery.answering = self.echo
        self._serving = open_front_door(self.door)
        self.url = await self._serving.__aenter__()
        self.webhook = f"{self.url}/webhooks/{self.channel}/webhook"

    async def _stop(self):
        await self._serving.__aexit__(None, None, None)

    def say(self, student, *drafts):
        return self.do(self.delivery.say(self.channel, student, drafts))

    def let_pass(self, seconds):
        """Move the time of every student's last message into the past."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=DEADLINE_S)) as db, db:
            db.execute("UPDATE channel_senders SET heard_at = heard_at - ?", (seconds,))

    def undelivered(self, count):
        """Wait for `count` undelivered calls and return them."""
        deadline = time.monotonic() + DEADLINE_S
        while True:
            found = self.do(self.delivery.run(self.delivery.store.replies.undelivered))
            if len(found) >= count:
                return found
            assert time.monotonic() < deadline, found
            time.sleep(0.02)

    def finish(self):
        """Wait until everything stored so far has been tried."""
        self.do(until_within(DEADLINE_S, lambda: not self.delivery._tasks))
