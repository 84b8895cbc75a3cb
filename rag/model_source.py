"""Where a sentence-transformers model comes from: a folder on disk, or a name on a model hub.

All kinds of these models (embedders, cross-encoders) are found, named and loaded here, and fail with the same words.
"""

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
"""How long the hub may take to say whether it has a model. Its client would otherwise try for more than a minute."""

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_E5 = re.compile(r"(?:^|[-_])e5(?:[-_]|$)", re.IGNORECASE)
_OTHER_FORMATS = frozenset({"onnx", "openvino"})
_DIGITS = 12

Model = TypeVar("Model")


@dataclass(frozen=True)
class ModelSource:
    """A model by its folder, or else by its name on the hub ("intfloat/multilingual-e5-base")."""

    place: str
    folder: Path | None

    @classmethod
    def of(cls, spec: str) -> ModelSource:
        """The source that `sentence-transformers:NAME_OR_PATH` names; nothing is loaded or downloaded yet.

        Raises SettingsError when it names neither a folder nor a possible name, or the extra is not installed.
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
        """What an index remembers. A folder is named by its content: the same wherever it lies, another once retrained.

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
        """Whether it is one of the E5 models that were trained with "query: " and "passage: ".

        The instruct models of the family were trained with other words.
        """
        name = self.place.rpartition("/")[2] if self.folder is None else self.folder.name
        return _E5.search(name) is not None and "instruct" not in name.lower()

    def load(self, kind: Callable[..., Model]) -> Model:
        """The model, from this machine when it is here; else downloaded, when it is a hub's name.

        `kind` is the library's class: called with the place, and `local_files_only` for no network.

        Raises SettingsError when it is not here and cannot be had, or is no such model.
        """
        if self.folder is not None:
            return self._read(lambda: kind(str(self.folder), local_files_only=True), str(self.folder))
        try:
            return kind(self.place, local_files_only=True)
        except OSError:
            # Not among the models that were downloaded before.
            self._ask_the_hub()
        return self._read(lambda: kind(self.place, local_files_only=False), self.place)

    def _read(self, load: Callable[[], Model], place: str) -> Model:
        try:
            return load()
        except Exception as error:
            # Each file format has errors of its own; to whoever set the model they all mean this.
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
            # The client raises whatever its HTTP library does.
            raise SettingsError(
                f"the model {self.place} is not on this machine, and the hub cannot be reached ({error}); connect this "
                f"machine once, or copy the model's folder here and set {PREFIX}PATH"
            ) from error


def _content_hash(folder: Path) -> str:
    """A hash of the files that make the model: notes and other formats of the same weights are left out."""
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in inside.parts)
        if path.suffix == ".md" or hidden or _OTHER_FORMATS & set(inside.parts) or not path.is_file():
            continue
        with path.open("rb") as file:
            digest.update(f"{inside.as_posix()}\0{file_digest(file, 'sha256').hexdigest()}\n".encode())
    return digest.hexdigest()[:_DIGITS]
