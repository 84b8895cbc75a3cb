/** The widget's own words. */

import en from "./locales/en.json";
import vi from "./locales/vi.json";
import { filledPlaces } from "./places";

export type Language = "vi" | "en";
export type Words = Record<keyof typeof vi, string>;

export const WORDS: Record<Language, Words> = { vi, en };

/** The language that a tag such as `en-US` names; undefined when it is none of ours. */
export function languageOf(tag: string): Language | undefined {
  const primary = tag.trim().toLowerCase().split("-")[0];
  return primary === "vi" || primary === "en" ? primary : undefined;
}

/** A sentence with its `{name}` or `{n}` filled in, and the words that go with a number. */
export const filled = (sentence: string, value: string | number): string =>
  filledPlaces(sentence, () => value);

/** Why something was not sent, in the student's language. */
export function reason(words: Words, code: string): string {
  const known = `why_${code}` as keyof Words;
  return words[known] ?? words.why_unavailable;
}
