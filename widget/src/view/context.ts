/** What every part of the view is drawn from, and what it may ask for. */

import type { Connection } from "../client";
import type { Conversation, Outgoing } from "../conversation";
import type { Language, Words } from "../locale";
import type { Message, Option } from "../wire";

export type Theme = "auto" | "light" | "dark";

/** What a student has said of an answer, on this page. */
export interface Rating {
  good: boolean;
  /** Whether the reason is still being asked for. */
  asking: boolean;
  /** The reason as chosen, and as typed. */
  chosen: string;
  failed: boolean;
}

export interface View {
  conversation: Conversation;
  connection: Connection;
  isLoaded: boolean;
  expired: boolean;
  words: Words;
  language: Language;
  /** Milliseconds since 1970. */
  now: number;
  ratings: ReadonlyMap<number, Rating>;
  actions: Actions;
}

export interface Actions {
  press(message: Message, option: Option): void;
  rate(message: Message, good: boolean): void;
  chooseReason(message: Message, reason: string): void;
  /** Without a text, the rating stays without a reason. */
  giveReason(message: Message, typed: string | undefined): void;
  retry(outgoing: Outgoing): void;
  drop(outgoing: Outgoing): void;
  command(command: string, title: string): void;
  showEarlier(): void;
}
