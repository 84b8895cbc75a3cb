"""The answers of the console's JSON API, as its OpenAPI description has them.

Routes return dictionaries; FastAPI makes the JSON of them by these models, so that an answer is as it is described. A
field that is not described does not leave the console. Data that have a type of their own, as `Account`, are described
by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from console import advisors_api
from console.accounts import Account
from console.api.models import AnyKept, DocumentDraft, PartDraft, RemovalDraft, SeenDraft, TopicDraft
from console.canned_replies import CannedReply
from console.cited_clauses import ChangedSource
from console.draft_builds import BuildState
from console.first_run import Step
from console.knowledge_files import Use
from console.label_names import LabelName
from console.roles import Right
from console.rule_words import Condition
from console.topic_changes import Change, Outcomes
from console.training import Progress
from console.version_changes import ThingChange
from console.versions import Version
from rag.decide.calibration import Counts
from rag.ingest.loaders.page_frames import Frame
from rag.ingest.loaders.page_survey import PageSurvey
from rag.language_model.choice import ModelChoice
from rag.language_model.ledger import DayUsage
from rag.language_model.types import ModelCall
from rag.types import DroppedSentence


class Answer(BaseModel):
    """An answer: a field with a default is never missing."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


# Signing in, accounts, the audit log


class Me(Answer):
    """The signed-in account, its rights, and the token that a change must carry; `now` is the server's time.

    `keeps_versions`: whether a change of the knowledge folder can be undone.
    """

    login: str
    name: str
    roles: list[str]
    rights: list[Right]
    csrf: str
    now: float
    keeps_versions: bool


class SignInMethods(Answer):
    """The name of the OpenID Connect provider; null without one."""

    openid: str | None


class SecondFactor(Answer):
    """The second factor of one's own account."""

    on: bool
    recovery_codes_left: int


class NewSecondFactor(Answer):
    """A secret for the app, its address for apps, and that as an SVG of a QR code."""

    secret: str
    address: str
    qr: str


class RecoveryCodes(Answer):
    """The codes that take the place of the app; they are told this once."""

    recovery_codes: list[str]


class Named(Answer):
    """A thing of the school by its id."""

    id: str
    name: str


class PeopleList(Answer):
    """All accounts, and the roles and offices that they may have.

    `mails`: whether advisors are told by mail of students who wait; `openid`: whether people may sign in at a provider.
    """

    people: list[Account]
    roles: list[str]
    offices: list[Named]
    mails: bool
    openid: bool


class NewAccountsInUse(Answer):
    """The domains whose people get an account with these roles when they first sign in at the provider."""

    domains: list[str]
    roles: list[str]


class Noted(Answer):
    """An entry of the audit log; `detail` depends on the action."""

    id: int
    at: float
    login: str
    action: str
    target: str
    detail: dict[str, Any]
    allowed: bool


class AuditPage(Answer):
    """A page of the audit log, and the names of what it is about by "kind/id"."""

    entries: list[Noted]
    names: dict[str, str]


# Questions of students


class Settled(Answer):
    """The advisor who has settled a question, and the way; `entry` answers it, "" without one."""

    name: str
    at: float
    how: Literal["entry", "rule", "aside"]
    entry: str
    question: str
    answer: str


class Turn(Answer):
    """A student's question, and the decision on it; `good` is the student's thumb, null without one."""

    id: int
    at: float
    channel: str
    question: str
    decision: str
    source: str
    topic: str
    intent: str
    confidence: float
    answer_id: str
    turn_id: int
    good: bool | None = None


class ListedTurn(Turn):
    """A turn of a list; one without words has the button's title or the menu's command."""

    pressed: str
    command: str
    corrected: Settled | None


class TurnPage(Answer):
    """A page of turns, the newest first."""

    turns: list[ListedTurn]
    more: bool


class FilterValues(Answer):
    """The values that turns can be filtered by, and the names of topics."""

    channel: list[str]
    topic: list[str]
    source: list[str]
    intent: list[str]
    topic_names: dict[str, str]


class Citation(Answer):
    """A place of a document that an answer rests on."""

    document_id: str = ""
    title: str = ""
    locator: str = ""
    quote: str = ""


class Candidate(Answer):
    """A thing that could have answered, with its scores; `text` is its beginning.

    A trace of another release may lack some of it.
    """

    source: str = ""
    id: str = ""
    title: str = ""
    locator: str = ""
    document_id: str = ""
    text: str = ""
    score: float = 0.0
    scores: dict[str, float] = {}


class Trace(Answer):
    """The way from a question to its reply (`rag.reply_record`), with the school's names for mentions and profile.

    A turn that the engine was not asked about has the reading alone.
    """

    normalized: str
    resolved: str = ""
    intents: dict[str, float] = {}
    topics: dict[str, str]
    """The names of the topics of `intents`."""
    mentions: list[tuple[str, str]]
    profile: list[tuple[str, str]]
    reasons: list[str] = []
    signals: dict[str, float] = {}
    thresholds: dict[str, float] = {}
    stages_ms: dict[str, float] = {}
    candidates: list[Candidate] = []
    citations: list[Citation] = []
    preset: str = ""
    index_version: str = ""


