/** The console's JSON API (console/api). The types of its answers come from its description (`make answers`). */
import type { AskedChecked, ListedTurn, NamedPlace } from "./answers";

export type * from "./answers";

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

/** A student's question, and the decision on it. */
export type Turn = Omit<ListedTurn, "pressed" | "command" | "corrected">;

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
  /** The draft of an answer that somebody keeps for it; `at`: when it was saved. */
  draft: { id: number; author: string; at: number } | null;
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

/** A draft that is kept; `version` is its own. */
interface DraftHead {
  id: number;
  version: number;
  state: "draft" | "reviewed";
  author: string;
  at: number;
  reviewed_by: string;
}

/** `part` is what has become of the part of the school that it changes since it was begun; `part_id` is its id. */
export interface ListedDraft extends DraftHead {
  kind: KeptEdit["kind"];
  name: string;
  section_id: string;
  /** The id of an uploaded file, "" without one. */
  upload: string;
  part_id: string;
  part: "new" | "same" | "changed" | "gone";
}

export interface KeptDraft<D = KeptEdit> extends DraftHead {
  draft: D;
}

/** `seen` is the version of what a draft was begun from. */
export type KeptEntry = EntryDraft & { seen: string; settles: number[]; checks: string[]; tell: number[] };
export type KeptFact = FactDraft & { seen: string; seen_note: string };
export type KeptCalculator = CalculatorDraft & { seen: string };
export type KeptDocument = DocumentDraft & { seen: string };
export type KeptTopic = TopicDraft & { seen: string };
export type KeptPart = PartDraft & { seen: string };
export type KeptEdit = KeptEntry | KeptFact | KeptCalculator | KeptDocument | KeptTopic | KeptPart;

interface EntryDraft {
  kind: "entry";
  entry_id: string;
  fields: EntryFields;
}

interface FactDraft {
  kind: "fact";
  name: string;
  is_new: boolean;
  value: string;
  note: string;
}

interface CalculatorDraft {
  kind: "calculator";
  calculator_id: string;
  text: string;
}

interface DocumentDraft {
  kind: "document";
  document_id: string;
  upload: string;
  fields: DocumentFields;
}

export interface TopicDraft {
  kind: "topic";
  topic_id: string;
  id: string;
  fields: TopicFields;
}

export interface PartDraft {
  kind: "part";
  section_id: string;
  part_id: string;
  id: string;
  fields: Values;
}

/** An edit that nobody has published, as testers chat with it. */
export type DraftEdit = EntryDraft | FactDraft | CalculatorDraft | BuiltDraft;

/** An edit that testers can chat with once the school was read with it. */
export type BuiltDraft = DocumentDraft | TopicDraft | PartDraft;

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

/** A question tried on what is live. */
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

/** The key of the query for how many wait: renewing the inbox renews it, too. */
export const WAITING_COUNT = ["inbox", "waiting"];

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
  checked: AskedChecked;
  /** Numbers and mail addresses of the answer that stand neither in the catalogue nor in the facts. */
  contacts: string[];
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

/** A message that has another intent than its label; `number` is that of the label. */
export interface Contradiction {
  number: number;
  other: { kind: string; intent: string; text: string; file: string; line: number; entry: string };
}

/** The places that still have a number or mail address which the catalogue has given up, some of them. */
export interface OldContacts {
  places: NamedPlace[];
  count: number;
  /** Which new contact takes the place of which old one, where the change tells it. */
  replaces: { old: string; new: string }[];
}

/** A name in the label `number` that the catalogue does not know as marked; `known_as` is what it knows it as, or "". */
export interface UnlikeName {
  number: number;
  text: string;
  entity: string;
  known_as: string;
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
