"""Rasa's project files together with the files that `covan train` generates from the school's knowledge folder.

`config.yml` names this importer, so that `rasa train`, `rasa data validate` and `rasa test` read both without options.
"""

from __future__ import annotations

from pathlib import Path

from rasa.shared.core.domain import Domain
from rasa.shared.exceptions import RasaException
from rasa.shared.importers.rasa import RasaFileImporter
from rasa.shared.nlu.training_data.training_data import TrainingData

DOMAIN = "domain.yml"


class SchoolImporter(RasaFileImporter):
    """Read `generated/domain.yml` beside the domain, and the other files of `generated` beside the training data."""

    def __init__(
        self,
        config_file: str | None = None,
        domain_path: str | None = None,
        training_data_paths: list[str] | str | None = None,
        generated: str = "",
    ) -> None:
        """Raise RasaException when `generated` is no folder with a domain."""
        self._generated_domain = Path(generated) / DOMAIN
        if not self._generated_domain.is_file():
            raise RasaException(f"{self._generated_domain} does not exist. Run: covan train")
        paths = [training_data_paths] if isinstance(training_data_paths, str) else training_data_paths or []
        super().__init__(config_file, domain_path, [*paths, generated])
        self._nlu_data: TrainingData | None = None

    def get_domain(self) -> Domain:
        """Return the project's domain with the intents of the school's topics."""
        return super().get_domain().merge(Domain.load(str(self._generated_domain)))

    def get_nlu_data(self, language: str | None = "en") -> TrainingData:
        """Return the examples, read once: Rasa asks again and again, and in any language they are the same."""
        if self._nlu_data is None:
            self._nlu_data = super().get_nlu_data(language)
        return self._nlu_data
