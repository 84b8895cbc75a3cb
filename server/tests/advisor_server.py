"""The advisors' API and the website's with the real service and database, and a stand-in for the platform.

    server/.venv/bin/python server/tests/advisor_server.py PORT

Reads its settings from the environment, as Rasa does. Used by the tests of commands, since it starts faster than Rasa.
Replies are the names of responses. The routes below `/test/` act for the student and the platform.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from answerers import Answerer
from rasa.server import configure_cors
from sanic import Sanic, response

from server.channels.advisors import AdvisorsChannel
from server.channels.web import WebChannel
from server.delivery.advisor_service import AdvisorService
from server.delivery.changes import InProcess
from server.delivery.delivery_worker import DeliveryWorker
from server.delivery.draft import Draft
from server.delivery.incoming import Incoming, TextInput
from server.delivery.message import NOTICE
from server.delivery.platform import OutsideWindowError, RefusedError
from server.delivery.store import Store
from server.settings import ChannelSettings


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


class Rasa(Answerer):
    """Answers no turn; notices are the names of their responses."""

    def is_ready(self):
        return True

    async def notice(self, name, channel, sender, /, **values):
        return [Draft(" ".join((name, *values.values())), NOTICE)]

    async def language(self, channel, sender):
        return "vi"


def main(port):
    settings = ChannelSettings.from_environment()
    rasa, platform = Rasa(), Platform()
    delivery = DeliveryWorker(settings, Store(settings.database), InProcess())
    delivery.answering = rasa
    delivery.advisor_service = AdvisorService(delivery, rasa)
    app = Sanic("advisor_server")
    app.ctx.delivery = delivery
    app.ctx.agent = rasa
    configure_cors(app, None)
    for channel in (AdvisorsChannel(), WebChannel()):
        app.blueprint(channel.blueprint(None), url_prefix=f"/webhooks/{channel.name()}")

    @app.listener("after_server_start")
    async def begin(app, loop):
        await delivery.open(platform)

    @app.listener("before_server_stop")
    async def end(app, loop):
        await delivery.close(platform.name)

    @app.get("/test/sent")
    async def sent(request):
        return response.json(platform.sent)

    @app.post("/test/hand_over")
    async def hand_over(request):
        """A student who asks for a person; `refused` or `held` is why nothing will be delivered."""
        told = request.json
        sender, question = told["sender"], told["question"]
        for trouble in ("refused", "held"):
            if trouble in told:
                getattr(platform, trouble)[sender] = told[trouble]
        await delivery.accept("telegram", [Incoming(f"asked by {sender}", sender, TextInput(question), {})])
        about = {"topic": told.get("topic", ""), "office": told.get("office", ""), "question": question}
        number = await delivery.run(
            delivery.store.open_hand_over, "telegram", sender, about, True, told.get("expected_at")
        )
        return response.json({"id": number})

    @app.post("/test/deliverable")
    async def deliverable(request):
        """Remove every obstacle to a student's messages."""
        for trouble in (platform.refused, platform.held):
            trouble.pop(request.json["sender"], None)
        return response.json({})

    app.run("127.0.0.1", port, access_log=False, motd=False)


if __name__ == "__main__":
    main(int(sys.argv[1]))
