"""The console's JSON API, below /api; its description is at /api/openapi.json.

A request is signed in by the session's cookie; one that changes something must also carry the session's token in
`X-CSRF-Token`. Without a session or the right it is refused with 403, and noted in the audit log. Errors are `Fault`s.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from fastapi.responses import JSONResponse

from console.accounts import LONGEST_S, Account, AccountError, Accounts, Session, same
from console.advisors_api import AdvisorsApi, AdvisorsError, RefusedError
from console.api_models import (
    ChangedAccount,
    ChangedEntry,
    Fault,
    NewAccount,
    NewEntry,
    SetAside,
    SignIn,
    TryOut,
    Written,
)
from console.audit import AuditLog
from console.faq_files import ConflictError, Edit, EntryText, FaqFileError, FaqFiles
from console.gaps import group_gaps
from console.personal_data import has_personal_data, masked
from console.publishing import Publisher
from console.roles import ROLES, Right
from console.tables import settled
from console.telling import later_answer
from console.turns import PAGE, Filters, Turns
from rag.errors import IndexUnusableError, KnowledgeError
from rag.types import Reply

logger = logging.getLogger(__name__)

COOKIE = "covan_console"
CSRF_HEADER = "X-CSRF-Token"

GAP_DAYS = 90
MOST_TURNS_OF_GAP = 60
MOST_FOUND = 50

_STATUS = {"not_found": 404, "closed": 409, "taken": 409, "window": 409, "bad_request": 400}

Day = Annotated[int, Query(ge=1, le=365)]


@dataclass(frozen=True)
class Console:
    """The parts that the API works with."""

    accounts: Accounts
    audit: AuditLog
    turns: Turns
    publisher: Publisher
    database: sa.Engine
    advisors: Callable[[], AdvisorsApi]
    language: str = "vi"
    secure_cookie: bool = False


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


def signed_in(request: Request, console: Parts) -> Session:
    """Return the session of a request. Raises RefusedRequestError."""
    token = request.cookies.get(COOKIE, "")
    session = console.accounts.session(token) if token else None
    if session is None:
        raise RefusedRequestError("signed_out", "")
    if request.method not in ("GET", "HEAD") and not same(request.headers.get(CSRF_HEADER, ""), session.csrf):
        raise RefusedRequestError("csrf", session.account.login)
    return session


def may(right: Right) -> Callable[[Session], Account]:
    """Return the dependency that lets accounts with `right` through."""

    def checked(session: Annotated[Session, Depends(signed_in)]) -> Account:
        if right not in session.account.rights:
            raise RefusedRequestError("forbidden", session.account.login)
        return session.account

    return checked


Reader = Annotated[Account, Depends(may(Right.READ))]
Replier = Annotated[Account, Depends(may(Right.REPLY))]
Editor = Annotated[Account, Depends(may(Right.PUBLISH))]
Administrator = Annotated[Account, Depends(may(Right.ADMINISTER))]

router = APIRouter(
    prefix="/api",
    responses={code: {"model": Fault} for code in (400, 403, 404, 409, 422, 503)},
)


# --- sessions ------------------------------------------------------------------------------------------


@router.post("/session")
def sign_in(body: SignIn, response: Response, console: Parts) -> Mapping[str, Any]:
    """Sign in; sets the session's cookie."""
    try:
        token, session = console.accounts.sign_in(body.login, body.password)
    except AccountError as error:
        console.audit.note(body.login, "sign_in", allowed=False, why=error.code)
        raise HTTPException(403, {"error": error.code, "message": str(error)}) from None
    console.audit.note(session.account.login, "sign_in")
    response.set_cookie(
        COOKIE,
        token,
        max_age=int(LONGEST_S),
        httponly=True,
        samesite="strict",
        secure=console.secure_cookie,
        path="/",
    )
    return _me(session)


@router.get("/session")
def me(session: Annotated[Session, Depends(signed_in)]) -> Mapping[str, Any]:
    """Return the signed-in account, its rights, and the token for changes."""
    return _me(session)


@router.delete("/session", status_code=204)
def sign_out(session: Annotated[Session, Depends(signed_in)], response: Response, console: Parts) -> None:
    """End the session."""
    console.accounts.sign_out(session)
    response.delete_cookie(COOKIE, path="/")


# --- what was asked ------------------------------------------------------------------------------------