class ToldTurn(Turn):
    """A turn with the way to its reply; `needs_context`: its words only go on with what was said before.

    `follows` is the last FAQ entry that answered a turn before it, null without one.
    """

    trace: Trace
    corrected: Settled | None
    needs_context: bool
    follows: NamedEntry | None


class TranscriptMessage(Answer):
    """A message of a transcript; `options` are the titles of its buttons."""

    id: int
    at: float
    author: str
    by: str
    text: str
    options: list[str]
    citations: list[Citation]
    turn: int | None
    good: bool | None
    reason: str


class Conversation(Answer):
    """The transcript around the turn of `trace`, and the turns by their `turn_id`."""

    channel: str
    sender: str
    trace: int
    messages: list[TranscriptMessage]
    turns: dict[str, ToldTurn]


class TopicChange(Answer):
    """A topic in the days that are looked at, and in as many days before."""

    topic: str
    now: Outcomes
    before: Outcomes
    unanswered: Change
    thumbs: Change


class Percentiles(Answer):
    """The median and the 95th percentile of times, in seconds; null without any."""

    median: float | None
    p95: float | None


class DayPercentiles(Percentiles):
    """Those of a day, YYYY-MM-DD."""

    day: str


class ResponseTimes(Percentiles):
    """The times from a question to its reply, in the days before, too, and day by day."""

    before: Percentiles
    days: list[DayPercentiles]


class DayCount(Answer):
    """How many turns of a day had a decision."""

    day: str
    decision: str
    n: int


class DecidedBy(Answer):
    """The numbers of turns by decision, for each source, channel, and hour of the day."""

    source: dict[str, dict[str, int]]
    channel: dict[str, dict[str, int]]
    hour: dict[str, dict[str, int]]


class Thumbs(Answer):
    """Students' thumbs."""

    up: int
    down: int


class TopQuestion(Answer):
    """An answer that was given `n` times, and the last question for it."""

    answer_id: str
    question: str
    n: int


class HandOverCounts(Answer):
    """Conversations that were handed over to advisors now and in the days before; `taken` of those now do not wait."""

    now: int
    taken: int
    before: int


class Statistics(Answer):
    """The figures of some days beside those before; `waiting` students want a person, null while nobody can tell."""

    decisions: dict[str, int]
    before: dict[str, int]
    since: float
    topics: list[TopicChange]
    by: DecidedBy
    days: list[DayCount]
    seconds: ResponseTimes
    thumbs: Thumbs
    hand_overs: HandOverCounts
    students: int
    top: list[TopQuestion]
    waiting: int | None
    waiting_by: dict[str, int]
    """By the name of the office, "" for those of none."""
    waiting_since: float | None


# The inbox


class Waiting(advisors_api.Waiting):
    """A conversation that was handed over, with the name of its topic."""

    topic_name: str


class InboxList(Answer):
    """The conversations that were handed over, those that wait longest first, and the names of one's offices."""

    conversations: list[Waiting]
    own_offices: list[str]


class OpenConversation(Answer):
    """A conversation that waits or is taken, as every page looks at it."""

    id: int
    status: Literal["waiting", "taken", "closed"]
    taken_by: str


class WaitingCount(Answer):
    """How many students wait, and the conversations that are not closed."""

    waiting: int
    open: list[OpenConversation]


class FoundConversations(Answer):
    """The ids of conversations."""

    ids: list[int]


class Recipients(Answer):
    """The names of advisors and offices to whom a conversation can be handed on."""

    advisors: list[str]
    offices: list[str]


class ProfileValue(Answer):
    """A value of a student's profile, in the school's words."""

    name: str
    value: str


class StudentQuestion(Answer):
    """A question of a student; `topic` is the topic's name."""

    id: int
    at: float
    question: str
    decision: str
    topic: str


class Student(Answer):
    """The profile of a student, when the first question was asked, and the last ones."""

    profile: list[ProfileValue]
    since: float | None
    questions: list[StudentQuestion]


class InboxConversation(advisors_api.Conversation):
    """A conversation of the inbox, with what was said and noted, and the student."""

    topic_name: str
    student: Student


class SentMessage(Answer):
    """The id of a message that was sent."""

    message: int


class Previews(Answer):
    """The messages that a student would get, as the channel shows them."""

    messages: list[str]


class CannedReplyList(Answer):
    """The canned replies, by title."""

    replies: list[CannedReply]


class MadeRow(Answer):
    """The id of what was made."""

    id: int


# Trying


class TrialPart(Answer):
    """A part of what the chat says to a message; without a decision, it is talk."""

    question: str
    decision: str
    text: str
    asks: list[str]
    options: list[str]


class TriedTurn(Turn):
    """A turn that was tried: nothing of it is stored."""

    trace: Trace


class Trial(Answer):
    """The chat's reply to a message, and its reply with the chosen draft; null without one."""

    said: list[TrialPart]
    drafted: list[TrialPart] | None
    turn: TriedTurn


