/** The conversation as this page knows it: pure steps from one state to the next. */

import { BOT_ALONE, type History, type Message, type Speaker } from "./wire";

/** What a student does; `title` is how it reads in the conversation. */
export type Content = { text: string } | { option: string } | { command: string };

/**
 * Something on its way to the server.
 *
 * - sending: asked to be sent, or just being sent
 * - waiting: could not be sent; it will be by itself
 * - accepted: the server has it; its place in the conversation is not known yet
 * - failed: the server refuses it, and would again
 */
export interface Outgoing {
  /** The same for every try, so that the server takes it once. */
  id: string;
  content: Content;
  title: string;
  /** Of a button: the message on which it is. */
  on: number;
  state: "sending" | "waiting" | "accepted" | "failed";
  /** Why it waits or has failed: a code of `api.ts`. */
  why: string;
}

export interface Conversation {
  /** By id, each once. */
  messages: readonly Message[];
  /** Whether the server has older ones. */
  earlier: boolean;
  outbox: readonly Outgoing[];
  speaker: Speaker;
  /** Whether the server says that an answer is being written. */
  typing: boolean;
  /** Whether the student waits for one: a rating is worked on too, but answered by nothing. */
  awaiting: boolean;
}

export const EMPTY: Conversation = {
  messages: [],
  earlier: false,
  outbox: [],
  speaker: BOT_ALONE,
  typing: false,
  awaiting: false,
};

export const lastId = (conversation: Conversation): number => conversation.messages.at(-1)?.id ?? 0;

/** A message that has arrived, from whatever side, perhaps for the second time. */
export function received(conversation: Conversation, message: Message): Conversation {
  const known = conversation.messages.some(({ id }) => id === message.id);
  const answered = message.author !== "student";
  return {
    ...conversation,
    messages: known ? conversation.messages : inOrder([...conversation.messages, message]),
    outbox: conversation.outbox.filter(
      (each) =>
        each.id !== message.eventId &&
        // Not every button leaves a message of the student's: the answer to it is as good a sign.
        !(answered && each.state === "accepted" && !("text" in each.content)),
    ),
    typing: conversation.typing && !answered,
    awaiting: known ? conversation.awaiting : !answered,
  };
}

/**
 * The newest messages as the server has them, `most` at once. What it no longer has has been erased, elsewhere perhaps; what
 * came in meanwhile stays.
 */
export function loaded(conversation: Conversation, history: History, most: number): Conversation {
  const { messages, speaker } = history;
  const first = messages[0]?.id ?? 0;
  const last = messages.at(-1)?.id ?? 0;
  const whole = messages.length < most;
  const older = whole ? [] : conversation.messages.filter(({ id }) => id < first);
  const newer = messages.length === 0 ? [] : conversation.messages.filter(({ id }) => id > last);
  const sent = new Set(messages.map(({ eventId }) => eventId));
  return {
    ...conversation,
    messages: [...older, ...messages, ...newer],
    earlier: whole ? false : older.length > 0 ? conversation.earlier : true,
    outbox: conversation.outbox.filter(({ id }) => !sent.has(id)),
    speaker,
  };
}

/** Messages from before those that are shown. */
export function loadedEarlier(conversation: Conversation, messages: Message[], most: number): Conversation {
  const known = new Set(conversation.messages.map(({ id }) => id));
  const older = messages.filter(({ id }) => !known.has(id));
  return {
    ...conversation,
    messages: inOrder([...older, ...conversation.messages]),
    earlier: messages.length >= most,
  };
}

/** Something that the student wants to send. */
export function asked(conversation: Conversation, outgoing: Outgoing): Conversation {
  return { ...conversation, outbox: [...conversation.outbox, outgoing], awaiting: true };
}

/** How the sending of something went. A command that the server has leaves no trace in the conversation. */
export function changed(conversation: Conversation, id: string, change: Partial<Outgoing>): Conversation {
  return {
    ...conversation,
    outbox: conversation.outbox
      .map((each) => (each.id === id ? { ...each, ...change } : each))
      .filter((each) => !(each.state === "accepted" && "command" in each.content)),
  };
}

/** Something that shall not be sent after all. */
export function dropped(conversation: Conversation, id: string): Conversation {
  return { ...conversation, outbox: conversation.outbox.filter((each) => each.id !== id) };
}

/** What is next to be sent: the first that still can be, so that the server gets all in order. */
export function next(conversation: Conversation): Outgoing | undefined {
  return conversation.outbox.find(({ state }) => state === "sending" || state === "waiting");
}

/** The title of the button of a message that was pressed, or typed; undefined while none was. */
export function pressedOn(conversation: Conversation, message: Message): string | undefined {
  return (
    conversation.messages.find(({ pressed }) => pressed === message.id)?.text ??
    conversation.messages.find(({ used }) => used.on === message.id)?.used.title ??
    conversation.outbox.find(({ on, state }) => on === message.id && state !== "failed")?.title
  );
}

/**
 * The question that a reply is to, when other words of the student's stand between the two; undefined when the reply
 * follows it, or when an earlier part of the reply has named it.
 */
export function questionOf(messages: readonly Message[], index: number): Message | undefined {
  const reply = messages[index];
  if (!reply?.replyTo || messages[index - 1]?.replyTo === reply.replyTo) return undefined;
  const between = messages
    .slice(0, index)
    .filter(({ id, author }) => author === "student" && id > reply.replyTo);
  return between.length > 0 ? messages.find(({ id }) => id === reply.replyTo) : undefined;
}

/** Messages of one speaker with less time in between share one line of who speaks and when. */
const TOGETHER_MS = 5 * 60_000;

/** Whether somebody else speaks in this message than in the one before it, or the same one later. */
export function beginsToSpeak(messages: readonly Message[], index: number): boolean {
  const [before, message] = [messages[index - 1], messages[index]];
  if (!message || !before) return true;
  return before.author !== message.author || before.by !== message.by || message.at - before.at > TOGETHER_MS;
}

/** How many messages to the student there are after the one with id `read`. */
export function unread(conversation: Conversation, read: number): number {
  return conversation.messages.filter(({ id, author }) => id > read && author !== "student").length;
}

/** Whether dots are shown: not while a person is to answer, who may take hours. */
export const isAnswering = ({ typing, awaiting, speaker }: Conversation): boolean =>
  typing && awaiting && !speaker.quiet;

/** All has been erased on the server; what was not sent yet is still to be sent. */
export const erased = (conversation: Conversation): Conversation => ({
  ...EMPTY,
  outbox: conversation.outbox.filter(({ state }) => state !== "accepted"),
});

export const hasSpoken = (conversation: Conversation): boolean =>
  conversation.messages.some(({ author }) => author === "student") ||
  conversation.outbox.some(({ content }) => !("command" in content));

const inOrder = (messages: Message[]): Message[] => messages.sort((one, other) => one.id - other.id);
