"""A pipeline described as data: what is searched and how, which gate judges it, what happens when none is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializeAsAny,
    ValidationError,
    model_validator,
)

from rag.errors import SettingsError, wrong_fields
from rag.registry import Kind, names, registered

PRESETS = Path(__file__).parent / "presets"

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


class Rule(_Part):
    """The part of a preset that describes a gate or a reranker: the registered name, and settings of that part's own.

    A gate or reranker class has its subclass of this as `rule_type`. `sources` are the only answer sources that the
    part works for; None: it works for all.
    """

    sources: ClassVar[frozenset[str] | None] = None
    rule: str


def _reads(kind: Kind) -> Callable[[Any], Any]:
    def rule(given: Any) -> Any:
        """Return what a preset says as the rule type of the part that it names."""
        if isinstance(given, Rule):
            return given
        if not isinstance(given, Mapping) or not isinstance(given.get("rule"), str):
            raise ValueError(f"needs a 'rule', one of: {', '.join(names(kind))}")
        try:
            return registered(kind, given["rule"]).rule_type.model_validate(given)
        except SettingsError as error:
            raise ValueError(str(error)) from error
        except ValidationError as error:
            raise ValueError(wrong_fields(error)) from error

    return rule


def _is_registered(source: str) -> str:
    try:
        registered("answer_sources", source)
    except SettingsError as error:
        raise ValueError(str(error)) from error
    return source


GateRule = Annotated[SerializeAsAny[Rule], BeforeValidator(_reads("gates"))]
RerankRule = Annotated[SerializeAsAny[Rule], BeforeValidator(_reads("rerankers"))]


class SourceRule(_Part):
    """One answer source of a pipeline.

    `source` is its registered name. `candidates` is how many of the best are kept; all that were looked at when unset.
    `settings` are for a plug-in's own use; Covan's sources have none.
    """

    source: Annotated[str, AfterValidator(_is_registered)]
    fusion: Fusion = "weighted"
    candidates: int | None = Field(default=None, ge=1, le=1000)
    topic_filter: bool = False
    rerank: RerankRule | None = None
    gate: GateRule
    settings: Mapping[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        for part in (self.rerank, self.gate):
            if part is not None and part.sources is not None and self.source not in part.sources:
                raise ValueError(f"{part.rule} works for {', '.join(sorted(part.sources))} only")
        return self


class ClarifyLimits(_Part):
    """When other readings count, and how many are offered. What is unset is never offered.

    `reading_margin`: an entry so close behind the best is another reading when only the margin is too small.
    `offer`: an entry as like as this is offered when nothing passes. `despite_ambiguity`: a question that is too
    general for one answer (`rag.query.ambiguity`) is asked back about unless an extract's probability is as high as
    this, or an entry shares as many words with it as `same_words` (Dice coefficient): then an office has written down
    what it means. A name alone ("tốt nghiệp"), of fewer than `fewest_words` syllables, is never answered so.
    `sibling_margin`: how far behind the best a passage for other students may be to be the same rule. Margins are in
    the unit of the ranking's scores.
    """

    reading_margin: float | None = Field(default=None, ge=0, le=1)
    offer: float | None = Field(default=None, ge=0, le=1)
    despite_ambiguity: float | None = Field(default=None, ge=0, le=1)
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
    """Which source may answer: the first whose gate is open; the surest of those whose gates are open; or none but the
    most probable one, whatever the gates say, so that the decision to answer depends on one probability."""

    FIRST_OPEN = "first_open"
    SUREST = "surest"
    MOST_PROBABLE = "most_probable"


class Pipeline(_Part):
    """A preset, as read from its file.

    `curated_lead`: how much less probable a curated answer may be than an extract and still be the one, when `order` is
    most_probable. `tries`: how often the question is looked up, the later times in other words
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
    sources: tuple[SourceRule, ...] = Field(min_length=1)
    tries: int = Field(default=1, ge=1, le=5)
    otherwise: Literal["no_answer", "clarify"] = "no_answer"
    clarify: ClarifyLimits
    extract: ExtractLimits

    @model_validator(mode="after")
    def _each_source_once(self) -> Self:
        sources = [rule.source for rule in self.sources]
        if len(sources) > len(set(sources)):
            raise ValueError("sources: each source may stand once")
        return self

    def gate(self, source: str) -> GateRule:
        """Return the rule of a source's gate. Raises KeyError when the pipeline has no such source."""
        return {rule.source: rule.gate for rule in self.sources}[source]

    def with_gates(self, gates: Mapping[str, GateRule]) -> Pipeline:
        """Return the same pipeline with other gates for the named sources."""
        sources = tuple(
            rule.model_copy(update={"gate": gates.get(rule.source, rule.gate)}) for rule in self.sources
        )
        return self.model_copy(update={"sources": sources})


def load_pipeline(preset: str) -> Pipeline:
    """The preset of that name, or in the file of that path. Raises SettingsError naming what is wrong with it."""
    path = Path(preset) if preset.endswith((".yml", ".yaml")) else PRESETS / f"{preset}.yml"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in PRESETS.glob("*.yml")))
        raise SettingsError(
            f"there is no preset {preset!r}; there are: {known}, or give the path of a .yml file"
        )
    try:
        return Pipeline.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except yaml.YAMLError as error:
        raise SettingsError(f"{path} is not valid YAML: {error}") from error
    except ValidationError as error:
        raise SettingsError(f"{path}: {wrong_fields(error)}") from error