class Invitation(Answer):
    """A link for testers; `draft` names what they chat with, "" is what is live."""

    id: int
    title: str
    draft: str
    state: BuildState
    login: str
    created_at: float
    expires_at: float
    testers: int
    turns: int


class InvitationList(Answer):
    """All invitations, the newest first."""

    invitations: list[Invitation]


class MadeInvitation(Invitation):
    """A new invitation; the `token` of its link is told this once."""

    token: str


class TesterTurn(Answer):
    """A question of a tester, who is known by a number, and its reply."""

    tester: int
    at: float
    said: str
    decision: str
    text: str
    answer_id: str


class TesterTurns(Answer):
    """The turns of an invitation, tester by tester."""

    turns: list[TesterTurn]


class InvitedTo(Answer):
    """The invitation as the page of testers shows it."""

    title: str
    school: str
    expires_at: float
    draft: str
    state: BuildState


class ToldOption(Answer):
    """A button, and what it stands for."""

    title: str
    option: dict[str, str]


class ToldSource(Answer):
    """A source of an answer."""

    title: str
    locator: str
    quote: str


class ToldPart(Answer):
    """A part of the reply to a tester; `talk`: it answers no question."""

    question: str
    decision: str
    text: str
    talk: bool
    asks: list[str]
    options: list[ToldOption]
    sources: list[ToldSource]


class ToldToTester(Answer):
    """The reply to a tester; `live` are the texts of the live one where the draft gives another."""

    said: list[ToldPart]
    live: list[str]


# Messages and models


class ReadPart(Answer):
    """A part of a message; with `entity`, it is a name of a value of that dimension."""

    text: str
    entity: str


class Unsure(Answer):
    """A message that the model was unsure of; `guesses` are the most probable intents, `traces` its turns."""

    parts: list[ReadPart]
    guesses: dict[str, float]
    students: int
    times: int
    last_at: float
    traces: list[int]
    personal: bool


class NamedDimension(Answer):
    """A dimension by its names."""

    id: str
    name: str
    name_en: str


class Review(Answer):
    """Messages to label, of `count`; `topics` are the names of topics by intent, `general` the other intents."""

    messages: list[Unsure]
    count: int
    topics: dict[str, str]
    general: list[str]
    dimensions: list[NamedDimension]


class Labelled(Answer):
    """The files that have new examples."""

    files: list[str]
    commit: str


@dataclass(frozen=True, slots=True)
class Training(Progress):
    """The latest training; `waits_for_changes`: until Covan has read what was published."""

    waits_for_changes: bool = False


class ModelAction(Answer):
    """An action on a model or a threshold, and whose it was."""

    at: float
    by: str
    action: str
    target: str


class WaitingLabels(Answer):
    """The labels that the live model does not know: no model has learnt them, or the candidate alone has."""

    untrained: int
    unpromoted: int


class Models(Answer):
    """The trained models by name, "" for one that is not there."""

    training: Training
    live: str
    before: str
    candidate: str
    labels: WaitingLabels
    history: list[ModelAction]


class PromotedModels(Models):
    """The models after a change of the live one; `is_live`: a running Covan uses it."""

    is_live: bool


class Understood(Answer):
    """The intent that a message is taken for."""

    intent: str
    probability: float


class MessageChange(Answer):
    """A message that the candidate takes for another intent than the live model."""

    text: str
    live: Understood
    candidate: Understood


class LabelledChange(MessageChange):
    """One of a labelled message, with its label."""

    intent: str


class StudentChange(MessageChange):
    """One of a student's message, with its turn."""

    trace: int


class RightOnes(Answer):
    """How many labelled messages each model takes for what they are; null without a live model."""

    live: int | None
    candidate: int


class Confusion(Answer):
    """How often each model takes messages of an intent for another one."""

    intent: str
    given: str
    live: int
    candidate: int


class LabelledComparison(Answer):
    """The models on labelled messages."""

    count: int
    right: RightOnes
    confusion: list[Confusion]
    changes: list[LabelledChange]


class StudentsComparison(Answer):
    """The models on students' recent messages."""

    count: int
    changes: list[StudentChange]


class NoComparison(Answer):
    """There is no candidate."""

    candidate: Literal[""]


class Comparison(Answer):
    """How the candidate understands messages otherwise than the live model."""

    candidate: str
    live: str
    at: float
    is_current: bool
    labelled: LabelledComparison
    messages: StudentsComparison
    topics: dict[str, str]


class ThresholdChoice(Answer):
    """The choice of a threshold."""

    risk: float
    threshold: float | None
    made_at: float
    counts: Counts


class RiskOption(Answer):
    """A risk that can be chosen; no threshold keeps it where `threshold` is null."""

    risk: float
    threshold: float | None
    coverage: float
    error: float
    answered: int
    wrong: int


class UnknownLabel(Answer):
    """A label of a question that says nothing: it names nothing of the school, is empty, or its column is unread."""

    line: int
    column: str
    value: str
    why: Literal["unknown", "empty", "unread"]