@router.get("/today")
def today(_: Reader, console: Parts, days: Day = 7) -> Mapping[str, Any]:
    """Return the statistics of the last `days` days beside the days before, and how many students wait."""
    try:
        with console.advisors() as api:
            waiting: Sequence[Any] | None = api.queue("waiting")
    except AdvisorsError:
        waiting = None
    found = console.turns.statistics(days)
    top = [{**row, "question": masked(row["question"])} for row in found["top"]]
    return {
        **found,
        "top": top,
        "waiting": None if waiting is None else len(waiting),
        "waiting_since": min((each.opened_at.timestamp() for each in waiting), default=None)
        if waiting
        else None,
    }


@router.get("/conversations")
def conversations(
    account: Reader,
    console: Parts,
    filters: Annotated[Filters, Depends()],
    before: Annotated[int | None, Query(ge=1, lt=2**63)] = None,
) -> Mapping[str, Any]:
    """Return a page of turns, the newest first; `before` is the id of the last one seen."""
    found = console.turns.page(filters, before)
    return {
        "turns": [_shown(row, account) for row in found],
        "more": len(found) == PAGE,
    }


@router.get("/conversations/filters")
def filter_values(_: Reader, console: Parts) -> Mapping[str, Any]:
    """Return the values that conversations can be filtered by."""
    topics = {topic.id: topic.name for topic in console.publisher.index().dictionaries.topics}
    return {**console.turns.values(), "topic_names": topics}


@router.get("/conversations/{trace}")
def conversation(trace: int, account: Reader, console: Parts) -> Mapping[str, Any]:
    """Return the transcript around a turn, with the trace of each turn."""
    found = console.turns.conversation(trace) if 0 < trace < 2**63 else None
    if found is None:
        raise HTTPException(404, {"error": "not_found", "message": "this turn is no longer there"})
    console.audit.note(account.login, "read_conversation", str(trace))
    messages = [{**each, "text": _text(each["text"], account)} for each in found["messages"]]
    turns = {turn: _traced(row, account) for turn, row in found["turns"].items()}
    sender = found["sender"] if Right.PERSONAL in account.rights else masked(found["sender"])
    return {**found, "sender": sender, "messages": messages, "turns": turns}


# --- gaps ----------------------------------------------------------------------------------------------


@router.get("/gaps")
def gaps(account: Reader, console: Parts, days: Day = GAP_DAYS) -> Mapping[str, Any]:
    """Return the groups of questions that were not answered well, those of the most students first."""
    with console.database.connect() as db:
        done = list(db.scalars(sa.select(settled.c.trace_id)))
    groups = group_gaps(console.turns.gaps(days, done))
    return {
        "groups": [
            {
                **{name: value for name, value in group.items() if name != "traces"},
                "question": _text(group["question"], account),
                "turns": [_gap(row, account) for row in group["traces"][:MOST_TURNS_OF_GAP]],
                "ids": [row["id"] for row in group["traces"]],
            }
            for group in groups
        ]
    }


@router.post("/gaps/aside", status_code=204)
def set_aside(body: SetAside, account: Editor, console: Parts) -> None:
    """Take turns out of the gaps without an answer."""
    _settle(console, body.traces, "", account)
    console.audit.note(account.login, "set_aside", count=len(body.traces))


# --- the FAQ -------------------------------------------------------------------------------------------


@router.get("/faq")
def faq(
    _: Reader,
    console: Parts,
    text: Annotated[str, Query(max_length=200)] = "",
    topic: Annotated[str, Query(max_length=200)] = "",
) -> Mapping[str, Any]:
    """Return entries whose question, variants or answer have `text`, `MOST_FOUND` at most, and how many there are."""
    wanted = text.casefold().split()
    found = [
        entry
        for entry in console.publisher.files.entries()
        if (not topic or entry.record.get("topic") == topic)
        and all(word in entry.text.casefold() for word in wanted)
    ]
    return {"entries": [_listed(entry) for entry in found[:MOST_FOUND]], "count": len(found)}


@router.get("/faq/sources")
def sources(_: Reader, console: Parts, text: Annotated[str, Query(max_length=200)] = "") -> Mapping[str, Any]:
    """Return the documents, and the clauses that have the words of `text`, to cite."""
    wanted = text.casefold().split()
    index = console.publisher.index()
    documents: dict[str, str] = {}
    clauses: list[Mapping[str, str]] = []
    for passage in index.passages:
        documents.setdefault(passage.document_id, passage.title)
        said = f"{passage.title} {passage.locator} {passage.text}".casefold()
        if wanted and len(clauses) < MOST_FOUND and all(word in said for word in wanted):
            clauses.append(
                {
                    "document": passage.document_id,
                    "title": passage.title,
                    "locator": passage.locator,
                    "text": passage.text[:300],
                }
            )
    return {
        "documents": [{"document": name, "title": title} for name, title in sorted(documents.items())],
        "clauses": clauses,
        "topics": [{"id": topic.id, "name": topic.name} for topic in index.dictionaries.topics],
    }


