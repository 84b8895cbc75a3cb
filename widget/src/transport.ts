/** The two requests of the page. */

import { parseMessages, parseSchool, type BotMessage, type School } from "./wire";

/** Longer than the server waits for Rasa, so that its own words are shown rather than ours. */
const TIMEOUT_MS = 40_000;

/** What a turn carries to the bot. */
export type Turn = { message: string } | { payload: string };

/** The turn did not get through; `shown` is the server's own sentence, when it sent one. */
export class SendError extends Error {
  constructor(readonly shown: string | undefined) {
    super(shown ?? "not sent");
  }
}

export async function fetchSchool(): Promise<School> {
  const response = await fetch("api/school", { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new SendError(undefined);
  return parseSchool(await response.json());
}

export async function send(sender: string, turn: Turn, language: string): Promise<BotMessage[]> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch("api/chat", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Accept-Language": language },
      body: JSON.stringify({ sender, ...turn }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    body = await response.json();
  } catch {
    throw new SendError(undefined);
  }
  if (!response.ok) {
    const shown = (body as { message?: unknown } | null)?.message;
    throw new SendError(typeof shown === "string" ? shown : undefined);
  }
  const messages = parseMessages(body);
  if (messages.length === 0) throw new SendError(undefined);
  return messages;
}
