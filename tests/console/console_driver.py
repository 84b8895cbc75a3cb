"""Who stands around the console in its tests: students who ask, the front door, the clock."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher
from embedder_stand_in import EmbedderStandIn
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from playwright.sync_api import Dialog, Locator, Page

from channels.delivery.database import Database
from channels.delivery.tables import hand_overs, ratings, said, senders, traces, turns
from console.advisors_api import Conversation, RefusedError
from console.api import ROUTERS
from console.api.dependencies import PREFIX
from rag.errors import CovanError
from rag.types import Citation

PASSWORD = "mat-khau-du-dai"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Argon2 at its weakest: what it costs is not what these tests are about."""

WRONG_SIGN_INS = 8
"""Of an address, until it has to wait."""

PAGES_A_MINUTE = 30
"""Pictures of pages of an account."""

NOW = 1_795_000_000.0

databases = pytest.mark.parametrize(
    "url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.services)], indirect=True
)


Enter = Callable[..., TestClient]
OpenPages = Callable[[str, tuple[int, int]], Page]
"""Returns the pages in a browser of this size, signed in with a role."""

FEES = {
    "facts/fees.yml": """group:  # theo Điều 4
  cntt: high
  ketoan: low

base: {high: 500.000 đồng, low: 400.000 đồng}
share: {cntt: "1", ketoan: "2"}
""",
    "calculators/fees.yml": """- id: fee
  question: Học phí ngành kế toán bao nhiêu?
  topic: tuition
  sources: [{document: quy-che-2025}]
  inputs:
    major: {dimension: major}
  cases:
    - say: "{{ number('fees.base', fact('fees.group', major)) * number('fees.share', major) | money }}"
- id: least
  question: Ngành nào học phí thấp nhất?
  topic: tuition
  sources: [{document: quy-che-2025}]
  compare:
    over: major
    columns: [{title: Học phí, title_en: Fee, value: "number('fees.base', fact('fees.group', major))"}]
  cases:
    - say: "{{ lowest_names }}"
""",
}
"""Two calculators of majors, with their facts."""

LAPTOP, PHONE = (1280, 800), (390, 844)
SIZES = [pytest.param(LAPTOP, id="laptop"), pytest.param(PHONE, id="phone")]

DROPS = "Bỏ những gì bạn vừa viết?"
"""The question of a page before it drops an advisor's unsaved text."""


class Clock:
    """A time that a test sets."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


class Students:
    """Writes turns as the front door and the action server do."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self._embedder = EmbedderStandIn()

    def asks(
        self,
        question: str,
        sender: str = "an",
        *,
        decision: str = "no_answer",
        at: float = NOW - 100,
        channel: str = "web",
        good: bool | None = None,
        handed_over: bool = False,
        took: float = 0.5,
        **more: Any,
    ) -> int:
        """Store a turn with its reply and trace; return the trace's id."""
        of = {"channel": channel, "sender": sender}
        vector = np.asarray(self._embedder.query(question), np.float16).tobytes()
        trace = {
            "vector": base64.b64encode(vector).decode(),
            "normalized": question,
            "language": "vi",
            "intents": {},
            "mentions": [],
            "profile": {},
            **more.pop("trace", {}),
        }
        row = {"source": "none", "topic": "", "intent": "ask", "confidence": 0.1, "answer_id": "", **more}
        with self.database.write() as db:
            if not db.scalar(sa.select(senders.c.sender).where(senders.c.sender == sender)):
                db.execute(senders.insert().values(**of, address="{}", heard_at=at))
            asked = db.execute(
                said.insert().values(**of, author="student", message=_message("student", question), at=at)
            ).inserted_primary_key
            turn = db.execute(
                turns.insert().values(**of, content="{}", said_id=asked[0], at=at, done_at=at + took)
            ).inserted_primary_key[0]
            reply = db.execute(
                said.insert().values(
                    **of, author="bot", turn_id=turn, message=_message("bot", "Trả lời"), at=at + 0.5
                )
            ).inserted_primary_key[0]
            if good is not None:
                rated = {
                    "said_id": reply,
                    "answer_id": row["answer_id"],
                    "good": good,
                    "reason": "",
                    "at": at,
                }
                db.execute(ratings.insert().values(**of, **rated))
            if handed_over:
                opened = {"status": "waiting", "quiet": True, "question": question}
                db.execute(hand_overs.insert().values(**of, **opened, opened_at=at + 60, last_at=at + 60))
            stored = {"turn_id": turn, "at": at, "question": question, "decision": decision, **row}
            made = db.execute(traces.insert().values(**of, **stored, trace=json.dumps(trace)))
        return int(made.inserted_primary_key[0])


def _message(author: str, text: str) -> str:
    return json.dumps({"author": author, "text": text, "by": "", "options": [], "citations": []})


