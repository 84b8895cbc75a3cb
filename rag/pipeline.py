"""A pipeline described as data: which weights, which gate with which thresholds, how much to extract."""

from __future__ import annotations

from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rag.errors import SettingsError

PRESETS = Path(__file__).parent / "presets"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RetrievalWeights(_Part):
    """How the scores of a passage are fused; see `rag.retrieve.passages`. They need not sum to 1."""

    candidates: int = Field(ge=1, le=1000)
    dense: float = Field(ge=0)
    lexical: float = Field(ge=0)
    article: float = Field(ge=0)
    coverage: float = Field(ge=0)


class FaqWeights(_Part):
    """How like a question an entry is; see `rag.retrieve.faq`. The weights need not sum to 1."""

    cosine_floor: float = Field(ge=-1, lt=1)
    dense: float = Field(ge=0)
    dice: float = Field(ge=0)
    coverage: float = Field(ge=0)
    support: float = Field(ge=0)


class Thresholds(_Part):
    """The three conditions of the gate; `sure` is the similarity at which margin and topic are not asked for."""

    similarity: float = Field(ge=0, le=1)
    margin: float = Field(ge=0, le=1)
    topic: float = Field(ge=0, le=1)
    sure: float = Field(ge=0, le=1)


class GateThresholds(_Part):
    faq: Thresholds
    document: Thresholds


class ClarifyLimits(_Part):
    """When other readings count, and how many are offered."""

    offer: float = Field(ge=0, le=1)
    sibling_margin: float = Field(ge=0, le=1)
    max_options: int = Field(ge=2, le=13)


class ExtractLimits(_Part):
    """How much of a document is quoted."""

    max_words: int = Field(ge=20, le=400)
    neighbour_margin: float = Field(ge=0, le=1)


class Pipeline(_Part):
    """A preset, as read from its file."""

    name: str
    retrieval: RetrievalWeights
    faq: FaqWeights
    gate: GateThresholds
    clarify: ClarifyLimits
    extract: ExtractLimits


def load_pipeline(preset: str) -> Pipeline:
    """The preset of that name, or in the file of that path. Raises SettingsError naming what is wrong with it."""
    path = Path(preset) if preset.endswith((".yml", ".yaml")) else PRESETS / f"{preset}.yml"
    if not path.is_file():
        names = ", ".join(sorted(file.stem for file in PRESETS.glob("*.yml")))
        raise SettingsError(
            f"there is no preset {preset!r}; there are: {names}, or give the path of a .yml file"
        )
    try:
        return Pipeline.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except yaml.YAMLError as error:
        raise SettingsError(f"{path} is not valid YAML: {error}") from error
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'file'}: {e['msg']}" for e in error.errors())
        raise SettingsError(f"{path}: {wrong}") from error
