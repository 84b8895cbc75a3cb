/** The answers of the console's API. `make answers` writes this file from console/api/answers.py. */

/**
 * How far the index of a draft is.
 */
export type BuildState = "" | "building" | "ready" | "failed";
/**
 * The state of a step.
 */
export type State = "done" | "missing" | "faulty" | "old" | "running";
/**
 * The rights of an account.
 */
export type Right = "read" | "personal" | "reply" | "publish" | "administer";

/**
 * A person who may sign in.
 */
export interface Account {
  id: number;
  login: string;
  name: string;
  roles: string[];
  active: boolean;
  locked_until: number;
  second_factor: boolean;
  mail: string;
  offices: string[];
  linked: boolean;
  version: string;
  password_version: string;
}
/**
 * A place that an answer cites.
 */
export interface AnswerPlace {
  title: string;
  locator: string;
}
/**
 * An answer with the values of its facts, the messages that it is on each channel, and its citations.
 */
export interface AnswerPreview {
  answer: string;
  channels: {
    [k: string]: string[];
  };
  citations: AnswerPlace[];
}
/**
 * How many checked questions there are, and those that are answered otherwise.
 */
export interface AskedChecked {
  count: number;
  changed: ChangedAnswer[];
}
/**
 * A checked question that is answered otherwise; `right`: as it must be.
 */
export interface ChangedAnswer {
  question: string;
  before: ToldReply;
  after: ToldReply;
  right: boolean;
}
/**
 * A reply; `options` are the buttons of a question back.
 */
export interface ToldReply {
  decision: string;
  answer_id: string | null;
  text: string;
  options: string[];
  confidence: number;
}
/**
 * A page of the audit log, and the names of what it is about by "kind/id".
 */
export interface AuditPage {
  entries: Noted[];
  names: {
    [k: string]: string;
  };
}
/**
 * An entry of the audit log; `detail` depends on the action.
 */
export interface Noted {
  id: number;
  at: number;
  login: string;
  action: string;
  target: string;
  detail: {
    [k: string]: unknown;
  };
  allowed: boolean;
}
/**
 * A calculator as its file has it; `inputs` and `compares` are those of the index.
 */
export interface Calculator {
  owner: string;
  reviewed_at: string;
  id: string;
  question: string;
  topic: string;
  file: string;
  line: number;
  text: string;
  version: string;
  faulty: boolean;
  variants: string[];
  inputs: CalculatorInput[];
  compares: string;
  steps: CalculatorStep[];
  where: string;
  columns: CalculatorColumn[];
  cases: CalculatorCase[];
  facts: NamedValue[];
  follows: NamedEntry[];
  sources: EntrySource[];
  clauses: Clause[];
}
/**
 * An input of a calculator; `default` is null when it is asked for, `only_if` when its rule alone tells it.
 */
export interface CalculatorInput {
  name: string;
  units: string[];
  dimension: string;
  default: string | null;
  only_if: Condition | null;
  least: number | null;
  most: number | null;
  whole: boolean;
  many: boolean;
  ask: string;
  choices: string[];
}
/**
 * Comparisons of which all hold, or with `is_any` one does.
 */
export interface Condition {
  tests: InputTest[];
  is_any: boolean;
}
/**
 * A comparison of an input; `value` "" is no value.
 */
export interface InputTest {
  input: string;
  holds: "is" | "is_not" | "least" | "above" | "most" | "below";
  value: string;
}
/**
 * A step of a calculator.
 */
export interface CalculatorStep {
  name: string;
  rule: string;
}
/**
 * A column of a comparison.
 */
export interface CalculatorColumn {
  title: string;
  rule: string;
}
/**
 * A sentence of a calculator, and when it is said.
 */
export interface CalculatorCase {
  when: string;
  say: string;
}
/**
 * A fact with its value.
 */
export interface NamedValue {
  name: string;
  value: string;
}
/**
 * An FAQ entry by its question.
 */
export interface NamedEntry {
  id: string;
  question: string;
}
/**
 * A source of an entry or a calculator; `locator` is empty for a whole document.
 */
export interface EntrySource {
  document: string;
  locator: string;
}
/**
 * A clause of a document; `has_value`: the fact's value stands in it word for word.
 */
export interface Clause {
  document: string;
  title: string;
  locator: string;
  text: string;
  has_value: boolean;
}
/**
 * The calculators, file by file, and the template of a new one.
 */
export interface CalculatorList {
  template: string;
  calculators: ListedCalculator[];
  due_days: number;
}
/**
 * A calculator of a list; `inputs` are their names.
 */
export interface ListedCalculator {
  owner: string;
  reviewed_at: string;
  due: boolean;
  id: string;
  question: string;
  topic: string;
  file: string;
  inputs: string[];
  faulty: boolean;
}
/**
 * A fault of a calculator, on a line of its text where it has one.
 */
export interface CalculatorProblem {
  line: number | null;
  message: string;
}
/**
 * A thing that could have answered, with its scores; `text` is its beginning.
 *
 * A trace of another release may lack some of it.
 */
export interface Candidate {
  source: string;
  id: string;
  title: string;
  locator: string;
  document_id: string;
  text: string;
  score: number;
  scores: {
    [k: string]: number;
  };
}
/**
 * A short text with its title; a change must name the `version` that it was made of.
 */
export interface CannedReply {
  id: number;
  title: string;
  text: string;
  version: number;
}
/**
 * The canned replies, by title.
 */
export interface CannedReplyList {
  replies: CannedReply[];
}
export interface CatalogueFields {
  [k: string]: string | string[];
}
/**
 * An item of a section of the catalogue; its values are texts and lists of texts.
 *
 * `due`: nobody has reviewed it for as long as the list tells.
 */
export interface CataloguePart {
  id: string;
  line: number;
  version: string;
  values: {
    [k: string]: string | string[];
  };
  due: boolean;
}
/**
 * The sections of the catalogue; an item is `due` that nobody has reviewed for `due_days`.
 */
export interface CatalogueSections {
  building: boolean;
  building_s: number;
  build_failed: boolean;
  sections: Section[];
  due_days: number;
}
/**
 * A list of the catalogue, or the school itself; it `grows` where items may be added.
 */
export interface Section {
  id: string;
  name: string;
  name_en: string;
  fields: string[];
  grows: boolean;
  parts: CataloguePart[];
}
/**
 * A part of the catalogue that was changed, and where contacts that it had before still stand.
 */
export interface ChangedCataloguePart {
  id: string;
  commit: string;
  warnings: string[];
  old_contacts: OldContacts;
}
/**
 * Places that still have a contact which the catalogue has no longer, the first ones of `count`.
 *
 * `replaces` has the new ones where a field of the part tells them.
 */
export interface OldContacts {
  places: NamedPlace[];
  count: number;
  replaces: OldContactReplacement[];
}
/**
 * An answer, a fact or a document in which an old contact stands.
 */
