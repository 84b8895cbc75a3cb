import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** The page beside the script: as in development, but with the built script. */
const page = {
  name: "covan-page",
  generateBundle(this: { emitFile(file: { type: "asset"; fileName: string; source: string }): void }): void {
    const source = readFileSync("index.html", "utf8").replace(
      '<script type="module" src="/src/main.ts"></script>',
      '<script src="/widget.js" async></script>',
    );
    this.emitFile({ type: "asset", fileName: "index.html", source });
  },
};

const HERE = "http://127.0.0.1:8000";

export default defineConfig({
  build: {
    target: "es2022",
    // One classic script: a page adds it with one tag, and it can tell where it came from.
    lib: { entry: "src/main.ts", formats: ["iife"], name: "Covan", fileName: () => "widget.js" },
    modulePreload: { polyfill: false },
  },
  plugins: [page],
  server: { proxy: { "/api": HERE, "/webhooks": HERE } },
  test: { environment: "jsdom", include: ["tests/**/*.test.ts"] },
});
