"""Engines over drafts, which testers and checks ask before anything of them is live."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Set
from pathlib import Path

from console.checked_folder import CheckedFolder
from console.draft_builds import BuildState, DraftBuildError, DraftBuilds
from console.live_index import LiveIndex
from console.replaced_file import has_contents, hashes_of
from console.uses import Gone
from console.whole_build import WholeBuild
from rag.engine import Engine
from rag.index.format import Index

MOST_DRAFTED = 4
"""Engines over drafts that are kept: each has the vectors of the FAQ once more."""


class DraftEngines:
    """Makes engines over drafts of entries, facts and calculators at once, and over others once they are built."""

    def __init__(
        self,
        knowledge: Path,
        live: LiveIndex,
        folder: CheckedFolder,
        builds: DraftBuilds,
        whole_build: WholeBuild,
    ) -> None:
        self.builds = builds
        self.keeping = threading.RLock()
        """Held while a build begins, until what waits for it is kept, and while the others are deleted."""
        self._knowledge = knowledge
        self._live = live
        self._folder = folder
        self._whole_build = whole_build
        self._drafting = threading.Lock()
        self._drafted: dict[tuple[str, str], Engine] = {}

    def edited(self, key: str, make: Callable[[], tuple[Mapping[str, bytes | None], Set[str]]]) -> Engine:
        """Return the engine over what is live with the files that `make` returns; nothing of it is written.

        `make` returns the ids of the calculators to try out, too. By its `key`, the engine is made once for each
        version of the index. Raises KnowledgeError, IndexUnusableError, KnowledgeFileError, and what `make` raises.
        """
        index = self._live.index()
        place = key, index.manifest.version
        with self._drafting:
            engine = self._drafted.get(place)
            if engine is None:
                contents, calculators = make()
                curated = self._folder.curated(contents, calculators, index)
                engine = self._keep_drafted(place, self._live.with_curated(index, curated))
        return engine

    def begin(
        self,
        key: str,
        contents: Mapping[str, bytes | None],
        *,
        tries: bool = False,
        gone: Gone | None = None,
    ) -> None:
        """Check the folder with other contents of some files, and begin the build that is asked before it is live.

        `tries`: the calculators are tried out. `gone` as in `CheckedFolder.whole_without`. Raises KnowledgeError,
        InUseError, DraftBuildError.
        """
        is_gone = [gone] if gone is not None else ()
        self._folder.whole_without(is_gone, contents, None if tries else frozenset())
        self.begin_checked(key, contents)

    def begin_checked(self, key: str, contents: Mapping[str, bytes | None]) -> None:
        """Begin the build of the folder with other contents of some files, already checked. Raises DraftBuildError."""
        self.builds.begin(key, contents, lambda folder: self._folder.stage(folder, contents))

    def keep_only(self, keys: Set[str]) -> None:
        """Delete the builds of all other drafts than these."""
        gone = self.builds.keep_only(keys)
        with self._drafting:
            self._drafted = {place: engine for place, engine in self._drafted.items() if place[0] not in gone}

    def is_published(self, key: str) -> bool:
        """Return whether the folder has the files of a draft that was built: it was published."""
        return self.builds.is_in(key, self._knowledge)

    def built(self, key: str, make: Callable[[], Mapping[str, bytes | None]]) -> Engine:
        """Return the engine over the build of a draft, with the FAQ, facts and calculators as they are by now.

        `make` returns the files that the draft changes, over the folder as it is by now. When the folder has them so,
        the draft was published, and what is live answers. Raises DraftBuildError until the build has ended well;
        KnowledgeError, IndexUnusableError, KnowledgeFileError, and what `make` raises.
        """
        index = self._live.index()
        place = key, index.manifest.version
        with self._drafting:
            engine = self._drafted.get(place)
            if engine is not None:
                return engine
            contents = make()
            if has_contents(self._knowledge, hashes_of(contents)) and not self._whole_build.is_bringing:
                return self._live.engine()
            state = self.builds.state(key)
            if state is BuildState.NONE:
                self.begin(key, contents)
            if state is BuildState.FAILED:
                raise DraftBuildError("draft_failed", "the school with this draft could not be read")
            if state is not BuildState.READY:
                raise DraftBuildError("draft_building", "Covan still reads the school with this draft")
            built = self._live.opened(self.builds.index_of(key))
            return self._keep_drafted(
                place, self._live.with_curated(built, self._folder.curated(contents, frozenset(), built))
            )

    def _keep_drafted(self, place: tuple[str, str], index: Index) -> Engine:
        engine = self._live.engine_over(index)
        kept = list(self._drafted.items())[1 - MOST_DRAFTED :]
        self._drafted = dict([*kept, (place, engine)])
        return engine
