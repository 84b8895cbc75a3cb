/** The website's API (channels/web/channel.py): one method for each of its routes but the stream of events. */

import type { Content } from "./conversation";
import {
  parseErrorCode,
  parseHistory,
  parseSchool,
  parseSession,
  type History,
  type School,
  type Session,
} from "./wire";

const TIMEOUT_MS = 20_000;

/** How many messages are loaded at once. */
export const PAGE = 50;

/** The server's own codes of errors; "network" is ours: no answer, or none of the chat's. */
export type ErrorCode =
  | "bad_request"
  | "session_expired"
  | "origin"
  | "too_large"
  | "too_many"
  | "too_fast"
  | "unavailable"
  | "network";

const CODES: readonly string[] = [
  "bad_request",
  "session_expired",
  "origin",
  "too_large",
  "too_many",
  "too_fast",
  "unavailable",
] satisfies ErrorCode[];

export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    /** How long the server asks to wait, in milliseconds; 0 when it does not say. */
    readonly retryAfterMs = 0,
  ) {
    super(code);
  }

  /** Whether the same request would be refused again. */
  get final(): boolean {
    return this.code === "bad_request" || this.code === "too_large" || this.code === "origin";
  }
}

/** What an answer that is no success says. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const code = parseErrorCode(body);
  const seconds = Number(response.headers.get("Retry-After") ?? "");
  const wait = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
  return new ApiError(CODES.includes(code) ? (code as ErrorCode) : "unavailable", wait);
}

export class Api {
  readonly base: string;

  /** `server` is where the chat is served, without a slash at its end; empty for the page's own. */
  constructor(
    private readonly server: string,
    /** What is shown as proof of the session; empty while there is none. */
    private readonly token: () => string,
  ) {
    this.base = `${server}/webhooks/web`;
  }

  /** A new session, or the same one for longer. */
  async session(language: string): Promise<Session> {
    const session = parseSession(await (await this.ask("POST", "/session", { language })).json());
    if (!session) throw new ApiError("unavailable");
    return session;
  }

  async history(before?: number): Promise<History> {
    const older = before === undefined ? "" : `&before=${before}`;
    return parseHistory(await (await this.ask("GET", `/messages?limit=${PAGE}${older}`)).json());
  }

  async send(id: string, content: Content): Promise<void> {
    await this.ask("POST", "/messages", { id, ...content });
  }

  async rate(message: number, good: boolean, reason: string): Promise<void> {
    await this.ask("POST", "/feedback", { message, good, ...(reason && { reason }) });
  }

  async erase(): Promise<void> {
    await this.ask("DELETE", "/conversation");
  }

  /** The school's name; not part of the chat's API, and not everywhere. */
  async school(): Promise<School> {
    const response = await fetch(`${this.server}/api/school`, {
      credentials: "omit",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return parseSchool(response.ok ? await response.json() : undefined);
  }

  headers(): Record<string, string> {
    const token = this.token();
    return token ? { Authorization: `Bearer ${token}` } : {};
  }

  private async ask(method: string, path: string, body?: object): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.base + path, {
        method,
        headers: { ...this.headers(), ...(body && { "Content-Type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
        credentials: "omit",
        cache: "no-store",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch {
      throw new ApiError("network");
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  }
}