export interface NamedPlace {
  kind: "entry" | "fact" | "document";
  id: string;
  name: string;
  locator: string;
}
/**
 * A contact that the catalogue gave up, in its letters and digits alone, and the new one as it is written there.
 */
export interface OldContactReplacement {
  old: string;
  new: string;
}
/**
 * An answer or a fact with its sentences that change; `seen` is what it is published with.
 */
export interface ChangedPlace {
  kind: "entry" | "fact" | "document";
  id: string;
  name: string;
  locator: string;
  seen: string;
  sentences: ChangedSentence[];
}
/**
 * A sentence with the old contact and with the new one.
 */
export interface ChangedSentence {
  before: string;
  after: string;
}
/**
 * A source of an entry whose text changed; `before` is empty when the text was too long to keep.
 */
export interface ChangedSource {
  document: string;
  title: string;
  locator: string;
  before: string;
  now: string;
}
/**
 * An answer before and after.
 */
export interface ChangedText {
  id: string;
  question: string;
  before: string;
  after: string;
}
/**
 * A question that is asked before each publication, with the outcome that is right; `ruled`: a rule demands it.
 */
export interface CheckedQuestion {
  question: string;
  entry: NamedEntry | null;
  dimension: string;
  entries: NamedEntry[];
  ruled: boolean;
  version: string;
}
/**
 * The checked questions, in the order of their file.
 */
export interface CheckedQuestionList {
  questions: CheckedQuestion[];
}
/**
 * The version of a checked question after its change; `otherwise`: what it gets now, null when that is right.
 */
export interface CheckedVersion {
  commit: string;
  index: string;
  version: string;
  otherwise: ToldReply | null;
}
/**
 * A button that a student was shown.
 */
export interface Choice {
  title: string;
}
/**
 * A place of a document that an answer rests on.
 */
export interface Citation {
  document_id: string;
  title: string;
  locator: string;
  quote: string;
}
/**
 * A clause that an entry may name, with the beginning of its text.
 */
export interface ClauseName {
  document: string;
  title: string;
  locator: string;
  text: string;
}
/**
 * How the candidate understands messages otherwise than the live model.
 */
export interface Comparison {
  candidate: string;
  live: string;
  at: number;
  is_current: boolean;
  labelled: LabelledComparison;
  messages: StudentsComparison;
  topics: {
    [k: string]: string;
  };
}
/**
 * The models on labelled messages.
 */
export interface LabelledComparison {
  count: number;
  right: RightOnes;
  confusion: Confusion[];
  changes: LabelledChange[];
}
/**
 * How many labelled messages each model takes for what they are; null without a live model.
 */
export interface RightOnes {
  live: number | null;
  candidate: number;
}
/**
 * How often each model takes messages of an intent for another one.
 */
export interface Confusion {
  intent: string;
  given: string;
  live: number;
  candidate: number;
}
/**
 * One of a labelled message, with its label.
 */
export interface LabelledChange {
  text: string;
  live: Understood;
  candidate: Understood;
  intent: string;
}
/**
 * The intent that a message is taken for.
 */
export interface Understood {
  intent: string;
  probability: number;
}
/**
 * The models on students' recent messages.
 */
export interface StudentsComparison {
  count: number;
  changes: StudentChange[];
}
/**
 * One of a student's message, with its turn.
 */
export interface StudentChange {
  text: string;
  live: Understood;
  candidate: Understood;
  trace: number;
}
/**
 * The outcome of a calculator; with problems there is no other.
 */
export interface Computed {
  problems: CalculatorProblem[];
  inputs: CalculatorInput[];
  unread: string[];
  said: string;
  missing: string;
  ask: string;
  wrong: string;
  least: string;
  most: string;
  checked: AskedChecked | null;
}
/**
 * The transcript around the turn of `trace`, and the turns by their `turn_id`.
 */
export interface Conversation {
  channel: string;
  sender: string;
  trace: number;
  messages: TranscriptMessage[];
  turns: {
    [k: string]: ToldTurn;
  };
}
/**
 * A message of a transcript; `options` are the titles of its buttons.
 */
export interface TranscriptMessage {
  id: number;
  at: number;
  author: string;
  by: string;
  text: string;
  options: string[];
  citations: Citation[];
  turn: number | null;
  good: boolean | null;
  reason: string;
}
/**
 * A turn with the way to its reply; `needs_context`: its words only go on with what was said before.
 *
 * `follows` is the last FAQ entry that answered a turn before it, null without one.
 */
export interface ToldTurn {
  id: number;
  at: number;
  channel: string;
  question: string;
  decision: string;
  source: string;
  topic: string;
  intent: string;
  confidence: number;
  answer_id: string;
  turn_id: number;
  good: boolean | null;
  trace: Trace;
  corrected: Settled | null;
  needs_context: boolean;
  follows: NamedEntry | null;
}
/**
 * The way from a question to its reply (`rag.reply_record`), with the school's names for mentions and profile.
 *
 * A turn that the engine was not asked about has the reading alone.
 */
export interface Trace {
  normalized: string;
  resolved: string;
  intents: {
    [k: string]: number;
  };
  topics: {
    [k: string]: string;
  };
  mentions: [string, string][];
  profile: [string, string][];
  reasons: string[];
  signals: {
    [k: string]: number;
  };
  thresholds: {
    [k: string]: number;
  };
  stages_ms: {
    [k: string]: number;
  };
  candidates: Candidate[];
  citations: Citation[];
  preset: string;
  index_version: string;
}
/**
 * The advisor who has settled a question, and the way; `entry` answers it, "" without one.
 */
export interface Settled {
  name: string;
  at: number;
  how: "entry" | "rule" | "aside";
  entry: string;
  question: string;
  answer: string;
}
/**
 * The labelled questions on which the threshold was chosen: all, those with a proposed answer, those answered.
 */
export interface Counts {
  questions: number;
  proposed: number;
  answered: number;
  wrong: number;
}
/**
 * How many turns of a day had a decision.
 */
export interface DayCount {
  day: string;
  decision: string;
  n: number;
}
/**
 * Those of a day, YYYY-MM-DD.
 */
export interface DayPercentiles {
  median: number | null;
  p95: number | null;
  day: string;
}
/**
 * The usage of one model on one day (UTC).
 */
export interface DayUsage {
  day: string;
  model: string;
  calls: number;
  failed: number;
  cached: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost: number;
  latency_ms: number;
}
/**
 * The numbers of turns by decision, for each source, channel, and hour of the day.
 */
export interface DecidedBy {
  source: {
    [k: string]: {
      [k: string]: number;
    };
  };
  channel: {
    [k: string]: {
      [k: string]: number;
    };
  };
  hour: {
    [k: string]: {
      [k: string]: number;
    };
  };
}
/**
 * Whether two entries are marked as differing.
 */
export interface DifferingMark {
  differ: boolean;
}
/**
 * A dimension of students, whose `key` stands in `applies_to`; ranges go for an ordered one.
 */
export interface Dimension {
  id: string;
  key: string;
  name: string;
  name_en: string;
  ordered: boolean;
  values: DimensionValue[];
}
/**
 * A value of a dimension.
 */
