"""A pipeline described as data: what is searched and how, which gate judges it, what happens when none is open."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rag.errors import SettingsError, wrong_fields

PRESETS = Path(__file__).parent / "presets"

Source = Literal["faq", "document"]

Fusion = Literal["weighted", "rrf", "dense", "lexical"]
"""How a ranking is made: a weighted sum of scores, reciprocal ranks, or one signal alone (`rag.retrieve.fusion`)."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RetrievalWeights(_Part):
    """How the scores of a passage are fused; see `rag.retrieve.passages`. They need not sum to 1."""

    candidates: int = Field(default=100, ge=1, le=1000)
    dense: float = Field(default=0.5, ge=0)
    lexical: float = Field(default=0.5, ge=0)
    article: float = Field(default=0.0, ge=0)
    coverage: float = Field(default=0.0, ge=0)


class FaqWeights(_Part):
    """How like a question an entry is; see `rag.retrieve.faq`. The weights need not sum to 1."""

    cosine_floor: float = Field(default=0.78, ge=-1, lt=1)
    dense: float = Field(default=0.5, ge=0)
    dice: float = Field(default=0.5, ge=0)
    coverage: float = Field(default=0.0, ge=0)
    support: float = Field(default=0.0, ge=0)


class OpenRule(_Part):
    """No condition: whatever was found is said. For systems that leave it to a language model to decline."""

    rule: Literal["open"]


class CosineRule(_Part):
    """The cosine of question and candidate is `at_least` so much, the boundary included."""

    rule: Literal["cosine"]
    at_least: float = Field(ge=-1, le=1)


class Thresholds(_Part):
    """Three conditions; `sure` is the similarity at which margin and topic are not asked for, if there is one."""

    rule: Literal["thresholds"] = "thresholds"
    similarity: float = Field(ge=0, le=1)
    margin: float = Field(ge=0, le=1)
    topic: float = Field(ge=0, le=1)
    sure: float | None = Field(default=None, ge=0, le=1)


class CalibratedRule(_Part):
    """Like something published at all, and right with a probability above a threshold.

    `likeness` in 0..1 keeps out what the school has not written about. `probability` is the threshold for as long as
    the school has not chosen a risk by `covan calibrate`. When another candidate is nearer than `margin`, or the
    question is about the candidate's topic with a probability below `topic`, it must be right with the probability
    `sure`.
    """

    rule: Literal["calibrated"]
    likeness: float = Field(default=0.0, ge=0, le=1)
    margin: float = Field(default=0.0, ge=0, le=1)
    topic: float = Field(default=0.0, ge=0, le=1)
    sure: float = Field(default=1.0, ge=0, le=1)
    probability: float = Field(ge=0, le=1)


GateRule = Annotated[OpenRule | CosineRule | Thresholds | CalibratedRule, Field(discriminator="rule")]


class TopicRerank(_Part):
    """Candidates ranked anew by (1 - weight) x score + weight x the probability of their topic."""

    rule: Literal["topic"]
    weight: float = Field(ge=0, le=1)


class LearnedRerank(_Part):
    """Passages ranked anew by their features: by the school's own model, else the shipped one."""

    rule: Literal["learned"]


class CrossEncoderRerank(_Part):
    """The first few ranked anew by (1 - weight) x score + weight x the score of a cross-encoder, for `model`.

    `model` is "sentence-transformers:NAME_OR_PATH".
    """

    rule: Literal["cross_encoder"]
    model: str
    candidates: int = Field(default=10, ge=1, le=100)
    weight: float = Field(default=0.5, ge=0, le=1)


RerankRule = Annotated[TopicRerank | LearnedRerank | CrossEncoderRerank, Field(discriminator="rule")]


class TierRule(_Part):
    """One thing that is searched. `candidates` is how many of the best are kept; all that were looked at when unset."""

    source: Source
    fusion: Fusion = "weighted"
    candidates: int | None = Field(default=None, ge=1, le=1000)
    topic_filter: bool = False
    rerank: RerankRule | None = None
    gate: GateRule

    @model_validator(mode="after")
    def _features_are_of_passages(self) -> Self:
        if isinstance(self.rerank, LearnedRerank) and self.source != "document":
            raise ValueError("rerank: learned is for documents; only passages have features")
        return self


