"""What the tests of this folder share."""

from postgres_fixture import postgres

__all__ = ["postgres"]
