"""Dialogues as advisors can read and write them, played to the real servers.

A dialogue is an entry of a file in tests/dialogues/conversations/:

    - id: cohort-follow-up
      shows: "follow-ups ("còn k48?") are completed from the last question and its answer"
      turns:
        - student: "k47 thực tập mấy tuần"          # typed
          expect: {decision: answer, tier: faq, entry: internship-001, says: ["08 tuần"]}
        - press: "Gặp cán bộ tư vấn"                 # a button of the last reply: its title, or its payload
        - press_earlier: "Khóa 48"                   # one of any reply before

What a student cannot do, but what happens: `later: 25h` (or 30m, 3d, or `new academic year`), `restart: actions` (or
rasa), `kill: actions` (crashed; until restarted), `wedge: true` (Rasa's circuit breaker is open), `turns_before: 1000`
(so many turns of small talk have gone by), `set_slots: {last_topic: tuition}`.

`expect` may hold, and each must be so:

    decision    answer, clarify, no_answer or talk: of the whole turn (the first of these that any message is)
    decisions   the same of each message, in order
    response    the response, or all the responses, of domain.yml that must have been said
    not_said    responses that must not have been
    asks        what is asked back: the id of a dimension, choice or confirmation; `nothing` for none of them
    tier, entry, source   of the answers: faq, document, study, graph or calculator; the FAQ entry; cited documents
    slots       values, ~ (null) for a slot that must be unset; a dimension's is its value in the slot `profile`
    says, says_not        parts of the text, whatever their case
    offers, offers_not    titles or payloads of buttons, or the beginning of a payload with "…" at its end
    language    vi or en: of all that is said and is no answer from the knowledge
    same_as     number of an earlier turn (from 1) whose answer must be given again
    messages    how many messages
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator
from real_servers import NAMES, RealServers, Said

from covan.domain import read_domain
from school.dimensions import default_dimensions

CONVERSATIONS = Path(__file__).parent / "conversations"

Decision = Literal["answer", "clarify", "no_answer", "talk"]
IN_ORDER: Sequence[Decision] = ("answer", "clarify", "no_answer", "talk")

ASKS: Mapping[str, str] = {
    "utter_choose_reading": "choice",
    "utter_ask_which": "choice",
    "utter_ask_narrower": "choice",
    "utter_confirm_profile": "confirmation",
}
FORM = ("utter_ask_profile", "utter_explain_profile")
"""What the profile form says; the slot `missing_dimensions` has the dimension that it asks for."""
CLARIFYING = {
    *ASKS,
    *FORM,
    "utter_part_needs_profile",
    "utter_part_waits",
    "utter_follow_up_unclear",
    "utter_correct_unclear",
    "utter_profile_still_needed",
}
UNANSWERED = {
    "utter_no_answer",
    "utter_not_taught",
    "utter_no_such_value",
    "utter_other_school",
    "utter_out_of_scope",
    "utter_none_of_these",
    "utter_still_open",
    "utter_choice_gone",
    "utter_profile_abandoned",
    "utter_offer_advisor",
}

ACADEMIC_YEAR_BEGINS = 9
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_DURATION = re.compile(r"(\d+)\s*([smhd])")
_VIETNAMESE = re.compile("[đăâêôơưàảãáạèẻẽéẹìỉĩíịòỏõóọùủũúụỳỷỹýỵ]")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Expected(_Strict):
    """The expectations of a turn; keys that are absent are not checked."""

    decision: Decision | None = None
    decisions: list[Decision] | None = None
    response: str | list[str] | None = None
    not_said: str | list[str] | None = None
    asks: str | None = None
    tier: Literal["faq", "document", "study", "graph", "calculator"] | None = None
    entry: str | None = None
    source: str | list[str] | None = None
    slots: dict[str, str | None] = Field(default_factory=dict)
    says: str | list[str] | None = None
    says_not: str | list[str] | None = None
    on_cards: str | list[str] | None = None
    offers: str | list[str] | None = None
    offers_not: str | list[str] | None = None
    language: Literal["vi", "en"] | None = None
    same_as: int | None = Field(None, ge=1)
    messages: int | None = Field(None, ge=1)


class Step(_Strict):
    """One line of a dialogue: an action of the student, or an event."""

    student: str | None = None
    times: int = Field(
        1, ge=1, description="how often the student's text is written, without a space between"
    )
    press: str | None = None
    press_earlier: str | None = None
    later: str | None = None
    set_slots: dict[str, Any] | None = None
    restart: Literal["actions", "rasa"] | None = None
    kill: Literal["actions"] | None = None
    wedge: Literal[True] | None = None
    turns_before: int | None = Field(None, ge=1)
    expect: Expected = Expected()

    @model_validator(mode="after")
    def _one_thing(self) -> Step:
        happens = (self.later, self.set_slots, self.restart, self.kill, self.wedge, self.turns_before)
        given = [
            what for what in (self.student, self.press, self.press_earlier, *happens) if what is not None
        ]
        if len(given) != 1:
            raise ValueError(
                "a line of a dialogue is one thing: what the student types or presses, or what happens"
            )
        if any(what is not None for what in happens) and self.expect != Expected():
            raise ValueError("only what the student types or presses is replied to: nothing to expect here")
        return self

    @property
    def is_turn(self) -> bool:
        """Return whether the step is an action of the student, which gets a reply."""
        return any(what is not None for what in (self.student, self.press, self.press_earlier))


class Dialogue(_Strict):
    """A conversation of one student from its beginning; `shows` is the sentence or clause that it is a case of."""

    id: str = Field(pattern=r"[a-z0-9-]+")
    shows: str
    turns: list[Step]


@lru_cache
def dialogues(folder: Path = CONVERSATIONS) -> tuple[Dialogue, ...]:
    """Return all dialogues of a folder. Raises ValueError for a malformed one."""
    found = [
        Dialogue.model_validate(entry)
        for path in sorted(folder.glob("*.yml"))
        for entry in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]
    ids = [dialogue.id for dialogue in found]
    twice = sorted({each for each in ids if ids.count(each) > 1})
    if twice:
        raise ValueError(f"several dialogues are called {', '.join(twice)}")
    return tuple(found)


# --- what was said -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a reply; `response` is its name in domain.yml, empty when it has none."""

    text: str
    response: str
    buttons: tuple[Mapping[str, str], ...] = ()
    custom: Mapping[str, Any] = field(default_factory=dict)

    @property
    def decision(self) -> Decision:
        if self.custom.get("type") == "answer":
            return "answer"
        if self.response in CLARIFYING:
            return "clarify"
        return "no_answer" if self.response in UNANSWERED else "talk"


