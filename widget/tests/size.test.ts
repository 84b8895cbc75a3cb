import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const MOST_BYTES = 60_000;

it("a page loads less than 60 kB for the chat (`make setup` has built it)", () => {
  expect(gzipSync(readFileSync("dist/widget.js")).length).toBeLessThan(MOST_BYTES);
});
