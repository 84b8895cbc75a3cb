"""Pipelines as data: the answer sources, their ranking and gates, and the behaviour when every gate is shut."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self, TypeGuard

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
from vietnamese.data_files import read_yaml

PRESETS = Path(__file__).parent / "presets"

Fusion = Literal["weighted", "rrf", "dense", "lexical"]
"""The way to rank: a weighted sum of scores, reciprocal ranks, or one signal alone (`rag.retrieve`)."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RetrievalWeights(_Part):
    """Weights of a passage's scores (`rag.retrieve.passages`); they need not sum to 1."""

    candidates: int = Field(default=100, ge=1, le=1000)
    dense: float = Field(default=0.5, ge=0)
    lexical: float = Field(default=0.5, ge=0)
    article: float = Field(default=0.0, ge=0)
    coverage: float = Field(default=0.0, ge=0)


class FaqRanking(_Part):
    """Weights of the ranking of entries (`rag.retrieve.faq`); they need not sum to 1.

    `entry` is that of the entry classifier, the others those of the scores of their names.
    """

    entry: float = Field(gt=0)
    coverage: float = Field(default=0.0, ge=0)
    support: float = Field(default=0.0, ge=0)


class FaqWeights(_Part):
    """Weights of the similarity of a question and an FAQ entry (`rag.retrieve.faq`); they need not sum to 1.

    `ranking`: entries are ranked by the entry classifier; without it, by their similarity.
    `rival_topic`: an entry whose topic has a lower probability is no rival of the best one.
    """

    cosine_floor: float = Field(default=0.78, ge=-1, lt=1)
    dense: float = Field(default=0.5, ge=0)
    dice: float = Field(default=0.5, ge=0)
    coverage: float = Field(default=0.0, ge=0)
    support: float = Field(default=0.0, ge=0)
    ranking: FaqRanking | None = None
    rival_topic: float = Field(default=0.0, ge=0, le=1)


class Rule(_Part):
    """The part of a preset that describes a gate or a reranker: its registered name and its own settings.

    A gate or reranker class has its subclass of this as `rule_type`. `sources` limits the part to some answer sources;
    None: it works for all.
    """

    sources: ClassVar[frozenset[str] | None] = None
    rule: str


def _reads(kind: Kind) -> Callable[[Any], Any]:
    def rule(given: Any) -> Any:
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


def _is_an_answerer(name: str) -> str:
    # By its name alone: the class needs the rule that is being read here.
    if name not in names("answerers"):
        raise ValueError(f"there is no answerer {name!r}; there are: {', '.join(names('answerers'))}")
    return name


GateRule = Annotated[SerializeAsAny[Rule], BeforeValidator(_reads("gates"))]
RerankRule = Annotated[SerializeAsAny[Rule], BeforeValidator(_reads("rerankers"))]


class ExpansionRule(_Part):
    """Expansion of retrieval by the graph (`rag.retrieve.graph_expansion`); without a graph it does nothing.

    `weight` is added to the score of a passage that mentions an entity of the question, half of it to one that mentions
    a neighbour; `neighbours` limits those of an entity.
    """

    weight: float = Field(ge=0, le=1)
    neighbours: int = Field(default=0, ge=0, le=100)


