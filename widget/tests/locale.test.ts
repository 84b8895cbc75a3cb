import { describe, expect, it } from "vitest";
import { deadlineWords, dayTitle } from "../src/dates";
import { filled, languageOf, reason, WORDS } from "../src/locale";
import { filledPlaces } from "../src/places";

it("every sentence exists in both languages, with the same places to fill in", () => {
  expect(Object.keys(WORDS.en).sort()).toEqual(Object.keys(WORDS.vi).sort());
  for (const [name, sentence] of Object.entries(WORDS.vi)) {
    const english = WORDS.en[name as keyof typeof WORDS.en];
    expect(sentence.trim()).not.toBe("");
    expect(english.match(/\{\w+\}/g)).toEqual(sentence.match(/\{\w+\}/g));
  }
});

it("what is filled in stays as it is", () => {
  expect(filled("với {name}.", "$& {n}")).toBe("với $& {n}.");
});

it("an English word goes with its number", () => {
  const places = [
    [0, "0 characters left"],
    [1, "1 character left"],
    [2, "2 characters left"],
  ] as const;
  for (const [n, told] of places) expect(filled(WORDS.en.left, n)).toBe(told);
});

it("a place without a value stays, and a written number is one, too", () => {
  const values: Record<string, string | number> = { a: "1", b: 1.5 };
  const told = filledPlaces(
    "{a} {a|turn|turns}, {b} {b|turn|turns}, {c} {c|turn|turns}",
    (name) => values[name],
  );
  expect(told).toBe("1 turn, 1.5 turns, {c} {c|turn|turns}");
});

it("languages are told by their primary tag", () => {
  expect(languageOf("en-US")).toBe("en");
  expect(languageOf("VI")).toBe("vi");
  expect(languageOf("fr")).toBeUndefined();
});

it("an unknown reason is the server's fault", () => {
  expect(reason(WORDS.vi, "too_large")).toBe(WORDS.vi.why_too_large);
  expect(reason(WORDS.vi, "teapot")).toBe(WORDS.vi.why_unavailable);
});

describe("days", () => {
  const now = new Date(2031, 5, 27, 15).getTime();

  it("are named from today", () => {
    expect(dayTitle(new Date(2031, 5, 27, 8).getTime(), now, WORDS.vi, "vi")).toBe("Hôm nay");
    expect(dayTitle(new Date(2031, 5, 26, 23).getTime(), now, WORDS.en, "en")).toBe("Yesterday");
    expect(dayTitle(new Date(2031, 5, 2).getTime(), now, WORDS.en, "en")).toBe("Monday 2 June");
  });

  it("until a deadline are counted when they are few", () => {
    expect(deadlineWords("2031-06-30", now, "en")).toMatchObject({
      day: "30",
      left: "in 3 days",
      past: false,
    });
    expect(deadlineWords("2031-06-26", now, "en")).toMatchObject({ left: "yesterday", past: true });
    expect(deadlineWords("2031-06-28", now, "en", true)).toMatchObject({
      day: "28",
      left: "today",
      past: false,
    });
    expect(deadlineWords("2031-06-27", now, "en", true)).toMatchObject({ left: "yesterday", past: true });
    expect(deadlineWords("2032-06-26", now, "vi")?.left).toBe("");
  });

  it("that do not exist are no deadline", () => {
    expect(deadlineWords("2031-02-30", now, "vi")).toBeUndefined();
  });
});
