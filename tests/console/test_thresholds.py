"""The threshold is chosen on labelled questions, holds at the next question, and is taken back."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from console_driver import Enter
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient

from console.api.dependencies import Console
from console.knowledge_files import contents_of
from console.replaced_file import write_contents
from covan.calibrating.observe import Observation, write_observations
from covan.evaluation.labels import LabelKind, read_labelled
from rag.decide.calibration import load_calibration, save_calibration
from rag.ingest.checked_questions import CheckedQuestion
from rag.live_engine import LiveEngine
from rag.types import Question

QUESTIONS = 300
WRONG_EVERY = 20
LABELLED = "id,question,decision,source\n1,đóng học phí trễ có sao không,answer,tuition-deadline\n"


def observation(number: int) -> Observation:
    """Return what the engine said to a question: one in twenty is wrong, and those are the least sure ones."""
    wrong = number % WRONG_EVERY == 0
    return Observation(
        id=str(number),
        question=f"Câu hỏi {number}?",
        expected="answer",
        topic="study",
        source="other",
        right=not wrong,
        confidence=0.3 + number / 1_000 if wrong else 0.5 + number / 1_000,
        signals={},
        reasons=(),
    )


def see_answers(console: Console, tmp_path: Path) -> None:
    """Let a measurement see 300 answers."""
    seen = tmp_path / "seen.jsonl"
    write_observations(seen, map(observation, range(QUESTIONS)))
    code = "import pathlib, sys; assert pathlib.Path(sys.argv[1]).read_bytes(); "
    code += (
        "pathlib.Path(sys.argv[2], 'observations-covan.jsonl').write_bytes(open(sys.argv[3], 'rb').read()); "
    )
    code += "raise SystemExit(1)"  # nothing is certified with the command's own risk
    console.thresholds.command = lambda questions, out: [
        *(sys.executable, "-c", code, str(questions), str(out), str(seen))
    ]


@pytest.fixture
def editor(enter: Enter, console: Console, tmp_path: Path) -> TestClient:
    """Signed in where a measurement sees 300 answers."""
    see_answers(console, tmp_path)
    return enter("editor")


def upload(client: TestClient, content: bytes = LABELLED.encode(), name: str = "q.csv") -> Any:
    return client.post("/api/thresholds/questions", params={"name": name}, content=content)


def measured(client: TestClient) -> dict[str, Any]:
    """Upload questions; return the state when they are asked."""
    assert upload(client).status_code == 202
    return when_asked(client)


def when_asked(client: TestClient) -> dict[str, Any]:
    """Return the state when the measurement that is under way has ended."""
    while True:
        told = dict(client.get("/api/thresholds").json())
        if told["measuring"]["step"] != "asking":
            return told
        time.sleep(0.02)


def put(client: TestClient, risk: float | None, at: float = 0.0, version: str = "") -> Any:
    """Choose a risk, in the place of the choice in use or of the one with `version`."""
    seen = version or client.get("/api/thresholds").json()["version"]
    return client.put("/api/thresholds", json={"version": seen, "risk": risk, "measured_at": at})


def go_back(client: TestClient) -> Any:
    seen = client.get("/api/thresholds").json()["version"]
    return client.post("/api/thresholds/roll-back", json={"version": seen})


def test_each_risk_has_its_coverage(editor: TestClient) -> None:
    assert editor.get("/api/thresholds").json()["measured"] is None

    told = measured(editor)

    assert told["measuring"]["step"] == "done"
    found = told["measured"]
    assert (found["file"], found["by"], found["questions"]) == ("q.csv", "Cô editor", QUESTIONS)
    assert found["index_version"] == told["index_version"]
    options = found["options"]
    assert [each["coverage"] for each in options] == sorted(each["coverage"] for each in options)
    assert all(each["error"] <= each["risk"] for each in options if each["threshold"] is not None)
    assert options[0]["threshold"] is None or options[0]["coverage"] < options[-1]["coverage"]
    assert found["curve"][-1] == [1.0, 1 / WRONG_EVERY]


def test_a_chosen_risk_is_the_calibration_at_once_and_can_be_taken_back(
    editor: TestClient, console: Console, tmp_path: Path
) -> None:
    index = tmp_path / "index"
    live = LiveEngine(index, embedder=EmbedderStandIn())
    before = live.current()
    found = measured(editor)["measured"]

    def choose(risk: float | None) -> dict[str, Any]:
        answer = put(editor, risk, found["at"])
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    told = choose(0.05)

    kept = load_calibration(index, "covan")
    assert kept is not None
    assert kept.threshold is not None
    assert (kept.risk, kept.delta, kept.index_version) == (0.05, 0.1, found["index_version"])
    option = next(each for each in found["options"] if each["risk"] == 0.05)
    assert (kept.threshold, kept.counts.answered) == (option["threshold"], option["answered"])
    assert told["current"]["risk"] == 0.05
    # The engine that was open all the time, without a restart.
    assert live.current() is not before
    assert live.current().reply(Question("Học phí?"))

    choose(0.1)
    back = go_back(editor).json()
    assert back["current"]["risk"] == 0.05
    assert load_calibration(index, "covan") == kept
    assert choose(None)["current"] is None
    assert load_calibration(index, "covan") is None
    assert go_back(editor).json()["current"]["risk"] == 0.05
    history = [(each["action"], each["target"]) for each in editor.get("/api/models").json()["history"]]
    assert history == [
        ("threshold_back", "5 %"),
        ("threshold", ""),
        ("threshold_back", "5 %"),
        ("threshold", "10 %"),
        ("threshold", "5 %"),
    ]
    assert {each["login"] for each in console.audit.page()} == {"editor"}


@pytest.mark.parametrize(
    ("risk", "error"), [(0.05, "not_measured"), (0.05, "measured_again"), (0.0001, "not_certified")]
)
def test_what_cannot_be_chosen_is_refused(
    editor: TestClient, console: Console, tmp_path: Path, risk: float, error: str
) -> None:
    at = measured(editor)["measured"]["at"] if error != "not_measured" else 0.0
    at += error == "measured_again"

    refused = put(editor, risk, at)

    assert (refused.status_code, refused.json()["error"]) == (409, error)
    assert load_calibration(tmp_path / "index", "covan") is None
    assert go_back(editor).json()["error"] == "no_before"
    assert not {"threshold", "threshold_back"} & {each["action"] for each in console.audit.page()}


def test_of_two_who_choose_at_once_the_second_sees_the_first_choice(
    editor: TestClient, enter: Enter, console: Console, tmp_path: Path
) -> None:
    at = measured(editor)["measured"]["at"]
    seen = editor.get("/api/thresholds").json()["version"]
    assert put(enter("administrator", "editor"), 0.1, at, seen).status_code == 200
    kept = load_calibration(tmp_path / "index", "covan")
    assert kept is not None

    refusals = [
        put(editor, 0.05, at, seen),
        put(editor, None, version=seen),
        editor.post("/api/thresholds/roll-back", json={"version": seen}),
    ]

    now = editor.get("/api/thresholds").json()
    for refused in refusals:
        assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
        detail = refused.json()["detail"]
        assert (detail["theirs"], detail["version"]) == (now["current"], now["version"])
        assert (detail["theirs"]["risk"], detail["theirs"]["counts"]["answered"]) == (
            0.1,
            kept.counts.answered,
        )
        assert detail["saved"]["name"] == "Cô administrator-editor"
    assert load_calibration(tmp_path / "index", "covan") == kept
    assert [each["action"] for each in console.audit.page()].count("threshold") == 1

    # The shipped threshold is a choice, too.
    assert put(editor, None, version=now["version"]).status_code == 200
    gone = put(editor, 0.05, at, now["version"]).json()
    assert (gone["detail"]["theirs"], gone["detail"]["version"]) == (None, seen)
    assert put(editor, 0.05, at, seen).json()["current"]["risk"] == 0.05


def test_a_choice_is_tried_on_the_checked_questions_before_it_is_used(
    editor: TestClient, console: Console, tmp_path: Path
) -> None:
    pets, transcript = "Ở ký túc xá có được nuôi chó mèo không?", "Xin bảng điểm ở đâu?"
    files, index = console.publisher.files, tmp_path / "index"
    edit = files.with_checked([CheckedQuestion(pets), CheckedQuestion(transcript, "study-transcript")])
    assert edit is not None
    write_contents(files.knowledge, contents_of([edit]))
    at = measured(editor)["measured"]["at"]

    def tried(**choice: Any) -> dict[str, tuple[str, str, bool]]:
        answer = editor.post("/api/thresholds/try", json=choice)
        assert answer.status_code == 200, answer.text
        assert answer.json()["checked"]["count"] == 2
        return {
            each["question"]: (each["before"]["decision"], each["after"]["decision"], each["right"])
            for each in answer.json()["checked"]["changed"]
        }

    assert tried(risk=0.05, measured_at=at) == {}
    assert load_calibration(index, "covan") is None
    refused = editor.post("/api/thresholds/try", json={"risk": 0.05, "measured_at": at + 1})
    assert (refused.status_code, refused.json()["error"]) == (409, "measured_again")
    assert editor.post("/api/thresholds/try", json={"back": True}).json()["error"] == "no_before"

    # A choice that lets nothing through, as it was before this one.
    assert put(editor, 0.05, at).status_code == 200
    chosen = load_calibration(index, "covan")
    assert chosen is not None
    strict = chosen.model_copy(update={"threshold": 0.9999, "by_topic": {}})
    save_calibration(index, strict)
    freer = {pets: ("no_answer", "answer", False), transcript: ("clarify", "answer", True)}
    assert tried(risk=0.05, measured_at=at) == freer
    assert tried(risk=None) == freer
    assert put(editor, None).status_code == 200
    assert tried(back=True) == {
        pets: ("answer", "no_answer", True),
        transcript: ("answer", "clarify", False),
    }
    assert load_calibration(index, "covan") is None


def test_a_measurement_that_fails_says_why_and_the_one_before_stays(
    editor: TestClient, console: Console
) -> None:
    before = measured(editor)["measured"]
    fails = [sys.executable, "-c", "raise SystemExit('CSV:2: an empty question')"]
    console.thresholds.command = lambda *_: fails

    told = measured(editor)

    assert (told["measuring"]["step"], told["measuring"]["told"]) == ("failed", "CSV:2: an empty question")
    assert told["measured"] == before


def test_a_measurement_ends_with_the_console(editor: TestClient, console: Console, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    code = f"import pathlib, time; pathlib.Path({str(begun)!r}).touch(); time.sleep(600)"
    console.thresholds.command = lambda *_: [sys.executable, "-c", code]
    upload(editor)
    while not begun.exists():
        time.sleep(0.01)

    assert upload(editor).json()["measuring"]["step"] == "asking"
    console.thresholds.close()

    assert editor.get("/api/thresholds").json()["measuring"]["step"] == "failed"


@pytest.mark.parametrize(
    "content",
    [LABELLED.encode("utf-16"), LABELLED.encode("utf-8-sig"), LABELLED.replace(",", ";").encode()],
    ids=["utf-16", "utf-8-with-a-mark", "semicolons"],
)
def test_questions_come_as_spreadsheets_save_them(
    editor: TestClient, console: Console, tmp_path: Path, content: bytes
) -> None:
    given = tmp_path / "given.csv"
    command = console.thresholds.command

    def keep(questions: Path, out: Path) -> Sequence[str]:
        shutil.copy(questions, given)
        return command(questions, out)

    console.thresholds.command = keep

    assert upload(editor, content).status_code == 202
    console.thresholds.close()

    [labelled] = read_labelled(given)
    assert labelled.question.text == "đóng học phí trễ có sao không"


@pytest.mark.parametrize(
    ("content", "code", "told"),
    [
        (b"PK\x03\x04 a workbook", "sheet_workbook", "CSV UTF-8"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "sheet_binary", "no text"),
        (b"", "faulty", "thiếu cột id, question"),
        (b"id,question\n", "faulty", "không có câu hỏi nào"),
        (b"id,question\n1,a\n", "faulty", "q.csv:1: chưa cho biết"),
        (b"id,question,decision\n1,a,maybe\n,b,answer\n", "faulty", "q.csv:3: câu hỏi chưa có id"),
        (b"id,question,decision\n1,a,maybe\n2,b,answer\n", "faulty", "câu hỏi 1: decision phải là"),
    ],
    ids=["workbook", "picture", "nothing", "no-questions", "no-labels", "no-id", "decision"],
)
def test_a_file_that_cannot_be_measured_with_is_refused_at_once(
    editor: TestClient, content: bytes, code: str, told: str
) -> None:
    refused = upload(editor, content)

    assert (refused.status_code, refused.json()["error"]) == (422, code)
    assert told in refused.json()["message"]
    assert editor.get("/api/thresholds").json()["measuring"]["step"] == ""


def test_labels_name_things_as_the_pages_do(editor: TestClient, console: Console, tmp_path: Path) -> None:
    kept = tmp_path / "kept.csv"
    code = "import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2]); raise SystemExit('kept')"
    console.thresholds.command = lambda questions, _: [sys.executable, "-c", code, str(questions), str(kept)]
    written = (
        "id;question;cohort;topic;decision;source\n"
        "1;dong tien khi nao;khoa 48;hoc phi;Trả lời;han dong hoc phi la ngay nao\n"
        "2;chuẩn ngoại ngữ;;Ngoại ngữ;hỏi lại;Khóa\n"
        "3;thời tiết;;;Không trả lời;\n"
        "4;chuẩn nào cũng được;;;answer;Chuẩn ngoại ngữ để tốt nghiệp là gì?|Chuẩn ngoại ngữ đến khóa 48\n"
    )

    assert upload(editor, written.encode()).json()["measuring"]["unknown"] == []
    when_asked(editor)

    rows = [line.split(",") for line in kept.read_text(encoding="utf-8").splitlines()[1:]]
    assert [row[2:5] for row in rows] == [
        ["48", "tuition", "answer"],
        ["", "language", "clarify"],
        ["", "", "no_answer"],
        ["", "", "answer"],
    ]
    assert [row[5] for row in rows[:3]] == ["tuition-deadline", "cohort", ""]
    # A question of two entries stands for both.
    assert len(rows[3][5].split("|")) == 3
    assert "ngoai-ngu-k48" in rows[3][5]


def test_names_for_labels_are_found_as_they_are_typed(editor: TestClient) -> None:
    def found(text: str, language: str = "vi") -> list[tuple[str, str, str]]:
        asked = {"params": {"text": text}, "headers": {"Accept-Language": language}}
        told = editor.get("/api/thresholds/names", **asked).json()["names"]
        return [(each["kind"], each["id"], each["name"]) for each in told]

    assert ("faq", "tuition-deadline", "Hạn đóng học phí là ngày nào?") in found("han DONG hoc")
    assert found("đến khóa 48") == [("document", "ngoai-ngu-k48", "Chuẩn ngoại ngữ đến khóa 48")]
    assert ("topic", "dormitory", "Ký túc xá") in found("ký túc")
    assert found("không có gì như vậy") == []
    # Names are those of the page's language.
    assert ("dimension", "cohort", "cohort") in found("cohort", "en")
    assert found("cohort") == []
    assert ("dimension", "cohort", "khóa") in found("khóa")


def test_labels_that_the_school_does_not_have_are_told_with_their_row(editor: TestClient) -> None:
    written = (
        "id,question,topic,decision,source,note\n"
        "1,đóng học phí trễ có sao không,tuition,answer,tuition-deadline|tuition-048,\n"
        "2,ở ktx mấy tháng bao nhiêu tiền,dormitry,answer,dormitory-months,\n"
        "3,chuẩn ngoại ngữ là gì,language,clarify,cohort|planet,\n"
        "4,thẻ sinh viên làm ở đâu,,answer,,\n"
        "5,thời tiết thế nào,,no_answer,nothing,\n"
    )

    told = upload(editor, written.encode()).json()["measuring"]["unknown"]

    assert [(each["line"], each["column"], each["value"], each["why"]) for each in told] == [
        (1, "note", "", "unread"),
        (2, "source", "tuition-048", "unknown"),
        (3, "topic", "dormitry", "unknown"),
        (4, "source", "planet", "unknown"),
        (5, "source", "", "empty"),
    ]
    assert when_asked(editor)["measured"]["unknown"] == told
    assert measured(editor)["measured"]["unknown"] == []


def test_the_checked_questions_show_the_curve_and_vouch_for_nothing(
    editor: TestClient, console: Console, tmp_path: Path
) -> None:
    asked = tmp_path / "asked.csv"
    code = "import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2])"
    keep, see = [sys.executable, "-c", code], console.thresholds.command

    def command(questions: Path, out: Path) -> list[str]:
        subprocess.run([*keep, str(questions), str(asked)], check=True)
        return list(see(questions, out))

    console.thresholds.command = command
    checked = [
        CheckedQuestion("học bổng nộp ở đâu", "scholarship-001"),
        CheckedQuestion("chuẩn ngoại ngữ là gì", dimension="cohort"),
        CheckedQuestion("giá vàng hôm nay, bạc nữa"),
    ]
    files = console.publisher.files
    edit = files.with_checked(checked)
    assert edit is not None
    write_contents(files.knowledge, contents_of([edit]))

    told = editor.post("/api/thresholds/checked")

    assert told.status_code == 202
    assert told.json()["checked"] == len(files.checked()) >= len(checked)
    found = when_asked(editor)["measured"]
    written = asked.read_text(encoding="utf-8").splitlines()
    first, *rows = csv.reader(written)
    assert first == ["id", "question", "decision", "source"]
    assert [row[1:] for row in rows[-3:]] == [
        ["học bổng nộp ở đâu", "answer", "scholarship-001"],
        ["chuẩn ngoại ngữ là gì", "clarify", "cohort"],
        ["giá vàng hôm nay, bạc nữa", "no_answer", ""],
    ]
    assert (found["file"], found["questions"]) == ("", QUESTIONS)
    assert [each.kind for each in read_labelled(asked)] == [LabelKind.DECISION] * (len(written) - 1)
    assert put(editor, 0.05, found["at"]).json()["error"] == "not_certified"


def test_without_checked_questions_nothing_is_measured(editor: TestClient, console: Console) -> None:
    (console.publisher.files.knowledge / "checked.yml").unlink(missing_ok=True)

    told = editor.post("/api/thresholds/checked").json()

    assert (told["checked"], told["measuring"]["step"]) == (0, "")
