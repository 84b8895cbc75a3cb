"""Results of actions are checked with Rasa's own schema, which is not checked again at each call."""

import pytest
from jsonschema import ValidationError
from jsonschema.validators import Draft202012Validator
from rasa.core.actions.action import RemoteAction

import server.turn_execution  # noqa: F401 - it installs the check

ACTION = RemoteAction("action_answer", None)
RESULT = {
    "events": [{"event": "slot", "name": "language", "value": "vi"}],
    "responses": [{"text": "Chào bạn."}],
}


def test_what_an_action_returns_is_accepted():
    assert ACTION._validate_action_result(RESULT)


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        {"events": {"event": "slot"}},
        {"events": [{"name": "language"}]},
        {"events": [], "responses": "Chào bạn."},
    ],
)
def test_what_is_no_result_is_refused(wrong):
    with pytest.raises(ValidationError, match="no result of an action"):
        ACTION._validate_action_result(wrong)


def test_the_schema_is_not_checked_at_each_call(monkeypatch):
    def check_schema(*_args, **_kwargs):
        raise AssertionError("the schema is checked again")

    monkeypatch.setattr(Draft202012Validator, "check_schema", check_schema)
    assert ACTION._validate_action_result(RESULT)
