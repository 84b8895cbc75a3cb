"""What is answered when a request cannot be served: a `Fault`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa
from fastapi import HTTPException, Request, Response
from fastapi.responses import JSONResponse

from console.accounts import AccountConflictError, AccountError, NewAccountsConflictError
from console.advisors_api import AdvisorsError, RefusedError
from console.api.dependencies import (
    CSRF_HEADER,
    PREFIX,
    Console,
    RefusedRequestError,
    console_of,
    language_of,
)
from console.api.draft_edits import FaultyDraftsError
from console.api.thresholds import shown_choice
from console.canned_replies import CannedReplyConflictError, CannedReplyDeletedError, CannedReplyError
from console.dictionary_files import NoPartError
from console.document_files import DocumentFileError, NoDraftError, NoPageError
from console.draft_builds import DraftBuildError
from console.draft_checks import DraftCheckError
from console.graph_lookup import NoGraphError, NoNodeError
from console.invitations import InvitationError
from console.kept_drafts import ChangedPartsError, KeptDraftError
from console.knowledge_files import ConflictError, InUseError, KnowledgeFileError
from console.lacking_facts import is_lacking, lacking_facts
from console.model_desk import ModelChoiceConflictError, NoModelError
from console.model_folder import ModelError
from console.nlu_files import ContradictionsError, LabelError
from console.spreadsheet import SpreadsheetError
from console.thresholds import ThresholdConflictError, ThresholdsError
from console.versions import LaterChangesError, NoVersionError, VersionsError
from console.yaml_text import YamlTextError
from rag.errors import CovanError, IndexUnusableError, KnowledgeError, QuestionsError
from rag.graph.store import GraphError
from rag.language_model.types import ModelUnavailableError
from rag.messages import in_language

logger = logging.getLogger(__name__)

_STATUS = {"not_found": 404, "closed": 409, "taken": 409, "window": 409, "bad_request": 400}


def on_refused(request: Request, error: Exception) -> Response:
    """Answer 403, and note it."""
    assert isinstance(error, RefusedRequestError)
    console_of(request).audit.note_refusal(error.login, f"{request.method} {_route(request)}", error.code)
    messages = {
        "signed_out": "sign in first",
        "csrf": f"the header {CSRF_HEADER} is missing or of another session",
        "forbidden": "this account has no right to do that",
    }
    return _fault(403, error.code, messages[error.code])


def on_account_error(_request: Request, error: Exception) -> Response:
    """Answer 404, 409 or 400."""
    assert isinstance(error, AccountError)
    status = {
        "not_found": 404,
        "login_taken": 409,
        "last_administrator": 409,
        "second_factor_on": 409,
        "second_factor_off": 409,
    }.get(error.code, 400)
    return _fault(status, error.code, str(error))


def on_conflict(request: Request, error: Exception) -> Response:
    """Answer 409 with the text as it stands in the file, and who saved it last in the console."""
    assert isinstance(error, ConflictError)
    by = _last_saved(console_of(request), error.entry_id)
    return _fault(409, "conflict", str(error), theirs=error.theirs, version=error.version, saved=by)


def on_changed_parts(request: Request, error: Exception) -> Response:
    """Answer 409 with both texts of each part, and who saved it last in the console."""
    assert isinstance(error, ChangedPartsError)
    console = console_of(request)
    changed = [{**asdict(each), "saved": _last_saved(console, each.part_id)} for each in error.changed]
    return _fault(409, "parts_changed", str(error), changed=changed)


def on_account_conflict(request: Request, error: Exception) -> Response:
    """Answer 409 with the account as it is, and who saved it last."""
    assert isinstance(error, AccountConflictError)
    saved = _last(console_of(request), ("add_person", "change_person"), error.now.login)
    return _fault(
        409, "conflict", str(error), theirs=asdict(error.now), version=error.now.version, saved=saved
    )


def on_new_accounts_conflict(request: Request, error: Exception) -> Response:
    """Answer 409 with the domains and roles of new accounts as they are, and who saved them last."""
    assert isinstance(error, NewAccountsConflictError)
    domains, roles = error.now
    saved = _last(console_of(request), ("new_accounts",))
    return _fault(409, "conflict", str(error), theirs={"domains": domains, "roles": roles}, saved=saved)


def on_threshold_conflict(request: Request, error: Exception) -> Response:
    """Answer 409 with the threshold in use, None for the shipped one, and who chose it."""
    assert isinstance(error, ThresholdConflictError)
    saved = _last(console_of(request), ("threshold", "threshold_back"))
    theirs = shown_choice(error.now)
    return _fault(409, "conflict", str(error), theirs=theirs, version=error.version, saved=saved)


def on_model_choice_conflict(request: Request, error: Exception) -> Response:
    """Answer 409 with the choice in use, and who made it."""
    assert isinstance(error, ModelChoiceConflictError)
    saved = _last(console_of(request), ("choose_model",))
    theirs = error.now.model_dump(mode="json")
    return _fault(409, "conflict", str(error), theirs=theirs, version=error.version, saved=saved)


def on_in_use(_request: Request, error: Exception) -> Response:
    """Answer 409 with the places that use it."""
    assert isinstance(error, InUseError)
    return _fault(409, "in_use", str(error), uses=[asdict(use) for use in error.uses])


def on_canned_reply_error(_request: Request, error: Exception) -> Response:
    """Answer 409."""
    assert isinstance(error, CannedReplyError)
    return _fault(409, error.code, str(error))


def on_canned_reply_conflict(request: Request, error: Exception) -> Response:
    """Answer 409 with the canned reply as it is, and who saved it last."""
    assert isinstance(error, CannedReplyConflictError)
    saved = _person(console_of(request), error.login, error.at)
    return _fault(
        409, "conflict", str(error), theirs=asdict(error.now), version=error.now.version, saved=saved
    )


def on_canned_reply_deleted(request: Request, error: Exception) -> Response:
    """Answer 404 with who deleted the canned reply."""
    assert isinstance(error, CannedReplyDeletedError)
    deleted = _last(console_of(request), ("delete_canned_reply",), str(error.reply_id))
    return _fault(404, error.code, str(error), deleted=deleted)


def on_kept_draft_error(request: Request, error: Exception) -> Response:
    """Answer 404, or 409; of a draft that has changed, with who saved or reviewed it last."""
    assert isinstance(error, KeptDraftError)
    status = 404 if error.code == "no_kept_draft" else 409
    if error.now is None:
        return _fault(status, error.code, str(error))
    by = _person(console_of(request), error.now.login, error.now.at)
    return _fault(status, error.code, str(error), saved=by)


def on_faulty(request: Request, error: Exception) -> Response:
    """Answer 422 with every problem, and its place where it has one.

    `lacking` are the facts that calculators need and the school does not have; they are no `problems` besides.
    """
    language = language_of(request)
    assert isinstance(error, CovanError)
    if not isinstance(error, KnowledgeError):
        return _fault(422, "faulty", error.told(language))
    problems = [
        {"file": each.file, "line": each.line, "message": in_language(each.message, language)}
        for each in error.problems
        if not is_lacking(each)
    ]
    console = console_of(request)
    lacking = lacking_facts(error.problems, console.publisher.facts, console.fact_labels())
    return _fault(422, "faulty", error.told(language), problems=problems, lacking=lacking)


def on_questions_error(request: Request, error: Exception) -> Response:
    """Answer 422 with every problem of a file of questions."""
    assert isinstance(error, QuestionsError)
    return _fault(422, "faulty", error.told(language_of(request)))


def on_contradictions(_request: Request, error: Exception) -> Response:
    """Answer 409 with the place of each message that has another intent."""
    assert isinstance(error, ContradictionsError)
    found = [
        {
            "number": each.number,
            "text": each.label.text,
            "intent": each.label.intent,
            "other": asdict(each.other),
        }
        for each in error.found
    ]
    return _fault(409, "contradiction", str(error), contradictions=found)


def on_label_error(_request: Request, error: Exception) -> Response:
    """Answer 422."""
    assert isinstance(error, LabelError)
    return _fault(422, error.code, str(error))


def on_later_changes(_request: Request, error: Exception) -> Response:
    """Answer 409 with the files that were changed again."""
    assert isinstance(error, LaterChangesError)
    return _fault(409, "later_changes", str(error), files=list(error.names))


def on_document_file_error(_request: Request, error: Exception) -> Response:
    """Answer 422."""
    assert isinstance(error, DocumentFileError)
    return _fault(422, f"document_{error.code}", str(error))


def on_spreadsheet_error(_request: Request, error: Exception) -> Response:
    """Answer 422."""
    assert isinstance(error, SpreadsheetError)
    return _fault(422, f"sheet_{error.code}", str(error))


def on_model_error(_request: Request, error: Exception) -> Response:
    """Answer 409."""
    assert isinstance(error, ModelError | ThresholdsError)
    return _fault(409, error.code, str(error))


def on_invitation_error(_request: Request, error: Exception) -> Response:
    """Answer 404, 409 or 429."""
    assert isinstance(error, InvitationError)
    status = {"no_invitation": 404, "too_fast": 429}.get(error.code, 409)
    return _fault(status, error.code, str(error))


def on_no_draft_check(_request: Request, error: Exception) -> Response:
    """Answer 404."""
    return _fault(404, DraftCheckError.code, str(error))


def on_draft_build_error(_request: Request, error: Exception) -> Response:
    """Answer 409."""
    assert isinstance(error, DraftBuildError)
    return _fault(409, error.code, str(error))


def on_no_draft(_request: Request, error: Exception) -> Response:
    """Answer 404."""
    return _fault(404, "no_draft", str(error))


def on_no_page(_request: Request, error: Exception) -> Response:
    """Answer 404."""
    return _fault(404, "no_page", str(error))


def on_not_there(_request: Request, error: Exception) -> Response:
    """Answer 404."""
    return _fault(404, "not_found", str(error))


def on_versions_error(_request: Request, error: Exception) -> Response:
    """Answer 503; the log has what git said."""
    logger.error("git failed in the knowledge folder: %s", error)
    return _fault(503, "versions", "git cannot be used in the knowledge folder; the console's log says why")


def on_advisors_error(_request: Request, error: Exception) -> Response:
    """Answer what the front door answered, or 503 when it cannot be reached."""
    if isinstance(error, RefusedError):
        return _fault(_STATUS.get(error.code, 400), error.code, str(error))
    return _fault(503, "no_front_door", str(error))


def on_database_error(_request: Request, error: Exception) -> Response:
    """Answer 503; the log names the fault without its values."""
    logger.error("A database cannot be used: %s", getattr(error, "orig", None) or type(error).__name__)
    return _fault(503, "database", "a database cannot be used; the console's log says which")


def on_no_graph(_request: Request, error: Exception) -> Response:
    """Answer 404."""
    return _fault(404, "no_graph", str(error))


def on_graph_error(_request: Request, error: Exception) -> Response:
    """Answer 503; the log has what the store said."""
    logger.error("The knowledge graph cannot be read: %s", error)
    return _fault(503, "graph", "the knowledge graph cannot be read; the console's log says why")


def on_no_model(_request: Request, error: Exception) -> Response:
    """Answer 409."""
    return _fault(409, "no_model", str(error))


def on_model_unavailable(_request: Request, error: Exception) -> Response:
    """Answer 503 with the model's failure."""
    assert isinstance(error, ModelUnavailableError)
    return _fault(503, f"model_{error.failure.value}", str(error))