class Measured(Answer):
    """A measurement on labelled questions: the curve of coverage and risk, and an option for each risk.

    `file` is empty where the school's checked questions were asked.
    """

    file: str
    by: str
    at: float
    index_version: str
    questions: int
    curve: list[tuple[float, float]]
    options: list[RiskOption]
    unknown: list[UnknownLabel]


class Measuring(Answer):
    """The progress of a measurement, and why it failed."""

    step: Literal["", "asking", "done", "failed"]
    by: str
    began_at: float
    ended_at: float
    told: str
    unknown: list[UnknownLabel]


class Thresholds(Answer):
    """The choice in use, null for the shipped threshold, and what can be chosen.

    `checked` is the number of the school's checked questions.
    """

    preset: str
    index_version: str
    current: ThresholdChoice | None
    version: str
    has_before: bool
    measured: Measured | None
    measuring: Measuring
    checked: int


class ToldReply(Answer):
    """A reply; `options` are the buttons of a question back."""

    decision: str
    answer_id: str | None
    text: str
    options: list[str]
    confidence: float


class ChangedAnswer(Answer):
    """A checked question that is answered otherwise; `right`: as it must be."""

    question: str
    before: ToldReply
    after: ToldReply
    right: bool


class AskedChecked(Answer):
    """How many checked questions there are, and those that are answered otherwise."""

    count: int
    changed: list[ChangedAnswer]


class LabelNames(Answer):
    """Things of the school that labels of questions can name."""

    names: list[LabelName]


class ThresholdTrial(Answer):
    """The changes that a threshold would make."""

    checked: AskedChecked


class ModelSetUp(Answer):
    """How the language model is set up; prices are for a million tokens."""

    url: str
    model: str
    has_key: bool
    timeout_s: float
    temperature: float
    sources: list[str]
    fallback: bool
    preset: str
    preset_generates: bool
    daily_tokens: int
    daily_cost: float
    prompt_price: float
    completion_price: float


class ModelState(Answer):
    """The language model that is in use, null without one; `is_chosen`: not the one of the settings."""

    configured: ModelSetUp | None
    choice: ModelChoice
    is_chosen: bool
    version: str
    tokens_today: int
    cost_today: float


class ModelUsage(Answer):
    """The use of each model on each day, the latest first."""

    days: list[DayUsage]


class ModelCheck(Answer):
    """How fast the model answers, and whether it keeps to a schema."""

    first_s: float
    answer_s: float
    answer_tokens: int
    in_time: bool
    holds_schema: bool


class ModelReply(Answer):
    """A reply with its sources."""

    decision: str
    source: str
    text: str
    options: list[str]
    citations: list[Citation]


class ModelTrial(Answer):
    """The reply with the model and without, the model's calls, and the sentences that were dropped."""

    reply: ModelReply
    without: ModelReply
    seconds: float
    calls: list[ModelCall]
    dropped: list[DroppedSentence]


# The knowledge folder


class MadeVersion(Answer):
    """The commit of a change, "" without one, and the version of the index that is live."""

    commit: str
    index: str


class CheckedVersion(MadeVersion):
    """The version of a checked question after its change; `otherwise`: what it gets now, null when that is right."""

    version: str
    otherwise: ToldReply | None


class MadeEntries(MadeVersion):
    """The ids of entries that were published together."""

    ids: list[str]


class VersionPage(Answer):
    """Versions of the knowledge folder, the newest first; `kept`: whether the `folder` keeps any."""

    kept: bool
    folder: str
    versions: list[Version]
    more: bool


class VersionChanges(Answer):
    """The changes of a version, thing by thing and as a unified diff, and the files that are not as they were then.

    `more`: it changed more things than `changes` has.
    """

    commit: str
    changes: list[ThingChange]
    more: bool
    diff: str
    differing: list[str]
    undoable: bool


class NamedEntry(Answer):
    """An FAQ entry by its question."""

    id: str
    question: str


class QueryRule(Answer):
    """A question that is refused, or asked back about for a dimension or between entries, in its very words."""

    question: str
    variants: list[str]
    dimension: str
    entries: list[NamedEntry]
    version: str


class QueryRuleList(Answer):
    """The query rules, in the order of their file."""

    rules: list[QueryRule]


class CheckedQuestion(Answer):
    """A question that is asked before each publication, with the outcome that is right; `ruled`: a rule demands it."""

    question: str
    entry: NamedEntry | None
    dimension: str
    entries: list[NamedEntry]
    ruled: bool
    version: str


class CheckedQuestionList(Answer):
    """The checked questions, in the order of their file."""

    questions: list[CheckedQuestion]


class SheetRow(Answer):
    """A row of a spreadsheet as an entry.

    `known` is the question of the entry that has it already, `new_topic` the id that its `unknown_topic` would get,
    `same` the lines of other rows that ask the same, `contacts` those of the answer that stand nowhere else.
    """

    line: int
    question: str
    answer: str
    variants: list[str]
    topic: str
    unknown_topic: str
    new_topic: str
    known: str
    same: list[int]
    faults: list[Literal["no_question", "no_answer", "long", "personal"]]
    contacts: list[str]


