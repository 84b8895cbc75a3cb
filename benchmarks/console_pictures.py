"""Pictures of the console's pages for the guides, from a Covan that runs and has been asked and corrected a few times.

    .venv/bin/python benchmarks/console_pictures.py http://127.0.0.1:8080 LOGIN [--out docs/images] [--only today faq]

The password is read from COVAN_CONSOLE_PASSWORD. Each page is taken as on a laptop and as on a phone. The language
model, where there is one, is asked a question. Drafts that are made for a picture are discarded after it.
"""

from __future__ import annotations

import argparse
import io
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "stand_ins"))

from chromium_fixture import CHROMIUM_FLAGS, CHROMIUM_NAMES
from markdown_it import MarkdownIt
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

KNOWLEDGE = Path(__file__).parents[1] / "knowledge"

SIZES = {"desktop": (1280, 800), "phone": (390, 800)}
PAGES = (
    "today",
    "inbox",
    "gaps",
    "conversations",
    "nlu",
    "models",
    "faq",
    "documents",
    "facts",
    "topics",
    "versions",
    "people",
    "account",
    "start",
)
WITH_DETAIL = ("conversations", "inbox", "documents", "topics", "versions")
"""The pages with a list beside what is chosen from it."""

PRINTED = "hoc-phi-2026.md"
PAPER = (
    "<style>body {font: 11pt serif} h1 {font-size: 13pt; text-align: center} table {border-collapse: collapse} "
    "td, th {border: 1px solid; padding: 3pt}</style>"
)

DOCUMENT, TOPIC, OFFICE = "hoc-phi-2026", "tuition", "phong-dao-tao"
"""Two people's changes of one thing, for the pictures of conflicts."""

Undo = Callable[[], None]
Scene = Callable[[Page, str, Path, str], None]
"""Takes a picture, or several: from the browser's page, Covan's address, the folder of pictures and the size's name."""

LOCKERS = """# QUY ĐỊNH VỀ THUÊ TỦ ĐỒ TẠI THƯ VIỆN

Điều 1. Mức thuê
1. Sinh viên thuê tủ đồ tại thư viện với giá 30.000 đồng một tháng, nộp trước theo học kỳ.
2. Sinh viên làm mất chìa khóa tủ đồ bồi thường 50.000 đồng.
"""

SETTLE_MS = 1_500
TIMEOUT_MS = 120_000


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("login")
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    parser.add_argument("--only", nargs="+", default=[], help="names of pictures, or of pages, to take alone")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)
        for name, size in SIZES.items():
            take(browser, asked.url, asked.login, size, asked.out, name, asked.only)
        browser.close()


