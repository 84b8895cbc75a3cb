"""The fixtures of this folder's tests."""

from postgres_fixture import postgres

__all__ = ["postgres"]
