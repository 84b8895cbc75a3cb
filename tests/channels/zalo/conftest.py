"""What the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from zalo_api import ZaloApi


@pytest.fixture
def zalo() -> Iterator[ZaloApi]:
    api = ZaloApi()
    api.start()
    yield api
    api.stop()