def take(
    browser: Browser, url: str, login: str, size: tuple[int, int], out: Path, name: str, only: Sequence[str]
) -> None:
    """Take the pictures of one size; `only` those that are named, unless empty."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="vi-VN")
    # A change is tried on all answers, which takes a minute on a busy machine.
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    page.goto(url)
    page.get_by_label("Tên đăng nhập").wait_for()
    if not only or "signin" in only:
        _settle(page)
        _shoot(page, out / f"console-signin-{name}.png")
    page.get_by_label("Tên đăng nhập").fill(login)
    page.get_by_role("textbox", name="Mật khẩu").fill(os.environ["COVAN_CONSOLE_PASSWORD"])
    page.get_by_role("button", name="Đăng nhập").click()
    page.get_by_label("Tên đăng nhập").wait_for(state="detached")
    for place in PAGES:
        if only and place not in only:
            continue
        page.goto(f"{url}/{place}")
        _settle(page)
        if place in WITH_DETAIL and page.locator(".row").count():
            page.locator(".row").first.click()
            _settle(page)
        if place == "facts":
            page.goto(f"{url}/facts/facts.tuition.2026.cntt")
            page.get_by_label("Giá trị", exact=True).fill("570.000 đồng/tín chỉ")
            page.get_by_role("button", name="Xem sẽ đổi gì").click()
            page.get_by_test_id("changed").wait_for()
        _shoot(page, out / f"console-{place}-{name}.png")
    for pictures, scene in SCENES:
        if not only or set(pictures) & set(only):
            scene(page, url, out, name)
    context.close()


def _pressed(place: str, role: Literal["tab", "button"], label: str, picture: str) -> Scene:
    """Return what takes the picture of a page after one press on it."""

    def scene(page: Page, url: str, out: Path, name: str) -> None:
        page.goto(f"{url}/{place}")
        page.get_by_role(role, name=label).click()
        _settle(page)
        _shoot(page, out / f"console-{picture}-{name}.png")

    return scene


def _kept_drafts(page: Page, url: str, out: Path, name: str) -> None:
    """Take the pictures of a table of kept drafts, a new entry and a change that was reviewed, and of both together."""
    api, headers = page.context.request, _token(page, url)
    listed = api.get(f"{url}/api/faq", params={"text": "giờ đóng cửa ký túc xá"}).json()["entries"][0]
    entry = api.get(f"{url}/api/faq/entries/{listed['id']}").json()
    fields = {
        each: entry[each] for each in ("question", "variants", "answer", "topic", "applies_to", "sources")
    }
    question = "Thư viện có cho mượn máy tính xách tay không?"
    answer = "Có. Bạn mượn tại quầy tầng 1 bằng thẻ sinh viên, trong ngày."
    topic = api.get(f"{url}/api/faq", params={"text": "thư viện"}).json()["entries"][0]["topic"]
    kept = [
        api.post(f"{url}/api/drafts", headers=headers, data={"kind": "entry", **draft}).json()
        for draft in (
            {"entry_id": entry["id"], "seen": entry["version"], "fields": fields},
            {"fields": {"question": question, "answer": answer, "topic": topic}},
        )
    ]

    def reviewed(draft: Mapping[str, Any]) -> Any:
        review = f"{url}/api/drafts/{draft['id']}/review"
        return api.post(review, headers=headers, data={"version": draft["version"]}).json()

    try:
        kept[0] = reviewed(kept[0])
        page.goto(f"{url}/faq")
        page.get_by_test_id("kept-draft").first.wait_for()
        _settle(page)
        _shoot(page, out / f"console-drafts-{name}.png")
        kept[1] = reviewed(kept[1])
        page.goto(f"{url}/drafts")
        page.get_by_role("checkbox").first.check()
        check = page.get_by_role("button", name="Xem câu hỏi nào đổi")
        # A school without checked questions has nothing to ask.
        if check.count():
            check.click()
            page.get_by_role("button", name="Kiểm tra lại").wait_for()
        _settle(page)
        _shoot(page, out / f"console-together-{name}.png")
        if (drop := page.get_by_role("button", name="Bỏ kết quả này")).count():
            drop.click()
            check.wait_for()
    finally:
        for each in kept:
            gone = f"{url}/api/drafts/{each['id']}?version={each['version']}"
            api.delete(gone, headers=headers)


def _duplicates(page: Page, url: str, out: Path, name: str) -> None:
    """Take the picture of two entries that nearly ask the same; the second one is made for it."""
    api, headers = page.context.request, _token(page, url)
    known = api.get(f"{url}/api/faq", params={"text": "nuôi mèo trong ký túc xá"}).json()["entries"][0]
    fields = {
        "question": "Trong ký túc xá có được nuôi mèo không?",
        "answer": "Không. Ký túc xá không nhận vật nuôi; bạn hỏi ban quản lý khi cần ngoại lệ.",
        "topic": known["topic"],
        "same_entries": [known["id"]],
    }
    entry = api.post(f"{url}/api/faq/entries", headers=headers, data=fields, timeout=TIMEOUT_MS).json()["id"]
    try:
        while api.get(f"{url}/api/faq/duplicates").json()["searching"]:
            page.wait_for_timeout(SETTLE_MS)
        page.goto(f"{url}/faq")
        page.get_by_text("Gần trùng (").click()
        page.get_by_test_id("near-pair").first.wait_for()
        _settle(page)
        if name == "phone":
            # Below the page's head.
            page.get_by_test_id("near-pair").first.evaluate(
                "each => { each.style.scrollMarginTop = '6rem'; each.scrollIntoView(); }"
            )
        _shoot(page, out / f"console-duplicates-{name}.png")
    finally:
        seen = api.get(f"{url}/api/faq/entries/{entry}").json()["version"]
        removal = f"{url}/api/faq/entries/{entry}/removal"
        api.post(removal, headers=headers, data={"version": seen}, timeout=TIMEOUT_MS)


def _document_pages(page: Page, url: str, out: Path, name: str) -> None:
    """Take the picture of an uploaded PDF, printed from a document of the sample school, beside its pages."""
    text = (KNOWLEDGE / "documents" / PRINTED).read_text(encoding="utf-8").split("---\n", 2)[2]
    printer = page.context.new_page()
    printer.set_content(PAPER + MarkdownIt("commonmark").enable("table").render(text))
    content = printer.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "2cm"))
    printer.close()
    api, headers = page.context.request, _token(page, url)
    headers = {**headers, "Content-Type": "application/octet-stream"}
    sent = api.post(f"{url}/api/documents/drafts?name=quy-dinh-hoc-phi.pdf", headers=headers, data=content)
    draft = sent.json()["draft"]
    try:
        page.goto(f"{url}/documents/draft-{draft}")
        page.get_by_role("tab", name="đoạn").click()
        page.get_by_test_id("look-at").get_by_role("button").first.click()
        if name == "phone":
            page.get_by_text("Trang gốc", exact=True).click()
        page.locator("img[data-state=shown]").wait_for()
        if name == "phone":
            page.get_by_text("Đoạn đã đọc", exact=True).click()
        page.locator("[data-current]").get_by_test_id("passage").get_by_role("button").nth(1).click()
        page.get_by_test_id("frame").first.wait_for()
        _settle(page)
        _shoot(page, out / f"console-pages-{name}.png")
    finally:
        api.delete(f"{url}/api/documents/drafts/{draft}", headers=headers)


def _draft_check(page: Page, url: str, out: Path, name: str) -> None:
    """Take the picture of the checked questions that an uploaded document changes."""
    api, headers = page.context.request, _token(page, url)
    headers = {**headers, "Content-Type": "application/octet-stream"}
    sent = api.post(f"{url}/api/documents/drafts?name=thue-tu-do.txt", headers=headers, data=LOCKERS.encode())
    draft = sent.json()["draft"]
    try:
        page.goto(f"{url}/documents/draft-{draft}")
        page.get_by_label("Tên văn bản").fill("Quy định thuê tủ đồ tại thư viện")
        page.get_by_role("button", name="Xem câu hỏi nào đổi").click()
        page.get_by_test_id("checked").wait_for()
        page.get_by_role("button", name="Đăng", exact=True).scroll_into_view_if_needed()
        _settle(page)
        _shoot(page, out / f"console-check-{name}.png")
    finally:
        api.delete(f"{url}/api/documents/drafts/{draft}", headers=headers)


def _token(page: Page, url: str) -> dict[str, str]:
    """Return the header that each change must carry."""
    session: dict[str, Any] = page.context.request.get(f"{url}/api/session").json()
    return {"X-CSRF-Token": str(session["csrf"])}


class Colleague:
    """Somebody else who is signed in, with an account of their own that is closed at the end."""

    LOGIN, NAME = "thay-binh", "Thầy Bình"

    def __init__(self, page: Page, url: str) -> None:
        self._own, self._own_token, self._url = page.context.request, _token(page, url), url
        password = secrets.token_urlsafe(16)
        made = {"login": self.LOGIN, "name": self.NAME, "roles": ["administrator"], "password": password}
        if (known := self._account()) is None:
            self._own.post(f"{url}/api/people", headers=self._own_token, data=made)
        else:
            seen = {each: known[each] for each in ("version", "password_version")}
            self._change({**seen, "password": password, "active": True})
        browser = page.context.browser
        assert browser is not None
        self._context = browser.new_context()
        sent = self._context.request.post(
            f"{url}/api/session", data={"login": self.LOGIN, "password": password}
        )
        self._token = {"X-CSRF-Token": str(sent.json()["csrf"])}

    def get(self, path: str) -> Any:
        """Return what a call tells."""
        return self._context.request.get(f"{self._url}/api{path}").json()

    def send(self, method: str, path: str, body: Any) -> Any:
        """Change something; return what the call tells."""
        sent = self._context.request.fetch(
            f"{self._url}/api{path}", method=method, headers=self._token, data=body, timeout=TIMEOUT_MS
        )
        assert sent.ok, sent.text()
        return sent.json()

    def leave(self) -> None:
        """Close the account."""
        self._context.close()
        known = self._account()
        assert known is not None
        self._change({"version": known["version"], "active": False})

    def _account(self) -> Mapping[str, Any] | None:
        people = self._own.get(f"{self._url}/api/people").json()["people"]
        return next((each for each in people if each["login"] == self.LOGIN), None)

    def _change(self, body: Mapping[str, Any]) -> None:
        self._own.patch(f"{self._url}/api/people/{self.LOGIN}", headers=self._own_token, data=dict(body))


def _conflicts(page: Page, url: str, out: Path, name: str) -> None:
    """Take the pictures of what the second of two people sees who change one thing; nothing stays changed."""
    colleague = Colleague(page, url)
    try:
        for picture, change in CONFLICTS.items():
            undo = change(page, url, colleague)
            try:
                page.get_by_test_id("conflict").wait_for()
                _settle(page)
                # Below the page's head, or the dialog's.
                page.get_by_test_id("conflict").evaluate(
                    "each => { each.style.scrollMarginTop = '6rem'; each.scrollIntoView(); }"
                )
                _shoot(page, out / f"console-{picture}-{name}.png")
            finally:
                undo()
    finally:
        colleague.leave()


def _document_conflict(page: Page, url: str, colleague: Colleague) -> Undo:
    page.goto(f"{url}/documents/{DOCUMENT}")
    page.get_by_label("Số hiệu", exact=True).fill("690/QĐ-ĐHSL")
    address = f"/documents/published/{DOCUMENT}"
    told = colleague.get(address)
    theirs = {**told["fields"], "number": "689/QĐ-ĐHSL", "effective_to": "2027-08-31"}
    colleague.send("PUT", address, {**theirs, "version": told["version"]})
    page.get_by_role("button", name="Lưu", exact=True).click()

    def undo() -> None:
        colleague.send("PUT", address, {**told["fields"], "version": colleague.get(address)["version"]})

    return undo


def _topic_conflict(page: Page, url: str, colleague: Colleague) -> Undo:
    def topic() -> dict[str, Any]:
        return next(each for each in colleague.get("/topics")["topics"] if each["id"] == TOPIC)

    page.goto(f"{url}/topics/topic~{TOPIC}")
    page.get_by_label("Tên", exact=False).first.fill("Học phí, lệ phí")
    told = topic()
    counted = ("id", "entries", "documents", "calculators", "live", "due", "version", "file", "line")
    fields = {each: value for each, value in told.items() if each not in counted}
    colleague.send(
        "PUT", f"/topics/{TOPIC}", {**fields, "name": "Học phí và hoàn phí", "version": told["version"]}
    )
    page.get_by_role("button", name="Lưu", exact=True).click()

    def undo() -> None:
        colleague.send("PUT", f"/topics/{TOPIC}", {**fields, "version": topic()["version"]})

    return undo


def _catalogue_conflict(page: Page, url: str, colleague: Colleague) -> Undo:
    def office() -> dict[str, Any]:
        sections = {each["id"]: each for each in colleague.get("/catalogue")["sections"]}
        return next(each for each in sections["office"]["parts"] if each["id"] == OFFICE)

    page.goto(f"{url}/topics/office~{OFFICE}")
    page.get_by_label("Điện thoại", exact=True).fill("(0200) 3800 105")
    told = office()
    theirs = {**told["values"], "phone": "(0200) 3800 111", "location": "Nhà H2, phòng 105, Cơ sở 1"}
    colleague.send("PUT", f"/catalogue/office/{OFFICE}", {**theirs, "version": told["version"]})
    page.get_by_role("button", name="Lưu", exact=True).click()

    def undo() -> None:
        colleague.send(
            "PUT", f"/catalogue/office/{OFFICE}", {**told["values"], "version": office()["version"]}
        )

    return undo


def _account_conflict(page: Page, url: str, colleague: Colleague) -> Undo:
    login = "co-hoa"

    def account() -> dict[str, Any] | None:
        return next((each for each in colleague.get("/people")["people"] if each["login"] == login), None)

    if account() is None:
        new = {"login": login, "name": "Cô Hoa", "roles": ["advisor"], "password": secrets.token_urlsafe(16)}
        colleague.send("POST", "/people", new)
    told = account()
    assert told is not None
    kept = {each: told[each] for each in ("name", "roles", "mail", "offices")}
    page.goto(f"{url}/people")
    page.get_by_role("row", name="Cô Hoa").get_by_role("button", name="Sửa").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Biên tập").check()
    theirs = {"mail": "hoa@daihocsaola.example", "offices": ["phong-dao-tao"]}
    colleague.send("PATCH", f"/people/{login}", {**theirs, "version": told["version"]})
    form.get_by_role("button", name="Lưu").click()

    def undo() -> None:
        now = account()
        assert now is not None
        colleague.send("PATCH", f"/people/{login}", {**kept, "version": now["version"]})

    return undo


def _threshold_conflict(page: Page, url: str, colleague: Colleague) -> Undo:
    def choose(risk: float | None) -> None:
        now = colleague.get("/thresholds")
        at = now["measured"]["at"]
        colleague.send("PUT", "/thresholds", {"version": now["version"], "risk": risk, "measured_at": at})

    told = colleague.get("/thresholds")
    certified = [each["risk"] for each in told["measured"]["options"] if each["threshold"] is not None]
    page.goto(f"{url}/models")
    page.get_by_role("tab", name="Ngưỡng trả lời").click()
    page.get_by_role("slider").press("End")
    page.get_by_test_id("option").get_by_role("button", name="Dùng mức này").click()
    choose(certified[0])
    page.get_by_role("dialog").get_by_role("button", name="Dùng mức này").click()
    return lambda: choose(told["current"] and told["current"]["risk"])


def _calculator(page: Page, url: str, out: Path, name: str) -> None:
    """Take the picture of a calculator that is tried."""
    page.goto(f"{url}/facts/tuition-for-credits")
    page.get_by_label("Bạn đăng ký bao nhiêu tín chỉ?").fill("18")
    page.get_by_role("combobox", name="Ngành").click()
    page.get_by_role("option", name="Công nghệ thông tin").first.click()
    page.get_by_role("button", name="Tính", exact=True).click()
    page.get_by_test_id("outcome").wait_for()
    _settle(page)
    _shoot(page, out / f"console-calculator-{name}.png")


def _trial(page: Page, url: str, out: Path, name: str) -> None:
    """Take the picture of a question that an advisor tries."""
    page.goto(f"{url}/try")
    for field, value in (("Khóa", "47"), ("Chương trình", "đại trà"), ("Ngành", "Công nghệ thông tin")):
        page.get_by_role("combobox", name=field).click()
        page.get_by_role("option", name=value).first.click()
    page.get_by_role("textbox", name="Câu hỏi").fill("cần chứng chỉ ngoại ngữ gì để tốt nghiệp")
    page.get_by_role("button", name="Hỏi", exact=True).click()
    page.get_by_test_id("reply").wait_for()
    _settle(page)
    _shoot(page, out / f"console-try-{name}.png")


def _corrections(page: Page, url: str, out: Path, name: str) -> None:
    """Take the pictures of an answer that is written, and of corrections."""
    page.goto(f"{url}/gaps")
    page.get_by_role("button", name="Viết câu trả lời").first.click()
    _settle(page)
    _shoot(page, out / f"console-answer-{name}.png")
    page.goto(f"{url}/conversations")
    page.locator(".row", has_text="Đã trả lời").first.click()
    page.get_by_role("button", name="Câu trả lời này chưa đúng").click()
    _settle(page)
    _shoot(page, out / f"console-correct-{name}.png")
    page.get_by_role("dialog").get_by_role("button", name="Hỏi lại").click()
    _settle(page)
    _shoot(page, out / f"console-rule-{name}.png")


def _invited(page: Page, url: str, out: Path, name: str) -> None:
    """Take the pictures of an invitation to a draft, and of its tester's page."""
    page.goto(f"{url}/faq")
    page.get_by_role("textbox", name="Tìm trong").fill("giờ đóng cửa ký túc xá")
    page.get_by_test_id("entry").filter(has_text="đóng cửa").first.click()
    page.get_by_role("textbox", name="Câu trả lời", exact=True).fill(
        "Từ năm học 2026-2027, ký túc xá mở cửa lúc **5:00** và đóng cửa lúc **23:00** hằng ngày."
    )
    page.get_by_role("button", name="Mời người thử bản nháp").click()
    page.get_by_label("Mời ai").fill("Ban quản lý ký túc xá")
    page.get_by_role("button", name="Tạo đường dẫn").click()
    link = page.get_by_label("Đường dẫn").input_value()
    _settle(page)
    _shoot(page, out / f"console-invite-{name}.png")
    page.goto(link)
    page.get_by_role("textbox", name="Câu hỏi").fill("ktx mấy giờ đóng cửa")
    page.get_by_role("textbox", name="Câu hỏi").press("Enter")
    page.locator(".bubble").nth(1).wait_for()
    _settle(page)
    _shoot(page, out / f"console-invited-{name}.png")