class ClarifyLimits(_Part):
    """When other readings count, and how many are offered. What is unset is never offered.

    `reading_margin`: an entry so close behind the best is another reading when only the margin is too small.
    `offer`: an entry as like as this is offered when nothing passes. `broad`: a question that is too general for one
    answer (`rag.query.ambiguity`) is asked back about unless an extract's probability is as high as this, or an entry
    shares as many words with it as `same_words` (Dice coefficient): then an office has written down what it means. A
    name alone ("tốt nghiệp"), of fewer than `fewest_words` syllables, is never answered so.
    `sibling_margin`: how far behind the best a passage for other students may be to be the same rule. Margins are in
    the unit of the ranking's scores.
    """

    reading_margin: float | None = Field(default=None, ge=0, le=1)
    offer: float | None = Field(default=None, ge=0, le=1)
    broad: float | None = Field(default=None, ge=0, le=1)
    same_words: float = Field(default=0.0, ge=0, le=1)
    fewest_words: int = Field(default=0, ge=0, le=10)
    sibling_margin: float = Field(ge=0, le=1)
    max_options: int = Field(ge=2, le=13)


class ExtractLimits(_Part):
    """How much of a document is quoted.

    `neighbour_margin`: how far behind the best a clause of its article may be to be quoted with it. `also`: how many
    of the next best passages, of whichever article, may add sentences, when they are `also_margin` behind at most.
    """

    max_words: int = Field(ge=20, le=400)
    neighbour_margin: float = Field(ge=0, le=1)
    also: int = Field(default=0, ge=0, le=5)
    also_margin: float = Field(default=0.0, ge=0, le=1)


class Order(StrEnum):
    """Which tier may answer: the first whose gate is open, or the surest of those whose gates are; or none but the one
    that is most probably right, whatever the gates say, so that what is answered depends on one probability."""

    FIRST_OPEN = "first_open"
    SUREST = "surest"
    MOST_PROBABLE = "most_probable"


class Pipeline(_Part):
    """A preset, as read from its file.

    `curated_lead`: how much less probable a curated answer may be than an extract and still be the one, when `order` is
    most_probable. `tries`: how often the question is looked up, the later times refined
    (`rag.query.query_reformulation`).
    `splits`: whether several questions in one message are answered each. `otherwise`: what a question gets that no
    gate lets through.
    `notes` are put into every trace: what the preset leaves out of the system it is named after.
    """

    name: str
    notes: tuple[str, ...] = ()
    splits: bool = False
    retrieval: RetrievalWeights = RetrievalWeights()
    faq: FaqWeights = FaqWeights()
    order: Order = Order.FIRST_OPEN
    curated_lead: float = Field(default=0.0, ge=0, le=1)
    tiers: tuple[TierRule, ...] = Field(min_length=1)
    tries: int = Field(default=1, ge=1, le=5)
    otherwise: Literal["no_answer", "clarify"] = "no_answer"
    clarify: ClarifyLimits
    extract: ExtractLimits

    @model_validator(mode="after")
    def _each_source_once(self) -> Self:
        sources = [tier.source for tier in self.tiers]
        if len(sources) > len(set(sources)):
            raise ValueError("tiers: each source may stand once")
        return self

    def gate(self, source: Source) -> GateRule:
        """The rule of the tier of that source. Raises KeyError when there is none."""
        return {tier.source: tier.gate for tier in self.tiers}[source]

    def with_gates(self, gates: Mapping[Source, GateRule]) -> Pipeline:
        """The same pipeline with other gates for the tiers of those sources."""
        tiers = tuple(
            tier.model_copy(update={"gate": gates.get(tier.source, tier.gate)}) for tier in self.tiers
        )
        return self.model_copy(update={"tiers": tiers})


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
        raise SettingsError(f"{path}: {wrong_fields(error)}") from error
