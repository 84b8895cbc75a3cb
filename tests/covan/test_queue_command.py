"""`covan queue` and `covan reply`, over HTTP with the real API and database."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import advisor_api
import pytest
import yaml
from advisor_api import Office
from click.testing import Result
from command_line import SMALL_SCHOOL
from pydantic import SecretStr
from reserved_ports import reserve_port
from rich.console import Console
from typer.testing import CliRunner

from console.advisors_api import Waiting
from covan.cli import EXIT_ERROR, app
from covan.commands.queue import show_queue
from covan.commands.reply import EXIT_NOT_DELIVERED
from covan.front_door import URL_FILE
from covan.locale import FOLDER, sentences
from covan.secrets import FILE
from rag.settings import Settings, settings

TOKEN = "the-token-of-the-tests-of-the-queue"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    with advisor_api.office(
        tmp_path_factory.mktemp("advisors"), Settings(advisor_token=SecretStr(TOKEN))
    ) as running:
        yield running


@pytest.fixture
def state(office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A state folder as `covan up` leaves it while it runs."""
    (tmp_path / URL_FILE).write_text(office.url)
    (tmp_path / FILE).write_text(json.dumps({"advisor_token": TOKEN}))
    for name, value in {
        "COVAN_STATE_DIR": str(tmp_path),
        "COVAN_KNOWLEDGE_DIR": str(SMALL_SCHOOL),
        "COVAN_ADVISOR_TOKEN": "",
        "COVAN_LOCALE": "en",
        "COLUMNS": "200",
    }.items():
        monkeypatch.setenv(name, value)
    settings.cache_clear()
    yield tmp_path
    settings.cache_clear()


