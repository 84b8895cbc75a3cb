/** The console's JSON API (console/api). The types of its answers come from its description (`make answers`). */
import type {
  DocumentDraft,
  Fact,
  Gap as AnsweredGap,
  KeptCalculator,
  KeptDocument,
  KeptDraft as AnyKeptDraft,
  KeptEntry,
  KeptFact,
  KeptPart,
  KeptTopic,
  ListedTurn,
  PartDraft,
  PublishedDocument,
  ReadDraft,
  RemovalDraft,
  TopicDraft,
} from "./answers";

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

/** A fact that calculators need; `of` names what it is a fact of, `like` is that of something else. */
export interface LackingFact {
  name: string;
  label: string;
  of: string;
  like: { label: string; value: string; note: string } | null;
  calculators: { id: string; question: string }[];
}

/** A fault of the knowledge folder, at its place. */
export interface FolderFault {
  file: string;
  line: number | null;
  message: string;
}

/** The office in charge of something, by its id, and the day of its last review; "" where none is told. */
export type Reviewed = Pick<Fact, "owner" | "reviewed_at">;

/** A student's question, and the decision on it. */
export type Turn = Omit<ListedTurn, "pressed" | "command" | "corrected">;

/** A group of questions that want one answer; `joined` are those of other groups that an advisor has added to it. */
export type Gap = AnsweredGap & { joined?: string[] };

/** Values that students may have, by the key of a dimension. */
export type Students = Record<string, string[]>;

/** A kept draft of a kind. */
export type KeptDraft<D = KeptEdit> = Omit<AnyKeptDraft, "draft"> & { draft: D };

export type KeptEdit = KeptEntry | KeptFact | KeptCalculator | KeptDocument | KeptTopic | KeptPart;

/** An edit that nobody has published, as testers chat with it. */
export type DraftEdit =
  | Pick<KeptEntry, "kind" | "entry_id" | "fields">
  | Pick<KeptFact, "kind" | "name" | "is_new" | "value" | "note">
  | Pick<KeptCalculator, "kind" | "calculator_id" | "text">
  | BuiltDraft;

/** An edit that testers can chat with once the school was read with it. */
export type BuiltDraft = DocumentDraft | TopicDraft | PartDraft;

export type CheckedDraft = BuiltDraft | RemovalDraft;

type OfPublished = "file" | "cited_by" | "uses";

/** A document or an uploaded file as it was read; `name` is of an upload. */
export type ReadDocument = Omit<PublishedDocument, OfPublished> &
  Partial<Pick<PublishedDocument, OfPublished> & Pick<ReadDraft, "name">>;

/** The key of the query for how many wait: renewing the inbox renews it, too. */
export const WAITING_COUNT = ["inbox", "waiting"];

/** Fields of the catalogue: texts, and lists of texts. */
export type Values = Record<string, string | string[]>;

/** A message that has another intent than its label; `number` is that of the label. */
export interface Contradiction {
  number: number;
  other: { kind: string; intent: string; text: string; file: string; line: number; entry: string };
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

/** The token of a session that has ended, until the next sign-in. */
let ended: string | undefined;

let onSessionEnd: (code: string) => void = () => undefined;

/** Call `tell` when the API refuses a request because its session has ended (`signed_out`) or is another one (`csrf`). */
export function whenSessionEnds(tell: (code: string) => void): () => void {
  onSessionEnd = tell;
  return () => {
    onSessionEnd = () => undefined;
  };
}

/** `sent` is the token with which a request was sent: one from before the last sign-in tells nothing of the session. */
function refused(status: number, told: unknown, sent: string): ApiError {
  const {
    error = "",
    message = "",
    detail = {},
  } = (told ?? {}) as {
    error?: string;
    message?: string;
    detail?: Record<string, unknown>;
  };
  if (sent === csrf && error === "signed_out") ended = csrf;
  if (sent === csrf && (error === "signed_out" || error === "csrf")) onSessionEnd(error);
  return new ApiError(status, error, message, detail);
}

/** Ask the API; throws ApiError. */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  const sent = csrf;
  // A page that goes on looking would be refused, and noted in the audit log, each time.
  if (method === "GET" && csrf && ended === csrf && !path.startsWith("/session"))
    throw new ApiError(403, "signed_out", "", {});
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
  if (!response.ok) throw refused(response.status, told, sent);
  return told as T;
}

/** Send a file, telling the share that has gone; throws ApiError. */
export function upload<T>(path: string, file: File, progress: (share: number) => void): Promise<T> {
  // fetch tells nothing of what has gone.
  const request = new XMLHttpRequest();
  request.open("POST", `/api${path}`);
  request.setRequestHeader("Accept-Language", document.documentElement.lang);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  const sent = csrf;
  request.setRequestHeader("X-CSRF-Token", sent);
  request.responseType = "json";
  request.upload.onprogress = ({ loaded, total }) => progress(total ? loaded / total : 0);
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(new ApiError(0, "network", "no connection", {}));
    request.onload = () => {
      if (request.status < 300) resolve(request.response as T);
      else reject(refused(request.status, request.response, sent));
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