class SourceRule(_Part):
    """One answer source of a pipeline.

    `source` is its registered name. `candidates` limits the candidates that are kept; None keeps all. `expansion` is
    for the document source. `settings` are for plug-ins; Covan's own sources have none.
    """

    source: Annotated[str, AfterValidator(_is_registered)]
    fusion: Fusion = "weighted"
    candidates: int | None = Field(default=None, ge=1, le=1000)
    topic_filter: bool = False
    rerank: RerankRule | None = None
    expansion: ExpansionRule | None = None
    gate: GateRule
    settings: Mapping[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        for part in (self.rerank, self.gate):
            if part is not None and part.sources is not None and self.source not in part.sources:
                raise ValueError(f"{part.rule} works for {', '.join(sorted(part.sources))} only")
        return self


class ClarifyLimits(_Part):
    """Limits for questions back; an unset limit switches its kind of question off.

    `reading_margin`: entries this close behind the best are offered when the margin alone shut the gate. `offer`: the
    similarity from which entries are offered when nothing answers, unless the gate's confidence in the best of them
    is below `offer_confidence`. `despite_ambiguity`: a question that is too general for one answer
    (`rag.query.ambiguity`) is answered by an extract from this probability on, and by an entry whose gate is open, with
    the cosine `same_question` when no word is particular ("bao nhiêu điểm thì qua môn"); a name alone ("tốt
    nghiệp"), of fewer than `fewest_words` syllables, never is.
    `outside`: a message above this probability of being out of scope is not asked back about for being general.
    `dimension`: the probability from which an entry or an extract is right enough to ask whom it is for.
    `sibling_margin`: a passage for other students this close behind the best states the same rule. Margins have the
    unit of the ranking's scores.
    """

    reading_margin: float | None = Field(default=None, ge=0, le=1)
    offer: float | None = Field(default=None, ge=0, le=1)
    offer_confidence: float = Field(default=0.0, ge=0, le=1)
    despite_ambiguity: float | None = Field(default=None, ge=0, le=1)
    same_question: float = Field(default=0.0, ge=-1, le=1)
    fewest_words: int = Field(default=0, ge=0, le=10)
    outside: float = Field(default=1.0, ge=0, le=1)
    dimension: float = Field(default=0.0, ge=0, le=1)
    sibling_margin: float = Field(ge=0, le=1)
    max_options: int = Field(ge=2, le=13)


class ContextLimits(_Part):
    """Limits within a conversation (`rag.decide.context`).

    `likeness`: the similarity from which a candidate counts, in the reading that it is most like.
    `curated`: an entry that is right with this probability answers; `extract`: a passage; `computed`: a calculator.
    Paths of the graph keep the number of their gate. `offer`: entries from this probability on are offered when nothing
    answers, unless the words alone are answered with the probability `alone`, or `whole` when they are a whole
    question, with `whole_words` telling words or more.
    `stands_alone`: an entry that is right with this probability for the words alone goes before what the conversation
    suggests; with `alone`, when the words name an office or a course.
    `also`: another entry's answer is given behind the most probable one's from this share of its probability on.
    `unnamed`: an entry that has not half of the words which may name the message's matter ("giường dài bao nhiêu mét")
    counts from this probability on.
    """

    likeness: float = Field(default=0.45, ge=0, le=1)
    curated: float = Field(default=0.42, ge=0, le=1)
    extract: float = Field(default=0.8, ge=0, le=1)
    computed: float = Field(default=0.5, ge=0, le=1)
    alone: float = Field(default=0.82, ge=0, le=1)
    whole: float = Field(default=0.6, ge=0, le=1)
    whole_words: int = Field(default=4, ge=1)
    stands_alone: float = Field(default=0.95, ge=0, le=1)
    offer: float = Field(default=0.34, ge=0, le=1)
    also: float = Field(default=0.4, ge=0, le=1)
    unnamed: float = Field(default=0.9, ge=0, le=1)


class SmallFaqLimits(ContextLimits):
    """Those of a school whose FAQ is too small for the entry classifier: its models are another scale."""

    curated: float = Field(default=0.4, ge=0, le=1)
    extract: float = Field(default=0.6, ge=0, le=1)
    alone: float = Field(default=0.75, ge=0, le=1)
    whole: float = Field(default=0.5, ge=0, le=1)
    stands_alone: float = Field(default=0.85, ge=0, le=1)
    offer: float = Field(default=0.4, ge=0, le=1)


class ExtractLimits(_Part):
    """Limits of an extract.

    `neighbour_margin`: a clause of the best one's article at most this far behind it is quoted with it. `also`: this
    many of the next best passages, of any article, at most `also_margin` behind, may add sentences.
    """

    max_words: int = Field(ge=20, le=400)
    neighbour_margin: float = Field(ge=0, le=1)
    also: int = Field(default=0, ge=0, le=5)
    also_margin: float = Field(default=0.0, ge=0, le=1)


class NearPassages(_Part):
    """Conditions for asking the model although the gate is shut, when several passages are near and none is sure.

    `confidence`: the gate's least probability. `margin`: the second passage is at most this far behind the first, in
    the ranking's unit. `out_of_scope`: the highest probability that the message is not the school's matter.
    """

    confidence: float = Field(ge=0, le=1)
    margin: float = Field(ge=0, le=1)
    out_of_scope: float = Field(default=0.5, ge=0, le=1)


class GenerationRule(_Part):
    """Answers by a language model (`rag.answer.generate`); without one, the rule does nothing.

    `answerer` is its registered name. The model gets at most `passages` passages of `max_words` words together, and
    writes at most `max_tokens` tokens a call, in `max_calls` calls a message. `least_supported`: the share of the words
    of an answer that must be in supported sentences. `near`: unset, the model is asked only when the gate is open.
    """

    answerer: Annotated[str, AfterValidator(_is_an_answerer)] = "grounded"
    passages: int = Field(default=4, ge=1, le=20)
    max_words: int = Field(default=700, ge=50, le=8000)
    max_tokens: int = Field(default=320, ge=16, le=4000)
    max_calls: int = Field(default=2, ge=1, le=8)
    least_supported: float = Field(default=0.6, ge=0, le=1)
    near: NearPassages | None = None


class Order(StrEnum):
    """The source that may answer: the first with an open gate, the surest with an open gate, or the most probable.

    The last one makes the decision to answer depend on one probability.
    """

    FIRST_OPEN = "first_open"
    SUREST = "surest"
    MOST_PROBABLE = "most_probable"


class Pipeline(_Part):
    """A preset, as read from its file, over the preset that its `extends` names.

    `curated_lead` is added to a curated answer's probability when `order` is most_probable. `tries`: the number of
    wordings to look a question up by (`rag.query.query_reformulation`). `splits`: each question of a message is
    answered. `otherwise`: the reply when every gate is shut. `generation`: answers by a language model.
    `notes` are put into every trace: differences from the
    system that the preset is named after.
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
    context: ContextLimits = ContextLimits()
    context_of_small_faq: SmallFaqLimits = SmallFaqLimits()
    extract: ExtractLimits
    generation: GenerationRule | None = None

    @model_validator(mode="after")
    def _each_source_once(self) -> Self:
        sources = [rule.source for rule in self.sources]
        if len(sources) > len(set(sources)):
            raise ValueError("sources: each source may stand once")
        return self

    def context_limits(self, *, is_small: bool) -> ContextLimits:
        """Return the limits within a conversation; `is_small`: the FAQ is too small for the entry classifier."""
        return self.context_of_small_faq if is_small else self.context

    def gate(self, source: str) -> GateRule:
        """Return the rule of a source's gate. Raises KeyError when the pipeline has no such source."""
        return {rule.source: rule.gate for rule in self.sources}[source]


def load_pipeline(preset: str) -> Pipeline:
    """Return the preset of a name or in a file. Raises SettingsError that names every fault."""
    try:
        return Pipeline.model_validate(_read(preset, ()))
    except ValidationError as error:
        raise SettingsError(f"{_path(preset)}: {wrong_fields(error)}") from error


def _path(preset: str) -> Path:
    return Path(preset) if preset.endswith((".yml", ".yaml")) else PRESETS / f"{preset}.yml"


def _read(preset: str, extending: tuple[Path, ...]) -> Any:
    """Return the data of a preset over those of the one that it extends. `extending`: the files that led to it."""
    path = _path(preset)
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in PRESETS.glob("*.yml")))
        by = f"{extending[-1]}: extends: " if extending else ""
        raise SettingsError(
            f"{by}there is no preset {preset!r}; there are: {known}, or give the path of a .yml file"
        )
    if path.resolve() in extending:
        circle = " extends ".join(str(each) for each in (*extending, path.resolve()))
        raise SettingsError(f"presets extend one another in a circle: {circle}")
    try:
        data = read_yaml(path)
    except yaml.YAMLError as error:
        raise SettingsError(f"{path} is not valid YAML: {error}") from error
    if not isinstance(data, dict) or "extends" not in data:
        return data
    base = data.pop("extends")
    if not isinstance(base, str):
        raise SettingsError(f"{path}: extends: must be the name of a preset or the path of a .yml file")
    return _over(_read(base, (*extending, path.resolve())), data)


def _over(base: Any, own: Mapping[str, Any]) -> Any:
    """Return a preset's data over those of its base: key by key, the keys of a part and of a source among them.

    A source that the base has not comes behind its sources. Data of a wrong form stay as they are, to be reported.
    """
    if not isinstance(base, Mapping):
        return own
    whole = {**base, **own}
    for key, part in own.items():
        if isinstance(part, Mapping) and isinstance(base.get(key), Mapping):
            whole[key] = {**base[key], **part}
    sources, ours = base.get("sources"), own.get("sources")
    if _are_sources(sources) and _are_sources(ours):
        by_name = {each.get("source"): each for each in sources}
        for each in ours:
            name = each.get("source")
            by_name[name] = {**by_name.get(name, {}), **each}
        whole["sources"] = list(by_name.values())
    return whole


def _are_sources(given: Any) -> TypeGuard[list[Mapping[str, Any]]]:
    if not isinstance(given, list) or not all(isinstance(each, Mapping) for each in given):
        return False
    # One that stands twice is a fault, which would be lost.
    return len({str(each.get("source")) for each in given}) == len(given)
