"""A candidate is trained, compared with the live model, made live, and taken back."""

from __future__ import annotations

import io
import json
import os
import sys
import tarfile
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from console_driver import NOW, Clock, Enter, StandInRasa, Students
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient

from console.api.dependencies import Console
from console.model_comparison import Comparer, Understood, UnreadableModelError, differ
from console.model_folder import ModelError, ModelFolder
from console.publishing import Publisher
from console.training import Training
from rag.ingest.document_texts import reading_knowledge
from rag.ingest.load import load_knowledge
from school.kernel_classifier import KernelClassifier
from school.reader import Reader

OLD = {
    "ask_study": ["rớt môn thì sao", "đăng ký tín chỉ ở đâu", "điểm f có học lại không"],
    "ask_tuition": ["hạn đóng tiền", "học phí bao nhiêu", "đóng tiền trễ có sao không"],
    "greet": ["xin chào", "chào bạn"],
}
NEW = {**OLD, "ask_dormitory": ["vụ kia sao rồi ta", "phòng mấy người"]}
UNSURE = "vụ kia sao rồi ta"

EXAMPLES = """\
nlu:
  - intent: ask_tuition
    examples: |
      - hạn đóng tiền
      - học phí {major}
      - hỏi {bot} {topic}
  - intent: ask_dormitory
    examples: |
      - vụ kia sao rồi ta
"""


@pytest.fixture
def school(publisher: Publisher) -> Path:
    """The folder of `publisher`, with examples."""
    folder = publisher.files.knowledge
    (folder / "nlu").mkdir()
    (folder / "nlu" / "topics.yml").write_text(EXAMPLES, encoding="utf-8")
    return folder


def made(path: Path, examples: Mapping[str, Sequence[str]], school: Path, at: float) -> Path:
    """Write a model as `covan train` does: the reader of a school, and a classifier of the examples."""
    knowledge = reading_knowledge(load_knowledge(school))
    labelled = [(text, intent) for intent, texts in examples.items() for text in texts]
    classifier = KernelClassifier.taught(Reader(knowledge).examples(labelled), EmbedderStandIn())
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as archive, tempfile.TemporaryDirectory() as folder:
        classifier.save(Path(folder) / "intents.npz")
        archive.add(Path(folder) / "intents.npz", "components/reader/intents.npz")
        data = json.dumps(knowledge.to_json()).encode()
        member = tarfile.TarInfo("components/reader/reading.json")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    os.utime(path, (at, at))
    return path


@pytest.fixture
def old(tmp_path: Path, school: Path) -> str:
    """The live model."""
    return made(tmp_path / "models" / "covan-1.tar.gz", OLD, school, NOW - 900).name


@pytest.fixture
def waiting(tmp_path: Path, school: Path) -> Path:
    """A model that a training can bring."""
    return made(tmp_path / "trained" / "covan-2.tar.gz", NEW, school, NOW - 800)


def trains(waiting: Path, tmp_path: Path) -> list[str]:
    """Return the command of a training that brings a model, as `covan train --candidate` does."""
    to = tmp_path / "candidate" / waiting.name
    code = "import pathlib, shutil, sys; to = pathlib.Path(sys.argv[2]); to.parent.mkdir(exist_ok=True); "
    code += "shutil.copy(sys.argv[1], to)"
    return [sys.executable, "-c", code, str(waiting), str(to)]


def ended(client: TestClient) -> dict[str, Any]:
    """Return the state when no training is under way any longer."""
    while True:
        told = dict(client.get("/api/models").json())
        if told["training"]["step"] not in ("index", "model", "compare"):
            return told
        time.sleep(0.02)


def label(client: TestClient, intent: str, *texts: str) -> None:
    """Label messages as the page does."""
    labels = [
        {"parts": [{"text": text, "entity": ""}], "intent": intent, "traces": list[int]()} for text in texts
    ]
    told = client.post("/api/nlu/labels", json={"labels": labels, "confirms_names": False})
    assert told.status_code == 200, told.text


@pytest.fixture
def editor(enter: Enter, training: Training, waiting: Path, tmp_path: Path, old: str) -> TestClient:
    """Signed in where a model is live and another one can be trained."""
    del old
    training.command = trains(waiting, tmp_path)
    return enter("editor")