@dataclass(frozen=True, slots=True)
class Reply:
    """The messages of a turn, and the slots after it."""

    messages: tuple[Message, ...]
    slots: Mapping[str, Any]

    @property
    def decision(self) -> Decision:
        return min((message.decision for message in self.messages), key=IN_ORDER.index)

    @property
    def responses(self) -> list[str]:
        return [message.response for message in self.messages]

    @property
    def asks(self) -> list[str]:
        dimension = next(iter(self.slots.get("missing_dimensions") or ()), "")
        by_response = {**ASKS, **dict.fromkeys(FORM, dimension)}
        return [by_response[each.response] for each in self.messages if each.response in by_response]

    @property
    def text(self) -> str:
        return "\n".join(message.text for message in self.messages)

    @property
    def buttons(self) -> list[Mapping[str, str]]:
        return [button for message in self.messages for button in message.buttons]

    @property
    def cards(self) -> list[Mapping[str, Any]]:
        return [card for message in self.messages for card in message.custom.get("cards", ())]

    @property
    def answers(self) -> list[Mapping[str, Any]]:
        return [message.custom for message in self.messages if message.decision == "answer"]

    @property
    def sources(self) -> list[str]:
        return [cited["document_id"] for answer in self.answers for cited in answer.get("citations", ())]


@lru_cache(maxsize=1)
def _texts() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The texts of the domain as patterns, the longest first, each with the response it belongs to."""
    found = [
        (variation["text"], name)
        for name, variations in read_domain()["responses"].items()
        for variation in variations
        if name != "utter_answer" and name not in FORM
    ]
    for dimension in default_dimensions():
        found += [(text, FORM[0]) for text in (*dimension.ask, *dimension.ask_en)]
        found += [(text, FORM[1]) for text in (*dimension.explain, *dimension.explain_en)]
    found.sort(key=lambda each: -len(re.sub(r"\{\w+\}", "", each[0])))
    return tuple(
        (re.compile(".*".join(map(re.escape, re.split(r"\{\w+\}", text))), re.DOTALL), name)
        for text, name in found
    )


def response_of(text: str) -> str:
    """The response that has said `text`, by the domain's texts; empty when none of them is like it."""
    return next((name for pattern, name in _texts() if pattern.fullmatch(text)), "")


def message_of(raw: Mapping[str, Any], names: Mapping[str, str]) -> Message:
    """A message of the channel; `names` are the responses of the turn by their text, as far as Rasa has told."""
    text = str(raw.get("text") or "")
    custom = raw.get("custom") or {}
    response = "utter_answer" if custom.get("type") == "answer" else names.get(text) or response_of(text)
    return Message(text, response, tuple(raw.get("buttons") or ()), custom)


