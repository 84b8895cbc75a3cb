"""The client of the front door's advisors' API (channels/advisors.py), for the console and the commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal, Self, TypeVar

import httpx
from pydantic import BaseModel, ConfigDict, ValidationError

from rag.errors import CovanError, wrong_fields
from rag.types import Citation

TIMEOUT_S = 15.0

MOST_CITATIONS, MAX_QUOTE_CHARS = 20, 2_000
"""Within what the front door takes with an answer."""

Status = Literal["waiting", "taken", "closed", "all"]

M = TypeVar("M", bound=BaseModel)


class AdvisorsError(CovanError):
    """The advisors' API did not do what it was asked for.

    AdvisorsError
    ├── NotRunningError  there is nothing at the front door's port
    ├── NotAllowedError  the token is missing or is another one
    └── RefusedError     the API says no; `code` says why: not_found, closed, taken, bad_request, ...
    """


class NotRunningError(AdvisorsError):
    """Nobody answers at the front door's port."""


class NotAllowedError(AdvisorsError):
    """The front door has another token than this command, or none."""


class RefusedError(AdvisorsError):
    """The API refuses the request."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Told(BaseModel):
    """Data from the API; fields of later releases are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Waiting(_Told):
    """A conversation that a person was asked to take. Times are those of the server's clock, in UTC.

    `reply_until`: until when the platform lets answers through, unless the student writes again; `reply_free_until`:
    until when at no charge.
    """

    id: int
    channel: str
    sender: str
    status: Literal["waiting", "taken", "closed"]
    topic: str = ""
    office: str = ""
    question: str = ""
    opened_at: datetime
    expected_at: datetime | None = None
    taken_by: str = ""
    taken_at: datetime | None = None
    closed_by: str = ""
    closed_at: datetime | None = None
    last_at: datetime
    reply_until: datetime | None = None
    reply_free_until: datetime | None = None


class Choice(_Told):
    """A button that a student was shown."""

    title: str


class Message(_Told):
    """One message of a conversation; `author` is student, bot, advisor or notice."""

    id: int
    at: datetime
    author: str
    by: str = ""
    text: str
    options: tuple[Choice, ...] = ()
    facts: Mapping[str, Any] = {}


class Undelivered(_Told):
    """A message that has not reached the student.

    `state`: waiting (it is tried again), held (until the student writes), refused (given up). `message` is its id in
    the conversation.
    """

    id: int
    channel: str
    sender: str
    state: Literal["waiting", "held", "refused"] = "refused"
    why: str
    at: datetime
    text: str
    message: int | None = None


class Note(_Told):
    """A note on a student, which the student never gets.

    `handed_to` is the office or the advisor to whom the writer has handed the conversation on; empty for a note alone.
    """

    id: int
    at: datetime
    by: str
    text: str
    handed_to: str = ""


class Conversation(Waiting):
    """A conversation with all that was said in it."""

    messages: tuple[Message, ...]
    notes: tuple[Note, ...] = ()
    undelivered: tuple[Undelivered, ...] = ()
    on_its_way: tuple[int, ...] = ()


class _Queue(_Told):
    conversations: tuple[Waiting, ...]


class _Calls(_Told):
    calls: tuple[Undelivered, ...]


class _Replied(_Told):
    message: int


class _Previewed(_Told):
    messages: tuple[str, ...]


class _ShownOnChannels(_Told):
    channels: dict[str, tuple[str, ...]]


