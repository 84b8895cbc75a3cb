"""The API keeps what its OpenAPI description says, for whatever an administrator sends (schemathesis)."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, cast

import schemathesis
from console_driver import PASSWORD, Enter, calls, databases
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from console.api.dependencies import COOKIE, CSRF_HEADER, PREFIX, Console
from console.app import create_app
from scripts.answer_types import ANSWERS, types_of_answers

EXAMPLES = 4
"""Of each call as it is described, and as many that are not."""

# The description needs no parts of a console.
DESCRIBED = schemathesis.openapi.from_dict(create_app(cast(Console, None), Path()).openapi())


def test_each_call_keeps_its_description(enter: Enter, console: Console) -> None:
    app = enter().app
    console.accounts.create("administrator", "Thầy Minh", ["administrator"], PASSWORD)
    called = set()
    for described in DESCRIBED.get_all_operations():
        operation = described.ok()
        called.add((operation.method.upper(), operation.path))
        for mode in GenerationMode:
            if mode is GenerationMode.NEGATIVE and not takes_anything(operation):
                continue

            @settings(
                max_examples=EXAMPLES,
                derandomize=True,
                database=None,
                deadline=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def keeps_its_description(case: Any) -> None:
                # Anew for each case: one of them signs out.
                token, session = console.accounts.sign_in("administrator", PASSWORD)
                answer = case.call(
                    app=app,
                    base_url="http://console.test",
                    headers={CSRF_HEADER: session.csrf},
                    cookies={COOKIE: token},
                )
                # A body that the schema allows may be refused all the same: a topic must exist.
                case.validate_response(answer, excluded_checks=[positive_data_acceptance])

            # Nothing is wrong where any text will do.
            with suppress(Unsatisfiable) if mode is GenerationMode.NEGATIVE else nullcontext():
                keeps_its_description()
    assert called == set(calls())


NOT_JSON = frozenset(
    {
        "GET /documents/published/{document_id}/file",
        "GET /documents/published/{document_id}/pages/{number}",
        "GET /documents/drafts/{draft_id}/pages/{number}",
    }
)


def test_each_answer_is_described() -> None:
    found = {
        f"{method.upper()} {path.removeprefix(PREFIX)}"
        for path, operations in DESCRIBED.raw_schema["paths"].items()
        for method, operation in operations.items()
        for status, response in operation["responses"].items()
        if status.startswith("2") and status != "204" and not names_fields(response)
    }

    assert found == NOT_JSON


def test_the_pages_have_the_types_of_the_answers() -> None:
    told = "console/ui/src/answers.ts is not of these answers: `make answers`"
    assert ANSWERS.read_text(encoding="utf-8") == types_of_answers(), told


def names_fields(response: Any) -> bool:
    """Whether the description of an answer says which fields it has."""
    schema = response.get("content", {}).get("application/json", {}).get("schema", {})
    return "$ref" in schema or "anyOf" in schema


def takes_anything(operation: Any) -> bool:
    """Whether a call has parameters or a body, so that there can be wrong ones."""
    return bool(operation.body or any(operation.iter_parameters()))


NUL, SURROGATE, HUGE = "a\\u0000b", "a\\ud800b", "9" * 400
"""As they stand in JSON."""


UNUSUAL = [
    ("POST", "/api/session", f'{{"login": "{NUL}", "password": "secret"}}'),
    ("POST", "/api/session", f'{{"login": "{SURROGATE}", "password": "secret"}}'),
    ("POST", "/api/session", f'{{"login": "an", "password": "{SURROGATE}"}}'),
    (
        "POST",
        "/api/people",
        f'{{"login": "an", "name": "{NUL}", "roles": ["editor"], "password": "{PASSWORD}"}}',
    ),
    ("PATCH", "/api/people/an%00", '{"version": "none", "name": "An"}'),
    ("POST", "/api/faq/entries", f'{{"question": "Hỏi?", "answer": "{NUL}", "topic": "study"}}'),
    ("POST", "/api/faq/entries", f'{{"question": "Hỏi?", "answer": "{SURROGATE}", "topic": "study"}}'),
    ("POST", "/api/gaps/aside", f'{{"traces": [{HUGE}]}}'),
    ("POST", "/api/gaps/aside", '{"traces": [9223372036854775808]}'),
    ("POST", "/api/gaps/aside", '{"traces": [true]}'),
    (
        "POST",
        "/api/faq/entries",
        '{"question": "Hỏi?", "answer": "Đáp.", "topic": "study", "tell": [-9e999]}',
    ),
    ("GET", "/api/conversations?channel=a%00b", ""),
    ("GET", f"/api/audit?before={HUGE}", ""),
    ("GET", "/api/faq/entries/%00", ""),
    ("POST", "/api/faq/entries", '{"question": '),
    ("POST", "/api/faq/entries", "[" * 100_000),
]
"""Calls that no form makes; none may succeed."""


@databases
def test_what_no_form_sends_is_refused(enter: Enter, console: Console) -> None:
    client = enter("administrator")
    for method, path, body in UNUSUAL:
        answer = client.request(
            method, path, content=body.encode(), headers={"Content-Type": "application/json"}
        )

        assert 400 <= answer.status_code < 500, (method, path, body[:99], answer.text)
        assert answer.json()["error"]
    assert [each.login for each in console.accounts.all()] == ["administrator"]


def test_a_body_that_is_no_utf_8_is_refused(enter: Enter) -> None:
    answer = enter("administrator").post(
        "/api/people", content=b'{"login": "\xff"}', headers={"Content-Type": "application/json"}
    )

    assert (answer.status_code, answer.json()["error"]) == (400, "refused")