@router.get("/faq/entries/{entry_id}")
def faq_entry(entry_id: str, _: Reader, console: Parts) -> Mapping[str, Any]:
    """Return an entry as it stands in its file, with its version."""
    return _entry(_found(console, entry_id))


@router.post("/faq/try", response_model=None)
def try_out(body: TryOut, _: Editor, console: Parts) -> Mapping[str, Any]:
    """Check a draft, and tell what each question would be answered with it and is answered now."""
    files = console.publisher.files
    fields = _fields(body)
    if body.entry_id:
        edit, entry_id = files.changed(body.entry_id, body.version, fields), body.entry_id
    else:
        edit, entry_id = files.added(fields)
    entries, replies = console.publisher.try_out(edit, body.questions)
    entry = next(each for each in entries if each.id == entry_id)
    return {
        "entry_id": entry_id,
        "answer": entry.answer,
        "replies": [
            {"question": question, **_reply(reply), "by_this": reply.answer_id == entry_id}
            for question, reply in zip(body.questions, replies, strict=True)
        ],
    }


@router.post("/faq/entries", status_code=201)
def add_entry(body: NewEntry, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Publish a new entry, settle the turns that it answers, and send it to those who asked."""
    _refuse_personal_data(body.variants, body.question)
    fields = _fields(body)
    published = console.publisher.publish(
        lambda files: files.added(fields), (account.name, account.login), "Add"
    )
    entry = published.entry
    _settle(console, body.settles, entry.id, account)
    told, untold = _tell(console, body.tell, entry.answer, account)
    console.audit.note(
        account.login, "publish", entry.id, settled=len(body.settles), told=told, commit=published.commit
    )
    return {
        "id": entry.id,
        "index": console.publisher.index_version,
        "commit": published.commit,
        "told": told,
        "untold": untold,
    }


@router.put("/faq/entries/{entry_id}")
def change_entry(entry_id: str, body: ChangedEntry, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Publish a change of an entry; 409 with the text in the file when it changed meanwhile."""
    _refuse_personal_data(body.variants, body.question)
    fields = _fields(body)

    def edit(files: FaqFiles) -> tuple[Edit, str]:
        return files.changed(entry_id, body.version, fields), entry_id

    published = console.publisher.publish(edit, (account.name, account.login), "Change")
    console.audit.note(account.login, "publish", entry_id, commit=published.commit)
    return {**_entry(_found(console, entry_id)), "commit": published.commit}


# --- the inbox -----------------------------------------------------------------------------------------


@router.get("/inbox")
def inbox(_: Replier, console: Parts) -> Mapping[str, Any]:
    """Return the conversations that were handed over, those that wait longest first."""
    with console.advisors() as api:
        return {"conversations": [each.model_dump(mode="json") for each in api.queue("all")]}


@router.get("/inbox/{number}")
def inbox_conversation(number: int, _: Replier, console: Parts) -> Mapping[str, Any]:
    """Return a conversation with its messages."""
    with console.advisors() as api:
        return api.conversation(number).model_dump(mode="json")


@router.post("/inbox/{number}/take", status_code=204)
def take(number: int, account: Replier, console: Parts) -> None:
    """Take a conversation: nobody else can answer it then."""
    with console.advisors() as api:
        api.take(number, account.name)
    console.audit.note(account.login, "take", str(number))


@router.post("/inbox/{number}/reply", status_code=202)
def reply(number: int, body: Written, account: Replier, console: Parts) -> Mapping[str, Any]:
    """Answer the student."""
    with console.advisors() as api:
        message = api.reply(number, account.name, body.text)
    console.audit.note(account.login, "reply", str(number))
    return {"message": message}


@router.post("/inbox/{number}/give-back", status_code=204)
def give_back(number: int, account: Replier, console: Parts) -> None:
    """Let the bot answer again."""
    with console.advisors() as api:
        api.give_back(number, account.name)
    console.audit.note(account.login, "give_back", str(number))


# --- people and audit ----------------------------------------------------------------------------------


@router.get("/people")
def people(_: Administrator, console: Parts) -> Mapping[str, Any]:
    """Return all accounts."""
    return {"people": [asdict(each) for each in console.accounts.all()], "roles": list(ROLES)}


@router.post("/people", status_code=201)
def add_person(body: NewAccount, account: Administrator, console: Parts) -> Mapping[str, Any]:
    """Create an account."""
    made = console.accounts.create(body.login, body.name, body.roles, body.password)
    console.audit.note(account.login, "add_person", made.login, roles=list(made.roles))
    return asdict(made)


@router.patch("/people/{login}")
def change_person(
    login: str, body: ChangedAccount, account: Administrator, console: Parts
) -> Mapping[str, Any]:
    """Change an account, unlock it, or close it; its sessions end."""
    changed = console.accounts.change(login, **body.model_dump())
    given = body.model_dump(exclude_none=True, exclude={"password"})
    if body.password is not None:
        given["password"] = "changed"
    console.audit.note(account.login, "change_person", login, **given)
    return asdict(changed)


@router.get("/audit")
def audit(
    _: Administrator, console: Parts, before: Annotated[int | None, Query(ge=1, lt=2**63)] = None
) -> Mapping[str, Any]:
    """Return a page of the audit log, the newest first."""
    return {"entries": console.audit.page(before)}


# --- errors --------------------------------------------------------------------------------------------


def on_refused(request: Request, error: Exception) -> Response:
    """Answer 403, and note it."""
    assert isinstance(error, RefusedRequestError)
    console_of(request).audit.note(
        error.login, f"{request.method} {_route(request)}", allowed=False, why=error.code
    )
    messages = {
        "signed_out": "sign in first",
        "csrf": f"the header {CSRF_HEADER} is missing or of another session",
        "forbidden": "this account has no right to do that",
    }
    return _fault(403, error.code, messages[error.code])


def on_account_error(_request: Request, error: Exception) -> Response:
    """Answer 404, 409 or 400."""
    assert isinstance(error, AccountError)
    status = {"not_found": 404, "login_taken": 409, "last_administrator": 409}.get(error.code, 400)
    return _fault(status, error.code, str(error))


def on_conflict(_request: Request, error: Exception) -> Response:
    """Answer 409 with the text as it stands in the file."""
    assert isinstance(error, ConflictError)
    return _fault(409, "conflict", str(error), theirs=error.theirs)


def on_faulty_faq(request: Request, error: Exception) -> Response:
    """Answer 422 with every problem of the draft."""
    told = error.told(console_of(request).language) if isinstance(error, KnowledgeError) else str(error)
    return _fault(422, "faulty", told)


def on_advisors_error(_request: Request, error: Exception) -> Response:
    """Answer what the front door answered, or 503 when it cannot be reached."""
    if isinstance(error, RefusedError):
        return _fault(_STATUS.get(error.code, 400), error.code, str(error))
    return _fault(503, "no_front_door", str(error))


def on_database_error(_request: Request, error: Exception) -> Response:
    """Answer 503; the log names the fault without its values."""
    logger.error("A database cannot be used: %s", getattr(error, "orig", None) or type(error).__name__)
    return _fault(503, "database", "a database cannot be used; the console's log says which")


HANDLERS: Mapping[type[Exception], Callable[[Request, Exception], Response]] = {
    RefusedRequestError: on_refused,
    AccountError: on_account_error,
    ConflictError: on_conflict,
    KnowledgeError: on_faulty_faq,
    FaqFileError: on_faulty_faq,
    IndexUnusableError: on_faulty_faq,
    AdvisorsError: on_advisors_error,
    sa.exc.SQLAlchemyError: on_database_error,
}


def on_http_error(_request: Request, error: Exception) -> Response:
    """Answer with a `Fault` for what FastAPI and the routes refuse."""
    assert isinstance(error, HTTPException) or hasattr(error, "status_code")
    detail = getattr(error, "detail", "")
    if isinstance(detail, dict):
        return _fault(error.status_code, detail["error"], detail["message"])
    return _fault(error.status_code, "refused", str(detail))


def _fault(status: int, code: str, message: str, **detail: Any) -> Response:
    return JSONResponse({"error": code, "message": message, "detail": detail}, status)


def _route(request: Request) -> str:
    """Return the path as it is declared: the one that was called may hold anything."""
    route = request.scope.get("route")
    return str(getattr(route, "path", ""))


# --- what is shown -------------------------------------------------------------------------------------


def _me(session: Session) -> Mapping[str, Any]:
    account = session.account
    return {
        "login": account.login,
        "name": account.name,
        "roles": list(account.roles),
        "rights": sorted(account.rights),
        "csrf": session.csrf,
        "now": time.time(),
    }


def _text(text: str, account: Account) -> str:
    return text if Right.PERSONAL in account.rights else masked(text)


def _shown(row: Mapping[str, Any], account: Account) -> Mapping[str, Any]:
    """Return a turn of a list; who asked is not shown."""
    hidden = ("sender", "trace")
    kept = {name: value for name, value in row.items() if name not in hidden}
    return {**kept, "question": _text(row["question"], account)}


def _traced(row: Mapping[str, Any], account: Account) -> Mapping[str, Any]:
    trace = {name: value for name, value in row["trace"].items() if name != "vector"}
    for name in ("normalized", "resolved"):
        trace[name] = _text(trace.get(name) or "", account)
    return {**_shown(row, account), "trace": trace}


def _gap(row: Mapping[str, Any], account: Account) -> Mapping[str, Any]:
    return {**_shown(row, account), "personal": has_personal_data(row["question"])}


def _listed(entry: EntryText) -> Mapping[str, Any]:
    record = entry.record
    return {
        "id": entry.id,
        "file": entry.file,
        "question": record.get("question") or "",
        "answer": record.get("answer") or "",
        "topic": record.get("topic") or "",
        "variants": len(record.get("variants") or ()),
        "owner": record.get("owner") or "",
        "reviewed_at": record.get("reviewed_at") or "",
    }


def _entry(entry: EntryText) -> Mapping[str, Any]:
    variants = entry.record.get("variants") or []
    return {
        **_listed(entry),
        "variants": [variants] if isinstance(variants, str) else variants,
        "sources": entry.record.get("sources") or [],
        "applies_to": entry.record.get("applies_to") or {},
        "version": entry.version,
        "text": entry.text,
    }


def _found(console: Console, entry_id: str) -> EntryText:
    entry = console.publisher.files.entry(entry_id)
    if entry is None:
        raise HTTPException(404, {"error": "not_found", "message": "there is no such entry"})
    return entry


def _reply(reply: Reply) -> Mapping[str, Any]:
    return {
        "decision": reply.decision.kind.value,
        "answer_id": reply.answer_id,
        "text": reply.text[:600],
        "confidence": reply.confidence,
    }


def _fields(body: Any) -> Mapping[str, Any]:
    """Return the fields of an entry as `console.faq_files` takes them."""
    sources = [
        {"document": each.document, **({"locator": each.locator.strip()} if each.locator.strip() else {})}
        for each in body.sources
    ]
    variants = [each for each in dict.fromkeys(body.variants) if each != body.question]
    # The final line break is what YAML reads of a block.
    answer = body.answer.replace("\r\n", "\n").replace("\r", "\n").strip("\n") + "\n"
    return {
        "question": body.question,
        "variants": variants,
        "answer": answer,
        "topic": body.topic,
        "sources": sources,
        "owner": body.owner,
        "reviewed_at": body.reviewed_at,
    }


def _refuse_personal_data(variants: Sequence[str], question: str) -> None:
    """Raises HTTPException when a student's words would be published with a number or an address in them."""
    found = [each for each in (question, *variants) if has_personal_data(each)]
    if found:
        told = f"take phone numbers, student numbers and addresses out of: {'; '.join(map(masked, found))}"
        raise HTTPException(422, {"error": "personal_data", "message": told})


def _settle(console: Console, traces: Sequence[int], entry_id: str, account: Account) -> None:
    rows = [
        {"trace_id": trace, "entry_id": entry_id, "login": account.login, "at": time.time()}
        for trace in dict.fromkeys(traces)
        if 0 < trace < 2**63
    ]
    with console.database.begin() as db:
        known = set(
            db.scalars(
                sa.select(settled.c.trace_id).where(settled.c.trace_id.in_([row["trace_id"] for row in rows]))
            )
        )
        new = [row for row in rows if row["trace_id"] not in known]
        if new:
            db.execute(settled.insert(), new)


def _tell(
    console: Console, traces: Sequence[int], answer: str, account: Account
) -> tuple[int, Sequence[Mapping[str, Any]]]:
    """Send an answer to the students of some turns; return how many got it, and the turns whose did not, with why."""
    students: dict[tuple[str, str], Mapping[str, Any]] = {}
    for row in console.turns.some(traces):
        students[row["channel"], row["sender"]] = row
    told, untold = 0, []
    for (channel, sender), row in students.items():
        text = later_answer(row["question"], answer, row["trace"].get("language") or "vi")
        try:
            with console.advisors() as api:
                api.answer_later(channel, sender, account.name, text)
            told += 1
        except AdvisorsError as error:
            code = error.code if isinstance(error, RefusedError) else "no_front_door"
            untold.append({"trace": row["id"], "why": code})
    return told, untold