def _knowledge(page: Page, url: str, out: Path, name: str) -> None:
    """Take the pictures of the graph and of the language model."""
    page.goto(f"{url}/graph")
    page.get_by_label("Tìm theo tên hoặc mã").fill("phong dao tao")
    page.get_by_test_id("found").get_by_role("button", name="Phòng Đào tạo").first.click()
    page.get_by_test_id("node").get_by_role("heading", name="Phòng Đào tạo").wait_for()
    _settle(page)
    _shoot(page, out / f"console-graph-{name}.png")
    page.goto(f"{url}/model")
    _settle(page)
    if page.get_by_test_id("set-up").count():
        page.get_by_label("Câu hỏi").fill("Thành phần hội đồng kỷ luật sinh viên gồm những ai?")
        page.get_by_role("button", name="Hỏi", exact=True).click()
        page.get_by_test_id("tried").wait_for()
        if name == "phone":
            page.get_by_test_id("tried").scroll_into_view_if_needed()
        _settle(page)
    _shoot(page, out / f"console-model-{name}.png")


CONFLICTS: Mapping[str, Callable[[Page, str, Colleague], Undo]] = {
    "conflict-document": _document_conflict,
    "conflict-topic": _topic_conflict,
    "conflict-catalogue": _catalogue_conflict,
    "conflict-account": _account_conflict,
    "conflict-threshold": _threshold_conflict,
}
"""The pictures of conflicts, with what makes each and returns how to undo it."""

SCENES: Sequence[tuple[Sequence[str], Scene]] = (
    (("calculator",), _calculator),
    (("try",), _trial),
    (("graph", "model"), _knowledge),
    (("thresholds",), _pressed("models", "tab", "Ngưỡng trả lời", "thresholds")),
    (("answer", "correct", "rule"), _corrections),
    (("invite", "invited"), _invited),
    (("drafts", "together"), _kept_drafts),
    (("duplicates",), _duplicates),
    (("audit",), _pressed("people", "tab", "Nhật ký", "audit")),
    (("pages",), _document_pages),
    (("conflicts",), _conflicts),
    (("check",), _draft_check),
)
"""The pictures of more than a page that is opened, with what takes them."""


def _settle(page: Page) -> None:
    """Wait until nothing is loaded any more."""
    page.wait_for_load_state("networkidle")
    page.get_by_text("Đang tải…").wait_for(state="hidden")
    page.wait_for_timeout(SETTLE_MS)


def _shoot(page: Page, path: Path) -> None:
    # A palette makes a third of it, and nobody sees the difference.
    Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(256).save(path, optimize=True)
    print(path)


if __name__ == "__main__":
    main()
