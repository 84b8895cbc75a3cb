import { describe, expect, it } from "vitest";
import { mail, site, telephone } from "../src/address";
import { newId, pauseMs } from "../src/client";
import { byUrgency } from "../src/dates";
import { homeOf } from "../src/embed";
import { Keep } from "../src/keep";
import { WORDS } from "../src/locale";
import { isSendable, isSendKey, length } from "../src/view/composer";
import { reasonText } from "../src/view/rating";
import { shortLocators, sourceLine } from "../src/view/sources";

describe("a contact", () => {
  it("can be called at the first of its numbers", () => {
    expect(telephone("0292 383 1530 (máy lẻ 12)")).toBe("tel:02923831530");
    expect(telephone("+84 (292) 383.1530")).toBe("tel:+842923831530");
    expect(telephone("hỏi ở quầy 3")).toBe("");
    expect(telephone("115")).toBe("tel:115");
    expect(telephone("12")).toBe("");
  });

  it("can be written to when its address is nothing else", () => {
    expect(mail("dao-tao@ctu.daihocsaola.example")).toBe("mailto:dao-tao@ctu.daihocsaola.example");
    for (const no of ["a@b", "a@b.vn?cc=x@y.vn", "a b@c.vn", "javascript:alert(1)", ""])
      expect(mail(no)).toBe("");
  });

  it("is known by its site", () => {
    expect(site("https://www.daihocsaola.example/a")).toBe("daihocsaola.example");
  });
});

describe("an id", () => {
  it("is new every time, also where the browser has no randomUUID (plain HTTP)", () => {
    const plain = { getRandomValues: crypto.getRandomValues.bind(crypto) } as unknown as Crypto;
    expect(newId(plain)).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(Array.from({ length: 50 }, () => newId())).size).toBe(50);
  });
});

it("pauses grow to a limit, and differ", () => {
  expect(pauseMs(1, 0.5)).toBe(1000);
  expect(pauseMs(3, 0.5)).toBe(4000);
  expect(pauseMs(40, 0.5)).toBe(30_000);
  expect(pauseMs(3, 0)).toBeLessThan(pauseMs(3, 1));
});

describe("where the script came from", () => {
  it.each([
    ["https://chat.school.edu.vn/widget.js", "https://chat.school.edu.vn"],
    ["https://school.edu.vn/chat/widget.js?v=2", "https://school.edu.vn/chat"],
    ["/widget.js", "https://www.daihocsaola.example"],
  ])("%s", (script, home) => {
    expect(homeOf(script, "https://www.daihocsaola.example/tuyen-sinh/")).toBe(home);
  });
});

describe("what is kept", () => {
  const forbidden = {
    getItem: () => {
      throw new Error("forbidden");
    },
    setItem: () => {
      throw new Error("full");
    },
    removeItem: () => undefined,
  } as unknown as Storage;

  it("is in the browser's storage, by server", () => {
    localStorage.clear();
    new Keep("https://a", localStorage).set("token", "t");
    expect(new Keep("https://a", localStorage).get("token")).toBe("t");
    expect(new Keep("https://b", localStorage).get("token")).toBe("");
  });

  it("can be forgotten by another page", () => {
    localStorage.clear();
    const keep = new Keep("s", localStorage);
    keep.set("token", "t");
    new Keep("s", localStorage).set("token", "");
    expect(keep.get("token")).toBe("");
  });

  it.each([undefined, forbidden])("is in memory where there is no storage", (storage) => {
    const keep = new Keep("s", storage);
    keep.set("token", "t");
    expect(keep.get("token")).toBe("t");
    keep.set("token", "");
    expect(keep.get("token")).toBe("");
  });
});

describe("what is written", () => {
  it("is sent by Enter, but not while an input method composes, nor on Shift+Enter", () => {
    const key = (init: KeyboardEventInit): boolean => isSendKey(new KeyboardEvent("keydown", init));
    expect(key({ key: "Enter" })).toBe(true);
    expect(key({ key: "Enter", isComposing: true })).toBe(false);
    expect(key({ key: "Enter", shiftKey: true })).toBe(false);
    expect(key({ key: "Enter", keyCode: 229 })).toBe(false);
  });

  it("may be neither blank nor longer than the server reads, an emoji being one character", () => {
    expect(length("a👍")).toBe(2);
    expect(isSendable("   ", 10)).toBe(false);
    expect(isSendable(" 1234567890 ", 10)).toBe(true);
    expect(isSendable("12345678901", 10)).toBe(false);
  });
});

it("a reason is what was chosen, what was typed, or both", () => {
  expect(reasonText("wrong", "")).toBe("wrong");
  expect(reasonText("", " thiếu mức ")).toBe("thiếu mức");
  expect(reasonText("wrong", "thiếu mức")).toBe("wrong: thiếu mức");
});

describe("a source", () => {
  const citation = { title: "Quy chế", number: "", locator: "Điều 4", quote: "", url: "", page: 3 };

  it("tells the page of a document that has pages", () => {
    expect(sourceLine(citation, WORDS.vi)).toBe("Quy chế, Điều 4, trang 3");
    expect(sourceLine({ ...citation, number: "5/QĐ" }, WORDS.en)).toBe("Quy chế (no. 5/QĐ), Điều 4, page 3");
    expect(sourceLine({ ...citation, page: 0, locator: "" }, WORDS.vi)).toBe("Quy chế");
  });

  it("is told in short by its place, its number or its title, each once", () => {
    const other = { ...citation, locator: "", number: "5/QĐ" };
    expect(shortLocators([citation, { ...citation, title: "Khác" }, other])).toBe("Điều 4 · 5/QĐ");
  });
});

it("of deadlines the next comes first, and those that are over last, the latest before", () => {
  const now = new Date(2026, 10, 23, 12).getTime();
  const dates = ["2026-11-22", "2027-01-01", "2025-01-01", "2026-11-23", "2026-12-01"];
  expect(byUrgency(dates, now).map((index) => dates[index])).toEqual([
    "2026-11-23",
    "2026-12-01",
    "2027-01-01",
    "2026-11-22",
    "2025-01-01",
  ]);
});
