import { createContext, useContext } from "react";
import { filledPlaces } from "../../../widget/src/places";
import { vi, type Key } from "./locales/vi";

export type Language = "vi" | "en";
export type Say = (key: Key, values?: Record<string, string | number>) => string;

/** Return the function that says a text in `language`; English is loaded for those who read it. */
export async function sayIn(language: Language): Promise<Say> {
  return language === "vi" ? SAY_IN_VIETNAMESE : saying((await import("./locales/en")).en);
}

/** Return the function that says some texts, with their values; `{n|day|days}` is the word that goes with a number. */
export function saying<K extends string>(
  texts: Record<K, string>,
): (key: K, values?: Record<string, string | number>) => string {
  return (key, values = {}) => filledPlaces(texts[key], (name) => values[name]);
}

const SAY_IN_VIETNAMESE = saying(vi);

/** Return the text of a key that is put together, or `otherwise` when there is none. */
export function sayIfKnown(say: Say, key: string, otherwise: string): string {
  return key in vi ? say(key as Key) : otherwise;
}

export const TextsContext = createContext<{ say: Say; language: Language; change: () => void }>({
  say: SAY_IN_VIETNAMESE,
  language: "vi",
  change: () => undefined,
});

export const useTexts = () => useContext(TextsContext);

/** The order of names in lists, which is that of the Vietnamese alphabet (console/name_order.py has it for the API). */
export const byName = new Intl.Collator("vi", { numeric: true }).compare;

/** Return a day (ISO 8601) as people here write it. */
export function dayText(day: string, language: Language): string {
  return new Date(`${day}T00:00:00`).toLocaleDateString(localeOf(language));
}

/** Return a number as people here write it, with the mark of decimals of their language. */
export function numberText(value: number, language: Language, digits = 1): string {
  return value.toLocaleString(localeOf(language), { maximumFractionDigits: digits });
}

/** Return a share of 0..1 in percent, as people here write it. */
export function percentText(share: number, language: Language, digits = 1): string {
  return `${numberText(100 * share, language, digits)}\u00a0%`;
}

const localeOf = (language: Language) => (language === "vi" ? "vi-VN" : "en-GB");

/** Return a time as people here write it: the hour today, the day before. */
export function timeText(seconds: number, language: Language): string {
  const at = new Date(seconds * 1000);
  const locale = localeOf(language);
  const today = new Date().toDateString() === at.toDateString();
  const hour = at.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
  // With a stroke in both languages: the browsers' Vietnamese has 03-12.
  const day = at.toLocaleDateString("en-GB", { day: "2-digit", month: "2-digit" });
  return today ? hour : `${hour} ${day}`;
}

/** Return a duration as people here write it: "12 phút", "3 giờ 5 phút", "2 ngày". */
export function durationText(seconds: number, language: Language): string {
  const of = (value: number, unit: "minute" | "hour" | "day") =>
    value.toLocaleString(localeOf(language), { style: "unit", unit, unitDisplay: "long" });
  const minutes = Math.max(1, Math.floor(seconds / 60));
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return of(Math.floor(hours / 24), "day");
  if (hours === 0) return of(minutes, "minute");
  return minutes % 60 ? `${of(hours, "hour")} ${of(minutes % 60, "minute")}` : of(hours, "hour");
}
