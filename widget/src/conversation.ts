/** The conversation as this browser remembers it: who writes, and what has been said. */

import type { BotMessage } from "./wire";
import type { Turn } from "./transport";

export interface UserEntry {
  from: "user";
  text: string;
  turn: Turn;
  /** "sending" left over from a page that was closed is shown as failed. */
  state: "sending" | "sent" | "failed";
  /** Why it failed, in the server's words. */
  problem?: string;
}

export interface BotEntry extends BotMessage {
  from: "bot";
  /** The payload of the option that was chosen, after which the options are closed. */
  chosen?: string;
  /** The payload of the rating that was given. */
  rated?: string;
}

export type Entry = UserEntry | BotEntry;

export interface Conversation {
  sender: string;
  entries: Entry[];
}

const KEY = "covan.conversation.v1";
/** What is kept for a reload; older turns stay with the server. */
const MAX_KEPT = 200;

/** A random id: the only key to the conversation, so it must not be guessable. */
export function newSender(source: Crypto = crypto): string {
  // randomUUID exists in secure contexts only; a page on a campus network over plain HTTP is none.
  if (typeof source.randomUUID === "function") return source.randomUUID();
  return Array.from(source.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

export const newConversation = (): Conversation => ({ sender: newSender(), entries: [] });

export function load(storage: Storage | undefined): Conversation {
  try {
    const kept = JSON.parse(storage?.getItem(KEY) ?? "null") as Conversation | null;
    if (kept && typeof kept.sender === "string" && Array.isArray(kept.entries)) {
      for (const entry of kept.entries)
        if (entry.from === "user" && entry.state === "sending") entry.state = "failed";
      return { sender: kept.sender, entries: kept.entries };
    }
  } catch {
    // Storage that is switched off or damaged: begin anew.
  }
  return newConversation();
}

export function save(storage: Storage | undefined, conversation: Conversation): void {
  try {
    storage?.setItem(
      KEY,
      JSON.stringify({ sender: conversation.sender, entries: conversation.entries.slice(-MAX_KEPT) }),
    );
  } catch {
    // Full or switched off: the conversation goes on, only a reload will not bring it back.
  }
}
