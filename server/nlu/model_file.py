"""A component of the pipeline that keeps what it has learnt in one file of its model."""

from __future__ import annotations

import hashlib
import inspect
from abc import abstractmethod
from pathlib import Path
from typing import Any, Dict, Generic, Optional, Text, Type, TypeVar

from rasa.engine.graph import ExecutionContext, GraphComponent
from rasa.engine.storage.resource import Resource
from rasa.engine.storage.storage import ModelStorage



Learnt = TypeVar("Learnt")
Self = TypeVar("Self", bound="ModelFileComponent[Any]")


class ModelFileComponent(GraphComponent, Generic[Learnt]):
    """Is made empty for training, which ends with `_keep`, and is loaded from its file for use.

    A concrete class says what the file is called and how it is written and read.
    """

    FILE: str
    """The name of the file in the model."""

    def __init__(
        self,
        config: Dict[Text, Any],
        model_storage: ModelStorage,
        resource: Resource,
        learnt: Optional[Learnt] = None,
    ) -> None:
        self._config = config
        self._model_storage = model_storage
        self._resource = resource
        if learnt is not None:
            self._use(learnt)

    @classmethod
    def create(
        cls: Type[Self],
        config: Dict[Text, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
    ) -> Self:
        """A component that has learnt nothing yet."""
        return cls(config, model_storage, resource)

    @classmethod
    def load(
        cls: Type[Self],
        config: Dict[Text, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
        **kwargs: Any,
    ) -> Self:
        """The component with what its model has learnt."""
        with model_storage.read_from(resource) as directory:
            learnt = cls._read(directory / cls.FILE, config)
        return cls(config, model_storage, resource, learnt)

    @classmethod
    def fingerprint_addon(cls, config: Dict[Text, Any]) -> Optional[str]:
        """Makes Rasa's training cache see changed code and rules of cleaning; by itself it sees the class only."""
        digest = hashlib.sha256(rules_fingerprint().encode())
        for base in cls.__mro__:
            if issubclass(base, ModelFileComponent):
                digest.update(Path(inspect.getfile(base)).read_bytes())
        return digest.hexdigest()

    def _keep(self, learnt: Learnt) -> Resource:
        """Writes what was learnt into the model."""
        with self._model_storage.write_to(self._resource) as directory:
            self._write(learnt, directory / self.FILE)
        return self._resource

    @abstractmethod
    def _use(self, learnt: Learnt) -> None:
        """Goes by what was learnt from now on."""

    @staticmethod
    @abstractmethod
    def _write(learnt: Learnt, path: Path) -> None:
        """Writes what was learnt to a file."""

    @staticmethod
    @abstractmethod
    def _read(path: Path, config: Dict[Text, Any]) -> Learnt:
        """What `_write` wrote to the file."""