def _names(tracker: Mapping[str, Any], since: float) -> dict[str, str]:
    return {
        str(event.get("text")): str(name)
        for event in tracker.get("events") or ()
        if event.get("event") == "bot" and event.get("timestamp", 0) >= since
        if (name := (event.get("metadata") or {}).get("utter_action"))
    }


# --- what must be so -------------------------------------------------------------------------------------------------


def _several(value: str | list[str] | None) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else value


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def button(buttons: Sequence[Mapping[str, str]], wanted: str) -> Mapping[str, str] | None:
    """Return the button with this title or payload; "…" at the end stands for the rest of a payload."""
    begins = wanted.removesuffix("…") if wanted.endswith("…") else None
    return next(
        (
            each
            for each in buttons
            if wanted in (each["title"], each["payload"])
            or (begins is not None and each["payload"].startswith(begins))
        ),
        None,
    )


def wrong(expected: Expected, reply: Reply, before: Sequence[Reply]) -> list[str]:
    """Return a sentence for each unmet expectation. `before` are the replies to the turns before this one."""
    return [
        *_wrong_kind(expected, reply),
        *_wrong_source(expected, reply, before),
        *_wrong_words(expected, reply),
        *(
            f"slot {name}: {reply.slots.get(name)!r} instead of {value!r}"
            for name, value in expected.slots.items()
            if reply.slots.get(name) != value
        ),
    ]


def _wrong_kind(expected: Expected, reply: Reply) -> list[str]:
    found = []
    if expected.decision and reply.decision != expected.decision:
        found.append(f"decision: {reply.decision} instead of {expected.decision}")
    decisions = [message.decision for message in reply.messages]
    if expected.decisions and decisions != expected.decisions:
        found.append(f"decisions: {decisions} instead of {expected.decisions}")
    if expected.messages and len(reply.messages) != expected.messages:
        found.append(f"{len(reply.messages)} messages instead of {expected.messages}")
    found += [
        f"{name} was not said, but {', '.join(reply.responses)}"
        for name in _several(expected.response)
        if name not in reply.responses
    ]
    found += [f"{name} was said" for name in _several(expected.not_said) if name in reply.responses]
    if expected.asks == "nothing" and reply.asks:
        found.append(f"asks for {', '.join(reply.asks)}")
    elif expected.asks not in (None, "nothing", *reply.asks):
        found.append(f"asks for {', '.join(reply.asks) or 'nothing'} instead of {expected.asks}")
    return found


def _wrong_source(expected: Expected, reply: Reply, before: Sequence[Reply]) -> list[str]:
    found = []
    tiers = [answer.get("tier") for answer in reply.answers]
    if expected.tier and expected.tier not in tiers:
        found.append(f"tier: {tiers} instead of {expected.tier}")
    entries = [answer.get("answer_id") for answer in reply.answers]
    if expected.entry and expected.entry not in entries:
        found.append(f"entry: {entries} instead of {expected.entry}")
    found += [
        f"source {document} is not cited, but {sorted(set(reply.sources))}"
        for document in _several(expected.source)
        if document not in reply.sources
    ]
    if expected.same_as:
        first = [answer.get("answer_id") for answer in before[expected.same_as - 1].answers]
        if not entries or entries != first:
            found.append(f"answers {entries} instead of {first}, as in turn {expected.same_as}")
    return found


def _wrong_words(expected: Expected, reply: Reply) -> list[str]:
    text = _plain(reply.text)
    found = [f"does not say {part!r}" for part in _several(expected.says) if _plain(part) not in text]
    found += [f"says {part!r}" for part in _several(expected.says_not) if _plain(part) in text]
    shown = _plain("\n".join(str(value) for card in reply.cards for value in card.values()))
    found += [f"no card has {part!r}" for part in _several(expected.on_cards) if _plain(part) not in shown]
    found += [
        f"no button {each!r}" for each in _several(expected.offers) if button(reply.buttons, each) is None
    ]
    found += [f"a button {each!r}" for each in _several(expected.offers_not) if button(reply.buttons, each)]
    if expected.language:
        found += [
            f"not in {expected.language}: {message.text[:80]!r}"
            for message in reply.messages
            if message.decision != "answer" and _language(message.text) != expected.language
        ]
    return found


def _language(text: str) -> str:
    # Vietnamese sentences of more than a few words have letters that English has not. What is quoted is the student's,
    # and names of offices stay as they are.
    own = re.sub(r"^>.*$|\*\*.*?\*\*|^- .*$", "", text, flags=re.MULTILINE)
    return "vi" if len(_VIETNAMESE.findall(unicodedata.normalize("NFC", own.lower()))) > 2 else "en"


