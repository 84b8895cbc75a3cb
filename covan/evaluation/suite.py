"""A suite: labelled questions over some knowledge, the claims about them, and the command that shows it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from covan.evaluation.labels import LabelKind
from rag.errors import SettingsError

SUITES = Path("benchmarks")


class Suite(BaseModel):
    """The contents of `benchmarks/NAME.yml`.

    `knowledge` is a knowledge folder, or one file of documents. `origin` says whose data it is when the project does
    not hold it: the paths are then inside the folder given by `--data`. `undiacritised` asks everything a second time
    without diacritics. `at_least` and `at_most` are the claimed figures, by the names of `covan.evaluation.figures`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    about: str = ""
    command: str = ""
    origin: str | None = None
    knowledge: Path
    questions: Path
    labels: LabelKind | None = None
    preset: str = "covan"
    undiacritised: bool = False
    at_least: dict[str, float] = {}
    at_most: dict[str, float] = {}


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed figure and the measured one, None when there is no such figure. `limit` is ">=" or "<="."""

    figure: str
    limit: str
    claimed: float
    measured: float | None

    @property
    def kept(self) -> bool:
        if self.measured is None:
            return False
        return self.measured >= self.claimed if self.limit == ">=" else self.measured <= self.claimed


def read_suite(name: str) -> Suite:
    """Return the suite of that name in `benchmarks/`, or in the file of that path.

    Raises SettingsError when there is no such suite or it does not say what it must.
    """
    path = Path(name) if name.endswith((".yml", ".yaml")) else SUITES / f"{name}.yml"
    if not path.is_file():
        names = ", ".join(sorted(file.stem for file in SUITES.glob("*.yml"))) or "none"
        raise SettingsError(f"there is no suite {name!r}; there are: {names}")
    try:
        return Suite.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (yaml.YAMLError, ValidationError) as error:
        raise SettingsError(f"{path}: {error}") from error


def located(suite: Suite, data: Path | None) -> Suite:
    """`suite` with paths that can be opened. Raises SettingsError when they lead nowhere or need `data`."""
    if suite.origin is not None:
        if data is None:
            raise SettingsError(
                f"the questions of this suite are not part of the project ({suite.origin}): say where they are "
                "with --data DIR, or COVAN_EVAL_DATA"
            )
        suite = suite.model_copy(
            update={"knowledge": data / suite.knowledge, "questions": data / suite.questions}
        )
    for what in (suite.knowledge, suite.questions):
        if not what.exists():
            hint = "; is --data (COVAN_EVAL_DATA) the right folder?" if suite.origin is not None else ""
            raise SettingsError(f"{what} is not there{hint}")
    return suite


def index_name(knowledge: Path) -> str:
    """Return the name of the index of a suite's `knowledge`: suites over the same knowledge share one."""
    return re.sub(r"[^\w.]+", "-", knowledge.as_posix()).strip("-.") or "here"


@contextmanager
def knowledge_folder(knowledge: Path) -> Iterator[Path]:
    """Yield a folder to build an index of: `knowledge` itself, or a temporary one around a single file."""
    if knowledge.is_dir():
        yield knowledge
        return
    with TemporaryDirectory(prefix="covan-") as folder:
        documents = Path(folder) / "documents"
        documents.mkdir()
        shutil.copyfile(knowledge, documents / knowledge.name)
        yield Path(folder)


def claims(suite: Suite, figures: Mapping[str, float]) -> list[Claim]:
    """Return every claim of the suite with its measured figure, in the order of the file."""
    return [
        Claim(name, limit, claimed, figures.get(name))
        for limit, claimed_figures in ((">=", suite.at_least), ("<=", suite.at_most))
        for name, claimed in claimed_figures.items()
    ]
