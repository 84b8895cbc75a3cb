/** The console's JSON API (console/api). */

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly detail: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** Whether somebody has changed meanwhile what was to be saved; `detail.theirs` is what stands there now. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === "conflict";
}

/** Whether somebody has saved or reviewed meanwhile the draft that was to be saved, reviewed or published. */
export function isDraftConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === "draft_conflict";
}

/** A place that uses what is to go. */
export interface Use {
  kind: "entry" | "calculator" | "document" | "topic" | "file";
  id: string;
  name: string;
  file: string;
  line: number | null;
}

/** A fact that calculators need; `of` names what it is a fact of, `like` is that of something else. */
export interface LackingFact {
  name: string;
  of: string;
  like: { name: string; value: string; note: string } | null;
  calculators: { id: string; question: string }[];
}

/** A fault of the knowledge folder, at its place. */
export interface FolderFault {
  file: string;
  line: number | null;
  message: string;
}

export interface Me {
  login: string;
  name: string;
  roles: string[];
  rights: string[];
  csrf: string;
}

export interface Turn {
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
  good: boolean | null;
  turn_id: number;
  /** In a list, of a turn without words: the title of the button, or the command of the menu. */
  pressed?: string;
  command?: string;
  /** The advisor who said what is right, and the way it was done, as the log shows them. */
  corrected?: Settled | null;
}

/** The advisor who has settled a question, and the way: an entry, a query rule, or setting it aside. */
export interface Settled {
  name: string;
  at: number;
  how: "entry" | "rule" | "aside";
  /** The entry that answers it; "" without one. */
  entry: string;
  question: string;
  answer: string;
}

export interface Candidate {
  source: string;
  id: string;
  title: string;
  locator: string;
  document_id: string;
  text: string;
  score: number;
  scores: Record<string, number>;
}

export interface Citation {
  document_id: string;
  title: string;
  locator: string;
  quote: string;
}

export interface Trace {
  normalized: string;
  resolved?: string;
  intents: Record<string, number>;
  /** The names of the topics of `intents`. */
  topics: Record<string, string>;
  mentions: [string, string][];
  profile: [string, string][];
  reasons?: string[];
  signals?: Record<string, number>;
  thresholds?: Record<string, number>;
  stages_ms?: Record<string, number>;
  candidates?: Candidate[];
  citations?: Citation[];
  preset?: string;
  index_version?: string;
}

export interface Message {
  id: number;
  at: number | string;
  author: string;
  by: string;
  text: string;
  options: (string | { title: string })[];
  citations?: Citation[];
  turn?: number | null;
  good?: boolean | null;
  reason?: string;
}

export interface Conversation {
  channel: string;
  sender: string;
  trace: number;
  messages: Message[];
  turns: Record<string, ToldTurn>;
}

/** A turn with the way to its reply. */
export interface ToldTurn extends Turn {
  trace: Trace;
  /** Whether its words only go on with what was spoken of before ("ở đâu vậy ạ"). */
  needs_context: boolean;
}

export interface Gap {
  id: string;
  question: string;
  students: number;
  questions: number;
  last_at: number;
  why: Record<string, number>;
  topic: string;
  turns: (Turn & { why: string[]; personal: boolean })[];
  ids: number[];
  /** The questions of other groups that an advisor has found to ask the same. */
  joined?: string[];
}

export interface Source {
  document: string;
  locator?: string;
}

export interface Listed {
  id: string;
  file: string;
  question: string;
  answer: string;
  topic: string;
  variants: number;
  outdated: boolean;
  changed: boolean;
  owner: string;
  reviewed_at: string;
  applies_to: Students;
}

/** A source whose text changed; `before` is empty when it was too long to keep, `now` when the place is gone. */
export interface ChangedSource {
  document: string;
  title: string;
  locator: string;
  before: string;
  now: string;
}

export interface Entry extends Omit<Listed, "variants" | "outdated" | "changed"> {
  variants: string[];
  sources: Source[];
  version: string;
  text: string;
  changed_sources: ChangedSource[];
  /** The answer with the values of its facts. */
  filled: string;
}