export interface DimensionValue {
  id: string;
  name: string;
}
/**
 * An uploaded file that was deleted.
 */
export interface Discarded {
  id: string;
}
/**
 * Metadata of a document that are not published; with `upload`, the id of an uploaded file, the file, too.
 */
export interface DocumentDraft {
  kind: "document";
  document_id: string;
  upload: string;
  fields: DocumentFields;
}
/**
 * The metadata of a document; empty ones are left out. `course` is the code of the one that it is a material of.
 */
export interface DocumentFields {
  title: string;
  number: string;
  issued: string;
  effective_from: string;
  effective_to: string;
  topic: string;
  applies_to: {
    /**
     * @maxItems 500
     */
    [k: string]: string[];
  };
  /**
   * @maxItems 50
   */
  supersedes: string[];
  course: string;
  url: string;
  owner: string;
  reviewed_at: string;
}
/**
 * The documents, the files that wait or failed, and the kinds of files that can be read.
 */
export interface DocumentList {
  building: boolean;
  building_s: number;
  build_failed: boolean;
  documents: ListedDocument[];
  due_days: number;
  waiting: WaitingFile[];
  kinds: string[];
}
/**
 * A document that answers come from; `cited` by so many entries.
 */
export interface ListedDocument {
  owner: string;
  reviewed_at: string;
  due: boolean;
  id: string;
  title: string;
  number: string;
  topic: string;
  effective_from: string;
  effective_to: string;
  url: string;
  passages: number;
  cited: number;
}
/**
 * A file that is faulty, or that no answer comes from yet.
 */
export interface WaitingFile {
  problems: string[];
  warnings: string[];
  id: string;
  file: string;
  title: string;
}
/**
 * The metadata of a document; "" or empty without.
 */
export interface DocumentMetadata {
  owner: string;
  reviewed_at: string;
  title: string;
  number: string;
  issued: string;
  effective_from: string;
  effective_to: string;
  topic: string;
  applies_to: {
    [k: string]: string[];
  };
  supersedes: string[];
  course: string;
  url: string;
}
/**
 * A document that an entry may name.
 */
export interface DocumentName {
  document: string;
  title: string;
}
/**
 * An uploaded file that is not published; `draft` is its id, `count` that of its passages.
 */
export interface Draft {
  problems: string[];
  warnings: string[];
  draft: string;
  name: string;
  by: string;
  at: number;
  title: string;
  count: number;
}
/**
 * A check of an own draft, made of the `version` that was seen: `asked` of `questions` while these are asked.
 *
 * `checked` when it is done; `told` is why it failed. `outdated`: the school has changed since.
 */
export interface DraftCheck {
  id: number;
  name: string;
  draft: DocumentDraft | TopicDraft | PartDraft | RemovalDraft | DraftRefs;
  version: string;
  at: number;
  step: "building" | "asking" | "done" | "failed";
  asked: number;
  questions: number;
  ended_at: number;
  checked: AskedChecked | null;
  told: string;
  outdated: boolean;
}
/**
 * A topic that is not published; without `topic_id`, a new one. `id` is its id from then on.
 */
export interface TopicDraft {
  kind: "topic";
  topic_id: string;
  id: string;
  fields: TopicFields;
}
/**
 * The fields of a topic; empty ones are left out.
 */
export interface TopicFields {
  name: string;
  name_en: string;
  description: string;
  office: string;
  /**
   * @maxItems 100
   */
  examples: string[];
  assumes: {
    [k: string]: string;
  };
  reviewed_at: string;
}
/**
 * A part of the catalogue that is not published; without `part_id`, a new one. `id` is its id from then on.
 */
export interface PartDraft {
  kind: "part";
  section_id: string;
  part_id: string;
  id: string;
  fields: CatalogueFields;
}
/**
 * A document, a topic or an item of a section of the catalogue that is to go, and has not gone.
 */
export interface RemovalDraft {
  kind: "removal";
  of: "document" | "topic" | "part";
  section_id: string;
  id: string;
  name: string;
}
/**
 * Several kept drafts that are checked together, as they were seen.
 */
export interface DraftRefs {
  kind: "set";
  drafts: SeenDraft[];
}
/**
 * A kept draft as it was seen.
 */
export interface SeenDraft {
  version: number;
  id: number;
}
/**
 * One's own checks, the latest first, and the number of checked questions of the school.
 */
export interface DraftChecks {
  questions: number;
  checks: DraftCheck[];
}
/**
 * The uploaded files, the newest first.
 */
export interface DraftList {
  drafts: Draft[];
}
/**
 * The kept draft of an answer to a gap; `at` is when it was saved.
 */
export interface DraftOfGap {
  id: number;
  author: string;
  at: number;
}
/**
 * A sentence of a language model that no passage says, and the verifier's reason (`rag.answer.verify`).
 */
export interface DroppedSentence {
  text: string;
  reason: string;
}
/**
 * An entry with the sources whose text changed meanwhile; `filled` is its answer with the values of its facts.
 */
export interface Entry {
  id: string;
  file: string;
  question: string;
  answer: string;
  topic: string;
  variants: string[];
  owner: string;
  reviewed_at: string;
  applies_to: {
    [k: string]: string[];
  };
  sources: EntrySource[];
  version: string;
  text: string;
  filled: string;
  changed_sources: ChangedSource[];
}
/**
 * The fields of an FAQ entry that an editor writes.
 */
export interface EntryFields {
  question: string;
  /**
   * @maxItems 200
   */
  variants: string[];
  answer: string;
  topic: string;
  applies_to: {
    /**
     * @maxItems 500
     */
    [k: string]: string[];
  };
  /**
   * @maxItems 50
   */
  sources: Source[];
  owner: string;
  reviewed_at: string;
}
export interface Source {
  document: string;
  locator: string;
}
/**
 * Entries of `count`; `outdated`, `changed` and `due` count all of that kind, due after `due_days`.
 */
export interface EntryPage {
  entries: ListedEntry[];
  count: number;
  outdated: number;
  changed: number;
  due: number;
  due_days: number;
}
/**
 * An entry of a list: `variants` counts its further wordings; `answer` has the values of its facts.
 */
export interface ListedEntry {
  id: string;
  file: string;
  question: string;
  answer: string;
  topic: string;
  variants: number;
  owner: string;
  reviewed_at: string;
  applies_to: {
    [k: string]: string[];
  };
  outdated: boolean;
  changed: boolean;
}
/**
 * A value that changes every year; `label` is its name in words, `note` the comment beside it.
 */
export interface Fact {
  owner: string;
  reviewed_at: string;
  name: string;
  label: string;
  value: string;
  file: string;
  line: number;
  note: string;
  used_by: UsedBy;
}
/**
 * How many entries and calculators use a fact.
 */
export interface UsedBy {
  entries: number;
  calculators: number;
}
/**
 * A file of facts, and its name in words.
 */
