"""Check what the action server returns, without checking the schema itself at every call.

Rasa's `RemoteAction` calls `jsonschema.validate`, which first checks the schema against the metaschema. The schema is a
constant, and its check took two fifths of the processor time of a turn (benchmarks/conversation.py). `install`
replaces it by one whose schema is compiled once; wrong results are refused as before.
"""

from __future__ import annotations

from typing import Any

from jsonschema.exceptions import best_match
from jsonschema.validators import validator_for
from rasa.core.actions.action import RemoteAction

_SCHEMA = RemoteAction.action_response_format_spec()
_VALIDATOR = validator_for(_SCHEMA)(_SCHEMA)


def check_result(_action: RemoteAction, result: dict[str, Any]) -> bool:
    """Return True when `result` has the form of an action server's response. Raises ValidationError otherwise."""
    error = best_match(_VALIDATOR.iter_errors(result))
    if error is not None:
        error.message += ". The action server returned something that is no result of an action."
        raise error
    return True


def install() -> None:
    """Make Rasa check results with `check_result`."""
    RemoteAction._validate_action_result = check_result  # type: ignore[method-assign, assignment]
