"""Rasa's internal channel without Rasa behind it, in Rasa's environment:

COVAN_INTERNAL_TOKEN=... server/.venv/bin/python tests/stand_ins/internal_channel_server.py PORT

Every request with the token is carried out; a turn's reply is the text as Rasa would get it.
"""

import sys
from typing import Any

from sanic import Sanic

from server import internal_channel
from server.bot import TypedText


class Repeating:
    """Takes the place of `server.bot.Bot`."""

    ready = True
    carried = frozenset({"cohort", "faq", "passage", "topic", "choice"})

    def __init__(self, app: Sanic) -> None:
        """`app` holds no agent."""

    async def handle_text(
        self, sender: str, channel: str, text: str, turn_id: str | None = None
    ) -> list[dict[str, Any]]:
        return [{"recipient_id": sender, "text": TypedText.of(text).text}]

    async def handle_payload(
        self, sender: str, channel: str, payload: str, turn_id: str | None = None
    ) -> list[dict[str, Any]]:
        return [{"recipient_id": sender, "text": payload}]

    async def response(self, name: str, sender: str, channel: str, /, **values: str) -> list[dict[str, Any]]:
        return [{"recipient_id": sender, "text": " ".join((name, *values.values()))}]

    async def language(self, sender: str) -> str:
        return "vi"

    async def intent(self, text: str) -> str:
        return TypedText.of(text).text

    async def forget(self, sender: str) -> None:
        """Nothing is kept."""


if __name__ == "__main__":
    internal_channel.Bot = Repeating
    app = Sanic("internal_channel_server")
    channel = internal_channel.InternalChannel.from_credentials(None)
    app.blueprint(channel.blueprint(None), url_prefix="/webhooks/internal")
    app.run(host="127.0.0.1", port=int(sys.argv[1]), access_log=False)
