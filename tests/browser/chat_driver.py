"""What a student does on the page and sees there; and what the scripted bot says."""

from __future__ import annotations

from playwright.sync_api import Page
from rasa_stand_in import Turn

TABLE = "| Khóa | Chuẩn |\n|---|---|\n| K47 | B1 |"
QUOTE = "Sinh viên khóa 47 đến khóa 49 phải đạt bậc 3 (B1) hoặc tương đương."


def script(turn: Turn) -> list[dict[str, object]]:
    """A bot with a few answers, in the shapes that the real one sends."""
    said = turn.get("message") or turn.get("payload") or ""
    if "chuẩn tiếng Anh" in said:
        return [
            {
                "text": "Bạn thuộc khóa nào?",
                "buttons": [
                    {"title": "Khóa 47–49", "payload": '/inform{"cohort": "47"}'},
                    {"title": "Khóa 50 trở về sau", "payload": '/inform{"cohort": "50"}'},
                ],
            }
        ]
    if said == '/inform{"cohort": "47"}':
        return [
            {
                "text": f"Bạn cần đạt **bậc 3 (B1)**.\n\n{TABLE}",
                "buttons": [
                    {"title": "👍 Hữu ích", "payload": '/feedback_good{"answer_id": "a1"}'},
                    {"title": "👎 Chưa đúng ý", "payload": '/feedback_bad{"answer_id": "a1"}'},
                ],
                "custom": {
                    "type": "answer",
                    "tier": "document",
                    "confidence": 0.9,
                    "answer_id": "a1",
                    "citations": [
                        {
                            "document_id": "chuan-ngoai-ngu",
                            "title": "Quy định về chuẩn ngoại ngữ",
                            "number": "512/QĐ-ĐHSL",
                            "locator": "Điều 4, khoản 1",
                            "quote": QUOTE,
                            "url": "https://www.daihocsaola.example/512.pdf",
                        },
                        {"document_id": "d2", "title": "Sổ tay sinh viên", "url": "javascript:alert(1)"},
                        {"document_id": "d3", "title": "Thông báo số 3"},
                        {"document_id": "d4", "title": "Thông báo số 4"},
                    ],
                },
            }
        ]
    if "phúc khảo" in said:
        return [
            {
                "text": "> Phúc khảo mất bao lâu?\n\n**Điều 3, khoản 2**\n\n2. Bảy ngày.\n\n**Điều 5**\n\nMiễn phí."
            },
            {"text": "> Thời tiết thế nào?\n\nCâu này mình chưa biết."},
        ]
    if said.startswith("/feedback"):
        return [{"text": "Cảm ơn bạn!"}]
    if "dài" in said:
        return [{"text": "\n\n".join(f"Đoạn thứ {number} của một câu trả lời dài." for number in range(60))}]
    return [{"text": f"Bạn vừa hỏi: {said}"}]


class Chat:
    """What a student does on the page, and what they see."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.box = page.get_by_role("textbox")
        self.log = page.get_by_role("log")
        self.answers = page.locator(".turn.bot:not(.typing)")
        self.questions = page.locator(".turn.user")

    def ask(self, text: str) -> None:
        before = self.answers.count()
        self.box.fill(text)
        self.box.press("Enter")
        self.answers.nth(before).wait_for()

    def texts(self) -> list[str]:
        return [bubble.inner_text() for bubble in self.log.locator(".bubble").all()]
