/**
 * What the server sends, read with suspicion: everything is `unknown` until it has been looked at, and what does not fit
 * is left out. Nothing here is HTML; how a text is shown is decided by its author (see `view/message.ts`).
 */

export const AUTHORS = ["bot", "advisor", "notice", "student"] as const;
export type Author = (typeof AUTHORS)[number];

/** What a message does in the conversation (dialogue/acts.py). */
export const ACTS = ["answer", "ask", "no_answer", "hand_over", "talk"] as const;
export type Act = (typeof ACTS)[number];

/** A button: what it says, and an id that only the server can read. */
export interface Option {
  title: string;
  id: string;
}

export interface Citation {
  title: string;
  number: string;
  locator: string;
  quote: string;
  /** Empty when there is none, or one that does not lead to a page. */
  url: string;
  /** Of the document, from 1; 0 when it has no pages. */
  page: number;
}

export interface ContactCard {
  kind: "contact";
  name: string;
  phone: string;
  email: string;
  address: string;
  mapUrl: string;
  hours: string;
  note: string;
}

export interface LinkCard {
  kind: "link";
  title: string;
  url: string;
}

export interface DeadlineCard {
  kind: "deadline";
  text: string;
  /** ISO 8601: YYYY-MM-DD. */
  date: string;
  /** Whether the day itself is too late: "trước ngày 10/12". */
  isBefore: boolean;
}

export type Card = ContactCard | LinkCard | DeadlineCard;

/** One message of the conversation, in the order of `id`. */
export interface Message {
  id: number;
  /** Milliseconds since 1970. */
  at: number;
  author: Author;
  /** Undefined of a student's message. */
  act: Act | undefined;
  /** The advisor's name. */
  by: string;
  text: string;
  options: Option[];
  /** Whether the student is asked what they think of it. */
  rateable: boolean;
  citations: Citation[];
  cards: Card[];
  /** Of a student's message: the id under which this or another page sent it. */
  eventId: string;
  /** Of a pressed button: the message on which it was. */
  pressed: number;
  /** Of a reply: the student's message that it is to; 0 when that is not known. */
  replyTo: number;
  /** Of a reply: the button that the student has typed instead of pressing it, and the message on which it is. */
  used: { on: number; title: string };
}

/** Who answers: the bot alone, or a person who has been asked for or has come. */
export interface Speaker {
  advisor: "none" | "waiting" | "taken";
  by: string;
  /** Whether the bot keeps silent meanwhile. */
  quiet: boolean;
}

export interface History {
  messages: Message[];
  speaker: Speaker;
}

export interface Session {
  token: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface School {
  name: string;
  nameEn: string;
  maxQuestionChars: number;
  /** Where it says what becomes of a student's data; empty when there is no such page. */
  consentUrl: string;
}

export const DEFAULT_MAX_QUESTION_CHARS = 2000;

export const BOT_ALONE: Speaker = { advisor: "none", by: "", quiet: false };

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const each = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

const wholeNumber = (value: unknown): number =>
  Number.isSafeInteger(value) ? Math.max(value as number, 0) : 0;

/** Only addresses that lead to a page; never `javascript:` and its kin. */
export function webAddress(value: unknown): string {
  try {
    const url = new URL(text(value));
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : "";
  } catch {
    return "";
  }
}

function options(value: unknown): Option[] {
  return each(value)
    .map((item) => ({ title: text(item.title), id: text(item.id) }))
    .filter((option) => option.title !== "" && option.id !== "");
}

function citations(value: unknown): Citation[] {
  return each(value)
    .map((item) => ({
      title: text(item.title) || text(item.document_id),
      number: text(item.number),
      locator: text(item.locator),
      quote: text(item.quote),
      url: webAddress(item.url),
      page: wholeNumber(item.page),
    }))
    .filter((citation) => citation.title !== "");
}

function card(item: Fields): Card | undefined {
  if (item.kind === "contact" && text(item.name)) {
    return {
      kind: "contact",
      name: text(item.name),
      phone: text(item.phone),
      email: text(item.email),
      address: text(item.address),
      mapUrl: webAddress(item.map_url),
      hours: text(item.hours),
      note: text(item.note),
    };
  }
  if (item.kind === "link" && webAddress(item.url)) {
    const url = webAddress(item.url);
    return { kind: "link", title: text(item.title) || url, url };
  }
  if (item.kind === "deadline" && text(item.text) && /^\d{4}-\d{2}-\d{2}/.test(text(item.date))) {
    return {
      kind: "deadline",
      text: text(item.text),
      date: text(item.date).slice(0, 10),
      isBefore: item.is_before === true,
    };
  }
  return undefined;
}

/** A message, or undefined when it is none: without an id it could not be told from another. */
export function parseMessage(value: unknown): Message | undefined {
  if (!isFields(value)) return undefined;
  const author = AUTHORS.find((known) => known === value.author);
  const id = wholeNumber(value.id);
  if (author === undefined || id === 0) return undefined;
  const facts = isFields(value.facts) ? value.facts : {};
  return {
    id,
    at: typeof value.at === "number" && Number.isFinite(value.at) ? value.at * 1000 : 0,
    author,
    act: ACTS.find((known) => known === value.act),
    by: text(value.by),
    text: text(value.text),
    options: options(value.options),
    rateable: isFields(value.thumbs),
    citations: citations(value.citations),
    cards: each(value.cards)
      .map(card)
      .filter((known) => known !== undefined),
    eventId: text(facts.event_id),
    pressed: wholeNumber(facts.pressed),
    replyTo: wholeNumber(facts.reply_to),
    used: { on: wholeNumber(facts.used_on), title: text(facts.used) },
  };
}

export function parseSpeaker(value: unknown): Speaker {
  if (!isFields(value)) return BOT_ALONE;
  const advisor = value.with_advisor;
  if (advisor !== "waiting" && advisor !== "taken") return BOT_ALONE;
  return { advisor, by: text(value.by), quiet: value.quiet === true };
}

export function parseHistory(value: unknown): History {
  const history = isFields(value) ? value : {};
  return {
    messages: each(history.messages)
      .map(parseMessage)
      .filter((message) => message !== undefined),
    speaker: parseSpeaker(history.state),
  };
}

/** Undefined when there is no token in it. */
export function parseSession(value: unknown): Session | undefined {
  if (!isFields(value) || text(value.token) === "") return undefined;
  const expires = value.expires_at;
  return { token: text(value.token), expiresAt: typeof expires === "number" ? expires * 1000 : 0 };
}

/** The code of an error, or "" when the answer is not one of the chat's own. */
export function parseErrorCode(value: unknown): string {
  return isFields(value) ? text(value.error) : "";
}

export function parseSchool(value: unknown): School {
  const school = isFields(value) ? value : {};
  const limit = school.max_question_chars;
  return {
    name: text(school.name),
    nameEn: text(school.name_en),
    maxQuestionChars: typeof limit === "number" && limit > 0 ? limit : DEFAULT_MAX_QUESTION_CHARS,
    consentUrl: webAddress(school.consent_url),
  };
}
