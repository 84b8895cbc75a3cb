"""What a student does in the chat and sees there; and what the scripted bot says."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect
from scripted_chat import Saying

TABLE = "| Khóa | Chuẩn | Hạn nộp |\n|---|---|---|\n| K47–K49 | B1 | 30/6 |\n| K50 | B2 | 31/12 |"
STEPS = (
    "1. Khai trên Cổng thông tin sinh viên.\n2. Mang bản gốc đến Trung tâm.\n3. Nhận kết quả sau **7 ngày**."
)
QUOTE = "Sinh viên khóa 47 đến khóa 49 phải đạt bậc 3 (B1) hoặc tương đương."
GREETING = "Chào bạn! Mình là trợ lý tư vấn sinh viên. Bạn cần hỏi về việc gì?"
TOPICS = ["Học phí", "Chuẩn ngoại ngữ", "Học bổng", "Tốt nghiệp"]

CITATIONS = [
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
]
CARDS = [
    {
        "kind": "contact",
        "name": "Trung tâm Ngoại ngữ",
        "phone": "0292 383 1530 (máy lẻ 12)",
        "email": "ngoaingu@daihocsaola.example",
        "address": "Tầng 2, nhà C1",
        "map_url": "https://www.daihocsaola.example/ban-do#c1",
        "hours": "Thứ hai đến thứ sáu, 7:30–11:30 và 13:30–17:00",
    },
    {"kind": "link", "title": "Cổng thông tin sinh viên", "url": "https://sv.daihocsaola.example/chung-chi"},
    {"kind": "link", "title": "Bẫy", "url": "javascript:alert(1)"},
    {"kind": "deadline", "text": "Nộp chứng chỉ đợt xét tốt nghiệp tháng 9", "date": "2031-06-30"},
]
DEADLINES = [
    {"kind": "deadline", "text": f"Đợt {text}", "date": date}
    for text, date in (
        ("cũ", "2020-01-15"),
        ("sau", "2032-03-01"),
        ("rất cũ", "2019-01-15"),
        ("tới", "2031-12-31"),
    )
]
CRISIS = "Nếu đang có nguy hiểm, hãy gọi ngay **115** (cấp cứu) hoặc **113** (công an). **Đừng** ở một mình."
LINES = [
    {"kind": "contact", "name": "Phòng Tham vấn", "phone": "0292 3800 116", "note": "trong giờ làm việc"},
    {"kind": "contact", "name": "Bảo vệ trẻ em", "phone": "111", "hours": "24/24 giờ"},
]


ANSWERS: list[tuple[str, list[Saying]]] = [
    ("/start", [{"text": GREETING, "buttons": [(topic, topic) for topic in TOPICS]}]),
    ("/profile", [{"text": "Mình chưa biết gì về bạn."}]),
    ("/advisor", [{"text": "Mình đã chuyển câu hỏi cho cố vấn."}]),
    (
        "chuẩn tiếng Anh",
        [
            {
                "text": "Bạn thuộc khóa nào?",
                "buttons": [("Khóa 47–49", "cohort 47"), ("Khóa 50 trở về sau", "cohort 50")],
            }
        ],
    ),
    (
        "cohort 47",
        [
            {
                "text": f"Bạn cần đạt **bậc 3 (B1)**.\n\n{TABLE}\n\n{STEPS}",
                "thumbs": True,
                "citations": CITATIONS,
                "cards": CARDS,
            }
        ],
    ),
    (
        "phúc khảo",
        [
            {
                "text": "> Phúc khảo mất bao lâu?\n\n**Điều 3, khoản 2**\n\n2. Bảy ngày.\n\n**Điều 5**\n\nMiễn phí."
            },
            {"text": "> Thời tiết thế nào?\n\nCâu này mình chưa biết."},
        ],
    ),
    ("hạn nộp", [{"text": "Các đợt:", "act": "answer", "cards": DEADLINES}]),
    ("mệt mỏi", [{"text": CRISIS, "act": "hand_over", "cards": LINES}]),
    ("dài", [{"text": "\n\n".join(f"Đoạn thứ {number} của một câu trả lời dài." for number in range(60))}]),
]
"""What is said to whatever has these words in it, in the shapes that the real bot sends."""


def script(said: str) -> list[Saying]:
    """A bot with a few answers."""
    return next((answer for words, answer in ANSWERS if words in said), [{"text": f"Bạn vừa hỏi: {said}"}])


class Chat:
    """What a student does in the chat, and what they see; as a page of its own or floating over another."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.element = page.locator("covan-chat")
        self.box = self.element.locator("textarea")
        self.log = self.element.get_by_role("log")
        self.answers = self.element.locator(".turn.bot:not(.typing)")
        self.questions = self.element.locator(".turn.user")
        self.bubbles = self.element.locator(".turn:not(.typing) .bubble")
        self.options = self.element.locator(".turn .options .chip")
        self.sources = self.element.locator("details.sources")
        self.launcher = self.element.locator(".launcher")
        self.panel = self.element.locator(".panel")

    def button(self, name: str) -> Locator:
        return self.element.get_by_role("button", name=name, exact=True)

    def type(self, text: str) -> None:
        """Write and send, waiting for nothing."""
        self.box.fill(text)
        self.box.press("Enter")

    def ask(self, text: str) -> None:
        """Write, send, and wait for what is said to it."""
        before = self.answers.count()
        self.type(text)
        self.answers.nth(before).wait_for()

    def answer_with_source(self) -> None:
        self.ask("Yêu cầu chuẩn tiếng Anh là gì?")
        self.button("Khóa 47–49").click()
        self.sources.first.wait_for()

    def greeted(self) -> None:
        expect(self.answers.first).to_be_visible()

    def menu(self, item: str) -> None:
        self.element.locator("#menu-button").click()
        self.element.locator("#menu").get_by_role("button", name=item, exact=True).click()

    def texts(self) -> list[str]:
        return [bubble.inner_text() for bubble in self.bubbles.all()]

    def overflow(self) -> int:
        """How many pixels something is wider than the screen, or than the conversation."""
        wider: int = self.page.evaluate(
            """() => {
              const scroller = document.querySelector('covan-chat').shadowRoot.querySelector('.scroller');
              return Math.max(document.documentElement.scrollWidth - document.documentElement.clientWidth,
                scroller.scrollWidth - scroller.clientWidth, scroller.getBoundingClientRect().right - innerWidth);
            }"""
        )
        return wider
