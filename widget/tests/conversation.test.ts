import { beforeEach, describe, expect, it } from "vitest";
import { load, newSender, save, type Conversation } from "../src/conversation";

beforeEach(() => {
  localStorage.clear();
});

const spoken = (): Conversation => ({
  sender: "sender-1234",
  entries: [
    { from: "user", text: "hỏi", turn: { message: "hỏi" }, state: "sent" },
    { from: "bot", text: "đáp", buttons: [], feedback: [], citations: [] },
  ],
});

describe("the conversation", () => {
  it("survives a reload", () => {
    save(localStorage, spoken());
    expect(load(localStorage)).toEqual(spoken());
  });

  it("shows what was under way when the page was closed as not sent", () => {
    const conversation = spoken();
    conversation.entries.push({ from: "user", text: "nữa", turn: { message: "nữa" }, state: "sending" });
    save(localStorage, conversation);
    expect(load(localStorage).entries.at(-1)).toMatchObject({ text: "nữa", state: "failed" });
  });

  it("begins anew when the storage is damaged or switched off", () => {
    localStorage.setItem("covan.conversation.v1", "{broken");
    expect(load(localStorage).entries).toEqual([]);
    expect(load(undefined).entries).toEqual([]);
  });

  it("does not grow in the storage without bound", () => {
    const conversation = spoken();
    for (let turn = 0; turn < 500; turn++)
      conversation.entries.push({ from: "user", text: String(turn), turn: { message: "" }, state: "sent" });
    save(localStorage, conversation);
    const kept = load(localStorage).entries;
    expect(kept.length).toBe(200);
    expect(kept.at(-1)).toMatchObject({ text: "499" });
  });
});

describe("the sender's id", () => {
  it("is new every time", () => {
    expect(new Set(Array.from({ length: 50 }, () => newSender())).size).toBe(50);
  });

  it("can be made where the browser has no randomUUID (plain HTTP)", () => {
    const plain = { getRandomValues: crypto.getRandomValues.bind(crypto) } as unknown as Crypto;
    expect(newSender(plain)).toMatch(/^[0-9a-f]{32}$/);
    expect(newSender(plain)).not.toBe(newSender(plain));
  });
});
