"""Messages that the model was unsure of: labelled, in the files of examples, and taught at the next training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from console_driver import NOW, Enter, Students, git
from fastapi.testclient import TestClient

from console.api.dependencies import Console
from console.faq_files import FaqFiles
from console.knowledge_files import ConflictError, Edit, KnowledgeFileError, contents_of
from console.nlu_files import ContradictionsError, Label, LabelError, NluFiles, Part
from console.publishing import Publisher
from console.replaced_file import write_contents
from covan.training_data.school_teaching import SchoolTeaching
from rag.ingest.load import load_knowledge

UNSURE = {"ask_study": 0.31, "ask_tuition": 0.28, "greet": 0.1}

TOPICS = """\
# Questions by topic.
version: "3.1"

nlu:
  - intent: ask_study
    examples: |
      - rớt môn   thì sao
      # by the office
      - "học lại đóng bao nhiêu"

  # The fee desk.
  - intent: ask_tuition
    examples: |
      - hạn đóng tiền

# The end.
"""


@pytest.fixture
def school(publisher: Publisher) -> Path:
    """The folder of `publisher`, with two files of examples."""
    folder = publisher.files.knowledge
    (folder / "nlu").mkdir()
    (folder / "nlu" / "topics.yml").write_text(TOPICS, encoding="utf-8")
    names = "nlu:\n- intent: ask_study\n  examples: |\n    - {cohort} đăng ký môn\n"
    (folder / "nlu" / "names.yml").write_text(names, encoding="utf-8")
    return folder


def said(*parts: str | tuple[str, str], intent: str = "ask_study") -> Label:
    return Label([Part(part) if isinstance(part, str) else Part(*part) for part in parts], intent)


def files_of(school: Path, **seeds: list[str]) -> NluFiles:
    return NluFiles(FaqFiles(school), seeds)


def add(school: Path, *labels: Label) -> None:
    write_contents(school, contents_of(files_of(school).edits(labels)))


def read(school: Path, name: str = "topics.yml") -> str:
    return (school / "nlu" / name).read_text(encoding="utf-8")


def send(client: TestClient, *labels: Label, traces: Any = (), confirms_names: bool = False) -> Any:
    body = [
        {
            "parts": [{"text": part.text, "entity": part.entity} for part in label.parts],
            "intent": label.intent,
            "traces": list(traces),
        }
        for label in labels
    ]
    return client.post("/api/nlu/labels", json={"labels": body, "confirms_names": confirms_names})


def test_an_example_is_one_more_line_and_all_others_stay(school: Path) -> None:
    add(school, said("điểm F thì sao ạ"), said("đóng tiền ở đâu", intent="ask_tuition"))

    after = TOPICS.replace(
        '      - "học lại đóng bao nhiêu"\n', '      - "học lại đóng bao nhiêu"\n      - điểm F thì sao ạ\n'
    ).replace("      - hạn đóng tiền\n", "      - hạn đóng tiền\n      - đóng tiền ở đâu\n")
    assert read(school) == after


def test_equal_labels_make_equal_files_in_any_order(school: Path) -> None:
    labels = [said("câu hai"), said("Câu ba"), said("câu một"), said("xin chào mọi nhà", intent="greet")]
    files = files_of(school)

    assert files.edits(labels) == files.edits(labels[::-1])
    assert files.edits(labels) != []


def test_an_intent_without_a_file_gets_one_and_then_stays_in_it(school: Path) -> None:
    add(school, said("xin chào mọi nhà", intent="greet"))
    add(school, said("phòng mấy người", intent="ask_dormitory"), said("chào nghen", intent="greet"))

    assert read(school, "messages.yml") == (
        'version: "3.1"\n\nnlu:\n'
        "  - intent: greet\n    examples: |\n      - xin chào mọi nhà\n      - chào nghen\n"
        "  - intent: ask_dormitory\n    examples: |\n      - phòng mấy người\n"
    )
    assert read(school) == TOPICS
    learnt = load_knowledge(school).nlu
    assert learnt["greet"] == ("xin chào mọi nhà", "chào nghen")
    assert learnt["ask_dormitory"] == ("phòng mấy người",)


def test_a_name_becomes_a_place_beside_examples_with_places(school: Path) -> None:
    add(
        school,
        said("em ", ("k47", "cohort"), " chuyển từ ", ("cntt", "major"), " qua ", ("kế toán", "major")),
    )

    assert read(school) == TOPICS
    assert read(school, "names.yml").endswith("\n    - em {cohort} chuyển từ {major} qua {major2}\n")


@pytest.mark.parametrize("end", ["\n", ""])
def test_line_ends_stay_as_they_are(enter: Enter, school: Path, end: str) -> None:
    path = school / "nlu" / "topics.yml"
    dos = (TOPICS.rstrip("\n") + end).replace("\n", "\r\n").encode()
    path.write_bytes(dos)

    assert send(enter("editor"), said("điểm F thì sao")).status_code == 200

    assert path.read_bytes().replace("      - điểm F thì sao\r\n".encode(), b"") == dos


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("- gạch đầu dòng", "- gạch đầu dòng"),
        ("# không phải chú thích", "# không phải chú thích"),
        ("[k47](cohort) {major} hỏi", "(k47)(cohort) (major) hỏi"),
        ("/restart em hỏi", "restart em hỏi"),
        ("hai\ndòng: |\n  - intent: greet", "hai dòng: | - intent: greet"),
        ("'\" yaml: !!python/x & * %", "' yaml: !!python/x & * %"),
        ("\u2028\u0007\u200bkỳ lạ 😀", "kỳ lạ 😀"),
    ],
)
def test_a_students_words_are_words_in_the_file(school: Path, text: str, example: str) -> None:
    before = load_knowledge(school).nlu

    try:
        add(school, said(text))
    except (KnowledgeFileError, LabelError):
        pytest.fail("refused")

    after = load_knowledge(school).nlu
    [new] = set(after["ask_study"]) - set(before["ask_study"])
    assert new.strip("'\" ") == example.strip("'\" ")
    assert {**after, "ask_study": before["ask_study"]} == before


@pytest.mark.parametrize(
    ("label", "code"),
    [
        (said("gì đó", intent="ask_nothing"), "unknown_intent"),
        (said("gì đó", intent="hand_over"), "unknown_intent"),
        (said(" ?! "), "empty_example"),
        (said("a " * 150), "long_example"),
        (said(("k47", "planet"), " học gì"), "unknown_dimension"),
        (said(*(("cntt", "major"), " hay ") * 3), "many_names"),
    ],
)
def test_a_label_that_can_be_no_example_is_refused(school: Path, label: Label, code: str) -> None:
    with pytest.raises(LabelError) as refused:
        files_of(school).edits([said("điều hay"), label])

    assert refused.value.code == code


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("Hạn đóng tiền?", ("example", "ask_tuition", "nlu/topics.yml", 14, "")),
        ("xin chào", ("seed", "greet", "", 0, "")),
        ("Đóng học phí trễ có sao không?", ("topic", "ask_tuition", "topics.yml", 4, "")),
    ],
)
def test_a_message_with_another_intent_is_refused_with_its_place(
    school: Path, text: str, stands: tuple[str, str, str, int, str]
) -> None:
    topics = "- {id: study, name: Học vụ}\n- id: tuition\n  name: Học phí\n"
    topics += "  examples: [đóng học phí trễ có sao không]\n"
    (school / "topics.yml").write_text(
        topics + "- {id: language, name: Ngoại ngữ}\n- {id: dormitory, name: Ký túc xá}\n", encoding="utf-8"
    )

    with pytest.raises(ContradictionsError) as refused:
        files_of(school, greet=["xin chào"]).edits([said("điều hay"), said(text)])

    [found] = refused.value.found
    assert found.number == 1
    other = found.other
    assert (other.kind, other.intent, other.file, other.line, other.entry) == stands
    assert read(school) == TOPICS


def test_a_wording_of_the_faq_has_the_intent_of_its_topic(enter: Enter, school: Path) -> None:
    client = enter("editor")
    entry = client.get("/api/faq/entries/tuition-deadline").json()

    refused = send(client, said(entry["question"], intent="ask_dormitory"))

    assert (refused.status_code, refused.json()["error"]) == (409, "contradiction")
    [found] = refused.json()["detail"]["contradictions"]
    assert (found["other"]["kind"], found["other"]["entry"]) == ("faq", "tuition-deadline")
    assert found["other"]["intent"] == f"ask_{entry['topic']}"
    assert read(school) == TOPICS


def test_two_labels_of_one_message_are_refused_and_equal_ones_are_one(school: Path) -> None:
    with pytest.raises(ContradictionsError) as refused:
        files_of(school).edits([said("điểm F?"), said("Điểm f", intent="ask_tuition")])

    assert refused.value.found[0].other.kind == "label"
    add(school, said("điểm F?"), said("Điểm f"))
    assert read(school).lower().count("điểm f") == 1
    # A second time there is nothing to write.
    assert files_of(school).edits([said("điểm F")]) == []


@pytest.mark.usefixtures("school")
def test_unsure_messages_are_listed_once_with_their_names(enter: Enter, students: Students) -> None:
    asked = {"trace": {"intents": UNSURE}}
    students.asks("em k47 cntt hỏi xíu", "an", **asked)
    students.asks("Em K47 CNTT hỏi xíu?", "binh", at=NOW - 50, **asked)
    students.asks("rớt môn thì sao", "an", **asked)  # is taught
    students.asks("chắc chắn là hỏi điểm", "an", trace={"intents": {"ask_study": 0.9}})
    students.asks("/restart", "an", **asked)
    students.asks("lâu rồi", "an", at=NOW - 100 * 86_400, **asked)
    students.asks("không rõ lắm", "an", **asked)

    told = enter("advisor").get("/api/nlu").json()

    assert [(each["students"], each["times"]) for each in told["messages"]] == [(2, 2), (1, 1)]
    first = told["messages"][0]
    assert first["guesses"] == UNSURE
    assert [(part["text"], part["entity"]) for part in first["parts"] if part["entity"]] == [
        ("K47", "cohort"),
        ("CNTT", "major"),
    ]
    assert "".join(part["text"] for part in first["parts"]) == "Em K47 CNTT hỏi xíu?"
    assert told["topics"]["ask_tuition"] == "Học phí"
    assert "greet" in told["general"]
    assert {each["id"] for each in told["dimensions"]} == {"cohort", "major", "program"}


def test_personal_data_are_masked_and_never_written(enter: Enter, students: Students, school: Path) -> None:
    words = "gọi em 0912 345 678 nha thầy"
    students.asks(words, trace={"intents": UNSURE})

    def text(role: str) -> str:
        [message] = enter(role).get("/api/nlu").json()["messages"]
        assert message["personal"]
        return "".join(part["text"] for part in message["parts"])

    assert text("advisor") == words
    assert text("editor") == "gọi em ••• nha thầy"
    client = enter("administrator")
    for written in (words, text("editor")):
        refused = send(client, said(written, intent="ask_advisor"))
        assert (refused.status_code, refused.json()["error"]) == (422, "personal_data")
        assert "0912" not in refused.json()["message"]
    assert not (school / "nlu" / "messages.yml").exists()


def test_labels_are_a_version_and_their_messages_leave_the_list(
    enter: Enter, students: Students, console: Console, school: Path
) -> None:
    git(school, "init", "-q")
    git(school, "add", "-A")
    git(school, "-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qm", "start")
    ids = [students.asks(text, trace={"intents": UNSURE}) for text in ("k47 hỏi xíu", "hỏi tí", "lạc đề")]
    client = enter("editor")

    done = send(client, said(("k47", "cohort"), " hỏi xíu"), traces=ids[:1])
    assert done.status_code == 200, done.text
    assert send(client, said("hỏi tí")).status_code == 200
    assert client.post("/api/nlu/aside", json={"traces": ids[2:]}).status_code == 204

    assert client.get("/api/nlu").json()["messages"] == []
    version = client.get("/api/versions").json()["versions"][1]
    assert (version["commit"], version["action"]) == (done.json()["commit"], "label")
    assert (version["author"], version["message"]) == ("Cô editor", "{cohort} hỏi xíu")
    assert version["files"] == done.json()["files"] == ["nlu/names.yml"]
    assert git(school, "status", "--porcelain") == ""
    noted = [each["action"] for each in console.audit.page()]
    assert noted[:3] == ["no_label", "label", "label"]


def test_a_name_that_the_catalogue_knows_otherwise_is_saved_only_when_confirmed(
    enter: Enter, school: Path
) -> None:
    client = enter("editor")
    before = read(school, "names.yml")
    labels = [
        said(("k48", "major"), " hỏi xíu"),
        said("ngành ", ("trí tuệ nhân tạo", "major"), " sao"),
        said(("CNTT", "major"), " thì sao"),
    ]

    refused = send(client, *labels)

    assert (refused.status_code, refused.json()["error"]) == (409, "unlike_names")
    assert refused.json()["detail"]["names"] == [
        {"number": 0, "text": "k48", "entity": "major", "known_as": "cohort"},
        {"number": 1, "text": "trí tuệ nhân tạo", "entity": "major", "known_as": ""},
    ]
    assert read(school, "names.yml") == before
    assert send(client, *labels, confirms_names=True).status_code == 200
    assert "{major} hỏi xíu" in read(school, "names.yml")


def test_a_label_is_taught_at_the_next_training(enter: Enter, school: Path) -> None:
    text = "cho hỏi về vụ tín chỉ với"
    name = " đóng tiền đợt mấy"
    before = taught(school)
    assert text not in before

    done = send(enter("editor"), said(text), said(("cntt", "major"), name, intent="ask_tuition"))

    assert done.status_code == 200, done.text
    after = taught(school)
    assert after[text] == "ask_study"
    # With names of the catalogue in the place of the student's.
    names = {f"{each}{name}" for each in ("công nghệ thông tin", "cntt", "kế toán")}
    assert names & after.keys()
    assert {after[each] for each in names & after.keys()} == {"ask_tuition"}
    assert f"{{major}}{name}" not in after


def test_an_edit_by_hand_is_never_lost(publisher: Publisher, school: Path) -> None:
    names, by_hand = read(school, "names.yml"), TOPICS + "# by hand\n"
    labels = [said(("k47", "cohort"), " học gì"), said("điểm F thì sao")]

    def edited_meanwhile() -> Sequence[Edit]:
        edits = files_of(school).edits(labels)
        (school / "nlu" / "topics.yml").write_text(by_hand, encoding="utf-8")
        return edits

    with pytest.raises(ConflictError, match="was changed meanwhile"):
        publisher.publish_examples(edited_meanwhile, ("Cô Lan", "lan"), "điểm F thì sao")

    assert (read(school), read(school, "names.yml")) == (by_hand, names)
    add(school, said("điểm F thì sao"))
    assert read(school).replace("      - điểm F thì sao\n", "") == by_hand


def test_a_broken_file_is_told_and_stays(enter: Enter, school: Path) -> None:
    broken = TOPICS.replace("ask_tuition", "ask_tuitoin")
    (school / "nlu" / "topics.yml").write_text(broken, encoding="utf-8")

    refused = send(enter("editor"), said("điểm F thì sao"))

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    assert "nlu/topics.yml:12" in refused.json()["message"]
    assert read(school) == broken


def taught(school: Path) -> dict[str, str]:
    """Return the intent of each example that `covan train` gives Rasa."""
    return dict(SchoolTeaching().messages(load_knowledge(school)))
