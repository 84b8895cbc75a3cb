"""A school that shares nothing with the sample: its dialogues, and no word of the sample in anything students see.

The school is tests/second_school; its dialogues are in tests/dialogues/second_school.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from front_door_server import ReadyRasa, serving
from real_servers import RealServers
from runner import Dialogue, dialogues, play
from school_words import office_names, own_words, words_in

from channels.app import create_app
from channels.front_door import FrontDoor
from covan import rasa
from covan.classifier_fit import trained_topics
from covan.project import ROOT
from rag.ingest.load import load_knowledge
from rag.settings import Settings

SCHOOL = ROOT / "tests" / "second_school"
DIALOGUES = Path(__file__).parent / "second_school"
FEWEST_DIALOGUES = 25


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServers]:
    running = RealServers(tmp_path_factory.mktemp("second"), knowledge=SCHOOL)
    try:
        running.up()
        yield running
    finally:
        running.close()


@pytest.fixture(scope="module")
def sample_words() -> frozenset[str]:
    """The words of the sample school that the second school has no reason to say, in lower case."""
    catalog = load_knowledge(ROOT / "knowledge").catalog
    names = {name for major in catalog.majors for name in (major.name, major.name_en) if name}
    bot = catalog.school.bot_name
    found = own_words(catalog) | office_names(catalog) | {name.lower() for name in names} | {bot.lower()}
    second = load_knowledge(SCHOOL).catalog
    shared = {name.lower() for major in second.majors for name in (major.name, *major.aliases)}
    return found - shared


@pytest.mark.parametrize("dialogue", dialogues(DIALOGUES), ids=lambda dialogue: dialogue.id)
def test_dialogue(servers: RealServers, dialogue: Dialogue, sample_words: frozenset[str]) -> None:
    played = play(dialogue, servers, sender=f"second-{dialogue.id}")
    said = "\n".join(
        f"{message.text}\n{message.buttons}\n{message.custom}"
        for reply in played.replies
        for message in reply.messages
    )

    assert not played.faults, played.report()
    typed = frozenset(words_in("\n".join(step.student or "" for step in dialogue.turns), sample_words))
    assert not list(words_in(said, sample_words - typed)), "a reply may quote what the student typed"


def test_there_are_dialogues_enough() -> None:
    assert len(dialogues(DIALOGUES)) >= FEWEST_DIALOGUES


def test_the_model_is_the_schools_own(servers: RealServers) -> None:
    [model] = rasa.models_dir(servers.settings).glob("*.tar.gz")

    assert trained_topics(model) == {topic.id for topic in load_knowledge(SCHOOL).topics}
    assert model.parent != rasa.models_dir(Settings())


def test_nothing_of_the_sample_stands_on_the_page(tmp_path: Path, sample_words: frozenset[str]) -> None:
    dist = ROOT / "widget" / "dist"
    settings = Settings(knowledge_dir=SCHOOL, state_dir=tmp_path)
    door = FrontDoor(settings, ReadyRasa())  # type: ignore[arg-type]
    with serving(create_app(door, dist), door.stop) as url:
        texts = [httpx.get(f"{url}{path}", trust_env=False).text for path in ("/", "/api/school")]
    texts += [path.read_text(encoding="utf-8") for path in dist.rglob("*.js")]

    assert "Larkspur" in texts[1]
    product = {"covan"}  # the sample's bot is called like the product, whose name is in the page's code
    assert not [word for text in texts for word in words_in(text, sample_words - product)]
