"""A pipeline is read from a file that says all of it and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from rag.errors import SettingsError
from rag.pipeline import PRESETS, load_pipeline

Described = dict[str, Any]


@pytest.fixture
def described() -> Described:
    read: Described = yaml.safe_load((PRESETS / "covan.yml").read_text(encoding="utf-8"))
    return read


@pytest.fixture
def written(tmp_path: Path) -> Callable[[object], str]:
    def write(content: object) -> str:
        path = tmp_path / "own.yml"
        path.write_text(content if isinstance(content, str) else yaml.safe_dump(content), encoding="utf-8")
        return str(path)

    return write


@pytest.mark.parametrize("preset", sorted(path.stem for path in PRESETS.glob("*.yml")))
def test_every_preset_can_be_loaded_and_has_its_own_name(preset: str) -> None:
    assert load_pipeline(preset).name == preset


def test_an_own_file_is_a_preset_too(described: Described, written: Callable[[object], str]) -> None:
    described["sources"][0]["gate"]["probability"] = 0.123

    assert load_pipeline(written(described)).gate("faq").probability == 0.123


def test_an_unknown_name_is_told_with_those_there_are() -> None:
    with pytest.raises(SettingsError, match=r"'kovan'; there are: .*\bcovan\b"):
        load_pipeline("kovan")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=re.escape(str(tmp_path / "gone.yml"))):
        load_pipeline(str(tmp_path / "gone.yml"))


def test_all_that_is_wrong_is_told(described: Described, written: Callable[[object], str]) -> None:
    described["sources"][0]["gate"]["probability"] = 1.5
    described["sources"][1]["gate"]["marginn"] = 0.1
    del described["extract"]["max_words"]

    with pytest.raises(SettingsError) as caught:
        load_pipeline(written(described))

    for wrong in (
        "sources.0.gate: probability",
        "sources.1.gate: marginn",
        "extract.max_words",
    ):
        assert wrong in str(caught.value)


@pytest.mark.parametrize("content", ["a: [1, 2", "just words", "", "- 1\n- 2\n"])
def test_what_is_no_pipeline_is_refused(content: str, written: Callable[[object], str]) -> None:
    with pytest.raises(SettingsError, match=r"own\.yml"):
        load_pipeline(written(content))


def test_a_preset_extends_another_key_by_key(written: Callable[[object], str]) -> None:
    own = {
        "name": "own",
        "extends": "urag",
        "faq": {"dice": 0.9},
        "sources": [{"source": "faq", "candidates": 9}, {"source": "graph", "gate": {"rule": "open"}}],
    }
    urag, extended = load_pipeline("urag"), load_pipeline(written(own))

    assert extended.name == "own"
    assert extended.faq == urag.faq.model_copy(update={"dice": 0.9})
    assert [rule.source for rule in extended.sources] == [*(rule.source for rule in urag.sources), "graph"]
    assert extended.sources[0] == urag.sources[0].model_copy(update={"candidates": 9})
    assert extended.clarify == urag.clarify


def test_presets_may_extend_over_several_files(tmp_path: Path) -> None:
    first, second = tmp_path / "first.yml", tmp_path / "second.yml"
    first.write_text("name: first\nextends: covan\ntries: 2\n", encoding="utf-8")
    second.write_text(f"name: second\nextends: {first}\ncurated_lead: 0.5\n", encoding="utf-8")

    pipeline = load_pipeline(str(second))

    assert (pipeline.name, pipeline.tries, pipeline.curated_lead) == ("second", 2, 0.5)


@pytest.mark.parametrize(
    ("extends", "told"),
    [
        ("kovan", r"extends: there is no preset 'kovan'; there are: .*\bcovan\b"),
        ("[covan]", "extends: must be the name of a preset"),
        ("SELF", "in a circle"),
    ],
)
def test_a_wrong_base_is_told(tmp_path: Path, extends: str, told: str) -> None:
    path = tmp_path / "own.yml"
    path.write_text(f"name: own\nextends: {path if extends == 'SELF' else extends}\n", encoding="utf-8")

    with pytest.raises(SettingsError, match=told):
        load_pipeline(str(path))


def test_what_is_wrong_in_an_extending_preset_is_told_by_its_own_file(
    written: Callable[[object], str],
) -> None:
    path = written({"name": "own", "extends": "covan", "faq": {"dize": 1}})

    with pytest.raises(SettingsError, match=re.escape(path) + r".*dize"):
        load_pipeline(path)
