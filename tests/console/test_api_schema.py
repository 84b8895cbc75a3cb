"""The API keeps what its OpenAPI description says, for whatever an administrator sends (schemathesis)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import schemathesis
from console_driver import PASSWORD, Enter, databases
from hypothesis import HealthCheck, settings
from schemathesis.config import (
    CoveragePhaseConfig,
    GenerationConfig,
    PhasesConfig,
    ProjectConfig,
    ProjectsConfig,
    SchemathesisConfig,
)
from schemathesis.specs.openapi.checks import positive_data_acceptance

from console.api.dependencies import COOKIE, CSRF_HEADER, Console
from console.app import create_app

EXAMPLES = 2
"""Of each call, besides those of each boundary of each parameter."""

CONFIG = SchemathesisConfig(
    seed=1,
    projects=ProjectsConfig(
        default=ProjectConfig(
            generation=GenerationConfig(
                max_examples=EXAMPLES, deterministic=True, database="none", with_security_parameters=False
            ),
            # Starlette names the methods of one route of an address alone in `Allow`.
            phases=PhasesConfig(coverage=CoveragePhaseConfig(unexpected_methods=set())),
        )
    ),
)

# The description needs no parts of a console.
DESCRIBED = schemathesis.openapi.from_dict(create_app(cast(Console, None), Path()).openapi(), config=CONFIG)


@DESCRIBED.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_a_call_keeps_its_description(case: Any, enter: Enter, console: Console) -> None:
    app = enter().app
    if not console.accounts.all():
        console.accounts.create("administrator", "Thầy Minh", ["administrator"], PASSWORD)
    # Anew for each case: one of them signs out.
    token, session = console.accounts.sign_in("administrator", PASSWORD)

    answer = case.call(
        app=app,
        base_url="http://console.test",
        headers={CSRF_HEADER: session.csrf},
        cookies={COOKIE: token},
    )

    case.validate_response(answer, excluded_checks=[positive_data_acceptance])


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
    ("PATCH", "/api/people/an%00", '{"name": "An"}'),
    ("POST", "/api/faq/entries", f'{{"question": "Hỏi?", "answer": "{NUL}", "topic": "study"}}'),
    ("POST", "/api/faq/entries", f'{{"question": "Hỏi?", "answer": "{SURROGATE}", "topic": "study"}}'),
    ("POST", "/api/gaps/aside", f'{{"traces": [{HUGE}]}}'),
    ("POST", "/api/gaps/aside", '{"traces": [9223372036854775808]}'),
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
