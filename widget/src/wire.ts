/**
 * What goes over the wire, read with suspicion: everything from the server is `unknown` until it has been looked at,
 * and what does not fit is left out.
 */

export interface Button {
  title: string;
  payload: string;
}

export interface Citation {
  title: string;
  number?: string;
  locator?: string;
  quote?: string;
  url?: string;
}

/** One thing the bot says. */
export interface BotMessage {
  text: string;
  buttons: Button[];
  /** Buttons that rate the answer; shown as thumbs. */
  feedback: Button[];
  /** The bot's words that go with them. */
  feedbackPrompt?: string;
  citations: Citation[];
}

export interface Topic {
  id: string;
  name: string;
  nameEn: string;
  examples: string[];
}

export interface School {
  name: string;
  nameEn: string;
  short: string;
  topics: Topic[];
  maxQuestionChars: number;
}

export const DEFAULT_MAX_QUESTION_CHARS = 2000;

const FEEDBACK_PAYLOAD = /^\/feedback_(good|bad)\b/;

type Record_ = Record<string, unknown>;

const isRecord = (value: unknown): value is Record_ =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const records = (value: unknown): Record_[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

/** Whether a button rates an answer, and how; undefined when it does something else. */
export function ratingOf(button: Button): "good" | "bad" | undefined {
  return FEEDBACK_PAYLOAD.exec(button.payload)?.[1] as "good" | "bad" | undefined;
}

const isFeedback = (button: Button): boolean => ratingOf(button) !== undefined;

/** Only addresses that lead to a page; never `javascript:` and its kin. */
export function webAddress(value: unknown): string | undefined {
  try {
    const url = new URL(text(value));
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : undefined;
  } catch {
    return undefined;
  }
}

function parseButtons(value: unknown): Button[] {
  return records(value)
    .map((item) => ({ title: text(item.title), payload: text(item.payload) }))
    .filter((button) => button.title !== "" && button.payload !== "");
}

function parseCitations(custom: unknown): Citation[] {
  if (!isRecord(custom)) return [];
  const citations: Citation[] = [];
  for (const item of records(custom.citations)) {
    const title = text(item.title) || text(item.document_id);
    if (title === "") continue;
    const citation: Citation = { title };
    const [number, locator, quote] = [text(item.number), text(item.locator), text(item.quote)];
    const url = webAddress(item.url);
    if (number) citation.number = number;
    if (locator) citation.locator = locator;
    if (quote) citation.quote = quote;
    if (url) citation.url = url;
    citations.push(citation);
  }
  return citations;
}

/**
 * Rasa's messages of one turn as bubbles. Rasa may send an answer's text, its sources and the request to rate it as
 * messages of their own: what has no text, or is only that request, belongs to the bubble before it.
 */
export function parseMessages(value: unknown): BotMessage[] {
  const bubbles: BotMessage[] = [];
  for (const item of records(value)) {
    const all = parseButtons(item.buttons);
    const message: BotMessage = {
      text: text(item.text),
      buttons: all.filter((button) => !isFeedback(button)),
      feedback: all.filter(isFeedback),
      citations: parseCitations(item.custom),
    };
    const { buttons, feedback, citations } = message;
    const onlyRating = feedback.length > 0 && buttons.length === 0 && citations.length === 0;
    const before = bubbles.at(-1);
    if (before && (message.text === "" || onlyRating)) {
      before.buttons.push(...buttons);
      before.feedback.push(...feedback);
      before.citations.push(...citations);
      if (onlyRating && message.text !== "") before.feedbackPrompt = message.text;
    } else if (message.text !== "" || buttons.length > 0 || citations.length > 0) {
      bubbles.push(message);
    }
  }
  return bubbles;
}

export function parseSchool(value: unknown): School {
  const school = isRecord(value) ? value : {};
  const limit = school.max_question_chars;
  return {
    name: text(school.name),
    nameEn: text(school.name_en),
    short: text(school.short),
    topics: records(school.topics)
      .map((topic) => ({
        id: text(topic.id),
        name: text(topic.name),
        nameEn: text(topic.name_en),
        examples: (Array.isArray(topic.examples) ? topic.examples : []).map(text).filter(Boolean),
      }))
      .filter((topic) => topic.id !== "" && topic.name !== ""),
    maxQuestionChars: typeof limit === "number" && limit > 0 ? limit : DEFAULT_MAX_QUESTION_CHARS,
  };
}