def test_a_trained_model_is_not_live_before_it_is_promoted(
    editor: TestClient, rasa: StandInRasa, console: Console
) -> None:
    begun = editor.post("/api/models/training")
    assert begun.status_code == 202
    told = ended(editor)

    assert (told["training"]["step"], told["training"]["by"]) == ("done", "Cô editor")
    assert (told["live"], told["candidate"]) == ("covan-1.tar.gz", "covan-2.tar.gz")
    assert rasa.took_over == []

    done = editor.post("/api/models/promotion", json={"model": "covan-2.tar.gz"}).json()

    assert (done["live"], done["before"], done["candidate"]) == ("covan-2.tar.gz", "covan-1.tar.gz", "")
    assert done["is_live"] is True
    assert rasa.took_over == ["covan-2.tar.gz"]
    assert [(each["by"], each["action"], each["target"]) for each in done["history"]] == [
        ("Cô editor", "promote", "covan-2.tar.gz"),
        ("Cô editor", "train", ""),
    ]
    assert editor.get("/api/models/comparison").json() == {"candidate": ""}
    assert {"train", "promote"} <= {each["action"] for each in console.audit.page()}


def test_labels_wait_for_a_training_and_then_for_its_model_to_be_live(
    editor: TestClient, clock: Clock
) -> None:
    def labels() -> dict[str, int]:
        return dict(editor.get("/api/models").json()["labels"])

    assert labels() == {"untrained": 0, "unpromoted": 0}
    label(editor, "ask_study", "học bù ở đâu ạ", "bao giờ học bù")
    label(editor, "greet", "hú cả nhà ơi")
    assert labels() == {"untrained": 3, "unpromoted": 0}

    clock.now += 60
    editor.post("/api/models/training")
    ended(editor)
    clock.now += 60
    label(editor, "greet", "có ai trực page không")
    assert labels() == {"untrained": 1, "unpromoted": 3}

    editor.post("/api/models/promotion", json={"model": "covan-2.tar.gz"})
    assert labels() == {"untrained": 1, "unpromoted": 0}
    editor.post("/api/models/roll-back", json={"model": "covan-1.tar.gz"})
    assert labels() == {"untrained": 4, "unpromoted": 0}


def test_labels_of_a_training_that_failed_still_wait(
    editor: TestClient, training: Training, clock: Clock
) -> None:
    training.command = [sys.executable, "-c", "raise SystemExit('no space')"]
    label(editor, "ask_study", "học bù ở đâu ạ", "bao giờ học bù")
    clock.now += 60
    editor.post("/api/models/training")

    assert ended(editor)["labels"] == {"untrained": 2, "unpromoted": 0}


def test_a_label_that_is_taken_back_waits_no_longer(editor: TestClient, school: Path) -> None:
    label(editor, "greet", "hú cả nhà ơi")
    # The second is known already: there is nothing to learn of it.
    label(editor, "ask_tuition", "bao nhiêu tiền một chỉ", "hạn đóng tiền")
    files = {path: path.read_bytes() for path in (school / "nlu").iterdir()}
    label(editor, "ask_dormitory", "mấy đứa một buồng")
    assert editor.get("/api/models").json()["labels"]["untrained"] == 3

    for path, content in files.items():
        path.write_bytes(content)

    assert editor.get("/api/models").json()["labels"]["untrained"] == 2
    # A file that cannot be read is not taken for one without labels.
    (school / "nlu" / "topics.yml").write_text("nlu: [", encoding="utf-8")
    assert editor.get("/api/models").json()["labels"]["untrained"] == 3


def test_the_model_before_is_used_again_and_a_start_leaves_it_so(
    editor: TestClient, rasa: StandInRasa, tmp_path: Path
) -> None:
    editor.post("/api/models/training")
    ended(editor)
    editor.post("/api/models/promotion", json={"model": "covan-2.tar.gz"})

    back = editor.post("/api/models/roll-back", json={"model": "covan-1.tar.gz"}).json()

    assert (back["live"], back["before"]) == ("covan-1.tar.gz", "covan-2.tar.gz")
    assert rasa.took_over == ["covan-2.tar.gz", "covan-1.tar.gz"]
    assert (tmp_path / "models" / "set-aside").read_text() == "covan-2.tar.gz"
    # And forward again.
    again = editor.post("/api/models/roll-back", json={"model": "covan-2.tar.gz"}).json()
    assert again["live"] == "covan-2.tar.gz"


def test_a_model_has_learnt_all_only_as_long_as_it_is_the_live_one(
    editor: TestClient, training: Training
) -> None:
    editor.post("/api/models/training")
    told = ended(editor)
    assert (told["training"]["candidate"], told["training"]["learnt"]) == ("covan-2.tar.gz", "")
    editor.post("/api/models/promotion", json={"model": "covan-2.tar.gz"})
    training.command = [sys.executable, "-c", ""]
    editor.post("/api/models/training")
    told = ended(editor)
    assert told["training"]["learnt"] == told["live"] == "covan-2.tar.gz"

    back = editor.post("/api/models/roll-back", json={"model": "covan-1.tar.gz"}).json()

    assert back["training"]["learnt"] != back["live"]


