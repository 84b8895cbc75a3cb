"""Items of the catalogue from a spreadsheet: read and compared first, then published together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from console.api import answers
from console.api.dependencies import FILE_BODY, Console, Editor, Parts, ReadIn
from console.api.models import ManyParts
from console.catalogue_sheet import items_of
from console.dictionary_files import NOT_COMPUTED
from console.spreadsheet import cells_of
from console.versions import headline
from rag.messages import in_language
from vietnamese.language_detection import Language

router = APIRouter()


@router.post("/catalogue-sheet", openapi_extra=dict(FILE_BODY), response_model=answers.SheetItems)
async def catalogue_sheet(
    request: Request,
    _: Editor,
    console: Parts,
    section: Annotated[str, Query(min_length=1, max_length=200)],
    name: Annotated[str, Query(min_length=1, max_length=300)],
    *,
    language: ReadIn,
) -> Mapping[str, Any]:
    """Return the rows of a spreadsheet as items of a section of the catalogue; nothing is published.

    Each tells what it would add or change, and what is wrong with it.
    """
    content = await request.body()
    return await run_in_threadpool(_read, console, section, name, content, language)


@router.post("/catalogue-sheet/items", status_code=201, response_model=answers.MadeItems)
def publish(body: ManyParts, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Add and change items together: all of them or, with an error that names what is wrong, none.

    409 with the text of one that changed meanwhile. They go live with the build that follows.
    """
    known = console.publisher.dictionaries
    items = [(each.id, each.version, each.given()) for each in body.items]
    ids = [item_id for item_id, _, _ in items]
    names = [str(fields.get("name") or item_id) for item_id, _, fields in items]
    commit, warnings = console.publisher.publish_dictionary(
        lambda: known.put_together(body.section_id, items),
        (account.name, account.login),
        "catalogue",
        headline(names),
        tries=body.section_id not in NOT_COMPUTED,
    )
    console.audit.note(
        account.login, "import_catalogue", body.section_id, parts=ids, count=len(items), commit=commit
    )
    lines = {
        line
        for part in known.section(body.section_id).parts
        if part.id in ids
        for line in range(part.line, part.line + 1 + part.text.count("\n"))
    }
    told = [in_language(each.message, console.language) for each in warnings if each.line in lines]
    return {"count": len(items), "commit": commit, "warnings": told}


def _read(console: Console, section: str, name: str, content: bytes, language: Language) -> Mapping[str, Any]:
    known = console.publisher.dictionaries
    topics = {topic.id: str(topic.record.get("name") or "") for topic in known.topics()}
    sheet = items_of(cells_of(name, content), section, known.sections(), topics)
    return {
        "items": [
            {
                **asdict(item),
                "faults": [
                    {
                        "field": fault.field,
                        "column": fault.column,
                        "message": in_language(fault.message, language),
                    }
                    for fault in item.faults
                ],
            }
            for item in sheet.items
        ],
        "unread": list(sheet.unread),
    }