class SheetRows(Answer):
    """The rows of a spreadsheet."""

    rows: list[SheetRow]


class SheetChange(Answer):
    """A field of an item, by its name in the catalogue, as it is and as it would be; lists have a line for each."""

    field: str
    before: str
    after: str


class SheetFault(Answer):
    """A fault of a row: the name of the field, and that of its column in the sheet ("": it has none)."""

    field: str
    column: str
    message: str


class SheetItem(Answer):
    """A row of a spreadsheet as an item of the catalogue; `version` is that of the item which it changes, "" for a new
    one. Without `changes`, the catalogue has it so already.
    """

    line: int
    id: str
    name: str
    version: str
    fields: dict[str, str | list[str]]
    changes: list[SheetChange]
    faults: list[SheetFault]


class SheetItems(Answer):
    """The rows of a spreadsheet, and the names of the columns that are not read."""

    items: list[SheetItem]
    unread: list[str]


class MadeItems(Answer):
    """How many items were published together; `warnings` are those about them."""

    count: int
    commit: str
    warnings: list[str]


class FirstRun(Answer):
    """The first steps of a school, a question to try ("": none yet), and the script tag for its website."""

    complete: bool
    steps: list[Step]
    example: str
    embed_code: str


# The graph


class GraphOverview(Answer):
    """The graph's types with their numbers, its topics, and names by language; `fault`: why there is none."""

    words: dict[str, dict[str, str]]
    fault: str
    store: str
    types: dict[str, int]
    topics: list[Named]
    nodes: int
    edges: int


class ListedNode(Answer):
    """A node as in a list; `degree` is the number of its edges."""

    id: str
    type: str
    name: str
    degree: int


class NodeList(Answer):
    """The first nodes that were found, of `count`."""

    nodes: list[ListedNode]
    count: int


class Place(Answer):
    """A place that a node or an edge rests on; `passage` is empty for a table."""

    title: str
    locator: str
    url: str
    passage: str


class Neighbour(ListedNode):
    """A node one step away, with the place of the edge."""

    place: Place | None


class Neighbours(Answer):
    """The nodes of one relation; `is_out`: it goes from the node to them."""

    relation: str
    is_out: bool
    nodes: list[Neighbour]


class ShownNode(ListedNode):
    """A node with its neighbourhood."""

    names: list[str]
    properties: dict[str, str | int | float]
    text: str
    topics: list[str]
    found_by: str
    effective_from: str
    effective_to: str
    place: Place
    around: list[Neighbours]


class GraphPassage(Answer):
    """A passage that a node or an edge rests on."""

    document: str
    title: str
    locator: str
    context: list[str]
    text: str
    url: str


class GraphProblem(Answer):
    """A finding, and the node, the FAQ entry or the office that it is about, each by its id; "" for none."""

    check: str
    about: str
    message: str
    node: ListedNode | None
    entry: str
    office: str


class GraphProblems(Answer):
    """The findings, and the first of what was left out when the graph was built."""

    problems: list[GraphProblem]
    left_out: list[str]
    left_out_count: int


# Entries that nearly ask the same, and contacts that were changed


class NearEntry(Answer):
    """One of two entries that nearly ask the same; `may_stay`: it has an answer for all students of the other one."""

    id: str
    question: str
    variants: list[str]
    answer: str
    applies_to: dict[str, list[str]]
    topic: str
    version: str
    text: str
    may_stay: bool


class NearPair(Answer):
    """Two entries that nearly ask the same; `alike` is the number of pairs with the same two questions."""

    likeness: float
    entries: tuple[NearEntry, NearEntry]
    alike: int


class NearDuplicateList(Answer):
    """Pairs of entries; `count` are those of this list, `near` those that are not marked as `differing`."""

    pairs: list[NearPair]
    count: int
    near: int
    differing: int
    searching: bool


class DifferingMark(Answer):
    """Whether two entries are marked as differing."""

    differ: bool


class NamedPlace(Answer):
    """An answer, a fact or a document in which an old contact stands."""

    kind: Literal["entry", "fact", "document"]
    id: str
    name: str
    locator: str


class ChangedSentence(Answer):
    """A sentence with the old contact and with the new one."""

    before: str
    after: str


class ChangedPlace(NamedPlace):
    """An answer or a fact with its sentences that change; `seen` is what it is published with."""

    seen: str
    sentences: list[ChangedSentence]


class ReplacementPreview(Answer):
    """The changes that replacing contacts makes; `stay` are the documents, whose text is verbatim."""

    places: list[ChangedPlace]
    stay: list[NamedPlace]


class ReplacedPlaces(MadeVersion):
    """The number of answers and facts that have the new contacts now."""

    count: int


class OldContactReplacement(Answer):
    """A contact that the catalogue gave up, in its letters and digits alone, and the new one as it is written there."""

    old: str
    new: str


