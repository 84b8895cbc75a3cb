import { describe, expect, it } from "vitest";
import { errorOf } from "../src/api";
import { reason, WORDS } from "../src/locale";

const refused = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ error, message: "a sentence" }), { status, headers });

describe("a refused request", () => {
  it("is told apart, and sent again by itself when the server says when", async () => {
    const tooFast = await errorOf(refused(429, "too_fast", { "Retry-After": "60" }));

    expect([tooFast.code, tooFast.retryAfterMs, tooFast.final]).toEqual(["too_fast", 60_000, false]);
  });

  it("is final when the same would be refused again", async () => {
    expect((await errorOf(refused(413, "too_large"))).final).toBe(true);
  });

  it.each(["vi", "en"] as const)("has its reason in the student's words (%s)", (language) => {
    const words = WORDS[language];

    expect(reason(words, "too_fast")).toBe(words.why_too_fast);
    expect(reason(words, "a code of later")).toBe(words.why_unavailable);
  });
});
