"""Mails to the advisors of an office when a student waits and nobody comes, through a real mail server."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from console_driver import NOW, PASSWORD, Clock, FrontDoor, databases
from mail_server import PASSWORD as MAIL_PASSWORD
from mail_server import USER, MailServer, mail_server

from console import waiting_mail
from console.accounts import AccountError
from console.advisors_api import NotRunningError, Waiting
from console.api.dependencies import Console
from console.mailer import Mailer, MailError
from console.waiting_mail import WaitingMail
from covan.commands.console import test_mail as send_test_mail
from rag.errors import CovanError
from rag.settings import settings
from school.catalog import Catalog, Office

WORDS = "em bị đình chỉ học, số em là 0901234567"
STUDY, MONEY = "Phòng Đào tạo", "Phòng Tài chính"
CATALOG = Catalog(offices=(Office("phong-dao-tao", STUDY), Office("phong-tai-chinh", MONEY)))
TEN_MINUTES = 600.0


def waiting(number: int, office: str = STUDY, since: float = NOW - 700) -> Waiting:
    at = datetime.fromtimestamp(since, UTC)
    return Waiting(
        id=number,
        channel="web",
        sender="an",
        status="waiting",
        office=office,
        question=WORDS,
        opened_at=at,
        last_at=at,
    )


@dataclass
class Post:
    """The mails about a queue that a test sets."""

    server: MailServer
    mailer: Mailer
    mail: WaitingMail
    queue: list[Waiting] = field(default_factory=list)

    def sent(self) -> list[tuple[str, str]]:
        """Look at who waits; return whom the mails of this look went to, with their texts."""
        self.server.mails.clear()
        self.mail.look()
        return sorted((mail["To"], mail.get_content()) for mail in self.server.mails)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[MailServer, ssl.SSLContext]]:
    with mail_server(tmp_path_factory.mktemp("mail")) as serving:
        yield serving


@pytest.fixture
def post(
    running: tuple[MailServer, ssl.SSLContext],
    console: Console,
    front_door: FrontDoor,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> Post:
    server, context = running
    server.mails.clear()
    server.unknown.clear()
    mailer = Mailer(server.host, server.port, "starttls", "covan@truong.test", USER, MAIL_PASSWORD, context)
    mail = WaitingMail(console, lambda: CATALOG, mailer, "https://covan.test", TEN_MINUTES, clock)
    made = Post(server, mailer, mail)
    monkeypatch.setattr(
        front_door, "queue", lambda status: [each for each in made.queue if each.status == status]
    )
    for login, roles, offices in (
        ("lan", ["advisor"], ["phong-dao-tao"]),
        ("binh", ["advisor"], ["phong-tai-chinh"]),
        ("minh", ["editor"], []),
    ):
        address = f"{login}@truong.test"
        console.accounts.create(login, login.title(), roles, PASSWORD, address, offices)
    console.accounts.create("hoa", "Hoa", ["advisor"], PASSWORD)
    console.accounts.create("quan-tri", "Thầy Minh", ["administrator"], PASSWORD)
    return made


@databases
def test_the_advisors_of_the_office_are_told_once(post: Post) -> None:
    post.queue = [waiting(1), waiting(2), waiting(3, MONEY), waiting(4, since=NOW - 599)]

    sent = post.sent()

    assert [to for to, _ in sent] == ["binh@truong.test", "lan@truong.test"]
    (_, of_money), (_, of_study) = sent
    assert f"- {STUDY}: 2" in of_study
    assert MONEY not in of_study
    assert f"- {MONEY}: 1" in of_money
    assert "https://covan.test/inbox" in of_study
    assert post.server.mails[0]["Subject"] == "3 sinh viên đang chờ cố vấn"
    assert post.sent() == []


def test_a_mail_has_nothing_of_a_student_and_is_encrypted(post: Post) -> None:
    post.queue = [waiting(1)]

    [(_, text)] = post.sent()

    whole = post.server.mails[0].as_string() + text
    assert not any(word in whole for word in ("đình chỉ", "0901", "web", ": an"))
    assert post.server.mails[0]["Auto-Submitted"] == "auto-generated"
    assert all(post.server.encrypted)


def test_who_is_taken_or_closed_is_not_told_of(post: Post, clock: Clock) -> None:
    post.queue = [waiting(1, since=NOW - 10)]
    assert post.sent() == []

    clock.now += 600
    post.queue = [waiting(1).model_copy(update={"status": "taken", "taken_by": "Cô Lan"})]
    assert post.sent() == []


def test_a_conversation_that_is_handed_on_is_told_of_at_its_new_office(post: Post) -> None:
    post.queue = [waiting(1)]
    assert [to for to, _ in post.sent()] == ["lan@truong.test"]

    post.queue = [waiting(1, MONEY)]
    assert [to for to, _ in post.sent()] == ["binh@truong.test"]


def test_a_student_of_no_office_is_everybodys(post: Post, console: Console) -> None:
    post.queue = [waiting(1, "")]
    assert [to for to, _ in post.sent()] == ["binh@truong.test", "lan@truong.test"]

    # Whoever looks after all offices is told of each.
    console.accounts.change("hoa", mail="hoa@truong.test")
    post.queue = [waiting(2, ""), waiting(3, MONEY)]
    assert [to for to, _ in post.sent()] == ["binh@truong.test", "hoa@truong.test"]


def test_closed_accounts_and_those_who_may_not_reply_get_no_mail(post: Post, console: Console) -> None:
    console.accounts.change("lan", active=False)
    console.accounts.change("binh", mail="")
    post.queue = [waiting(1)]

    assert post.sent() == []


def test_a_refused_mailbox_keeps_no_other_from_its_mail(post: Post, console: Console) -> None:
    console.accounts.change("hoa", mail="hoa@truong.test")
    post.server.unknown = {"lan@truong.test"}
    post.queue = [waiting(1)]
    assert [to for to, _ in post.sent()] == ["hoa@truong.test"]

    # Nobody was reached at all: it is tried again.
    console.accounts.change("hoa", mail="")
    post.queue = [waiting(2)]
    assert post.sent() == []
    post.server.unknown = set()
    assert [to for to, _ in post.sent()] == ["lan@truong.test"]


def test_a_mail_server_that_is_down_is_asked_again(post: Post) -> None:
    post.queue = [waiting(1)]
    right, post.mail._mailer = post.mail._mailer, Mailer("127.0.0.1", 9, "none", "covan@truong.test")
    with pytest.raises(MailError, match="refused"):
        post.sent()

    post.mail._mailer = right
    assert [to for to, _ in post.sent()] == ["lan@truong.test"]


def test_neither_an_unknown_certificate_nor_a_wrong_password_is_used(post: Post) -> None:
    server = post.server
    untrusting = Mailer(server.host, server.port, "starttls", "covan@truong.test", USER, MAIL_PASSWORD)
    with pytest.raises(MailError, match="certificate"):
        untrusting.send("Covan", {"lan@truong.test": "x"})

    wrong = Mailer(
        server.host, server.port, "starttls", "c@truong.test", USER, "another-secret", post.mailer.context
    )
    with pytest.raises(MailError, match="535") as refused:
        wrong.send("Covan", {"lan@truong.test": "x"})
    assert "another-secret" not in f"{refused.value} {wrong}"
    assert server.mails == []


def test_it_looks_again_and_again_until_it_is_closed(
    post: Post, front_door: FrontDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting_mail, "EVERY_S", 0.02)
    asked = 0

    def queue(_status: str) -> list[Waiting]:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise NotRunningError("the front door starts")
        return [waiting(1)]

    monkeypatch.setattr(front_door, "queue", queue)
    post.mail.start()
    deadline = time.monotonic() + 20
    while not post.server.mails and time.monotonic() < deadline:
        time.sleep(0.02)
    post.mail.close()

    assert [mail["To"] for mail in post.server.mails] == ["lan@truong.test"]


def test_the_operator_tries_the_settings(
    running: tuple[MailServer, ssl.SSLContext], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, _ = running
    server.mails.clear()
    server.unknown = {"nobody@truong.test"}
    with monkeypatch.context() as given:
        for name, value in (
            ("COVAN_SMTP_HOST", server.host),
            ("COVAN_SMTP_PORT", str(server.port)),
            ("COVAN_SMTP_USER", USER),
            ("COVAN_SMTP_PASSWORD", MAIL_PASSWORD),
            ("COVAN_SMTP_FROM", "covan@truong.test"),
            ("COVAN_CONSOLE_URL", "https://covan.test"),
            # The certificate of a school's own authority.
            ("SSL_CERT_FILE", str(server.certificate)),
        ):
            given.setenv(name, value)
        settings.cache_clear()
        send_test_mail("lan@truong.test")
        with pytest.raises(CovanError, match="550"):
            send_test_mail("nobody@truong.test")
    settings.cache_clear()
    with pytest.raises(CovanError, match="COVAN_SMTP_HOST"):
        send_test_mail("lan@truong.test")

    assert [mail["To"] for mail in server.mails] == ["lan@truong.test"]


@pytest.mark.parametrize(
    "address", ["lan", "a b@c.vn", "lan@truong.vn\nBcc: x@y.vn", "lan@", f"{'a' * 200}@b.vn"]
)
def test_a_faulty_address_is_refused(console: Console, address: str) -> None:
    with pytest.raises(AccountError) as refused:
        console.accounts.create("lan", "Lan", ["advisor"], PASSWORD, address)

    assert refused.value.code == "bad_mail"