def test_a_message_of_the_same_intent_is_not_understood_differently() -> None:
    unsure, surer = Understood("ask_study", 0.699), Understood("ask_study", 0.71)
    assert not differ(unsure, surer)
    assert differ(unsure, Understood("greet", 0.699))


def test_the_comparison_tells_what_would_be_understood_differently(
    editor: TestClient, students: Students
) -> None:
    trace = students.asks(UNSURE, "an")
    students.asks(UNSURE, "binh")
    students.asks("hạn đóng tiền", "an")
    students.asks("/restart", "an")
    students.asks("vụ kia sao rồi ta lâu rồi", "an", at=NOW - 100 * 86_400)

    editor.post("/api/models/training")
    ended(editor)
    found = editor.get("/api/models/comparison").json()

    assert (found["candidate"], found["live"], found["is_current"]) == (
        "covan-2.tar.gz",
        "covan-1.tar.gz",
        True,
    )
    labelled = found["labelled"]
    # The example with places that no catalogue fills is left out.
    assert labelled["count"] == 3
    assert labelled["right"]["candidate"] == 3
    assert labelled["right"]["live"] == 2
    [confused] = labelled["confusion"]
    assert (confused["intent"], confused["live"], confused["candidate"]) == ("ask_dormitory", 1, 0)
    assert [each["text"] for each in labelled["changes"] if each["intent"] == "ask_dormitory"] == [UNSURE]
    assert found["messages"]["count"] == 2
    [changed] = [each for each in found["messages"]["changes"] if each["text"] == UNSURE]
    assert changed["trace"] > trace
    assert changed["candidate"]["intent"] == "ask_dormitory"
    assert changed["live"]["intent"] != "ask_dormitory"
    assert found["topics"]["ask_dormitory"]


def test_the_comparison_keeps_no_words_of_students_and_masks_personal_data(
    editor: TestClient, enter: Enter, students: Students, tmp_path: Path
) -> None:
    students.asks(f"{UNSURE} 0912 345 678", "an")
    editor.post("/api/models/training")
    ended(editor)

    def told(role: str) -> str:
        [changed] = enter(role).get("/api/models/comparison").json()["messages"]["changes"]
        return str(changed["text"])

    assert "0912" not in (tmp_path / "candidate" / "comparison.json").read_text(encoding="utf-8")
    assert told("advisor") == f"{UNSURE} 0912 345 678"
    assert told("editor") == f"{UNSURE} •••"


def test_a_candidate_that_somebody_replaced_is_not_promoted(editor: TestClient, rasa: StandInRasa) -> None:
    editor.post("/api/models/training")
    ended(editor)

    for address in ("promotion", "discard", "roll-back"):
        refused = editor.post(f"/api/models/{address}", json={"model": "covan-0.tar.gz"})
        assert (refused.status_code, refused.json()["error"]) == (409, "model_changed")

    told = editor.get("/api/models").json()
    assert (told["live"], told["candidate"]) == ("covan-1.tar.gz", "covan-2.tar.gz")
    assert rasa.took_over == []


def test_a_model_that_rasa_refuses_stays_a_candidate(editor: TestClient, rasa: StandInRasa) -> None:
    editor.post("/api/models/training")
    ended(editor)
    rasa.refuses = True

    refused = editor.post("/api/models/promotion", json={"model": "covan-2.tar.gz"})

    assert (refused.status_code, refused.json()["error"]) == (409, "model_not_loaded")
    told = editor.get("/api/models").json()
    assert (told["live"], told["candidate"]) == ("covan-1.tar.gz", "covan-2.tar.gz")
    assert editor.get("/api/models/comparison").json()["candidate"] == "covan-2.tar.gz"
    rasa.refuses = False
    assert editor.post("/api/models/promotion", json={"model": "covan-2.tar.gz"}).status_code == 200
    rasa.refuses = True
    refused = editor.post("/api/models/roll-back", json={"model": "covan-1.tar.gz"})
    assert refused.json()["error"] == "model_not_loaded"
    assert editor.get("/api/models").json()["live"] == "covan-2.tar.gz"


def test_where_covan_does_not_run_the_model_waits_for_its_start(
    editor: TestClient, rasa: StandInRasa
) -> None:
    editor.post("/api/models/training")
    ended(editor)
    rasa.is_running = False

    done = editor.post("/api/models/promotion", json={"model": "covan-2.tar.gz"}).json()

    assert (done["live"], done["is_live"]) == ("covan-2.tar.gz", False)


