"""The advisors' API and the website's with the real service and database, and a stand-in for the platform.

    .venv/bin/python tests/stand_ins/advisor_server.py PORT

Reads its settings from the environment, as `covan channels` does. Used by the tests of commands.
Replies are the names of responses. The routes below `/test/` act for the student and the platform.
"""

import contextlib
import sqlite3
import sys

import uvicorn
from answerers import Answerer
from front_door_server import ReadyRasa
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from channels.delivery.advisor_service import AdvisorService
from channels.delivery.draft import Draft
from channels.delivery.incoming import Incoming, TextInput
from channels.delivery.message import NOTICE
from channels.delivery.platform import OutsideWindowError, RefusedError, ReplyWindow
from channels.front_door import FrontDoor
from rag.settings import settings

DAY_S = 24 * 3600.0


class Platform:
    """Takes down what it is sent. What it is sent for a student of `refused` or `held` is not delivered."""

    options_last = False

    def __init__(self, name, reply_window=None):
        self.name = name
        self.reply_window = reply_window
        self.sent = []
        self.refused = {}
        self.held = {}

    def render(self, message, address):
        return [{"text": message.text}]

    def preview(self, message):
        return [message.text]

    async def send(self, outgoing):
        if outgoing.sender in self.refused:
            raise RefusedError(self.refused[outgoing.sender])
        if outgoing.sender in self.held:
            raise OutsideWindowError(self.held[outgoing.sender])
        self.sent.append({"sender": outgoing.sender, "text": outgoing.call["text"]})

    async def typing(self, sender, address):
        """Nobody looks."""


class Responses(Answerer):
    """Answers no turn; notices are the names of their responses."""

    async def notice(self, name, channel, sender, /, **values):
        return [Draft(" ".join((name, *values.values())), NOTICE)]

    async def language(self, channel, sender):
        return "vi"


def main(port):
    door, platform, responses = FrontDoor(settings(), ReadyRasa()), Platform("telegram"), Responses()
    limited = Platform("zalo", ReplyWindow(7 * DAY_S, 2 * DAY_S))
    delivery = door.delivery
    delivery.answering = responses
    delivery.advisor_service = AdvisorService(delivery, responses)

    @contextlib.asynccontextmanager
    async def lifespan(app):
        async with door.running():
            for each in (platform, limited):
                await delivery.open(each)
            try:
                yield
            finally:
                for each in (platform, limited):
                    await delivery.close(each.name)

    async def sent(request):
        return JSONResponse(platform.sent)

    async def hand_over(request):
        """A student who asks for a person; `refused` or `held` is why nothing will be delivered.

        On Zalo, the student may have written `silent_s` ago.
        """
        told = await request.json()
        sender, question, channel = told["sender"], told["question"], told.get("channel", "telegram")
        for trouble in ("refused", "held"):
            if trouble in told:
                getattr(platform, trouble)[sender] = told[trouble]
        await delivery.accept(channel, [Incoming(f"asked by {sender}", sender, TextInput(question), {})])
        about = {"topic": told.get("topic", ""), "office": told.get("office", ""), "question": question}
        number = await delivery.run(
            delivery.store.hand_overs.open, channel, sender, about, True, told.get("expected_at")
        )
        with contextlib.closing(sqlite3.connect(settings().channels_db.removeprefix("sqlite:///"))) as db, db:
            ago = (told.get("silent_s", 0.0), channel, sender)
            db.execute(
                "UPDATE channel_senders SET heard_at = heard_at - ? WHERE channel = ? AND sender = ?", ago
            )
        return JSONResponse({"id": number})

    async def deliverable(request):
        """Remove every obstacle to a student's messages."""
        sender = (await request.json())["sender"]
        for trouble in (platform.refused, platform.held):
            trouble.pop(sender, None)
        return JSONResponse({})

    app = Starlette(
        routes=[
            *door.routes(),
            Route("/test/sent", sent),
            Route("/test/hand_over", hand_over, methods=["POST"]),
            Route("/test/deliverable", deliverable, methods=["POST"]),
        ],
        lifespan=lifespan,
    )
    uvicorn.run(app, host="127.0.0.1", port=port, access_log=False, proxy_headers=False)


if __name__ == "__main__":
    main(int(sys.argv[1]))