class StandInRasa:
    """A Rasa that takes over every model, or refuses each."""

    def __init__(self) -> None:
        self.took_over: list[str] = []
        self.is_running = True
        self.refuses = False

    def wait_until_live(self, model: Path) -> bool:
        assert model.is_file()
        if self.refuses:
            raise CovanError(f"the running Rasa could not load {model.name}")
        self.took_over += [model.name] if self.is_running else []
        return self.is_running


class FrontDoor:
    """The advisors' API without a front door: takes down what it is asked for."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, str]] = []
        self.cited: list[Sequence[Citation]] = []
        self.unreachable: set[str] = set()
        self.noted: list[tuple[str, str]] = []
        self.handed_on: list[dict[str, str]] = []
        self.conversations: list[Conversation] = []

    def __enter__(self) -> FrontDoor:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def queue(self, status: str = "all") -> list[Any]:
        return [each for each in self.conversations if status in ("all", each.status)]

    def conversation(self, number: int) -> Any:
        for each in self.conversations:
            if each.id == number:
                return each
        raise RefusedError("not_found", "there is no such conversation")

    def take(self, _number: int, by: str) -> None:
        raise RefusedError("taken", f"not for {by}")

    def reply(self, _number: int, _by: str, _text: str) -> int:
        return 1

    def preview(self, _number: int, by: str, text: str) -> list[str]:
        return [f"{by}: {text}"]

    def previews(self, text: str, citations: Sequence[Citation] = ()) -> dict[str, list[str]]:
        first, _, rest = text.strip().replace("**", "").partition("\n")
        sources = [f"Nguồn: {each.title}, {each.locator}" for each in citations]
        return {"web": [text], "messenger": [each for each in (first, rest.strip(), *sources) if each]}

    def note(self, _number: int, by: str, text: str) -> None:
        self.noted.append((by, text))

    def hand_on(self, _number: int, by: str, **to: str) -> None:
        self.handed_on.append({"by": by, **to})

    def give_back(self, _number: int, _by: str) -> None:
        """Nothing to do."""

    def answer_later(
        self, channel: str, sender: str, _by: str, text: str, citations: Sequence[Citation] = ()
    ) -> None:
        if sender in self.unreachable:
            raise RefusedError("window", "too late")
        self.told.append((channel, sender, text))
        self.cited.append(citations)


def calls() -> list[tuple[str, str]]:
    """Return the method and the address of each call of the API."""
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    return sorted((method, f"{PREFIX}{route.path}") for route in routes for method in route.methods)


_WIDE = """() => {
  const name = (each) => `${each.tagName.toLowerCase()}.${[...each.classList].join(".")}: ${each.scrollWidth}`;
  // The lines of a calculator's text stand beside their numbers: they are not broken.
  const scrolls = (each) =>
    each.scrollWidth > each.clientWidth + 1 && ["auto", "scroll"].includes(getComputedStyle(each).overflowX) &&
    !each.closest(".lined");
  const page = document.scrollingElement;
  const found = [...document.querySelectorAll("body *")].filter((each) => each.clientWidth > 0 && scrolls(each));
  return [...(page.scrollWidth > window.innerWidth ? [page] : []), ...found].map(name);
}"""


def scrolling_sideways(page: Page) -> list[str]:
    """Return what scrolls sideways, the page itself or an element in it, with the width of its content in pixels."""
    return list(page.evaluate(_WIDE))


def in_view(page: Page) -> bool:
    """Return whether nothing makes the page scroll sideways."""
    return bool(page.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth"))


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder; return what it says."""
    ran = subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True)
    return ran.stdout.strip()


class Asked:
    """What a browser asks whoever leaves a page: `messages` are its questions, each "stay" as long as `stays`.

    A reload is asked about in the browser's own words: "beforeunload".
    """

    def __init__(self, page: Page) -> None:
        self.messages: list[str] = []
        self.stays = True
        page.on("dialog", self._answer)

    def _answer(self, dialog: Dialog) -> None:
        self.messages.append(dialog.message or dialog.type)
        if self.stays:
            dialog.dismiss()
        else:
            dialog.accept()


def new_entry(page: Page) -> Locator:
    """Return the form of a new FAQ entry."""
    page.goto("/faq")
    page.get_by_role("button", name="Thêm câu").click()
    return page.get_by_role("dialog")


def fill_day(field: Locator, day: str) -> None:
    """Type a day (ISO 8601) as people here write it, and leave the field: the calendar below it closes."""
    field.fill(f"{date.fromisoformat(day):%d/%m/%Y}")
    field.press("Tab")


def fill_in(form: Locator, answer: str, question: str = "", topic: str = "Học vụ") -> None:
    """Write an FAQ entry; without a question, the one that stands there stays."""
    if question:
        form.get_by_role("textbox", name="Câu hỏi").fill(question)
    form.get_by_role("textbox", name="Câu trả lời").fill(answer)
    form.get_by_role("combobox", name="Chủ đề").click()
    form.page.get_by_role("option", name=topic).click()
