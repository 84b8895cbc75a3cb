"""The advisors' API and the website's with the real service and database, and a stand-in for the platform.

    .venv/bin/python tests/stand_ins/advisor_server.py PORT

Reads its settings from the environment, as `covan channels` does. Used by the tests of commands.
Replies are the names of responses. The routes below `/test/` act for the student and the platform.
"""

import contextlib
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
from channels.delivery.platform import OutsideWindowError, RefusedError
from channels.front_door import FrontDoor
from rag.settings import settings


class Platform:
    """Takes down what it is sent. What it is sent for a student of `refused` or `held` is not delivered."""

    name = "telegram"
    options_last = False

    def __init__(self):
        self.sent = []
        self.refused = {}
        self.held = {}

    def render(self, message, address):
        return [{"text": message.text}]

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
    door, platform, responses = FrontDoor(settings(), ReadyRasa()), Platform(), Responses()
    delivery = door.delivery
    delivery.answering = responses
    delivery.advisor_service = AdvisorService(delivery, responses)

    @contextlib.asynccontextmanager
    async def lifespan(app):
        async with door.running():
            await delivery.open(platform)
            try:
                yield
            finally:
                await delivery.close(platform.name)

    async def sent(request):
        return JSONResponse(platform.sent)

    async def hand_over(request):
        """A student who asks for a person; `refused` or `held` is why nothing will be delivered."""
        told = await request.json()
        sender, question = told["sender"], told["question"]
        for trouble in ("refused", "held"):
            if trouble in told:
                getattr(platform, trouble)[sender] = told[trouble]
        await delivery.accept("telegram", [Incoming(f"asked by {sender}", sender, TextInput(question), {})])
        about = {"topic": told.get("topic", ""), "office": told.get("office", ""), "question": question}
        number = await delivery.run(
            delivery.store.open_hand_over, "telegram", sender, about, True, told.get("expected_at")
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