HANDLERS: Mapping[type[Exception], Callable[[Request, Exception], Response]] = {
    RefusedRequestError: on_refused,
    AccountConflictError: on_account_conflict,
    NewAccountsConflictError: on_new_accounts_conflict,
    AccountError: on_account_error,
    ConflictError: on_conflict,
    InUseError: on_in_use,
    CannedReplyConflictError: on_canned_reply_conflict,
    CannedReplyDeletedError: on_canned_reply_deleted,
    CannedReplyError: on_canned_reply_error,
    KeptDraftError: on_kept_draft_error,
    ChangedPartsError: on_changed_parts,
    InvitationError: on_invitation_error,
    DraftBuildError: on_draft_build_error,
    DraftCheckError: on_no_draft_check,
    ContradictionsError: on_contradictions,
    LabelError: on_label_error,
    KnowledgeError: on_faulty,
    KnowledgeFileError: on_faulty,
    IndexUnusableError: on_faulty,
    DocumentFileError: on_document_file_error,
    ModelError: on_model_error,
    ThresholdConflictError: on_threshold_conflict,
    ThresholdsError: on_model_error,
    ModelChoiceConflictError: on_model_choice_conflict,
    SpreadsheetError: on_spreadsheet_error,
    QuestionsError: on_questions_error,
    YamlTextError: on_faulty,
    FaultyDraftsError: on_faulty,
    NoVersionError: on_not_there,
    NoDraftError: on_no_draft,
    NoPageError: on_no_page,
    NoNodeError: on_not_there,
    NoGraphError: on_no_graph,
    GraphError: on_graph_error,
    NoModelError: on_no_model,
    ModelUnavailableError: on_model_unavailable,
    NoPartError: on_not_there,
    LaterChangesError: on_later_changes,
    VersionsError: on_versions_error,
    AdvisorsError: on_advisors_error,
    sa.exc.SQLAlchemyError: on_database_error,
}


