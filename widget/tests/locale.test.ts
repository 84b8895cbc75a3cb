import { expect, it } from "vitest";
import { WORDS } from "../src/locale";

it("every sentence exists in both languages", () => {
  expect(Object.keys(WORDS.en).sort()).toEqual(Object.keys(WORDS.vi).sort());
  for (const words of Object.values(WORDS))
    for (const sentence of Object.values(words)) expect(sentence.trim()).not.toBe("");
});