def test_a_discarded_candidate_does_not_come_back(editor: TestClient, tmp_path: Path) -> None:
    editor.post("/api/models/training")
    ended(editor)

    told = editor.post("/api/models/discard", json={"model": "covan-2.tar.gz"}).json()

    assert (told["live"], told["candidate"]) == ("covan-1.tar.gz", "")
    assert list((tmp_path / "candidate").iterdir()) == []
    assert (tmp_path / "models" / "set-aside").read_text() == "covan-2.tar.gz"


def test_the_comparison_is_made_anew_when_another_model_is_live(
    editor: TestClient, tmp_path: Path, school: Path
) -> None:
    editor.post("/api/models/training")
    ended(editor)
    made(tmp_path / "models" / "covan-9.tar.gz", NEW, school, time.time() + 9)
    assert editor.get("/api/models/comparison").json()["is_current"] is False

    assert editor.post("/api/models/comparison").status_code == 202
    ended(editor)

    found = editor.get("/api/models/comparison").json()
    assert (found["live"], found["is_current"], found["messages"]["changes"]) == ("covan-9.tar.gz", True, [])


def test_without_a_readable_live_model_the_candidate_is_told_alone(
    editor: TestClient, tmp_path: Path
) -> None:
    (tmp_path / "models" / "covan-1.tar.gz").write_bytes(b"of another release")
    editor.post("/api/models/training")

    assert ended(editor)["training"]["step"] == "done"
    found = editor.get("/api/models/comparison").json()
    assert (found["live"], found["labelled"]["right"]) == ("", {"live": None, "candidate": 3})
    assert found["messages"]["changes"] == found["labelled"]["changes"] == []


def test_a_candidate_that_cannot_be_read_is_told(
    comparer: Comparer, models: ModelFolder, training: Training, enter: Enter, tmp_path: Path
) -> None:
    broken = tmp_path / "broken" / "covan-3.tar.gz"
    broken.parent.mkdir()
    broken.write_bytes(b"no model")
    training.command = trains(broken, tmp_path)
    client = enter("editor")
    client.post("/api/models/training")

    told = ended(client)["training"]

    assert (told["step"], "covan-3.tar.gz cannot be read" in told["told"]) == ("failed", True)
    with pytest.raises(UnreadableModelError):
        comparer.compare(models.live, broken, lambda *_: None)


def test_a_training_that_fails_says_why_and_one_that_brings_nothing_is_done(
    enter: Enter, training: Training
) -> None:
    training.command = [sys.executable, "-c", "raise SystemExit('covan: Rasa could not train the model')"]
    client = enter("editor")
    client.post("/api/models/training")
    told = ended(client)["training"]
    assert (told["step"], told["told"]) == ("failed", "covan: Rasa could not train the model")

    training.command = [sys.executable, "-c", ""]
    assert client.post("/api/models/training").json()["training"]["step"] != "failed"
    told = ended(client)
    assert (told["training"]["step"], told["training"]["candidate"], told["candidate"]) == ("done", "", "")


def test_there_is_one_training_at_a_time_and_it_ends_with_the_console(
    enter: Enter, training: Training, console: Console, tmp_path: Path
) -> None:
    begun = tmp_path / "begun"
    code = f"import pathlib, time; pathlib.Path({str(begun)!r}).open('a').write('x'); time.sleep(600)"
    training.command = [sys.executable, "-u", "-c", code]
    client = enter("editor")
    client.post("/api/models/training")
    while not begun.exists():
        time.sleep(0.01)

    again = client.post("/api/models/training").json()["training"]
    training.close()

    assert again["step"] == "model"
    assert begun.read_text() == "x"
    assert ended(client)["training"]["step"] == "failed"
    assert [each["action"] for each in console.audit.page()].count("train") == 1


def test_only_as_many_models_are_kept_as_one_can_go_back_to(tmp_path: Path, rasa: StandInRasa) -> None:
    live = tmp_path / "models"
    models = ModelFolder(live, tmp_path / "candidate", live / "set-aside", rasa.wait_until_live, kept=2)
    for number in range(4):
        candidate = tmp_path / "candidate" / f"covan-{number}.tar.gz"
        candidate.parent.mkdir(exist_ok=True)
        candidate.write_bytes(b"a model")
        models.promote(candidate.name)

    assert sorted(path.name for path in live.glob("*.tar.gz")) == ["covan-2.tar.gz", "covan-3.tar.gz"]
    with pytest.raises(ModelError):
        models.roll_back("covan-0.tar.gz")
