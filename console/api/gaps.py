"""Questions that were not answered well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from fastapi import APIRouter

from console.accounts import Account
from console.api import answers
from console.api.dependencies import Console, Editor, Parts, Reader
from console.api.kept_fields import kept_in
from console.api.models import KeptEntry, SetAside
from console.api.turn_views import Days, text_for, turn_view
from console.gaps import group_gaps
from console.personal_data import has_personal_data
from console.tables import settled

GAP_DAYS = 90
MOST_TURNS_OF_GAP = 60


router = APIRouter()


@router.get("/gaps", response_model=answers.GapList)
def gaps(account: Reader, console: Parts, days: Days = GAP_DAYS) -> Mapping[str, Any]:
    """Return the groups of questions that were not answered well, those of the most students first.

    `draft` is the kept draft of an answer to a group, null without one.
    """
    with console.database.connect() as db:
        done = list(db.scalars(sa.select(settled.c.trace_id)))
    groups, drafts = group_gaps(console.turns.gaps(days, done)), _drafts(console)
    told = [
        {
            **{name: value for name, value in group.items() if name != "traces"},
            "question": text_for(group["question"], account),
            "turns": [_gap(row, account) for row in group["traces"][:MOST_TURNS_OF_GAP]],
            "ids": [row["id"] for row in group["traces"]],
            "draft": next((drafts[row["id"]] for row in group["traces"] if row["id"] in drafts), None),
        }
        for group in groups
    ]
    return {"groups": told}


@router.post("/gaps/aside", status_code=204)
def set_aside(body: SetAside, account: Editor, console: Parts) -> None:
    """Take turns out of the gaps without an answer."""
    settle(console, body.traces, "aside", account)
    console.audit.note(account.login, "set_aside", count=len(body.traces))


def _drafts(console: Console) -> Mapping[int, Mapping[str, Any]]:
    """Return the kept draft whose entry is to settle each turn, the one that was saved last of several."""
    names = console.accounts.names()
    return {
        trace: {"id": kept.id, "author": names.get(kept.login, kept.login), "at": kept.at}
        for kept in reversed(console.kept_drafts.all())
        if isinstance(draft := kept_in(kept), KeptEntry)
        for trace in draft.settles
    }


def _gap(row: Mapping[str, Any], account: Account) -> Mapping[str, Any]:
    return {**turn_view(row, account), "personal": has_personal_data(row["question"])}


def settled_meanwhile(console: Console, traces: Sequence[int]) -> Mapping[str, Any] | None:
    """Return who settled some of these turns last, and how; None when nobody did.

    `how` is as in `console.tables.settled`; `entry` and its `answer` are empty without an entry.
    """
    wanted = settled.c.trace_id.in_([trace for trace in traces if 0 < trace < 2**63])
    with console.database.connect() as db:
        last = db.execute(sa.select(settled).where(wanted).order_by(settled.c.at.desc()).limit(1)).first()
    if last is None:
        return None
    return _settled(console, last)


def corrected(console: Console, traces: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Return who said what is right for some turns, by their ids, as `settled_meanwhile`; not those set aside."""
    wanted = sa.select(settled).where(settled.c.trace_id.in_(traces), settled.c.how != "aside")
    with console.database.connect() as db:
        rows = db.execute(wanted).all()
    return {row.trace_id: _settled(console, row) for row in rows}


def _settled(console: Console, row: sa.Row[Any]) -> Mapping[str, Any]:
    entry = console.publisher.files.entry(row.entry_id) if row.entry_id else None
    return {
        "name": console.accounts.names().get(row.login, row.login),
        "at": row.at,
        "how": row.how,
        "entry": row.entry_id,
        "question": str(entry.record.get("question") or "") if entry is not None else "",
        "answer": str(entry.record.get("answer") or "").strip() if entry is not None else "",
    }


def settle(console: Console, traces: Sequence[int], how: str, account: Account, entry_id: str = "") -> None:
    """Note that some turns are settled, and `how` (`console.tables.settled`).

    A turn that is set aside stays as it was settled before; otherwise the latest counts.
    """
    rows = [
        {
            **{"trace_id": trace, "entry_id": entry_id, "login": account.login},
            **{"at": console.clock(), "how": how},
        }
        for trace in dict.fromkeys(traces)
        if 0 < trace < 2**63
    ]
    with console.database.begin() as db:
        known = set(
            db.scalars(
                sa.select(settled.c.trace_id).where(settled.c.trace_id.in_([row["trace_id"] for row in rows]))
            )
        )
        if known and how != "aside":
            db.execute(settled.delete().where(settled.c.trace_id.in_(known)))
            known = set()
        new = [row for row in rows if row["trace_id"] not in known]
        if new:
            db.execute(settled.insert(), new)
