"""Where the students' messages come from, for a fair share of Rasa: an address on the website, else the student.

Anybody gets as many sessions of the website as they like, so that one address is one origin, or rather a few: a whole
campus may share it. A student of a platform is an origin: platforms make accounts costly. Kept in memory, as no address
of a student is to be stored; after a restart each session is an origin until it writes again.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict

SHARES_OF_AN_ADDRESS = 16
"""Origins that the sessions of one address are spread over."""

REMEMBERED = 50_000


class Origins:
    """The origin of each sender that has written lately."""

    def __init__(self) -> None:
        self._addresses: OrderedDict[tuple[str, str], str] = OrderedDict()

    def note(self, channel: str, sender: str, address: str) -> None:
        """Note the address that a sender writes from."""
        self._addresses[channel, sender] = address
        self._addresses.move_to_end((channel, sender))
        if len(self._addresses) > REMEMBERED:
            self._addresses.popitem(last=False)

    def of(self, channel: str, sender: str) -> str:
        """Return the origin of a sender."""
        address = self._addresses.get((channel, sender))
        if address is None:
            return sender
        return f"{address} {zlib.crc32(sender.encode()) % SHARES_OF_AN_ADDRESS}"
