"""Students' questions and their answers: the traces, messages and ratings in the channels' database.

The console reads that database and never writes to it; its tables (channels/delivery/tables.py) are looked up by name
when they are first needed. Times are seconds since 1970.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from console.database import engine_of
from console.loose_search import are_in, bare, search_words
from console.topic_changes import compared
from rag.types import NO_SOURCE, Reason

PAGE = 50
WITHOUT = "-"
"""The value of a filter for turns that have none, e.g. no topic: no topic, source or intent has this name."""
MOST_MESSAGES = 300
MOST_SEARCHED = 20_000
"""The latest messages of the students who are searched for."""

MOST_OF_STUDENT = 20
MOST_GAPS = 1_000
"""The latest questions that are grouped; a group of older ones comes back with its next question."""

PASSED_ON = "passed_on"
"""The decision of a turn that is left to an advisor (`channels.delivery.tables`)."""

LOW_CONFIDENCE = 0.6
"""Confidence of an answer below which its question is a gap."""

UNSURE = 0.7
"""Probability of the most probable intent below which a message was not understood for sure."""

MOST_UNSURE = 3_000
"""The latest messages that are looked at for those."""

DAY_S = 24 * 3600.0
MOST_TOP_QUESTIONS = 10
MOST_TIMED = 10_000
"""Of so many turns, taken evenly from the days and those before them, the times are looked at."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions on turns; an empty value is none. `text` is looked for in the question, also without diacritics.

    `answer` is the id of what answered. The value `WITHOUT` stands for turns without one.
    """

    channel: str = ""
    topic: str = ""
    decision: str = ""
    source: str = ""
    intent: str = ""
    answer: str = ""
    feedback: str = ""
    text: str = ""
    since: float = 0.0
    until: float = 0.0
    confidence_below: float = 1.0


_ACCENTED = "".join(letter for letter in map(chr, range(0xC0, 0x1F00)) if bare(letter).isascii())
_LETTERS = (_ACCENTED, bare(_ACCENTED))
"""Letters with diacritics, and each without."""


class Turns:
    """Reads the channels' database at `url`. Every method raises sqlalchemy.exc.SQLAlchemyError."""

    def __init__(self, url: str, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine_of(url)
        self._now = clock

    @cached_property
    def _tables(self) -> Mapping[str, sa.Table]:
        metadata = sa.MetaData()
        names = ("traces", "said", "turns", "ratings", "hand_overs", "senders")
        return {name: sa.Table(f"channel_{name}", metadata, autoload_with=self._engine) for name in names}

    def page(self, filters: Filters, before: int | None = None) -> Sequence[Mapping[str, Any]]:
        """Return turns with an id below `before`, the newest first, without their traces.

        A turn without words has what was `pressed`, the title of a button, or the `command` of the channel's menu.
        """
        traces = self._tables["traces"]
        columns = [column for column in traces.c if column.name != "trace"]
        rating = self._rating().label("good")
        wanted = sa.select(*columns, rating).where(*self._conditions(filters))
        if before is not None:
            wanted = wanted.where(traces.c.id < before)
        return self._with_presses(self._rows(wanted.order_by(traces.c.id.desc()).limit(PAGE)))

    def conversation(self, trace_id: int) -> Mapping[str, Any] | None:
        """Return the messages of the conversation that a trace belongs to, and the traces of its turns.

        The last `MOST_MESSAGES` messages up to an hour after the turn. None when the turn is no longer there.
        """
        traces, said, ratings = self._tables["traces"], self._tables["said"], self._tables["ratings"]
        found = self._rows(sa.select(traces).where(traces.c.id == trace_id))
        if not found:
            return None
        of = found[0]
        mine = [said.c.channel == of["channel"], said.c.sender == of["sender"], said.c.at < of["at"] + 3600]
        rating = sa.select(ratings.c.good).where(ratings.c.said_id == said.c.id).scalar_subquery()
        reason = sa.select(ratings.c.reason).where(ratings.c.said_id == said.c.id).scalar_subquery()
        latest = sa.select(said, rating.label("good"), reason.label("reason")).where(*mine)
        messages = self._rows(latest.order_by(said.c.id.desc()).limit(MOST_MESSAGES))
        own = sa.select(traces).where(traces.c.channel == of["channel"], traces.c.sender == of["sender"])
        return {
            "channel": of["channel"],
            "sender": of["sender"],
            "trace": trace_id,
            "messages": [_message(row) for row in reversed(messages)],
            "turns": {str(row["turn_id"]): _with_trace(row) for row in self._rows(own.order_by(traces.c.id))},
        }

    def _with_presses(self, rows: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        turns, said = self._tables["turns"], self._tables["said"]
        mute = [row["turn_id"] for row in rows if not row["question"]]
        wanted = sa.select(turns.c.id, turns.c.content, said.c.message).where(turns.c.id.in_(mute))
        found = self._rows(wanted.outerjoin_from(turns, said, said.c.id == turns.c.said_id)) if mute else ()
        presses = {
            row["id"]: {
                "pressed": json.loads(row["message"]).get("text") or "" if row["message"] else "",
                "command": json.loads(row["content"]).get("command") or "",
            }
            for row in found
        }
        nothing = {"pressed": "", "command": ""}
        return [{**row, **presses.get(row["turn_id"], nothing)} for row in rows]

    def student(self, channel: str, sender: str) -> Mapping[str, Any]:
        """Return a student's profile as of the last turn, the first turn's time, and the last questions, newest first.

        The profile has the ids of values by the ids of dimensions.
        """
        traces = self._tables["traces"]
        mine = [traces.c.channel == channel, traces.c.sender == sender]
        latest = self._rows(
            sa.select(traces).where(*mine).order_by(traces.c.id.desc()).limit(MOST_OF_STUDENT)
        )
        first = self._rows(sa.select(sa.func.min(traces.c.at).label("at")).where(*mine))
        shown = ("id", "at", "question", "decision", "topic")
        return {
            "profile": json.loads(latest[0]["trace"])["profile"] if latest else {},
            "since": first[0]["at"],
            "questions": [{name: row[name] for name in shown} for row in latest if row["question"]],
        }

    def first_words(self, channel: str, sender: str, since: float) -> str:
        """Return the first words that a student wrote from `since` on; "" without any."""
        said = self._tables["said"]
        wanted = (
            sa.select(said.c.message)
            .where(said.c.channel == channel, said.c.sender == sender)
            .where(said.c.author == "student", said.c.at >= since)
            .order_by(said.c.id)
            .limit(1)
        )
        return next((str(json.loads(row["message"]).get("text") or "") for row in self._rows(wanted)), "")

    def with_words(self, students: Collection[tuple[str, str]], text: str) -> Set[tuple[str, str]]:
        """Return those of the students, as channel and sender, who have a message with all words of `text`.

        Capital letters and diacritics make no difference; the latest `MOST_SEARCHED` messages are looked at.
        """
        said, words = self._tables["said"], search_words(text)
        channels, senders = ({each[place] for each in students} for place in (0, 1))
        wanted = (
            sa.select(said.c.channel, said.c.sender, said.c.message)
            .where(said.c.channel.in_(channels), said.c.sender.in_(senders))
            .order_by(said.c.id.desc())
            .limit(MOST_SEARCHED)
        )
        found = set()
        for row in self._rows(wanted):
            student = row["channel"], row["sender"]
            is_new = student in students and student not in found
            if is_new and are_in(bare(json.loads(row["message"])["text"]), words):
                found.add(student)
        return found

    def gaps(self, days: float, settled: Sequence[int] = ()) -> Sequence[Mapping[str, Any]]:
        """Return the turns of the last `days` that a school should look at, the newest first.

        They have `vector`, `normalized`, `mentions` and `intents` of their traces. `why` lists no_answer, thumbs_down,
        low_confidence and hand_over; `settled` are ids to leave out. A question whose student pressed a thumb up is
        none, nor is one that a query rule refuses; one that is left to an advisor is judged by what Covan would have
        replied: no answer, or one with low confidence.
        """
        traces, handed = self._tables["traces"], self._tables["hand_overs"]
        is_recent = traces.c.at >= self._now() - days * DAY_S
        asked_for = (
            sa.select(sa.func.max(traces.c.id))
            .join(
                handed,
                sa.and_(
                    handed.c.channel == traces.c.channel,
                    handed.c.sender == traces.c.sender,
                    traces.c.at <= handed.c.opened_at,
                    traces.c.at > handed.c.opened_at - 3600,
                ),
            )
            .where(traces.c.decision != "", is_recent)
            .group_by(handed.c.id)
        )
        is_unsure = sa.and_(traces.c.answer_id != "", traces.c.confidence < LOW_CONFIDENCE)
        badly_answered = (
            sa.select(traces.c.id)
            .where(
                sa.or_(
                    traces.c.decision == "no_answer",
                    sa.and_(traces.c.decision == PASSED_ON, sa.or_(traces.c.source == NO_SOURCE, is_unsure)),
                    sa.and_(traces.c.decision == "answer", traces.c.confidence < LOW_CONFIDENCE),
                    traces.c.id.in_(self._rated(False)),
                ),
                is_recent,
                traces.c.question != "",
                traces.c.id.not_in(self._rated(True)),
            )
            .order_by(traces.c.id.desc())
            .limit(MOST_GAPS + len(settled))
        )
        handed_over = set(self._ids(asked_for))
        latest = sorted({*self._ids(badly_answered), *handed_over} - set(settled), reverse=True)[:MOST_GAPS]
        # Traces are long: no more of them is read than is needed, and nothing of the settled ones.
        wanted = (
            sa.select(
                *(column for column in traces.c if column.name != "trace"),
                self._rating().label("good"),
                *(self._traced(name) for name in ("vector", "reasons", "normalized", "mentions", "intents")),
            )
            .where(traces.c.id.in_(latest), traces.c.question != "")
            .order_by(traces.c.id.desc())
        )
        found = []
        for row in self._rows(wanted):
            why = _reasons(row, handed_over)
            if row["good"] is not True and (why != ["no_answer"] or not _is_ruled(row)):
                found.append({**row, "why": why})
        return found

    def unsure(self, days: float, reviewed: Sequence[int] = ()) -> Sequence[Mapping[str, Any]]:
        """Return the turns of the last `days` whose intent the model was unsure of, the newest first.

        `intents` are the three most probable ones; `reviewed` are ids to leave out.
        """
        traces = self._tables["traces"]
        names = ("id", "at", "channel", "sender", "question")
        wanted = (
            sa.select(*(traces.c[name] for name in names), self._traced("intents"))
            .where(traces.c.at >= self._now() - days * DAY_S, traces.c.question != "")
            .order_by(traces.c.id.desc())
            .limit(MOST_UNSURE)
        )
        left_out = set(reviewed)
        return [
            row
            for row in self._rows(wanted)
            if row["intents"] and max(row["intents"].values()) < UNSURE and row["id"] not in left_out
        ]

    def messages(self, days: float, most: int) -> Sequence[Mapping[str, Any]]:
        """Return the latest messages of the last `days` as id and question, the newest first, equal ones once."""
        traces = self._tables["traces"]
        latest = (
            sa.select(sa.func.max(traces.c.id).label("id"), traces.c.question)
            .where(traces.c.at >= self._now() - days * DAY_S, traces.c.question != "")
            .where(traces.c.question.not_like("/%"))
            .group_by(traces.c.question)
        )
        return self._rows(latest.order_by(sa.func.max(traces.c.id).desc()).limit(most))

    def some(self, ids: Sequence[int]) -> Sequence[Mapping[str, Any]]:
        """Return the turns with these ids that are still there, with their traces."""
        traces = self._tables["traces"]
        return [_with_trace(row) for row in self._rows(sa.select(traces).where(traces.c.id.in_(ids)))]

    def statistics(self, days: int, time_zone: str = "") -> Mapping[str, Any]:
        """Return the counts of the last `days` days, and of as many days before them.

        `since` is their beginning; `decisions` and `before` count turns by decision; `topics` are those of
        `console.topic_changes`, with thumbs by the time at which they were pressed; `by` counts the decisions on turns
        by source, channel and hour, `days` by day. `seconds` are the median and the 95th percentile of the time from a
        question to its reply, now, `before` and by day. `hand_overs` counts the conversations
        that were handed over `now` and `before`, and of those now the ones that advisors have `taken`. Hours and days
        are those of `time_zone`, a name of the IANA database; empty: this machine's.
        """
        traces, ratings = self._tables["traces"], self._tables["ratings"]
        now = self._now()
        since, earlier = now - days * DAY_S, now - 2 * days * DAY_S
        recent = [traces.c.at >= since, traces.c.decision != ""]

        # Constants in the text of the statement: PostgreSQL takes two parameters for two expressions to group by.
        offset, day, hour = (
            sa.literal_column(str(number), sa.BigInteger)
            for number in (_offset_s(now, time_zone), 86_400, 3_600)
        )
        local = sa.cast(traces.c.at, sa.BigInteger) + offset
        decision = _unordered(traces.c.decision)

        def decided(*columns: Any) -> Sequence[Any]:
            kinds = (*columns, decision)
            return self._tuples(sa.select(*kinds, sa.func.count()).where(*recent).group_by(*kinds))

        # Each statement goes through all turns of the days: hours tell of days, too.
        by_hour = decided(local // hour)
        by_place = decided(_unordered(traces.c.channel), _unordered(traces.c.source))
        outcomes = self._outcomes(earlier, since)
        top = (
            sa.select(traces.c.answer_id, sa.func.max(traces.c.id).label("id"), sa.func.count().label("n"))
            .where(*recent, traces.c.answer_id != "", traces.c.decision != PASSED_ON)
            .group_by(traces.c.answer_id)
            .order_by(sa.func.count().desc())
            .limit(MOST_TOP_QUESTIONS)
        )
        most = self._rows(top)
        words = sa.select(traces.c.id, traces.c.question).where(traces.c.id.in_([row["id"] for row in most]))
        asked = {row["id"]: row["question"] for row in self._rows(words)}
        return {
            "decisions": _decisions(outcomes, is_now=True),
            "before": _decisions(outcomes, is_now=False),
            "since": since,
            "topics": compared([*outcomes, *self._thumbs(earlier, since)]),
            "by": {
                "source": _decided((source, kind, n) for _, source, kind, n in by_place),
                "channel": _decided((channel, kind, n) for channel, _, kind, n in by_place),
                "hour": _decided((number % 24, kind, n) for number, kind, n in by_hour),
            },
            "days": [
                {"day": each, "decision": kind, "n": n}
                for each, kinds in _decided(
                    (_date(number // 24), kind, n) for number, kind, n in by_hour
                ).items()
                for kind, n in kinds.items()
            ],
            "seconds": self._seconds(earlier, since, local // day, sum(n for *_, n in outcomes)),
            "thumbs": {
                "up": self._count(ratings, ratings.c.at >= since, ratings.c.good.is_(True)),
                "down": self._count(ratings, ratings.c.at >= since, ratings.c.good.is_(False)),
            },
            "hand_overs": self._hand_overs(earlier, since),
            "students": self._rows(
                sa.select(sa.func.count().label("n")).select_from(
                    sa.select(_unordered(traces.c.channel).label("of"), traces.c.sender)
                    .where(*recent)
                    .distinct()
                    .subquery()
                )
            )[0]["n"],
            "top": [
                {"answer_id": row["answer_id"], "question": asked[row["id"]], "n": row["n"]}
                for row in most
                if row["id"] in asked
            ],
        }

    def _seconds(self, earlier: float, since: float, day: Any, count: int) -> Mapping[str, Any]:
        """Return the times from a question to its reply, of `count` turns from `earlier` on, in seconds.

        `median` and `p95` are from `since` on, `before` has those before, `days` those of each day from `since` on.
        """
        traces, turns = self._tables["traces"], self._tables["turns"]
        wanted = (
            sa.select(day, _is_from(traces.c.at, since), turns.c.done_at - turns.c.at)
            .join(turns, traces.c.turn_id == turns.c.id)
            .where(traces.c.at >= earlier, traces.c.decision.not_in(("", PASSED_ON)))
            .where(turns.c.done_at.isnot(None))
        )
        # Evenly chosen: the times of the latest turns alone are those of the last days.
        if (every := count // MOST_TIMED) > 1:
            wanted = wanted.where(traces.c.id % every == 0)
        found: tuple[list[float], list[float]] = [], []
        by_day: dict[int, list[float]] = {}
        for number, is_now, took in self._tuples(wanted):
            found[bool(is_now)].append(took)
            if is_now:
                by_day.setdefault(int(number), []).append(took)
        before, now = map(_percentiles, found)
        days = [{"day": _date(number), **_percentiles(some)} for number, some in sorted(by_day.items())]
        return {**now, "before": before, "days": days}

    def _hand_overs(self, earlier: float, since: float) -> Mapping[str, int]:
        """Return how many conversations were handed over from `since` on and before, and how many do not wait now."""
        handed = self._tables["hand_overs"]
        kinds: list[Any] = [_is_from(handed.c.opened_at, since), handed.c.status]
        counted = sa.select(*kinds, sa.func.count()).where(handed.c.opened_at >= earlier).group_by(*kinds)
        found = Counter[str]()
        for is_now, status, n in self._tuples(counted):
            found["now" if is_now else "before"] += n
            found["taken"] += n if is_now and status != "waiting" else 0
        return {name: found[name] for name in ("now", "taken", "before")}

    def _outcomes(self, earlier: float, since: float) -> Sequence[tuple[str, str, bool, int]]:
        """Return how many questions each topic had, by decision, from `since` on and before."""
        traces = self._tables["traces"]
        kinds: list[Any] = [
            _unordered(traces.c.topic),
            _unordered(traces.c.decision),
            _is_from(traces.c.at, since),
        ]
        wanted = sa.select(*kinds, sa.func.count()).where(traces.c.at >= earlier, traces.c.decision != "")
        return self._counts(wanted.group_by(*kinds))

    def _thumbs(self, earlier: float, since: float) -> Sequence[tuple[str, str, bool, int]]:
        """Return how many thumbs each topic had, "up" and "down", from `since` on and before."""
        traces, ratings = self._tables["traces"], self._tables["ratings"]
        kinds: list[Any] = [
            traces.c.topic,
            sa.case((ratings.c.good.is_(True), sa.literal_column("'up'")), else_=sa.literal_column("'down'")),
            _is_from(ratings.c.at, since),
        ]
        wanted = self._of_ratings(sa.select(*kinds, sa.func.count())).where(
            ratings.c.at >= earlier, traces.c.decision != ""
        )
        return self._counts(wanted.group_by(*kinds))

    def values(self) -> Mapping[str, Sequence[str]]:
        """Return the channels, topics, sources and intents that turns have, for filters."""
        traces = self._tables["traces"]
        return {
            name: sorted(
                row["of"] for row in self._rows(sa.select(traces.c[name].label("of")).distinct()) if row["of"]
            )
            for name in ("channel", "topic", "source", "intent")
        }

    def _conditions(self, filters: Filters) -> list[Any]:
        traces = self._tables["traces"]
        found: list[Any] = [
            traces.c[name] == ("" if value == WITHOUT else value)
            for name in ("channel", "topic", "decision", "source", "intent")
            if (value := getattr(filters, name))
        ]
        if filters.answer:
            found.append(traces.c.answer_id == filters.answer)
        if filters.text:
            # The letters are named: a PostgreSQL database of the locale C knows those of ASCII alone.
            folded = sa.func.lower(sa.func.translate(traces.c.question, *_LETTERS))
            found.append(folded.contains(bare(filters.text), autoescape=True))
        if filters.since:
            found.append(traces.c.at >= filters.since)
        if filters.until:
            found.append(traces.c.at < filters.until)
        if filters.confidence_below < 1:
            found.append(traces.c.confidence < filters.confidence_below)
        if filters.feedback:
            found.append(traces.c.id.in_(self._rated(filters.feedback == "up")))
        return found

    def _rating(self) -> sa.ScalarSelect[Any]:
        """Return the student's rating of the reply to a trace's turn: None without one."""
        traces, said, ratings = self._tables["traces"], self._tables["said"], self._tables["ratings"]
        return (
            sa.select(ratings.c.good)
            .join(said, said.c.id == ratings.c.said_id)
            .where(
                ratings.c.channel == traces.c.channel,
                ratings.c.sender == traces.c.sender,
                said.c.turn_id == traces.c.turn_id,
            )
            .limit(1)
            .correlate(traces)
            .scalar_subquery()
        )

    def _traced(self, name: str) -> sa.Label[Any]:
        """Return a field of the trace under its name."""
        trace: Any = self._tables["traces"].c.trace
        is_postgres = self._engine.dialect.name == "postgresql"
        trace = sa.cast(trace, sa.JSON) if is_postgres else sa.type_coerce(trace, sa.JSON)
        return sa.Label(name, trace[name])

    def _rated(self, good: bool) -> sa.Select[Any]:
        """Return the ids of the traces whose reply has a rating: from the ratings, of which there are few."""
        wanted = self._of_ratings(sa.select(self._tables["traces"].c.id))
        return wanted.where(self._tables["ratings"].c.good.is_(good))

    def _of_ratings(self, wanted: sa.Select[Any]) -> sa.Select[Any]:
        """Return a selection from the ratings, with the traces whose replies they are of."""
        traces, said, ratings = self._tables["traces"], self._tables["said"], self._tables["ratings"]
        of_reply = sa.and_(
            traces.c.channel == said.c.channel,
            traces.c.sender == said.c.sender,
            traces.c.turn_id == said.c.turn_id,
        )
        return wanted.select_from(ratings).join(said, said.c.id == ratings.c.said_id).join(traces, of_reply)

    def _count(self, table: sa.Table, *conditions: Any) -> int:
        counted = sa.select(sa.func.count().label("n")).select_from(table).where(*conditions)
        return int(self._rows(counted)[0]["n"])

    def _counts(self, statement: Any) -> Sequence[tuple[str, str, bool, int]]:
        with self._engine.connect() as db:
            return [
                (str(of), str(kind), bool(is_now), int(n)) for of, kind, is_now, n in db.execute(statement)
            ]

    def _tuples(self, statement: Any) -> Sequence[Any]:
        with self._engine.connect() as db:
            return db.execute(statement).all()

    def _ids(self, statement: Any) -> Sequence[int]:
        with self._engine.connect() as db:
            return list(db.scalars(statement))

    def _rows(self, statement: Any) -> Sequence[Mapping[str, Any]]:
        with self._engine.connect() as db:
            return [dict(row._mapping) for row in db.execute(statement)]


def _offset_s(now: float, time_zone: str) -> int:
    at = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(time_zone) if time_zone else None)
    offset = at.utcoffset()
    return int(offset.total_seconds()) if offset is not None else 0


def _unordered(column: sa.Column[str]) -> sa.ColumnElement[str]:
    """Return the value of a column in a form that no index has: SQLite would go through all turns in the order of that
    index, rather than through those of the last days."""
    return sa.func.coalesce(column, sa.literal_column("''"))


def _is_from(at: sa.Column[float], since: float) -> sa.ColumnElement[int]:
    """Return 1 for a time from `since` on, else 0, as an expression that can be grouped by (see `statistics`)."""
    return sa.case(
        (at >= sa.literal_column(repr(since)), sa.literal_column("1")), else_=sa.literal_column("0")
    )


def _decisions(outcomes: Sequence[tuple[str, str, bool, int]], *, is_now: bool) -> Mapping[str, int]:
    found: Counter[str] = Counter()
    for _, decision, now, count in outcomes:
        if now is is_now:
            found[decision] += count
    return dict(found)


def _decided(rows: Iterable[tuple[Any, str, int]]) -> Mapping[str, Mapping[str, int]]:
    """Return how many turns each thing had, by decision; a row is a thing, a decision and a number."""
    found: dict[str, Counter[str]] = {}
    for of, decision, n in rows:
        found.setdefault(str(of), Counter())[decision] += n
    return {of: dict(counts) for of, counts in found.items()}


def _with_trace(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**row, "trace": json.loads(row["trace"])}


def _message(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a message as the transcript shows it."""
    said = json.loads(row["message"])
    return {
        "id": row["id"],
        "at": row["at"],
        "author": row["author"],
        "by": said.get("by") or "",
        "text": said.get("text") or "",
        "options": [option["title"] for option in said.get("options") or ()],
        "citations": said.get("citations") or [],
        "turn": row["turn_id"],
        "good": row["good"],
        "reason": row["reason"] or "",
    }


def _reasons(row: Mapping[str, Any], handed_over: Set[int]) -> list[str]:
    found = []
    if row["decision"] == "no_answer" or (row["decision"] == PASSED_ON and row["source"] == NO_SOURCE):
        found.append("no_answer")
    if row["good"] is False:
        found.append("thumbs_down")
    # Of a turn that is left to an advisor, an answer has an id and a question back has none.
    is_answer = row["decision"] == "answer" or (row["decision"] == PASSED_ON and row["answer_id"] != "")
    if is_answer and row["confidence"] < LOW_CONFIDENCE:
        found.append("low_confidence")
    if row["id"] in handed_over:
        found.append("hand_over")
    return found


def _is_ruled(row: Mapping[str, Any]) -> bool:
    return Reason.QUERY_RULE in (row["reasons"] or ())


def _date(day: int) -> str:
    """Return a day, counted from 1970 on, as ISO 8601."""
    return datetime.fromtimestamp(day * DAY_S, UTC).date().isoformat()


def _percentiles(took: Sequence[float]) -> Mapping[str, float | None]:
    ordered = sorted(took)
    return {"median": _share(ordered, 0.5), "p95": _share(ordered, 0.95)}


def _share(ordered: Sequence[float], share: float) -> float | None:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else None
