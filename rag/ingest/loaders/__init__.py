"""One loader a kind of file, registered by name (`rag.registry`); `loader_for` picks it by the suffix."""

from __future__ import annotations

from rag.ingest.loaders.loader import Loader, Loading, RawDocument
from rag.registry import names, registered

__all__ = ["Loader", "Loading", "RawDocument", "all_loaders", "loader_for"]


def all_loaders() -> tuple[Loader, ...]:
    """Return a loader of every registered kind, Covan's own first. Raises SettingsError."""
    return tuple(registered("loaders", name)() for name in names("loaders"))


def loader_for(suffix: str) -> Loader | None:
    """Return the loader of files whose name ends in `suffix` (".pdf", in any case); None when there is none."""
    return next((loader for loader in all_loaders() if suffix.lower() in loader.suffixes), None)