/** Values that students may have, by the key of a dimension. */
export type Students = Record<string, string[]>;

export interface Dimension {
  id: string;
  key: string;
  name: string;
  name_en: string;
  ordered: boolean;
  values: { id: string; name: string }[];
}

/** The names that entries and documents may use. */
export interface Vocabulary {
  documents: { document: string; title: string }[];
  clauses: { document: string; title: string; locator: string; text: string }[];
  topics: { id: string; name: string }[];
  offices: { id: string; name: string }[];
  dimensions: Dimension[];
}

/** An FAQ entry by its question. */
export interface NamedEntry {
  id: string;
  question: string;
}

/** A question that is refused, or asked back about for a dimension or between entries, in its very words. */
export interface QueryRule {
  question: string;
  variants: string[];
  dimension: string;
  entries: NamedEntry[];
  version: string;
}

/** A row of a spreadsheet; `known` is the question of the entry that has it already. */
export interface SheetRow {
  line: number;
  question: string;
  answer: string;
  variants: string[];
  topic: string;
  /** The topic that the row names and the school does not have. */
  unknown_topic: string;
  /** The id that a topic of that name would get; "" when the school has it. */
  new_topic: string;
  known: string;
  /** The lines of other rows of the sheet that ask the same. */
  same: number[];
  /** Numbers and mail addresses of the answer that stand neither in the catalogue nor in the facts. */
  contacts: string[];
  faults: ("no_question" | "no_answer" | "long" | "personal")[];
}

/** A draft of an entry that is kept; `version` is its own. */
interface DraftHead {
  id: number;
  version: number;
  state: "draft" | "reviewed";
  author: string;
  at: number;
  reviewed_by: string;
}

/** `entry` is what has become of the entry that it changes since it was begun. */
export interface ListedDraft extends DraftHead {
  question: string;
  entry_id: string;
  entry: "new" | "same" | "changed" | "gone";
}

/** `seen` is the version of the entry that it was begun from. */
export interface KeptDraft extends DraftHead {
  draft: {
    kind: "entry";
    entry_id: string;
    fields: EntryFields;
    seen: string;
    settles: number[];
    checks: string[];
    tell: number[];
  };
}

/** An edit that nobody has published, as testers chat with it. */
export type DraftEdit =
  | { kind: "entry"; entry_id: string; fields: EntryFields }
  | { kind: "fact"; name: string; value: string; note: string }
  | { kind: "calculator"; calculator_id: string; text: string }
  | BuiltDraft;

/** An edit that testers can chat with once the school was read with it. */
export type BuiltDraft =
  | { kind: "document"; document_id: string; upload: string; fields: DocumentFields }
  | { kind: "topic"; topic_id: string; id: string; fields: TopicFields }
  | { kind: "part"; section_id: string; part_id: string; id: string; fields: Values };

/** That something goes that is in the school. */
export interface RemovalDraft {
  kind: "removal";
  of: "document" | "topic" | "part";
  section_id: string;
  id: string;
}

export type CheckedDraft = BuiltDraft | RemovalDraft;

/** A check of an own draft: `asked` of `questions` while these are asked; `checked` when it is done. */
export interface DraftCheck {
  id: number;
  name: string;
  draft: CheckedDraft;
  /** At which was seen what it changes. */
  version: string;
  at: number;
  step: "building" | "asking" | "done" | "failed";
  asked: number;
  questions: number;
  ended_at: number;
  checked: Tried["checked"] | null;
  /** Why it failed. */
  told: string;
  /** Whether the school has changed since. */
  outdated: boolean;
}

/** One's own checks, and the number of checked questions of the school. */
export interface DraftChecks {
  questions: number;
  checks: DraftCheck[];
}

/** How far the draft of an invitation is. */
export type BuildState = "ready" | "building" | "failed" | "";

export interface EntryFields {
  question: string;
  variants: string[];
  answer: string;
  topic: string;
  sources: Source[];
  applies_to: Record<string, string[]>;
  owner: string;
  reviewed_at: string;
}

export interface Invitation {
  id: number;
  title: string;
  /** The name of the draft that its testers chat with; "": what is live. */
  draft: string;
  state: BuildState;
  login: string;
  created_at: number;
  expires_at: number;
  testers: number;
  turns: number;
}

