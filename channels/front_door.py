"""The parts of the front door and their life: Rasa's client, the delivery, the channels."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Mapping

from starlette.routing import BaseRoute

from channels.advisors import AdvisorsChannel
from channels.channel import Channel
from channels.connections import Capacity, Connections, open_files
from channels.delivery.advisor_service import AdvisorService
from channels.delivery.changes import changes_of
from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.store import Store
from channels.delivery.turn_handler import TurnHandler
from channels.health import Health
from channels.messenger.channel import MessengerChannel
from channels.proxies import TrustedProxies
from channels.rasa_client import RasaClient
from channels.telegram.channel import TelegramChannel
from channels.web.channel import WebChannel
from channels.zalo.channel import ZaloChannel
from rag.settings import Settings

logger = logging.getLogger(__name__)

CHANNELS: Mapping[str, Callable[[DeliveryWorker, RasaClient], Channel]] = {
    "web": WebChannel,
    "telegram": TelegramChannel,
    "messenger": MessengerChannel,
    "zalo": ZaloChannel,
    "advisors": AdvisorsChannel,
}
"""The channels by the name in their address, /webhooks/NAME."""


class FrontDoor:
    """All channels over one delivery.

    Raises SettingsError for an unusable setting, sqlalchemy.exc.SQLAlchemyError for an unusable database.
    """

    def __init__(self, settings: Settings, rasa: RasaClient | None = None) -> None:
        """`rasa` replaces the client of the settings' Rasa processes."""
        self.settings = settings
        self.rasa = rasa or RasaClient.of(settings)
        self.delivery = DeliveryWorker(settings, Store(settings.channels_database), changes_of(settings))
        self.connections = Connections(
            Capacity.of_files(open_files()),
            TrustedProxies(settings.proxy_networks),
            self.delivery.refusals,
        )
        turn_handler = TurnHandler(self.rasa, self.delivery)
        self.delivery.answering = turn_handler
        self.delivery.advisor_service = AdvisorService(self.delivery, turn_handler)
        self.health = Health(settings, self.rasa, self.delivery, self.connections)
        self.channels = {name: make(self.delivery, self.rasa) for name, make in CHANNELS.items()}

    def routes(self) -> list[BaseRoute]:
        """Return the routes of all channels."""
        return [route for channel in self.channels.values() for route in channel.routes()]

    def stop(self) -> None:
        """End streams that are open."""
        for channel in self.channels.values():
            channel.stop()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the channels while entered."""
        await self.rasa.start()
        watching = asyncio.create_task(self.health.watch())
        opened: list[Channel] = []
        try:
            for channel in self.channels.values():
                opened.append(channel)
                await channel.open()
            yield
        finally:
            watching.cancel()
            self.stop()
            for channel in reversed(opened):
                try:
                    await channel.close()
                except Exception:  # the others must be closed, too
                    logger.exception("A channel did not end well.")
            await self.rasa.close()
