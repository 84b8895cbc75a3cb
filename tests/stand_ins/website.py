"""The front door with the website's channel, on a free port of the loopback, and a page that uses it."""

import asyncio
import contextlib
import json
import secrets
from dataclasses import dataclass

import httpx
from answerers import Answerer
from front_door_server import NO_RASA, open_front_door

from channels.delivery.draft import Draft
from channels.delivery.incoming import ButtonPress, MenuCommand, TextInput
from channels.front_door import FrontDoor
from rag.settings import Settings

SECRET = "a secret of 32 letters and digits"
DEADLINE_S = 30


class Echo(Answerer):
    """Says back what it hears, in place of Rasa; `gate` makes it slow."""

    def __init__(self):
        self.heard = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def answer(self, channel, sender, turn, typing):
        typing()
        self.heard.append(turn.content)
        await self.gate.wait()
        if isinstance(turn.content, TextInput):
            return [Draft(f"re: {turn.content.text}", buttons=(("Một", "/inform"),), answer_id="a-1")]
        return (
            [Draft(f"re: {turn.content.kind}")]
            if isinstance(turn.content, (MenuCommand, ButtonPress))
            else []
        )


class Server:
    """One front door, with the settings of the environment."""

    def __init__(self):
        self.door = FrontDoor(Settings(rasa_urls=NO_RASA))
        self.echo = Echo()
        self.door.delivery.answering = self.echo
        self.channel = self.door.channels["web"]
        self.url = ""

    async def start(self):
        self._serving = open_front_door(self.door)
        self.url = await self._serving.__aenter__()

    @property
    def delivery(self):
        return self.door.delivery

    async def stop(self):
        await self._serving.__aexit__(None, None, None)


@dataclass(frozen=True)
class Event:
    kind: str
    data: dict
    id: int


class Events:
    """A stream of events that is being read."""

    def __init__(self, answer):
        self.answer = answer
        self.comments = 0
        self._events = self._read()

    async def next(self, *kinds):
        """The next event, or the next of these kinds."""
        while True:
            event = await asyncio.wait_for(self._events.__anext__(), DEADLINE_S)
            if not kinds or event.kind in kinds:
                return event

    async def texts(self, count):
        """The texts of so many messages."""
        return [(await self.next("message")).data["text"] for _ in range(count)]

    async def until_end(self):
        async for _ in self._events:
            pass

    async def _read(self):
        fields = {}
        async for line in self.answer.aiter_lines():
            if line.startswith(":"):
                self.comments += 1
            elif line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif fields:
                yield Event(fields["event"], json.loads(fields["data"]), int(fields.get("id", 0)))
                fields = {}


class Page:
    """A browser's side: a token, requests, a stream."""

    def __init__(self, client, token=""):
        self.client = client
        self.token = token

    @classmethod
    async def opened(cls, client):
        answer = await client.post("session")
        assert answer.status_code == 201, answer.text
        return cls(client, answer.json()["token"])

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def get(self, path, **more):
        return await self.client.get(path, headers={**self.headers, **more.pop("headers", {})}, **more)

    async def post(self, path, body, **more):
        return await self.client.post(
            path, json=body, headers={**self.headers, **more.pop("headers", {})}, **more
        )

    async def say(self, text, number=None):
        answer = await self.post("messages", {"id": number or secrets.token_hex(8), "text": text})
        assert answer.status_code == 202, answer.text

    async def history(self, **args):
        answer = await self.get("messages", params=args)
        assert answer.status_code == 200, answer.text
        return answer.json()["messages"]

    @contextlib.asynccontextmanager
    async def events(self, after=None, **headers):
        params = {} if after is None else {"after": after}
        async with self.client.stream(
            "GET", "events", params=params, headers={**self.headers, **headers}, timeout=None
        ) as answer:
            assert answer.status_code == 200, await answer.aread()
            yield Events(answer)


async def until(condition):
    async def poll():
        while not condition():
            await asyncio.sleep(0.01)

    await asyncio.wait_for(poll(), DEADLINE_S)


@contextlib.asynccontextmanager
async def website(count=1):
    """So many front doors of one school, and a client of each; the environment says which database and secret."""
    servers = [Server() for _ in range(count)]
    clients = []
    for server in servers:
        await server.start()
        clients.append(
            httpx.AsyncClient(base_url=f"{server.url}/webhooks/web/", trust_env=False, timeout=DEADLINE_S)
        )
    try:
        yield servers, clients
    finally:
        for client in clients:
            await client.aclose()
        for server in servers:
            await server.stop()