class OldContacts(Answer):
    """Places that still have a contact which the catalogue has no longer, the first ones of `count`.

    `replaces` has the new ones where a field of the part tells them.
    """

    places: list[NamedPlace]
    count: int
    replaces: list[OldContactReplacement]


# Several drafts at once


class Untold(Answer):
    """A turn whose student did not get an answer, and why."""

    trace: int
    why: str


class PublishedTogether(MadeVersion):
    """The version of `count` drafts; unless it `is_live`, students get it with the build that follows.

    `told` students got an answer that they had waited for. `warnings` are those about the topics and items of the
    catalogue that were saved.
    """

    count: int
    is_live: bool
    told: int
    untold: list[Untold]
    warnings: list[str]
    old_contacts: OldContacts


# The answers of the FAQ


class ListedEntry(Answer):
    """An entry of a list: `variants` counts its further wordings; `answer` has the values of its facts."""

    id: str
    file: str
    question: str
    answer: str
    topic: str
    variants: int
    owner: str
    reviewed_at: str
    applies_to: dict[str, list[str]]
    outdated: bool
    changed: bool


class EntryPage(Answer):
    """Entries of `count`; `outdated`, `changed` and `due` count all of that kind, due after `due_days`."""

    entries: list[ListedEntry]
    count: int
    outdated: int
    changed: int
    due: int
    due_days: int


class EntrySource(Answer):
    """A source of an entry or a calculator; `locator` is empty for a whole document."""

    document: str
    locator: str


class EntryInFile(Answer):
    """An entry as its file has it; `text` are its lines."""

    id: str
    file: str
    question: str
    answer: str
    topic: str
    variants: list[str]
    owner: str
    reviewed_at: str
    applies_to: dict[str, list[str]]
    sources: list[EntrySource]
    version: str
    text: str


class Entry(EntryInFile):
    """An entry with the sources whose text changed meanwhile; `filled` is its answer with the values of its facts."""

    filled: str
    changed_sources: list[ChangedSource]


class DocumentName(Answer):
    """A document that an entry may name."""

    document: str
    title: str


class ClauseName(DocumentName):
    """A clause that an entry may name, with the beginning of its text."""

    locator: str
    text: str


class DimensionValue(Answer):
    """A value of a dimension."""

    id: str
    name: str


class Dimension(Answer):
    """A dimension of students, whose `key` stands in `applies_to`; ranges go for an ordered one."""

    id: str
    key: str
    name: str
    name_en: str
    ordered: bool
    values: list[DimensionValue]


class Vocabulary(Answer):
    """The names that entries and documents may use."""

    documents: list[DocumentName]
    clauses: list[ClauseName]
    topics: list[DimensionValue]
    offices: list[DimensionValue]
    dimensions: list[Dimension]


class AnswerPlace(Answer):
    """A place that an answer cites."""

    title: str
    locator: str


class AnswerPreview(Answer):
    """An answer with the values of its facts, the messages that it is on each channel, and its citations."""

    answer: str
    channels: dict[str, list[str]]
    citations: list[AnswerPlace]


class GivenReply(ToldReply):
    """A reply to a question, the id of what answers, null when nothing does, and its confidence."""

    question: str
    answer_id: str | None
    confidence: float


class TriedReply(GivenReply):
    """A reply with a draft; `by_this`: the draft's own, `now_by`: the entry that answers without it."""

    by_this: bool
    now_by: str
    now_by_question: str


class MissedWording(GivenReply):
    """A wording of a draft that another entry answers, or none."""

    by_question: str


class TriedWordings(Answer):
    """How many of the draft's own wordings were asked, as typed and without diacritics, and those that miss it."""

    count: int
    missed: list[MissedWording]


class Tried(Answer):
    """An entry that was tried; `contacts` of its answer stand neither in the catalogue nor in the facts."""

    entry_id: str
    answer: str
    replies: list[TriedReply]
    wordings: TriedWordings
    checked: AskedChecked
    contacts: list[str]


class PublishedEntry(MadeVersion):
    """A new entry, and the students who got it."""

    id: str
    told: int
    untold: list[Untold]


class SavedEntry(EntryInFile):
    """An entry after its change, and the students who got it."""

    commit: str
    told: int
    untold: list[Untold]


# Gaps


class GapTurn(Turn):
    """A turn that was not answered well, and why; `personal`: its question has personal data."""

    why: list[str]
    personal: bool


class DraftOfGap(Answer):
    """The kept draft of an answer to a gap; `at` is when it was saved."""

    id: int
    author: str
    at: float


class Gap(Answer):
    """Questions that want one answer, with the first turns of `ids`; `why` counts the reasons."""

    id: str
    question: str
    students: int
    questions: int
    last_at: float
    why: dict[str, int]
    topic: str
    turns: list[GapTurn]
    ids: list[int]
    draft: DraftOfGap | None


class GapList(Answer):
    """The groups of questions that were not answered well, those of the most students first."""

    groups: list[Gap]


# Facts and calculators


class UsedBy(Answer):
    """How many entries and calculators use a fact."""

    entries: int
    calculators: int


