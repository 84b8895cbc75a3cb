"""Rasa's project files together with the files that `covan train` generates from the school's knowledge folder.

`config.yml` names this importer, so that `rasa train`, `rasa data validate` and `rasa test` read both without options.
"""

from __future__ import annotations

from pathlib import Path

from rasa.shared.core.domain import Domain
from rasa.shared.exceptions import RasaException
from rasa.shared.importers.rasa import RasaFileImporter

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

    def get_domain(self) -> Domain:
        """Return the project's domain with the intents of the school's topics."""
        return super().get_domain().merge(Domain.load(str(self._generated_domain)))
