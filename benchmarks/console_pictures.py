"""Pictures of the console's pages for the guides, from a Covan that runs and has been asked a few questions.

    .venv/bin/python benchmarks/console_pictures.py http://127.0.0.1:8080 LOGIN [--out docs/images]

The password is read from COVAN_CONSOLE_PASSWORD. Each page is taken as on a laptop and as on a phone.
"""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

SIZES = {"desktop": (1280, 800), "phone": (390, 800)}
PAGES = (
    "today",
    "inbox",
    "gaps",
    "conversations",
    "nlu",
    "faq",
    "documents",
    "versions",
    "people",
    "account",
    "start",
)
SETTLE_MS = 1_500
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("login")
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    asked = parser.parse_args()
    executable = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        for name, size in SIZES.items():
            take(browser, asked.url, asked.login, size, asked.out, name)
        browser.close()


def take(browser: Browser, url: str, login: str, size: tuple[int, int], out: Path, name: str) -> None:
    """Take the pictures of one size."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="vi-VN")
    page = context.new_page()
    page.goto(url)
    page.get_by_label("Tên đăng nhập").fill(login)
    page.get_by_role("textbox", name="Mật khẩu").fill(os.environ["COVAN_CONSOLE_PASSWORD"])
    page.get_by_role("button", name="Đăng nhập").click()
    page.get_by_role("heading", name="Hôm nay").wait_for()
    for place in PAGES:
        page.goto(f"{url}/{place}")
        page.wait_for_timeout(SETTLE_MS)
        if place in ("conversations", "inbox", "documents", "versions") and page.locator(".row").count():
            page.locator(".row").first.click()
            page.wait_for_timeout(SETTLE_MS)
        if place == "documents":
            page.get_by_role("tab", name="đoạn").click()
            page.wait_for_timeout(SETTLE_MS)
        _shoot(page, out / f"console-{place}-{name}.png")
    page.goto(f"{url}/try")
    for field, value in (("Khóa", "47"), ("Chương trình", "đại trà"), ("Ngành", "Công nghệ thông tin")):
        page.get_by_role("combobox", name=field).click()
        page.get_by_role("option", name=value).first.click()
    page.get_by_role("textbox", name="Câu hỏi").fill("cần chứng chỉ ngoại ngữ gì để tốt nghiệp")
    page.get_by_role("button", name="Hỏi", exact=True).click()
    page.get_by_test_id("reply").wait_for()
    page.wait_for_timeout(SETTLE_MS)
    _shoot(page, out / f"console-try-{name}.png")
    page.goto(f"{url}/gaps")
    page.get_by_role("button", name="Viết câu trả lời").first.click()
    page.wait_for_timeout(SETTLE_MS)
    _shoot(page, out / f"console-answer-{name}.png")
    page.goto(f"{url}/conversations")
    page.locator(".row", has_text="Đã trả lời").first.click()
    page.get_by_role("button", name="Câu trả lời này chưa đúng").click()
    page.wait_for_timeout(SETTLE_MS)
    _shoot(page, out / f"console-correct-{name}.png")
    context.close()


def _shoot(page: Page, path: Path) -> None:
    page.screenshot(path=path)
    print(path)


if __name__ == "__main__":
    main()