class Reviewed(Answer):
    """The office in charge of something, by its id, and the day of its last review; "" where none is told."""

    owner: str
    reviewed_at: str


class ListedReview(Reviewed):
    """Of something in a list; `due`: nobody has reviewed it for as long as the list tells."""

    due: bool


class NamedReview(Reviewed):
    """The review of a fact, or of a group of facts."""

    name: str


class Fact(Reviewed):
    """A value that changes every year; `label` is its name in words, `note` the comment beside it."""

    name: str
    label: str
    value: str
    file: str
    line: int
    note: str
    used_by: UsedBy


class FactFile(Answer):
    """A file of facts, and its name in words."""

    file: str
    label: str


class FactPage(Answer):
    """Facts of `count`, and the files that have facts; `due`: so many of all were not reviewed for `due_days`."""

    facts: list[Fact]
    count: int
    due: int
    due_days: int
    files: list[FactFile]


class Clause(Answer):
    """A clause of a document; `has_value`: the fact's value stands in it word for word."""

    document: str
    title: str
    locator: str
    text: str
    has_value: bool


class UsedFact(Fact):
    """A fact with the entries and calculators that use it, and the clauses that these rest on.

    `told` is what is told of the fact itself and of each group that it is in, the smallest first.
    """

    told: list[NamedReview]
    entries: list[NamedEntry]
    calculators: list[NamedEntry]
    clauses: list[Clause]


class ChangedText(NamedEntry):
    """An answer before and after."""

    before: str
    after: str


class TriedFact(Answer):
    """The answers that another value changes, the first ones of `count`, and how many calculators use it."""

    changed: list[ChangedText]
    count: int
    calculators: int
    checked: AskedChecked


class SavedFact(MadeVersion):
    """A fact that was saved or taken away."""

    name: str


class ListedCalculator(ListedReview):
    """A calculator of a list; `inputs` are their names."""

    id: str
    question: str
    topic: str
    file: str
    inputs: list[str]
    faulty: bool


class CalculatorList(Answer):
    """The calculators, file by file, and the template of a new one."""

    template: str
    calculators: list[ListedCalculator]
    due_days: int


class CalculatorInput(Answer):
    """An input of a calculator; `default` is null when it is asked for, `only_if` when its rule alone tells it."""

    name: str
    units: list[str]
    dimension: str
    default: str | None
    only_if: Condition | None
    least: float | None
    most: float | None
    whole: bool
    many: bool
    ask: str
    choices: list[str]


class CalculatorStep(Answer):
    """A step of a calculator."""

    name: str
    rule: str


class CalculatorColumn(Answer):
    """A column of a comparison."""

    title: str
    rule: str


class CalculatorCase(Answer):
    """A sentence of a calculator, and when it is said."""

    when: str
    say: str


class NamedValue(Answer):
    """A fact with its value."""

    name: str
    value: str


class Calculator(Reviewed):
    """A calculator as its file has it; `inputs` and `compares` are those of the index."""

    id: str
    question: str
    topic: str
    file: str
    line: int
    text: str
    version: str
    faulty: bool
    variants: list[str]
    inputs: list[CalculatorInput]
    compares: str
    steps: list[CalculatorStep]
    where: str
    columns: list[CalculatorColumn]
    cases: list[CalculatorCase]
    facts: list[NamedValue]
    follows: list[NamedEntry]
    sources: list[EntrySource]
    clauses: list[Clause]


class CalculatorProblem(Answer):
    """A fault of a calculator, on a line of its text where it has one."""

    line: int | None
    message: str


class Computed(Answer):
    """The outcome of a calculator; with problems there is no other."""

    problems: list[CalculatorProblem]
    inputs: list[CalculatorInput] = []
    unread: list[str] = []
    said: str = ""
    missing: str = ""
    ask: str = ""
    wrong: str = ""
    least: str = ""
    most: str = ""
    checked: AskedChecked | None = None


class SavedCalculator(MadeVersion):
    """A calculator that was saved or taken away."""

    id: str


# Topics and catalogue


class Build(Answer):
    """The build that brings changes to students, awaited for `building_s` seconds."""

    building: bool
    building_s: float
    build_failed: bool


class Topic(Answer):
    """A topic, and how many entries, documents and calculators it has; `live`: the index knows it."""

    id: str
    name: str
    name_en: str
    description: str
    office: str
    examples: list[str]
    assumes: dict[str, str]
    entries: int
    documents: int
    calculators: int
    live: bool
    reviewed_at: str
    due: bool
    version: str
    file: str
    line: int


class KnownTopics(Build):
    """The topics in their order; one is `due` that nobody has reviewed for `due_days`."""

    topics: list[Topic]
    due_days: int


class SavedPart(Answer):
    """A topic or an item of the catalogue that was saved; `warnings` are those about its lines."""

    id: str
    commit: str
    warnings: list[str]


class ChangedCataloguePart(SavedPart):
    """A part of the catalogue that was changed, and where contacts that it had before still stand."""

    old_contacts: OldContacts