export interface FactFile {
  file: string;
  label: string;
}
/**
 * Facts of `count`, and the files that have facts; `due`: so many of all were not reviewed for `due_days`.
 */
export interface FactPage {
  facts: Fact[];
  count: number;
  due: number;
  due_days: number;
  files: FactFile[];
}
/**
 * A field with its values before and after, as texts; "" where there is none.
 */
export interface FieldChange {
  field: string;
  before: string;
  after: string;
}
/**
 * The values that turns can be filtered by, and the names of topics.
 */
export interface FilterValues {
  channel: string[];
  topic: string[];
  source: string[];
  intent: string[];
  topic_names: {
    [k: string]: string;
  };
}
/**
 * The first steps of a school, a question to try ("": none yet), and the script tag for its website.
 */
export interface FirstRun {
  complete: boolean;
  steps: Step[];
  example: string;
  embed_code: string;
}
/**
 * A step; `note` names what is to be said about its state, with `counts`.
 *
 * `faults` are texts for the person who mends them, `is_needed`: the school cannot answer well without it.
 */
export interface Step {
  id: string;
  state: State;
  note: string;
  counts: {
    [k: string]: number;
  };
  faults: string[];
  is_needed: boolean;
  target: string;
}
/**
 * The words `said` of a student who had read the answer of the FAQ entry `after`.
 */
export interface FollowUp {
  after: string;
  said: string;
}
/**
 * The ids of conversations.
 */
export interface FoundConversations {
  ids: number[];
}
/**
 * A rectangle of a page as it is shown: shares of its width and height, from its left and its top.
 */
