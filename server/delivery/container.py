"""Build the delivery worker of a Rasa process with its collaborators, once for all channels."""

from __future__ import annotations

import logging

from sanic import Sanic

from server.bot import Bot
from server.delivery.advisor_service import AdvisorService
from server.delivery.changes import changes_of
from server.delivery.delivery_worker import DeliveryWorker
from server.delivery.store import Store
from server.delivery.turn_handler import TurnHandler
from server.settings import ChannelSettings


def delivery(app: Sanic) -> DeliveryWorker:
    """Return the application's delivery worker; build it on the first call.

    Raises:
        server.settings.SettingsError: when a variable of the environment cannot be used.
        sqlalchemy.exc.SQLAlchemyError: when the database cannot.
    """
    found: DeliveryWorker = getattr(app.ctx, "delivery", None) or _made(app)
    return found


def _made(app: Sanic) -> DeliveryWorker:
    # httpx and its users log the address of every request, and Telegram has its token there.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    settings = ChannelSettings.from_environment()
    made = DeliveryWorker(settings, Store(settings.database), changes_of(settings))
    turn_handler = TurnHandler(Bot(app), made)
    made.answering = turn_handler
    made.advisor_service = AdvisorService(made, turn_handler)
    app.ctx.delivery = made
    return made
