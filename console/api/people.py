"""Accounts, and the audit log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query

from console.accounts import Account
from console.api import answers
from console.api.dependencies import Administrator, Parts, ReadIn
from console.api.inbox import names_of
from console.api.models import ChangedAccount, NewAccount, NewAccounts
from console.audit import AuditFilters
from console.audit_names import REMOVALS, names_in_log
from console.name_order import name_order
from console.roles import ROLES
from rag.errors import IndexUnusableError
from rag.index.format import Index

router = APIRouter()


@router.get("/people", response_model=answers.PeopleList)
def people(_: Administrator, console: Parts) -> Mapping[str, Any]:
    """Return all accounts, and the roles and offices that they may have; `mails`: whether mails are sent."""
    return {
        "people": console.accounts.all(),
        "roles": list(ROLES),
        "offices": sorted(
            ({"id": office.id, "name": office.name} for office in names_of(console)[0].offices),
            key=lambda each: name_order(each["name"]),
        ),
        "mails": console.mails,
        "openid": console.openid is not None,
    }


@router.get("/people/new-accounts", response_model=answers.NewAccountsInUse)
def new_accounts(_: Administrator, console: Parts) -> Mapping[str, Any]:
    """Return the domains whose people get an account when they first sign in at the provider, and its roles."""
    domains, roles = console.accounts.new_accounts()
    return {"domains": domains, "roles": roles}


@router.put("/people/new-accounts", status_code=204)
def set_new_accounts(body: NewAccounts, account: Administrator, console: Parts) -> None:
    """Set those domains and roles. 409 with the present ones when they are not those `seen`."""
    console.accounts.set_new_accounts(body.domains, body.roles, (body.seen.domains, body.seen.roles))
    console.audit.note(account.login, "new_accounts", ", ".join(body.domains), roles=body.roles)


@router.post("/people", status_code=201)
def add_person(body: NewAccount, account: Administrator, console: Parts) -> Account:
    """Create an account."""
    made = console.accounts.create(**body.model_dump())
    console.audit.note(account.login, "add_person", made.login, roles=list(made.roles))
    return made


@router.patch("/people/{login}")
def change_person(login: str, body: ChangedAccount, account: Administrator, console: Parts) -> Account:
    """Change an account, unlock it, or close it; its sessions end. 409 with the account when it changed meanwhile."""
    seen = body.version, body.password_version
    fields = body.model_dump(exclude={"version", "password_version"})
    changed = console.accounts.change(login, **fields, seen=seen)
    given = {name: value for name, value in fields.items() if value is not None and name != "password"}
    if body.password is not None:
        given["password"] = "changed"
    console.audit.note(account.login, "change_person", login, **given)
    return changed


@router.delete("/people/{login}/second-factor", status_code=204)
def reset_second_factor(login: str, account: Administrator, console: Parts) -> None:
    """Need no code of a person who lost phone and recovery codes; their sessions end."""
    console.accounts.reset_second_factor(login)
    console.audit.note(account.login, "reset_second_factor", login)


@router.delete("/people/{login}/identity", status_code=204)
def unlink(login: str, account: Administrator, console: Parts) -> None:
    """Let another person of the provider sign in to an account; its sessions end."""
    console.accounts.unlink(login)
    console.audit.note(account.login, "unlink", login)


@router.get("/audit", response_model=answers.AuditPage)
def audit(
    _: Administrator,
    console: Parts,
    filters: Annotated[AuditFilters, Depends()],
    language: ReadIn,
    before: Annotated[int | None, Query(ge=1, lt=2**63)] = None,
) -> Mapping[str, Any]:
    """Return a page of the audit log, the newest first, and the `names` of what it is about by "kind/id"."""
    entries = console.audit.page(before, filters)
    targets = {each["target"] for each in entries}
    try:
        index: Index | None = console.publisher.live.index()
    except IndexUnusableError:
        index = None
    gone = console.audit.names_noted(targets, REMOVALS)
    names = names_in_log(targets, console.accounts.all(), index, gone, language)
    return {"entries": entries, "names": names}