# --- playing ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Played:
    """A played dialogue: its transcript, line by line, and the faults of the turn at which it ended."""

    dialogue: Dialogue
    lines: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)

    def report(self) -> str:
        """The transcript with the turn that failed marked."""
        return "\n".join(
            [
                "",
                f"{self.dialogue.id}: {self.dialogue.shows}",
                *self.lines,
                *(f"  ✗ {each}" for each in self.faults),
            ]
        )


def seconds_of(duration: str, now: datetime | None = None) -> float:
    """Return the seconds of "25h", "30m" or "3d", or those from the end of one academic year into the next."""
    now = now or datetime.now()
    if duration == "new academic year":
        year = now.year if now.month >= ACADEMIC_YEAR_BEGINS else now.year - 1
        return (now - datetime(year, ACADEMIC_YEAR_BEGINS, 1) + timedelta(days=3)).total_seconds()
    parts = _DURATION.fullmatch(duration.strip())
    if parts is None:
        raise ValueError(f"{duration!r} is no duration: 30m, 25h, 3d or `new academic year`")
    return float(parts[1]) * _UNITS[parts[2]]


def play(dialogue: Dialogue, servers: RealServers, sender: str) -> Played:
    """Play a dialogue to its end, or to the first turn that is not as expected."""
    played = Played(dialogue)
    replies = played.replies
    for number, step in enumerate(dialogue.turns, 1):
        if not step.is_turn:
            played.lines.append(f"  {number:2} … {_happen(step, servers, sender)}")
            continue
        try:
            reply = _take_turn(step, servers, sender, replies, played.lines.append, number)
        except LookupError as error:
            played.faults.append(str(error))
            return played
        played.faults += wrong(step.expect, reply, replies)
        replies.append(reply)
        if played.faults:
            return played
    return played


def _take_turn(
    step: Step,
    servers: RealServers,
    sender: str,
    replies: Sequence[Reply],
    note: Callable[[str], None],
    number: int,
) -> Reply:
    text, payload = None, None
    since = time.time()
    if step.student is not None:
        text = step.student * step.times
        note(f"  {number:2} SV   {text if len(text) < 300 else f'{text[:60]}… ({len(text)} characters)'}")
    else:
        wanted = step.press if step.press is not None else str(step.press_earlier)
        note(f"  {number:2} SV   [{wanted}]")
        heard = replies[-1:] if step.press is not None else list(reversed(replies))
        offered = [each for reply in heard for each in reply.buttons]
        pressed = button(offered, wanted)
        if pressed is None:
            titles = ", ".join(f"[{each['title']}]" for each in offered)
            raise LookupError(f"no button {wanted!r} is offered, but {titles or 'none'}")
        payload = pressed["payload"]
    reply = read(servers.say(sender, text, payload=payload), servers.tracker(sender), since)
    for message in reply.messages:
        shown = message.text if len(message.text) < 400 else f"{message.text[:400]}…"
        note(f"     Covan ({message.response or '?'}) " + shown.replace("\n", "\n           "))
        if message.decision == "answer":
            cited = ", ".join(str(each["document_id"]) for each in message.custom.get("citations", ()))
            note(f"           {message.custom.get('tier')} {message.custom.get('answer_id')} <- {cited}")
        if message.buttons:
            note("           " + " ".join(f"[{each['title']}]" for each in message.buttons))
    return reply


def read(said: Said, tracker: Mapping[str, Any], since: float) -> Reply:
    """The reply of a turn that began at `since`, in seconds since 1970. Raises LookupError when nothing was said."""
    if not said or not all(str(raw.get("text") or "").strip() for raw in said):
        raise LookupError(f"nothing was said: {said}")
    names = _names(tracker, since)
    slots = tracker.get("slots") or {}
    known = {dimension: value for dimension, (value, _) in (slots.get("profile") or {}).items()}
    return Reply(tuple(message_of(raw, names) for raw in said), {**slots, **known})


def _happen(step: Step, servers: RealServers, sender: str) -> str:
    if step.later is not None:
        servers.make_older(sender, seconds_of(step.later))
        return f"{step.later} pass"
    if step.set_slots is not None:
        servers.set_slots(sender, step.set_slots)
        return f"slots are set: {step.set_slots}"
    if step.restart is not None:
        assert step.restart in NAMES
        servers.restart(step.restart)
        return f"{step.restart} is restarted"
    if step.kill is not None:
        servers.crash(step.kill)
        return f"{step.kill} has crashed"
    if step.turns_before is not None:
        servers.chat_on(sender, step.turns_before)
        return f"{step.turns_before} turns go by"
    servers.wedge(sender)
    return "the conversation is wedged"