export interface TesterTurn {
  tester: number;
  at: number;
  said: string;
  decision: string;
  text: string;
  answer_id: string;
}

/** A part of the reply to a tester. */
export interface ToldTester {
  question: string;
  decision: string;
  text: string;
  talk: boolean;
  asks: string[];
  options: { title: string; option: Record<string, string> }[];
  sources: { title: string; locator: string; quote: string }[];
}

/** A question tried on what is live. */
/** A part of what the chat says to a message. */
export interface TrialPart {
  question: string;
  decision: string;
  text: string;
  asks: string[];
  options: string[];
}

export interface Trial {
  said: TrialPart[];
  /** With the draft that was chosen; null without one. */
  drafted: TrialPart[] | null;
  turn: Turn & { trace: Trace };
}

interface Faults {
  problems: string[];
  warnings: string[];
}

export interface DocumentFields {
  title: string;
  number: string;
  issued: string;
  effective_from: string;
  effective_to: string;
  topic: string;
  applies_to: Students;
  supersedes: string[];
  course: string;
  url: string;
}

export interface DocumentList {
  documents: (Pick<
    DocumentFields,
    "title" | "number" | "topic" | "effective_from" | "effective_to" | "url"
  > & {
    id: string;
    passages: number;
    cited: number;
  })[];
  waiting: (Faults & { id: string; file: string; title: string })[];
  building: boolean;
  /** For how many seconds the build is waited for. */
  building_s: number;
  build_failed: boolean;
  kinds: string[];
}

/** An uploaded file that is not published yet. */
export interface Draft extends Faults {
  draft: string;
  name: string;
  by: string;
  at: number;
  title: string;
  count: number;
}

export interface Passage {
  locator: string;
  context: string[];
  text: string;
  page: number | null;
  line: number | null;
}

