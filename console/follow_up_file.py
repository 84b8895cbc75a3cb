"""The follow-ups that advisors keep (`follow_ups/console.yml`), edited so that the other ones stay as they are."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from console.faq_files import FOLLOW_UPS_FILE, EntryText, entries_in, names_in
from console.knowledge_files import Edit, text_and_hash
from console.yaml_text import flow, plain
from rag.errors import KnowledgeError, Problem
from rag.ingest.entries import did_you_mean
from rag.messages import Message


@dataclass(frozen=True, slots=True)
class SaidAfter:
    """The words `said` of a student who had read the answer of the FAQ entry `after`."""

    after: str
    said: str


class FollowUpFile:
    """The follow-ups of the knowledge folder `knowledge` that advisors keep in the console."""

    def __init__(self, knowledge: Path) -> None:
        self._path = knowledge / FOLLOW_UPS_FILE

    def answered(self, words: SaidAfter, entry_id: str, entry_ids: Set[str]) -> Edit | None:
        """Return the edit after which an entry answers `words`; None for no change.

        The same words after the same answer, capital letters apart, stand in the file once: they get the new entry.
        `entry_ids` are those of the FAQ. Raises KnowledgeError when `words.after` is none of them, KnowledgeFileError.
        """
        if words.after not in entry_ids:
            hint = did_you_mean(words.after, entry_ids)
            unknown = Message("unknown_id", kind="faq", value=words.after, hint=hint)
            raise KnowledgeError([Problem(FOLLOW_UPS_FILE, unknown)])
        content, made_from = text_and_hash(self._path)
        same = [each for each in entries_in(FOLLOW_UPS_FILE, content) if _has(each, words)]
        if same and all(names_in(each, "entries") == [entry_id] for each in same):
            return None
        new, lines = _lines(words.after, [words.said], [entry_id]), content.rstrip("\n").split("\n")
        # From the end on: the lines before a record stay where they are. The first one gets the new entry.
        for each in reversed(same):
            others = [said for said in names_in(each, "said") if not _is_same(said, words.said)]
            kept = _lines(words.after, others, names_in(each, "entries")) if others else []
            made = [*kept, *new] if each is same[0] else kept
            lines[each.start : each.start + len(each.lines)] = made
        if not same:
            lines = [*lines, *new] if content.strip() else new
        return Edit(FOLLOW_UPS_FILE, "".join(f"{line}\n" for line in lines), made_from)


def _has(record: EntryText, words: SaidAfter) -> bool:
    said = names_in(record, "said")
    return record.record.get("after") == words.after and any(_is_same(each, words.said) for each in said)


def _is_same(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()


def _lines(after: str, said: Sequence[str], entries: Sequence[str]) -> list[str]:
    return [f"- after: {plain(after)}", f"  said: {flow(said)}", f"  entries: {flow(entries)}"]
