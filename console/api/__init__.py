"""The console's JSON API, below /api; its description is at /api/openapi.json.

A request is signed in by the session's cookie; one that changes something must also carry the session's token in
`X-CSRF-Token`. Without a session or the right it is refused with 403, and noted in the audit log. Errors are `Fault`s.
"""

from __future__ import annotations

from fastapi import APIRouter

from console.api import (
    calculators,
    canned_replies,
    catalogue,
    catalogue_sheet,
    checked_questions,
    conversations,
    documents,
    draft_checks,
    draft_sets,
    facts,
    faq,
    first_run,
    gaps,
    graph,
    inbox,
    invitations,
    kept_drafts,
    model,
    near_duplicates,
    nlu,
    old_contacts,
    openid,
    own_account,
    people,
    query_rules,
    sessions,
    spreadsheet,
    thresholds,
    trained_models,
    trial,
    versions,
)
from console.api.dependencies import PREFIX
from console.api.models import Fault

ROUTERS = tuple(
    each.router
    for each in (
        sessions,
        openid,
        conversations,
        gaps,
        trial,
        draft_checks,
        draft_sets,
        invitations,
        nlu,
        trained_models,
        thresholds,
        faq,
        kept_drafts,
        near_duplicates,
        query_rules,
        checked_questions,
        spreadsheet,
        documents,
        facts,
        calculators,
        catalogue,
        catalogue_sheet,
        old_contacts,
        first_run,
        inbox,
        canned_replies,
        versions,
        graph,
        model,
        own_account,
        people,
    )
)

router = APIRouter(
    prefix=PREFIX,
    responses={code: {"model": Fault} for code in (400, 403, 404, 409, 413, 422, 503)},
)
for each in ROUTERS:
    router.include_router(each)
