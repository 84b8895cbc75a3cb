"""Rasa starts without the libraries that no component of config.yml needs, and with them where one may."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from server import lean_rasa

IMPORTS = """
import json, sys
from pathlib import Path
from server.lean_rasa import lighten

lighten(Path(sys.argv[1]))
import rasa.__main__, rasa.core.run, rasa.model_training, rasa.server
import rasa.graph_components.validators.default_recipe_validator
from rasa.engine.recipes.default_components import DEFAULT_COMPONENTS
loaded = [name for name in ("tensorflow", "sklearn") if name in sys.modules]
print(json.dumps([loaded, sorted(each.__name__ for each in DEFAULT_COMPONENTS)]))
"""


def imported(config: Path) -> tuple[list[str], list[str]]:
    """Return the libraries that a server and a training import, and the components of Rasa that they know."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", IMPORTS, str(config)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    libraries, components = json.loads(done.stdout.splitlines()[-1])
    return libraries, components


def test_the_projects_rasa_imports_neither_library() -> None:
    assert imported(lean_rasa.CONFIG) == ([], ["FallbackClassifier", "RulePolicy"])


def test_a_component_that_may_need_a_library_gets_all_of_rasa(tmp_path: Path) -> None:
    config = tmp_path / "config.yml"
    config.write_text("pipeline: [{name: FallbackClassifier}]\npolicies: [{name: TEDPolicy}]\n")

    libraries, components = imported(config)

    assert libraries == ["tensorflow", "sklearn"]
    assert {"TEDPolicy", "DIETClassifier", "RulePolicy"} <= set(components)


@pytest.mark.parametrize(
    ("config", "light"),
    [
        ("pipeline: [{name: server.nlu.message_reader.MessageReader}, {name: FallbackClassifier}]", True),
        ("policies: [{name: RulePolicy}]", True),
        ("pipeline:\npolicies:", True),
        ("pipeline: [{name: DIETClassifier}]\npolicies: [{name: RulePolicy}]", False),
        ("pipeline: [{name: FallbackClassifier}]\npolicies: [{name: TEDPolicy}]", False),
        ("pipeline: [{name: rasa.nlu.classifiers.diet_classifier.DIETClassifier}]", False),
        ("pipeline: [{name: addons.reader.Reader}]", False),
    ],
)
def test_which_configurations_need_no_library(tmp_path: Path, config: str, light: bool) -> None:
    file = tmp_path / "config.yml"
    file.write_text(config)

    assert lean_rasa.is_light(file) is light


@pytest.mark.parametrize("name", sorted(lean_rasa.HEAVY))
def test_each_replaced_module_is_one_of_rasas(name: str) -> None:
    assert importlib.util.find_spec(name)


def test_nothing_is_an_instance_of_a_name_of_an_empty_module() -> None:
    empty = lean_rasa.EmptyModule("rasa.nlu.classifiers.diet_classifier")

    assert empty.DIETClassifier is empty.DIETClassifier
    assert not isinstance("text", empty.DIETClassifier)
    with pytest.raises(AttributeError, match="__path__"):
        _ = empty.__path__
