"""The database of the channels, by what it holds. Each method of a part is one transaction; `DeliveryWorker` calls them
in a thread.

A transaction stores a delivery with its mark in `channel_seen`, or the end of a turn with its replies. When a process
dies between two methods, another process continues from the stored state.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from channels.delivery.conversation_store import ConversationStore
from channels.delivery.database import Database
from channels.delivery.deletion_store import DeletionStore
from channels.delivery.erased_messages import ErasedMessages
from channels.delivery.hand_over_store import HandOverStore
from channels.delivery.incoming_store import IncomingStore
from channels.delivery.note_store import NoteStore
from channels.delivery.reply_store import ReplyStore
from channels.delivery.token_store import TokenStore
from channels.delivery.work_queue import WorkQueue


class Store:
    """The parts over one database."""

    def __init__(self, url: str, clock: Callable[[], float] = time.time) -> None:
        """Raises sqlalchemy.exc.SQLAlchemyError when the database cannot be used."""
        erased = ErasedMessages()
        self.database = Database(url, clock)
        self.incoming = IncomingStore(self.database, erased)
        self.work = WorkQueue(self.database)
        self.replies = ReplyStore(self.database)
        self.conversations = ConversationStore(self.database)
        self.hand_overs = HandOverStore(self.database)
        self.notes = NoteStore(self.database)
        self.tokens = TokenStore(self.database)
        self.deletion = DeletionStore(self.database, erased)

    def close(self) -> None:
        """Close the connections."""
        self.deletion.close()
        self.database.close()
