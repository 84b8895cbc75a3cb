"""Query rules: questions that are refused or asked back about in their very words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter

from console.api import answers
from console.api.dependencies import Editor, Parts, Reader
from console.api.faq import refuse_personal_data
from console.api.gaps import settle
from console.api.models import NewQueryRule, Seen
from rag.types import QueryRule

router = APIRouter()


@router.get("/query-rules", response_model=answers.QueryRuleList)
def query_rules(_: Reader, console: Parts) -> Mapping[str, Any]:
    """Return the rules, in the order of their file, with the questions of the entries that they offer."""
    asked = {entry.id: entry.question for entry in console.publisher.live.index().faq}
    return {
        "rules": [
            {
                "question": each.rule.question,
                "variants": list(each.rule.variants),
                "dimension": each.rule.dimension or "",
                "entries": [{"id": name, "question": asked.get(name, name)} for name in each.rule.entries],
                "version": each.version,
            }
            for each in console.publisher.rules.rules()
        ]
    }


@router.post("/query-rules", status_code=201, response_model=answers.MadeVersion)
def add_query_rule(body: NewQueryRule, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Publish a rule; 409 with the text in the file when the question has another one than was seen."""
    refuse_personal_data([body.question, *body.variants])
    variants = tuple(each for each in dict.fromkeys(body.variants) if each != body.question)
    rule = QueryRule(body.question, variants, body.dimension or None, tuple(dict.fromkeys(body.entries)))
    commit = console.publisher.publish_rule(rule, body.version, (account.name, account.login))
    settle(console, body.settles, "rule", account)
    console.audit.note(
        account.login, "rule", body.question, reply=body.reply, settled=len(body.settles), commit=commit
    )
    return {"index": console.publisher.live.version, "commit": commit}


@router.post("/query-rules/removal", response_model=answers.MadeVersion)
def withdraw_query_rule(body: Seen, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Take a rule away; 409 when it has changed since it was seen."""
    rule, commit = console.publisher.withdraw_rule(body.version, (account.name, account.login))
    console.audit.note(account.login, "rule_removed", rule.question, commit=commit)
    return {"index": console.publisher.live.version, "commit": commit}
