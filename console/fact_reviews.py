"""Offices in charge of facts, and the days of the last reviews: `facts/NAME.meta.yml` beside `facts/NAME.yml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from console.knowledge_files import (
    ConflictError,
    Edit,
    YamlFiles,
    broken,
    content_hash,
    read_text,
    text_and_hash,
)
from console.reviews import Review, review_of
from console.yaml_places import read, with_item, with_values, without_item
from console.yaml_text import YamlTextError
from rag.ingest.documents import META_SUFFIXES
from rag.ingest.facts import is_about_facts
from rag.ingest.marked_yaml import Location

FOLDER = "facts"


@dataclass(frozen=True, slots=True)
class Told:
    """The review that a file tells of a fact, or of all facts of a group, by its full name."""

    name: str
    review: Review
    file: str
    location: Location


class FactReviews:
    """The reviews of the facts of the knowledge folder `knowledge`."""

    def __init__(self, knowledge: Path) -> None:
        self._knowledge = knowledge
        self._yaml = YamlFiles(knowledge, FOLDER, _told_in)

    def told(self) -> Mapping[str, Told]:
        """Return it by the names that it is told of. Raises KnowledgeFileError."""
        return {each.name: each for each in self._yaml.parts()}

    def changed(self, name: str, file: str, seen: Review, new: Review) -> Edit:
        """Return the edit that tells something else about a fact or a group, which was seen with `seen`.

        `file` is the one with the facts: a new file goes beside it. Raises ConflictError, KnowledgeFileError,
        YamlTextError.
        """
        told = self.told().get(name)
        before = told.review if told is not None else Review()
        if before != seen:
            raise ConflictError(name, " · ".join(filter(None, (before.owner, before.reviewed_at))))
        fields = {"owner": new.owner, "reviewed_at": new.reviewed_at}
        beside = told.file if told is not None else self._beside(file)
        text, made_from = text_and_hash(self._knowledge / beside)
        if told is None:
            return Edit(beside, with_item(text, (), {"name": name, **fields}), made_from)
        if new == Review():
            return self._without(beside, [told])
        return Edit(beside, with_values(text, told.location, fields), made_from)

    def without(self, names: Set[str]) -> Sequence[Edit]:
        """Return the edits, one a file, that tell nothing about facts and groups that go.

        Raises KnowledgeFileError, YamlTextError.
        """
        gone: dict[str, list[Told]] = {}
        for each in self.told().values():
            if each.name in names:
                gone.setdefault(each.file, []).append(each)
        return [self._without(file, told) for file, told in gone.items()]

    def _without(self, file: str, gone: Sequence[Told]) -> Edit:
        before = after = read_text(self._knowledge / file)
        for each in reversed(gone):
            after = without_item(after, each.location)
        return Edit(file, after if read(after) or "#" in after else None, content_hash(before))

    def _beside(self, file: str) -> str:
        path = PurePosixPath(file)
        names = (path.with_name(f"{path.stem}{suffix}").as_posix() for suffix in META_SUFFIXES)
        known = [name for name in names if (self._knowledge / name).exists()]
        return known[0] if known else path.with_name(f"{path.stem}{META_SUFFIXES[0]}").as_posix()


def groups_of(name: str) -> Sequence[str]:
    """Return the full name of a fact and those of the groups that it is in, the smallest first."""
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(len(parts), 1, -1)]


def review_by(told: Mapping[str, Told], name: str) -> Review:
    """Return the review of a fact: its nearest office, and the latest day on which it or a group of it was reviewed."""
    found = [told[each].review for each in groups_of(name) if each in told]
    owner = next((each.owner for each in found if each.owner), "")
    return Review(owner, max((each.reviewed_at for each in found), default=""))


def _told_in(file: str, content: str) -> Iterator[Told]:
    """Yield what a file tells; a file with facts tells nothing. Raises KnowledgeFileError."""
    if not is_about_facts(file):
        return
    try:
        data = read(content)
    except YamlTextError as error:
        raise broken(file, content, error) from error
    for row, item in enumerate(data if isinstance(data, list) else ()):
        if isinstance(item, dict) and item.get("name"):
            yield Told(str(item["name"]), review_of(item), file, (row,))
