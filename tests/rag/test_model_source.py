"""Settings name models, and an index stores the name; no model is loaded here."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from rag.errors import SettingsError
from rag.model_source import ModelSource
from rag.rerank.cross_encoder_model import load_cross_encoder
from rag.retrieve.embedder import load_embedder


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra were installed."""
    package = ModuleType("sentence_transformers")
    package.__spec__ = sys.__spec__
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    model = tmp_path / "my-model"
    (model / "pooling").mkdir(parents=True)
    (model / "config.json").write_text("{}")
    (model / "model.safetensors").write_bytes(b"weights")
    (model / "pooling" / "config.json").write_text("{}")
    return model


@pytest.mark.parametrize("load", [load_embedder, load_cross_encoder])
def test_without_the_extra_the_command_that_installs_it_is_named(
    load: Callable[[str], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)

    with pytest.raises(
        SettingsError, match="packages that are not installed; install them with: make transformers"
    ):
        load("sentence-transformers:intfloat/multilingual-e5-base")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    "name",
    ["", " ", "multilingual-e5-base", "/no/such/folder", "./models/e5", "../e5", "a/b/c", "a b/c", "-a/b"],
)
def test_what_is_neither_a_folder_nor_a_name_is_refused_at_once(name: str) -> None:
    with pytest.raises(SettingsError, match=r"names no model.*ORGANISATION/NAME"):
        load_embedder(f"sentence-transformers:{name}")


def test_a_reranker_that_is_not_known_is_told() -> None:
    with pytest.raises(
        SettingsError, match="'lightgbm' is not known; it may be 'sentence-transformers:NAME_OR_PATH'"
    ):
        load_cross_encoder("lightgbm")


@pytest.mark.usefixtures("installed")
def test_a_name_on_the_hub_is_remembered_as_it_is() -> None:
    name = "sentence-transformers:intfloat/multilingual-e5-base"

    assert load_embedder(name).name == name


@pytest.mark.usefixtures("installed")
def test_a_folder_is_remembered_by_what_is_in_it_wherever_it_lies(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = load_embedder(f"sentence-transformers:{folder}").name
    assert before.startswith("sentence-transformers:my-model@")
    assert str(tmp_path) not in before

    moved = folder.rename(tmp_path / "moved")
    (tmp_path / "my-model").symlink_to(moved)
    monkeypatch.chdir(tmp_path)

    assert load_embedder("sentence-transformers:moved").name.endswith(before.rpartition("@")[2])


@pytest.mark.parametrize("file", ["config.json", "model.safetensors", "pooling/config.json", "new.json"])
def test_a_model_that_was_changed_has_another_name(folder: Path, file: str) -> None:
    before = ModelSource("x", folder).name

    (folder / file).write_bytes(b"changed")

    assert ModelSource("x", folder).name != before


@pytest.mark.parametrize("file", ["README.md", ".cache/lock", "onnx/model.onnx", "openvino/model.xml"])
def test_what_the_vectors_do_not_depend_on_changes_no_name(folder: Path, file: str) -> None:
    before = ModelSource("x", folder).name

    (folder / file).parent.mkdir(exist_ok=True)
    (folder / file).write_text("new")

    assert ModelSource("x", folder).name == before


@pytest.mark.parametrize(
    ("name", "is_e5"),
    [
        ("intfloat/multilingual-e5-base", True),
        ("intfloat/e5-small-v2", True),
        ("someone/vietnamese_E5_large", True),
        ("intfloat/multilingual-e5-large-instruct", False),
        ("someone/model-e50", False),
        ("e5-lab/other-model", False),
    ],
)
def test_e5_models_are_known_by_their_name(name: str, is_e5: bool) -> None:
    assert ModelSource(name, None).is_e5 is is_e5