def covan(*arguments: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(
        app, [str(argument) for argument in arguments], input=stdin, catch_exceptions=False
    )


@pytest.mark.usefixtures("state")
def test_who_waits_is_listed_answered_and_gone(office: Office) -> None:
    number = office.asked("lan", "Em muốn bảo lưu vì lý do cá nhân", topic="tuition")

    listed = covan("queue")
    assert f"{number}  telegram" in " ".join(listed.stdout.split(" ")).replace("   ", "  ")
    assert "Em muốn bảo lưu vì lý do cá nhân" in listed.stdout
    assert "waiting" in listed.stdout

    answered = covan("reply", number, "Em nộp đơn ở phòng Đào tạo nhé.", "--as", "Cô Lan", "--give-back")
    assert answered.exit_code == 0, answered.output
    assert "Sent." in answered.stdout
    assert office.sent("lan", 3) == [
        "utter_advisor_joined Cô Lan",
        "Em nộp đơn ở phòng Đào tạo nhé.",
        "utter_advisor_left",
    ]
    assert "Em muốn bảo lưu vì lý do cá nhân" not in covan("queue").stdout
    assert "Em muốn bảo lưu vì lý do cá nhân" in covan("queue", "--all").stdout
    assert "Em muốn bảo lưu vì lý do cá nhân" in covan("queue", "--status", "closed").stdout


@pytest.mark.usefixtures("state")
def test_a_conversation_is_read_from_its_beginning(office: Office) -> None:
    number = office.asked("binh", "Học phí <b>ngành</b> [red]Luật[/red]?", office="Phòng Đào tạo")
    covan("reply", number, "--take", "--as", "Thầy Nam")
    covan("reply", number, "-", "--as", "Thầy Nam", stdin="Chào em,\nem xem trang trường nhé.\n")

    shown = covan("queue", number).stdout

    lines = [" ".join(line.split()) for line in shown.splitlines() if line.strip()]
    assert lines[0] == f"#{number} · telegram · Phòng Đào tạo · with an advisor: Thầy Nam"
    assert lines[1].endswith("Student Học phí <b>ngành</b> [red]Luật[/red]?")
    assert lines[2].endswith("Bot utter_advisor_joined Thầy Nam")
    assert lines[3].endswith("Thầy Nam (advisor) Chào em,")
    assert lines[4] == "em xem trang trường nhé."


@pytest.mark.usefixtures("state")
@pytest.mark.parametrize(
    ("silent", "left", "told"),
    [
        (timedelta(hours=1), "6 days", "at no charge until"),
        (timedelta(days=3), "3 days (charged)", "each message is charged until the student writes again"),
        (timedelta(days=6, hours=10), "13 h (charged)", "each message is charged"),
        (timedelta(days=8), "over", "what is sent now arrives when the student writes again"),
    ],
)
def test_until_when_a_platform_lets_an_answer_through_is_told(
    office: Office, silent: timedelta, left: str, told: str
) -> None:
    number = office.asked(f"z{silent.days}{silent.seconds}", channel="zalo", silent_s=silent.total_seconds())
    free = office.asked(f"t{silent.days}{silent.seconds}")
    lines = covan("queue").stdout.splitlines()

    (line,) = [line for line in lines if line.split()[:2] == [str(number), "zalo"]]
    assert "reply within" in lines[0]
    assert f"  {left}  " in line
    assert told in covan("queue", number).stdout
    assert "can be answered" not in covan("queue", free).stdout
    read = json.loads(covan("queue", number, "--json").stdout)
    opened, until = (datetime.fromisoformat(read[name]) for name in ("opened_at", "reply_until"))
    assert abs(until + silent - opened - timedelta(days=7)) < timedelta(minutes=5)
    for each in (number, free):
        covan("reply", each, "--take", "--give-back", "--as", "Cô Lan")


@pytest.mark.usefixtures("state")
def test_what_a_student_typed_commands_no_terminal(office: Office) -> None:
    number = office.asked("mai", "Hỏi \x1b]0;mine\x07\x1b[2J\u202e nhé")

    for shown in (covan("queue"), covan("queue", number), covan("queue", number, "--json")):
        assert shown.exit_code == 0
        assert not set("\x1b\x07\u202e") & set(shown.stdout)


@pytest.mark.usefixtures("state")
def test_as_json_for_other_programs(office: Office) -> None:
    number = office.asked("dung", "Em hỏi về ký túc xá")

    queue = json.loads(covan("queue", "--json").stdout)
    read = json.loads(covan("queue", number, "--json").stdout)

    assert {"id": number, "question": "Em hỏi về ký túc xá", "status": "waiting"}.items() <= {
        key: value for each in queue if each["id"] == number for key, value in each.items()
    }.items()
    assert read["messages"][0]["text"] == "Em hỏi về ký túc xá"


@pytest.mark.usefixtures("state")
@pytest.mark.parametrize(
    ("trouble", "why", "state_words"),
    [
        ("refused", "the student has blocked the bot", "given up"),
        ("held", "24 hours are over", "sent when the student writes again"),
    ],
)
def test_an_answer_that_does_not_arrive_says_why_and_keeps_the_conversation(
    office: Office, trouble: str, why: str, state_words: str
) -> None:
    sender = f"blocked-{trouble}"
    number = office.asked(sender, **{trouble: why})

    answered = covan("reply", number, "Chào em.", "--as", "Cô Lan", "--give-back")

    assert answered.exit_code == EXIT_NOT_DELIVERED
    assert f"({state_words}): {why}" in answered.stdout
    assert f"Conversation {number} has not been given back" in answered.stdout
    assert json.loads(covan("queue", number, "--json").stdout)["status"] == "taken"
    kept = [
        call
        for call in json.loads(covan("queue", "--undelivered", "--json").stdout)
        if call["sender"] == sender
    ]
    # That somebody has joined is no news the day after: it is not kept for then.
    news = [("utter_advisor_joined Cô Lan", why)] if trouble == "refused" else []
    assert [(call["text"], call["why"]) for call in kept] == [*news, ("Chào em.", why)]
    for shown in (covan("queue", "--undelivered").stdout, covan("queue", number).stdout):
        assert f"→ {why} ({state_words})" in shown

    office.deliverable(sender)
    assert covan("queue", "--send-again", kept[-1]["id"]).exit_code == 0
    assert office.sent(sender, 1) == ["Chào em."]


@pytest.mark.usefixtures("state")
def test_what_the_api_refuses_is_told_in_an_advisors_words(office: Office) -> None:
    number = office.asked("khoa")
    covan("reply", number, "--take", "--as", "Cô Lan")

    others = covan("reply", number, "Chào em.", "--as", "Thầy Nam")
    assert (others.exit_code, others.stderr) == (
        EXIT_ERROR,
        f"Another advisor answers in conversation {number}. See: covan queue {number}\n",
    )
    covan("reply", number, "--give-back", "--as", "Cô Lan")
    over = covan("reply", number, "Chào em.", "--as", "Cô Lan")
    assert over.exit_code == EXIT_ERROR
    assert over.stderr.startswith(f"Conversation {number} has ended")
    missing = covan("reply", 99_999, "Chào em.")
    assert missing.exit_code == EXIT_ERROR
    assert missing.stderr.startswith("There is no conversation 99999.")
    empty = covan("reply", office.asked("an"), "   ")
    assert empty.exit_code == EXIT_ERROR
    assert "`text` must be text of 1 to 4000 characters" in empty.stderr


@pytest.mark.usefixtures("state")
def test_a_reply_needs_something_to_do() -> None:
    assert "give the answer, or --take, or --give-back" in covan("reply", 1).stderr


def test_another_token_is_told_as_such(state: Path) -> None:
    (state / FILE).write_text(json.dumps({"advisor_token": "another"}))

    result = covan("queue")

    assert result.exit_code == EXIT_ERROR
    assert "`covan channels` does not accept this token. Set COVAN_ADVISOR_TOKEN" in result.stderr
    assert "another" not in result.stderr


def test_no_token_is_told_as_such(state: Path) -> None:
    (state / FILE).unlink()

    result = covan("queue")

    assert result.exit_code == EXIT_ERROR
    assert "There is no advisors' token" in result.stderr


def test_that_nothing_runs_is_told_as_such(state: Path) -> None:
    port = reserve_port()
    (state / URL_FILE).write_text(f"http://127.0.0.1:{port}")

    result = covan("reply", 1, "Chào em.")

    assert result.exit_code == EXIT_ERROR
    assert f"Nothing answers at http://127.0.0.1:{port}. Start Covan" in result.stderr


def test_without_covan_up_the_port_is_that_of_the_settings(
    state: Path, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state / URL_FILE).unlink()
    monkeypatch.setenv("COVAN_PAGE_PORT", str(office.port))
    settings.cache_clear()

    assert covan("queue").exit_code == 0


def test_both_languages_have_the_same_sentences() -> None:
    known = {
        path.stem: {
            (command, name, text.count("{"))
            for command, texts in yaml.safe_load(path.read_text(encoding="utf-8")).items()
            if command in ("queue", "reply")
            for name, text in texts.items()
        }
        for path in FOLDER.glob("*.yml")
    }

    assert known["vi"] == known["en"]


@pytest.mark.usefixtures("state")
def test_a_language_that_there_is_not_is_a_setting_that_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COVAN_LOCALE", "../vi")
    settings.cache_clear()

    result = covan("queue")

    assert result.exit_code == EXIT_ERROR
    assert "COVAN_LOCALE must be one of en, vi" in result.stderr


def test_eighty_columns_show_who_waits_how_long_and_until_when() -> None:
    now = datetime(2026, 11, 22, 8, tzinfo=UTC)
    waiting = Waiting(
        id=1234,
        channel="messenger",
        sender="x",
        status="waiting",
        opened_at=now - timedelta(hours=30),
        last_at=now,
        topic="study",
        question="Em muốn bảo lưu một học kỳ vì lý do sức khỏe, cần giấy tờ gì ạ?",
        reply_until=now + timedelta(days=3),
        reply_free_until=now - timedelta(hours=1),
    )
    for locale, cells in (
        ("vi", ["30 giờ", "3 ngày (có phí)", "đang chờ"]),
        ("en", ["30 h", "3 days (charged)"]),
    ):
        printed = io.StringIO()
        say = sentences(Settings(locale=locale), "queue")
        show_queue([waiting], Console(width=80, file=printed), say, {"study": "Học vụ"}, now)

        heading, line = printed.getvalue().splitlines()
        assert max(len(heading), len(line)) <= 80
        assert line.split()[:5] == ["1234", "messenger", "Học", "vụ", "Em"]
        assert all(cell in line for cell in cells), line


@pytest.mark.parametrize(
    ("waited", "told"),
    [
        (timedelta(seconds=-5), "0 phút"),
        (timedelta(minutes=119), "119 phút"),
        (timedelta(hours=2), "2 giờ"),
        (timedelta(hours=47), "47 giờ"),
        (timedelta(days=3), "3 ngày"),
    ],
)
def test_how_long_somebody_has_waited(waited: timedelta, told: str) -> None:
    now = datetime(2026, 11, 22, 8, tzinfo=UTC)
    waiting = Waiting(
        id=7, channel="web", sender="x", status="waiting", opened_at=now - waited, last_at=now, topic="fees"
    )
    printed = io.StringIO()

    say = sentences(Settings(locale="vi"), "queue")
    show_queue([waiting], Console(width=120, file=printed), say, {"fees": "Học phí"}, now)

    _, line = printed.getvalue().splitlines()
    assert line.split()[:2] == ["7", "web"]
    assert told in line
    assert "Học phí" in line
    assert "đang chờ" in line
