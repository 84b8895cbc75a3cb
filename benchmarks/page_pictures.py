"""Take the pictures of the chat page in docs/images/, with the real servers, a real browser and the sample school.

.venv/bin/python benchmarks/page_pictures.py            # writes docs/images/page-*.png

Each scene is a conversation of its own, on a computer, on a phone and in the dark. Chromium must be installed.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "stand_ins"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))

from chat_driver import Chat
from conftest import CHROMIUM_FLAGS, CHROMIUM_NAMES
from playwright.sync_api import Browser, Page, sync_playwright
from real_servers import WITH_CHANNELS, RealServers
from school_pages import PLAIN
from school_pages import page as page_of_school
from school_site import school_site

from covan.advisors import AdvisorsApi

OUT = Path(__file__).parents[1] / "docs" / "images"
PATIENCE_MS = 60_000
SETTLED_MS = 700
"""Milliseconds after which nothing moves any more."""

MORNING = "2026-11-23T09:00:00+07:00"
"""A Monday on which the sample school's advisors are at work."""

VIEWS: Mapping[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1000, "height": 760}},
    "phone": {"viewport": {"width": 390, "height": 780}, "device_scale_factor": 1.5},
    "dark": {"viewport": {"width": 390, "height": 780}, "device_scale_factor": 1.5, "color_scheme": "dark"},
}


def start(chat: Chat) -> None:
    """Look at what a student meets first."""
    chat.greeted()


def choice(chat: Chat) -> None:
    """Ask what depends on the student."""
    chat.ask("chuẩn tiếng Anh để tốt nghiệp là gì?")


def answer(chat: Chat) -> None:
    """Choose, and open the sources."""
    choice(chat)
    chat.options.filter(has_text="Khóa 50").last.click()
    chat.sources.last.wait_for()
    chat.sources.last.locator("summary").click()


def deadline(chat: Chat) -> None:
    """Ask for a deadline."""
    chat.ask("hạn đóng học phí học kỳ 1 là ngày nào?")


def calculator(chat: Chat) -> None:
    """Ask for what has to be computed."""
    chat.ask("em k51 cntt đại trà đăng ký 18 tín chỉ thì đóng bao nhiêu học phí?")


def crisis(chat: Chat) -> None:
    """Tell of great distress."""
    chat.ask("em tuyệt vọng lắm, em không muốn sống nữa")


SCENES: Mapping[str, Callable[[Chat], None]] = {
    "start": start,
    "choice": choice,
    "answer": answer,
    "deadline": deadline,
    "calculator": calculator,
    "crisis": crisis,
}


def opened(browser: Browser, url: str, view: str) -> Page:
    """Return a page of a new student in one of the views."""
    context = browser.new_context(**VIEWS[view], locale="vi-VN", timezone_id="Asia/Ho_Chi_Minh")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(url)
    return page


def take(page: Page, path: Path) -> None:
    """Save what is seen once it stands still."""
    page.wait_for_timeout(SETTLED_MS)
    page.screenshot(path=path, animations="disabled")
    print(f"Written: {path}")


def on_a_schools_page(browser: Browser, url: str, out: Path) -> None:
    """Take the chat on a school's own page."""
    page = opened(browser, url, "desktop")
    chat = Chat(page)
    chat.launcher.click()
    chat.greeted()
    chat.ask("thư viện mở cửa mấy giờ?")
    take(page, out / "page-school-site.png")
    page.context.close()


def with_an_advisor(browser: Browser, servers: RealServers, out: Path) -> None:
    """Take a conversation that a person has taken over."""
    page = opened(browser, servers.url, "desktop")
    chat = Chat(page)
    chat.greeted()
    chat.ask("em muốn gặp cố vấn")
    before = chat.answers.count()
    chat.ask("nhắn cán bộ tại đây")
    chat.answers.nth(before + 1).wait_for()
    chat.type("em bị trừ tiền học phí hai lần ạ")
    token = servers.settings.advisor_token.get_secret_value()
    with AdvisorsApi(servers.url, token) as advisors:
        [waiting] = advisors.list("waiting")
        advisors.reply(waiting.id, "Cô Lan", "Chào em, em gửi cô mã số sinh viên và ngày chuyển khoản nhé.")
    chat.element.locator(".turn.advisor").wait_for()
    take(page, out / "page-advisor.png")
    page.context.close()


def main() -> None:
    """Take all pictures, or those of some scenes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--scenes", nargs="+", choices=[*SCENES, "school-site", "advisor"])
    given = parser.parse_args()
    wanted = given.scenes or [*SCENES, "school-site", "advisor"]
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    directory = Path(tempfile.mkdtemp(prefix="covan-pictures-"))
    servers = RealServers(directory, names=WITH_CHANNELS, web_secret=uuid.uuid4().hex)
    servers.variables["COVAN_NOW"] = MORNING
    with school_site({"/": page_of_school(servers.url), "/school.css": PLAIN}, servers.url) as school:
        servers.settings = servers.settings.model_copy(update={"web_origins": school})
        try:
            servers.up()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)
                for scene in filter(SCENES.__contains__, wanted):
                    for view in VIEWS:
                        page = opened(browser, servers.url, view)
                        chat = Chat(page)
                        chat.greeted()
                        SCENES[scene](chat)
                        take(page, given.out / f"page-{scene}-{view}.png")
                        page.context.close()
                if "school-site" in wanted:
                    on_a_schools_page(browser, school, given.out)
                if "advisor" in wanted:
                    with_an_advisor(browser, servers, given.out)
                browser.close()
        finally:
            servers.close()
            shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