/** A document or a draft as it was read; `name` is of a draft, `file` of a published one.

A file has `pages`, by their numbers from 1, or a `text`, in which each passage has its `line` from 0. */
/** A rectangle of a page's picture: shares of its width and height. */
export interface Frame {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The frames around the lines of a passage on the pages where it stands. */
export interface PassageFrames {
  pages: { page: number; frames: Frame[] }[];
}

export interface ReadDocument extends Faults {
  id: string;
  title: string;
  name?: string;
  file?: string;
  version: string;
  several: boolean;
  fields: DocumentFields;
  passages: Passage[];
  pages: { count: number; without_text: number[]; recognized: number[]; with_table: number[] };
  text: string;
  cited_by?: { id: string; question: string }[];
  /** The entries and calculators that rest on a published document: it cannot be taken away. */
  uses?: Use[];
}

export interface Waiting {
  id: number;
  channel: string;
  sender: string;
  status: "waiting" | "taken" | "closed";
  topic: string;
  topic_name: string;
  office: string;
  question: string;
  opened_at: string;
  last_at: string;
  taken_by: string;
  reply_until: string | null;
  reply_free_until: string | null;
}

/** A conversation that waits or is taken, as every page looks at it. */
export type OpenConversation = Pick<Waiting, "id" | "status" | "taken_by">;

/** How many students wait, and the conversations that are not closed. */
export interface WaitingCount {
  waiting: number;
  open: OpenConversation[];
}

/** The key of the query for how many wait: renewing the inbox renews it, too. */
export const WAITING_COUNT = ["inbox", "waiting"];

export interface InboxConversation extends Waiting {
  messages: Message[];
  notes: Note[];
  undelivered: { id: number; why: string; text: string }[];
  student: {
    profile: { name: string; value: string }[];
    since: number | null;
    questions: { id: number; at: number; question: string; decision: string; topic: string }[];
  };
}

/** A note of an advisor; `handed_to` got the conversation with it. */
export interface Note {
  id: number;
  at: string;
  by: string;
  text: string;
  handed_to: string;
}

export interface CannedReply {
  id: number;
  title: string;
  text: string;
  version: number;
}

/** Numbers of questions by the decision on them, and of thumbs. */
export type Outcomes = Record<"answer" | "clarify" | "no_answer" | "up" | "down", number>;

/** A topic in the days that are looked at and as many days before. */
export interface TopicChange {
  topic: string;
  now: Outcomes;
  before: Outcomes;
  unanswered: "" | "better" | "worse";
  thumbs: "" | "better" | "worse";
}

/** The median and the 95th percentile of the times of some replies. */
export interface Percentiles {
  median: number | null;
  p95: number | null;
}

export interface Statistics {
  decisions: Record<string, number>;
  before: Record<string, number>;
  since: number;
  topics: TopicChange[];
  /** The decisions on turns, by source, channel and hour. */
  by: Record<"source" | "channel" | "hour", Record<string, Record<string, number>>>;
  days: { day: string; decision: string; n: number }[];
  seconds: Percentiles & { before: Percentiles; days: (Percentiles & { day: string })[] };
  thumbs: { up: number; down: number };
  students: number;
  top: { answer_id: string; question: string; n: number }[];
  waiting: number | null;
  /** By the name of the office, "" for those of none. */
  waiting_by: Record<string, number>;
  waiting_since: number | null;
}

/** The second factor of one's own account. */
export interface SecondFactor {
  on: boolean;
  recovery_codes_left: number;
}

/** A secret for the app, `qr` as an SVG. */
export interface NewSecondFactor {
  secret: string;
  address: string;
  qr: string;
}

export interface Person {
  login: string;
  name: string;
  roles: string[];
  active: boolean;
  locked_until: number;
  second_factor: boolean;
  mail: string;
  offices: string[];
  /** Whether a person of the OpenID Connect provider signs in to it. */
  linked: boolean;
  /** Of all but the password; a change names the one that was seen. */
  version: string;
  password_version: string;
}

export interface PeopleList {
  people: Person[];
  roles: string[];
  offices: { id: string; name: string }[];
  /** Whether advisors are told by mail of students who wait. */
  mails: boolean;
  /** Whether people may sign in at an OpenID Connect provider. */
  openid: boolean;
}

/** The domains whose people get an account with these roles when they first sign in at the provider. */
export interface NewAccounts {
  domains: string[];
  roles: string[];
}

/** A commit of the knowledge folder. */
export interface Version {
  commit: string;
  author: string;
  at: number;
  action:
    | ""
    | "add"
    | "change"
    | "rule"
    | "rule_removed"
    | "entry_removed"
    | "merged"
    | "contacts"
    | "checked_removed"
    | "restore"
    | "undo"
    | "by_hand"
    | "document"
    | "document_added"
    | "document_replaced"
    | "document_removed"
    | "fact_removed"
    | "calculator_removed"
    | "topic_removed"
    | "catalogue_removed"
    | "label"
    | "fact"
    | "calculator"
    | "topic"
    | "catalogue";
  message: string;
  files: string[];
}

export interface Noted {
  id: number;
  at: number;
  login: string;
  action: string;
  target: string;
  detail: Record<string, unknown>;
  allowed: boolean;
}

export interface Tried {
  entry_id: string;
  answer: string;
  /** `now_by` is the entry that answers without the draft. */
  replies: {
    question: string;
    decision: string;
    by_this: boolean;
    now_by: string;
    now_by_question: string;
    text: string;
    confidence: number;
  }[];
  /** The draft's own wordings, as typed and without diacritics: how many were asked, and those that miss it. */
  wordings: { count: number; missed: { question: string; decision: string; by_question: string }[] };
  checked: { count: number; changed: CheckedQuestion[] };
  /** Numbers and mail addresses of the answer that stand neither in the catalogue nor in the facts. */
  contacts: string[];
}

/** A reply; `options` are the buttons of a question back. */
export interface ToldReply {
  decision: string;
  text: string;
  options: string[];
}

/** One of the school's checked questions that a draft answers otherwise than now. */
export interface CheckedQuestion {
  question: string;
  before: ToldReply;
  after: ToldReply;
  right: boolean;
}

/** A value that changes every year; `note` is the comment beside it. */
export interface Fact {
  name: string;
  value: string;
  file: string;
  line: number;
  note: string;
  used_by: { entries: number; calculators: number };
}

/** A clause of a document; `has_value`: whether the fact's value stands in it word for word. */
export interface Clause {
  document: string;
  title: string;
  locator: string;
  text: string;
  has_value: boolean;
}

export interface UsedFact extends Fact {
  entries: { id: string; question: string }[];
  calculators: { id: string; question: string }[];
  clauses: Clause[];
}

/** What a new value of a fact changes. */
export interface TriedFact {
  changed: { id: string; question: string; before: string; after: string }[];
  count: number;
  calculators: number;
  checked: Tried["checked"];
}

/** A comparison of an input; "" is no value. */
export interface InputTest {
  input: string;
  holds: "is" | "is_not" | "least" | "above" | "most" | "below";
  value: string;
}

export interface CalculatorInput {
  name: string;
  units: string[];
  dimension: string;
  /** The value when none is given, "" when it does without; null: it is asked for. */
  default: string | null;
  /** When it is needed: always without tests; null: as its rule says. */
  only_if: { tests: InputTest[]; is_any: boolean } | null;
  least: number | null;
  most: number | null;
  whole: boolean;
  many: boolean;
  ask: string;
  choices: string[];
}

export interface ListedCalculator {
  id: string;
  question: string;
  topic: string;
  file: string;
  inputs: string[];
  faulty: boolean;
}

/** A calculator as its file has it; `inputs` and `compares` are those of the index. */
export interface Calculator extends Omit<ListedCalculator, "inputs"> {
  line: number;
  text: string;
  version: string;
  variants: string[];
  inputs: CalculatorInput[];
  compares: string;
  steps: { name: string; rule: string }[];
  /** The rule that a value fulfils to be listed; "" for a comparison. */
  where: string;
  columns: { title: string; rule: string }[];
  cases: { when: string; say: string }[];
  facts: { name: string; value: string }[];
  follows: { id: string; question: string }[];
  sources: Source[];
  clauses: Clause[];
}

/** The outcome of a calculator; with problems there is no other. */
export interface Computed {
  problems: { line: number | null; message: string }[];
  inputs?: CalculatorInput[];
  unread?: string[];
  said?: string;
  missing?: string;
  ask?: string;
  wrong?: string;
  least?: string;
  most?: string;
  checked?: Tried["checked"] | null;
}

export interface TopicFields {
  name: string;
  name_en: string;
  description: string;
  office: string;
  examples: string[];
  assumes: Record<string, string>;
}

export interface Topic extends TopicFields {
  id: string;
  entries: number;
  documents: number;
  calculators: number;
  live: boolean;
  version: string;
  file: string;
  line: number;
}

/** Fields of the catalogue: texts, and lists of texts. */
export type Values = Record<string, string | string[]>;

/** A list of the catalogue, or the school itself. */
export interface Section {
  id: string;
  name: string;
  name_en: string;
  fields: string[];
  grows: boolean;
  parts: CataloguePart[];
}

export interface CataloguePart {
  id: string;
  line: number;
  version: string;
  values: Values;
}

/** A part of a message; with `entity`, a name of a value of that dimension. */
export interface MessagePart {
  text: string;
  entity: string;
}

export interface Unsure {
  parts: MessagePart[];
  guesses: Record<string, number>;
  students: number;
  times: number;
  last_at: number;
  traces: number[];
  personal: boolean;
}

/** The messages that the model was unsure of; `topics` are names by intent. */
export interface Review {
  messages: Unsure[];
  count: number;
  topics: Record<string, string>;
  general: string[];
  dimensions: { id: string; name: string; name_en: string }[];
}

/** The latest training: "" when there was none since the console's start. */
export interface Training {
  step: "" | "index" | "model" | "compare" | "done" | "failed";
  by: string;
  began_at: number;
  ended_at: number;
  read: number;
  messages: number;
  candidate: string;
  learnt: string;
  told: string;
  /** Whether it waits until Covan has read what was published. */
  waits_for_changes: boolean;
}

/** The trained models by name; "" for one that is not there. */
export interface Models {
  training: Training;
  live: string;
  before: string;
  candidate: string;
  history: { at: number; by: string; action: string; target: string }[];
  is_live?: boolean;
}

export interface Understood {
  intent: string;
  probability: number;
}

interface Change {
  text: string;
  live: Understood;
  candidate: Understood;
}

/** How the candidate understands messages otherwise than the live model; without one, all but `candidate` is missing. */
export interface Comparison {
  candidate: string;
  live: string;
  at: number;
  is_current: boolean;
  labelled: {
    count: number;
    right: { live: number | null; candidate: number };
    confusion: { intent: string; given: string; live: number; candidate: number }[];
    changes: (Change & { intent: string })[];
  };
  messages: { count: number; changes: (Change & { trace: number })[] };
  topics: Record<string, string>;
}

/** A risk that can be chosen; no threshold keeps it where `threshold` is null. */
export interface RiskOption {
  risk: number;
  threshold: number | null;
  coverage: number;
  error: number;
  answered: number;
  wrong: number;
}

/** The choice of a threshold that is in use; null is the shipped one. */
export type Choice = {
  risk: number;
  made_at: number;
  counts: { questions: number; answered: number; wrong: number };
} | null;

/** A label of a question that says nothing: it names nothing of the school, is empty, or nobody reads its column. */
export interface UnknownLabel {
  line: number;
  column: string;
  value: string;
  why: "unknown" | "empty" | "unread";
}

export interface Thresholds {
  index_version: string;
  current: Choice;
  /** Of the choice in use; another choice names the one that was seen. */
  version: string;
  has_before: boolean;
  measured: {
    file: string;
    by: string;
    at: number;
    index_version: string;
    questions: number;
    curve: [number, number][];
    options: RiskOption[];
    unknown: UnknownLabel[];
  } | null;
  measuring: {
    step: "" | "asking" | "done" | "failed";
    by: string;
    began_at: number;
    told: string;
    unknown: UnknownLabel[];
  };
}

/** A message that has another intent than its label; `number` is that of the label. */
export interface Contradiction {
  number: number;
  other: { kind: string; intent: string; text: string; file: string; line: number; entry: string };
}

/** The places that still have a number or mail address which the catalogue has given up, some of them. */
export interface OldContacts {
  places: OldPlace[];
  count: number;
  /** Which new contact takes the place of which old one, where the change tells it. */
  replaces: { old: string; new: string }[];
}

export interface OldPlace {
  kind: "entry" | "fact" | "document";
  id: string;
  name: string;
  locator: string;
}

/** A name in the label `number` that the catalogue does not know as marked; `known_as` is what it knows it as, or "". */
export interface UnlikeName {
  number: number;
  text: string;
  entity: string;
  known_as: string;
}

/** A node of the knowledge graph, as in a list; `degree` is the number of its edges. */
export interface ListedNode {
  id: string;
  type: string;
  name: string;
  degree: number;
}

/** A place that a node or an edge rests on; `passage` is empty for a table. */
export interface Place {
  title: string;
  locator: string;
  url: string;
  passage: string;
}

export interface Neighbours {
  relation: string;
  is_out: boolean;
  nodes: (ListedNode & { place: Place | null })[];
}

export interface ShownNode extends ListedNode {
  names: string[];
  properties: Record<string, string | number>;
  text: string;
  topics: string[];
  found_by: string;
  effective_from: string;
  effective_to: string;
  place: Place;
  around: Neighbours[];
}

export interface GraphOverview {
  fault: string;
  store: string;
  types: Record<string, number>;
  topics: { id: string; name: string }[];
  words: Record<string, Record<string, string>>;
  nodes: number;
  edges: number;
}

export interface GraphProblems {
  problems: { check: string; about: string; message: string; node: ListedNode | null }[];
  left_out: string[];
  left_out_count: number;
}

export interface GraphPassage {
  document: string;
  title: string;
  locator: string;
  context: string[];
  text: string;
  url: string;
}

/** How the language model is set up. */
export interface ModelSetUp extends ModelChoice {
  has_key: boolean;
  timeout_s: number;
  fallback: boolean;
  preset: string;
  preset_generates: boolean;
}

/** The part of the language model's settings that an administrator may choose; prices are for a million tokens. */
export interface ModelChoice {
  url: string;
  model: string;
  temperature: number;
  sources: string[];
  daily_tokens: number;
  daily_cost: number;
  prompt_price: number;
  completion_price: number;
}

export interface ModelState {
  configured: ModelSetUp | null;
  choice: ModelChoice;
  is_chosen: boolean;
  version: string;
  tokens_today: number;
  cost_today: number;
}

export interface ModelCheck {
  first_s: number;
  answer_s: number;
  answer_tokens: number;
  in_time: boolean;
  holds_schema: boolean;
}

interface ModelReply {
  decision: string;
  source: string;
  text: string;
  options: string[];
  citations: Citation[];
}

export interface ModelTrial {
  reply: ModelReply;
  without: ModelReply;
  seconds: number;
  calls: {
    purpose: string;
    model: string;
    outcome: string;
    prompt_tokens: number;
    completion_tokens: number;
    cost: number;
    latency_ms: number;
    cached: boolean;
  }[];
  dropped: { text: string; reason: string }[];
}

export interface ModelDay {
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

/** A step from a new folder to a school that answers; `note` names what is said about its state. */
export interface Step {
  id: string;
  state: "done" | "missing" | "faulty" | "old" | "running";
  note: string;
  counts: Record<string, number>;
  faults: string[];
  is_needed: boolean;
  target: string;
}

export interface FirstRun {
  complete: boolean;
  steps: Step[];
  example: string;
  embed_code: string;
}

const SIGNED_IN = "covan-console-signed-in";

/** Whether somebody has signed in with this browser; the session's cookie is out of reach of scripts. */
export const mayBeSignedIn = () => localStorage.getItem(SIGNED_IN) !== null;

export function noteSignedIn(signedIn: boolean): void {
  if (signedIn) localStorage.setItem(SIGNED_IN, "1");
  else localStorage.removeItem(SIGNED_IN);
}

let csrf = "";

/** Keep the token that every change must carry. */
export function useToken(token: string): void {
  csrf = token;
}

let onSessionEnd: (code: string) => void = () => undefined;

/** Call `tell` when the API refuses a request because its session has ended (`signed_out`) or is another one (`csrf`). */
export function whenSessionEnds(tell: (code: string) => void): () => void {
  onSessionEnd = tell;
  return () => {
    onSessionEnd = () => undefined;
  };
}

function refused(status: number, told: unknown): ApiError {
  const {
    error = "",
    message = "",
    detail = {},
  } = (told ?? {}) as {
    error?: string;
    message?: string;
    detail?: Record<string, unknown>;
  };
  if (error === "signed_out" || error === "csrf") onSessionEnd(error);
  return new ApiError(status, error, message, detail);
}

/** Ask the API; throws ApiError. */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      credentials: "same-origin",
      headers: {
        "Accept-Language": document.documentElement.lang,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(method === "GET" ? {} : { "X-CSRF-Token": csrf }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(0, "network", "no connection", {});
  }
  if (response.status === 204) return undefined as T;
  const told: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw refused(response.status, told);
  return told as T;
}

/** Send a file, telling the share that has gone; throws ApiError. */
export function upload<T>(path: string, file: File, progress: (share: number) => void): Promise<T> {
  // fetch tells nothing of what has gone.
  const request = new XMLHttpRequest();
  request.open("POST", `/api${path}`);
  request.setRequestHeader("Accept-Language", document.documentElement.lang);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.setRequestHeader("X-CSRF-Token", csrf);
  request.responseType = "json";
  request.upload.onprogress = ({ loaded, total }) => progress(total ? loaded / total : 0);
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(new ApiError(0, "network", "no connection", {}));
    request.onload = () => {
      if (request.status < 300) resolve(request.response as T);
      else reject(refused(request.status, request.response));
    };
    request.send(file);
  });
}

export const get = <T>(path: string) => ask<T>("GET", path);

/** The value of a filter for turns that have none, e.g. no topic. */
export const WITHOUT = "-";

/** Return `path` with those of `values` that are not empty. */
export function withQuery(path: string, values: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== "") query.set(name, String(value));
  return query.size ? `${path}?${query}` : path;
}
