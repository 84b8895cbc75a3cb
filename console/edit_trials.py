"""Trials of an edit on the questions whose outcome the school has checked, before and with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from console.checked_folder import CheckedFolder
from console.faq_files import FaqFiles
from console.knowledge_files import Edit, contents_of
from console.live_index import LiveIndex
from console.query_rule_file import QueryRuleFile
from rag.decide.calibration import Calibration
from rag.decide.gate import Chosen
from rag.decide.probability import shipped_models
from rag.engine import Engine
from rag.index.format import Index
from rag.ingest.checked_questions import CheckedQuestion
from rag.query.same_words import folded_words
from rag.types import DecisionKind, FaqEntry, Question, Reply

Asked = Callable[[int, int], None]
"""Takes the number of checked questions that were asked, and of all."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A checked question with the replies before and with an edit.

    `is_right`: with it, its entry answers, another one of the same family, or either after a question back; or the
    refusal or the question back that it wants comes. `was_right`: the same before.
    """

    question: CheckedQuestion
    before: Reply
    after: Reply
    was_right: bool
    is_right: bool

    @property
    def changes(self) -> bool:
        """Whether another answer is given, one instead of none, or a wrong outcome instead of the right one."""
        return self.was_right != self.is_right or _outcome(self.before) != _outcome(self.after)

    @property
    def reads_otherwise(self) -> bool:
        """Whether it changes, or the same answer has another text."""
        return self.changes or self.before.text != self.after.text


@dataclass(frozen=True, slots=True)
class Tried:
    """A checked FAQ with an edit, the replies to some questions with it and before, and the checked questions.

    `wordings` are the replies to the edited entry's own wordings, with the edit.
    """

    faq: Sequence[FaqEntry]
    replies: Sequence[Reply]
    before: Sequence[Reply]
    checked: Sequence[Checked]
    wordings: Mapping[str, Reply]

    def missed(self, entry_id: str) -> Mapping[str, Reply]:
        """Return the replies to wordings that neither give an entry or one of its family, nor ask back for it."""
        families = {entry.id: entry.family for entry in self.faq}
        return {
            wording: reply
            for wording, reply in self.wordings.items()
            if not _leads_to(entry_id, reply, families)
        }


@dataclass(frozen=True, slots=True)
class TriedValues:
    """An edit of a fact or a calculator: the index with it, and what it changes.

    `changed` are FAQ entries whose answer reads otherwise, before and after; `checked` as in `Tried`.
    """

    index: Index
    changed: Sequence[tuple[FaqEntry, FaqEntry]]
    checked: Sequence[Checked]


class EditTrials:
    """Asks the checked questions, and others, of what is live and of what an edit would make of it."""

    def __init__(self, live: LiveIndex, folder: CheckedFolder, files: FaqFiles, rules: QueryRuleFile) -> None:
        self._live = live
        self._folder = folder
        self._files = files
        self._rules = rules

    def try_out(
        self, edit: Edit, questions: Sequence[str], checks: Sequence[str] = (), wordings: Sequence[str] = ()
    ) -> Tried:
        """Try an edit on `questions` and `wordings`, and on the school's checked questions before and with it.

        `checks` are questions that the edit is to answer, whatever rule they have or how they were checked before.

        Raises KnowledgeError, IndexUnusableError, KnowledgeFileError.
        """
        index = self._live.index()
        unruled = self._rules.without_questions(checks)
        faq, rules = self._folder.faq(contents_of([edit, *([unruled] if unruled is not None else [])]), index)
        edited = self._live.with_faq(index, faq, rules)
        before, after = self._live.engine_over(index), self._live.engine_over(edited)
        checked = self._compared(before, after, (*index.faq, *faq), checks)
        replies = {each: after.reply(Question(each)) for each in dict.fromkeys((*questions, *wordings))}
        now = [before.reply(Question(each)) for each in questions]
        said = {each: replies[each] for each in wordings}
        return Tried(faq, [replies[each] for each in questions], now, checked, said)

    def try_values(self, edit: Edit, calculators: Set[str]) -> TriedValues:
        """Try an edit of a fact or a calculator on the FAQ and the checked questions.

        `calculators` are the ids of those that must still have a result for all of their inputs. Raises
        KnowledgeError, IndexUnusableError, KnowledgeFileError.
        """
        index = self._live.index()
        curated = self._folder.curated(contents_of([edit]), calculators, index)
        after = self._live.with_curated(index, curated)
        known = {entry.id: entry for entry in index.faq}
        changed = [
            (known[entry.id], entry)
            for entry in curated.faq
            if entry.id in known and known[entry.id].answer != entry.answer
        ]
        checked = self._compared(self._live.engine_over(index), self._live.engine_over(after), curated.faq)
        return TriedValues(after, changed, checked)

    def otherwise(self, checked: CheckedQuestion) -> Reply | None:
        """Return what a question gets as the school is, None when that is its outcome. Raises IndexUnusableError."""
        index = self._live.index()
        reply = self._live.engine_over(index).reply(Question(checked.question))
        families = {entry.id: entry.family for entry in index.faq}
        return None if _is_right(checked, reply, families) else reply

    def compare(
        self, after: Engine, asked: Asked = lambda *_: None, left_out: Sequence[str] = ()
    ) -> Sequence[Checked]:
        """Return the outcomes of the school's checked questions as it is, and with the engine over a draft of it.

        Those in the words of `left_out` get another outcome with the draft. `asked` gets the progress. Raises
        IndexUnusableError, KnowledgeFileError, and what `asked` raises.
        """
        index = self._live.index()
        return self._compared(
            self._live.engine_over(index), after, (*index.faq, *after.index.faq), left_out, asked
        )

    def try_calibration(self, calibration: Calibration | None) -> Sequence[Checked]:
        """Try other thresholds on the checked questions; None: the shipped one.

        Raises IndexUnusableError, KnowledgeFileError.
        """
        chosen = Chosen(shipped_models(self._live.preset), calibration)
        return self.compare(self._live.engine_over(self._live.index(), chosen=chosen))

    def _compared(
        self,
        before: Engine,
        after: Engine,
        faq: Sequence[FaqEntry],
        left_out: Sequence[str] = (),
        asked: Asked = lambda *_: None,
    ) -> Sequence[Checked]:
        """Return the outcomes of the checked questions, but of those in the words of `left_out`."""
        families = {entry.id: entry.family for entry in faq}
        own = set(map(folded_words, left_out))
        questions = [each for each in self._files.checked() if folded_words(each.question) not in own]
        checked = []
        for place, each in enumerate(questions):
            asked(place, len(questions))
            old, new = before.reply(Question(each.question)), after.reply(Question(each.question))
            rights = (_is_right(each, reply, families) for reply in (old, new))
            checked.append(Checked(each, old, new, *rights))
        return checked


def _outcome(reply: Reply) -> tuple[str, str | None, str | None]:
    return reply.decision.kind.value, reply.answer_id, reply.waits_for


def _is_right(checked: CheckedQuestion, reply: Reply, families: Mapping[str, str]) -> bool:
    """Return whether a checked question has its outcome."""
    if checked.entry is not None:
        return _leads_to(checked.entry, reply, families)
    if checked.dimension is None and not checked.entries:
        return reply.decision.kind is DecisionKind.NO_ANSWER
    if checked.dimension is not None:
        return checked.dimension in reply.decision.missing
    offered = {option.payload.get("faq") for option in reply.options}
    return reply.decision.kind is DecisionKind.CLARIFY and offered >= set(checked.entries)


def _leads_to(entry_id: str, reply: Reply, families: Mapping[str, str]) -> bool:
    """Return whether a reply gives an entry or one of the same family, or gives it after a question back."""
    given = {families.get(name) for name in (reply.answer_id, reply.waits_for) if name is not None}
    return families.get(entry_id, "") in given
