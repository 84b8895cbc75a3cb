"""The answers of the console's JSON API, as its OpenAPI description has them.

Routes return dictionaries; FastAPI makes the JSON of them by these models, so that an answer is as it is described. A
field that is not described does not leave the console. Data that have a type of their own, as `Account`, are described
by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from console import advisors_api
from console.accounts import Account
from console.canned_replies import CannedReply
from console.draft_builds import BuildState
from console.first_run import Step
from console.roles import Right
from console.topic_changes import Change, Outcomes
from console.training import Progress
from console.versions import Version
from rag.decide.calibration import Counts
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
    """A turn with the way to its reply; `needs_context`: its words only go on with what was said before."""

    trace: Trace
    corrected: Settled | None
    needs_context: bool


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


class Models(Answer):
    """The trained models by name, "" for one that is not there."""

    training: Training
    live: str
    before: str
    candidate: str
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
    """A measurement on labelled questions: the curve of coverage and risk, and an option for each risk."""

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
    """The choice in use, null for the shipped threshold, and what can be chosen."""

    preset: str
    index_version: str
    current: ThresholdChoice | None
    version: str
    has_before: bool
    measured: Measured | None
    measuring: Measuring


class ToldReply(Answer):
    """A reply; `options` are the buttons of a question back."""

    decision: str
    text: str
    options: list[str]


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
    """The changes of a version, as a unified diff, and the files that are not as they were then."""

    commit: str
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
    """A finding of `covan graph check`, and the node that it is about."""

    check: str
    about: str
    message: str
    node: ListedNode | None


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
