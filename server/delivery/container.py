"""The one `Delivery` of a Rasa process, for whichever channel asks first."""

from __future__ import annotations

import logging

from sanic import Sanic

from server.bot import Bot
from server.delivery.advisor_service import Desk
from server.delivery.changes import changes_of
from server.delivery.delivery_worker import Delivery
from server.delivery.store import Store
from server.delivery.turn_handler import Replying
from server.settings import ChannelSettings


def delivery(app: Sanic) -> Delivery:
    """The application's.

    Raises:
        server.settings.SettingsError: when a variable of the environment cannot be used.
        sqlalchemy.exc.SQLAlchemyError: when the database cannot.
    """
    found: Delivery = getattr(app.ctx, "delivery", None) or _made(app)
    return found


def _made(app: Sanic) -> Delivery:
    # httpx and its users log the address of every request, and Telegram has its token there.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    settings = ChannelSettings.from_environment()
    made = Delivery(settings, Store(settings.database), changes_of(settings))
    replying = Replying(Bot(app), made)
    made.answering = replying
    made.desk = Desk(made, replying)
    app.ctx.delivery = made
    return made
