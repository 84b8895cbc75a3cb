"""A conversation with `action_answer`, turn by turn, with slots as Rasa stores them."""

from __future__ import annotations

from typing import Any

from turns import AT, Respond

from covan.domain import read_domain

Entity = tuple[str, str, str]


class Talk:
    """A dialogue of a student with the action. An entity is its name, its value and its words in the text."""

    def __init__(self, respond: Respond, **slots: Any) -> None:
        self.slots: dict[str, Any] = slots
        self._respond = respond
        self._at = AT
        self._before: tuple[dict[str, Any], ...] = ()

    def say(
        self,
        text: str,
        intent: str = "nlu_fallback",
        *entities: Entity,
        later_s: float = 60.0,
        confidence: float = 0.9,
    ) -> list[dict[str, Any]]:
        """Send a message and return the action's messages."""
        self._at += later_s
        said = self._respond(
            "action_answer",
            text,
            intent,
            confidence,
            entities,
            at=self._at,
            before=self._before,
            **self.slots,
        )
        self.slots |= dict(event for event in said["events"] if isinstance(event, tuple))
        messages: list[dict[str, Any]] = said["responses"]
        self._before += ({"event": "user", "text": text, "timestamp": self._at}, *map(_as_event, messages))
        return messages

    def known(self, dimension: str) -> str | None:
        """Return the stored profile value of `dimension`."""
        kept = (self.slots.get("profile") or {}).get(dimension)
        return kept[0] if kept else None

    def answers(self) -> str | None:
        """Return the id of the last answer."""
        return (self.slots.get("last_turn") or {}).get("answer_id")


def _as_event(message: dict[str, Any]) -> dict[str, Any]:
    """Return the event of a message, with the buttons that the domain gives to its response."""
    variations = read_domain()["responses"].get(message.get("response"), [{}])
    buttons = message.get("buttons") or variations[0].get("buttons")
    return {"event": "bot", "data": {"buttons": buttons, "custom": message.get("custom")}}


def k(cohort: str) -> Entity:
    """Return the entity of a cohort typed as "k48"."""
    return ("cohort", cohort, f"k{cohort}")


def names(messages: list[dict[str, Any]]) -> list[str]:
    """Return the names of the responses, in order."""
    return [message.get("response", "") for message in messages]