class AdvisorsApi(AbstractContextManager["AdvisorsApi"]):
    """Client of the advisors' API. Every method raises an AdvisorsError when it fails."""

    def __init__(self, url: str, token: str) -> None:
        # Never through a proxy: the front door is on this machine, and the token is for nobody else.
        self._client = httpx.Client(
            base_url=f"{url}/webhooks/advisors",
            headers={b"Authorization": f"Bearer {token}".encode()},
            trust_env=False,
            timeout=TIMEOUT_S,
        )
        self._url = url

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def queue(self, status: Status = "all") -> Sequence[Waiting]:
        """Return the conversations of a status, the longest waiting first."""
        return self._read(_Queue, "/conversations", status=status).conversations

    def conversation(self, conversation: int) -> Conversation:
        """Return a conversation with all of its messages."""
        return self._read(Conversation, f"/conversations/{conversation}")

    def undelivered(self) -> Sequence[Undelivered]:
        """Return the messages of all conversations that have not reached a student."""
        return self._read(_Calls, "/undelivered").calls

    def take(self, conversation: int, by: str) -> None:
        """Let `by` answer from now on; the student is told."""
        self._post(f"/conversations/{conversation}/take", {"by": by})

    def reply(self, conversation: int, by: str, text: str) -> int:
        """Answer, and take the conversation when nobody has; return the id of the message."""
        told = self._post(f"/conversations/{conversation}/reply", {"by": by, "text": text})
        return self._parsed(_Replied, told).message

    def preview(self, conversation: int, by: str, text: str) -> Sequence[str]:
        """Return the messages that the student would get for `reply`, as their channel shows them."""
        told = self._post(f"/conversations/{conversation}/preview", {"by": by, "text": text})
        return self._parsed(_Previewed, told).messages

    def previews(self, text: str, citations: Sequence[Citation] = ()) -> Mapping[str, Sequence[str]]:
        """Return the messages of each channel, by its name, that an answer of the bot would be, with its sources."""
        told = self._post("/previews", {"text": text, "citations": _sources(citations)})
        return self._parsed(_ShownOnChannels, told).channels

    def note(self, conversation: int, by: str, text: str) -> None:
        """Leave a note for the other advisors."""
        self._post(f"/conversations/{conversation}/notes", {"by": by, "text": text})

    def hand_on(
        self, conversation: int, by: str, *, taken_by: str, to: str = "", office: str = "", text: str = ""
    ) -> None:
        """Hand the conversation on to an advisor or an office, with a note; `taken_by` has it, as `by` has seen it."""
        body = {"by": by, "taken_by": taken_by, "to": to, "office": office, "text": text}
        self._post(f"/conversations/{conversation}/hand_on", body)

    def give_back(self, conversation: int, by: str) -> None:
        """Let the bot answer again; the student is told."""
        self._post(f"/conversations/{conversation}/give_back", {"by": by})

    def answer_later(
        self, channel: str, sender: str, by: str, text: str, citations: Sequence[Citation] = ()
    ) -> None:
        """Send the answer to a question that the bot could not answer when it was asked, with its sources."""
        answer = {"channel": channel, "sender": sender, "by": by, "text": text}
        self._post("/answers", {**answer, "citations": _sources(citations)})

    def send_again(self, call: int) -> None:
        """Try once more to deliver a message."""
        self._post(f"/undelivered/{call}/send_again", {})

    def _read(self, kind: type[M], path: str, **query: str) -> M:
        return self._parsed(kind, self._ask("GET", path, params=query))

    def _post(self, path: str, body: Mapping[str, Any]) -> httpx.Response:
        return self._ask("POST", path, json=dict(body))

    def _ask(self, method: str, path: str, **what: Any) -> httpx.Response:
        try:
            answer = self._client.request(method, path, **what)
        except httpx.TimeoutException as error:
            raise AdvisorsError(
                f"{self._url} did not answer within {TIMEOUT_S:.0f} s. See the log channels.log."
            ) from error
        except httpx.HTTPError as error:
            raise NotRunningError(
                f"Nothing answers at {self._url}. Start Covan with `covan up`, or set COVAN_PAGE_PORT to its port."
            ) from error
        if answer.is_success:
            return answer
        raise self._refusal(answer)

    def _refusal(self, answer: httpx.Response) -> AdvisorsError:
        try:
            told = answer.json()
            code, message = str(told["error"]), str(told["message"])
        except (ValueError, KeyError, TypeError):
            return AdvisorsError(
                f"What answers at {self._url} has no advisors' API (status {answer.status_code}). "
                "Is it `covan channels`, or a proxy before it?"
            )
        if answer.status_code == httpx.codes.UNAUTHORIZED:
            return NotAllowedError(
                "`covan channels` does not accept this token. Set COVAN_ADVISOR_TOKEN to what it was started with, "
                "and work in the same folder (COVAN_STATE_DIR)."
            )
        if code == "not set up":
            return NotAllowedError(
                "`covan channels` has no COVAN_ADVISOR_TOKEN. Set it and start again; `covan up` does both."
            )
        return RefusedError(code, message)

    def _parsed(self, kind: type[M], answer: httpx.Response) -> M:
        try:
            return kind.model_validate_json(answer.content)
        except ValidationError as error:
            raise AdvisorsError(
                f"The advisors' API at {self._url} answers in another form: {wrong_fields(error)}. "
                "Are `covan channels` and this command of one release? Start Covan again."
            ) from error


def _sources(citations: Sequence[Citation]) -> Sequence[Mapping[str, Any]]:
    """Return citations as the front door takes them."""
    return [{**asdict(each), "quote": each.quote[:MAX_QUOTE_CHARS]} for each in citations[:MOST_CITATIONS]]