class Removed(Answer):
    """A document, a topic or an item of the catalogue that was changed or taken away, with the commit."""

    id: str
    commit: str


class CataloguePart(Answer):
    """An item of a section of the catalogue; its values are texts and lists of texts.

    `due`: nobody has reviewed it for as long as the list tells.
    """

    id: str
    line: int
    version: str
    values: dict[str, str | list[str]]
    due: bool


class Section(Answer):
    """A list of the catalogue, or the school itself; it `grows` where items may be added."""

    id: str
    name: str
    name_en: str
    fields: list[str]
    grows: bool
    parts: list[CataloguePart]


class CatalogueSections(Build):
    """The sections of the catalogue; an item is `due` that nobody has reviewed for `due_days`."""

    sections: list[Section]
    due_days: int


# Documents


class ListedDocument(ListedReview):
    """A document that answers come from; `cited` by so many entries."""

    id: str
    title: str
    number: str
    topic: str
    effective_from: str
    effective_to: str
    url: str
    passages: int
    cited: int


class FileFaults(Answer):
    """The faults of a file that must be mended, and the warnings about it."""

    problems: list[str]
    warnings: list[str]


class WaitingFile(FileFaults):
    """A file that is faulty, or that no answer comes from yet."""

    id: str
    file: str
    title: str


class DocumentList(Build):
    """The documents, the files that wait or failed, and the kinds of files that can be read."""

    documents: list[ListedDocument]
    due_days: int
    waiting: list[WaitingFile]
    kinds: list[str]


class DocumentMetadata(Reviewed):
    """The metadata of a document; "" or empty without."""

    title: str
    number: str
    issued: str
    effective_from: str
    effective_to: str
    topic: str
    applies_to: dict[str, list[str]]
    supersedes: list[str]
    course: str
    url: str


class ReadPassage(Answer):
    """A passage on its page, or on a line of the file's text, from 0; null where that is not known."""

    locator: str
    context: list[str]
    text: str
    page: int | None
    line: int | None


class Reading(FileFaults):
    """A file as it was read: its pages, or the text of one without, and its passages."""

    id: str
    title: str
    version: str
    several: bool
    fields: DocumentMetadata
    passages: list[ReadPassage]
    pages: PageSurvey
    text: str


class PublishedDocument(Reading):
    """A document with the entries that cite it, and the entries and calculators for which it must stay."""

    file: str
    cited_by: list[NamedEntry]
    uses: list[Use]


class Draft(FileFaults):
    """An uploaded file that is not published; `draft` is its id, `count` that of its passages."""

    draft: str
    name: str
    by: str
    at: float
    title: str
    count: int


class DraftList(Answer):
    """The uploaded files, the newest first."""

    drafts: list[Draft]


class ReadDraft(Reading, Draft):
    """An uploaded file as it was read; `version` is that of the document that it would replace."""


class NearerEntryList(Answer):
    """The entries that would still answer before a document."""

    entries: list[NamedEntry]


class FramesOfPage(Answer):
    """The frames around the lines of a passage on a page."""

    page: int
    frames: list[Frame]


class PassageFrames(Answer):
    """The pages on which a passage stands."""

    pages: list[FramesOfPage]


class Discarded(Answer):
    """An uploaded file that was deleted."""

    id: str


# Kept drafts, and checks before publishing


class DraftHead(Answer):
    """A draft that is kept; `version` is its own, `author` saved it last."""

    id: int
    version: int
    state: Literal["draft", "reviewed"]
    author: str
    at: float
    reviewed_by: str


class ListedDraft(DraftHead):
    """A draft of a list; `part` is what has become of what it changes since it was begun, `part_id` its id.

    `label` is its name, that of a fact in words. `upload` is the id of an uploaded file.
    """

    kind: Literal["entry", "fact", "calculator", "document", "topic", "part"]
    name: str
    label: str
    section_id: str
    upload: str
    part_id: str
    part: Literal["new", "same", "changed", "gone"]


class KeptDraftList(Answer):
    """The kept drafts, the one that was saved last first."""

    drafts: list[ListedDraft]


class KeptDraft(DraftHead):
    """A draft with all of its fields."""

    draft: AnyKept


class DraftRefs(Answer):
    """Several kept drafts that are checked together, as they were seen."""

    kind: Literal["set"]
    drafts: list[SeenDraft]


class DraftCheck(Answer):
    """A check of an own draft, made of the `version` that was seen: `asked` of `questions` while these are asked.

    `checked` when it is done; `told` is why it failed. `outdated`: the school has changed since.
    """

    id: int
    name: str
    draft: Annotated[
        DocumentDraft | TopicDraft | PartDraft | RemovalDraft | DraftRefs, Field(discriminator="kind")
    ]
    version: str
    at: float
    step: Literal["building", "asking", "done", "failed"]
    asked: int
    questions: int
    ended_at: float
    checked: AskedChecked | None
    told: str
    outdated: bool


class DraftChecks(Answer):
    """One's own checks, the latest first, and the number of checked questions of the school."""

    questions: int
    checks: list[DraftCheck]
