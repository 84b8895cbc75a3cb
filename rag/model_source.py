"""The source of a sentence-transformers model (embedder or cross-encoder): a folder on disk, or a name on a hub."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest, sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from rag.errors import SettingsError

PREFIX = "sentence-transformers:"
INSTALL = "make transformers"
"""The command that installs the optional extra."""

HUB_TIMEOUT_S = 10
"""Seconds for the hub to say whether it has a model; its client would try for more than a minute."""

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_E5 = re.compile(r"(?:^|[-_])e5(?:[-_]|$)", re.IGNORECASE)
_OTHER_FORMATS = frozenset({"onnx", "openvino"})
_DIGITS = 12

Model = TypeVar("Model")


@dataclass(frozen=True)
class ModelSource:
    """A model: its folder, or its name on the hub ("intfloat/multilingual-e5-base")."""

    place: str
    folder: Path | None

    @classmethod
    def of(cls, spec: str) -> ModelSource:
        """Return the source that `sentence-transformers:NAME_OR_PATH` names, without loading the model.

        Raises SettingsError when it is neither a folder nor a possible name, or the extra is not installed.
        """
        place = spec.removeprefix(PREFIX).strip()
        folder = Path(place).expanduser()
        if not place or (not folder.is_dir() and not _HUB_NAME.fullmatch(place)):
            raise SettingsError(
                f"{spec!r} names no model: after {PREFIX!r} comes a folder that exists, or a name on the hub, "
                "ORGANISATION/NAME"
            )
        if find_spec("sentence_transformers") is None:
            raise SettingsError(
                f"{spec!r} needs packages that are not installed; install them with: {INSTALL}"
            )
        return cls(place, folder.resolve() if folder.is_dir() else None)

    @cached_property
    def name(self) -> str:
        """The name that an index stores. A folder's name has a hash of its content, so that retraining changes it.

        Raises SettingsError when the folder cannot be read.
        """
        if self.folder is None:
            return f"{PREFIX}{self.place}"
        try:
            return f"{PREFIX}{self.folder.name}@{_content_hash(self.folder)}"
        except OSError as error:
            raise SettingsError(f"the model in {self.folder} cannot be read: {error}") from error

    @property
    def is_e5(self) -> bool:
        """Whether it is an E5 model trained with "query: " and "passage: "; the instruct models are not."""
        name = self.place.rpartition("/")[2] if self.folder is None else self.folder.name
        return _E5.search(name) is not None and "instruct" not in name.lower()

    def load(self, kind: Callable[..., Model]) -> Model:
        """Load the model from this machine, else download it by its hub's name.

        `kind` is the library's class, called with the place and `local_files_only` (no network).
        Raises SettingsError when the model cannot be found, or is of another kind.
        """
        if self.folder is not None:
            return self._read(lambda: kind(str(self.folder), local_files_only=True), str(self.folder))
        try:
            return kind(self.place, local_files_only=True)
        except OSError:
            self._ask_the_hub()
        return self._read(lambda: kind(self.place, local_files_only=False), self.place)

    def _read(self, load: Callable[[], Model], place: str) -> Model:
        try:
            return load()
        except Exception as error:
            # Each file format raises errors of its own.
            reason = " ".join(str(error).split()) or type(error).__name__
            raise SettingsError(
                f"{place} cannot be used as a sentence-transformers model: {reason}"
            ) from error

    def _ask_the_hub(self) -> None:
        from huggingface_hub import HfApi  # noqa: PLC0415
        from huggingface_hub.errors import RepositoryNotFoundError  # noqa: PLC0415

        try:
            HfApi().model_info(self.place, timeout=HUB_TIMEOUT_S)
        except RepositoryNotFoundError as error:
            raise SettingsError(
                f"there is neither a folder {self.place} nor a model of that name that the hub would give out"
            ) from error
        except Exception as error:
            # The client lets its HTTP library's errors through.
            raise SettingsError(
                f"the model {self.place} is not on this machine, and the hub cannot be reached ({error}); connect this "
                f"machine once, or copy the model's folder here and set {PREFIX}PATH"
            ) from error


def _content_hash(folder: Path) -> str:
    """Return a hash of the model's files, without notes and other formats of the same weights."""
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in inside.parts)
        if path.suffix == ".md" or hidden or _OTHER_FORMATS & set(inside.parts) or not path.is_file():
            continue
        with path.open("rb") as file:
            digest.update(f"{inside.as_posix()}\0{file_digest(file, 'sha256').hexdigest()}\n".encode())
    return digest.hexdigest()[:_DIGITS]
