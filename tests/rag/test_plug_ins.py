"""Parts of an installed package are used by their names, and nothing of Covan is edited for them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import covan
from embedder_stand_in import EmbedderStandIn

from rag import registry
from rag.engine import Engine
from rag.errors import SettingsError
from rag.index.format import Index
from rag.index.versions import open_index
from rag.ingest.build import build_index
from rag.ingest.load import load_knowledge
from rag.pipeline import PRESETS, load_pipeline
from rag.types import DecisionKind, Passage, Question

PLUG_IN = Path(__file__).parents[1] / "stand_ins" / "plug_in"
ASKED = "Chuông reo lúc nào?"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(PLUG_IN))
    registry.plug_ins.cache_clear()
    yield
    monkeypatch.undo()
    registry.plug_ins.cache_clear()


@pytest.fixture
def preset(tmp_path: Path) -> Callable[..., str]:
    """The default preset with the plug-in's source first, or with other sources."""

    def write(*sources: dict[str, Any]) -> str:
        described = yaml.safe_load((PRESETS / "covan.yml").read_text(encoding="utf-8"))
        bell = {
            "source": "bell",
            "settings": {"word": "chuông"},
            "gate": {"rule": "patient", "at_least": 0.9},
        }
        described["sources"] = [*(sources or (bell,)), *described["sources"]]
        described |= {"name": "bell", "order": "first_open"}
        path = tmp_path / "bell.yml"
        path.write_text(yaml.safe_dump(described, allow_unicode=True), encoding="utf-8")
        return str(path)

    return write


@pytest.mark.usefixtures("installed")
def test_a_source_answers_through_the_engine(
    index: Index, embedder: EmbedderStandIn, preset: Callable[..., str]
) -> None:
    reply = Engine(index, load_pipeline(preset()), embedder).reply(Question(ASKED))

    assert (reply.decision.kind, reply.source, reply.answer_id) == (DecisionKind.ANSWER, "bell", "bell")
    assert reply.text == "Chuông reo lúc 7 giờ."
    assert reply.trace.signals["bell.similarity"] == 1.0
    assert reply.trace.thresholds["bell.at_least"] == 0.9
    assert reply.trace.candidates[0].meta == {"bell": "main"}


@pytest.mark.e5
@pytest.mark.usefixtures("installed")
def test_a_source_answers_through_the_command(tmp_path: Path, preset: Callable[..., str]) -> None:
    knowledge, out = tmp_path / "knowledge", tmp_path / "answers.jsonl"
    knowledge.mkdir()
    (knowledge / "noi-quy.md").write_text("# Nội quy\n\nThư viện mở cửa lúc 8 giờ.\n", encoding="utf-8")
    (tmp_path / "q.csv").write_text(f"id,question\n1,{ASKED}\n", encoding="utf-8")
    covan("index", knowledge, "--out", tmp_path / "index")

    arguments = ("--index", tmp_path / "index", "--questions", tmp_path / "q.csv", "--out", out)
    result = covan("answer", *arguments, "--preset", preset())

    assert result.exit_code == 0, result.output
    line = json.loads(out.read_text(encoding="utf-8"))
    assert (line["decision"], line["tier"], line["answer"]) == ("answer", "bell", "Chuông reo lúc 7 giờ.")


@pytest.mark.usefixtures("installed")
def test_a_reranker_ranks(index: Index, embedder: EmbedderStandIn, tmp_path: Path) -> None:
    described = yaml.safe_load((PRESETS / "urag.yml").read_text(encoding="utf-8"))
    document = described["sources"][1] | {"rerank": {"rule": "shortest"}, "candidates": 10}
    described |= {"name": "shortest", "sources": [document]}
    path = tmp_path / "shortest.yml"
    path.write_text(yaml.safe_dump(described, allow_unicode=True), encoding="utf-8")

    trace = Engine(index, load_pipeline(str(path)), embedder).reply(Question("Học phí bao nhiêu?")).trace

    lengths = [len(c.item.text) for c in trace.candidates if isinstance(c.item, Passage)]
    assert len(lengths) > 2
    assert lengths == sorted(lengths)


@pytest.mark.usefixtures("installed")
def test_a_loader_loads_and_belongs_to_what_an_index_is_built_by(
    school: Path, tmp_path: Path, embedder: EmbedderStandIn
) -> None:
    (school / "documents" / "gioi-thieu.srt").write_text("1\nTrường có ba cơ sở.\n", encoding="utf-8")

    build_index(school, tmp_path / "index", embedder)

    passages = open_index(tmp_path / "index", embedder).passages
    assert "Trường có ba cơ sở." in {passage.text for passage in passages}


def test_without_the_package_its_files_are_told_as_unread(school: Path) -> None:
    (school / "documents" / "gioi-thieu.srt").write_text("1\nTrường có ba cơ sở.\n", encoding="utf-8")

    assert any("gioi-thieu.srt" in warning.file for warning in load_knowledge(school).warnings)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            {"source": "graf", "gate": {"rule": "open"}},
            "no answer source 'graf'; there are: calculator, document, faq",
        ),
        (
            {"source": "faq", "gate": {"rule": "shut"}},
            "no gate 'shut'; there are: calibrated, computed, cosine, linked, open",
        ),
        (
            {"source": "faq", "gate": {"rule": "open"}, "rerank": {"rule": "best"}},
            "no reranker 'best'; there are: cross_encoder, learned, topic",
        ),
        (
            {"source": "faq", "gate": {}},
            "needs a 'rule', one of: calibrated, computed, cosine, linked, open, thresholds",
        ),
    ],
)
def test_a_name_that_nobody_registered_is_told_with_those_there_are(
    preset: Callable[..., str], source: dict[str, Any], told: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load_pipeline(preset(source))

    assert told in str(caught.value)


def test_a_part_that_cannot_be_imported_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken-1.0.dist-info"
    shutil.copytree(PLUG_IN / "covan_plug_in-1.0.dist-info", broken)
    (broken / "entry_points.txt").write_text("[covan.gates]\ngone = no_such_module:Gate\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    registry.plug_ins.cache_clear()

    with pytest.raises(SettingsError, match=r"no_such_module:Gate \('gone'\) cannot be loaded"):
        registry.registered("gates", "gone")

    monkeypatch.undo()
    registry.plug_ins.cache_clear()


def test_two_parts_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    second = tmp_path / "second-1.0.dist-info"
    shutil.copytree(PLUG_IN / "covan_plug_in-1.0.dist-info", second)
    (second / "METADATA").write_text("Metadata-Version: 2.1\nName: second\nVersion: 1\n", encoding="utf-8")
    (second / "entry_points.txt").write_text("[covan.gates]\nopen = second:Gate\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    registry.plug_ins.cache_clear()

    with pytest.raises(SettingsError, match="two gates are called 'open'"):
        registry.names("gates")

    monkeypatch.undo()
    registry.plug_ins.cache_clear()
