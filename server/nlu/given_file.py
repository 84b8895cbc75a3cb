"""A component of the pipeline that goes by a JSON file which `covan train` writes before Rasa begins."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any, Dict, Optional, Text

from rasa.engine.storage.resource import Resource
from rasa.shared.exceptions import RasaException
from rasa.shared.nlu.training_data.training_data import TrainingData

from server.nlu.model_file import ModelFileComponent


class GivenFileComponent(ModelFileComponent[Dict[Text, Any]]):
    """Takes the file into the model as it is, so that a model is complete without it.

    A concrete class says by which setting the file is found, and goes by what is in it (`_use`).
    """

    SETTING: str
    """The setting that names the file to take in."""

    @classmethod
    def fingerprint_addon(cls, config: Dict[Text, Any]) -> Optional[str]:
        """Makes Rasa's training cache see a changed file too."""
        digest = hashlib.sha256((super().fingerprint_addon(config) or "").encode())
        # A node whose output Rasa has from its cache is asked too, with a configuration that is not the component's.
        path = Path({**cls.get_default_config(), **config}[cls.SETTING])
        digest.update(path.read_bytes() if path.is_file() else b"")
        return digest.hexdigest()

    def train(self, training_data: TrainingData) -> Resource:
        """Takes the file into the model.

        Raises:
            RasaException: when the file is missing or not of the expected shape.
        """
        path = Path(self._config[self.SETTING])
        try:
            given = json.loads(path.read_text(encoding="utf-8"))
            self._use(given)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, re.error) as error:
            raise RasaException(
                f"{type(self).__name__} cannot read '{path}' ({error}). Run `covan train`, which writes it."
            ) from error
        return self._keep(given)

    @staticmethod
    def _write(learnt: Dict[Text, Any], path: Path) -> None:
        path.write_text(json.dumps(learnt, ensure_ascii=False), encoding="utf-8")

    @staticmethod
    def _read(path: Path, config: Dict[Text, Any]) -> Dict[Text, Any]:
        given: Dict[Text, Any] = json.loads(path.read_text(encoding="utf-8"))
        return given