export interface Frame {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
/**
 * The frames around the lines of a passage on a page.
 */
export interface FramesOfPage {
  page: number;
  frames: Frame[];
}
/**
 * Questions that want one answer, with the first turns of `ids`; `why` counts the reasons.
 */
export interface Gap {
  id: string;
  question: string;
  students: number;
  questions: number;
  last_at: number;
  why: {
    [k: string]: number;
  };
  topic: string;
  turns: GapTurn[];
  ids: number[];
  draft: DraftOfGap | null;
}
/**
 * A turn that was not answered well, and why; `personal`: its question has personal data.
 */
export interface GapTurn {
  id: number;
  at: number;
  channel: string;
  question: string;
  decision: string;
  source: string;
  topic: string;
  intent: string;
  confidence: number;
  answer_id: string;
  turn_id: number;
  good: boolean | null;
  why: string[];
  personal: boolean;
}
/**
 * The groups of questions that were not answered well, those of the most students first.
 */
export interface GapList {
  groups: Gap[];
}
/**
 * The graph's types with their numbers, its topics, and names by language; `fault`: why there is none.
 */
export interface GraphOverview {
  words: {
    [k: string]: {
      [k: string]: string;
    };
  };
  fault: string;
  store: string;
  types: {
    [k: string]: number;
  };
  topics: Named[];
  nodes: number;
  edges: number;
}
/**
 * A thing of the school by its id.
 */
export interface Named {
  id: string;
  name: string;
}
/**
 * A passage that a node or an edge rests on.
 */
export interface GraphPassage {
  document: string;
  title: string;
  locator: string;
  context: string[];
  text: string;
  url: string;
}
/**
 * A finding, and the node, the FAQ entry or the office that it is about, each by its id; "" for none.
 */
export interface GraphProblem {
  check: string;
  about: string;
  message: string;
  node: ListedNode | null;
  entry: string;
  office: string;
}
/**
 * A node as in a list; `degree` is the number of its edges.
 */
export interface ListedNode {
  id: string;
  type: string;
  name: string;
  degree: number;
}
/**
 * The findings, and the first of what was left out when the graph was built.
 */
export interface GraphProblems {
  problems: GraphProblem[];
  left_out: string[];
  left_out_count: number;
}
/**
 * Conversations that were handed over to advisors now and in the days before; `taken` of those now do not wait.
 */
export interface HandOverCounts {
  now: number;
  taken: number;
  before: number;
}
/**
 * A conversation of the inbox, with what was said and noted, and the student.
 */
export interface InboxConversation {
  id: number;
  channel: string;
  sender: string;
  status: "waiting" | "taken" | "closed";
  topic: string;
  office: string;
  question: string;
  opened_at: string;
  expected_at: string | null;
  taken_by: string;
  taken_at: string | null;
  closed_by: string;
  closed_at: string | null;
  last_at: string;
  reply_until: string | null;
  reply_free_until: string | null;
  messages: Message[];
  notes: Note[];
  undelivered: Undelivered[];
  on_its_way: number[];
  topic_name: string;
  student: Student;
}
/**
 * One message of a conversation; `author` is student, bot, advisor or notice.
 */
export interface Message {
  id: number;
  at: string;
  author: string;
  by: string;
  text: string;
  options: Choice[];
  facts: {
    [k: string]: unknown;
  };
}
/**
 * A note on a student, which the student never gets.
 *
 * `handed_to` is the office or the advisor to whom the writer has handed the conversation on; empty for a note alone.
 */
export interface Note {
  id: number;
  at: string;
  by: string;
  text: string;
  handed_to: string;
}
/**
 * A message that has not reached the student.
 *
 * `state`: waiting (it is tried again), held (until the student writes), refused (given up). `message` is its id in
 * the conversation.
 */
export interface Undelivered {
  id: number;
  channel: string;
  sender: string;
  state: "waiting" | "held" | "refused";
  why: string;
  at: string;
  text: string;
  message: number | null;
}
/**
 * The profile of a student, when the first question was asked, and the last ones.
 */
export interface Student {
  profile: ProfileValue[];
  since: number | null;
  questions: StudentQuestion[];
}
/**
 * A value of a student's profile, in the school's words.
 */
export interface ProfileValue {
  name: string;
  value: string;
}
/**
 * A question of a student; `topic` is the topic's name.
 */
export interface StudentQuestion {
  id: number;
  at: number;
  question: string;
  decision: string;
  topic: string;
}
/**
 * The conversations that were handed over, those that wait longest first, and the names of one's offices.
 */
export interface InboxList {
  conversations: Waiting[];
  own_offices: string[];
}
/**
 * A conversation that was handed over, with the name of its topic.
 */
export interface Waiting {
  id: number;
  channel: string;
  sender: string;
  status: "waiting" | "taken" | "closed";
  topic: string;
  office: string;
  question: string;
  opened_at: string;
  expected_at: string | null;
  taken_by: string;
  taken_at: string | null;
  closed_by: string;
  closed_at: string | null;
  last_at: string;
  reply_until: string | null;
  reply_free_until: string | null;
  topic_name: string;
}
/**
 * A link for testers; `draft` names what they chat with, "" is what is live.
 */
export interface Invitation {
  id: number;
  title: string;
  draft: string;
  state: BuildState;
  login: string;
  created_at: number;
  expires_at: number;
  testers: number;
  turns: number;
}
/**
 * All invitations, the newest first.
 */
export interface InvitationList {
  invitations: Invitation[];
}
/**
 * The invitation as the page of testers shows it.
 */
export interface InvitedTo {
  title: string;
  school: string;
  expires_at: number;
  draft: string;
  state: BuildState;
}
/**
 * A kept text of a calculator.
 */
export interface KeptCalculator {
  seen: string;
  kind: "calculator";
  calculator_id: string;
  text: string;
}
/**
 * Kept metadata of a document, or of an uploaded file with its review.
 */
export interface KeptDocument {
  seen: string;
  kind: "document";
  document_id: string;
  upload: string;
  fields: DocumentFields;
}
/**
 * A draft with all of its fields.
 */
export interface KeptDraft {
  id: number;
  version: number;
  state: "draft" | "reviewed";
  author: string;
  at: number;
  reviewed_by: string;
  draft: KeptEntry | KeptFact | KeptCalculator | KeptDocument | KeptTopic | KeptPart;
}
/**
 * A kept entry; `settles`, `checks`, `tell` and `follow_up` are those of the entry when it is published.
 */
export interface KeptEntry {
  seen: string;
  kind: "entry";
  entry_id: string;
  fields: EntryFields;
  /**
   * @maxItems 3000
   */
  settles: number[];
  /**
   * @maxItems 50
   */
  checks: string[];
  /**
   * @maxItems 500
   */
  tell: number[];
  follow_up: FollowUp | null;
}
/**
 * A kept value of a fact that was seen with the value `seen` and a note, or of a new one.
 */
export interface KeptFact {
  kind: "fact";
  name: string;
  is_new: boolean;
  value: string;
  note: string;
  seen: string;
  seen_note: string;
}
/**
 * A kept topic.
 */
export interface KeptTopic {
  seen: string;
  kind: "topic";
  topic_id: string;
  id: string;
  fields: TopicFields;
}
/**
 * A kept part of the catalogue.
 */
export interface KeptPart {
  seen: string;
  kind: "part";
  section_id: string;
  part_id: string;
  id: string;
  fields: CatalogueFields;
}
/**
 * The kept drafts, the one that was saved last first.
 */
export interface KeptDraftList {
  drafts: ListedDraft[];
}
/**
 * A draft of a list; `part` is what has become of what it changes since it was begun, `part_id` its id.
 *
 * `label` is its name, that of a fact in words. `upload` is the id of an uploaded file.
 */
export interface ListedDraft {
  id: number;
  version: number;
  state: "draft" | "reviewed";
  author: string;
  at: number;
  reviewed_by: string;
  kind: "entry" | "fact" | "calculator" | "document" | "topic" | "part";
  name: string;
  label: string;
  section_id: string;
  upload: string;
  part_id: string;
  part: "new" | "same" | "changed" | "gone";
}
/**
 * The topics in their order; one is `due` that nobody has reviewed for `due_days`.
 */
export interface KnownTopics {
  building: boolean;
  building_s: number;
  build_failed: boolean;
  topics: Topic[];
  due_days: number;
}
/**
 * A topic, and how many entries, documents and calculators it has; `live`: the index knows it.
 */
export interface Topic {
  id: string;
  name: string;
  name_en: string;
  description: string;
  office: string;
  examples: string[];
  assumes: {
    [k: string]: string;
  };
  entries: number;
  documents: number;
  calculators: number;
  live: boolean;
  reviewed_at: string;
  due: boolean;
  version: string;
  file: string;
  line: number;
}
/**
 * A thing of the school that a label can name.
 *
 * `kind` is "faq", "calculator", "document", "dimension" or "topic".
 */
export interface LabelName {
  kind: "faq" | "calculator" | "document" | "dimension" | "topic";
  id: string;
  name: string;
}
/**
 * Things of the school that labels of questions can name.
 */
export interface LabelNames {
  names: LabelName[];
}
/**
 * The files that have new examples.
 */
export interface Labelled {
  files: string[];
  commit: string;
}
/**
 * A turn of a list; one without words has the button's title or the menu's command.
 */
export interface ListedTurn {
  id: number;
  at: number;
  channel: string;
  question: string;
  decision: string;
  source: string;
  topic: string;
  intent: string;
  confidence: number;
  answer_id: string;
  turn_id: number;
  good: boolean | null;
  pressed: string;
  command: string;
  corrected: Settled | null;
}
/**
 * The ids of entries that were published together.
 */
export interface MadeEntries {
  commit: string;
  index: string;
  ids: string[];
}
/**
 * A new invitation; the `token` of its link is told this once.
 */
export interface MadeInvitation {
  id: number;
  title: string;
  draft: string;
  state: BuildState;
  login: string;
  created_at: number;
  expires_at: number;
  testers: number;
  turns: number;
  token: string;
}
/**
 * How many items were published together; `warnings` are those about them.
 */
export interface MadeItems {
  count: number;
  commit: string;
  warnings: string[];
}
/**
 * The id of what was made.
 */
export interface MadeRow {
  id: number;
}
/**
 * The commit of a change, "" without one, and the version of the index that is live.
 */
export interface MadeVersion {
  commit: string;
  index: string;
}
/**
 * The signed-in account, its rights, and the token that a change must carry; `now` is the server's time.
 *
 * `keeps_versions`: whether a change of the knowledge folder can be undone.
 */
export interface Me {
  login: string;
  name: string;
  roles: string[];
  rights: Right[];
  csrf: string;
  now: number;
  keeps_versions: boolean;
}
/**
 * A measurement on labelled questions: the curve of coverage and risk, and an option for each risk.
 *
 * `file` is empty where the school's checked questions were asked.
 */
export interface Measured {
  file: string;
  by: string;
  at: number;
  index_version: string;
  questions: number;
  curve: [number, number][];
  options: RiskOption[];
  unknown: UnknownLabel[];
}
/**
 * A risk that can be chosen; no threshold keeps it where `threshold` is null.
 */
export interface RiskOption {
  risk: number;
  threshold: number | null;
  coverage: number;
  error: number;
  answered: number;
  wrong: number;
}
/**
 * A label of a question that says nothing: it names nothing of the school, is empty, or its column is unread.
 */
export interface UnknownLabel {
  line: number;
  column: string;
  value: string;
  why: "unknown" | "empty" | "unread";
}
/**
 * The progress of a measurement, and why it failed.
 */
export interface Measuring {
  step: "" | "asking" | "done" | "failed";
  by: string;
  began_at: number;
  ended_at: number;
  told: string;
  unknown: UnknownLabel[];
}
/**
 * A wording of a draft that another entry answers, or none.
 */
export interface MissedWording {
  decision: string;
  answer_id: string | null;
  text: string;
  options: string[];
  confidence: number;
  question: string;
  by_question: string;
}
/**
 * An action on a model or a threshold, and whose it was.
 */
export interface ModelAction {
  at: number;
  by: string;
  action: string;
  target: string;
}
/**
 * A call of a model, for the trace. `outcome` is "ok" or a `ModelFailure`; `cost` is in the prices' currency.
 */
export interface ModelCall {
  purpose: string;
  model: string;
  outcome: string;
  prompt_tokens: number;
  completion_tokens: number;
  cost: number;
  latency_ms: number;
  cached: boolean;
}
/**
 * How fast the model answers, and whether it keeps to a schema.
 */
export interface ModelCheck {
  first_s: number;
  answer_s: number;
  answer_tokens: number;
  in_time: boolean;
  holds_schema: boolean;
}
/**
 * A model and how it is used; without an address and a name, none is used. Prices are for a million tokens.
 *
 * `sources` may be worded by the model (`Settings.llm_sources`); a budget of 0 is no limit.
 */
export interface ModelChoice {
  url: string;
  model: string;
  temperature: number;
  /**
   * @maxItems 2
   */
  sources: ("document" | "study")[];
  daily_tokens: number;
  daily_cost: number;
  prompt_price: number;
  completion_price: number;
}
/**
 * A reply with its sources.
 */
export interface ModelReply {
  decision: string;
  source: string;
  text: string;
  options: string[];
  citations: Citation[];
}
/**
 * How the language model is set up; prices are for a million tokens.
 */
export interface ModelSetUp {
  url: string;
  model: string;
  has_key: boolean;
  timeout_s: number;
  temperature: number;
  sources: string[];
  fallback: boolean;
  preset: string;
  preset_generates: boolean;
  daily_tokens: number;
  daily_cost: number;
  prompt_price: number;
  completion_price: number;
}
/**
 * The language model that is in use, null without one; `is_chosen`: not the one of the settings.
 */
export interface ModelState {
  configured: ModelSetUp | null;
  choice: ModelChoice;
  is_chosen: boolean;
  version: string;
  tokens_today: number;
  cost_today: number;
}
/**
 * The reply with the model and without, the model's calls, and the sentences that were dropped.
 */
export interface ModelTrial {
  reply: ModelReply;
  without: ModelReply;
  seconds: number;
  calls: ModelCall[];
  dropped: DroppedSentence[];
}
/**
 * The use of each model on each day, the latest first.
 */
export interface ModelUsage {
  days: DayUsage[];
}
/**
 * The trained models by name, "" for one that is not there.
 */
export interface Models {
  training: Training;
  live: string;
  before: string;
  candidate: string;
  labels: WaitingLabels;
  history: ModelAction[];
}
/**
 * The latest training; `waits_for_changes`: until Covan has read what was published.
 */
export interface Training {
  step: string;
  by: string;
  began_at: number;
  ended_at: number;
  read: number;
  messages: number;
  candidate: string;
  learnt: string;
  told: string;
  waits_for_changes: boolean;
}
/**
 * The labels that the live model does not know: no model has learnt them, or the candidate alone has.
 */
export interface WaitingLabels {
  untrained: number;
  unpromoted: number;
}
/**
 * A dimension by its names.
 */
export interface NamedDimension {
  id: string;
  name: string;
  name_en: string;
}
/**
 * The review of a fact, or of a group of facts.
 */
export interface NamedReview {
  owner: string;
  reviewed_at: string;
  name: string;
}
/**
 * Pairs of entries; `count` are those of this list, `near` those that are not marked as `differing`.
 */
export interface NearDuplicateList {
  pairs: NearPair[];
  count: number;
  near: number;
  differing: number;
  searching: boolean;
}
/**
 * Two entries that nearly ask the same; `alike` is the number of pairs with the same two questions.
 */
export interface NearPair {
  likeness: number;
  /**
   * @minItems 2
   * @maxItems 2
   */
  entries: [NearEntry, NearEntry];
  alike: number;
}
/**
 * One of two entries that nearly ask the same; `may_stay`: it has an answer for all students of the other one.
 */
export interface NearEntry {
  id: string;
  question: string;
  variants: string[];
  answer: string;
  applies_to: {
    [k: string]: string[];
  };
  topic: string;
  version: string;
  text: string;
  may_stay: boolean;
}
/**
 * The entries that would still answer before a document.
 */
export interface NearerEntryList {
  entries: NamedEntry[];
}
/**
 * A node one step away, with the place of the edge.
 */
export interface Neighbour {
  id: string;
  type: string;
  name: string;
  degree: number;
  place: Place | null;
}
/**
 * A place that a node or an edge rests on; `passage` is empty for a table.
 */
export interface Place {
  title: string;
  locator: string;
  url: string;
  passage: string;
}
/**
 * The nodes of one relation; `is_out`: it goes from the node to them.
 */
export interface Neighbours {
  relation: string;
  is_out: boolean;
  nodes: Neighbour[];
}
/**
 * The domains whose people get an account with these roles when they first sign in at the provider.
 */
export interface NewAccountsInUse {
  domains: string[];
  roles: string[];
}
/**
 * A secret for the app, its address for apps, and that as an SVG of a QR code.
 */
export interface NewSecondFactor {
  secret: string;
  address: string;
  qr: string;
}
/**
 * There is no candidate.
 */
export interface NoComparison {
  candidate: "";
}
/**
 * The first nodes that were found, of `count`.
 */
export interface NodeList {
  nodes: ListedNode[];
  count: number;
}
/**
 * A conversation that waits or is taken, as every page looks at it.
 */
export interface OpenConversation {
  id: number;
  status: "waiting" | "taken" | "closed";
  taken_by: string;
}
/**
 * Numbers of questions by the decision on them, and of thumbs.
 */
export interface Outcomes {
  answer: number;
  clarify: number;
  no_answer: number;
  up: number;
  down: number;
}
/**
 * The number of a file's pages, and those, from 1, that are read wrongly or not at all.
 *
 * `recognized` are scans with a text layer: its words were recognized by a machine.
 */
export interface PageSurvey {
  count: number;
  without_text: number[];
  recognized: number[];
  with_table: number[];
}
/**
 * The pages on which a passage stands.
 */
export interface PassageFrames {
  pages: FramesOfPage[];
}
/**
 * All accounts, and the roles and offices that they may have.
 *
 * `mails`: whether advisors are told by mail of students who wait; `openid`: whether people may sign in at a provider.
 */
export interface PeopleList {
  people: Account[];
  roles: string[];
  offices: Named[];
  mails: boolean;
  openid: boolean;
}
/**
 * The median and the 95th percentile of times, in seconds; null without any.
 */
export interface Percentiles {
  median: number | null;
  p95: number | null;
}
/**
 * The messages that a student would get, as the channel shows them.
 */
export interface Previews {
  messages: string[];
}
/**
 * The models after a change of the live one; `is_live`: a running Covan uses it.
 */
export interface PromotedModels {
  training: Training;
  live: string;
  before: string;
  candidate: string;
  labels: WaitingLabels;
  history: ModelAction[];
  is_live: boolean;
}
/**
 * A document with the entries that cite it, and the entries and calculators for which it must stay.
 */
export interface PublishedDocument {
  problems: string[];
  warnings: string[];
  id: string;
  title: string;
  version: string;
  several: boolean;
  fields: DocumentMetadata;
  passages: ReadPassage[];
  pages: PageSurvey;
  text: string;
  file: string;
  cited_by: NamedEntry[];
  uses: Use[];
}
/**
 * A passage on its page, or on a line of the file's text, from 0; null where that is not known.
 */
export interface ReadPassage {
  locator: string;
  context: string[];
  text: string;
  page: number | null;
  line: number | null;
}
/**
 * A place that uses what an editor wants to take away; `line` counts from 1.
 *
 * `id` is that of its entry, calculator, document or topic, otherwise the file. `name` is the question, title or name.
 */
export interface Use {
  kind: "entry" | "calculator" | "document" | "topic" | "rule" | "file";
  id: string;
  name: string;
  file: string;
  line: number | null;
}
/**
 * A new entry, and the students who got it.
 */
export interface PublishedEntry {
  commit: string;
  index: string;
  id: string;
  told: number;
  untold: Untold[];
}
/**
 * A turn whose student did not get an answer, and why.
 */
export interface Untold {
  trace: number;
  why: string;
}
/**
 * The version of `count` drafts; unless it `is_live`, students get it with the build that follows.
 *
 * `told` students got an answer that they had waited for. `warnings` are those about the topics and items of the
 * catalogue that were saved.
 */
export interface PublishedTogether {
  commit: string;
  index: string;
  count: number;
  is_live: boolean;
  told: number;
  untold: Untold[];
  warnings: string[];
  old_contacts: OldContacts;
}
/**
 * A question that is refused, or asked back about for a dimension or between entries, in its very words.
 */
export interface QueryRule {
  question: string;
  variants: string[];
  dimension: string;
  entries: NamedEntry[];
  version: string;
}
/**
 * The query rules, in the order of their file.
 */
export interface QueryRuleList {
  rules: QueryRule[];
}
/**
 * An uploaded file as it was read; `version` is that of the document that it would replace.
 */
export interface ReadDraft {
  problems: string[];
  warnings: string[];
  draft: string;
  name: string;
  by: string;
  at: number;
  title: string;
  count: number;
  id: string;
  version: string;
  several: boolean;
  fields: DocumentMetadata;
  passages: ReadPassage[];
  pages: PageSurvey;
  text: string;
}
/**
 * A part of a message; with `entity`, it is a name of a value of that dimension.
 */
export interface ReadPart {
  text: string;
  entity: string;
}
/**
 * The names of advisors and offices to whom a conversation can be handed on.
 */
export interface Recipients {
  advisors: string[];
  offices: string[];
}
/**
 * The codes that take the place of the app; they are told this once.
 */
export interface RecoveryCodes {
  recovery_codes: string[];
}
/**
 * A document, a topic or an item of the catalogue that was changed or taken away, with the commit.
 */
export interface Removed {
  id: string;
  commit: string;
}
/**
 * The number of answers and facts that have the new contacts now.
 */
export interface ReplacedPlaces {
  commit: string;
  index: string;
  count: number;
}
/**
 * The changes that replacing contacts makes; `stay` are the documents, whose text is verbatim.
 */
export interface ReplacementPreview {
  places: ChangedPlace[];
  stay: NamedPlace[];
}
/**
 * The times from a question to its reply, in the days before, too, and day by day.
 */
export interface ResponseTimes {
  median: number | null;
  p95: number | null;
  before: Percentiles;
  days: DayPercentiles[];
}
/**
 * Messages to label, of `count`; `topics` are the names of topics by intent, `general` the other intents.
 */
export interface Review {
  messages: Unsure[];
  count: number;
  topics: {
    [k: string]: string;
  };
  general: string[];
  dimensions: NamedDimension[];
}
/**
 * A message that the model was unsure of; `guesses` are the most probable intents, `traces` its turns.
 */
export interface Unsure {
  parts: ReadPart[];
  guesses: {
    [k: string]: number;
  };
  students: number;
  times: number;
  last_at: number;
  traces: number[];
  personal: boolean;
}
/**
 * A calculator that was saved or taken away.
 */
export interface SavedCalculator {
  commit: string;
  index: string;
  id: string;
}
/**
 * An entry after its change, and the students who got it.
 */
export interface SavedEntry {
  id: string;
  file: string;
  question: string;
  answer: string;
  topic: string;
  variants: string[];
  owner: string;
  reviewed_at: string;
  applies_to: {
    [k: string]: string[];
  };
  sources: EntrySource[];
  version: string;
  text: string;
  commit: string;
  told: number;
  untold: Untold[];
}
/**
 * A fact that was saved or taken away.
 */
export interface SavedFact {
  commit: string;
  index: string;
  name: string;
}
/**
 * A topic or an item of the catalogue that was saved; `warnings` are those about its lines.
 */
export interface SavedPart {
  id: string;
  commit: string;
  warnings: string[];
}
/**
 * The second factor of one's own account.
 */
export interface SecondFactor {
  on: boolean;
  recovery_codes_left: number;
}
/**
 * The id of a message that was sent.
 */
export interface SentMessage {
  message: number;
}
/**
 * A field of an item, by its name in the catalogue, as it is and as it would be; lists have a line for each.
 */
export interface SheetChange {
  field: string;
  before: string;
  after: string;
}
/**
 * A fault of a row: the name of the field, and that of its column in the sheet ("": it has none).
 */
export interface SheetFault {
  field: string;
  column: string;
  message: string;
}
/**
 * A row of a spreadsheet as an item of the catalogue; `version` is that of the item which it changes, "" for a new
 * one. Without `changes`, the catalogue has it so already.
 */
export interface SheetItem {
  line: number;
  id: string;
  name: string;
  version: string;
  fields: {
    [k: string]: string | string[];
  };
  changes: SheetChange[];
  faults: SheetFault[];
}
/**
 * The rows of a spreadsheet, and the names of the columns that are not read.
 */
export interface SheetItems {
  items: SheetItem[];
  unread: string[];
}
/**
 * A row of a spreadsheet as an entry.
 *
 * `known` is the question of the entry that has it already, `new_topic` the id that its `unknown_topic` would get,
 * `same` the lines of other rows that ask the same, `contacts` those of the answer that stand nowhere else.
 */
export interface SheetRow {
  line: number;
  question: string;
  answer: string;
  variants: string[];
  topic: string;
  unknown_topic: string;
  new_topic: string;
  known: string;
  same: number[];
  faults: ("no_question" | "no_answer" | "long" | "personal")[];
  contacts: string[];
}
/**
 * The rows of a spreadsheet.
 */
export interface SheetRows {
  rows: SheetRow[];
}
/**
 * A node with its neighbourhood.
 */
export interface ShownNode {
  id: string;
  type: string;
  name: string;
  degree: number;
  names: string[];
  properties: {
    [k: string]: string | number;
  };
  text: string;
  topics: string[];
  found_by: string;
  effective_from: string;
  effective_to: string;
  place: Place;
  around: Neighbours[];
}
/**
 * The name of the OpenID Connect provider; null without one.
 */
export interface SignInMethods {
  openid: string | null;
}
/**
 * The figures of some days beside those before; `waiting` students want a person, null while nobody can tell.
 */
export interface Statistics {
  decisions: {
    [k: string]: number;
  };
  before: {
    [k: string]: number;
  };
  since: number;
  topics: TopicChange[];
  by: DecidedBy;
  days: DayCount[];
  seconds: ResponseTimes;
  thumbs: Thumbs;
  hand_overs: HandOverCounts;
  students: number;
  top: TopQuestion[];
  waiting: number | null;
  waiting_by: {
    [k: string]: number;
  };
  waiting_since: number | null;
}
/**
 * A topic in the days that are looked at, and in as many days before.
 */
export interface TopicChange {
  topic: string;
  now: Outcomes;
  before: Outcomes;
  unanswered: "" | "better" | "worse";
  thumbs: "" | "better" | "worse";
}
/**
 * Students' thumbs.
 */
export interface Thumbs {
  up: number;
  down: number;
}
/**
 * An answer that was given `n` times, and the last question for it.
 */
export interface TopQuestion {
  answer_id: string;
  question: string;
  n: number;
}
/**
 * A question of a tester, who is known by a number, and its reply.
 */
export interface TesterTurn {
  tester: number;
  at: number;
  said: string;
  decision: string;
  text: string;
  answer_id: string;
}
/**
 * The turns of an invitation, tester by tester.
 */
export interface TesterTurns {
  turns: TesterTurn[];
}
/**
 * A thing that a version changed, by its name, and the file that it is in.
 *
 * `part` is the list of the file that it stands in ("majors"); "" for the only one.
 */
export interface ThingChange {
  file: string;
  part: string;
  name: string;
  kind: "added" | "removed" | "changed";
  fields: FieldChange[];
}
/**
 * The choice of a threshold.
 */
export interface ThresholdChoice {
  risk: number;
  threshold: number | null;
  made_at: number;
  counts: Counts;
}
/**
 * The changes that a threshold would make.
 */
export interface ThresholdTrial {
  checked: AskedChecked;
}
/**
 * The choice in use, null for the shipped threshold, and what can be chosen.
 *
 * `checked` is the number of the school's checked questions.
 */
export interface Thresholds {
  preset: string;
  index_version: string;
  current: ThresholdChoice | null;
  version: string;
  has_before: boolean;
  measured: Measured | null;
  measuring: Measuring;
  checked: number;
}
/**
 * A button, and what it stands for.
 */
export interface ToldOption {
  title: string;
  option: {
    [k: string]: string;
  };
}
/**
 * A part of the reply to a tester; `talk`: it answers no question.
 */
export interface ToldPart {
  question: string;
  decision: string;
  text: string;
  talk: boolean;
  asks: string[];
  options: ToldOption[];
  sources: ToldSource[];
}
/**
 * A source of an answer.
 */
export interface ToldSource {
  title: string;
  locator: string;
  quote: string;
}
/**
 * The reply to a tester; `live` are the texts of the live one where the draft gives another.
 */
export interface ToldToTester {
  said: ToldPart[];
  live: string[];
}
/**
 * The chat's reply to a message, and its reply with the chosen draft; null without one.
 */
export interface Trial {
  said: TrialPart[];
  drafted: TrialPart[] | null;
  turn: TriedTurn;
}
/**
 * A part of what the chat says to a message; without a decision, it is talk.
 */
export interface TrialPart {
  question: string;
  decision: string;
  text: string;
  asks: string[];
  options: string[];
}
/**
 * A turn that was tried: nothing of it is stored.
 */
export interface TriedTurn {
  id: number;
  at: number;
  channel: string;
  question: string;
  decision: string;
  source: string;
  topic: string;
  intent: string;
  confidence: number;
  answer_id: string;
  turn_id: number;
  good: boolean | null;
  trace: Trace;
}
/**
 * An entry that was tried; `contacts` of its answer stand neither in the catalogue nor in the facts.
 */
export interface Tried {
  entry_id: string;
  answer: string;
  replies: TriedReply[];
  wordings: TriedWordings;
  checked: AskedChecked;
  contacts: string[];
}
/**
 * A reply with a draft; `by_this`: the draft's own, `now_by`: the entry that answers without it.
 */
export interface TriedReply {
  decision: string;
  answer_id: string | null;
  text: string;
  options: string[];
  confidence: number;
  question: string;
  by_this: boolean;
  now_by: string;
  now_by_question: string;
}
/**
 * How many of the draft's own wordings were asked, as typed and without diacritics, and those that miss it.
 */
export interface TriedWordings {
  count: number;
  missed: MissedWording[];
}
/**
 * The answers that another value changes, the first ones of `count`, and how many calculators use it.
 */
export interface TriedFact {
  changed: ChangedText[];
  count: number;
  calculators: number;
  checked: AskedChecked;
}
/**
 * A page of turns, the newest first.
 */
export interface TurnPage {
  turns: ListedTurn[];
  more: boolean;
}
/**
 * A fact with the entries and calculators that use it, and the clauses that these rest on.
 *
 * `told` is what is told of the fact itself and of each group that it is in, the smallest first.
 */
export interface UsedFact {
  owner: string;
  reviewed_at: string;
  name: string;
  label: string;
  value: string;
  file: string;
  line: number;
  note: string;
  used_by: UsedBy;
  told: NamedReview[];
  entries: NamedEntry[];
  calculators: NamedEntry[];
  clauses: Clause[];
}
/**
 * A commit: `at` is in seconds since 1970, `files` are the paths that it changed, relative to the folder.
 *
 * `action` is what the console did ("add", "change", "entry_removed", "merged", "rule", "rule_removed", "checked",
 * "checked_removed", "restore", "by_hand", "label", "fact", "document", "document_added", "document_replaced",
 * "document_removed", "calculator", "topic", "catalogue", "contacts", "drafts",
 * "undo"); empty for a commit of somebody else.
 */
export interface Version {
  commit: string;
  author: string;
  at: number;
  action: string;
  message: string;
  files: string[];
}
/**
 * The changes of a version, thing by thing and as a unified diff, and the files that are not as they were then.
 *
 * `more`: it changed more things than `changes` has.
 */
export interface VersionChanges {
  commit: string;
  changes: ThingChange[];
  more: boolean;
  diff: string;
  differing: string[];
  undoable: boolean;
}
/**
 * Versions of the knowledge folder, the newest first; `kept`: whether the `folder` keeps any.
 */
export interface VersionPage {
  kept: boolean;
  folder: string;
  versions: Version[];
  more: boolean;
}
/**
 * The names that entries and documents may use.
 */
export interface Vocabulary {
  documents: DocumentName[];
  clauses: ClauseName[];
  topics: DimensionValue[];
  offices: DimensionValue[];
  dimensions: Dimension[];
}
/**
 * How many students wait, and the conversations that are not closed.
 */
export interface WaitingCount {
  waiting: number;
  open: OpenConversation[];
}