def on_http_error(_request: Request, error: Exception) -> Response:
    """Answer with a `Fault` for what FastAPI and the routes refuse."""
    assert isinstance(error, HTTPException) or hasattr(error, "status_code")
    detail = getattr(error, "detail", "")
    if isinstance(detail, dict):
        answer = _fault(error.status_code, detail["error"], detail["message"], **detail.get("detail", {}))
    else:
        answer = _fault(error.status_code, "refused", str(detail))
    answer.headers.update(getattr(error, "headers", None) or {})
    return answer


def _fault(status: int, code: str, message: str, **detail: Any) -> Response:
    return JSONResponse({"error": code, "message": message, "detail": detail}, status)


def _person(console: Console, login: str, at: float) -> Mapping[str, Any]:
    """Return the name of an account, with the time at which it did something."""
    names = console.accounts.names()
    return {"name": names.get(login, login), "at": at}


def _last_saved(console: Console, part_id: str) -> Mapping[str, Any] | None:
    """Return who saved a part of the folder last in the console, and when; None when the log does not say.

    Nobody did whose change is in no version yet: it was made in the file.
    """
    if console.publisher.may_be_by_hand(part_id):
        return None
    saved = console.audit.last_save(part_id)
    return _person(console, saved["login"], saved["at"]) if saved is not None else None


def _last(console: Console, actions: Sequence[str], target: str | None = None) -> Mapping[str, Any] | None:
    """Return who did one of these last, and when; None when the log does not say."""
    found = console.audit.latest(actions, 1, target)
    return _person(console, found[0]["login"], found[0]["at"]) if found else None


def _route(request: Request) -> str:
    """Return the path as it is declared: the one that was called may hold anything."""
    route = request.scope.get("route")
    return f"{PREFIX}{getattr(route, 'path', '')}"
