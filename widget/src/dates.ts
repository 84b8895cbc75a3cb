/** Days and times as a student reads them. `now` is given, so that it can be any. */

import type { Language, Words } from "./locale";

const TAGS: Record<Language, string> = { vi: "vi-VN", en: "en-GB" };
const DAY_MS = 24 * 3600 * 1000;

/** A calendar day, told apart from any other. */
export const dayOf = (at: number): string => new Date(at).toDateString();

export function dayTitle(at: number, now: number, words: Words, language: Language): string {
  if (dayOf(at) === dayOf(now)) return words.today;
  if (dayOf(at) === dayOf(now - DAY_MS)) return words.yesterday;
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(TAGS[language], {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(!sameYear && { year: "numeric" as const }),
  }).format(at);
}

export const timeOf = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(TAGS[language], { hour: "2-digit", minute: "2-digit" }).format(at);

export interface DeadlineWords {
  day: string;
  month: string;
  whole: string;
  /** "còn 3 ngày nữa" / "in 3 days"; empty when it is too far off to say it in days. */
  left: string;
  past: boolean;
}

const SAID_IN_DAYS = 364;

/** The next deadline first; those that are over stand behind it, the latest first. */
export function byUrgency(dates: readonly string[], now: number): number[] {
  const today = new Date(now);
  const from = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  const order = (date: string): [number, string] => [date < from ? 1 : 0, date];
  return dates
    .map((_, index) => index)
    .sort((one, other) => {
      const [past, date] = order(dates[one] ?? "");
      const [otherPast, otherDate] = order(dates[other] ?? "");
      if (past !== otherPast) return past - otherPast;
      return (past ? -1 : 1) * date.localeCompare(otherDate);
    });
}

/**
 * A deadline (YYYY-MM-DD, a day wherever the student is); undefined when there is no such day. With `isBefore` that day is
 * too late, and the days left are those until the day before.
 */
export function deadlineWords(
  date: string,
  now: number,
  language: Language,
  isBefore = false,
): DeadlineWords | undefined {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number];
  const at = new Date(year, month - 1, day);
  if (at.getFullYear() !== year || at.getMonth() !== month - 1 || at.getDate() !== day) return undefined;
  const today = new Date(now);
  const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate());
  const days = Math.round((at.getTime() - midnight.getTime()) / DAY_MS) - (isBefore ? 1 : 0);
  const tag = TAGS[language];
  return {
    day: String(day),
    month: new Intl.DateTimeFormat(tag, { month: "short" }).format(at),
    whole: new Intl.DateTimeFormat(tag, {
      weekday: "long",
      day: "numeric",
      month: "long",
      year: "numeric",
    }).format(at),
    left:
      Math.abs(days) <= SAID_IN_DAYS
        ? new Intl.RelativeTimeFormat(tag, { numeric: "auto" }).format(days, "day")
        : "",
    past: days < 0,
  };
}
