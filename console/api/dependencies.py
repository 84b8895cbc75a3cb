"""What the routes get from FastAPI: the parts of the console, and the account that may do what is asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Protocol

import sqlalchemy as sa
from fastapi import Depends, Request

from console.accounts import Account, Accounts, Session, same
from console.advisors_api import AdvisorsApi
from console.audit import AuditLog
from console.audit_names import name_in
from console.canned_replies import CannedReplies
from console.chat import Chat
from console.draft_checks import DraftChecks
from console.fact_labels import FactLabels
from console.first_run import Surroundings
from console.graph_lookup import GraphLookup
from console.kept_drafts import KeptDrafts
from console.model_desk import ModelDesk
from console.near_duplicates import NearDuplicates
from console.nlu_files import NluFiles
from console.nlu_review import NameFinder
from console.openid import SignInProvider
from console.publishing import Publisher
from console.roles import Right
from console.thresholds import Thresholds
from console.training import Training
from console.turns import Turns
from console.unfinished_publications import UnfinishedPublications
from rag.errors import IndexUnusableError
from rag.settings import Settings
from vietnamese.language_detection import Language

PREFIX = "/api"
COOKIE = "covan_console"
CSRF_HEADER = "X-CSRF-Token"


class Rate(Protocol):
    """Limits how often something may happen for each key."""

    def wait_s(self, key: str) -> int:
        """Count one and return 0; over the limit, return the seconds to wait."""

    def give_back(self, key: str) -> None:
        """Take back the last one that was counted."""


@dataclass(frozen=True)
class Console:
    """The parts that the API works with."""

    accounts: Accounts
    audit: AuditLog
    turns: Turns
    publisher: Publisher
    database: sa.Engine
    advisors: Callable[[], AdvisorsApi]
    nlu: NluFiles
    training: Training
    thresholds: Thresholds
    language: str = "vi"
    secure_cookie: bool = False
    mails: bool = False
    """Whether advisors are told by mail of students who wait."""
    names: NameFinder = field(default_factory=NameFinder)
    clock: Callable[[], float] = time.time
    openid: SignInProvider | None = None
    """Where people may sign in besides with a password."""
    around: Surroundings = field(default_factory=Surroundings)
    client: Callable[[str, str], str] = field(kw_only=True)
    """Returns a client's address from that of the peer and from X-Forwarded-For."""
    wrong_sign_ins: Rate = field(kw_only=True)
    """For each address."""
    chat: Chat = field(kw_only=True)
    """Takes a message that is tried, as students' chat does."""
    page_pictures: Rate = field(kw_only=True)
    """For each account: drawing a page takes up to 0.2 s of the processor."""
    model: ModelDesk = field(default_factory=lambda: ModelDesk(Settings()), kw_only=True)
    graph_words: Mapping[str, Mapping[str, str]] = field(default_factory=dict, kw_only=True)
    """The names of types, relations and properties of the graph by language, as `covan graph` says them."""

    def fact_labels(self) -> FactLabels:
        """Return the names of the facts in words."""
        publisher = self.publisher

        def spelled(text: str) -> str:
            with suppress(IndexUnusableError):
                return publisher.live.spelled(text)
            return text

        return FactLabels(publisher.facts, publisher.dictionaries, spelled)

    @cached_property
    def graph(self) -> GraphLookup:
        """The knowledge graph of the index that is live."""
        return GraphLookup(self.publisher)

    @cached_property
    def duplicates(self) -> NearDuplicates:
        """The entries of the index that is live which nearly ask the same."""
        return NearDuplicates(self.publisher.live)

    @cached_property
    def checks(self) -> DraftChecks:
        """The checks of drafts before they are published."""
        return DraftChecks(self.database, self.clock)

    @cached_property
    def kept_drafts(self) -> KeptDrafts:
        """The drafts that editors keep."""
        return KeptDrafts(self.database, self.clock)

    @cached_property
    def canned_replies(self) -> CannedReplies:
        """The advisors' own short texts."""
        return CannedReplies(self.database, self.clock)

    @cached_property
    def unfinished_publications(self) -> UnfinishedPublications:
        """The publications of entries that are under way."""
        return UnfinishedPublications(self.database, self.clock)

    def name_of(self, key: str) -> str:
        """Return the name of one of the school's things in its own language, as of "topic/tuition"; its id without."""
        return name_in(self.publisher.live.index(), key, "en" if self.language == "en" else "vi")

    def close(self) -> None:
        """End the trainings, measurements, checks and publications that run, and the database's connections."""
        self.checks.close()
        self.duplicates.close()
        self.training.close()
        self.thresholds.close()
        self.publisher.close()
        self.database.dispose()


class RefusedRequestError(Exception):
    """A request without a session (`signed_out`), its token (`csrf`), or the right (`forbidden`)."""

    def __init__(self, code: str, login: str) -> None:
        super().__init__(code)
        self.code = code
        self.login = login


def console_of(request: Request) -> Console:
    """Return the parts of the running console."""
    console: Console = request.app.state.console
    return console


Parts = Annotated[Console, Depends(console_of)]


def accepted_language(request: Request, otherwise: Language) -> Language:
    """Return the language that a request asks for; `otherwise` when there are no texts in it."""
    wanted = request.headers.get("Accept-Language", "")
    return "en" if wanted.startswith("en") else "vi" if wanted.startswith("vi") else otherwise


def language_of(request: Request) -> Language:
    """Return the language in which the page of a request is read."""
    return accepted_language(request, "vi")


ReadIn = Annotated[Language, Depends(language_of)]


def signed_in(request: Request, console: Parts) -> Session:
    """Return the session of a request. Raises RefusedRequestError."""
    token = request.cookies.get(COOKIE, "")
    session = console.accounts.session(token) if token else None
    if session is None:
        raise RefusedRequestError("signed_out", "")
    if request.method not in ("GET", "HEAD") and not same(request.headers.get(CSRF_HEADER, ""), session.csrf):
        raise RefusedRequestError("csrf", session.account.login)
    return session


def address_of(request: Request, console: Parts) -> str:
    """Return the address that a request comes from."""
    forwarded = ", ".join(request.headers.getlist("x-forwarded-for"))
    return console.client(request.client.host if request.client else "", forwarded)


def may(right: Right) -> Callable[[Session], Account]:
    """Return the dependency that lets accounts with `right` through."""

    def checked(session: Annotated[Session, Depends(signed_in)]) -> Account:
        if right not in session.account.rights:
            raise RefusedRequestError("forbidden", session.account.login)
        return session.account

    return checked


FILE_BODY: Mapping[str, Any] = {
    "requestBody": {
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        "required": True,
    }
}
"""What OpenAPI says of a call whose body is a file, which it reads itself."""

Reader = Annotated[Account, Depends(may(Right.READ))]
Replier = Annotated[Account, Depends(may(Right.REPLY))]
Editor = Annotated[Account, Depends(may(Right.PUBLISH))]
Administrator = Annotated[Account, Depends(may(Right.ADMINISTER))]
